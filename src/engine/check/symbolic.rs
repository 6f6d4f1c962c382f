//! Executing a schedule over symbols: the rank machine in a world whose values are expressions.

use super::{ExpressionId, Expressions, Fault};
use crate::engine::collective::{Buffer, Verb};
use crate::engine::rank::{Machine, Moment, Status, World};
use crate::engine::schedule::{Marks, Peer, Schedule, Span};
use crate::engine::{Label, Rank};
use std::collections::{HashMap, VecDeque};

/// A chunk of memory.
#[derive(Clone, Copy)]
enum Cell {
    Empty,
    /// The rank's own input, not read into any result yet.
    Raw(ExpressionId),
    Value(ExpressionId),
}

type Connection = (Rank, Rank, usize);

/// The state that all machines share.
pub(super) struct Execution<'a> {
    schedule: &'a Schedule,
    slots: usize,
    expressions: Expressions,
    memory: Vec<HashMap<(Buffer, usize), Cell>>,
    queues: HashMap<Connection, VecDeque<Vec<ExpressionId>>>,
    /// Marks as execution finds them.
    found: HashMap<(Rank, usize), Marks>,
    fault: Option<Fault>,
}

/// Runs `schedule` with `slots` slots per connection.
pub(super) fn execute(schedule: &Schedule, slots: usize) -> Result<Execution<'_>, Fault> {
    shape(schedule)?;
    let mut run = Execution::new(schedule, slots);
    run.run()?;
    Ok(run)
}

/// The marks that execution finds, for every op it reaches.
pub(super) fn marks(schedule: &Schedule) -> Vec<(Rank, usize, Marks)> {
    if shape(schedule).is_err() {
        return Vec::new();
    }
    let mut run = Execution::new(schedule, usize::MAX);
    // A fault ends the run; `check` reports it, and there is nothing more to mark.
    let _ = run.run();
    run.found.into_iter().map(|((rank, op), marks)| (rank, op, marks)).collect()
}

/// Every span inside its buffer, every peer inside the group, both spans of an op equally long.
fn shape(schedule: &Schedule) -> Result<(), Fault> {
    let ranks = schedule.collective.ranks;
    if schedule.programs.len() != ranks {
        return Err(Fault::Shape { rank: schedule.programs.len(), op: 0 });
    }
    for (rank, program) in schedule.programs.iter().enumerate() {
        let sizes = [Buffer::Input, Buffer::Output, Buffer::Scratch]
            .map(|buffer| schedule.labels(rank, buffer).len());
        for (index, op) in program.ops.iter().enumerate() {
            let inside = |span: Span| {
                span.count > 0
                    && span
                        .start
                        .checked_add(span.count)
                        .is_some_and(|end| end <= sizes[span.buffer as usize])
            };
            let action = op.action;
            let spans = action.src().into_iter().chain(action.dst());
            let peers = action.from().into_iter().chain(action.to());
            let fine = spans.clone().all(inside)
                && action.src().zip(action.dst()).is_none_or(|(a, b)| a.count == b.count)
                && peers.into_iter().all(|p| p.rank < ranks && p.rank != rank)
                && op.lane < program.lanes
                && op.deps.iter().all(|&dep| dep < index);
            if !fine {
                return Err(Fault::Shape { rank, op: index });
            }
        }
    }
    Ok(())
}

impl<'a> Execution<'a> {
    fn new(schedule: &'a Schedule, slots: usize) -> Self {
        let mut expressions = Expressions::default();
        let memory = (0..schedule.collective.ranks)
            .map(|rank| {
                let labels = schedule.labels(rank, Buffer::Input);
                let cell = |(chunk, &label): (usize, &Label)| {
                    let raw = Cell::Raw(expressions.input(rank, label));
                    (schedule.place(rank, Buffer::Input, chunk), raw)
                };
                labels.iter().enumerate().map(cell).collect()
            })
            .collect();
        Execution {
            schedule,
            slots,
            expressions,
            memory,
            queues: HashMap::new(),
            found: HashMap::new(),
            fault: None,
        }
    }

