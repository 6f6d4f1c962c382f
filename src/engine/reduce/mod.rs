//! Reductions: the element types, the operators, and the kernels that apply them to bytes.
//!
//! [`scalar`] is the reference: one element at a time, on every target. `simd128` does the same
//! with 128-bit vectors where the target has them, and must agree with the reference bit for bit,
//! except that any NaN equals any NaN.

pub mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub mod simd128;

use serde::{Deserialize, Serialize};

// The fastest kernels of this target.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use self::scalar as kernels;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use self::simd128 as kernels;

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Dtype {
    /// IEEE 754 binary32.
    F32,
    /// 32-bit two's complement; sums and products wrap.
    I32,
}

impl Dtype {
    /// Every element type, in the order a picker shows them.
    pub const ALL: [Dtype; 2] = [Dtype::F32, Dtype::I32];

    /// Size of one element in bytes.
    pub fn size_bytes(self) -> usize {
        match self {
            Dtype::F32 | Dtype::I32 => 4,
        }
    }

    /// The name used in URLs, tables and exports.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::F32 => "f32",
            Dtype::I32 => "i32",
        }
    }
}

/// When a mean divides: before the first addition or after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MeanKind {
    /// Every rank multiplies its own input by 1/n before it is first read (NCCL's float average).
    PreScale,
    /// The op that completes a chunk divides the sum by n, once. Integers truncate toward zero.
    PostScale,
}

/// What a reduction computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReduceOp {
    /// Addition; `i32` wraps.
    Sum,
    /// Multiplication; `i32` wraps.
    Product,
    /// The larger value; NaN propagates, and `max(-0, +0) = +0`.
    Max,
    /// The smaller value; NaN propagates, and `min(-0, +0) = -0`.
    Min,
    /// The average over all ranks.
    Mean(MeanKind),
}

impl ReduceOp {
    /// Every operator, in the order a picker shows them.
    pub const ALL: [ReduceOp; 6] = [
        ReduceOp::Sum,
        ReduceOp::Max,
        ReduceOp::Min,
        ReduceOp::Product,
        ReduceOp::Mean(MeanKind::PostScale),
        ReduceOp::Mean(MeanKind::PreScale),
    ];

    /// The name used in URLs, tables and exports.
    pub fn name(self) -> &'static str {
        match self {
            ReduceOp::Sum => "sum",
            ReduceOp::Product => "product",
            ReduceOp::Max => "max",
            ReduceOp::Min => "min",
            ReduceOp::Mean(MeanKind::PostScale) => "mean",
            ReduceOp::Mean(MeanKind::PreScale) => "mean-pre",
        }
    }

    /// Whether this operator is defined for `dtype`. Scaling integers *before* they are added would
    /// throw away every remainder, so no library offers it.
    pub fn supports(self, dtype: Dtype) -> bool {
        !matches!((self, dtype), (ReduceOp::Mean(MeanKind::PreScale), Dtype::I32))
    }
}

/// The reduction of one run: operator, element type and the number of ranks a mean divides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reduction {
    /// What is computed.
    pub op: ReduceOp,
    /// On which elements.
    pub dtype: Dtype,
    /// How many inputs a finished chunk holds.
    pub ranks: usize,
}

impl Reduction {
    /// `acc[i] = acc[i] ⊕ other[i]` for every element, with the fastest kernel of this target.
    ///
    /// Both slices hold the same whole number of little-endian elements; any alignment is fine.
    pub fn combine(&self, acc: &mut [u8], other: &[u8]) {
        kernels::combine(self.op, self.dtype, acc, other);
    }

    /// What a rank does to its own input when it is first read: a pre-scaled mean multiplies by
    /// 1/n.
    ///
    /// # Panics
    /// If the operator is not defined for the type ([`ReduceOp::supports`]).
    pub fn pre(&self, data: &mut [u8]) {
        assert!(self.op.supports(self.dtype), "integers are never scaled before they are added");
        if self.op == ReduceOp::Mean(MeanKind::PreScale) {
            kernels::multiply(data, 1.0 / self.ranks as f32);
        }
    }

    /// What the op that completes a chunk does to it: a post-scaled mean divides by n.
    pub fn post(&self, data: &mut [u8]) {
        if self.op == ReduceOp::Mean(MeanKind::PostScale) {
            kernels::divide(self.dtype, data, self.ranks);
        }
    }
}
