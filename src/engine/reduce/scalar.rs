//! The reference kernels: one element at a time, on every target, in safe code.
//!
//! They define what every faster kernel must return. Elements are read with `from_le_bytes` out of
//! fixed-size chunks, so any alignment is fine and the loops are plain enough for the compiler to
//! vectorise.
//!
//! # NaN
//!
//! A NaN in either operand, or an invalid operation such as `inf - inf`, gives *a* NaN. Its sign
//! and payload are left to the hardware, and kernels may differ in them: **any NaN equals any
//! NaN**. Every other result is the same bits in every kernel. Writing one canonical NaN instead
//! costs a third of the bandwidth of a sum in L1, which every finite run would pay.
//!
//! # Adding an element type
//!
//! One `Element` impl here and one arm in each of the two matches on [`Dtype`].
#![forbid(unsafe_code)]

use super::{Dtype, ReduceOp};

/// The largest number of ranks a mean divides by: up to here `f32` holds every integer exactly.
pub const MAX_DIVISOR: usize = 1 << f32::MANTISSA_DIGITS;

/// `acc[i] = acc[i] ⊕ other[i]` for every element. A mean combines as a sum.
///
/// Both slices hold the same whole number of little-endian elements of `dtype`.
///
/// # Panics
/// If the lengths differ or are not a multiple of the element size.
pub fn combine(op: ReduceOp, dtype: Dtype, acc: &mut [u8], other: &[u8]) {
    match dtype {
        Dtype::F32 => combine_elements::<f32, 4>(op, acc, other),
        Dtype::I32 => combine_elements::<i32, 4>(op, acc, other),
    }
}

/// Multiplies every `f32` of `data` by `factor`, rounding once.
///
/// # Panics
/// If `data` is not a whole number of elements.
pub fn multiply(data: &mut [u8], factor: f32) {
    map(data, |x: f32| x * factor);
}

/// Divides every element of `data` by `n`: floats round once, integers truncate toward zero.
///
/// # Panics
/// If `data` is not a whole number of elements, or `n` is zero or above [`MAX_DIVISOR`].
pub fn divide(dtype: Dtype, data: &mut [u8], n: usize) {
    assert!((1..=MAX_DIVISOR).contains(&n), "a mean cannot divide by {n} ranks");
    let n = n as i32;
    match dtype {
        Dtype::F32 => map(data, |x: f32| x.divide(n)),
        Dtype::I32 => map(data, |x: i32| x.divide(n)),
    }
}

/// An element type of `SIZE` bytes and what the operators mean on it.
trait Element<const SIZE: usize>: Copy {
    fn load(bytes: [u8; SIZE]) -> Self;
    fn store(self) -> [u8; SIZE];
    fn add(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn divide(self, n: i32) -> Self;
}

impl Element<4> for f32 {
    fn load(bytes: [u8; 4]) -> f32 {
        f32::from_le_bytes(bytes)
    }

    fn store(self) -> [u8; 4] {
        self.to_le_bytes()
    }

    fn add(self, other: f32) -> f32 {
        self + other
    }

    fn multiply(self, other: f32) -> f32 {
        self * other
    }

    // `f32::max` drops NaN. These two are IEEE 754-2019 maximum and minimum: of two equal values
    // only the signs of zeros can differ, and AND clears the sign where OR keeps it.

    fn max(self, other: f32) -> f32 {
        if self > other {
            self
        } else if self < other {
            other
        } else if self == other {
            f32::from_bits(self.to_bits() & other.to_bits())
        } else {
            f32::NAN
        }
    }

    fn min(self, other: f32) -> f32 {
        if self < other {
            self
        } else if self > other {
            other
        } else if self == other {
            f32::from_bits(self.to_bits() | other.to_bits())
        } else {
            f32::NAN
        }
    }

    fn divide(self, n: i32) -> f32 {
        self / n as f32
    }
}

impl Element<4> for i32 {
    fn load(bytes: [u8; 4]) -> i32 {
        i32::from_le_bytes(bytes)
    }

    fn store(self) -> [u8; 4] {
        self.to_le_bytes()
    }

    fn add(self, other: i32) -> i32 {
        self.wrapping_add(other)
    }

    fn multiply(self, other: i32) -> i32 {
        self.wrapping_mul(other)
    }

    fn max(self, other: i32) -> i32 {
        Ord::max(self, other)
    }

    fn min(self, other: i32) -> i32 {
        Ord::min(self, other)
    }

    fn divide(self, n: i32) -> i32 {
        self / n
    }
}

/// [`combine`] for one element type. The operator is chosen once, outside the loop.
fn combine_elements<T: Element<SIZE>, const SIZE: usize>(
    op: ReduceOp,
    acc: &mut [u8],
    other: &[u8],
) {
    match op {
        ReduceOp::Sum | ReduceOp::Mean(_) => zip_with(acc, other, T::add),
        ReduceOp::Product => zip_with(acc, other, T::multiply),
        ReduceOp::Max => zip_with(acc, other, T::max),
        ReduceOp::Min => zip_with(acc, other, T::min),
    }
}

/// `acc[i] = f(acc[i], other[i])`.
fn zip_with<T: Element<SIZE>, const SIZE: usize>(
    acc: &mut [u8],
    other: &[u8],
    f: impl Fn(T, T) -> T,
) {
    assert_eq!(acc.len(), other.len(), "the operands of a reduction differ in length");
    let (acc, acc_rest) = acc.as_chunks_mut::<SIZE>();
    let (other, _) = other.as_chunks::<SIZE>();
    assert!(acc_rest.is_empty(), "a reduction ends inside an element");
    for (a, b) in acc.iter_mut().zip(other) {
        *a = f(T::load(*a), T::load(*b)).store();
    }
}

/// `data[i] = f(data[i])`.
fn map<T: Element<SIZE>, const SIZE: usize>(data: &mut [u8], f: impl Fn(T) -> T) {
    let (elements, rest) = data.as_chunks_mut::<SIZE>();
    assert!(rest.is_empty(), "a reduction ends inside an element");
    for element in elements {
        *element = f(T::load(*element)).store();
    }
}
