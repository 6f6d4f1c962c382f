//! Whatever a link says or a hand types: a sentence names the value and the rule, the rest of the
//! scenario is kept, and what is left can run.
#![cfg(not(target_arch = "wasm32"))]

mod data;
mod edits;
mod links;
mod properties;
mod tensors;

use ringscope::engine::algorithm::{Refusal, Rule};
use ringscope::ui::scenario::{Notice, Page, Scenario, parse};
use ringscope::ui::text::{Lang, notices};

/// Why one rank cannot send to another.
fn needs_two() -> Refusal {
    Refusal::Unmet { algorithm: "pair", rule: Rule::TwoRanks, ranks: 1, per_node: 1 }
}

/// The sentences of a notice; both must contain every one of `parts`.
fn assert_says(notice: &Notice, parts: &[&str]) {
    for lang in Lang::ALL {
        let text = notices::notice(lang, notice);
        for part in parts {
            assert!(text.contains(part), "{text:?} does not say {part:?}");
        }
        assert_eq!(unfilled(&text), None, "{text:?}");
        assert!(!text.chars().any(char::is_control), "{text:?} has controls");
        let han = text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        assert!(han || lang == Lang::En, "{text:?} is not Chinese");
    }
    assert_ne!(notices::notice(Lang::En, notice), notices::notice(Lang::Zh, notice));
}

/// A placeholder such as `{value}` that was left in a sentence. What the reader wrote may look like
/// one: it stands in quotes, and what is not plain ASCII is isolated inside them.
fn unfilled(text: &str) -> Option<String> {
    let own = without(&without(text, '\u{2068}', '\u{2069}'), '“', '”');
    let mut names = own.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    let found = names.find(|name| {
        !name.is_empty() && name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'|' | b'_'))
    });
    found.map(str::to_string)
}

/// `text` without what stands between `open` and `close`.
fn without(text: &str, open: char, close: char) -> String {
    let mut parts = text.split(open);
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |all, part| all + part.split_once(close).map_or(part, |(_, after)| after))
}

#[test]
fn a_sentence_is_filled_whatever_the_reader_wrote() {
    assert_eq!(unfilled("There is no page “{y}”; {verb} is shown.").as_deref(), Some("verb"));
    assert_eq!(unfilled("“{y}”“\u{2068}”{n}“\u{2069}”"), None);
    for text in ["{y}", "{value}", "}{steps|is|are}", "“{n}", "”{n}“", "\u{b0b}{y}"] {
        let (_, _, found) = parse(&format!("/{text}?n={text}&{text}=1"));
        assert!(!found.is_empty(), "{text}");
        found.iter().for_each(|notice| assert_says(notice, &[]));
    }
}

/// Opens `fragment`: it must be read as `expected` (a valid fragment), with exactly these notices,
/// of which the first says `parts`.
fn opens(fragment: &str, expected: &str, expected_notices: &[Notice], parts: &[&str]) {
    let (_, scenario, found) = parse(fragment);
    assert_eq!(scenario.fragment(), expected, "opened {:.80}", fragment);
    assert_eq!(found, expected_notices, "opened {:.80}", fragment);
    found.first().inspect(|notice| assert_says(notice, parts));
    found.iter().for_each(|notice| assert_says(notice, &[]));
    assert!(scenario.prepare().is_ok(), "{expected} cannot run");
    // What was opened is what its own link opens, now without notices.
    assert_eq!(parse(expected), (Page::Player, scenario, Vec::new()));
}

fn out_of_range(field: &'static str, value: &str, range: [u64; 2], used: u64) -> Notice {
    let [least, most] = range;
    Notice::OutOfRange { field, value: value.into(), least, most, used }
}

fn not_whole(field: &'static str, value: &str, used: u64) -> Notice {
    Notice::NotWhole { field, value: value.into(), used }
}

#[test]
fn the_first_visit() {
    let first = Scenario::default();
    assert_eq!(first.fragment(), "/allreduce");
    assert_eq!(parse("/allreduce"), (Page::Player, first.clone(), Vec::new()));
    assert_eq!((first.ranks, first.algorithm, first.elements()), (4, "ring", 4));
}
