//! Numbers as people read them: bytes, times, rates, element values, and the names of chunks.
//!
//! None of it depends on the language. Every number and its unit are joined by a no-break space.

use crate::engine::Label;
use crate::engine::collective::{Collective, Verb};
use crate::engine::reduce::plain::Number;

/// Floats from here on are written with an exponent.
const WHOLE: f64 = 1e10;
/// A no-break space: a number and its unit stay on one line.
const GAP: char = '\u{a0}';
/// Most significant digits of an element of at most 32 bits that is not a whole number: enough to
/// see what a small float makes of one.
const DIGITS: i32 = 8;

/// An amount of memory in bytes, KiB, MiB or GiB, to three digits: `16 B`, `1.5 KiB`, `64 MiB`.
pub fn bytes(amount: u64) -> String {
    if amount < 1024 {
        return format!("{amount}{GAP}B");
    }
    let mut value = rounded(amount as f64 / 1024.0, 4);
    let mut units = ["KiB", "MiB", "GiB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    for larger in units {
        if value >= 1024.0 {
            value /= 1024.0;
            unit = larger;
        }
    }
    format!("{}{GAP}{unit}", decimal(value, if value < 1000.0 { 3 } else { 4 }))
}

/// A time in microseconds, shown in ns, µs, ms or s, to three digits: `118 µs`, `2.9 ms`.
pub fn time_us(time: f64) -> String {
    if time <= 0.0 || !time.is_finite() {
        return format!("{}{GAP}µs", real(time));
    }
    // Rounding comes first, so that 999.7 µs is 1 ms and never 1000 µs.
    let time = rounded(time, 3);
    let (value, unit) = match time {
        t if t < 1.0 => (t * 1e3, "ns"),
        t if t < 1e3 => (t, "µs"),
        t if t < 1e6 => (t / 1e3, "ms"),
        t => (t / 1e6, "s"),
    };
    format!("{}{GAP}{unit}", decimal(value, 3))
}

/// A throughput of `bytes_per_us` to three digits, in GB/s, MB/s or kB/s (powers of 1000).
pub fn rate(bytes_per_us: f64) -> String {
    if !bytes_per_us.is_finite() {
        return format!("{}{GAP}GB/s", real(bytes_per_us));
    }
    let (value, unit) = match bytes_per_us.abs() {
        rate if rate >= 100.0 || rate == 0.0 => (bytes_per_us / 1000.0, "GB/s"),
        rate if rate >= 0.1 => (bytes_per_us, "MB/s"),
        _ => (bytes_per_us * 1000.0, "kB/s"),
    };
    format!("{}{GAP}{unit}", decimal(value, 3))
}

/// An element's value: whole numbers exactly and without a point, others as the shortest decimal
/// that means the same f64, or the same f32 and of at most eight digits; very large and very small
/// ones as `1.5e-9`.
pub fn number(value: Number) -> String {
    match value {
        Number::Int(value) => value.to_string(),
        Number::Single(value) => single(value.into(), DIGITS),
        Number::Double(value) => real(value),
    }
}

/// An element's value in as many digits as tell it from all others of its type.
pub fn exact(value: Number) -> String {
    match value {
        Number::Single(value) => single(value.into(), DIGITS + 1),
        other => number(other),
    }
}

fn real(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.into();
    }
    match value.abs() {
        size if size == 0.0 || (1e-4..WHOLE).contains(&size) => format!("{value}"),
        _ => format!("{value:e}"),
    }
}

/// The shortest decimal that means the same f32, of at most so many digits.
fn single(value: f64, most: i32) -> String {
    let size = value.abs();
    if !value.is_finite() || value == value.trunc() && size < WHOLE {
        return real(value);
    }
    let exponent = if (1e-4..WHOLE).contains(&size) { 0 } else { magnitude(value) };
    let scale = 10f64.powi(exponent);
    let spelled = |digits| rounded(value / scale, digits);
    let same = |&digits: &i32| (spelled(digits) * scale) as f32 == value as f32;
    let shortest = spelled((1..most).find(same).unwrap_or(most));
    if exponent == 0 { format!("{shortest}") } else { format!("{shortest}e{exponent}") }
}

