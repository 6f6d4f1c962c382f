//! Every word of the page, in English and in Simplified Chinese.
//!
//! One file per area of the page. Most areas are a list of keys, each with both languages side by
//! side:
//!
//! ```ignore
//! words! {
//!     /// The words of the top bar.
//!     Chrome {
//!         player: "Player", "播放器";
//!         workers: "{n} {n|worker|workers}", "{n} 个 worker";
//!     }
//! }
//! ```
//!
//! That makes a struct `Chrome` of `&'static str` fields and two statics, `EN` and `ZH`; a key that
//! lacks a language does not compile. A component asks once, `let words = Chrome::of(lang)`, and
//! then reads `words.player`. A sentence with numbers in it is a template:
//! `fill(words.workers, &[("n", &4)])`; what depends on a number being one stands in it in both
//! forms. Where every verb needs the same few words ([`verbs`],
//! [`calls`]), a `match` over the verbs takes the place of the list, with both languages in a
//! [`Both`].
//!
//! To add an area: a new file with `words!`, a line `pub mod` below, and a line in
//! `tests::every_pair`. The tests then hold it to the rules: nothing is empty, nothing is left
//! untranslated except names, and both languages have the same placeholders. Names of verbs,
//! libraries and algorithms stay as the field writes them, and so does *rank*.

/// Declares one area: a struct of words, its statics `EN` and `ZH`, and the way to choose between
/// them.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($key:ident: $en:literal, $zh:literal;)+ }) => {
        $(#[$doc])*
        pub struct $name {
            $(#[doc = $en] pub $key: &'static str,)+
        }

        /// The words in English.
        pub static EN: $name = $name { $($key: $en,)+ };

        /// The words in Simplified Chinese.
        pub static ZH: $name = $name { $($key: $zh,)+ };

        impl $name {
            /// The words in `lang`.
            pub fn of(lang: $crate::ui::text::Lang) -> &'static $name {
                match lang {
                    $crate::ui::text::Lang::En => &EN,
                    $crate::ui::text::Lang::Zh => &ZH,
                }
            }

            /// Every key with its two languages, for the tests that hold all words to the rules.
            #[cfg(test)]
            pub(super) fn pairs() -> Vec<(&'static str, $crate::ui::text::Both)> {
                vec![$((stringify!($key), $crate::ui::text::Both { en: $en, zh: $zh }),)+]
            }
        }
    };
}

pub mod actor;
pub mod bench;
pub mod calls;
pub mod chrome;
pub mod contest;
pub mod duet;
pub mod equation;
pub mod faults;
pub mod inspector;
pub mod links;
pub mod notices;
pub mod params;
pub mod reference;
pub mod registry;
pub mod rounding;
pub mod share;
pub mod stage;
pub mod track;
pub mod units;
pub mod verbs;

#[cfg(test)]
mod tests;

use std::fmt::Display;

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// Every language, in the order the switch shows them.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Zh];

    /// The value of `lang` in a URL.
    pub fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
        }
    }

    /// The value for a `lang` attribute and storage.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh-CN",
        }
    }

    /// What stands between the items of a list.
    pub fn comma(self) -> &'static str {
        match self {
            Lang::En => ", ",
            Lang::Zh => "、",
        }
    }

    /// What stands between the items of a list that may have commas themselves.
    pub fn semicolon(self) -> &'static str {
        match self {
            Lang::En => "; ",
            Lang::Zh => "；",
        }
    }

    /// What stands between a heading and what it is about.
    pub fn colon(self) -> &'static str {
        match self {
            Lang::En => ": ",
            Lang::Zh => "：",
        }
    }

    /// What the language calls itself.
    pub fn own_name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::Zh => "中文",
        }
    }

    /// The language the switch leads to.
    pub fn other(self) -> Lang {
        match self {
            Lang::En => Lang::Zh,
            Lang::Zh => Lang::En,
        }
    }

    /// The language of a tag such as `zh`, `zh-Hans-CN` or `en-GB`, in any case; `None` for others.
    pub fn parse(tag: &str) -> Option<Lang> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
        Lang::ALL.into_iter().find(|lang| {
            let own = lang.tag().split('-').next().unwrap_or_default();
            primary.eq_ignore_ascii_case(own)
        })
    }

    /// The first language of a browser's preference list that the page speaks; English if none.
    pub fn preferred<'a>(tags: impl IntoIterator<Item = &'a str>) -> Lang {
        tags.into_iter().find_map(Lang::parse).unwrap_or_default()
    }
}

/// One text in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Both {
    /// English.
    pub en: &'static str,
    /// Simplified Chinese.
    pub zh: &'static str,
}

impl Both {
    /// The text in `lang`.
    pub fn of(self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Zh => self.zh,
        }
    }
}

/// Puts values into a template: every `{name}` whose name is given becomes its value, and every
/// `{name|one|many}` becomes `one` if the value is 1 and `many` otherwise. Braces around anything
/// else stay as they are, so values may contain braces. A space that keeps Chinese apart from a
/// Latin value goes where the value is Chinese itself.
pub fn fill(template: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let named = after.split_once('}').and_then(|(inside, tail)| {
            let mut parts = inside.split('|');
            let name = parts.next()?;
            let (_, value) = values.iter().find(|(key, _)| *key == name)?;
            Some((value.to_string(), parts, tail))
        });
        match named {
            Some((value, mut forms, tail)) => {
                let form = if value == "1" { forms.next() } else { forms.nth(1) };
                let form = form.unwrap_or(&value);
                if let Some(closer) = out.strip_suffix(' ')
                    && closer.ends_with(is_chinese)
                    && form.starts_with(is_chinese)
                {
                    out.pop();
                }
                out.push_str(form);
                rest = match tail.strip_prefix(' ') {
                    Some(closer)
                        if form.ends_with(is_chinese) && closer.starts_with(is_chinese) =>
                    {
                        closer
                    }
                    _ => tail,
                };
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// A character of Chinese writing, which has no spaces, or its punctuation.
fn is_chinese(c: char) -> bool {
    c >= '\u{3000}'
}
