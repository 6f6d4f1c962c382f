//! Reductions: the element types, the operators, and the arithmetic that applies them to bytes.
//!
//! There are three implementations of one [`Arithmetic`]: [`plain`] for the page and the oracle;
//! [`scalar`], the reference of the kernels, on every target; and `simd128`, which does the same
//! with 128-bit vectors where the target has them. They agree bit for bit, except that any NaN
//! equals any NaN.

mod dtype;
pub mod plain;
pub mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub mod simd128;
pub mod small;

pub use dtype::{Dtype, Format};

use super::schedule::Marks;
use serde::{Deserialize, Serialize};

/// The fastest kernels of this target.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use self::scalar::ARITHMETIC as KERNELS;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use self::simd128::ARITHMETIC as KERNELS;

/// When a mean divides: before the first addition or after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MeanKind {
    /// Every rank multiplies its own input by 1/n, rounded to the type, before it is first read
    /// (NCCL's float average).
    PreScale,
    /// The op that completes a chunk divides the sum by n, once. Integers truncate toward zero.
    PostScale,
}

/// What a reduction computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReduceOp {
    /// Addition; integers wrap.
    Sum,
    /// Multiplication; integers wrap.
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
        self != ReduceOp::Mean(MeanKind::PreScale) || dtype.format().is_some()
    }

    /// The element that changes no other: `x ⊕ neutral` is `x`, bit for bit. A mean has none.
    ///
    /// Of float sums it is -0, because `-0 + 0` is `+0`. Of a type without infinities a minimum or
    /// maximum has the largest finite number.
    pub fn neutral(self, dtype: Dtype) -> Option<plain::Values> {
        use plain::Values::{Floats, Integers};
        let (least, most) = dtype.range().unwrap_or_default();
        let float = |value: f64| Floats(vec![value]);
        Some(match (self, dtype.format()) {
            (ReduceOp::Mean(_), _) => return None,
            (ReduceOp::Sum, None) => Integers(vec![0]),
            (ReduceOp::Product, None) => Integers(vec![1]),
            (ReduceOp::Max, None) => Integers(vec![least]),
            (ReduceOp::Min, None) => Integers(vec![most]),
            (ReduceOp::Sum, Some(_)) => float(-0.0),
            (ReduceOp::Product, Some(_)) => float(1.0),
            (ReduceOp::Max, Some(format)) => float(-largest(format)),
            (ReduceOp::Min, Some(format)) => float(largest(format)),
        })
    }

    /// Whether the result is one of the operands.
    pub fn selects(self) -> bool {
        matches!(self, ReduceOp::Max | ReduceOp::Min)
    }
}

/// The largest value of a float type: infinity, where it has one.
fn largest(format: Format) -> f64 {
    if format.saturates { format.max } else { f64::INFINITY }
}

/// Where a reduction of small floats rounds to its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Accumulate {
    /// After every operation.
    InType,
    /// Once, at the op that completes a chunk. Until then inputs, messages and partial results are
    /// `f32`: casts to `f32` before the collective and back behind it, as local copies.
    WireF32,
    /// Once, too, but only partial sums are `f32`: the owner of a chunk adds up what comes, and
    /// everything that travels is of the type. This takes a schedule whose partial sums stay where
    /// they are made ([`fusable`](super::check::fusable)).
    OwnerF32,
}

impl Accumulate {
    /// Every choice, in the order a picker shows them.
    pub const ALL: [Accumulate; 3] =
        [Accumulate::InType, Accumulate::WireF32, Accumulate::OwnerF32];

    /// The name used in URLs, tables and exports.
    pub fn name(self) -> &'static str {
        match self {
            Accumulate::InType => "type",
            Accumulate::WireF32 => "f32",
            Accumulate::OwnerF32 => "owner",
        }
    }

    /// Whether this makes a difference to `op` on `dtype`: only results that are rounded to fewer
    /// bits than an `f32` has can be rounded later.
    pub fn supports(self, op: ReduceOp, dtype: Dtype) -> bool {
        self == Accumulate::InType || (dtype.is_small_float() && !op.selects())
    }
}

