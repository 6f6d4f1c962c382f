//! Writing schedules.
//!
//! An algorithm writes only plain ops (send, recv, copy, recv-reduce, reduce), in an order that
//! works when every rank executes its own one by one. [`Builder::finish`] then fuses what can be
//! fused, finds the dependencies between lanes, and asks the checker for the marks.

use super::{Action, Marks, Op, Peer, Program, Schedule, Span, finish};
use crate::engine::collective::{Collective, Verb};
use crate::engine::{Label, Rank, check};

/// One end of a message: a rank, and chunks of its memory.
pub type End = (Rank, Span);

/// A schedule being written. Ops are plain; nothing is fused yet and there are no dependencies.
#[derive(Clone, Debug)]
pub struct Builder {
    pub(super) collective: Collective,
    pub(super) programs: Vec<Program>,
    phase: Verb,
    round: usize,
}

impl Builder {
    /// An empty schedule for `collective`. Ops get the collective's own verb as their phase.
    pub fn new(collective: Collective) -> Self {
        Builder {
            collective,
            programs: vec![Program::default(); collective.ranks],
            phase: collective.verb,
            round: 1,
        }
    }

    /// The contract this schedule is written for.
    pub fn collective(&self) -> &Collective {
        &self.collective
    }

    /// Labels what follows with this round, counted from 1.
    pub fn round(&mut self, round: usize) {
        self.round = round;
    }

    /// Appends an op to `rank`'s program, in `lane`.
    pub fn push(&mut self, rank: Rank, lane: usize, action: Action) {
        let program = &mut self.programs[rank];
        program.lanes = program.lanes.max(lane + 1);
        program.ops.push(Op {
            action,
            lane,
            deps: Vec::new(),
            phase: self.phase,
            round: self.round,
            marks: Marks::default(),
        });
    }

    /// Reserves scratch slots at `rank` for these labels; returns the first slot.
    pub fn scratch(&mut self, rank: Rank, labels: impl IntoIterator<Item = Label>) -> usize {
        let slots = &mut self.programs[rank].scratch;
        let first = slots.len();
        slots.extend(labels);
        first
    }

    /// Both ends of one message on channel 0, lane by lane: `src` at `from` goes to `dst` at `to`.
    pub fn message(&mut self, (from, src): End, (to, dst): End, lane: usize) {
        self.push(from, lane, Action::Send { src, to: Peer { rank: to, channel: 0 } });
        self.push(to, lane, Action::Recv { from: Peer { rank: from, channel: 0 }, dst });
    }

    /// Messages that cross each other: every rank sends all of its own before it receives any.
    pub fn exchange(&mut self, lane: usize, messages: &[(End, End)]) {
        for &((from, src), (to, _)) in messages {
            self.push(from, lane, Action::Send { src, to: Peer { rank: to, channel: 0 } });
        }
        for &((from, _), (to, dst)) in messages {
            self.push(to, lane, Action::Recv { from: Peer { rank: from, channel: 0 }, dst });
        }
    }

    /// Fuses, orders lanes by dependencies, marks, and names the result.
    pub fn finish(mut self, algorithm: &str, in_place: bool) -> Schedule {
        for program in &mut self.programs {
            finish::fuse(program);
            finish::drop_unused_scratch(program);
        }
        let mut schedule = Schedule {
            algorithm: algorithm.to_string(),
            collective: self.collective,
            in_place,
            programs: self.programs,
        };
        for rank in 0..schedule.programs.len() {
            let deps = finish::dependencies(&schedule, rank);
            for (op, deps) in schedule.programs[rank].ops.iter_mut().zip(deps) {
                op.deps = deps;
            }
        }
        check::mark(&mut schedule);
        schedule
    }
}
