//! Vectors of small floats.
//!
//! The recipes of [`small`](super::super::small) are too long to be fast. Here infinities and NaNs,
//! which are rare, are looked for in whole blocks, and a block that has one is worked on element by
//! element, with those recipes. Without them widening is moving bits into place and one
//! multiplication; and `f32` addition rounds to any place: a number is rounded to the last place of
//! another that is so much larger.
//!
//! `bf16`, which is half an `f32`, needs neither.

use super::super::ReduceOp;
use super::super::small::{Bf16, E4m3, E5m2, F16, INFINITY, Small, narrow, widen};
use super::{Operands, Vector, blocks, blocks_mut, load, map, map_vectors, zip, zip_vectors};
use core::arch::wasm32::*;

/// A function of two values, as [`careful`] applies it.
type Scalar<'a> = &'a dyn Fn(f32, f32) -> f32;

/// How vectors of a small float are computed with: `f` on vectors of values, and `scalar`, which is
/// the same, where care is needed.
pub(super) trait Vectors: Small + Sized {
    fn zip(acc: &mut [u8], other: &[u8], f: impl Fn(v128, v128) -> v128, scalar: Scalar) {
        zip_finite::<Self>(acc, other, |a, b| each::<Self>(a, b, &f), scalar);
    }

    fn sum(acc: &mut [u8], other: &[u8]) {
        Self::zip(acc, other, |a, b| f32x4_add(a, b), &|a, b| a + b);
    }

    /// Works on one operand; `scalar` gets it twice.
    fn map(data: &mut [u8], f: impl Fn(v128) -> v128, scalar: Scalar) {
        let (blocks, rest) = blocks_mut::<LOOK>(data);
        for block in blocks {
            if are_finite::<Self, 1>([block]) {
                map_vectors(block, |x| each::<Self>(x, x, |x, _| f(x)));
            } else {
                let again = *block;
                careful::<Self>(block.as_flattened_mut(), again.as_flattened(), scalar);
            }
        }
        let again = rest.to_vec();
        careful::<Self>(rest, &again, scalar);
    }

    /// Rounds `f32`s that are no NaN; they stay `f32`s.
    #[inline(always)]
    fn rounded(x: v128) -> v128 {
        let magnitude = v128_and(x, u32x4_splat(u32::MAX >> 1));
        let rounded = nearest::<Self>(i32x4_min(magnitude, u32x4_splat(Self::BINADE_BEYOND)));
        let largest = u32x4_splat(Self::LARGEST);
        let bounded = if Self::BEYOND == Self::FINITE {
            i32x4_min(rounded, largest)
        } else {
            v128_or(rounded, v128_and(i32x4_gt(rounded, largest), u32x4_splat(INFINITY)))
        };
        v128_or(bounded, v128_xor(x, magnitude))
    }

    /// The patterns nearest to `f32`s that are no NaN, from four values of every group.
    #[inline(always)]
    fn narrowed(four: impl Fn(u8) -> v128) -> v128 {
        let beyond = f32x4_splat(f32::from_bits(Self::BINADE_BEYOND));
        packed::<Self>(|group| f32x4_max(f32x4_min(four(group), beyond), f32x4_neg(beyond)))
    }

    /// The values of four patterns of a vector, of which there are two or four such groups.
    #[inline(always)]
    fn widened(patterns: v128, group: u8) -> v128 {
        let finite = values::<Self>(patterns, group);
        let magnitude = v128_and(finite, u32x4_splat(u32::MAX >> 1));
        // What follows the largest number has its fraction, and a whole exponent field.
        let special = i32x4_gt(magnitude, u32x4_splat(Self::LARGEST));
        v128_or(finite, v128_and(special, u32x4_splat(INFINITY)))
    }
}

impl Vectors for E4m3 {}
impl Vectors for E5m2 {}

impl Vectors for F16 {
    fn sum(acc: &mut [u8], other: &[u8]) {
        zip_finite::<F16>(acc, other, sum_f16, &|a, b| a + b);
    }
}

impl Vectors for Bf16 {
    fn zip(acc: &mut [u8], other: &[u8], f: impl Fn(v128, v128) -> v128, _: Scalar) {
        zip::<4>(Operands::here(acc, other), |a, b| halves_of_f32(a, b, &f));
    }

    fn map(data: &mut [u8], f: impl Fn(v128) -> v128, _: Scalar) {
        map::<2>(data, |x| halves_of_f32(x, x, |x, _| f(x)));
    }

