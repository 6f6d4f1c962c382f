//! The reference kernels: one element at a time, on every target, in safe code.
//!
//! They define what every faster kernel must return. Elements are read with `from_le_bytes` out of
//! fixed-size chunks, so any alignment is fine and the loops are plain enough for the compiler to
//! vectorise.
//!
//! Floats of at most 16 bits are computed with in `f32`, and every result is rounded to the type.
//! That equals rounding the exact result once (see [`plain`](super::plain)), which is what NCCL's
//! `__hadd2` and `__hmul2` return, and for fp8, which NCCL adds in binary16, as well.
//!
//! # NaN
//!
//! A NaN in either operand, or an invalid operation such as `inf - inf`, gives *a* NaN. Its sign
//! and payload are left to the hardware, and kernels may differ in them: **any NaN equals any
//! NaN**. Every other result is the same bits in every kernel. Writing one canonical NaN instead
//! costs a third of the bandwidth of a sum in L1, which every finite run would pay.
#![forbid(unsafe_code)]

mod wide;

pub use wide::{accumulate, narrow, widen};

use super::small::{self, Bf16, E4m3, E5m2, F16, Small};
use super::{Arithmetic, Dtype, ReduceOp};
use std::marker::PhantomData;

/// The reference kernels as an arithmetic.
pub static ARITHMETIC: Arithmetic =
    Arithmetic { combine, combine_into, scale, divide, round, widen, narrow, accumulate };

/// The largest number of ranks a mean divides by: up to here every type's quotient is the exact
/// one, rounded once.
pub const MAX_DIVISOR: usize = 1 << 12;

/// `acc[i] = acc[i] ⊕ other[i]` for every element. A mean combines as a sum.
///
/// Both slices hold the same whole number of little-endian elements of `dtype`.
///
/// # Panics
/// If the lengths differ or are not a multiple of the element size.
pub fn combine(op: ReduceOp, dtype: Dtype, acc: &mut [u8], other: &[u8]) {
    match dtype {
        Dtype::F32 => combine_elements::<f32, 4>(op, acc, other),
        Dtype::F64 => combine_elements::<f64, 8>(op, acc, other),
        Dtype::F16 => combine_elements::<Pattern<F16>, 2>(op, acc, other),
        Dtype::Bf16 => combine_elements::<Pattern<Bf16>, 2>(op, acc, other),
        Dtype::E4m3 => combine_elements::<Pattern<E4m3>, 1>(op, acc, other),
        Dtype::E5m2 => combine_elements::<Pattern<E5m2>, 1>(op, acc, other),
        Dtype::I8 => combine_elements::<i8, 1>(op, acc, other),
        Dtype::U8 => combine_elements::<u8, 1>(op, acc, other),
        Dtype::I32 => combine_elements::<i32, 4>(op, acc, other),
        Dtype::I64 => combine_elements::<i64, 8>(op, acc, other),
    }
}

/// `out[i] = left[i] ⊕ right[i]` for every element.
///
/// # Panics
/// As [`combine`].
pub fn combine_into(op: ReduceOp, dtype: Dtype, out: &mut [u8], left: &[u8], right: &[u8]) {
    out.copy_from_slice(left);
    combine(op, dtype, out, right);
}

/// Multiplies every float of `data` by 1/n, which is rounded to the type first, as NCCL does.
///
/// # Panics
/// If `data` is not a whole number of elements, or `dtype` is an integer type.
pub fn scale(dtype: Dtype, data: &mut [u8], n: usize) {
    match dtype {
        Dtype::F32 => scale_elements::<f32, 4>(data, 1.0 / n as f32),
        Dtype::F64 => scale_elements::<f64, 8>(data, 1.0 / n as f64),
        Dtype::F16 => scale_elements::<Pattern<F16>, 2>(data, Pattern::new(1.0 / n as f32)),
        Dtype::Bf16 => scale_elements::<Pattern<Bf16>, 2>(data, Pattern::new(1.0 / n as f32)),
        Dtype::E4m3 => scale_elements::<Pattern<E4m3>, 1>(data, Pattern::new(1.0 / n as f32)),
        Dtype::E5m2 => scale_elements::<Pattern<E5m2>, 1>(data, Pattern::new(1.0 / n as f32)),
        Dtype::I8 | Dtype::U8 | Dtype::I32 | Dtype::I64 => super::never_scaled(),
    }
}

/// Divides every element of `data` by `n`: floats round once, integers truncate toward zero.
///
/// # Panics
/// If `data` is not a whole number of elements, or `n` is zero or above [`MAX_DIVISOR`].
pub fn divide(dtype: Dtype, data: &mut [u8], n: usize) {
    assert_divides(n);
    match dtype {
        Dtype::F32 => divide_elements::<f32, 4>(data, n),
        Dtype::F64 => divide_elements::<f64, 8>(data, n),
        Dtype::F16 => divide_elements::<Pattern<F16>, 2>(data, n),
        Dtype::Bf16 => divide_elements::<Pattern<Bf16>, 2>(data, n),
        Dtype::E4m3 => divide_elements::<Pattern<E4m3>, 1>(data, n),
        Dtype::E5m2 => divide_elements::<Pattern<E5m2>, 1>(data, n),
        Dtype::I8 | Dtype::U8 | Dtype::I32 | Dtype::I64 => divide_integers(dtype, data, n),
    }
}

pub(super) fn assert_divides(n: usize) {
    assert!((1..=MAX_DIVISOR).contains(&n), "a mean cannot divide by {n} ranks");
}

