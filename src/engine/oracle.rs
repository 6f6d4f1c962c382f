//! The independent oracle: was the result right?
//!
//! Two verdicts on every output element, neither of which uses the kernels or the rank machine:
//!
//! - *bits*: the element equals a serial evaluation of the expression the checker derived,
//!   operation by operation (any NaN equals any NaN);
//! - *error*: it lies within a bound of the result in exact arithmetic. With the type's unit
//!   roundoff u and an expression of depth d, a sum is off by at most γ(d) Σ|x|, and a product of n
//!   values by γ(n-1) |Πx|, where γ(k) = (1 + u)^k - 1 (after N. Higham, "Accuracy and Stability
//!   of Numerical Algorithms", section 3.1); scaling adds roundings, and every result below the
//!   normal range may be off by half the smallest number. Integers, minima and maxima must be
//!   exact.
//!
//! Inputs are either typed by hand, or a function of (seed, rank, position) that every rank can
//! evaluate for every other, so large results are verified where they are, in pieces.

mod bound;

use super::check::{Expression, Proof};
use super::memory::{Lengths, SAMPLE_PER_CHUNK};
use super::reduce::plain::Values;
use super::reduce::{Dtype, MeanKind, ReduceOp, Reduction};
use super::{Label, Rank};
use bound::Bound;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What every rank starts with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Inputs {
    /// Little-endian elements per rank, blocks one after the other. A rank that has no input has
    /// none.
    Typed(Vec<Vec<u8>>),
    /// Element `i` of the whole vector at rank `r` is [`seeded`]`(seed, r, i)`.
    Seeded(u64),
}

/// Seeded elements `range` of the whole vector at `rank`: floats are spread over [-2, 2) (never 0,
/// before they are rounded to the type), `i8` and `u8` over all values, `i32` over 16 bits, `i64`
/// over 56, whose sums no `f64` holds.
pub fn seeded(dtype: Dtype, seed: u64, rank: Rank, range: Range<usize>) -> Values {
    let bits = move |position: usize| {
        let x = seed.wrapping_add((rank as u64) << 40).wrapping_add(position as u64);
        let x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    let used = seeded_bits(dtype);
    match dtype.format() {
        None => Values::Integers(range.map(|at| bits(at) as i64 >> (64 - used)).collect()),
        Some(_) => Values::Floats(range.map(|at| spread(bits(at), used)).collect()),
    }
}

/// How many bits of a random number a seeded element is made of: as many as there are in the
/// largest fraction, or in the integer.
pub fn seeded_bits(dtype: Dtype) -> u32 {
    match dtype {
        Dtype::I64 => 56,
        Dtype::F64 => 54,
        Dtype::I8 | Dtype::U8 | Dtype::I32 => 16,
        _ => 24,
    }
}

/// A number in [-2, 2) made of the first `bits` of `x`, of which the last counts as set.
fn spread(x: u64, bits: u32) -> f64 {
    let steps = (x >> (64 - bits) | 1) as i64 - (1 << (bits - 1));
    steps as f64 / (1i64 << (bits - 2)) as f64
}

impl Inputs {
    /// Writes the elements `range` of the whole vector, as `rank` holds them, to `out`.
    ///
    /// `starts_at` is the element of the whole vector that the rank's input begins with. Elements
    /// that the rank does not hold are left alone.
    fn fill(
        &self,
        dtype: Dtype,
        rank: Rank,
        starts_at: usize,
        range: Range<usize>,
        out: &mut [u8],
    ) {
        let size = dtype.size_bytes();
        match self {
            Inputs::Typed(ranks) => {
                let from = range.start.checked_sub(starts_at).map(|start| start * size);
                let held = from.and_then(|from| ranks.get(rank)?.get(from..from + out.len()));
                if let Some(held) = held {
                    out.copy_from_slice(held);
                }
            }
            Inputs::Seeded(seed) => {
                seeded(dtype, *seed, rank, range).write(dtype, out);
            }
        }
    }

    /// The bytes of a rank's whole input in the wire type; `labels` are its labels.
    pub fn of(
        &self,
        reduction: Reduction,
        rank: Rank,
        labels: &[Label],
        lengths: &Lengths,
    ) -> Vec<u8> {
        let dtype = reduction.dtype;
        let ranges: Vec<_> = labels.iter().map(|&label| lengths.range(label)).collect();
        let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else { return Vec::new() };
        let mut bytes = vec![0; (last.end - first.start) * dtype.size_bytes()];
        self.fill(dtype, rank, first.start, first.start..last.end, &mut bytes);
        reduction.widened(bytes)
    }

    /// The first elements of each chunk of a rank's input.
    pub fn sample(
        &self,
        dtype: Dtype,
        rank: Rank,
        labels: &[Label],
        lengths: &Lengths,
    ) -> Vec<Vec<u8>> {
        let starts_at = labels.first().map_or(0, |&label| lengths.range(label).start);
        let chunk = |&label: &Label| {
            let range = lengths.range(label);
            let range = range.start..range.end.min(range.start + SAMPLE_PER_CHUNK);
            let mut bytes = vec![0; range.len() * dtype.size_bytes()];
            self.fill(dtype, rank, starts_at, range, &mut bytes);
            bytes
        };
        labels.iter().map(chunk).collect()
    }
}

/// A step of an expression in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// Push this rank's contribution.
    Input(Rank),
    /// Pop two, push `left ⊕ right`.
    Reduce,
}

