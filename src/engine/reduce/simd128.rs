//! The kernels of a rank in the browser: 128-bit vectors of WebAssembly.
//!
//! The ladder, each rung checked against the one before:
//!
//! 1. [`scalar`]: one element per step; the definition.
//! 2. v128: four 32-bit elements per step. `v128.load` and `v128.store` take any alignment.
//! 3. unrolled v128: eight vectors per step, so that the loop's own counting and branching is
//!    shared by 128 bytes. Vectors that do not fill a block go one by one, elements that do not
//!    fill a vector go to [`scalar`].
//!
//! Results are the bits of the reference, except that any NaN equals any NaN (see [`scalar`]).
//! Relaxed SIMD is not used: engines may round it differently, and runs must be reproducible.
//!
//! Adding an element type is one arm in each of the two matches on [`Dtype`]: its four
//! instructions, and how it divides.

use super::{Dtype, ReduceOp, scalar};
use core::arch::wasm32::*;

/// Bytes of one vector.
const VECTOR: usize = 16;

/// Vectors per step of the main loop. Four are slower in L1, sixteen hardly faster.
const UNROLL: usize = 8;

/// Combines whole vectors with the one of a type's four instructions that the operator asks for,
/// chosen once, outside the loop. A macro, because instructions do not implement `Fn`.
macro_rules! combine_vectors {
    ($op:expr, $acc:expr, $other:expr, $add:path, $multiply:path, $max:path, $min:path) => {
        match $op {
            ReduceOp::Sum | ReduceOp::Mean(_) => zip_with($acc, $other, |a, b| $add(a, b)),
            ReduceOp::Product => zip_with($acc, $other, |a, b| $multiply(a, b)),
            ReduceOp::Max => zip_with($acc, $other, |a, b| $max(a, b)),
            ReduceOp::Min => zip_with($acc, $other, |a, b| $min(a, b)),
        }
    };
}

/// [`scalar::combine`], vectorised.
///
/// # Panics
/// If the lengths differ or are not a multiple of the element size.
pub fn combine(op: ReduceOp, dtype: Dtype, acc: &mut [u8], other: &[u8]) {
    assert_eq!(acc.len(), other.len(), "the operands of a reduction differ in length");
    let (a, acc_tail) = acc.as_chunks_mut::<VECTOR>();
    let (b, other_tail) = other.as_chunks::<VECTOR>();
    match dtype {
        Dtype::F32 => combine_vectors!(op, a, b, f32x4_add, f32x4_mul, f32x4_max, f32x4_min),
        Dtype::I32 => combine_vectors!(op, a, b, i32x4_add, i32x4_mul, i32x4_max, i32x4_min),
    }
    scalar::combine(op, dtype, acc_tail, other_tail);
}

/// [`scalar::multiply`], vectorised.
///
/// # Panics
/// If `data` is not a whole number of elements.
pub fn multiply(data: &mut [u8], factor: f32) {
    let (vectors, tail) = data.as_chunks_mut::<VECTOR>();
    map(vectors, |x| f32x4_mul(x, f32x4_splat(factor)));
    scalar::multiply(tail, factor);
}

/// [`scalar::divide`], vectorised for floats.
///
/// # Panics
/// If `data` is not a whole number of elements, or `n` is zero or above [`scalar::MAX_DIVISOR`].
pub fn divide(dtype: Dtype, data: &mut [u8], n: usize) {
    match dtype {
        Dtype::F32 => {
            let (vectors, tail) = data.as_chunks_mut::<VECTOR>();
            map(vectors, |x| f32x4_div(x, f32x4_splat(n as f32)));
            scalar::divide(dtype, tail, n);
        }
        // No instruction divides integers, and the detour through f64 is not faster.
        Dtype::I32 => scalar::divide(dtype, data, n),
    }
}

/// `acc[i] = f(acc[i], other[i])`, [`UNROLL`] vectors per step.
fn zip_with(acc: &mut [[u8; VECTOR]], other: &[[u8; VECTOR]], f: impl Fn(v128, v128) -> v128) {
    let step = |a: &mut [u8; VECTOR], b: &[u8; VECTOR]| store(a, f(load(a), load(b)));
    let (acc_blocks, acc_rest) = acc.as_chunks_mut::<UNROLL>();
    let (other_blocks, other_rest) = other.as_chunks::<UNROLL>();
    for (a, b) in acc_blocks.iter_mut().zip(other_blocks) {
        a.iter_mut().zip(b).for_each(|(a, b)| step(a, b));
    }
    acc_rest.iter_mut().zip(other_rest).for_each(|(a, b)| step(a, b));
}

/// `data[i] = f(data[i])`, [`UNROLL`] vectors per step.
fn map(data: &mut [[u8; VECTOR]], f: impl Fn(v128) -> v128) {
    let step = |x: &mut [u8; VECTOR]| store(x, f(load(x)));
    let (blocks, rest) = data.as_chunks_mut::<UNROLL>();
    for block in blocks {
        block.iter_mut().for_each(step);
    }
    rest.iter_mut().for_each(step);
}

/// Reads a vector from any address.
#[inline(always)]
fn load(bytes: &[u8; VECTOR]) -> v128 {
    // SAFETY: the reference covers all 16 bytes, and `v128_load` needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Writes a vector to any address.
#[inline(always)]
fn store(bytes: &mut [u8; VECTOR], vector: v128) {
    // SAFETY: the reference covers all 16 bytes, and `v128_store` needs no alignment.
    unsafe { v128_store(bytes.as_mut_ptr().cast(), vector) }
}
