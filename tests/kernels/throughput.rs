//! How fast every kernel is in the first-level cache, type by type, beside its scalar twin.
//!
//! All of them take turns, round after round, and medians count: what disturbs the machine for a
//! while disturbs all alike, and the share of the `f32` sum is taken within each round.

use super::*;
use ringscope::engine::oracle::seeded;
use ringscope::engine::reduce::plain::Values;
use ringscope::engine::reduce::{KERNELS, MeanKind, scalar};
use ringscope::runtime::clock::Clock;
use std::fmt::Write;

/// Bytes of the larger operand: two of them fit into any first-level cache.
const OPERAND: usize = 8 << 10;

/// A batch lasts at least so long, in microseconds; the coarsest timers tick every 100.
const BATCH_US: f64 = 2000.0;

const ROUNDS: usize = 9;

/// What there are kernels for.
#[derive(Clone, Copy, PartialEq)]
enum Work {
    Combine(ReduceOp),
    /// The step of a pre-scaled mean.
    Scale,
    /// The step of a post-scaled mean.
    Divide,
    /// `f32`s to what a smaller type holds.
    Round,
    Widen,
    Narrow,
    /// Small floats to a sum in `f32`.
    Accumulate,
}

fn works(dtype: Dtype) -> Vec<(&'static str, Work)> {
    let mut works: Vec<_> = ReduceOp::ALL
        .into_iter()
        .filter(|op| !matches!(op, ReduceOp::Mean(_)))
        .map(|op| (op.name(), Work::Combine(op)))
        .collect();
    if ReduceOp::Mean(MeanKind::PreScale).supports(dtype) {
        works.push(("scale", Work::Scale));
    }
    works.push(("divide", Work::Divide));
    if dtype.is_small_float() {
        works.push(("sum-in-f32", Work::Accumulate));
        works.push(("widen", Work::Widen));
        works.push(("narrow", Work::Narrow));
        works.push(("round", Work::Round));
    }
    works
}

/// One kernel at work on operands of its own.
struct Kernel {
    with: &'static Arithmetic,
    dtype: Dtype,
    work: Work,
    operands: [Vec<u8>; 2],
    /// Elements of `dtype`, in bytes.
    bytes: usize,
    /// Calls in a batch.
    times: u32,
    /// GB/s in each round.
    rates: Vec<f64>,
}

impl Kernel {
    fn new(clock: Clock, with: &'static Arithmetic, dtype: Dtype, work: Work) -> Kernel {
        let types = match work {
            Work::Combine(_) | Work::Scale | Work::Divide => [dtype, dtype],
            Work::Round => [Dtype::F32, Dtype::F32],
            Work::Widen | Work::Accumulate => [Dtype::F32, dtype],
            Work::Narrow => [dtype, Dtype::F32],
        };
        let larger = types.map(Dtype::size_bytes).into_iter().max().unwrap_or(1);
        let count = OPERAND / larger;
        // Factors are ones, so that products stay ordinary numbers.
        let ones = Values::typed(dtype, std::iter::repeat_n(1.0, count));
        let values = |of: Dtype, rank| match work {
            Work::Combine(ReduceOp::Product) if rank == 1 => ones.bytes(of),
            _ => seeded(of, 7, rank, 0..count).bytes(of),
        };
        let operands = [values(types[0], 0), values(types[1], 1)];
        let bytes = count * types[0].size_bytes().min(types[1].size_bytes());
        let mut kernel = Kernel { with, dtype, work, operands, bytes, times: 1, rates: Vec::new() };
        // The second of two batches: the first may have been interrupted.
        while kernel.batch_us(clock).min(kernel.batch_us(clock)) < BATCH_US {
            kernel.times *= 2;
        }
        kernel
    }

    fn batch_us(&mut self, clock: Clock) -> f64 {
        let Kernel { with, dtype, .. } = *self;
        let [acc, other] = &mut self.operands;
        let begun = clock.now_us();
        for _ in 0..self.times {
            match self.work {
                Work::Combine(op) => (with.combine)(op, dtype, acc, other),
                Work::Scale => (with.scale)(dtype, acc, 1),
                Work::Divide => (with.divide)(dtype, acc, 1),
                Work::Round => (with.round)(dtype, acc),
                Work::Widen => (with.widen)(dtype, acc, other),
                Work::Narrow => (with.narrow)(dtype, acc, other),
                Work::Accumulate => (with.accumulate)(ReduceOp::Sum, dtype, acc, other),
            }
        }
        clock.now_us() - begun
    }

    /// Another round; bytes per nanosecond are GB/s.
    fn measure(&mut self, clock: Clock) {
        let bytes = f64::from(self.times) * self.bytes as f64;
        let rate = bytes / (self.batch_us(clock) * 1000.0);
        self.rates.push(rate);
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The table of all kernels: `scripts/kernels` puts those of two machines side by side.
fn table(clock: Clock) -> String {
    let mut sum = Kernel::new(clock, &KERNELS, Dtype::F32, Work::Combine(ReduceOp::Sum));
    let mut rows = Vec::new();
    for dtype in Dtype::ALL {
        for (name, work) in works(dtype) {
            let twins = [&KERNELS, &scalar::ARITHMETIC];
            rows.push((name, twins.map(|with| Kernel::new(clock, with, dtype, work))));
        }
    }
    for _ in 0..ROUNDS {
        sum.measure(clock);
        rows.iter_mut().flat_map(|(_, twins)| twins).for_each(|kernel| kernel.measure(clock));
    }
    let mut text =
        String::from("type      work         kernel   scalar   of the f32 sum, GB/s in L1\n");
    for (name, [kernel, scalar]) in &rows {
        let share = kernel.rates.iter().zip(&sum.rates).map(|(rate, sum)| 100.0 * rate / sum);
        let [fast, slow] = [kernel, scalar].map(|k| median(k.rates.iter().copied()));
        let (dtype, share) = (kernel.dtype.name(), median(share));
        let row = writeln!(text, "{dtype:<9} {name:<10} {fast:>8.2} {slow:>8.2} {share:>8.0} %");
        row.expect("a string grows");
    }
    text
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
#[ignore = "takes half a minute, and means something only where nothing else runs"]
fn throughput() {
    println!("{}", table(Clock::starting_now()));
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen_test::wasm_bindgen_test]
#[ignore = "takes half a minute, and means something only where nothing else runs"]
fn throughput() {
    let clock = Clock::since(ringscope::runtime::clock::time_origin_ms());
    wasm_bindgen_test::console_log!("{}", table(clock));
}
