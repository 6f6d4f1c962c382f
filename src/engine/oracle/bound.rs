//! How far a result is from exact arithmetic, in units of what rounding may do to it.

use crate::engine::reduce::{MeanKind, ReduceOp, Reduction};

/// Error of a float result in units of its bound.
pub(super) fn float_error(reduction: Reduction, depth: usize, xs: &[f32], got: f32) -> f64 {
    const U: f64 = 1.0 / (1 << 24) as f64;
    let exact_xs = || xs.iter().map(|&x| f64::from(x));
    let sizes = || exact_xs().map(f64::abs);
    let n = reduction.ranks as f64;
    // `reach` is what no intermediate result exceeds, and what no later step multiplies an error
    // by.
    let (exact, magnitude, reach, roundings): (f64, f64, f64, usize) = match reduction.op {
        ReduceOp::Sum => {
            let magnitude = sizes().sum();
            (exact_xs().sum(), magnitude, magnitude, depth)
        }
        // Scaling first rounds 1/n and every product; dividing last rounds once.
        ReduceOp::Mean(kind) => {
            let total: f64 = sizes().sum();
            let (reach, extra) = match kind {
                MeanKind::PreScale => (total / n, 2),
                MeanKind::PostScale => (total, 1),
            };
            (exact_xs().sum::<f64>() / n, total / n, reach, depth + extra)
        }
        ReduceOp::Product => {
            let product: f64 = exact_xs().product();
            // Roundings of a product multiply, whichever branch of the tree they are made in.
            let roundings = xs.len().saturating_sub(1);
            (product, product.abs(), sizes().map(|x| x.max(1.0)).product(), roundings)
        }
        ReduceOp::Max | ReduceOp::Min => {
            let nan = xs.iter().any(|x| x.is_nan());
            let (max, min) = (f32::NEG_INFINITY, f32::INFINITY);
            let exact = match reduction.op {
                ReduceOp::Max => xs.iter().copied().fold(max, f32::max),
                _ => xs.iter().copied().fold(min, f32::min),
            };
            let right = if nan { got.is_nan() } else { got == exact };
            return if right { 0.0 } else { 2.0 };
        }
    };
    if !exact.is_finite() || reach.is_nan() || reach > f64::from(f32::MAX) {
        // Somewhere on the way the range may have been left; only the bits can be judged.
        return 0.0;
    }
    let gamma = roundings as f64 * U / (1.0 - roundings as f64 * U);
    // f64 itself rounds, and every result below the normal range is off by half its last bit.
    let slack = xs.len() as f64 * f64::EPSILON * magnitude
        + (xs.len() + roundings) as f64 * f64::from(f32::from_bits(1)) * reach.max(1.0);
    let (off, bound) = ((f64::from(got) - exact).abs(), gamma * magnitude + slack);
    if off == 0.0 {
        0.0
    } else if off.is_nan() {
        2.0
    } else {
        off / bound
    }
}

/// 0 for the exact (wrapped, truncated) integer result, 2 for any other.
pub(super) fn integer_error(reduction: Reduction, xs: &[i32], got: i32) -> f64 {
    let wide = || xs.iter().map(|&x| i128::from(x));
    let exact = match reduction.op {
        ReduceOp::Sum => wide().sum::<i128>() as i32,
        ReduceOp::Mean(_) => wide().sum::<i128>() as i32 / reduction.ranks as i32,
        ReduceOp::Product => xs.iter().fold(1i32, |p, &x| p.wrapping_mul(x)),
        ReduceOp::Max => wide().max().map_or(0, |x| x as i32),
        ReduceOp::Min => wide().min().map_or(0, |x| x as i32),
    };
    if exact == got { 0.0 } else { 2.0 }
}