/// One implementation of all operators on all types, on little-endian elements of any alignment.
///
/// # Panics
/// All of them panic if a slice ends inside an element, or two differ in length.
#[derive(Debug)]
pub struct Arithmetic {
    /// `acc[i] = acc[i] ⊕ other[i]`; a mean combines as a sum.
    pub combine: fn(ReduceOp, Dtype, acc: &mut [u8], other: &[u8]),
    /// `out[i] = left[i] ⊕ right[i]`.
    pub combine_into: fn(ReduceOp, Dtype, out: &mut [u8], left: &[u8], right: &[u8]),
    /// Multiplies floats by 1/n, which is rounded to the type first.
    pub scale: fn(Dtype, &mut [u8], n: usize),
    /// Divides by n; integers truncate toward zero.
    pub divide: fn(Dtype, &mut [u8], n: usize),
    /// Rounds `f32`s to what a smaller float type holds; they stay `f32`s.
    pub round: fn(Dtype, &mut [u8]),
    /// `wide[i] = narrow[i]`: elements of a smaller float type as `f32`s.
    pub widen: fn(Dtype, wide: &mut [u8], narrow: &[u8]),
    /// `narrow[i] = wide[i]`: `f32`s rounded to a smaller float type; NaN stays NaN.
    pub narrow: fn(Dtype, narrow: &mut [u8], wide: &[u8]),
    /// `acc[i] = acc[i] ⊕ other[i]`, where `acc` holds `f32`s and `other` elements of a smaller
    /// float type.
    pub accumulate: fn(ReduceOp, Dtype, acc: &mut [u8], other: &[u8]),
}

/// Integers have no 1/n to be multiplied by.
fn never_scaled() -> ! {
    panic!("integers are never scaled before they are added")
}

/// All other types are as wide as what they are accumulated in.
fn never_widened() -> ! {
    panic!("only floats of fewer bits are widened to f32")
}

/// Operands of two types have the same number of elements, `size` is that of one in `narrow`.
fn assert_as_many(wide: &[u8], narrow: &[u8], size: usize) {
    let as_many = wide.len().is_multiple_of(4) && wide.len() * size == narrow.len() * 4;
    assert!(as_many, "f32s and small floats differ in number");
}

/// A maximum is one of the operands.
fn never_accumulated() -> ! {
    panic!("maxima and minima need no wider sums")
}

/// The reduction of one run: operator, element type and the number of ranks a mean divides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reduction {
    /// What is computed.
    pub op: ReduceOp,
    /// On which elements.
    pub dtype: Dtype,
    /// Where it is rounded.
    pub accumulate: Accumulate,
    /// How many inputs a finished chunk holds.
    pub ranks: usize,
}

impl Reduction {
    /// `op` on `dtype`, rounded to it after every operation, over `ranks` ranks.
    pub fn new(op: ReduceOp, dtype: Dtype, ranks: usize) -> Self {
        Reduction { op, dtype, accumulate: Accumulate::InType, ranks }
    }

    /// Every reduction that exists, over `ranks` ranks.
    pub fn all(ranks: usize) -> impl Iterator<Item = Reduction> {
        let pairs = ReduceOp::ALL.into_iter().flat_map(|op| Dtype::ALL.map(|dtype| (op, dtype)));
        let all = pairs.flat_map(move |(op, dtype)| {
            Accumulate::ALL.map(|accumulate| Reduction { op, dtype, accumulate, ranks })
        });
        all.filter(|r| r.op.supports(r.dtype) && r.accumulate.supports(r.op, r.dtype))
    }

