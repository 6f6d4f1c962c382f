//! The kernels of a rank in the browser: 128-bit vectors of WebAssembly.
//!
//! The ladder, each rung checked against the one before:
//!
//! 1. [`scalar`]: one element per step; the definition.
//! 2. v128: 16 bytes per step. `v128.load` and `v128.store` take any alignment.
//! 3. unrolled v128: eight vectors per step where one instruction does the work, so that the
//!    loop's own counting and branching is shared by 128 bytes.
//!
//! Elements that do not fill a step are worked on in vectors that are padded with zeros.
//!
//! Results are the bits of the reference, except that any NaN equals any NaN (see [`scalar`]).
//! Relaxed SIMD is not used: engines may round it differently, and runs must be reproducible.

mod small;
mod wide;

pub use wide::{accumulate, narrow, widen};

use super::small::{Bf16, E4m3, E5m2, F16};
use super::{Arithmetic, Dtype, ReduceOp, scalar};
use core::arch::wasm32::*;
use std::marker::PhantomData;

/// The vector kernels as an arithmetic.
pub static ARITHMETIC: Arithmetic =
    Arithmetic { combine, combine_into, scale, divide, round, widen, narrow, accumulate };

/// Bytes of one vector.
const VECTOR: usize = 16;

/// Vectors per step where a vector takes one instruction. Four are slower in L1, sixteen hardly
/// faster.
const UNROLL: usize = 8;

/// Combines with the one of a type's four functions that the operator asks for, chosen once,
/// outside the loop. A macro, because instructions do not implement `Fn`.
macro_rules! combine_vectors {
    ($op:expr, $operands:expr, $add:path, $multiply:path, $max:path, $min:path) => {
        match $op {
            ReduceOp::Sum | ReduceOp::Mean(_) => zip::<UNROLL>($operands, |a, b| $add(a, b)),
            ReduceOp::Product => zip::<UNROLL>($operands, |a, b| $multiply(a, b)),
            ReduceOp::Max => zip::<UNROLL>($operands, |a, b| $max(a, b)),
            ReduceOp::Min => zip::<UNROLL>($operands, |a, b| $min(a, b)),
        }
    };
}

/// [`scalar::combine`], vectorised.
///
/// # Panics
/// If the lengths differ or are not a multiple of the element size.
pub fn combine(op: ReduceOp, dtype: Dtype, acc: &mut [u8], other: &[u8]) {
    assert_whole(dtype, acc);
    match dtype {
        Dtype::F16 => small::combine::<F16>(op, acc, other),
        Dtype::Bf16 => small::combine::<Bf16>(op, acc, other),
        Dtype::E4m3 => small::combine::<E4m3>(op, acc, other),
        Dtype::E5m2 => small::combine::<E5m2>(op, acc, other),
        _ => combine_whole(op, dtype, Operands::here(acc, other)),
    }
}

/// [`scalar::combine_into`], vectorised.
///
/// # Panics
/// As [`combine`].
pub fn combine_into(op: ReduceOp, dtype: Dtype, out: &mut [u8], left: &[u8], right: &[u8]) {
    if dtype.is_small_float() {
        // Not by `memory.copy`, which takes its time to begin and leaves the first cache out.
        zip::<UNROLL>(Operands::into(out, left, left), |a, _| a);
        return combine(op, dtype, out, right);
    }
    assert_whole(dtype, out);
    combine_whole(op, dtype, Operands::into(out, left, right));
}

/// Combines numbers that instructions know.
fn combine_whole(op: ReduceOp, dtype: Dtype, all: Operands) {
    match dtype {
        Dtype::F32 => combine_vectors!(op, all, f32x4_add, f32x4_mul, f32x4_max, f32x4_min),
        Dtype::F64 => combine_vectors!(op, all, f64x2_add, f64x2_mul, f64x2_max, f64x2_min),
        Dtype::I32 => combine_vectors!(op, all, i32x4_add, i32x4_mul, i32x4_max, i32x4_min),
        Dtype::I64 => combine_vectors!(op, all, i64x2_add, i64x2_mul, i64x2_max, i64x2_min),
        _ => match (op, dtype) {
            (ReduceOp::Max, Dtype::U8) => zip::<UNROLL>(all, |a, b| u8x16_max(a, b)),
            (ReduceOp::Min, Dtype::U8) => zip::<UNROLL>(all, |a, b| u8x16_min(a, b)),
            _ => combine_vectors!(op, all, i8x16_add, i8x16_mul, i8x16_max, i8x16_min),
        },
    }
}

