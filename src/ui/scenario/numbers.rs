//! Numbers and sizes as people write them.

use super::notice::{Notice, short};
use super::*;

/// Longest row of numbers that is read, in bytes.
pub(super) const MAX_ROW: usize = 8192;

/// Reads the numbers typed for `rank`, separated by commas or spaces: as many as it holds, each one
/// a value of the type.
pub fn parse_numbers(s: &Scenario, rank: Rank, text: &str) -> Result<Vec<f64>, Notice> {
    if text.len() > MAX_ROW {
        return Err(Notice::TooLong { field: "data", found: text.len(), most: MAX_ROW });
    }
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、'));
    let words = words.filter(|word| !word.is_empty());
    let numbers =
        words.map(|word| parse_number(s.dtype, rank, word)).collect::<Result<Vec<_>, _>>()?;
    let expected = s.held(rank).len();
    if numbers.len() != expected {
        return Err(Notice::WrongCount { rank, found: numbers.len(), expected });
    }
    Ok(numbers)
}

fn parse_number(dtype: Dtype, rank: Rank, word: &str) -> Result<f64, Notice> {
    // The page itself writes the typographic minus.
    let Ok(number) = word.replace('−', "-").parse::<f64>() else {
        return Err(Notice::NotANumber { rank, value: short(word) });
    };
    let mantissa = word.split(['e', 'E']).next().unwrap_or_default();
    let vanished = mantissa.bytes().any(|b| matches!(b, b'1'..=b'9')) && number as f32 == 0.0;
    let fits = match dtype {
        Dtype::F32 => (number as f32).is_finite() && !vanished,
        Dtype::I32 => f64::from(number as i32) == number && !vanished,
    };
    if fits {
        return Ok(number);
    }
    let nearest = (!number.is_nan()).then(|| number_text(nearest(dtype, number)));
    Err(Notice::NotInType { rank, value: short(word), dtype, nearest })
}

/// The number nearest to `number` that `dtype` holds; halves go away from zero.
pub(super) fn nearest(dtype: Dtype, number: f64) -> f64 {
    match dtype {
        Dtype::F32 => f64::from(number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32),
        Dtype::I32 => f64::from(number.round() as i32),
    }
}

/// A number as short as it can be read back exactly, in digits unless those are many.
pub(super) fn number_text(number: f64) -> String {
    const DIGITS: usize = 12;
    let (plain, scientific) = (number.to_string(), format!("{number:e}"));
    if plain.len() <= DIGITS || plain.len() <= scientific.len() { plain } else { scientific }
}

/// `4096`, `64KiB`, `16 MiB`, `1GiB` in bytes; `None` if it is not a size, saturating if it is
/// huge.
pub(super) fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    if number.is_empty() {
        return None;
    }
    let scale = match unit.trim() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1u64 << 30,
        _ => return None,
    };
    Some(number.parse::<u64>().map_or(u64::MAX, |n| n.saturating_mul(scale)))
}

/// `64KiB` where it is a whole number of them, else plain bytes: what [`parse_size`] reads.
pub(super) fn size_text(bytes: u64) -> String {
    for (scale, unit) in [(1 << 20, "MiB"), (1 << 10, "KiB")] {
        if bytes >= scale && bytes.is_multiple_of(scale) {
            return format!("{}{unit}", bytes / scale);
        }
    }
    bytes.to_string()
}

/// `2x4` as extents, if it has at most [`MAX_DIMS`] dimensions and 1 to [`MAX_NUMBERS`] elements.
pub(super) fn parse_shape(text: &str) -> Option<Vec<usize>> {
    let extents = text.split(['x', 'X', '×']).map(|extent| extent.trim().parse().ok());
    let shape = extents.collect::<Option<Vec<usize>>>()?;
    let tensor = Tensor { shape, dim: 0 };
    let fits = tensor.elements().is_some_and(|elements| (1..=MAX_NUMBERS).contains(&elements));
    (fits && tensor.shape.len() <= MAX_DIMS).then_some(tensor.shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_as_they_are_written() {
        for number in [0.0, -3.0, 0.1, 1000.0, 16_777_217.0, 1e38, 1e-40, f64::from(f32::MAX)] {
            let text = number_text(number);
            assert_eq!(text.parse(), Ok(number));
            assert!(text.len() <= 24, "{text}");
        }
        assert_eq!(number_text(1000.0), "1000");
        assert_eq!(number_text(1e38), "1e38");
    }

    #[test]
    fn sizes_read_back_as_they_are_written() {
        for bytes in [4, 1000, 1024, 65_536, 1 << 20, 64 << 20] {
            assert_eq!(parse_size(&size_text(bytes)), Some(bytes));
        }
        for text in ["", "KiB", "1e400", "-4", "4 kb", "4.5MiB", "四"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
        assert_eq!(parse_size("99999999999999999999GiB"), Some(u64::MAX));
    }

    #[test]
    fn the_nearest_number_of_a_type() {
        assert_eq!(nearest(Dtype::I32, 2.5), 3.0);
        assert_eq!(nearest(Dtype::I32, 3e9), f64::from(i32::MAX));
        assert_eq!(nearest(Dtype::F32, f64::NEG_INFINITY), f64::from(f32::MIN));
    }
}
