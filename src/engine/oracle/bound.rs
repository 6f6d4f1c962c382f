//! How far a result is from exact arithmetic, in units of what rounding may do to it.

use crate::engine::reduce::{Dtype, Format, MeanKind, ReduceOp, Reduction};

/// What rounding may do to the results of one expression.
pub(super) struct Bound {
    reduction: Reduction,
    /// The longest chain of reductions.
    depth: usize,
}

/// What is known about a float result without computing it.
struct Exact {
    /// The result.
    value: f64,
    /// What rounding errors are relative to.
    magnitude: f64,
    /// What no intermediate result exceeds.
    reach: f64,
    /// How many roundings to the wire type act on one contribution before it is added.
    scalings: usize,
    /// How many roundings to the type of sums act on it.
    roundings: usize,
    /// How far results below the normal range may be off together, in smallest numbers: of the wire
    /// type if it is scaled there.
    underflow: f64,
}

impl Bound {
    pub(super) fn new(reduction: Reduction, depth: usize) -> Self {
        Bound { reduction, depth }
    }

    /// Error of a float result in units of its bound: at most 1 if it is right.
    pub(super) fn float_error(&self, xs: impl Iterator<Item = f64> + Clone, got: f64) -> f64 {
        let Reduction { dtype, .. } = self.reduction;
        let formats = [self.reduction.wire(), self.reduction.sums(), dtype].map(Dtype::format);
        let [Some(wire), Some(sums), Some(end)] = formats else { return 2.0 };
        if self.reduction.op.selects() {
            let exact = match self.reduction.op {
                ReduceOp::Max => xs.clone().fold(f64::NEG_INFINITY, f64::max),
                _ => xs.clone().fold(f64::INFINITY, f64::min),
            };
            let nan = xs.clone().any(f64::is_nan);
            let right = if nan { got.is_nan() } else { got == exact };
            return if right { 0.0 } else { 2.0 };
        }
        let exact = self.exact(xs.clone());
        let (scaled, added) = (gamma(exact.scalings, wire), gamma(exact.roundings, sums));
        let mut relative = scaled + (1.0 + scaled) * added;
        let lowest = if exact.scalings > 0 { wire } else { sums };
        let mut slack = exact.underflow * lowest.smallest();
        if sums != end {
            relative += (1.0 + relative) * end.roundoff();
            slack += end.smallest();
        }
        let grown = 1.0 + relative;
        let fits = exact.reach * grown <= sums.max && exact.value.abs() * grown + slack <= end.max;
        if !fits {
            // Somewhere on the way the range may have been left; only the bits can be judged.
            return 0.0;
        }
        // The exact result is computed in f64, which itself rounds.
        let reference = xs.count() as f64 * f64::EPSILON;
        let off = (got - exact.value).abs();
        if off == 0.0 {
            0.0
        } else if off.is_nan() {
            2.0
        } else {
            off / ((relative + reference) * exact.magnitude + slack)
        }
    }

    fn exact(&self, xs: impl Iterator<Item = f64> + Clone) -> Exact {
        let n = self.reduction.ranks as f64;
        let (count, sum) = (xs.clone().count(), xs.clone().sum::<f64>());
        let total: f64 = xs.clone().map(f64::abs).sum();
        let depth = self.depth;
        match self.reduction.op {
            // Scaling first rounds 1/n and every product; both may be subnormal.
            ReduceOp::Mean(MeanKind::PreScale) => Exact {
                value: sum / n,
                magnitude: total / n,
                reach: total / n,
                scalings: 2,
                roundings: depth,
                underflow: count as f64 + total,
            },
            ReduceOp::Mean(MeanKind::PostScale) => Exact {
                value: sum / n,
                magnitude: total / n,
                reach: total,
                scalings: 0,
                roundings: depth + 1,
                underflow: 1.0,
            },
            ReduceOp::Product => {
                let value: f64 = xs.clone().product();
                let reach = xs.map(|x| x.abs().max(1.0)).product();
                // Roundings of a product multiply, whichever branch of the tree they are made in,
                // and later factors enlarge what underflow did.
                let roundings = count.saturating_sub(1);
                let underflow = roundings as f64 * reach;
                Exact { value, magnitude: value.abs(), reach, scalings: 0, roundings, underflow }
            }
            // A subnormal sum is exact.
            _ => Exact {
                value: sum,
                magnitude: total,
                reach: total,
                scalings: 0,
                roundings: depth,
                underflow: 0.0,
            },
        }
    }

    /// 0 for the exact (wrapped, truncated) integer result, 2 for any other.
    pub(super) fn integer_error(&self, xs: impl Iterator<Item = i64>, got: i64) -> f64 {
        let xs = xs.map(i128::from);
        let Some((least, most)) = self.reduction.dtype.range() else { return 2.0 };
        let (least, most) = (i128::from(least), i128::from(most));
        let wrap = |value: i128| (value - least).rem_euclid(most - least + 1) + least;
        let exact = match self.reduction.op {
            ReduceOp::Sum => wrap(xs.sum()),
            ReduceOp::Mean(_) => wrap(xs.sum()) / self.reduction.ranks as i128,
            ReduceOp::Product => xs.fold(1, |product, x| wrap(product * x)),
            ReduceOp::Max => xs.max().unwrap_or(0),
            ReduceOp::Min => xs.min().unwrap_or(0),
        };
        if exact == i128::from(got) { 0.0 } else { 2.0 }
    }
}

/// How large `k` roundings make a relative error: (1 + u)^k - 1 is at most k u (1 + u)^(k-1).
fn gamma(k: usize, format: Format) -> f64 {
    let u = format.roundoff();
    k as f64 * u * (1.0 + u).powi(k.saturating_sub(1) as i32)
}
