//! The line through measurements: a start-up time α, and a time β for every byte.

use std::ops::RangeInclusive;

/// `t = α + β S`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// α, in microseconds.
    pub alpha_us: f64,
    /// β, in microseconds per byte.
    pub us_per_byte: f64,
}

impl Fit {
    /// The line with the least squares of relative errors through points of bytes and microseconds;
    /// neither part is negative. `None` of less than two sizes.
    pub fn of(points: &[(f64, f64)]) -> Option<Fit> {
        let mut sizes: Vec<f64> = points.iter().map(|point| point.0).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        if sizes.len() < 2 {
            return None;
        }
        // Of (α + β S) / t - 1: sums of 1/t², S/t², S²/t², and 1/t, S/t.
        let sum = |term: fn(f64, f64) -> f64| points.iter().map(|&(s, t)| term(s, t)).sum::<f64>();
        let (a, b, c) =
            (sum(|_, t| 1.0 / (t * t)), sum(|s, t| s / (t * t)), sum(|s, t| s * s / (t * t)));
        let (d, e) = (sum(|_, t| 1.0 / t), sum(|s, t| s / t));
        let determinant = a * c - b * b;
        let (alpha_us, us_per_byte) =
            ((c * d - b * e) / determinant, (a * e - b * d) / determinant);
        Some(match (alpha_us >= 0.0, us_per_byte >= 0.0) {
            (true, true) => Fit { alpha_us, us_per_byte },
            (false, _) => Fit { alpha_us: 0.0, us_per_byte: e / c },
            (_, false) => Fit { alpha_us: d / a, us_per_byte: 0.0 },
        })
    }

    /// The time of so many bytes, in microseconds.
    pub fn time_us(&self, bytes: f64) -> f64 {
        self.alpha_us + self.us_per_byte * bytes
    }

    /// Where two lines cross, in bytes: below it one is faster, above it the other.
    pub fn crossing(&self, other: &Fit) -> Option<f64> {
        let bytes = (other.alpha_us - self.alpha_us) / (self.us_per_byte - other.us_per_byte);
        (bytes.is_finite() && bytes > 0.0).then_some(bytes)
    }
}

/// Stretches of sizes, by index, and which curve is fastest there.
pub type Stretches = Vec<(usize, RangeInclusive<usize>)>;

/// A size in bytes, the time that it took, and the least that it took, in microseconds.
pub type Took = (u64, f64, f64);

/// Who is fastest from which size to which, among curves of which all have these sizes: of the
/// others no account is taken. Who is fastest stays it until another one's time is below the least
/// that it took itself.
pub fn fastest(curves: &[Vec<Took>]) -> (Vec<u64>, Stretches) {
    /// A last digit does not make one faster.
    const DUST: f64 = 1.0 + 1e-9;
    let at = |curve: &[Took], bytes| curve.iter().find(|took| took.0 == bytes).copied();
    let everywhere = |bytes: &u64| curves.iter().all(|curve| at(curve, *bytes).is_some());
    let first = curves.first().map_or(&[][..], Vec::as_slice);
    let sizes: Vec<u64> = first.iter().map(|took| took.0).filter(everywhere).collect();
    let mut stretches = Stretches::new();
    for (index, &bytes) in sizes.iter().enumerate() {
        let took: Vec<Took> = curves.iter().filter_map(|curve| at(curve, bytes)).collect();
        let best = took.iter().map(|took| took.1).fold(f64::INFINITY, f64::min);
        match stretches.last_mut() {
            Some((last, range)) if took[*last].2 <= best * DUST => {
                *range = *range.start()..=index;
            }
            _ => {
                let winner = took.iter().position(|took| took.1 <= best * DUST);
                stretches.extend(winner.map(|winner| (winner, index..=index)));
            }
        }
    }
    (sizes, stretches)
}

