//! What a run yields, or why it did not.

use super::protocol::{Counters, RankState, Report};
use crate::engine::Rank;
use crate::engine::oracle::Verdict;
use crate::engine::schedule::Schedule;
use crate::engine::trace::{Clock, Event, Trace};

/// What a run yields. Vectors are indexed by group rank.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// The first run's events on the measured clock, from 0; `None` if it was not traced, or would
    /// have had more than [`TRACE_EVENTS_MAX`](super::plan::TRACE_EVENTS_MAX) events.
    pub trace: Option<Trace>,
    /// Each rank's output where it is small, blocks one after the other.
    pub outputs: Vec<Option<Vec<u8>>>,
    /// The first elements of each chunk of each rank's output.
    pub samples: Vec<Vec<Vec<f64>>>,
    /// Both verdicts over all ranks.
    pub verdict: Verdict,
    /// What each rank did.
    pub counters: Vec<Counters>,
    /// The first run, from the first rank's begin to the last rank's end.
    pub first_us: f64,
    /// How coarse the coarsest rank's clock is.
    pub resolution_us: f64,
    /// Messages that ranks ignored because they had no known shape, version or call.
    pub ignored: u64,
}

impl RunResult {
    /// Puts the reports of all ranks together; they may come in any order.
    pub(super) fn new(schedule: &Schedule, traced: bool, mut reports: Vec<Report>) -> Self {
        reports.sort_by_key(|report| report.rank);
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
            first_us: ended - begun,
            resolution_us,
            ignored: reports.iter().map(|r| r.ignored).sum(),
            samples: reports.iter_mut().map(|r| std::mem::take(&mut r.output_sample)).collect(),
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
    /// With so few slots per connection the schedule may deadlock.
    TooFewSlots {
        /// Slots the proof asks for.
        needed: usize,
        /// Slots of the run.
        given: usize,
    },
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
