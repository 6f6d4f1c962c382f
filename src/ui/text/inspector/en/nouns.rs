//! Nouns and numbers of the English sentences.

use crate::engine::collective::Verb;
use crate::engine::reduce::ReduceOp;
use crate::ui::text::inspector::scene::{Count, Frame};

/// Whether chunks that are handed out are results of a reduction.
pub(super) fn reduced(frame: &Frame) -> bool {
    frame.collective.verb == Verb::AllReduce
}

/// `a partial sum`, `two partial sums`: a mean is divided last.
pub(super) fn partial(op: ReduceOp, number: usize) -> String {
    let op = if let ReduceOp::Mean(_) = op { ReduceOp::Sum } else { op };
    match number {
        1 => format!("a partial {}", finished(op, false)),
        many => format!("{} partial {}", word(many), finished(op, true)),
    }
}

pub(super) fn finished(op: ReduceOp, many: bool) -> &'static str {
    match (op, many) {
        (ReduceOp::Sum, false) => "sum",
        (ReduceOp::Sum, true) => "sums",
        (ReduceOp::Max, false) => "maximum",
        (ReduceOp::Max, true) => "maxima",
        (ReduceOp::Min, false) => "minimum",
        (ReduceOp::Min, true) => "minima",
        (ReduceOp::Product, false) => "product",
        (ReduceOp::Product, true) => "products",
        (ReduceOp::Mean(_), false) => "mean",
        (ReduceOp::Mean(_), true) => "means",
    }
}

/// Where a message comes from that goes `distance` ranks on, the short way round.
pub(super) fn origin(ranks: usize, distance: usize) -> String {
    let (side, distance) = match 2 * distance <= ranks {
        true => ("left", distance),
        false => ("right", ranks - distance),
    };
    match (ranks, distance) {
        (2, _) => "the other".into(),
        (_, 1) => format!("its {side}"),
        (_, d) => format!("the rank {} to its {side}", word(d)),
    }
}

/// Where a message goes that goes `distance` ranks on, the short way round.
pub(super) fn aim(ranks: usize, distance: usize) -> String {
    match (ranks, distance) {
        (2, _) => "the other".into(),
        (_, 1) => "the next".into(),
        (n, d) if 2 * d <= n => format!("the rank {} further on", word(d)),
        (n, d) if n - d == 1 => "the one before it".into(),
        (n, d) => format!("the rank {} further back", word(n - d)),
    }
}

/// `three of four chunks`, `all four chunks`, `two or three of four chunks`.
pub(super) fn count(Count { least, most, of }: Count, noun: &str) -> String {
    let of_all = plural(of, noun);
    match (least, most) {
        _ if least == of => format!("{} {noun}{}", every(of), if of == 1 { "" } else { "s" }),
        (0, 0) => format!("none of {of_all}"),
        _ if least == most => format!("{} of {of_all}", word(most)),
        _ if least + 1 == most => format!("{} or {} of {of_all}", word(least), word(most)),
        _ => format!("{} to {} of {of_all}", word(least), word(most)),
    }
}

/// `both`, `all four`; `the only` one.
pub(super) fn every(of: usize) -> String {
    match of {
        1 => "the only".into(),
        2 => "both".into(),
        n => format!("all {}", word(n)),
    }
}

pub(super) fn plural(number: usize, noun: &str) -> String {
    count_noun(number, noun, &format!("{noun}s"))
}

pub(super) fn count_noun(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", word(number), if number == 1 { one } else { many })
}

/// Numbers up to twelve as words.
pub(super) fn word(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| word.to_string())
}

pub(super) fn capital(text: &str) -> String {
    let mut text = text.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

pub(super) fn lower(text: &str) -> String {
    let mut text = text.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    text
}

pub(super) fn join(text: &mut String, sentence: &str) {
    if !text.is_empty() && !sentence.is_empty() {
        text.push(' ');
    }
    text.push_str(sentence);
}
