//! What can be wrong with a field, and what is done about it.

use crate::engine::Rank;
use crate::engine::algorithm::Refusal;
use crate::engine::collective::Verb;
use crate::engine::reduce::{Dtype, ReduceOp};

/// A field of the scenario, by its name in the URL.
pub type Field = &'static str;

/// Something the reader should know about what they typed, opened or posted. Each says which value,
/// which rule, and what is used instead; the page words it in the reader's language. Values are cut
/// to a length that fits into a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// What a part of the app says, in the language it was asked in.
    Said(String),
    /// The page does not exist; the default one is shown.
    UnknownPage {
        /// The name asked for.
        name: String,
    },
    /// The field does not exist; it is ignored.
    UnknownField {
        /// The first of them.
        name: String,
        /// How many more there were.
        more: usize,
    },
    /// The field was given more than once; the first is used.
    Twice {
        /// Which field.
        field: Field,
    },
    /// Two fields exclude each other; one of them is ignored.
    Conflict {
        /// The one that is ignored.
        field: Field,
        /// The one that is used.
        with: Field,
    },
    /// Not a whole number.
    NotWhole {
        /// Which field.
        field: Field,
        /// What was given.
        value: String,
        /// The value it keeps.
        used: u64,
    },
    /// A number outside its range.
    OutOfRange {
        /// Which field.
        field: Field,
        /// What was given.
        value: String,
        /// The least value.
        least: u64,
        /// The largest value.
        most: u64,
        /// The value it has now.
        used: u64,
    },
    /// None of the words allowed here.
    NotOneOf {
        /// Which field.
        field: Field,
        /// What was given.
        value: String,
        /// The words.
        allowed: Vec<&'static str>,
        /// The one it has now.
        used: &'static str,
    },
    /// The combination cannot be had.
    Refused {
        /// Why not.
        refusal: Refusal,
        /// What the refused field has now: an algorithm, a number of ranks, `in` or `out`.
        used: String,
    },
    /// A root for a verb that has none; it is ignored.
    NoRoot {
        /// The verb.
        verb: Verb,
        /// What was given.
        value: String,
    },
    /// A mean that scales first is not defined for integers.
    MeanOfIntegers {
        /// The operator that is used.
        used: &'static str,
    },
    /// Accumulating in `f32` makes no difference to this operator on this type.
    NothingToRound {
        /// The operator.
        op: ReduceOp,
        /// The type.
        dtype: Dtype,
    },
    /// Sums cannot stay with their owners, because the schedule sends partial ones about.
    SumsTravel {
        /// Where sums are rounded instead.
        used: &'static str,
    },
    /// An element that is not a number; the row stays as it was.
    NotANumber {
        /// Whose row.
        rank: Rank,
        /// What was given.
        value: String,
    },
    /// An element that the type cannot hold; the row stays as it was.
    NotInType {
        /// Whose row.
        rank: Rank,
        /// What was given.
        value: String,
        /// The type.
        dtype: Dtype,
        /// The nearest number that the type holds.
        nearest: String,
    },
    /// Numbers that a new type cannot hold, which were rounded to the nearest that it can.
    Rounded {
        /// Whose row the first of them is in.
        rank: Rank,
        /// The first of them.
        value: String,
        /// What it has become.
        used: String,
        /// The new type.
        dtype: Dtype,
        /// How many more there were.
        more: usize,
    },
    /// A rank was given too many or too few numbers; the row stays as it was.
    WrongCount {
        /// Whose row.
        rank: Rank,
        /// How many numbers were given.
        found: usize,
        /// How many the rank holds.
        expected: usize,
    },
    /// Rows for more ranks than there are; the last ones are ignored.
    TooManyRows {
        /// How many rows were given.
        found: usize,
        /// How many ranks there are.
        most: usize,
    },
    /// A longer text than is read; all of it is ignored.
    TooLong {
        /// Which field, or `link` for the whole fragment.
        field: Field,
        /// Its length in bytes.
        found: usize,
        /// The largest length.
        most: usize,
    },
    /// Not a size in bytes.
    NotASize {
        /// What was given.
        value: String,
    },
    /// A size that is no whole number of elements.
    NotWholeElements {
        /// What was given.
        value: String,
        /// Bytes of one element.
        element: u64,
        /// The size it has now, in bytes.
        used: u64,
    },
    /// Not a shape, or one with too many dimensions or elements.
    BadShape {
        /// What was given.
        value: String,
        /// The number of elements, which stays.
        elements: usize,
    },
    /// Not a first and a last step, counted from 1; it is ignored.
    BadLoop {
        /// What was given.
        value: String,
        /// The number of steps there are.
        steps: usize,
    },
}

/// A value that fits into a sentence: not too long, and without characters that would hide, reorder
/// or break the text round them.
pub(in crate::ui) fn short(value: &str) -> String {
    const MOST: usize = 40;
    let mut chars = value.chars().map(|c| if unprintable(c) { '\u{fffd}' } else { c });
    let mut text: String = chars.by_ref().take(MOST).collect();
    if chars.next().is_some() {
        text.push('…');
    }
    text
}

/// Controls, and Unicode's invisible characters and marks for the direction of text.
fn unprintable(c: char) -> bool {
    let direction = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}');
    let invisible = matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}');
    c.is_control() || direction || invisible
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn values_fit_into_a_sentence() {
        assert_eq!(short("4096"), "4096");
        assert_eq!(short("a\0b\u{202e}c\nd"), "a\u{fffd}b\u{fffd}c\u{fffd}d");
        assert_eq!(short(&"🦀".repeat(200_000)).chars().count(), 41);
    }
}