/// What one output chunk must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// Its elements in the whole vector.
    pub range: Range<usize>,
    /// Where in the whole vector the input of each contributing rank begins.
    pub starts: Vec<usize>,
    /// The expression the checker derived.
    pub steps: Vec<Step>,
    /// Its depth.
    pub depth: usize,
}

/// What every output chunk of `rank` must hold.
pub fn expected(
    schedule: &super::schedule::Schedule,
    proof: &Proof,
    rank: Rank,
    lengths: &Lengths,
) -> Vec<Expected> {
    let starts: Vec<usize> = (0..schedule.collective.ranks)
        .map(|r| schedule.collective.input(r).first().map_or(0, |&l| lengths.range(l).start))
        .collect();
    let chunk = |&id: &usize| {
        let steps = proof.expressions.postfix(id).into_iter().map(|e| match e {
            Expression::Input { rank, .. } => Step::Input(rank),
            Expression::Reduced { .. } => Step::Reduce,
        });
        Expected {
            range: lengths.range(proof.expressions.label(id)),
            starts: starts.clone(),
            steps: steps.collect(),
            depth: proof.expressions.depth(id),
        }
    };
    proof.outputs[rank].iter().map(chunk).collect()
}

/// What the oracle found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Elements compared.
    pub checked: u64,
    /// Elements whose bits differ from the serial evaluation.
    pub wrong_bits: u64,
    /// Elements outside the error bound.
    pub out_of_bound: u64,
    /// The largest error in units of its bound; 0 when everything was exact.
    pub worst: f64,
}

impl Verdict {
    /// Whether both verdicts are good.
    pub fn passed(&self) -> bool {
        self.wrong_bits == 0 && self.out_of_bound == 0
    }

    /// Both verdicts over two sets of elements.
    pub fn and(self, other: Verdict) -> Verdict {
        Verdict {
            checked: self.checked + other.checked,
            wrong_bits: self.wrong_bits + other.wrong_bits,
            out_of_bound: self.out_of_bound + other.out_of_bound,
            worst: self.worst.max(other.worst),
        }
    }
}

/// Elements that one call of [`verify`] evaluates at a time.
const BLOCK: usize = 4096;

/// Verifies the elements `part` (relative to the chunk) of an output chunk whose bytes, in the wire
/// type, are `result`.
pub fn verify(
    inputs: &Inputs,
    reduction: Reduction,
    expected: &Expected,
    part: Range<usize>,
    result: &[u8],
) -> Verdict {
    let size = reduction.wire().size_bytes();
    let mut verdict = Verdict::default();
    let mut start = part.start;
    while start < part.end {
        let end = (start + BLOCK).min(part.end);
        let bytes = &result[start * size..end * size];
        let range = expected.range.start + start..expected.range.start + end;
        verdict = verdict.and(verify_block(inputs, reduction, expected, range, bytes));
        start = end;
    }
    verdict
}