    /// Every rank in turn as far as it can go, until all are done or nobody moves.
    fn run(&mut self) -> Result<(), Fault> {
        let mut machines: Vec<Machine<Vec<ExpressionId>>> =
            self.schedule.programs.iter().map(Machine::new).collect();
        loop {
            let (mut moved, mut waiting) = (false, Vec::new());
            for (rank, machine) in machines.iter_mut().enumerate() {
                loop {
                    let mut world = RankWorld { rank, op: 0, run: self };
                    match machine.advance(&mut world) {
                        Status::Progressed => moved = true,
                        Status::Done => break,
                        Status::Blocked(on) => {
                            waiting.extend(on.first().map(|b| (rank, b.op)));
                            break;
                        }
                    }
                    if let Some(fault) = self.fault.take() {
                        return Err(fault);
                    }
                }
            }
            if waiting.is_empty() {
                break;
            }
            if !moved {
                return Err(Fault::Deadlock { waiting });
            }
        }
        match self.queues.iter().find(|(_, queue)| !queue.is_empty()) {
            Some((&(from, to, channel), _)) => Err(Fault::Unreceived { from, to, channel }),
            None => Ok(()),
        }
    }

    /// Whether every output chunk holds what the verb requires.
    pub(super) fn postcondition(&self, schedule: &Schedule) -> Result<(), Fault> {
        for rank in 0..schedule.collective.ranks {
            for (chunk, required) in schedule.collective.required(rank).into_iter().enumerate() {
                let value = self.output(rank, chunk);
                let mut found = value.map_or(Vec::new(), |id| self.expressions.ranks(id));
                if schedule.collective.verb == Verb::Barrier {
                    // Hearing of an arrival twice does no harm.
                    found.dedup();
                }
                let labelled =
                    value.is_some_and(|id| self.expressions.label(id) == required.label);
                if !labelled || found != required.from {
                    let expected = required.from;
                    return Err(Fault::Postcondition { rank, chunk, expected, found });
                }
            }
        }
        for (rank, program) in schedule.programs.iter().enumerate() {
            for (op, instruction) in program.ops.iter().enumerate() {
                let found = self.found.get(&(rank, op)).copied().unwrap_or_default();
                if schedule.collective.verb.reduces() && instruction.marks != found {
                    return Err(Fault::Marks { rank, op });
                }
            }
        }
        Ok(())
    }

    /// The expression in an output chunk, if anything is there.
    fn output(&self, rank: Rank, chunk: usize) -> Option<ExpressionId> {
        match self.memory[rank].get(&self.schedule.place(rank, Buffer::Output, chunk)) {
            Some(Cell::Value(id) | Cell::Raw(id)) => Some(*id),
            Some(Cell::Empty) | None => None,
        }
    }

    /// The expressions in all outputs, after a run that met its postcondition.
    pub(super) fn outputs(&self, schedule: &Schedule) -> Vec<Vec<ExpressionId>> {
        (0..schedule.collective.ranks)
            .map(|rank| {
                let chunks = schedule.collective.required(rank).len();
                (0..chunks).filter_map(|chunk| self.output(rank, chunk)).collect()
            })
            .collect()
    }

    pub(super) fn into_expressions(self) -> Expressions {
        self.expressions
    }
}

/// One rank's view of the execution.
struct RankWorld<'a, 'b> {
    rank: Rank,
    /// The op that is being executed.
    op: usize,
    run: &'b mut Execution<'a>,
}

impl RankWorld<'_, '_> {
    fn fail(&mut self, fault: Fault) {
        self.run.fault.get_or_insert(fault);
    }

    fn cell(&self, buffer: Buffer, chunk: usize) -> Cell {
        let place = self.run.schedule.place(self.rank, buffer, chunk);
        self.run.memory[self.rank].get(&place).copied().unwrap_or(Cell::Empty)
    }

