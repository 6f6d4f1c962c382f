//! Numbers as people read them: bytes, times, rates, element values, and the names of chunks.
//!
//! None of it depends on the language. Every number and its unit are joined by a no-break space.

use crate::engine::Label;
use crate::engine::collective::{Collective, Verb};

/// A no-break space: a number and its unit stay on one line.
const GAP: char = '\u{a0}';
/// Most significant digits of an element that is not a whole number: what an f32 can tell apart.
const DIGITS: i32 = 7;

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
        return format!("{}{GAP}µs", number(time));
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
        return format!("{}{GAP}GB/s", number(bytes_per_us));
    }
    let (value, unit) = match bytes_per_us.abs() {
        rate if rate >= 100.0 || rate == 0.0 => (bytes_per_us / 1000.0, "GB/s"),
        rate if rate >= 0.1 => (bytes_per_us, "MB/s"),
        _ => (bytes_per_us * 1000.0, "kB/s"),
    };
    format!("{}{GAP}{unit}", decimal(value, 3))
}

/// An element's value: whole numbers exactly and without a point, others as the shortest decimal
/// that means the same f32, of at most seven digits; very large and very small ones as `1.5e-9`.
pub fn number(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.into();
    }
    let size = value.abs();
    if value == value.trunc() && size < 1e10 {
        return format!("{value}");
    }
    // Of two spellings of the same f32 the shorter is kept; rounding may leave one that is near.
    let shortest: f64 = format!("{}", value as f32).parse().unwrap_or(value);
    let value = rounded(shortest, DIGITS);
    match value.abs() {
        size if (1e-4..1e10).contains(&size) => format!("{value}"),
        _ => format!("{value:e}"),
    }
}

/// The name of the chunk with this label: `c3`; for AllToAll source and destination, `0→2`, with
/// the piece behind a point when blocks are cut, `0→2.1`. A barrier's only chunk is its `token`.
pub fn chunk_name(collective: &Collective, label: Label) -> String {
    match collective.verb {
        Verb::Barrier => "token".into(),
        Verb::AllToAll => {
            let (source, place) = (label / collective.chunks(), collective.place(label));
            let (to, piece) = (place / collective.pieces, place % collective.pieces);
            match collective.pieces {
                1 => format!("{source}→{to}"),
                _ => format!("{source}→{to}.{piece}"),
            }
        }
        _ => format!("c{label}"),
    }
}

/// The names of several chunks, runs drawn together: `c2`, `c2–c5`, `c6–c7, c0`.
pub fn chunk_names(collective: &Collective, labels: &[Label]) -> String {
    let mut runs: Vec<(Label, Label)> = Vec::new();
    for &label in labels {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == label => *last = label,
            _ => runs.push((label, label)),
        }
    }
    let run = |(first, last): (Label, Label)| match first == last {
        true => chunk_name(collective, first),
        false => format!("{}–{}", chunk_name(collective, first), chunk_name(collective, last)),
    };
    runs.into_iter().map(run).collect::<Vec<_>>().join(", ")
}

/// `value` to so many significant digits.
fn rounded(value: f64, digits: i32) -> f64 {
    let spelled = format!("{value:.*e}", digits.max(1) as usize - 1);
    spelled.parse().unwrap_or(value)
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
        assert_eq!(plain(rate(0.00101)), "1.01 kB/s");
        assert_eq!(plain(rate(f64::INFINITY)), "∞ GB/s");
    }

    #[test]
    fn element_values() {
        let third = f64::from(1.0f32 / 3.0);
        for (value, text) in [
            (6.0, "6"),
            (-3.0, "-3"),
            (f64::from(0.1f32), "0.1"),
            (f64::from(0.1f32 + 0.2f32), "0.3"),
            (2.75, "2.75"),
            (third, "0.3333333"),
            (2147483647.0, "2147483647"),
            (f64::from(1e20f32), "1e20"),
            (f64::from(1.5e-9f32), "1.5e-9"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-∞"),
        ] {
            assert_eq!(number(value), text);
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
}
