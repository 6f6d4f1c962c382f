//! The rules all words are held to.

use super::*;

/// Words that are the same in both languages: names, and *rank*, which the field does not
/// translate.
const NAMES: [&str; 3] = ["Rank", "rank {rank}", "PCI Express"];

/// Punctuation that joins the items of a list: the only texts that may begin or end with a space.
const JOINERS: [&str; 1] = [", "];

/// Placeholders that are counts, and may be 1; the others are values, names or constants.
const COUNTS: [&str; 17] = [
    "n", "ranks", "cores", "more", "found", "expected", "elements", "steps", "needed", "given",
    "checked", "bits", "off", "most", "nodes", "nics", "depth",
];

/// Every text of the page. A new area adds its line here.
fn every_pair() -> Vec<(&'static str, Both)> {
    [
        bench::BenchWords::pairs(),
        calls::pairs(),
        chrome::Chrome::pairs(),
        contest::ContestWords::pairs(),
        duet::DuetWords::pairs(),
        equation::EquationWords::pairs(),
        faults::FaultWords::pairs(),
        inspector::Inspector::pairs(),
        rounding::RoundingWords::pairs(),
        links::LinkWords::pairs(),
        links::pairs(),
        notices::NoticeWords::pairs(),
        actor::ActorWords::pairs(),
        params::Params::pairs(),
        params::pairs(),
        reference::ReferenceWords::pairs(),
        registry::NeedWords::pairs(),
        registry::pairs(),
        share::ShareWords::pairs(),
        stage::Stage::pairs(),
        track::TrackWords::pairs(),
        verbs::pairs(),
    ]
    .concat()
}

/// What stands between the braces of a template.
fn inside_braces(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|s| s.split_once('}')).map(|(inside, _)| inside)
}

/// The placeholders of a template, sorted. Forms that depend on a number come on top of it.
fn placeholders(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = inside_braces(text).filter(|name| !name.contains('|')).collect();
    names.sort_unstable();
    names
}

/// Whether the forms that depend on a number are two, and the number stands in the text as well.
fn forms_fit(text: &str) -> bool {
    let names = placeholders(text);
    inside_braces(text).filter(|inside| inside.contains('|')).all(|inside| {
        let parts: Vec<&str> = inside.split('|').collect();
        parts.len() == 3 && names.contains(&parts[0]) && parts.iter().all(|part| !part.is_empty())
    })
}

/// A number that is followed by a plural whatever it is: `{n} ranks`.
fn always_many(text: &str) -> bool {
    let after = text.split('{').skip(1).filter_map(|s| s.split_once('}'));
    after.filter(|(name, _)| COUNTS.contains(name)).any(|(_, tail)| {
        let noun = tail
            .strip_prefix(' ')
            .and_then(|tail| tail.split(|c: char| !c.is_ascii_alphabetic()).next());
        noun.is_some_and(|noun| noun.len() > 2 && noun.ends_with('s') && !noun.ends_with("ss"))
    })
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

/// Whether a template has letters of its own, outside its placeholders.
fn has_words(text: &str) -> bool {
    let own = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, own)| own));
    own.flat_map(str::chars).any(|c| c.is_ascii_alphabetic())
}

/// What is wrong with one text, if anything is.
fn fault(both: Both) -> Option<&'static str> {
    let Both { en, zh } = both;
    if JOINERS.contains(&en) {
        return (zh.trim().is_empty() || zh == en).then_some("is not the joiner of Chinese lists");
    }
    if en.trim().is_empty() || zh.trim().is_empty() {
        return Some("is empty");
    }
    if en != en.trim() || zh != zh.trim() || en.contains("  ") || en.contains('\n') {
        return Some("has stray white space");
    }
    if !forms_fit(en) || zh.contains('|') {
        return Some("has forms for one and many that do not fit");
    }
    if always_many(en) {
        return Some("has a plural that is wrong for one");
    }
    if placeholders(en) != placeholders(zh) {
        return Some("has other placeholders in Chinese than in English");
    }
    if NAMES.contains(&en) {
        return (en != zh).then_some("is a name, but differs");
    }
    if en.chars().any(is_han) {
        return Some("has Chinese in its English");
    }
    if !zh.chars().any(is_han) && (zh == en || has_words(zh)) {
        return Some("is not translated");
    }
    let han: Vec<char> = zh.chars().collect();
    let half = |c: char| matches!(c, ',' | ';' | ':' | '?' | '!' | '(' | ')');
    han.windows(2)
        .any(|w| (is_han(w[0]) && half(w[1])) || (half(w[0]) && is_han(w[1])))
        .then_some("has half-width punctuation beside Chinese")
}