    /// Reads a span; notes whether it is the rank's untouched input.
    fn read(&mut self, span: Span) -> Vec<ExpressionId> {
        let mut values = Vec::with_capacity(span.count);
        let mut raw = 0;
        for chunk in span.chunks() {
            match self.cell(span.buffer, chunk) {
                Cell::Raw(id) => {
                    raw += 1;
                    values.push(id);
                }
                Cell::Value(id) => values.push(id),
                Cell::Empty => {
                    self.fail(Fault::Undefined { rank: self.rank, op: self.op, span });
                    return Vec::new();
                }
            }
        }
        if raw > 0 && raw < span.count && self.run.schedule.collective.verb.reduces() {
            self.fail(Fault::Marks { rank: self.rank, op: self.op });
        }
        self.run.found.entry((self.rank, self.op)).or_default().pre |= raw > 0;
        values
    }

    /// Notes that the op's result is complete, if all of it is.
    fn completes(&mut self, values: &[ExpressionId]) {
        let ranks = self.run.schedule.collective.ranks;
        let full = values.iter().filter(|&&v| self.run.expressions.contributions(v) == ranks);
        let full = full.count();
        if full > 0 && full < values.len() {
            self.fail(Fault::Marks { rank: self.rank, op: self.op });
        }
        self.run.found.entry((self.rank, self.op)).or_default().post |= full > 0;
    }
}

impl World for RankWorld<'_, '_> {
    type Value = Vec<ExpressionId>;

    fn receive(&mut self, from: Peer) -> Option<Self::Value> {
        self.run.queues.get_mut(&(from.rank, self.rank, from.channel))?.pop_front()
    }

    fn can_send(&mut self, to: Peer) -> bool {
        let queue = self.run.queues.get(&(self.rank, to.rank, to.channel));
        queue.map_or(0, VecDeque::len) < self.run.slots
    }

    fn send(&mut self, to: Peer, value: Self::Value) {
        self.run.queues.entry((self.rank, to.rank, to.channel)).or_default().push_back(value);
    }

    fn load(&mut self, src: Span, _: Marks) -> Self::Value {
        let raw = matches!(self.cell(src.buffer, src.start), Cell::Raw(_));
        let values = self.read(src);
        if raw && self.run.schedule.collective.ranks == 1 {
            // A group of one: its only contribution is the whole result as soon as it is read.
            self.completes(&values);
        }
        values
    }

    fn store(&mut self, dst: Span, value: &Self::Value) {
        if value.len() != dst.count {
            return self.fail(Fault::Length { rank: self.rank, op: self.op });
        }
        let room = self.run.schedule.labels(self.rank, dst.buffer);
        for (chunk, &id) in dst.chunks().zip(value) {
            let (expected, found) = (room[chunk], self.run.expressions.label(id));
            if expected != found {
                return self.fail(Fault::Mixed { rank: self.rank, op: self.op, expected, found });
            }
            let place = self.run.schedule.place(self.rank, dst.buffer, chunk);
            self.run.memory[self.rank].insert(place, Cell::Value(id));
        }
    }

    fn reduce(&mut self, value: Self::Value, src: Span, _: Marks) -> Self::Value {
        if value.len() != src.count {
            self.fail(Fault::Length { rank: self.rank, op: self.op });
            return Vec::new();
        }
        let local = self.read(src);
        let mut results = Vec::with_capacity(value.len());
        for (&left, &right) in value.iter().zip(&local) {
            match self.run.expressions.reduced(left, right) {
                Ok(id) => results.push(id),
                Err((expected, found)) => {
                    self.fail(Fault::Mixed { rank: self.rank, op: self.op, expected, found });
                    return Vec::new();
                }
            }
        }
        self.completes(&results);
        results
    }

    fn note(&mut self, op: usize, _: Moment, _: Option<&Self::Value>) {
        self.op = op;
    }
}
