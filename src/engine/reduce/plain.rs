//! Plain arithmetic: all types and operators on one path, written to be read.
//!
//! The page simulates with it, so that it carries no kernels, and the oracle judges with it. It
//! shares nothing with the kernels: floats are computed in `f64` and rounded once, integers in
//! `i64` and wrapped.
//!
//! Rounding an `f64` result again is innocuous: for `+ - × ÷` of p-bit operands it equals rounding
//! the exact result once, if the wider format has at least 2p + 2 bits (S. Figueroa, "When is
//! double rounding innocuous?", 1995). That holds for `f32` in `f64` (24 and 53 bits), and for the
//! kernels' way through `f32`: binary16 (11 and 24), bfloat16 (8), E4M3 (4) and E5M2 (3).
#![forbid(unsafe_code)]

use super::dtype::{Format, exponent, power_of_two};
use super::{Arithmetic, Dtype, ReduceOp, never_scaled};

/// The plain arithmetic on bytes.
pub static ARITHMETIC: Arithmetic = Arithmetic {
    combine: |op, dtype, acc, other| {
        assert_eq!(acc.len(), other.len(), "the operands of a reduction differ in length");
        let other = Values::read(dtype, other);
        on_bytes(dtype, acc, |acc| acc.combine(op, dtype, &other));
    },
    combine_into: |op, dtype, out, left, right| {
        out.copy_from_slice(left);
        (ARITHMETIC.combine)(op, dtype, out, right);
    },
    scale: |dtype, data, n| on_bytes(dtype, data, |values| values.scale(dtype, n)),
    divide: |dtype, data, n| on_bytes(dtype, data, |values| values.divide(dtype, n)),
    round: |dtype, data| on_bytes(Dtype::F32, data, |values| values.round(dtype)),
    widen: |dtype, wide, narrow| Values::read(dtype, narrow).write(Dtype::F32, wide),
    narrow: |dtype, narrow, wide| {
        let mut values = Values::read(Dtype::F32, wide);
        values.round(dtype);
        values.write(dtype, narrow);
    },
    accumulate: |op, dtype, acc, other| {
        let other = Values::read(dtype, other);
        on_bytes(Dtype::F32, acc, |acc| acc.combine(op, Dtype::F32, &other));
    },
};

fn on_bytes(dtype: Dtype, bytes: &mut [u8], work: impl FnOnce(&mut Values)) {
    let mut values = Values::read(dtype, bytes);
    work(&mut values);
    values.write(dtype, bytes);
}

/// Elements, exactly.
#[derive(Clone, Debug)]
pub enum Values {
    /// Of an integer type.
    Integers(Vec<i64>),
    /// Of a float type.
    Floats(Vec<f64>),
}

/// One element as people read it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Of an integer type.
    Int(i64),
    /// Of a float type of at most 32 bits.
    Single(f32),
    /// Of `f64`.
    Double(f64),
}

impl Number {
    /// The value, rounded where it is an integer beyond 2^53.
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Single(value) => value.into(),
            Number::Double(value) => value,
        }
    }
}

/// The elements of `bytes`.
pub fn numbers(dtype: Dtype, bytes: &[u8]) -> Vec<Number> {
    match Values::read(dtype, bytes) {
        Values::Integers(values) => values.into_iter().map(Number::Int).collect(),
        Values::Floats(values) => {
            let number = |value| match dtype {
                Dtype::F64 => Number::Double(value),
                _ => Number::Single(value as f32),
            };
            values.into_iter().map(number).collect()
        }
    }
}

impl Values {
    /// Numbers that are typed: they are whole for an integer type.
    pub fn typed(dtype: Dtype, numbers: impl Iterator<Item = f64>) -> Values {
        match dtype.format() {
            None => Values::Integers(numbers.map(|number| number as i64).collect()),
            Some(_) => Values::Floats(numbers.collect()),
        }
    }

    /// The values of an integer type.
    pub fn integers(&self) -> &[i64] {
        if let Values::Integers(values) = self { values } else { &[] }
    }