/// The name of the chunk with this label: `c3`; for AllToAll source and destination, `0→2`, with
/// the piece behind a point when blocks are cut, `0→2.1`. A barrier's only chunk is its `token`. A
/// segment has its number behind another point: `c3.2`.
pub fn chunk_name(collective: &Collective, label: Label) -> String {
    match collective.segments {
        1 => whole_name(collective, label),
        segments => format!("{}.{}", whole_name(collective, label / segments), label % segments),
    }
}

/// The name of a whole chunk, the `chunk`-th.
fn whole_name(collective: &Collective, chunk: usize) -> String {
    let chunks = collective.chunks() / collective.segments;
    match collective.verb {
        Verb::Barrier => "token".into(),
        Verb::AllToAll => {
            let pieces = collective.pieces / collective.segments;
            let (source, place) = (chunk / chunks, chunk % chunks);
            let (to, piece) = (place / pieces, place % pieces);
            match pieces {
                1 => format!("{source}→{to}"),
                _ => format!("{source}→{to}.{piece}"),
            }
        }
        _ => format!("c{chunk}"),
    }
}

/// The names of several chunks, runs drawn together: `c2`, `c2–c5`, `c6–c7, c0`. All segments of a
/// chunk are the chunk.
pub fn chunk_names(collective: &Collective, labels: &[Label]) -> String {
    let mut runs: Vec<(Label, Label)> = Vec::new();
    for &label in labels {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == label => *last = label,
            _ => runs.push((label, label)),
        }
    }
    let segments = collective.segments;
    let run = |(first, last): (Label, Label)| {
        let [from, to] = match first % segments == 0 && (last + 1) % segments == 0 {
            true => [first, last].map(|label| whole_name(collective, label / segments)),
            false => [first, last].map(|label| chunk_name(collective, label)),
        };
        if from == to { from } else { format!("{from}–{to}") }
    };
    runs.into_iter().map(run).collect::<Vec<_>>().join(", ")
}

/// `value` to so many significant digits.
fn rounded(value: f64, digits: i32) -> f64 {
    let decimals = digits - 1 - magnitude(value);
    // Powers of ten are exact as whole numbers, so that the result is spelled in so many digits.
    let scale = 10f64.powi(decimals.abs());
    if decimals < 0 { (value / scale).round() * scale } else { (value * scale).round() / scale }
}

/// The exponent of `value` in scientific notation.
pub(crate) fn magnitude(value: f64) -> i32 {
    if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 }
}