    #[inline(always)]
    fn rounded(x: v128) -> v128 {
        let odd = v128_and(u32x4_shr(x, 16), u32x4_splat(1));
        let rounded = i32x4_add(i32x4_add(x, odd), u32x4_splat(0x7fff));
        v128_and(rounded, u32x4_splat(0xffff_0000))
    }

    #[inline(always)]
    fn narrowed(four: impl Fn(u8) -> v128) -> v128 {
        let upper = |group| Self::rounded(four(group));
        i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(upper(0), upper(1))
    }

    #[inline(always)]
    fn widened(patterns: v128, group: u8) -> v128 {
        let lower = match group {
            0 => u32x4_extend_low_u16x8(patterns),
            _ => u32x4_extend_high_u16x8(patterns),
        };
        u32x4_shl(lower, 16)
    }
}

pub(super) fn combine<S: Vectors>(op: ReduceOp, acc: &mut [u8], other: &[u8]) {
    match op {
        ReduceOp::Sum | ReduceOp::Mean(_) => S::sum(acc, other),
        ReduceOp::Product => S::zip(acc, other, |a, b| f32x4_mul(a, b), &|a, b| a * b),
        ReduceOp::Max => zip::<1>(Operands::here(acc, other), max::<S>),
        ReduceOp::Min => zip::<1>(Operands::here(acc, other), min::<S>),
    }
}

pub(super) fn scale<S: Vectors>(data: &mut [u8], n: usize) {
    let factor = widen::<S>(narrow::<S>(1.0 / n as f32));
    S::map(data, |x| f32x4_mul(x, f32x4_splat(factor)), &|x, _| x * factor);
}

pub(super) fn divide<S: Vectors>(data: &mut [u8], n: usize) {
    let n = n as f32;
    S::map(data, |x| f32x4_div(x, f32x4_splat(n)), &|x, _| x / n);
}

/// Rounds `f32`s; they stay `f32`s.
pub(super) fn round<S: Vectors>(data: &mut [u8]) {
    let (blocks, rest) = blocks_mut::<LOOK>(data);
    for block in blocks {
        if v128_any_true(block.iter().map(load).fold(u32x4_splat(0), with_nan)) {
            round_carefully::<S>(block.as_flattened_mut());
        } else {
            map_vectors(block, S::rounded);
        }
    }
    round_carefully::<S>(rest);
}

/// Vectors that are looked through together.
const LOOK: usize = 4;

/// Combines block by block, those of finite numbers with `kernel`.
#[inline(always)]
fn zip_finite<S: Vectors>(
    acc: &mut [u8],
    other: &[u8],
    kernel: impl Fn(v128, v128) -> v128,
    scalar: Scalar,
) {
    let (acc, acc_rest) = blocks_mut::<LOOK>(acc);
    let (other, other_rest) = blocks::<LOOK>(other);
    for (a, b) in acc.iter_mut().zip(other) {
        if are_finite::<S, 2>([a, b]) {
            zip_vectors(a, b, &kernel);
        } else {
            careful::<S>(a.as_flattened_mut(), b.as_flattened(), scalar);
        }
    }
    careful::<S>(acc_rest, other_rest, scalar);
}

/// `acc[i] = f(acc[i], other[i])`, one element after the other.
#[inline(never)]
fn careful<S: Small>(acc: &mut [u8], other: &[u8], f: Scalar) {
    let size = if is_16::<S>() { 2 } else { 1 };
    for (a, b) in acc.chunks_exact_mut(size).zip(other.chunks_exact(size)) {
        let value = |e: &[u8]| widen::<S>(e.iter().rev().fold(0, |p, &b| p << 8 | u32::from(b)));
        let pattern = narrow::<S>(f(value(a), value(b)));
        a.copy_from_slice(&pattern.to_le_bytes()[..size]);
    }
}

fn round_carefully<S: Small>(data: &mut [u8]) {
    for word in data.as_chunks_mut().0 {
        *word = rounded_carefully::<S>(f32::from_le_bytes(*word)).to_le_bytes();
    }
}

#[inline(never)]
fn rounded_carefully<S: Small>(value: f32) -> f32 {
    widen::<S>(narrow::<S>(value))
}

/// Whether four `f32`s are NaN, or others were.
#[inline(always)]
pub(super) fn with_nan(found: v128, x: v128) -> v128 {
    v128_or(found, f32x4_ne(x, x))
}

