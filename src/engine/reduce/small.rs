//! Floats of at most 16 bits, as the kernels see them: patterns that are widened to `f32`, computed
//! with, and narrowed to the nearest pattern again.
//!
//! Both ways are branch-free recipes on bits, so that the vector kernels follow the same ones:
//!
//! - *Widening* moves exponent and fraction to their places in an `f32`, which is then too small by
//!   a constant power of two, subnormals included; one exact multiplication puts that right.
//! - *Narrowing* rounds normal numbers by adding half a step of the last place kept, less one bit
//!   where that place is even, before cutting the rest off. For subnormal results it lets `f32`
//!   addition round: beside a number whose last place is the smallest subnormal, only whole ones
//!   of these are left.
#![forbid(unsafe_code)]

/// Bits of an `f32`'s fraction.
pub(super) const FRACTION: u32 = f32::MANTISSA_DIGITS - 1;
/// What the exponent field of an `f32` 1.0 holds.
const BIAS: u32 = 127;
/// The bits of an `f32`'s infinity, its whole exponent field.
pub(super) const INFINITY: u32 = 0x7f80_0000;

/// A float type of at most 16 bits. Patterns without their sign are called magnitudes.
pub trait Small {
    /// Bits of the fraction.
    const FRACTION: u32;
    /// What the exponent field of 1.0 holds.
    const BIAS: u32;
    /// The sign bit.
    const SIGN: u32;
    /// The magnitude of the largest finite number.
    const FINITE: u32;
    /// The largest magnitude that is no NaN.
    const LAST: u32;
    /// The magnitude that results beyond the range get.
    const BEYOND: u32;
    /// The magnitude that NaN gets.
    const NAN: u32 = Self::SIGN - 1;

    /// Bits that an `f32` has more in its fraction.
    const CUT: u32 = FRACTION - Self::FRACTION;
    /// Bits that its exponent field is shorter.
    const GAP: u32 = Self::SIGN_SHIFT - Self::CUT;
    /// The sign's way from its place in an `f32`.
    const SIGN_SHIFT: u32 = Self::SIGN.leading_zeros();
    /// How many times too small a magnitude is in the place of an `f32`'s.
    const REBIAS: f32 = f32::from_bits((2 * BIAS - Self::BIAS) << FRACTION);
    /// The bits of the smallest normal number as an `f32`.
    const NORMAL: u32 = (1 + BIAS - Self::BIAS) << FRACTION;
    /// What is added to the bits of a normal `f32` before they are cut off: half a step of the last
    /// place that is kept, less one, and the difference between the biases.
    const ROUND: u32 =
        ((1 << (Self::CUT - 1)) - 1u32).wrapping_sub((BIAS - Self::BIAS) << FRACTION);
    /// The bits of the largest number as an `f32`.
    const LARGEST: u32 = (Self::FINITE << Self::CUT) + ((BIAS - Self::BIAS) << FRACTION);
    /// The bits of the power of two beyond the largest number.
    const BINADE_BEYOND: u32 = (Self::LARGEST & INFINITY) + (1 << FRACTION);
    /// An `f32` whose last place is the smallest subnormal.
    const ALIGN: f32 = f32::from_bits((1 + BIAS - Self::BIAS + Self::CUT) << FRACTION);
}

/// IEEE 754 binary16.
#[derive(Clone, Copy)]
pub struct F16;

/// bfloat16.
#[derive(Clone, Copy)]
pub struct Bf16;

/// OCP FP8 E4M3: no infinities; results beyond the range become the largest number, as in NCCL.
#[derive(Clone, Copy)]
pub struct E4m3;

/// OCP FP8 E5M2; results beyond the range become the largest number, as in NCCL.
#[derive(Clone, Copy)]
pub struct E5m2;

impl Small for F16 {
    const FRACTION: u32 = 10;
    const BIAS: u32 = 15;
    const SIGN: u32 = 0x8000;
    const FINITE: u32 = 0x7bff;
    const LAST: u32 = 0x7c00;
    const BEYOND: u32 = Self::LAST;
}

impl Small for Bf16 {
    const FRACTION: u32 = 7;
    const BIAS: u32 = 127;
    const SIGN: u32 = 0x8000;
    const FINITE: u32 = 0x7f7f;
    const LAST: u32 = 0x7f80;
    const BEYOND: u32 = Self::LAST;
}

impl Small for E4m3 {
    const FRACTION: u32 = 3;
    const BIAS: u32 = 7;
    const SIGN: u32 = 0x80;
    const FINITE: u32 = 0x7e;
    const LAST: u32 = Self::FINITE;
    const BEYOND: u32 = Self::FINITE;
}

impl Small for E5m2 {
    const FRACTION: u32 = 2;
    const BIAS: u32 = 15;
    const SIGN: u32 = 0x80;
    const FINITE: u32 = 0x7b;
    const LAST: u32 = 0x7c;
    const BEYOND: u32 = Self::FINITE;
}

/// The value of a pattern, exactly.
pub fn widen<S: Small>(pattern: u32) -> f32 {
    let magnitude = pattern & (S::SIGN - 1);
    let finite = f32::from_bits(magnitude << S::CUT) * S::REBIAS;
    // A whole exponent field makes infinities and NaNs of what follows the largest number.
    let special = if magnitude > S::FINITE { INFINITY } else { 0 };
    f32::from_bits(finite.to_bits() | special | ((pattern & S::SIGN) << S::SIGN_SHIFT))
}

/// The pattern nearest to `value`, of two the even one; NaN stays NaN.
pub fn narrow<S: Small>(value: f32) -> u32 {
    let magnitude = value.to_bits() & (u32::MAX >> 1);
    let sign = (value.to_bits() >> S::SIGN_SHIFT) & S::SIGN;
    let narrowed = if magnitude > INFINITY {
        S::NAN
    } else if magnitude < S::NORMAL {
        (f32::from_bits(magnitude) + S::ALIGN).to_bits() - S::ALIGN.to_bits()
    } else {
        let odd = (magnitude >> S::CUT) & 1;
        (magnitude.wrapping_add(S::ROUND + odd) >> S::CUT).min(S::BEYOND)
    };
    sign | narrowed
}
