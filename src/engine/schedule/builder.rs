//! Writing schedules.
//!
//! An algorithm writes only plain ops (send, recv, copy, recv-reduce, reduce), in an order that
//! works when every rank executes its own one by one. [`Builder::finish`] then fuses what can be
//! fused, finds the dependencies between lanes, and asks the checker for the marks.

use super::{Action, Alike, Marks, Op, Peer, Program, Schedule, Span, finish};
use crate::engine::collective::{Collective, Verb};
use crate::engine::{Label, Rank, check};
use std::borrow::Cow;

/// One end of a message: a rank, and chunks of its memory.
pub type End = (Rank, Span);

/// A schedule being written. Ops are plain; nothing is fused yet and there are no dependencies.
#[derive(Clone, Debug)]
pub struct Builder {
    pub(super) collective: Collective,
    pub(super) alike: Alike,
    /// Those of the first ranks of those alike, then those of the switches.
    pub(super) programs: Vec<Program>,
    switches: usize,
    phase: Verb,
    round: usize,
}

impl Builder {
    /// An empty schedule for `collective`. Ops get the collective's own verb as their phase.
    pub fn new(collective: Collective) -> Self {
        Builder::with_switches(collective, 0)
    }

    /// An empty schedule for `collective`, which is written for the first rank of those alike: the
    /// others follow from it.
    pub fn turning(collective: Collective, alike: Alike) -> Self {
        let programs = vec![Program::default(); collective.ranks / alike.ranks.length];
        let (phase, round) = (collective.verb, 1);
        Builder { collective, alike, programs, switches: 0, phase, round }
    }

    /// An empty schedule for `collective` over its ranks and so many switches, whose numbers follow
    /// those of the ranks.
    pub fn with_switches(collective: Collective, switches: usize) -> Self {
        let mut builder = Builder::turning(collective, Alike::NONE);
        builder.programs.resize(collective.ranks + switches, Program::default());
        Builder { switches, ..builder }
    }

    /// An empty schedule for `collective` with the same ranks alike, and as many switches.
    pub(super) fn like(&self, collective: Collective) -> Self {
        let programs = vec![Program::default(); self.programs.len()];
        let (phase, round) = (collective.verb, 1);
        Builder { collective, programs, phase, round, ..*self }
    }

    /// The contract this schedule is written for.
    pub fn collective(&self) -> &Collective {
        &self.collective
    }

    /// Which ranks are alike.
    pub fn alike(&self) -> Alike {
        self.alike
    }

    /// Labels what follows as part of this verb, from round 1.
    pub fn phase(&mut self, phase: Verb) {
        (self.phase, self.round) = (phase, 1);
    }

    /// Labels what follows with this round, counted from 1.
    pub fn round(&mut self, round: usize) {
        self.round = round;
    }

    /// How many switches there are beside the ranks.
    pub(super) fn switches(&self) -> usize {
        self.switches
    }

    /// Ranks and switches.
    pub(super) fn actors(&self) -> usize {
        self.collective.ranks + self.switches
    }

    /// Whether the program of `actor` is written; others follow from those that are.
    pub fn writes(&self, actor: Rank) -> bool {
        actor >= self.collective.ranks || self.alike.ranks.place(actor) == 0
    }

    /// Where the program of `actor`, or of the one that it follows from, stands.
    pub(super) fn slot(&self, actor: Rank) -> usize {
        match actor.checked_sub(self.collective.ranks) {
            Some(switch) => self.programs.len() - self.switches + switch,
            None => self.alike.ranks.round(actor),
        }
    }

    /// The actors whose programs are written, in their order.
    pub(super) fn written(&self) -> impl Iterator<Item = Rank> + use<> {
        let (ranks, rounds) = (self.collective.ranks, self.programs.len() - self.switches);
        let turn = self.alike.ranks;
        (0..rounds).map(move |round| turn.first(round)).chain(ranks..ranks + self.switches)
    }

    /// The program of any actor.
    pub(super) fn program(&self, actor: Rank) -> Cow<'_, Program> {
        let program = &self.programs[self.slot(actor)];
        if self.writes(actor) {
            return Cow::Borrowed(program);
        }
        let Alike { ranks, .. } = self.alike;
        let first = ranks.first(ranks.round(actor));
        Cow::Owned(self.alike.turned(&self.collective, first, program, ranks.place(actor)))
    }

    /// The same schedule with fewer ranks alike, or none.
    pub(super) fn spread(self, alike: Alike) -> Builder {
        if alike == self.alike {
            return self;
        }
        let firsts = (0..self.collective.ranks / alike.ranks.length).map(|r| alike.ranks.first(r));
        let all = firsts.chain(self.collective.ranks..self.actors());
        let programs = all.map(|actor| self.program(actor).into_owned()).collect();
        Builder { alike, programs, ..self }
    }

    /// Appends an op to `rank`'s program, in `lane`.
    pub fn push(&mut self, rank: Rank, lane: usize, action: Action) {
        debug_assert!(self.writes(rank), "rank {rank} follows from another");
        let slot = self.slot(rank);
        let program = &mut self.programs[slot];
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
        let slot = self.slot(rank);
        let slots = &mut self.programs[slot].scratch;
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
    pub fn finish(self, algorithm: &str, in_place: bool) -> Schedule {
        let whole = self.spread(Alike::NONE).outline();
        let mut schedule = Schedule {
            algorithm: algorithm.to_string(),
            collective: whole.collective,
            in_place,
            switches: whole.switches,
            programs: whole.programs,
        };
        check::mark(&mut schedule);
        schedule
    }

    /// Fuses and orders lanes by dependencies, and leaves it at the ranks that the others follow
    /// from.
    pub fn outline(mut self) -> Outline {
        let actors: Vec<Rank> = self.written().collect();
        for (actor, program) in actors.into_iter().zip(&mut self.programs) {
            finish::fuse(program);
            finish::drop_unused_scratch(program);
            finish::drop_unused_lanes(program);
            let deps = finish::dependencies(self.collective, actor, program);
            program.ops.iter_mut().zip(deps).for_each(|(op, deps)| op.deps = deps);
        }
        let Builder { collective, alike, switches, programs, .. } = self;
        Outline { collective, alike, switches, programs }
    }
}

/// What is enough of a schedule to tell its cost: the programs of the first of those alike, without
/// marks.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The contract it has to meet.
    pub collective: Collective,
    /// Which ranks are alike.
    pub alike: Alike,
    /// Switches that compute.
    pub switches: usize,
    /// One program for each rank that others follow from, and one for each switch.
    pub programs: Vec<Program>,
}

impl Outline {
    /// The same with fewer ranks alike: those that stand `step` places apart, a divisor of how many
    /// are.
    pub fn by(&self, step: usize) -> Outline {
        let Outline { collective, alike, switches, programs } = self.clone();
        let (phase, round) = (collective.verb, 1);
        let builder = Builder { collective, alike, programs, switches, phase, round };
        let Builder { alike, programs, .. } = builder.spread(alike.by(step));
        Outline { collective, alike, switches, programs }
    }
}
