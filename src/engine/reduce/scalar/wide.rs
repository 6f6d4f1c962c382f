//! The reference kernels between small floats and `f32`s, for sums that are kept wider than what
//! is added to them.

use super::super::small::{Bf16, E4m3, E5m2, F16, Small};
use super::super::{Dtype, ReduceOp, assert_as_many, never_accumulated, never_widened};
use super::{Element, Pattern};

/// Writes the small floats of `narrow` to `wide` as `f32`s.
///
/// # Panics
/// If they are not equally many, or `dtype` is no small float.
pub fn widen(dtype: Dtype, wide: &mut [u8], narrow: &[u8]) {
    zip_wide(dtype, wide, narrow, |_, x| x);
}

/// Writes the `f32`s of `wide` to `narrow`, rounded to the nearest small float; NaN stays NaN.
///
/// # Panics
/// If they are not equally many, or `dtype` is no small float.
pub fn narrow(dtype: Dtype, narrow: &mut [u8], wide: &[u8]) {
    match dtype {
        Dtype::F16 => narrow_elements::<F16, 2>(narrow, wide),
        Dtype::Bf16 => narrow_elements::<Bf16, 2>(narrow, wide),
        Dtype::E4m3 => narrow_elements::<E4m3, 1>(narrow, wide),
        Dtype::E5m2 => narrow_elements::<E5m2, 1>(narrow, wide),
        _ => never_widened(),
    }
}

/// `acc[i] = acc[i] ⊕ other[i]`, where `acc` holds `f32`s and `other` small floats.
///
/// # Panics
/// If they are not equally many, `dtype` is no small float, or `op` is a maximum or minimum.
pub fn accumulate(op: ReduceOp, dtype: Dtype, acc: &mut [u8], other: &[u8]) {
    match op {
        ReduceOp::Sum | ReduceOp::Mean(_) => zip_wide(dtype, acc, other, |a, b| a + b),
        ReduceOp::Product => zip_wide(dtype, acc, other, |a, b| a * b),
        ReduceOp::Max | ReduceOp::Min => never_accumulated(),
    }
}

/// `wide[i] = f(wide[i], narrow[i])`, where `wide` holds `f32`s and `narrow` small floats.
fn zip_wide(dtype: Dtype, wide: &mut [u8], narrow: &[u8], f: impl Fn(f32, f32) -> f32) {
    match dtype {
        Dtype::F16 => zip_wide_elements::<F16, 2>(wide, narrow, f),
        Dtype::Bf16 => zip_wide_elements::<Bf16, 2>(wide, narrow, f),
        Dtype::E4m3 => zip_wide_elements::<E4m3, 1>(wide, narrow, f),
        Dtype::E5m2 => zip_wide_elements::<E5m2, 1>(wide, narrow, f),
        _ => never_widened(),
    }
}

fn zip_wide_elements<S: Small, const SIZE: usize>(
    wide: &mut [u8],
    narrow: &[u8],
    f: impl Fn(f32, f32) -> f32,
) where
    Pattern<S>: Element<SIZE>,
{
    assert_as_many(wide, narrow, SIZE);
    let (wide, _) = wide.as_chunks_mut();
    for (a, b) in wide.iter_mut().zip(narrow.as_chunks().0) {
        *a = f(f32::from_le_bytes(*a), Pattern::<S>::load(*b).value()).to_le_bytes();
    }
}

fn narrow_elements<S: Small, const SIZE: usize>(narrow: &mut [u8], wide: &[u8])
where
    Pattern<S>: Element<SIZE>,
{
    assert_as_many(wide, narrow, SIZE);
    let (narrow, _) = narrow.as_chunks_mut();
    for (a, b) in narrow.iter_mut().zip(wide.as_chunks().0) {
        *a = Pattern::<S>::new(f32::from_le_bytes(*b)).store();
    }
}