/// [`divide`] for the integer types, which no instruction divides as vectors.
pub(super) fn divide_integers(dtype: Dtype, data: &mut [u8], n: usize) {
    match dtype {
        Dtype::I8 => divide_elements::<i8, 1>(data, n),
        Dtype::U8 => divide_elements::<u8, 1>(data, n),
        Dtype::I32 => divide_elements::<i32, 4>(data, n),
        _ => divide_elements::<i64, 8>(data, n),
    }
}

/// Rounds every `f32` of `data` to the nearest value of a smaller float type; it stays an `f32`.
///
/// # Panics
/// If `data` is not a whole number of `f32`s.
pub fn round(dtype: Dtype, data: &mut [u8]) {
    match dtype {
        Dtype::F16 => map(data, |x: f32| Pattern::<F16>::new(x).value()),
        Dtype::Bf16 => map(data, |x: f32| Pattern::<Bf16>::new(x).value()),
        Dtype::E4m3 => map(data, |x: f32| Pattern::<E4m3>::new(x).value()),
        Dtype::E5m2 => map(data, |x: f32| Pattern::<E5m2>::new(x).value()),
        _ => {}
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

/// Integers wrap, and divide in 64 bits, because `n` need not fit into the type.
macro_rules! integer {
    ($type:ident, $size:literal) => {
        impl Element<$size> for $type {
            fn load(bytes: [u8; $size]) -> $type {
                $type::from_le_bytes(bytes)
            }

            fn store(self) -> [u8; $size] {
                self.to_le_bytes()
            }

            fn add(self, other: $type) -> $type {
                self.wrapping_add(other)
            }

            fn multiply(self, other: $type) -> $type {
                self.wrapping_mul(other)
            }

            fn max(self, other: $type) -> $type {
                Ord::max(self, other)
            }

            fn min(self, other: $type) -> $type {
                Ord::min(self, other)
            }

            fn divide(self, n: i32) -> $type {
                (i64::from(self) / i64::from(n)) as $type
            }
        }
    };
}

integer!(i8, 1);
integer!(u8, 1);
integer!(i32, 4);
integer!(i64, 8);

/// `f32::max` drops NaN. These two are IEEE 754-2019 maximum and minimum: of two equal values only
/// the signs of zeros can differ, and AND clears the sign where OR keeps it.
macro_rules! float {
    ($type:ident, $size:literal) => {
        impl Element<$size> for $type {
            fn load(bytes: [u8; $size]) -> $type {
                $type::from_le_bytes(bytes)
            }

            fn store(self) -> [u8; $size] {
                self.to_le_bytes()
            }

            fn add(self, other: $type) -> $type {
                self + other
            }

            fn multiply(self, other: $type) -> $type {
                self * other
            }

            fn max(self, other: $type) -> $type {
                if self > other {
                    self
                } else if self < other {
                    other
                } else if self == other {
                    $type::from_bits(self.to_bits() & other.to_bits())
                } else {
                    $type::NAN
                }
            }

            fn min(self, other: $type) -> $type {
                if self < other {
                    self
                } else if self > other {
                    other
                } else if self == other {
                    $type::from_bits(self.to_bits() | other.to_bits())
                } else {
                    $type::NAN
                }
            }

            fn divide(self, n: i32) -> $type {
                self / n as $type
            }
        }
    };
}

float!(f32, 4);
float!(f64, 8);

/// A bit pattern of a small float.
struct Pattern<S>(u32, PhantomData<S>);

impl<S> Clone for Pattern<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Pattern<S> {}

impl<S: Small> Pattern<S> {
    fn new(value: f32) -> Self {
        Pattern(small::narrow::<S>(value), PhantomData)
    }

    fn value(self) -> f32 {
        small::widen::<S>(self.0)
    }

    /// The pattern of a value that is one of the operands, or NaN: nothing is rounded.
    fn chosen(value: f32, operands: [Self; 2]) -> Self {
        let found = operands.into_iter().find(|o| o.value().to_bits() == value.to_bits());
        found.unwrap_or(Pattern(S::NAN, PhantomData))
    }
}

/// Small floats compute in `f32`. `max` and `min` return one of the operands.
macro_rules! small {
    ($small:ident, $bits:ident, $size:literal) => {
        impl Element<$size> for Pattern<$small> {
            fn load(bytes: [u8; $size]) -> Self {
                Pattern($bits::from_le_bytes(bytes).into(), PhantomData)
            }

            fn store(self) -> [u8; $size] {
                (self.0 as $bits).to_le_bytes()
            }

            fn add(self, other: Self) -> Self {
                Pattern::new(self.value() + other.value())
            }

            fn multiply(self, other: Self) -> Self {
                Pattern::new(self.value() * other.value())
            }

            fn max(self, other: Self) -> Self {
                Pattern::chosen(Element::max(self.value(), other.value()), [self, other])
            }

            fn min(self, other: Self) -> Self {
                Pattern::chosen(Element::min(self.value(), other.value()), [self, other])
            }

            fn divide(self, n: i32) -> Self {
                Pattern::new(self.value() / n as f32)
            }
        }
    };
}

small!(F16, u16, 2);
small!(Bf16, u16, 2);
small!(E4m3, u8, 1);
small!(E5m2, u8, 1);

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

fn scale_elements<T: Element<SIZE>, const SIZE: usize>(data: &mut [u8], factor: T) {
    map(data, |x: T| x.multiply(factor));
}

fn divide_elements<T: Element<SIZE>, const SIZE: usize>(data: &mut [u8], n: usize) {
    map(data, |x: T| x.divide(n as i32));
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