/// Whether blocks have neither infinities nor NaNs. Doubling a pattern drops its sign.
#[inline(always)]
fn are_finite<S: Small, const N: usize>(blocks: [&[Vector; LOOK]; N]) -> bool {
    let last = splat::<S>(2 * S::FINITE);
    let largest = |a, b| if is_16::<S>() { u16x8_max(a, b) } else { u8x16_max(a, b) };
    let doubled = |x| if is_16::<S>() { i16x8_add(x, x) } else { i8x16_add(x, x) };
    let mut found = last;
    for block in blocks {
        for vector in block {
            found = largest(found, doubled(load(vector)));
        }
    }
    !v128_any_true(v128_xor(found, last))
}

/// Applies `f` to the values of two vectors of finite patterns.
#[inline(always)]
fn each<S: Small>(a: v128, b: v128, f: impl Fn(v128, v128) -> v128) -> v128 {
    packed::<S>(|group| f(values::<S>(a, group), values::<S>(b, group)))
}

/// The patterns nearest to the finite values of all groups.
#[inline(always)]
fn packed<S: Small>(four: impl Fn(u8) -> v128) -> v128 {
    let eight = |group| {
        let (low, high) = (four(group), four(group + 1));
        let magnitudes = u16x8_narrow_i32x4(magnitudes::<S>(low), magnitudes::<S>(high));
        // Saturating keeps the sign.
        (magnitudes, i16x8_narrow_i32x4(low, high))
    };
    let (low, sign) = eight(0);
    let (magnitudes, sign) = if is_16::<S>() {
        (u16x8_min(low, splat::<S>(S::BEYOND)), sign)
    } else {
        let (high, high_sign) = eight(2);
        let magnitudes = u8x16_narrow_i16x8(low, high);
        (u8x16_min(magnitudes, splat::<S>(S::BEYOND)), i8x16_narrow_i16x8(sign, high_sign))
    };
    v128_or(magnitudes, v128_and(sign, splat::<S>(S::SIGN)))
}

/// The values of four finite patterns of a vector, of which there are two or four such groups.
#[inline(always)]
fn values<S: Small>(patterns: v128, group: u8) -> v128 {
    // The bytes of a pattern become the highest of its lane, below them zeros.
    const NONE: u8 = 0x80;
    let (g, two) = (4 * group, is_16::<S>());
    let byte = |element: u8, high: bool| match (two, high) {
        (true, high) => 2 * (g + element) + u8::from(high),
        (false, true) => g + element,
        (false, false) => NONE,
    };
    let lane = |e: u8| u32::from_le_bytes([NONE, NONE, byte(e, false), byte(e, true)]);
    let lanes = u32x4(lane(0), lane(1), lane(2), lane(3));
    let placed = i32x4_shr(i8x16_swizzle(patterns, lanes), S::GAP);
    let place = u32x4_splat((S::SIGN << S::SIGN_SHIFT) | ((S::SIGN - 1) << S::CUT));
    f32x4_mul(v128_and(placed, place), f32x4_splat(S::REBIAS))
}

/// The magnitudes of the patterns nearest to four finite values; too large beyond the range.
#[inline(always)]
fn magnitudes<S: Small>(values: v128) -> v128 {
    let rounded = nearest::<S>(v128_and(values, u32x4_splat(u32::MAX >> 1)));
    u32x4_shr(f32x4_mul(rounded, f32x4_splat(1.0 / S::REBIAS)), S::CUT)
}

/// Four finite values without signs, rounded to the type as if it had no largest number.
#[inline(always)]
fn nearest<S: Small>(values: v128) -> v128 {
    // The binade of a value, or that of the subnormals, decides where its last place is.
    let binade = i32x4_max(v128_and(values, u32x4_splat(INFINITY)), u32x4_splat(S::NORMAL));
    let larger = i32x4_add(binade, u32x4_splat(S::CUT << 23));
    f32x4_sub(f32x4_add(values, larger), larger)
}

/// Two vectors of 32-bit lanes by their upper halves: those of `even` go to the even places.
#[inline(always)]
fn upper_halves(even: v128, odd: v128) -> v128 {
    i16x8_shuffle::<0, 9, 2, 11, 4, 13, 6, 15>(u32x4_shr(even, 16), odd)
}

/// The same by their lower halves.
#[inline(always)]
fn lower_halves(even: v128, odd: v128) -> v128 {
    i16x8_shuffle::<0, 9, 2, 11, 4, 13, 6, 15>(even, u32x4_shl(odd, 16))
}

