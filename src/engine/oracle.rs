//! The independent oracle: was the result right?
//!
//! Two verdicts on every output element, neither of which uses the kernels or the rank machine:
//!
//! - *bits*: the element equals a serial evaluation of the expression the checker derived,
//!   operation by operation (any NaN equals any NaN);
//! - *error*: it lies within a bound of the result in exact arithmetic. With u = 2^-24 and an
//!   expression of depth d, a sum is off by at most γ(d) Σ|x|, and a product of n values by
//!   γ(n-1) |Πx|, where γ(k) = k u / (1 - k u) (N. Higham, "Accuracy and Stability of Numerical
//!   Algorithms", section 3.1); scaling adds roundings. Integers, minima and maxima must be exact.
//!
//! Inputs are either typed by hand, or a function of (seed, rank, position) that every rank can
//! evaluate for every other, so large results are verified where they are, in pieces.

mod bound;

use super::check::{Expression, Proof};
use super::memory::{Lengths, SAMPLE_PER_CHUNK, first_elements};
use super::reduce::{Dtype, MeanKind, ReduceOp, Reduction};
use super::{Label, Rank};
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

/// A seeded element: spread over [-2, 2) for `f32` (never 0), over all 16-bit integers for `i32`.
pub fn seeded(dtype: Dtype, seed: u64, rank: Rank, position: usize) -> [u8; 4] {
    let mut x = seed
        .wrapping_add((rank as u64) << 40)
        .wrapping_add(position as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    match dtype {
        Dtype::F32 => {
            // 24 random bits and a half: an odd multiple of 2^-23, so every bit of the mantissa
            // counts.
            let steps = (x >> 41) as i32 * 2 + 1 - (1 << 23);
            (steps as f32 / (1 << 22) as f32).to_le_bytes()
        }
        Dtype::I32 => ((x >> 48) as i16 as i32).to_le_bytes(),
    }
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
                for (position, element) in range.zip(out.chunks_exact_mut(size)) {
                    element.copy_from_slice(&seeded(dtype, *seed, rank, position)[..size]);
                }
            }
        }
    }

    /// The bytes of a rank's whole input, whose labels are `labels`.
    pub fn of(&self, dtype: Dtype, rank: Rank, labels: &[Label], lengths: &Lengths) -> Vec<u8> {
        let ranges: Vec<_> = labels.iter().map(|&label| lengths.range(label)).collect();
        let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else { return Vec::new() };
        let mut bytes = vec![0; (last.end - first.start) * dtype.size_bytes()];
        self.fill(dtype, rank, first.start, first.start..last.end, &mut bytes);
        bytes
    }
}