/// Where one stretch ends and the next begins: between two sizes, in bytes.
pub fn borders(sizes: &[u64], stretches: &Stretches) -> Vec<f64> {
    let border = |pair: &[(usize, RangeInclusive<usize>)]| {
        let [(_, before), (_, after)] = pair else { return None };
        let (last, first) = (*sizes.get(*before.end())?, *sizes.get(*after.start())?);
        Some((last as f64 * first as f64).sqrt())
    };
    stretches.windows(2).filter_map(border).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_again() {
        let line = Fit { alpha_us: 20.0, us_per_byte: 0.001 };
        let points: Vec<_> =
            (10..24).map(|log| f64::from(1 << log)).map(|s| (s, line.time_us(s))).collect();
        let found = Fit::of(&points).expect("there are enough");
        assert!((found.alpha_us - 20.0).abs() < 1e-6, "{found:?}");
        assert!((found.us_per_byte - 0.001).abs() < 1e-12, "{found:?}");
        assert_eq!(Fit::of(&points[..1]), None);
        assert_eq!(Fit::of(&[points[0], points[0]]), None);
    }

    #[test]
    fn small_times_count_as_much_as_large_ones() {
        // The large one is 10 % off; absolute errors would move α by a hundred microseconds.
        let points = [(1e3, 21.0), (1e4, 30.0), (1e5, 120.0), (1e7, 11_022.0)];
        let found = Fit::of(&points).expect("there are enough");
        assert!((found.alpha_us - 20.0).abs() < 2.0, "{found:?}");
    }

    #[test]
    fn neither_part_is_negative() {
        let falling = Fit::of(&[(1e3, 30.0), (1e6, 20.0)]).expect("there are enough");
        assert_eq!(falling.us_per_byte, 0.0);
        assert!((20.0..30.0).contains(&falling.alpha_us));
        let steep = Fit::of(&[(1e3, 1.0), (2e3, 3.0), (4e3, 9.0)]).expect("there are enough");
        assert_eq!(steep.alpha_us, 0.0);
        assert!(steep.us_per_byte > 0.0);
    }

    #[test]
    fn lines_cross_where_both_take_as_long() {
        let (tree, ring) = (
            Fit { alpha_us: 10.0, us_per_byte: 0.002 },
            Fit { alpha_us: 30.0, us_per_byte: 0.001 },
        );
        assert_eq!(tree.crossing(&ring), Some(20_000.0));
        assert_eq!(ring.crossing(&tree), Some(20_000.0));
        assert_eq!(tree.crossing(&tree), None);
        let worse = Fit { alpha_us: 40.0, us_per_byte: 0.003 };
        assert_eq!(tree.crossing(&worse), None);
    }

    /// Times that were computed have no spread.
    fn exact(times: &[(u64, f64)]) -> Vec<Took> {
        times.iter().map(|&(bytes, us)| (bytes, us, us)).collect()
    }

    #[test]
    fn only_sizes_that_all_have_are_compared() {
        let tree = exact(&[(1024, 10.0), (2048, 12.0), (4096, 16.0), (8192, 30.0)]);
        let ring = exact(&[(2048, 20.0), (4096, 21.0), (8192, 22.0)]);
        let (sizes, stretches) = fastest(&[tree, ring]);
        assert_eq!(sizes, [2048, 4096, 8192]);
        assert_eq!(stretches, [(0, 0..=1), (1, 2..=2)]);
        assert_eq!(borders(&sizes, &stretches), [f64::from(4096 * 8192).sqrt()]);
        assert_eq!(fastest(&[]), (Vec::new(), Vec::new()));
        assert_eq!(fastest(&[exact(&[(8, 1.0)]), Vec::new()]).0, Vec::<u64>::new());
    }

    #[test]
    fn noise_does_not_make_another_one_the_fastest() {
        let noisy = vec![(1, 10.0, 9.0), (2, 15.0, 9.0), (4, 10.0, 9.0), (8, 20.0, 18.0)];
        let other = vec![(1, 11.0, 8.0), (2, 12.0, 8.0), (4, 11.0, 8.0), (8, 12.0, 8.0)];
        assert_eq!(fastest(&[noisy.clone(), other.clone()]).1, [(0, 0..=2), (1, 3..=3)]);
        let medians = |curve: &[Took]| -> Vec<Took> {
            curve.iter().map(|took| (took.0, took.1, took.1)).collect()
        };
        assert_eq!(fastest(&[medians(&noisy), medians(&other)]).1.len(), 4);
    }
}
