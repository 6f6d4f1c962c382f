//! What `scripts/bench` measures of ours outside the page. Natively a collective on threads, a sum
//! on one thread, and the copy that is the roof of both:
//!
//! ```text
//! cargo run --profile bench --example ours -- GIVEN
//!
//! collective "allreduce?algo=ring&n=4&size=16MiB" BATCHES
//! sum f32 BYTES BATCHES
//! copy BYTES BATCHES
//! ```
//!
//! A collective is named by a link of the page, and counts as it does there: by the slowest rank's
//! mean time of a repetition. A sum adds one vector of BYTES to another; a copy moves BYTES, with
//! as many threads as there are cores. Each prints one line of JSON:
//! `{"seconds": [one of each batch], "wrong": elements}`.
//!
//! Compiled for a browser, it offers the sum to whoever has a clock.

use ringscope::engine::oracle::seeded;
use ringscope::engine::reduce::{Dtype, KERNELS, ReduceOp};
use std::hint::black_box;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// One vector, to which another is added.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub struct Sum {
    dtype: Dtype,
    sum: Vec<u8>,
    other: Vec<u8>,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl Sum {
    /// Two vectors of `bytes` each, of the type with this name; an error is a sentence.
    pub fn of(dtype: &str, bytes: usize) -> Result<Sum, String> {
        let named = Dtype::ALL.into_iter().find(|known| known.name() == dtype);
        let dtype = named.ok_or_else(|| format!("{dtype:?} is not a type"))?;
        let elements = 0..bytes / dtype.size_bytes();
        let vector = |rank| seeded(dtype, 1, rank, elements.clone()).bytes(dtype);
        Ok(Sum { dtype, sum: vector(0), other: vector(1) })
    }

    /// Adds so many times.
    pub fn add(&mut self, times: u32) {
        for _ in 0..times {
            let (sum, other) = (black_box(&mut self.sum), black_box(&self.other));
            (KERNELS.combine)(ReduceOp::Sum, self.dtype, sum, other);
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

/// A browser calls what it wants.
#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::Sum;
    use ringscope::runtime::clock::Clock;
    use ringscope::runtime::measure::Meter;
    use ringscope::runtime::plan::Plan;
    use ringscope::runtime::threads;
    use ringscope::ui::scenario::parse;
    use ringscope::ui::text::{Lang, faults, notices};
    use std::hint::black_box;
    use std::process::ExitCode;
    use std::str::FromStr;
    use std::sync::Barrier;
    use std::thread;

    /// What a batch of copies or sums lasts at least.
    const BATCH_SECONDS: f64 = 0.01;

    const USAGE: &str = "usage: ours collective LINK BATCHES | ours sum TYPE BYTES BATCHES | \
                         ours copy BYTES BATCHES";

    /// Seconds of each batch, and how many elements are wrong.
    type Measured = Result<(Vec<f64>, u64), String>;

    pub fn main() -> ExitCode {
        let given: Vec<String> = std::env::args().skip(1).collect();
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        match measured(&given) {
            Ok((seconds, wrong)) => {
                println!("{{\"seconds\": {seconds:?}, \"wrong\": {wrong}}}");
                ExitCode::SUCCESS
            }
            Err(sentence) => {
                eprintln!("{sentence}");
                ExitCode::FAILURE
            }
        }
    }

    fn measured(given: &[&str]) -> Measured {
        match *given {
            ["collective", link, batches] => collective(link, number(batches)?),
            ["sum", dtype, bytes, batches] => sum(dtype, number(bytes)?, number(batches)?),
            ["copy", bytes, batches] => copy(number(bytes)?, number(batches)?),
            _ => Err(USAGE.to_string()),
        }
    }

    fn number<T: FromStr>(text: &str) -> Result<T, String> {
        text.parse().map_err(|_| format!("{text:?} is not a whole number above 0"))
    }

    fn collective(link: &str, batches: u32) -> Measured {
        let (_, scenario, wrong) = parse(link);
        if let Some(notice) = wrong.first() {
            return Err(notices::notice(Lang::En, notice));
        }
        let say = |fault| faults::fault(Lang::En, &fault);
        let prepared = scenario.prepare().map_err(|why| format!("{link}: {why:?}"))?;
        let plan = Plan::new(&prepared.schedule, &prepared.proof, &prepared.run).map_err(say)?;
        let mut meter = Meter::new(plan);
        loop {
            let results = threads::run(&[meter.plan(batches)]).map_err(say)?;
            if let Some(timed) = results.first().and_then(|result| meter.read(result)) {
                let verdict = timed.verdict;
                let seconds = timed.us.iter().map(|us| us / 1e6).collect();
                return Ok((seconds, verdict.wrong_bits.max(verdict.out_of_bound)));
            }
        }
    }

    fn sum(dtype: &str, bytes: usize, batches: usize) -> Measured {
        let mut sum = Sum::of(dtype, bytes)?;
        let clock = Clock::starting_now();
        let seconds = batches_of(batches, |times| {
            let begun = clock.now_us();
            sum.add(times);
            (clock.now_us() - begun) / 1e6
        });
        Ok((seconds, 0))
    }

    fn copy(bytes: usize, batches: usize) -> Measured {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // Touched by whoever copies them.
        let mut shares = vec![(Vec::new(), Vec::new()); cores];
        let share = bytes / cores;
        together(&mut shares, |pair| *pair = (vec![1u8; share], vec![2u8; share]));
        let clock = Clock::starting_now();
        let seconds = batches_of(batches, |times| {
            let barrier = Barrier::new(cores);
            let seconds = together(&mut shares, |(from, to)| {
                barrier.wait();
                let begun = clock.now_us();
                for _ in 0..times {
                    black_box(&mut *to).copy_from_slice(black_box(from));
                }
                (clock.now_us() - begun) / 1e6
            });
            seconds.into_iter().fold(0.0, f64::max)
        });
        Ok((seconds, 0))
    }

    /// Lets a thread each do `work` on one of `parts`.
    fn together<P: Send, R: Send>(parts: &mut [P], work: impl Fn(&mut P) -> R + Sync) -> Vec<R> {
        let work = &work;
        thread::scope(|scope| {
            let threads: Vec<_> = parts.iter_mut().map(|p| scope.spawn(move || work(p))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
        })
    }

    /// The mean time of a repetition in so many batches, each long enough. `run` repeats as often
    /// as it is told and returns the seconds that took.
    fn batches_of(batches: usize, mut run: impl FnMut(u32) -> f64) -> Vec<f64> {
        let mut times = 1;
        while run(times) < BATCH_SECONDS {
            times *= 2;
        }
        (0..batches).map(|_| run(times) / f64::from(times)).collect()
    }
}