impl Inputs {
    /// The first elements of each chunk of a rank's input, as a trace would show them.
    pub fn sample(
        &self,
        dtype: Dtype,
        rank: Rank,
        labels: &[Label],
        lengths: &Lengths,
    ) -> Vec<Vec<f64>> {
        let starts_at = labels.first().map_or(0, |&label| lengths.range(label).start);
        let chunk = |&label: &Label| {
            let range = lengths.range(label);
            let range = range.start..range.end.min(range.start + SAMPLE_PER_CHUNK);
            let mut bytes = vec![0; range.len() * dtype.size_bytes()];
            self.fill(dtype, rank, starts_at, range, &mut bytes);
            first_elements(dtype, &bytes)
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

/// Verifies the elements `part` (relative to the chunk) of an output chunk whose bytes are
/// `result`.
pub fn verify(
    inputs: &Inputs,
    reduction: Reduction,
    expected: &Expected,
    part: Range<usize>,
    result: &[u8],
) -> Verdict {
    let size = reduction.dtype.size_bytes();
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
    let dtype = reduction.dtype;
    let leaf = |rank: Rank| {
        let mut bytes = vec![0; result.len()];
        let starts_at = expected.starts.get(rank).copied().unwrap_or(0);
        inputs.fill(dtype, rank, starts_at, range.clone(), &mut bytes);
        bytes
    };
    let words = |bytes: &[u8]| bytes.as_chunks::<4>().0.to_vec();
    let leaves: Vec<(Rank, Vec<[u8; 4]>)> = expected
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Input(rank) => Some((*rank, words(&leaf(*rank)))),
            Step::Reduce => None,
        })
        .collect();
    match dtype {
        Dtype::F32 => compare(
            &leaves,
            reduction,
            expected,
            &words(result),
            f32::from_le_bytes,
            float_arithmetic(reduction),
            |xs, got| bound::float_error(reduction, expected.depth, xs, got),
        ),
        Dtype::I32 => compare(
            &leaves,
            reduction,
            expected,
            &words(result),
            i32::from_le_bytes,
            integer_arithmetic(reduction),
            |xs, got| bound::integer_error(reduction, xs, got),
        ),
    }
}

/// The serial arithmetic of one type: pre-scale, `⊕`, post-scale, equality of bits.
struct Arithmetic<T> {
    pre: Box<dyn Fn(T) -> T>,
    combine: Box<dyn Fn(T, T) -> T>,
    post: Box<dyn Fn(T) -> T>,
    same: fn(T, T) -> bool,
}

fn float_arithmetic(reduction: Reduction) -> Arithmetic<f32> {
    let n = reduction.ranks as f32;
    let (inverse, op) = (1.0 / n, reduction.op);
    Arithmetic {
        pre: Box::new(
            move |x| if op == ReduceOp::Mean(MeanKind::PreScale) { x * inverse } else { x },
        ),
        combine: Box::new(move |a, b| match op {
            ReduceOp::Sum | ReduceOp::Mean(_) => a + b,
            ReduceOp::Product => a * b,
            // Written out, so that NaN and signed zeros follow the definition and not an
            // instruction.
            ReduceOp::Max | ReduceOp::Min if a.is_nan() || b.is_nan() => f32::NAN,
            ReduceOp::Max if a == b => {
                if a.is_sign_positive() {
                    a
                } else {
                    b
                }
            }
            ReduceOp::Min if a == b => {
                if a.is_sign_negative() {
                    a
                } else {
                    b
                }
            }
            ReduceOp::Max => {
                if a > b {
                    a
                } else {
                    b
                }
            }
            ReduceOp::Min => {
                if a < b {
                    a
                } else {
                    b
                }
            }
        }),
        post: Box::new(move |x| if op == ReduceOp::Mean(MeanKind::PostScale) { x / n } else { x }),
        same: |a, b| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
    }
}

fn integer_arithmetic(reduction: Reduction) -> Arithmetic<i32> {
    let (n, op) = (reduction.ranks as i32, reduction.op);
    Arithmetic {
        pre: Box::new(|x| x),
        combine: Box::new(move |a, b| match op {
            ReduceOp::Sum | ReduceOp::Mean(_) => a.wrapping_add(b),
            ReduceOp::Product => a.wrapping_mul(b),
            ReduceOp::Max => a.max(b),
            ReduceOp::Min => a.min(b),
        }),
        post: Box::new(move |x| if let ReduceOp::Mean(_) = op { x / n } else { x }),
        same: |a, b| a == b,
    }
}

/// Compares every element; `error` is the error of a result in units of its bound.
fn compare<T: Copy>(
    leaves: &[(Rank, Vec<[u8; 4]>)],
    reduction: Reduction,
    expected: &Expected,
    result: &[[u8; 4]],
    decode: fn([u8; 4]) -> T,
    arithmetic: Arithmetic<T>,
    error: impl Fn(&[T], T) -> f64,
) -> Verdict {
    // Moving data is not reducing it: nothing is scaled on the way.
    let reduces = expected.steps.len() > 1 || reduction.ranks == 1;
    let mut verdict = Verdict::default();
    let (mut stack, mut xs) = (Vec::new(), Vec::new());
    for (index, &got) in result.iter().enumerate() {
        let got = decode(got);
        stack.clear();
        xs.clear();
        let mut next = leaves.iter();
        for step in &expected.steps {
            match step {
                Step::Input(_) => {
                    let Some((_, leaf)) = next.next() else { continue };
                    let x = decode(leaf[index]);
                    xs.push(x);
                    stack.push(if reduces { (arithmetic.pre)(x) } else { x });
                }
                Step::Reduce => {
                    let (right, left) = (stack.pop(), stack.pop());
                    if let (Some(left), Some(right)) = (left, right) {
                        stack.push((arithmetic.combine)(left, right));
                    }
                }
            }
        }
        verdict.checked += 1;
        let same = stack.pop().is_some_and(|value| {
            let value = if reduces { (arithmetic.post)(value) } else { value };
            (arithmetic.same)(value, got)
        });
        verdict.wrong_bits += u64::from(!same);
        let off = if reduces { error(&xs, got) } else { f64::from(u8::from(!same)) * 2.0 };
        verdict.out_of_bound += u64::from(off > 1.0);
        verdict.worst = verdict.worst.max(off);
    }
    verdict
}
