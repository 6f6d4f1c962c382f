//! Element types, and what each of them can hold.

use serde::{Deserialize, Serialize};

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Dtype {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// IEEE 754 binary16.
    F16,
    /// bfloat16: the upper half of an `f32`.
    Bf16,
    /// OCP FP8 E4M3 ("fn"): no infinities, one NaN of either sign, at most 448.
    E4m3,
    /// OCP FP8 E5M2: the upper half of an `f16`.
    E5m2,
    /// 8-bit two's complement.
    I8,
    /// 8-bit unsigned.
    U8,
    /// 32-bit two's complement.
    I32,
    /// 64-bit two's complement.
    I64,
}

/// What a floating-point type can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// Bits of the whole.
    pub bits: u32,
    /// Bits of the fraction; the significand has one more.
    pub fraction: i32,
    /// Exponent of the smallest normal number.
    pub least: i32,
    /// The largest finite number.
    pub max: f64,
    /// Whether arithmetic that leaves the range ends at the largest finite number, instead of at an
    /// infinity.
    pub saturates: bool,
}

impl Format {
    /// The unit roundoff: half the distance from 1 to the next number.
    pub fn roundoff(self) -> f64 {
        power_of_two(-self.fraction - 1)
    }

    /// The smallest number above zero.
    pub fn smallest(self) -> f64 {
        power_of_two(self.least) * power_of_two(-self.fraction)
    }
}

/// The exponent of the leading bit of a normal `f64`.
pub(super) fn exponent(value: f64) -> i32 {
    ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// 2 to the power of an exponent that a normal `f64` can have.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

impl Dtype {
    /// Every element type, in the order a picker shows them.
    pub const ALL: [Dtype; 10] = [
        Dtype::F32,
        Dtype::F64,
        Dtype::F16,
        Dtype::Bf16,
        Dtype::E4m3,
        Dtype::E5m2,
        Dtype::I8,
        Dtype::U8,
        Dtype::I32,
        Dtype::I64,
    ];

    /// Size of one element in bytes.
    pub fn size_bytes(self) -> usize {
        match self {
            Dtype::E4m3 | Dtype::E5m2 | Dtype::I8 | Dtype::U8 => 1,
            Dtype::F16 | Dtype::Bf16 => 2,
            Dtype::F32 | Dtype::I32 => 4,
            Dtype::F64 | Dtype::I64 => 8,
        }
    }

    /// The name used in URLs, pickers, tables and exports.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::F32 => "f32",
            Dtype::F64 => "f64",
            Dtype::F16 => "f16",
            Dtype::Bf16 => "bf16",
            Dtype::E4m3 => "fp8-e4m3",
            Dtype::E5m2 => "fp8-e5m2",
            Dtype::I8 => "i8",
            Dtype::U8 => "u8",
            Dtype::I32 => "i32",
            Dtype::I64 => "i64",
        }
    }

    /// What a floating-point type can hold; `None` for integers.
    pub fn format(self) -> Option<Format> {
        let (bits, fraction, least, max) = match self {
            Dtype::F64 => (64, 52, -1022, f64::MAX),
            Dtype::F32 => (32, 23, -126, f64::from(f32::MAX)),
            Dtype::F16 => (16, 10, -14, 65504.0),
            Dtype::Bf16 => (16, 7, -126, 255.0 * power_of_two(120)),
            Dtype::E4m3 => (8, 3, -6, 448.0),
            Dtype::E5m2 => (8, 2, -14, 57344.0),
            Dtype::I8 | Dtype::U8 | Dtype::I32 | Dtype::I64 => return None,
        };
        // As in NCCL, whose fp8 arithmetic ends in CUDA's saturating conversion.
        Some(Format { bits, fraction, least, max, saturates: bits == 8 })
    }

    /// Least and largest value of an integer type; `None` for floats.
    pub fn range(self) -> Option<(i64, i64)> {
        match self {
            Dtype::I8 => Some((i8::MIN.into(), i8::MAX.into())),
            Dtype::U8 => Some((u8::MIN.into(), u8::MAX.into())),
            Dtype::I32 => Some((i32::MIN.into(), i32::MAX.into())),
            Dtype::I64 => Some((i64::MIN, i64::MAX)),
            _ => None,
        }
    }

    /// Whether arithmetic rounds to fewer bits than an `f32` has.
    pub fn is_small_float(self) -> bool {
        self.format().is_some_and(|format| format.fraction < 23)
    }
}