/// [`scalar::scale`], vectorised.
///
/// # Panics
/// If `data` is not a whole number of elements, or `dtype` is an integer type.
pub fn scale(dtype: Dtype, data: &mut [u8], n: usize) {
    assert_whole(dtype, data);
    match dtype {
        Dtype::F32 => map::<UNROLL>(data, |x| f32x4_mul(x, f32x4_splat(1.0 / n as f32))),
        Dtype::F64 => map::<UNROLL>(data, |x| f64x2_mul(x, f64x2_splat(1.0 / n as f64))),
        Dtype::F16 => small::scale::<F16>(data, n),
        Dtype::Bf16 => small::scale::<Bf16>(data, n),
        Dtype::E4m3 => small::scale::<E4m3>(data, n),
        Dtype::E5m2 => small::scale::<E5m2>(data, n),
        Dtype::I8 | Dtype::U8 | Dtype::I32 | Dtype::I64 => super::never_scaled(),
    }
}

/// [`scalar::divide`], vectorised for floats.
///
/// # Panics
/// If `data` is not a whole number of elements, or `n` is zero or above [`scalar::MAX_DIVISOR`].
pub fn divide(dtype: Dtype, data: &mut [u8], n: usize) {
    assert_whole(dtype, data);
    scalar::assert_divides(n);
    match dtype {
        Dtype::F32 => map::<UNROLL>(data, |x| f32x4_div(x, f32x4_splat(n as f32))),
        Dtype::F64 => map::<UNROLL>(data, |x| f64x2_div(x, f64x2_splat(n as f64))),
        Dtype::F16 => small::divide::<F16>(data, n),
        Dtype::Bf16 => small::divide::<Bf16>(data, n),
        Dtype::E4m3 => small::divide::<E4m3>(data, n),
        Dtype::E5m2 => small::divide::<E5m2>(data, n),
        // No instruction divides integers, and the detour through f64 is not faster.
        Dtype::I8 | Dtype::U8 | Dtype::I32 | Dtype::I64 => {
            scalar::divide_integers(dtype, data, n);
        }
    }
}

/// [`scalar::round`], vectorised.
///
/// # Panics
/// If `data` is not a whole number of `f32`s.
pub fn round(dtype: Dtype, data: &mut [u8]) {
    assert_whole(Dtype::F32, data);
    match dtype {
        Dtype::F16 => small::round::<F16>(data),
        Dtype::Bf16 => small::round::<Bf16>(data),
        Dtype::E4m3 => small::round::<E4m3>(data),
        Dtype::E5m2 => small::round::<E5m2>(data),
        _ => {}
    }
}

fn assert_whole(dtype: Dtype, data: &[u8]) {
    let whole = data.len().is_multiple_of(dtype.size_bytes());
    assert!(whole, "a reduction ends inside an element");
}

/// There is no such instruction: odd and even bytes are multiplied as 16-bit numbers.
fn i8x16_mul(a: v128, b: v128) -> v128 {
    let even = v128_and(i16x8_mul(a, b), u16x8_splat(0xff));
    let odd = i16x8_mul(u16x8_shr(a, 8), u16x8_shr(b, 8));
    v128_or(even, i16x8_shl(odd, 8))
}

/// There is no such instruction.
fn i64x2_max(a: v128, b: v128) -> v128 {
    v128_bitselect(a, b, i64x2_gt(a, b))
}

/// There is no such instruction.
fn i64x2_min(a: v128, b: v128) -> v128 {
    v128_bitselect(b, a, i64x2_gt(a, b))
}

/// A vector in memory, at any address.
type Vector = [u8; VECTOR];

/// `out = left ⊕ right`, all as long as `right`. Pointers, because `left` may be `out`: one loop
/// serves both.
struct Operands<'a> {
    out: *mut u8,
    left: *const u8,
    right: &'a [u8],
    lives: PhantomData<&'a mut [u8]>,
}

impl<'a> Operands<'a> {
    /// `acc = acc ⊕ other`.
    fn here(acc: &'a mut [u8], other: &'a [u8]) -> Self {
        assert_eq!(acc.len(), other.len(), "the operands of a reduction differ in length");
        let out = acc.as_mut_ptr();
        Operands { out, left: out.cast_const(), right: other, lives: PhantomData }
    }