fn verify_block(
    inputs: &Inputs,
    reduction: Reduction,
    expected: &Expected,
    range: Range<usize>,
    result: &[u8],
) -> Verdict {
    let leaf = |rank: &Rank| {
        let mut bytes = vec![0; range.len() * reduction.dtype.size_bytes()];
        let starts_at = expected.starts.get(*rank).copied().unwrap_or(0);
        inputs.fill(reduction.dtype, *rank, starts_at, range.clone(), &mut bytes);
        Values::read(reduction.dtype, &bytes)
    };
    let ranks = expected.steps.iter().filter_map(|step| match step {
        Step::Input(rank) => Some(rank),
        Step::Reduce => None,
    });
    let leaves: Vec<Values> = ranks.map(leaf).collect();
    // Moving data is not reducing it: nothing is scaled on the way.
    let reduces = expected.steps.len() > 1 || reduction.ranks == 1;
    let bound = reduces.then(|| Bound::new(reduction, expected.depth));
    let serial = match &bound {
        Some(_) => evaluate(reduction, &expected.steps, &leaves),
        None => leaves.first().cloned().unwrap_or(Values::Integers(Vec::new())),
    };
    match (serial, Values::read(reduction.wire(), result)) {
        (Values::Integers(want), Values::Integers(got)) => {
            let column = |index| leaves.iter().map(move |leaf| leaf.integers()[index]);
            let error = |b: &Bound, index, got| b.integer_error(column(index), got);
            compare(&want, &got, |a, b| a == b, bound.as_ref(), error)
        }
        (Values::Floats(want), Values::Floats(got)) => {
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            let column = |index| leaves.iter().map(move |leaf| leaf.floats()[index]);
            let error = |b: &Bound, index, got| b.float_error(column(index), got);
            compare(&want, &got, same, bound.as_ref(), error)
        }
        _ => unreachable!("both are of {}", reduction.wire().name()),
    }
}

/// Evaluates an expression whose inputs are `leaves`, one operation after the other, each on all
/// elements.
fn evaluate(reduction: Reduction, steps: &[Step], leaves: &[Values]) -> Values {
    let Reduction { op, dtype, ranks, .. } = reduction;
    let (wire, sums) = (reduction.wire(), reduction.sums());
    let (mut stack, mut next) = (Vec::new(), leaves.iter().cloned());
    for step in steps {
        match step {
            Step::Input(_) => {
                let mut value = next.next();
                if let (ReduceOp::Mean(MeanKind::PreScale), Some(value)) = (op, &mut value) {
                    value.scale(wire, ranks);
                }
                stack.extend(value);
            }
            Step::Reduce => {
                let right = stack.pop();
                if let (Some(left), Some(right)) = (stack.last_mut(), right) {
                    left.combine(op, sums, &right);
                }
            }
        }
    }
    let mut result = stack.pop().unwrap_or(Values::Integers(Vec::new()));
    if op == ReduceOp::Mean(MeanKind::PostScale) {
        result.divide(sums, ranks);
    }
    if sums != dtype {
        result.round(dtype);
    }
    result
}

/// Compares every element; `error` is the error of a result in units of its bound. What was only
/// moved has to be the same.
fn compare<T: Copy>(
    want: &[T],
    got: &[T],
    same: impl Fn(T, T) -> bool,
    bound: Option<&Bound>,
    error: impl Fn(&Bound, usize, T) -> f64,
) -> Verdict {
    let mut verdict = Verdict::default();
    for (index, (&want, &got)) in want.iter().zip(got).enumerate() {
        let same = same(want, got);
        let moved = if same { 0.0 } else { 2.0 };
        let off = bound.map_or(moved, |bound| error(bound, index, got));
        verdict.checked += 1;
        verdict.wrong_bits += u64::from(!same);
        verdict.out_of_bound += u64::from(off > 1.0);
        verdict.worst = verdict.worst.max(off);
    }
    verdict
}