    /// The values of a float type.
    pub fn floats(&self) -> &[f64] {
        if let Values::Floats(values) = self { values } else { &[] }
    }

    /// The values of little-endian elements.
    pub fn read(dtype: Dtype, bytes: &[u8]) -> Values {
        let elements = bytes.chunks_exact(dtype.size_bytes()).map(bits);
        match dtype.format() {
            None => Values::Integers(elements.map(|bits| wrap(dtype, bits as i64)).collect()),
            Some(format) => Values::Floats(elements.map(|bits| float(format, bits)).collect()),
        }
    }

    /// Writes elements of `dtype`: the nearest that it holds, or, of integers, the lowest bits.
    pub fn write(&self, dtype: Dtype, bytes: &mut [u8]) {
        let elements = bytes.chunks_exact_mut(dtype.size_bytes());
        match (self, dtype.format()) {
            (Values::Floats(values), Some(format)) => {
                let pattern = |&value| float_bits(format, value);
                elements.zip(values.iter().map(pattern)).for_each(put)
            }
            _ => {
                let pattern = |&value| value as u64;
                elements.zip(self.integers().iter().map(pattern)).for_each(put)
            }
        }
    }

    /// The elements of `dtype` as bytes.
    pub fn bytes(&self, dtype: Dtype) -> Vec<u8> {
        let count = self.integers().len() + self.floats().len();
        let mut bytes = vec![0; count * dtype.size_bytes()];
        self.write(dtype, &mut bytes);
        bytes
    }

    /// `self = self ⊕ other`, on values of `dtype`.
    pub fn combine(&mut self, op: ReduceOp, dtype: Dtype, other: &Values) {
        match (self, other, dtype.format()) {
            (Values::Integers(acc), Values::Integers(other), _) => {
                let f = on_integers(op);
                acc.iter_mut().zip(other).for_each(|(a, &b)| *a = wrap(dtype, f(*a, b)));
            }
            (Values::Floats(acc), Values::Floats(other), Some(format)) => {
                let f = on_floats(op);
                acc.iter_mut().zip(other).for_each(|(a, &b)| *a = f(*a, b));
                if !op.selects() {
                    acc.iter_mut().for_each(|value| *value = settle(format, *value));
                }
            }
            _ => unreachable!("both are of {}", dtype.name()),
        }
    }

    /// Multiplies by 1/n, rounded to the type first.
    pub fn scale(&mut self, dtype: Dtype, n: usize) {
        let Some(format) = dtype.format() else { never_scaled() };
        let factor = settle(format, 1.0 / n as f64);
        self.map_floats(|value| settle(format, value * factor));
    }

    /// Divides by n; integers truncate toward zero.
    pub fn divide(&mut self, dtype: Dtype, n: usize) {
        if let Values::Integers(values) = self {
            values.iter_mut().for_each(|value| *value /= n as i64);
        } else if let Some(format) = dtype.format() {
            self.map_floats(|value| settle(format, value / n as f64));
        }
    }

    /// Rounds floats to what `dtype` holds.
    pub fn round(&mut self, dtype: Dtype) {
        if let Some(format) = dtype.format() {
            self.map_floats(|value| settle(format, value));
        }
    }

    fn map_floats(&mut self, f: impl Fn(f64) -> f64) {
        if let Values::Floats(values) = self {
            values.iter_mut().for_each(|value| *value = f(*value));
        }
    }
}

/// The nearest number that a format holds, of two the even one, and an infinity beyond its range.
pub fn nearest(format: Format, value: f64) -> f64 {
    match format.bits {
        64 => value,
        32 => f64::from(value as f32),
        _ => {
            let last = exponent(value).max(format.least) - format.fraction;
            // A step of the last place is a power of two: both products are exact.
            let rounded = (value * power_of_two(-last)).round_ties_even() * power_of_two(last);
            match rounded.abs() > format.max {
                true => f64::INFINITY.copysign(value),
                false => rounded,
            }
        }
    }
}