    /// `out = left ⊕ right`.
    fn into(out: &'a mut [u8], left: &'a [u8], right: &'a [u8]) -> Self {
        let same = out.len() == left.len() && out.len() == right.len();
        assert!(same, "the operands of a reduction differ in length");
        Operands { out: out.as_mut_ptr(), left: left.as_ptr(), right, lives: PhantomData }
    }
}

/// `out[i] = f(left[i], right[i])`, `N` vectors per step.
#[inline(always)]
fn zip<const N: usize>(operands: Operands, f: impl Fn(v128, v128) -> v128) {
    let Operands { out, left, right, .. } = operands;
    let steps = right.len() / (N * VECTOR);
    for step in 0..steps {
        for vector in step * N..step * N + N {
            let at = vector * VECTOR;
            // SAFETY: all three have these 16 bytes, at any alignment; what is written is nobody
            // else's, and read from `left` before, if that is the same.
            unsafe {
                let y = v128_load(right.as_ptr().add(at).cast());
                v128_store(out.add(at).cast(), f(v128_load(left.add(at).cast()), y));
            }
        }
    }
    let right = &right[steps * N * VECTOR..];
    // SAFETY: what is left of all three is as long; it may be copied onto itself.
    let out = unsafe {
        let out = out.add(steps * N * VECTOR);
        std::ptr::copy(left.add(steps * N * VECTOR), out, right.len());
        std::slice::from_raw_parts_mut(out, right.len())
    };
    finish(out, right, &|a, b| zip_vectors(a, b, &f));
}

#[inline(always)]
fn zip_vectors(acc: &mut [Vector], other: &[Vector], f: impl Fn(v128, v128) -> v128) {
    acc.iter_mut().zip(other).for_each(|(a, b)| store(a, f(load(a), load(b))));
}

/// `data[i] = f(data[i])`, `N` vectors per step.
#[inline(always)]
fn map<const N: usize>(data: &mut [u8], f: impl Fn(v128) -> v128) {
    let (blocks, rest) = blocks_mut::<N>(data);
    blocks.iter_mut().for_each(|block| map_vectors(block, &f));
    finish(rest, &[], &|x, _| map_vectors(x, &f));
}

#[inline(always)]
fn map_vectors(vectors: &mut [Vector], f: impl Fn(v128) -> v128) {
    vectors.iter_mut().for_each(|x| store(x, f(load(x))));
}

/// Lets `work` work on what does not fill a step, padded with zeros.
#[inline(never)]
fn finish(acc: &mut [u8], other: &[u8], work: &dyn Fn(&mut [Vector], &[Vector])) {
    let [mut a, mut b] = [[[0; VECTOR]; UNROLL]; 2];
    a.as_flattened_mut()[..acc.len()].copy_from_slice(acc);
    b.as_flattened_mut()[..other.len()].copy_from_slice(other);
    work(&mut a[..acc.len().div_ceil(VECTOR)], &b);
    acc.copy_from_slice(&a.as_flattened()[..acc.len()]);
}

/// Whole blocks of `N` vectors, and the bytes behind them.
fn blocks<const N: usize>(bytes: &[u8]) -> (&[[Vector; N]], &[u8]) {
    let (whole, rest) = bytes.split_at(bytes.len() / (N * VECTOR) * (N * VECTOR));
    (whole.as_chunks().0.as_chunks().0, rest)
}

fn blocks_mut<const N: usize>(bytes: &mut [u8]) -> (&mut [[Vector; N]], &mut [u8]) {
    let (whole, rest) = bytes.split_at_mut(bytes.len() / (N * VECTOR) * (N * VECTOR));
    (whole.as_chunks_mut().0.as_chunks_mut().0, rest)
}

/// Reads a vector from any address.
#[inline(always)]
fn load(bytes: &Vector) -> v128 {
    // SAFETY: the reference covers all 16 bytes, and `v128_load` needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Writes a vector to any address.
#[inline(always)]
fn store(bytes: &mut Vector, vector: v128) {
    // SAFETY: the reference covers all 16 bytes, and `v128_store` needs no alignment.
    unsafe { v128_store(bytes.as_mut_ptr().cast(), vector) }
}