/// `value` to so many significant digits, without needless zeros and without an exponent.
fn decimal(value: f64, digits: i32) -> String {
    format!("{}", rounded(value, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: String) -> String {
        text.replace(GAP, " ")
    }

    #[test]
    fn amounts_of_memory() {
        for (amount, text) in [
            (0, "0 B"),
            (16, "16 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1536, "1.5 KiB"),
            (65536, "64 KiB"),
            ((1 << 20) - 1, "1 MiB"),
            (1000 << 10, "1000 KiB"),
            (1023 << 10, "1023 KiB"),
            (96 << 20, "96 MiB"),
            (3 << 30, "3 GiB"),
        ] {
            assert_eq!(plain(bytes(amount)), text);
        }
    }

    #[test]
    fn times_round_before_they_choose_a_unit() {
        for (time, text) in [
            (0.0, "0 µs"),
            (0.0214, "21.4 ns"),
            (3.4, "3.4 µs"),
            (117.96, "118 µs"),
            (999.7, "1 ms"),
            (2904.0, "2.9 ms"),
            (1.5e6, "1.5 s"),
        ] {
            assert_eq!(plain(time_us(time)), text);
        }
    }

    #[test]
    fn throughput_is_in_billions_of_bytes() {
        assert_eq!(plain(rate(370_800.0)), "371 GB/s");
        assert_eq!(plain(rate(0.2034)), "0.203 MB/s");
        assert_eq!(plain(rate(0.0)), "0 GB/s");
        assert_eq!(plain(rate(0.00101)), "1.01 kB/s");
        assert_eq!(plain(rate(f64::INFINITY)), "∞ GB/s");
    }

    #[test]
    fn element_values() {
        for (value, text) in [
            (6.0, "6"),
            (-3.0, "-3"),
            (0.1, "0.1"),
            (0.1 + 0.2, "0.3"),
            (2.75, "2.75"),
            (1.0 / 3.0, "0.33333334"),
            // What bf16 holds of 0.1, and binary16 of a mean of ones.
            (0.100_097_656, "0.10009766"),
            (0.999_511_7, "0.9995117"),
            (16_777_216.0, "16777216"),
            (1e20, "1e20"),
            (1.5e-9, "1.5e-9"),
            (-1.23e-39, "-1.23e-39"),
            (f32::MIN_POSITIVE, "1.1754944e-38"),
            (f32::MAX, "3.4028235e38"),
            (0.0, "0"),
            (f32::NAN, "NaN"),
            (f32::NEG_INFINITY, "-∞"),
        ] {
            assert_eq!(number(Number::Single(value)), text);
        }
        assert_eq!(number(Number::Int(i64::MIN)), "-9223372036854775808");
        assert_eq!(number(Number::Double(0.1 + 0.2)), "0.30000000000000004");
        assert_eq!(number(Number::Double(1.0 / 3.0)), "0.3333333333333333");
        assert_eq!(number(Number::Double(5e-324)), "5e-324");
    }

    #[test]
    fn element_values_are_spelled_as_short_as_they_can_be() {
        for (digits, exponent) in (1..3000).map(|i| (i * 37 % 9973, i % 76 - 43)) {
            let value: f32 = format!("{digits}e{exponent}").parse().expect("a number");
            let text = number(Number::Single(value));
            let shortest = match value {
                1e-4..1e10 if value.fract() == 0.0 => format!("{}", f64::from(value)),
                1e-4..1e10 => format!("{value}"),
                _ => format!("{value:e}"),
            };
            assert_eq!(text, shortest);
        }
    }

    #[test]
    fn chunks_have_names() {
        let plain = Collective::new(Verb::AllReduce, 4, 0, 4, 1);
        assert_eq!(chunk_names(&plain, &[2]), "c2");
        assert_eq!(chunk_names(&plain, &[2, 3, 0]), "c2–c3, c0");
        let whole = Collective::new(Verb::AllToAll, 4, 0, 4, 1);
        assert_eq!(chunk_name(&whole, 6), "1→2");
        let cut = Collective::new(Verb::AllToAll, 4, 0, 4, 2);
        assert_eq!(chunk_name(&cut, 13), "1→2.1");
    }

    #[test]
    fn segments_have_names() {
        let plain = Collective::new(Verb::AllReduce, 4, 0, 4, 1).cut(3);
        assert_eq!(chunk_names(&plain, &[2]), "c0.2");
        assert_eq!(chunk_names(&plain, &[2, 3]), "c0.2–c1.0");
        assert_eq!(chunk_names(&plain, &[3, 4, 5]), "c1");
        assert_eq!(chunk_names(&plain, &[0, 1, 2, 3, 4, 5, 7]), "c0–c1, c2.1");
        let exchange = Collective::new(Verb::AllToAll, 4, 0, 4, 1).cut(2);
        assert_eq!(chunk_name(&exchange, 13), "1→2.1");
        let cut = Collective::new(Verb::AllToAll, 4, 0, 4, 2).cut(2);
        assert_eq!(chunk_name(&cut, 27), "1→2.1.1");
    }
}