    /// The type of what lies in buffers and travels during the run.
    pub fn wire(&self) -> Dtype {
        match self.accumulate {
            Accumulate::InType | Accumulate::OwnerF32 => self.dtype,
            Accumulate::WireF32 => Dtype::F32,
        }
    }

    /// The type of partial sums.
    pub fn sums(&self) -> Dtype {
        match self.accumulate {
            Accumulate::InType => self.dtype,
            Accumulate::WireF32 | Accumulate::OwnerF32 => Dtype::F32,
        }
    }

    /// Elements of `dtype` as elements of the wire type.
    pub fn widened(&self, elements: Vec<u8>) -> Vec<u8> {
        match self.wire() {
            wire if wire == self.dtype => elements,
            wire => plain::Values::read(self.dtype, &elements).bytes(wire),
        }
    }

    /// Elements of the wire type as a partial sum.
    pub fn sum_of(&self, with: &Arithmetic, elements: Vec<u8>) -> Vec<u8> {
        let (wire, sums) = (self.wire(), self.sums());
        if wire == sums {
            return elements;
        }
        let mut sum = vec![0; elements.len() / wire.size_bytes() * sums.size_bytes()];
        (with.widen)(wire, &mut sum, &elements);
        sum
    }

    /// `acc[i] = acc[i] ⊕ other[i]`: a partial sum, and elements of the wire type.
    pub fn combine(&self, with: &Arithmetic, acc: &mut [u8], other: &[u8]) {
        match (self.wire(), self.sums()) {
            (wire, sums) if wire == sums => (with.combine)(self.op, wire, acc, other),
            (wire, _) => (with.accumulate)(self.op, wire, acc, other),
        }
    }

    /// `out[i] = left[i] ⊕ right[i]`: partial sums of the wire type.
    pub fn combine_into(&self, with: &Arithmetic, out: &mut [u8], left: &[u8], right: &[u8]) {
        (with.combine_into)(self.op, self.wire(), out, left, right);
    }

    /// Those of an op's marks that this reduction has something to do at. Others would only make
    /// copies.
    pub fn heeded(&self, marks: Marks) -> Marks {
        let scales = |kind| self.op == ReduceOp::Mean(kind);
        Marks {
            pre: marks.pre && (scales(MeanKind::PreScale) || self.widens()),
            post: marks.post && (scales(MeanKind::PostScale) || self.sums() != self.dtype),
        }
    }

    /// What a rank does to its own input when it is first read: a pre-scaled mean multiplies by
    /// 1/n.
    ///
    /// # Panics
    /// If the operator is not defined for the type ([`ReduceOp::supports`]).
    pub fn pre(&self, with: &Arithmetic, data: &mut [u8]) {
        if self.op == ReduceOp::Mean(MeanKind::PreScale) {
            (with.scale)(self.wire(), data, self.ranks);
        }
    }

    /// Whether partial sums are of a wider type than what travels.
    pub fn widens(&self) -> bool {
        self.wire() != self.sums()
    }

    /// What the op that completes a chunk does to the sum: a post-scaled mean divides by n, and
    /// what was accumulated in `f32` is rounded, where it stays `f32`.
    pub fn finish(&self, with: &Arithmetic, sum: &mut [u8]) {
        if self.op == ReduceOp::Mean(MeanKind::PostScale) {
            (with.divide)(self.sums(), sum, self.ranks);
        }
        if self.wire() != self.dtype {
            (with.round)(self.dtype, sum);
        }
    }

    /// What the op that completes a chunk makes of the sum: it is finished, and of the wire type.
    pub fn post(&self, with: &Arithmetic, mut sum: Vec<u8>) -> Vec<u8> {
        self.finish(with, &mut sum);
        if !self.widens() {
            return sum;
        }
        let (wire, sums) = (self.wire(), self.sums());
        let mut result = vec![0; sum.len() / sums.size_bytes() * wire.size_bytes()];
        (with.narrow)(wire, &mut result, &sum);
        result
    }
}
