//! What both sides cost, number by number.

use super::side::Side;
use crate::engine::collective::Verb;
use crate::engine::cost::{Topology, event};
use crate::engine::trace::OpTimes;
use crate::ui::take::Take;

/// What one call costs, or several after each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Rounds of the rounds model.
    pub rounds: usize,
    /// Bytes that the busiest rank sends.
    pub sent: u64,
    /// Messages of all ranks.
    pub messages: usize,
    /// Time by event simulation, in microseconds.
    pub modelled_us: f64,
    /// Mean time of a run on workers, in microseconds, once they have run.
    pub measured_us: Option<f64>,
}

impl Cost {
    /// What a call costs over these links.
    pub fn of(take: &Take, topology: &Topology) -> Cost {
        let prepared = &*take.prepared;
        let size = prepared.run.reduction.wire().size_bytes();
        let rounds = &prepared.rounds;
        let timing = event::timing(&prepared.schedule, &prepared.lengths, size, topology);
        let modelled_us = timing.iter().flatten().map(OpTimes::ended).fold(0.0, f64::max);
        let recorded = take.recorded.as_ref();
        Cost {
            rounds: rounds.rounds,
            sent: (rounds.sent.iter().max().copied().unwrap_or(0) * size) as u64,
            messages: rounds.messages.iter().sum(),
            modelled_us,
            measured_us: recorded.map(|run| run.mean_us().unwrap_or(run.first_us)),
        }
    }

    /// Both, one after the other.
    fn then(self, next: Cost) -> Cost {
        Cost {
            rounds: self.rounds + next.rounds,
            sent: self.sent + next.sent,
            messages: self.messages + next.messages,
            modelled_us: self.modelled_us + next.modelled_us,
            measured_us: self.measured_us.zip(next.measured_us).map(|(a, b)| a + b),
        }
    }
}

/// The bill of one side: each call's, and all of them together.
#[derive(Clone, Debug, PartialEq)]
pub struct Bill {
    /// The calls.
    pub calls: Vec<(Verb, Cost)>,
    /// Their sum.
    pub whole: Cost,
}

impl Bill {
    /// What a side costs over these links; it has at least one call.
    pub fn of(side: &Side, topology: &Topology) -> Option<Bill> {
        let call = |take: &Take| (take.prepared.schedule.collective.verb, Cost::of(take, topology));
        let calls: Vec<(Verb, Cost)> = side.takes.iter().map(call).collect();
        let whole = calls.iter().map(|(_, cost)| *cost).reduce(Cost::then)?;
        Some(Bill { calls, whole })
    }
}