#[test]
fn every_word_keeps_the_rules() {
    let faults: Vec<String> = every_pair()
        .into_iter()
        .filter_map(|(key, both)| fault(both).map(|f| format!("{key} {f}: {both:?}")))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_rules_catch_faults() {
    let bad = [
        ("", "空"),
        ("Copy ", "复制"),
        ("{n} ranks", "若干 rank"),
        ("Copy", "Copy"),
        ("Copies the chunk", "copies the chunk"),
        ("复制", "复制"),
        ("Well, done", "好,了"),
        (", ", ", "),
        ("Rank", "rank"),
        ("{n} {n|rank}", "{n} 个 rank"),
        ("{n|rank|ranks}", "几个 rank"),
        ("{n} {n|rank|ranks}", "{n} {n|个|些} rank"),
        ("{n} ranks", "{n} 个 rank"),
    ];
    for (en, zh) in bad {
        assert!(fault(Both { en, zh }).is_some(), "{en:?} / {zh:?} passes");
    }
    assert_eq!(fault(Both { en: "{k} of {n}", zh: "{k}/{n}" }), None);
    assert_eq!(fault(Both { en: "{n} {n|rank|ranks}", zh: "{n} 个 rank" }), None);
    assert_eq!(fault(Both { en: "{value} starts", zh: "{value}开始" }), None);
}

#[test]
fn languages_are_found_in_tags() {
    let cases = [
        ("en", Some(Lang::En)),
        ("EN-gb", Some(Lang::En)),
        ("zh", Some(Lang::Zh)),
        ("zh-Hans-CN", Some(Lang::Zh)),
        ("zh_TW", Some(Lang::Zh)),
        ("english", None),
        ("de", None),
        ("", None),
    ];
    for (tag, lang) in cases {
        assert_eq!(Lang::parse(tag), lang, "{tag:?}");
    }
    assert_eq!(Lang::preferred(["fr-FR", "zh-CN", "en"]), Lang::Zh);
    assert_eq!(Lang::preferred(["fr-FR"]), Lang::En);
    assert_eq!(Lang::preferred([]), Lang::En);
    assert!(Lang::ALL.iter().all(|l| Lang::parse(l.tag()) == Some(*l) && l.other() != *l));
}

#[test]
fn templates_take_values() {
    assert_eq!(fill("{n} ranks, {n} links", &[("n", &4)]), "4 ranks, 4 links");
    assert_eq!(fill("{a}{b}", &[("a", &"{b}"), ("b", &1)]), "{b}1");
    for (n, text) in [(0, "0 ranks wait"), (1, "1 rank waits"), (11, "11 ranks wait")] {
        assert_eq!(fill("{n} {n|rank waits|ranks wait}", &[("n", &n)]), text);
    }
    assert_eq!(fill("a {x} { b", &[("n", &4)]), "a {x} { b");
}

#[test]
fn chinese_values_stand_close_to_chinese_words() {
    let say = |a: &str, b: &str| fill("采用 {a} 与 {b}，{a} 不支持 {b}。", &[("a", &a), ("b", &b)]);
    assert_eq!(say("环（ring）", "树"), "采用环（ring）与树，环（ring）不支持树。");
    assert_eq!(say("Bruck", "AllToAll"), "采用 Bruck 与 AllToAll，Bruck 不支持 AllToAll。");
    assert_eq!(say("树", "4"), "采用树与 4，树不支持 4。");
    assert_eq!(fill("{a} {b}", &[("a", &"环"), ("b", &"树")]), "环树");
    assert_eq!(fill("of {a} only", &[("a", &"“环”")]), "of “环” only");
}
