//! What a run yields, or why it did not.

use super::protocol::{Counters, RankState, Report};
use super::transport::Wiring;
use crate::engine::Rank;
use crate::engine::oracle::Verdict;
use crate::engine::schedule::Schedule;
use crate::engine::trace::{Clock, Event, Trace};
use serde::{Deserialize, Serialize};

/// What a run yields. Vectors are indexed by group rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// The first run's events on the measured clock, from 0; `None` if it was not traced, or would
    /// have had more than [`TRACE_EVENTS_MAX`](super::plan::TRACE_EVENTS_MAX) events.
    pub trace: Option<Trace>,
    /// Each rank's output in the wire type where it is small, blocks one after the other.
    pub outputs: Vec<Option<Vec<u8>>>,
    /// Both verdicts over all ranks.
    pub verdict: Verdict,
    /// What each rank did.
    pub counters: Vec<Counters>,
    /// How long each batch of repetitions took at the slowest rank; empty if there were none.
    #[serde(default)]
    pub batches_us: Vec<f64>,
    /// The first run, from the first rank's begin to the last rank's end.
    pub first_us: f64,
    /// How coarse the coarsest rank's clock is.
    pub resolution_us: f64,
    /// How the ranks exchanged messages. A file that does not say so is from when there were only
    /// ports.
    #[serde(default)]
    pub wiring: Wiring,
    /// Messages that ranks ignored because they had no known shape, version or call.
    pub ignored: u64,
}

impl RunResult {
    /// Puts the reports of all ranks together, one of each in their order.
    pub(super) fn new(
        schedule: &Schedule,
        traced: bool,
        wiring: Wiring,
        mut reports: Vec<Report>,
    ) -> Self {
        let begun = reports.iter().map(|r| r.begun_us).fold(f64::INFINITY, f64::min);
        let ended = reports.iter().map(|r| r.ended_us).fold(f64::NEG_INFINITY, f64::max);
        let resolution_us = reports.iter().map(|r| r.resolution_us).fold(0.0, f64::max);
        let from_begin = |event: Event| Event { time: event.time - begun, ..event };
        let events = reports.iter_mut().flat_map(|r| std::mem::take(&mut r.events));
        let events: Vec<Event> = events.map(from_begin).collect();
        let trace = traced.then(|| Trace::new(schedule, Clock::Measured, resolution_us, events));
        RunResult {
            trace,
            verdict: reports.iter().fold(Verdict::default(), |all, r| all.and(r.verdict)),
            counters: reports.iter().map(|r| r.counters).collect(),
            batches_us: batches_us(&reports),
            first_us: ended - begun,
            resolution_us,
            wiring,
            ignored: reports.iter().map(|r| r.ignored).sum(),
            outputs: reports.into_iter().map(|r| r.output).collect(),
        }
    }

    /// Whether more than one run was counted.
    pub fn repeated(&self) -> bool {
        self.counters.iter().any(|c| c.runs > 1)
    }

    /// Mean time of one counted run at the slowest rank; `None` before one was counted.
    pub fn mean_us(&self) -> Option<f64> {
        mean_us(&self.counters)
    }
}

/// Batch by batch, the time of the slowest rank.
fn batches_us(reports: &[Report]) -> Vec<f64> {
    let batches = reports.iter().map(|report| report.batches_us.len()).min().unwrap_or(0);
    let slowest = |batch| reports.iter().map(|r: &Report| r.batches_us[batch]).fold(0.0, f64::max);
    (0..batches).map(slowest).collect()
}

/// Mean time of one counted run at the slowest rank; `None` before every rank has counted one.
pub fn mean_us(counters: &[Counters]) -> Option<f64> {
    let mean = |c: &Counters| (c.runs > 0).then(|| c.elapsed_us / c.runs as f64);
    counters.iter().map(mean).try_fold(0.0, |most, mean| mean.map(|mean| f64::max(most, mean)))
}

/// How far a run is. Vectors are indexed by group rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Where each rank stands; `None` before it has said so.
    pub states: Vec<Option<RankState>>,
    /// What each rank has done.
    pub counters: Vec<Counters>,
    /// How many ranks have ended and verified their part.
    pub reported: usize,
}

/// Why a run yields nothing. Ranks are world ranks.
#[derive(Clone, Debug, PartialEq)]
pub enum RunFault {
    /// The plan needs more memory than the budget; nothing was allocated.
    OverBudget {
        /// Bytes that all ranks and messages together need (saturating).
        needed: u64,
        /// The budget.
        limit: u64,
    },
    /// The schedule needs a switch that computes, and workers are ranks only.
    NeedsSwitch,
    /// With so few slots per connection the schedule may deadlock.
    TooFewSlots {
        /// Slots the proof asks for.
        needed: usize,
        /// Slots of the run.
        given: usize,
    },
    /// Sums are to be kept by their owners, but the schedule sends them about.
    PartialSumsTravel,
    /// The browser would not give a rank its memory.
    OutOfMemory {
        /// Whose.
        rank: usize,
        /// Bytes it asked for.
        bytes: u64,
    },
    /// A rank did not start: a file is missing or corrupt, or it took too long.
    Boot {
        /// Which.
        rank: usize,
        /// What the browser said.
        message: String,
    },
    /// A rank could not be given the memory that others share already: the page is no longer
    /// isolated.
    Withheld {
        /// Which.
        rank: usize,
        /// What the browser said.
        message: String,
    },
    /// A rank is of another version: a cached file is old.
    Version {
        /// The page's.
        ours: String,
        /// The rank's.
        theirs: String,
    },
    /// A rank panicked.
    Panicked {
        /// Which.
        rank: usize,
        /// What it said.
        message: String,
    },
    /// A rank stopped answering, and the others wait for it.
    Died {
        /// Which.
        rank: usize,
    },
    /// No rank got on.
    Stalled {
        /// For how long, hidden time not counted.
        after_ms: f64,
        /// Who stands where. Ranks, also those in the states, are group ranks.
        waiting: Vec<(Rank, RankState)>,
    },
    /// Somebody cancelled the run.
    Cancelled,
}