/// Patterns that were rounded half up, made even where `rest`, what was cut off, was exactly half a
/// step, and has become zero.
#[inline(always)]
fn ties_to_even(patterns: v128, rest: v128) -> v128 {
    v128_andnot(patterns, u16x8_sub_sat(u16x8_splat(1), rest))
}

/// Applies `f` to the values of two vectors of `bf16`s, as upper halves of `f32`s.
///
/// NaN needs no care: it is an operand's or the hardware's own, both of which end in zeros and are
/// not carried away by rounding.
#[inline(always)]
fn halves_of_f32(a: v128, b: v128, f: impl Fn(v128, v128) -> v128) -> v128 {
    let (upper, half) = (u32x4_splat(0xffff_0000), u32x4_splat(0x8000));
    let even = i32x4_add(f(u32x4_shl(a, 16), u32x4_shl(b, 16)), half);
    let odd = i32x4_add(f(v128_and(a, upper), v128_and(b, upper)), half);
    ties_to_even(upper_halves(even, odd), lower_halves(even, odd))
}

/// The sum of two vectors of finite `f16`s. Until it is rounded, all is left too small by the same
/// power of two: then exponents and fractions need only be shifted, and subnormals are those of
/// `f32`, whose sums are exact.
#[inline(always)]
fn sum_f16(a: v128, b: v128) -> v128 {
    let place = u32x4_splat(0x8fff_e000);
    let even = |x| v128_and(i32x4_shr(u32x4_shl(x, 16), F16::GAP), place);
    let odd = |x| v128_and(i32x4_shr(x, F16::GAP), place);
    let (even, odd) = (f32x4_add(even(a), even(b)), f32x4_add(odd(a), odd(b)));
    let sign = v128_and(upper_halves(even, odd), splat::<F16>(F16::SIGN));
    // Back again, which shifts the sign out: an exponent of `f32` begins with three zeros here.
    let half = u32x4_splat(1 << (F16::CUT - 1));
    let rounded = |sum| u32x4_shl(i32x4_add(sum, half), F16::GAP);
    let (even, odd) = (rounded(even), rounded(odd));
    let magnitude = ties_to_even(upper_halves(even, odd), lower_halves(even, odd));
    v128_or(i16x8_min(magnitude, splat::<F16>(F16::BEYOND)), sign)
}

/// The larger patterns of two vectors. A NaN without its sign is larger than every number.
#[inline(always)]
fn max<S: Small>(a: v128, b: v128) -> v128 {
    let ready = |x| ordered::<S>(v128_andnot(x, nan_sign::<S>(x)));
    let (a, b) = (ready(a), ready(b));
    ordered::<S>(if is_16::<S>() { i16x8_max(a, b) } else { i8x16_max(a, b) })
}

/// The smaller patterns of two vectors. A NaN with a sign is smaller than every number.
#[inline(always)]
fn min<S: Small>(a: v128, b: v128) -> v128 {
    let ready = |x| ordered::<S>(v128_or(x, nan_sign::<S>(x)));
    let (a, b) = (ready(a), ready(b));
    ordered::<S>(if is_16::<S>() { i16x8_min(a, b) } else { i8x16_min(a, b) })
}

pub(super) const fn is_16<S: Small>() -> bool {
    S::SIGN == F16::SIGN
}

/// `bits` in every lane.
#[inline(always)]
fn splat<S: Small>(bits: u32) -> v128 {
    if is_16::<S>() { u16x8_splat(bits as u16) } else { u8x16_splat(bits as u8) }
}

/// The sign bit, where a pattern is a NaN.
#[inline(always)]
fn nan_sign<S: Small>(x: v128) -> v128 {
    let (magnitude, last) = (v128_and(x, splat::<S>(S::SIGN - 1)), splat::<S>(S::LAST));
    let nan = if is_16::<S>() { i16x8_gt(magnitude, last) } else { i8x16_gt(magnitude, last) };
    v128_and(nan, splat::<S>(S::SIGN))
}

/// Patterns as integers of the same order, -0 below +0; and back.
#[inline(always)]
fn ordered<S: Small>(x: v128) -> v128 {
    let zero = splat::<S>(0);
    let negative = if is_16::<S>() { i16x8_lt(x, zero) } else { i8x16_lt(x, zero) };
    v128_xor(x, v128_and(negative, splat::<S>(S::SIGN - 1)))
}
