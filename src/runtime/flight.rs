//! One run in flight, as the page follows it.

use super::outcome::{Progress, RunFault, RunResult};
use super::plan::Plan;
use super::protocol::{Call, Counters, RankState, Repeat, Report, Task, ToPage, ToRank};
use super::transport::{Via, Wiring};
use crate::engine::Rank;
use crate::engine::schedule::Schedule;
use std::rc::Rc;

/// No run stands still longer than this, in milliseconds of visible time. On a machine with much
/// else to do, WebKit has let a rank stand for more than eight seconds.
const STALLED_MS: f64 = 10_000.0;

/// A rank that has said nothing for so long when its run is given up is dead. Living ranks say
/// something every second.
const DEAD_MS: f64 = 5_000.0;

/// How often progress is passed on at most.
const PROGRESS_MS: f64 = 100.0;

/// Who is told how far a run is.
pub(super) type Listener = Rc<dyn Fn(Progress)>;

/// What a flight wants done.
pub(super) enum Order {
    /// Say this to every rank of the group.
    Say(ToRank),
    /// The run is over.
    Land(Result<RunResult, RunFault>),
}

/// What the page knows of one rank of a flight.
#[derive(Default)]
struct Part {
    prepared: bool,
    state: Option<RankState>,
    counters: Counters,
    pledge: Option<u64>,
    report: Option<Report>,
    silent_ms: f64,
}

/// A run in flight.
pub(super) struct Flight {
    pub(super) call: Call,
    /// World rank of each group rank.
    pub(super) members: Vec<usize>,
    /// What it may allocate.
    pub(super) memory_bytes: u64,
    /// How its ranks exchange messages.
    pub(super) wiring: Wiring,
    schedule: Schedule,
    traced: bool,
    endless: bool,
    parts: Vec<Part>,
    started: bool,
    stop_wanted: bool,
    holding: bool,
    standing_ms: f64,
    on_progress: Listener,
    told_ms: f64,
    /// How it ended.
    pub(super) outcome: Option<Result<RunResult, RunFault>>,
}

impl Flight {
    pub(super) fn new(call: Call, plan: &Plan, on_progress: Listener) -> Self {
        let tasks = plan.tasks();
        Flight {
            call,
            members: tasks.first().map_or(Vec::new(), |task: &Task| task.members.clone()),
            memory_bytes: plan.memory_bytes(),
            wiring: Wiring::of(Via::Ports),
            schedule: plan.schedule().clone(),
            traced: plan.traced(),
            endless: tasks.iter().any(|task| task.repeat == Repeat::UntilStopped),
            parts: tasks.iter().map(|_| Part::default()).collect(),
            started: false,
            stop_wanted: false,
            holding: false,
            standing_ms: 0.0,
            on_progress,
            told_ms: f64::NEG_INFINITY,
            outcome: None,
        }
    }

    /// Where a world rank stands in this flight.
    pub(super) fn state(&self, world_rank: usize) -> Option<&RankState> {
        let rank = self.members.iter().position(|&member| member == world_rank)?;
        self.parts[rank].state.as_ref()
    }

    /// Takes a message of a world rank; `None` if it does not belong here.
    pub(super) fn hear(&mut self, world_rank: usize, message: ToPage) -> Option<Vec<Order>> {
        let rank = self.members.iter().position(|&member| member == world_rank)?;
        let part = &mut self.parts[rank];
        part.silent_ms = 0.0;
        let mut moved = true;
        match message {
            ToPage::Prepared(_) => part.prepared = true,
            ToPage::OutOfMemory { bytes, .. } => {
                return Some(vec![Order::Land(Err(RunFault::OutOfMemory {
                    rank: world_rank,
                    bytes,
                }))]);
            }
            ToPage::State { state, counters, .. } => {
                moved = part.state.as_ref().map(|old| old.steps) != Some(state.steps);
                part.state = Some(state);
                part.counters = counters;
            }
            ToPage::Pledge { repetition, .. } => part.pledge = Some(repetition),
            ToPage::Report { report, .. } if report.rank == rank => {
                part.counters = report.counters;
                part.report = Some(*report);
            }
            ToPage::Report { .. } | ToPage::Panicked(_) => return None,
        }
        if moved {
            self.standing_ms = 0.0;
        }
        Some(self.next())
    }

    /// What is to be done now.
    fn next(&mut self) -> Vec<Order> {
        let mut orders = Vec::new();
        if !self.started && self.parts.iter().all(|part| part.prepared) {
            self.started = true;
            orders.push(Order::Say(ToRank::Start(self.call)));
        }
        if self.started && self.stop_wanted {
            self.stop_wanted = false;
            self.holding = true;
            orders.push(Order::Say(ToRank::Hold(self.call)));
        }
        let pledges: Option<Vec<u64>> = self.parts.iter().map(|part| part.pledge).collect();
        if self.holding
            && let Some(last) = pledges.and_then(|all| all.into_iter().max())
        {
            self.holding = false;
            orders.push(Order::Say(ToRank::StopAfter { call: self.call, repetition: last }));
        }
        if self.parts.iter().all(|part| part.report.is_some()) {
            let reports = self.parts.iter_mut().filter_map(|part| part.report.take()).collect();
            orders.push(Order::Land(Ok(RunResult::new(
                &self.schedule,
                self.traced,
                self.wiring.clone(),
                reports,
            ))));
        }
        orders
    }

    /// Ends an endless run after the repetitions that have begun; if not even its ranks have, at
    /// once.
    pub(super) fn stop(&mut self) -> Vec<Order> {
        if !self.endless {
            return Vec::new();
        }
        if !self.started {
            return vec![Order::Land(Err(RunFault::Cancelled))];
        }
        self.endless = false;
        self.stop_wanted = true;
        self.next()
    }

    /// `elapsed_ms` of visible time have passed; a fault if that was too much.
    pub(super) fn watch(&mut self, elapsed_ms: f64) -> Option<RunFault> {
        self.standing_ms += elapsed_ms;
        self.parts.iter_mut().for_each(|part| part.silent_ms += elapsed_ms);
        if self.standing_ms < STALLED_MS {
            return None;
        }
        let dead = |part: &Part| match self.started {
            true => part.report.is_none() && part.silent_ms >= DEAD_MS,
            false => !part.prepared,
        };
        if let Some(rank) = self.parts.iter().position(dead) {
            return Some(RunFault::Died { rank: self.members[rank] });
        }
        let parts = self.parts.iter().enumerate();
        let waiting = parts.filter_map(|(rank, part): (Rank, _)| Some((rank, part.state.clone()?)));
        Some(RunFault::Stalled { after_ms: self.standing_ms, waiting: waiting.collect() })
    }

    /// The progress to tell at `now_ms`, and whom; `None` if it was told only just now.
    pub(super) fn progress(&mut self, now_ms: f64) -> Option<(Listener, Progress)> {
        if now_ms - self.told_ms < PROGRESS_MS {
            return None;
        }
        self.told_ms = now_ms;
        let progress = Progress {
            states: self.parts.iter().map(|part| part.state.clone()).collect(),
            counters: self.parts.iter().map(|part| part.counters).collect(),
            reported: self.parts.iter().filter(|part| part.report.is_some()).count(),
        };
        Some((Rc::clone(&self.on_progress), progress))
    }
}
