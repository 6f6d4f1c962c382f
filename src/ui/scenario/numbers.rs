//! Numbers and sizes as people write them.

use super::notice::{Notice, short};
use super::*;
use crate::engine::reduce::plain;

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
    if dtype.format().is_some() && word.eq_ignore_ascii_case("nan") {
        return Ok(f64::NAN);
    }
    // The page itself writes the typographic minus.
    let Some(number) = decimal(&word.replace('−', "-")) else {
        return Err(Notice::NotANumber { rank, value: short(word) });
    };
    // What is too small even for an f64 has been read as 0.
    let mantissa = word.split(['e', 'E']).next().unwrap_or_default();
    let vanished = number == 0.0 && mantissa.bytes().any(|b| matches!(b, b'1'..=b'9'));
    let nearest = nearest(dtype, number);
    if nearest == number && !vanished {
        return Ok(number);
    }
    Err(Notice::NotInType { rank, value: short(word), dtype, nearest: number_text(nearest) })
}

/// The number nearest to a decimal: digits with a sign, a point and an exponent where needed.
fn decimal(word: &str) -> Option<f64> {
    let part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let whole = !word.is_empty() && word.chars().all(part);
    // The browser reads decimals as Rust does, without Rust's table of powers of five.
    #[cfg(target_arch = "wasm32")]
    let number = wasm_bindgen::JsValue::from_str(word).unchecked_into_f64();
    #[cfg(not(target_arch = "wasm32"))]
    let number: f64 = word.parse().unwrap_or(f64::NAN);
    (whole && !number.is_nan()).then_some(number)
}

/// Whether two numbers are the same to a reader: all NaNs are.
pub(super) fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// The number nearest to `number` that can be typed for `dtype`: a whole one for an integer type,
/// halves going away from zero; for a float type any number that is not rounded to an infinity, or
/// to 0 without being 0.
pub(super) fn nearest(dtype: Dtype, number: f64) -> f64 {
    let (least, most) = typed_range(dtype);
    let inside = number.clamp(least, most);
    match dtype.format().map(|format| plain::nearest(format, number)) {
        // Integers have one zero, and nothing else that is near to NaN.
        None if number.is_nan() => 0.0,
        None => inside.round() + 0.0,
        Some(held) if held.is_infinite() => inside,
        Some(0.0) => 0.0,
        Some(_) => number,
    }
}

/// The least and the largest number that can be typed for a type: those of the type, of `i64` only
/// those that a decimal number in a browser means exactly.
pub fn typed_range(dtype: Dtype) -> (f64, f64) {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    match (dtype.range(), dtype.format()) {
        (Some((least, most)), _) => ((least as f64).max(-SAFE), (most as f64).min(SAFE)),
        (_, format) => format.map_or((0.0, 0.0), |format| (-format.max, format.max)),
    }
}

/// A number as short as it can be read back exactly, in digits unless those are many.
pub fn number_text(number: f64) -> String {
    const DIGITS: usize = 12;
    let (plain, scientific) = (number.to_string(), format!("{number:e}"));
    if plain.len() <= DIGITS || plain.len() <= scientific.len() { plain } else { scientific }
}

/// `4096`, `64KiB`, `16 MiB`, `1gib`, `64MB` in bytes, where the units without an i are powers of
/// 1000; `None` if it is not a size, saturating if it is huge.
pub(super) fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    if number.is_empty() {
        return None;
    }
    let scale = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1u64 << 40,
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
        for text in ["", "KiB", "1e400", "-4", "4K", "4iB", "4 kbit", "4.5MiB", "四"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
        let units = ["B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"];
        let scales = [1, 1000, 1000u64.pow(2), 1000u64.pow(3), 1000u64.pow(4)];
        let scales = scales.into_iter().chain((1..=4).map(|power| 1024u64.pow(power)));
        for (unit, scale) in units.into_iter().zip(scales) {
            for unit in [unit.to_string(), unit.to_uppercase(), unit.to_lowercase()] {
                assert_eq!(parse_size(&format!("3 {unit}")), Some(3 * scale), "{unit}");
            }
        }
        for text in ["99999999999999999999GiB", "99999999999TiB"] {
            assert_eq!(parse_size(text), Some(u64::MAX));
        }
    }

    #[test]
    fn the_nearest_number_of_a_type() {
        assert_eq!(nearest(Dtype::I32, 2.5), 3.0);
        assert_eq!(nearest(Dtype::I32, 3e9), f64::from(i32::MAX));
        assert_eq!(nearest(Dtype::F32, f64::NEG_INFINITY), f64::from(f32::MIN));
        assert_eq!(nearest(Dtype::U8, -3.0), 0.0);
        assert_eq!(nearest(Dtype::I64, 1e30), 9_007_199_254_740_991.0);
        // Float types hold what they can of a number: only their ranges limit what is typed.
        assert_eq!(nearest(Dtype::Bf16, 0.1), 0.1);
        assert_eq!(nearest(Dtype::F16, 65519.0), 65519.0);
        assert_eq!(nearest(Dtype::F16, 65520.0), 65504.0);
        assert_eq!(nearest(Dtype::E4m3, -500.0), -448.0);
        assert_eq!(nearest(Dtype::E4m3, 0.0009), 0.0);
        assert_eq!(nearest(Dtype::F64, 1e-320), 1e-320);
    }
}
