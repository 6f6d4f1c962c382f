//! Which algorithm is fastest, size by size, as each of the cost models sees it.
//!
//! Nothing is interpolated: every size is computed on its own.

use super::nccl::{self, Choice, System};
use super::{Topology, event, rounds};
use crate::engine::collective::Verb;
use crate::engine::memory::Lengths;
use crate::engine::schedule::Schedule;
use crate::engine::tensor::Tensor;
use std::ops::RangeInclusive;

/// The sizes of the whole vector, in bytes: the powers of two from 1 KiB to 1 GiB.
pub fn sizes() -> impl ExactSizeIterator<Item = u64> {
    (10..31).map(|log| 1 << log)
}

/// How long an algorithm takes for each of the [`sizes`], in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// The algorithm's name.
    pub name: &'static str,
    /// In the rounds model.
    pub rounds_us: Vec<f64>,
    /// In the event simulation.
    pub event_us: Vec<f64>,
}

impl Entrant {
    /// What the two models make of `schedule`, for elements of `element_bytes`.
    pub fn new(
        name: &'static str,
        schedule: &Schedule,
        element_bytes: usize,
        topology: &Topology,
    ) -> Self {
        let times = |bytes: u64| {
            let tensor = Tensor::flat(bytes as usize / element_bytes);
            let lengths = Lengths::new(&schedule.collective, &tensor);
            let cost = rounds::in_elements(schedule, &lengths);
            let timing = event::timing(schedule, &lengths, element_bytes, topology);
            (cost.time_us(topology, element_bytes), event::end(&timing))
        };
        let (rounds_us, event_us) = sizes().map(times).unzip();
        Entrant { name, rounds_us, event_us }
    }
}

/// What NCCL expects of each algorithm that it considers for `verb`, with the fastest protocol, for
/// each of the [`sizes`].
pub fn nccl(system: &System, verb: Verb) -> Vec<(nccl::Algorithm, Vec<Choice>)> {
    let choices = |algorithm| {
        let times: Option<Vec<_>> =
            sizes().map(|bytes| system.best_protocol(verb, algorithm, bytes)).collect();
        Some((algorithm, times?))
    };
    nccl::Algorithm::ALL.into_iter().filter_map(choices).collect()
}

/// The index of the fastest of `times` (by algorithm, then size) for each stretch of sizes, as
/// indices into [`sizes`]. Of those that are equally fast the first counts.
///
/// Example, a tree that takes 3, 6 and 9 µs against a ring that takes 5, 6 and 7: the tree wins
/// sizes 0 and 1, the ring size 2.
pub fn winners(times: &[&[f64]]) -> Vec<(usize, RangeInclusive<usize>)> {
    let mut stretches: Vec<(usize, RangeInclusive<usize>)> = Vec::new();
    for size in 0..times.first().map_or(0, |times| times.len()) {
        let Some(winner) = fastest(times, size) else { continue };
        match stretches.last_mut() {
            Some((last, range)) if *last == winner => *range = *range.start()..=size,
            _ => stretches.push((winner, size..=size)),
        }
    }
    stretches
}

/// The index of the fastest for one size. A last digit does not make one faster.
pub fn fastest(times: &[&[f64]], size: usize) -> Option<usize> {
    let best = times.iter().map(|times| times[size]).min_by(f64::total_cmp)?;
    times.iter().position(|times| times[size] <= best * (1.0 + 1e-9))
}
