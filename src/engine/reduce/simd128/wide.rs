//! Vectors of small floats beside vectors of `f32`s: the reference's kernels between them.
//!
//! Sixteen bytes of small floats are two or four vectors of `f32`s, in a row. What does not fill a
//! vector is left to the reference.

use super::super::small::{Bf16, E4m3, E5m2, F16};
use super::super::{Dtype, ReduceOp, assert_as_many, never_accumulated, never_widened, scalar};
use super::small::{Vectors, is_16, with_nan};
use super::{VECTOR, Vector, load, store};
use core::arch::wasm32::*;

/// Calls a function of a small float type, chosen once, outside the loop.
macro_rules! of_small {
    ($dtype:expr, $function:ident($($argument:expr),*)) => {
        match $dtype {
            Dtype::F16 => $function::<F16>($($argument),*),
            Dtype::Bf16 => $function::<Bf16>($($argument),*),
            Dtype::E4m3 => $function::<E4m3>($($argument),*),
            Dtype::E5m2 => $function::<E5m2>($($argument),*),
            _ => never_widened(),
        }
    };
}

/// [`scalar::widen`], vectorised.
///
/// # Panics
/// If they are not equally many, or `dtype` is no small float.
pub fn widen(dtype: Dtype, wide: &mut [u8], narrow: &[u8]) {
    zip_wide(dtype, wide, narrow, |_, x| x, |wide, narrow| scalar::widen(dtype, wide, narrow));
}

/// [`scalar::accumulate`], vectorised.
///
/// # Panics
/// If they are not equally many, `dtype` is no small float, or `op` is a maximum or minimum.
pub fn accumulate(op: ReduceOp, dtype: Dtype, acc: &mut [u8], other: &[u8]) {
    let rest = |acc: &mut [u8], other: &[u8]| scalar::accumulate(op, dtype, acc, other);
    match op {
        ReduceOp::Sum | ReduceOp::Mean(_) => {
            zip_wide(dtype, acc, other, |a, b| f32x4_add(a, b), rest);
        }
        ReduceOp::Product => zip_wide(dtype, acc, other, |a, b| f32x4_mul(a, b), rest),
        ReduceOp::Max | ReduceOp::Min => never_accumulated(),
    }
}

/// [`scalar::narrow`], vectorised.
///
/// # Panics
/// If they are not equally many, or `dtype` is no small float.
pub fn narrow(dtype: Dtype, narrow: &mut [u8], wide: &[u8]) {
    assert_as_many(wide, narrow, dtype.size_bytes());
    let (vectors, rest) = narrow.as_chunks_mut();
    let (wide, wide_rest) = wide.split_at(wide_bytes(dtype, vectors.len()));
    of_small!(dtype, narrow_vectors(dtype, vectors, wide.as_chunks().0));
    scalar::narrow(dtype, rest, wide_rest);
}

/// NaN, which is rare, is left to the reference.
fn narrow_vectors<S: Vectors>(dtype: Dtype, narrow: &mut [Vector], wide: &[Vector]) {
    for (target, source) in narrow.iter_mut().zip(wide.chunks_exact(groups::<S>())) {
        if v128_any_true(source.iter().map(load).fold(u32x4_splat(0), with_nan)) {
            scalar::narrow(dtype, target, source.as_flattened());
        } else {
            store(target, S::narrowed(|group| load(&source[usize::from(group)])));
        }
    }
}

/// `wide[i] = f(wide[i], narrow[i])`, the last few elements by `rest`.
#[inline(always)]
fn zip_wide(
    dtype: Dtype,
    wide: &mut [u8],
    narrow: &[u8],
    f: impl Fn(v128, v128) -> v128,
    rest: impl Fn(&mut [u8], &[u8]),
) {
    assert_as_many(wide, narrow, dtype.size_bytes());
    let (vectors, narrow_rest) = narrow.as_chunks();
    let (wide, wide_rest) = wide.split_at_mut(wide_bytes(dtype, vectors.len()));
    of_small!(dtype, zip_wide_vectors(wide.as_chunks_mut().0, vectors, f));
    rest(wide_rest, narrow_rest);
}

#[inline(always)]
fn zip_wide_vectors<S: Vectors>(
    wide: &mut [Vector],
    narrow: &[Vector],
    f: impl Fn(v128, v128) -> v128,
) {
    for (targets, source) in wide.chunks_exact_mut(groups::<S>()).zip(narrow) {
        let patterns = load(source);
        // Not a loop: a group's number has to be known where its bytes are picked.
        zip_group::<S>(targets, patterns, 0, &f);
        zip_group::<S>(targets, patterns, 1, &f);
        if groups::<S>() == 4 {
            zip_group::<S>(targets, patterns, 2, &f);
            zip_group::<S>(targets, patterns, 3, &f);
        }
    }
}

#[inline(always)]
fn zip_group<S: Vectors>(
    targets: &mut [Vector],
    patterns: v128,
    group: u8,
    f: &impl Fn(v128, v128) -> v128,
) {
    let target = &mut targets[usize::from(group)];
    store(target, f(load(target), S::widened(patterns, group)));
}

/// Bytes of as many `f32`s as there are small floats in so many vectors.
fn wide_bytes(dtype: Dtype, vectors: usize) -> usize {
    vectors * VECTOR / dtype.size_bytes() * 4
}

/// Groups of four patterns in a vector.
const fn groups<S: Vectors>() -> usize {
    if is_16::<S>() { 2 } else { 4 }
}