/// What arithmetic makes of a result.
fn settle(format: Format, value: f64) -> f64 {
    match nearest(format, value) {
        rounded if format.saturates && rounded.is_infinite() => format.max.copysign(rounded),
        rounded => rounded,
    }
}

/// The bits of an element.
fn bits(element: &[u8]) -> u64 {
    match *element {
        [byte] => byte.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => unreachable!("elements have 1, 2, 4 or 8 bytes"),
    }
}

/// Writes the lowest bits of a pattern.
fn put((element, bits): (&mut [u8], u64)) {
    for (place, byte) in element.iter_mut().zip(bits.to_le_bytes()) {
        *place = byte;
    }
}
/// The value of a float's bits.
fn float(format: Format, bits: u64) -> f64 {
    match format.bits {
        64 => f64::from_bits(bits),
        32 => f32::from_bits(bits as u32).into(),
        _ => small_value(format, bits as u32),
    }
}

/// The bits of the float nearest to a value.
fn float_bits(format: Format, value: f64) -> u64 {
    match format.bits {
        64 => value.to_bits(),
        32 => (value as f32).to_bits().into(),
        _ => small_bits(format, value).into(),
    }
}

/// The value of the bits of a format narrower than `f32`.
fn small_value(format: Format, bits: u32) -> f64 {
    let sign = 1 << (format.bits - 1);
    let (magnitude, hidden) = (bits & (sign - 1), 1 << format.fraction);
    let (power, fraction) = (magnitude / hidden, magnitude % hidden);
    let significand = fraction + if power > 0 { hidden } else { 0 };
    let last = format.least - format.fraction + power.max(1) as i32 - 1;
    let value = match f64::from(significand) * power_of_two(last) {
        value if value <= format.max => value,
        _ if fraction == 0 => f64::INFINITY,
        _ => f64::NAN,
    };
    if bits & sign == 0 { value } else { -value }
}

/// The bits nearest to a value in a format narrower than `f32`.
fn small_bits(format: Format, value: f64) -> u32 {
    let sign = 1 << (format.bits - 1);
    let magnitude = if value.is_nan() {
        sign - 1
    } else {
        // An infinity is what would follow the largest number.
        let beyond = 2.0 * power_of_two(exponent(format.max));
        let size = nearest(format, value).abs().min(beyond);
        let power = exponent(size).max(format.least);
        let significand = size * power_of_two(format.fraction - power);
        let pattern = ((power - format.least) << format.fraction) as u32 + significand as u32;
        // E4M3, which has no infinity, has its NaN there.
        pattern.min(sign - 1)
    };
    magnitude | if value.is_sign_negative() { sign } else { 0 }
}

/// An integer type has so many of the lowest bits.
fn wrap(dtype: Dtype, value: i64) -> i64 {
    match dtype {
        Dtype::I8 => (value as i8).into(),
        Dtype::U8 => (value as u8).into(),
        Dtype::I32 => (value as i32).into(),
        _ => value,
    }
}

fn on_integers(op: ReduceOp) -> fn(i64, i64) -> i64 {
    match op {
        ReduceOp::Sum | ReduceOp::Mean(_) => i64::wrapping_add,
        ReduceOp::Product => i64::wrapping_mul,
        ReduceOp::Max => i64::max,
        ReduceOp::Min => i64::min,
    }
}

/// Maxima and minima are written out, so that NaN and signed zeros follow the definition and not an
/// instruction.
fn on_floats(op: ReduceOp) -> fn(f64, f64) -> f64 {
    match op {
        ReduceOp::Sum | ReduceOp::Mean(_) => |a, b| a + b,
        ReduceOp::Product => |a, b| a * b,
        ReduceOp::Max => |a, b| match a == b {
            _ if a.is_nan() || b.is_nan() => f64::NAN,
            true if a.is_sign_negative() => b,
            false if a < b => b,
            _ => a,
        },
        ReduceOp::Min => |a, b| -on_floats(ReduceOp::Max)(-a, -b),
    }
}
