//! Executing a schedule over symbols: the rank machine in a world whose values are expressions.

use super::{ExpressionId, Expressions, Fault};
use crate::engine::collective::{Buffer, Verb};
use crate::engine::rank::{Machine, Moment, Status, World};
use crate::engine::schedule::{Action, Marks, Op, Peer, Schedule, Span};
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

const BUFFERS: [Buffer; 3] = [Buffer::Input, Buffer::Output, Buffer::Scratch];

/// The labels that each buffer of a rank has room for.
type Rooms = [Vec<Label>; 3];

/// What is under way on a connection (sender, receiver, channel), oldest first.
type Queue = VecDeque<Vec<ExpressionId>>;

/// The state that all machines share.
pub(super) struct Execution<'a> {
    schedule: &'a Schedule,
    rooms: Vec<Rooms>,
    slots: usize,
    expressions: Expressions,
    /// Cells by rank, buffer and chunk, at the places where they really lie.
    memory: Vec<[Vec<Cell>; 3]>,
    queues: HashMap<(Rank, Rank, usize), Queue>,
    /// Marks by rank and op, as execution finds them.
    found: Vec<Vec<Marks>>,
    fault: Option<Fault>,
}

/// Runs `schedule` with `slots` slots per connection.
pub(super) fn execute(schedule: &Schedule, slots: usize) -> Result<Execution<'_>, Fault> {
    let rooms = rooms(schedule);
    shape(schedule, &rooms)?;
    let mut run = Execution::new(schedule, rooms, slots);
    run.run()?;
    Ok(run)
}

/// The marks that execution finds, by rank and op; none for ops it does not reach.
pub(super) fn found_marks(schedule: &Schedule) -> Vec<Vec<Marks>> {
    let rooms = rooms(schedule);
    if shape(schedule, &rooms).is_err() {
        return Vec::new();
    }
    let mut run = Execution::new(schedule, rooms, usize::MAX);
    // A fault ends the run; `check` reports it, and there is nothing more to mark.
    let _ = run.run();
    run.found
}

fn rooms(schedule: &Schedule) -> Vec<Rooms> {
    let actors = 0..schedule.programs.len();
    actors.map(|rank| BUFFERS.map(|buffer| schedule.labels(rank, buffer))).collect()
}

/// One program per rank and switch, and every op of them well formed.
fn shape(schedule: &Schedule, rooms: &[Rooms]) -> Result<(), Fault> {
    let (found, actors) = (schedule.programs.len(), schedule.collective.ranks + schedule.switches);
    if found != actors {
        return Err(Fault::Programs { found, actors });
    }
    for (rank, program) in schedule.programs.iter().enumerate() {
        for (index, op) in program.ops.iter().enumerate() {
            let peers = || op.action.from().into_iter().chain(op.action.to());
            let fine = spans_fit(&op.action, &rooms[rank])
                && peers().all(|p| p.rank < actors && p.rank != rank)
                && op.lane < program.lanes
                && op.deps.iter().all(|&dep| dep < index);
            if !fine {
                return Err(Fault::Shape { rank, op: index });
            }
            if op.action.dst().is_some_and(|dst| dst.buffer == Buffer::Input) && !schedule.in_place
            {
                return Err(Fault::WritesInput { rank, op: index });
            }
        }
    }
    Ok(())
}

/// Every span inside its buffer, both spans equally long.
fn spans_fit(action: &Action, rooms: &Rooms) -> bool {
    let inside = |span: Span| {
        let end = span.start.checked_add(span.count);
        span.count > 0 && end.is_some_and(|end| end <= rooms[span.buffer as usize].len())
    };
    let (src, dst) = (action.src(), action.dst());
    src.into_iter().chain(dst).all(inside)
        && src.zip(dst).is_none_or(|(src, dst)| src.count == dst.count)
}

impl<'a> Execution<'a> {
    fn new(schedule: &'a Schedule, rooms: Vec<Rooms>, slots: usize) -> Self {
        let mut expressions = Expressions::default();
        let mut memory = vec![[const { Vec::new() }; 3]; rooms.len()];
        for (rank, rooms) in rooms.iter().enumerate() {
            for buffer in BUFFERS {
                for (chunk, &label) in rooms[buffer as usize].iter().enumerate() {
                    let (buffer_there, at) = schedule.place(rank, buffer, chunk);
                    let cells: &mut Vec<Cell> = &mut memory[rank][buffer_there as usize];
                    if cells.len() <= at {
                        cells.resize(at + 1, Cell::Empty);
                    }
                    if buffer == Buffer::Input {
                        cells[at] = Cell::Raw(expressions.input(rank, label));
                    }
                }
            }
        }
        let found = schedule.programs.iter().map(|p| vec![Marks::default(); p.ops.len()]).collect();
        let (queues, fault) = (HashMap::new(), None);
        Execution { schedule, rooms, slots, expressions, memory, queues, found, fault }
    }

    /// Every rank in turn as far as it can go, until all are done or nobody moves.
    fn run(&mut self) -> Result<(), Fault> {
        let mut machines: Vec<Machine<Vec<ExpressionId>>> =
            self.schedule.programs.iter().map(Machine::new).collect();
        loop {
            let (mut moved, mut waiting) = (false, Vec::new());
            for (rank, machine) in machines.iter_mut().enumerate() {
                loop {
                    match machine.advance(&mut RankWorld { rank, op: 0, run: self }) {
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
        let unreceived = self.queues.iter().filter(|(_, queue)| !queue.is_empty());
        match unreceived.map(|(connection, _)| *connection).min() {
            Some((from, to, channel)) => Err(Fault::Unreceived { from, to, channel }),
            None => Ok(()),
        }
    }

    /// Whether every output chunk holds what the verb requires.
    pub(super) fn postcondition(&self) -> Result<(), Fault> {
        let collective = &self.schedule.collective;
        for rank in 0..collective.ranks {
            for (chunk, required) in collective.required(rank).into_iter().enumerate() {
                let value = self.output(rank, chunk);
                let found = value.map_or(Vec::new(), |id| match collective.verb {
                    // Hearing of an arrival twice does no harm.
                    Verb::Barrier => self.expressions.distinct_ranks(id),
                    _ => self.expressions.ranks(id, required.from.len() + 1),
                });
                let (label, expected) = (required.label, required.from);
                let labelled = value.is_some_and(|id| self.expressions.label(id) == label);
                if !labelled || found != expected {
                    return Err(Fault::Postcondition { rank, chunk, label, expected, found });
                }
            }
        }
        Ok(())
    }

    /// Whether the schedule carries the marks that execution found. Moving data is not reducing it:
    /// the other verbs have none.
    pub(super) fn marks(&self) -> Result<(), Fault> {
        for (rank, program) in self.schedule.programs.iter().enumerate() {
            let wrong = |(op, found): (&Op, &Marks)| op.marks != *found;
            if let Some(op) = program.ops.iter().zip(&self.found[rank]).position(wrong) {
                return Err(Fault::Marks { rank, op });
            }
        }
        Ok(())
    }

    /// The expression in an output chunk, if anything is there.
    fn output(&self, rank: Rank, chunk: usize) -> Option<ExpressionId> {
        match self.cell(rank, Buffer::Output, chunk) {
            Cell::Value(id) => Some(id),
            // In place, data that has to be moved may be there already; a result has to be made.
            Cell::Raw(id) => (!self.schedule.collective.verb.reduces()).then_some(id),
            Cell::Empty => None,
        }
    }

    fn cell(&self, rank: Rank, buffer: Buffer, chunk: usize) -> Cell {
        let (buffer, at) = self.schedule.place(rank, buffer, chunk);
        self.memory[rank][buffer as usize][at]
    }

    /// The expressions in all outputs, after a run that met its postcondition.
    pub(super) fn outputs(&self) -> Vec<Vec<ExpressionId>> {
        let chunks = |rank: Rank| self.rooms[rank][Buffer::Output as usize].len();
        let output = |rank| (0..chunks(rank)).filter_map(move |chunk| self.output(rank, chunk));
        (0..self.schedule.collective.ranks).map(|rank| output(rank).collect()).collect()
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

    /// Reads a span; notes whether it is the rank's untouched input.
    fn read(&mut self, span: Span) -> Vec<ExpressionId> {
        let mut values = Vec::with_capacity(span.count);
        let mut raw = 0;
        for chunk in span.chunks() {
            match self.run.cell(self.rank, span.buffer, chunk) {
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
        if self.some(raw, span.count) {
            self.marks().pre = true;
        }
        values
    }

    /// Notes that the op's result is complete, if all of it is.
    fn completes(&mut self, values: &[ExpressionId]) {
        let ranks = self.run.schedule.collective.ranks;
        let full = values.iter().filter(|&&v| self.run.expressions.contributions(v) == ranks);
        if self.some(full.count(), values.len()) {
            self.marks().post = true;
        }
    }

    /// Whether some chunks of an op ask for scaling: then all of them must.
    fn some(&mut self, asking: usize, all: usize) -> bool {
        let scales = self.run.schedule.collective.verb.reduces();
        if scales && asking > 0 && asking < all {
            self.fail(Fault::Marks { rank: self.rank, op: self.op });
        }
        scales && asking > 0
    }

    fn marks(&mut self) -> &mut Marks {
        &mut self.run.found[self.rank][self.op]
    }
}

impl World for RankWorld<'_, '_> {
    type Value = Vec<ExpressionId>;

    fn enter(&mut self, op: usize) {
        self.op = op;
    }

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
        let values = self.read(src);
        let op = &self.run.schedule.programs[self.rank].ops[self.op];
        if matches!(op.action, Action::Reduce { .. }) && self.marks().pre {
            // A mark scales what is added, not what it is added to.
            self.fail(Fault::Marks { rank: self.rank, op: self.op });
        }
        let first = self.run.cell(self.rank, src.buffer, src.start);
        if matches!(first, Cell::Raw(_)) && self.run.schedule.collective.ranks == 1 {
            // A group of one: its only contribution is the whole result as soon as it is read.
            self.completes(&values);
        }
        values
    }

    fn store(&mut self, dst: Span, value: &Self::Value) {
        if value.len() != dst.count {
            return self.fail(Fault::Length { rank: self.rank, op: self.op });
        }
        for (chunk, &id) in dst.chunks().zip(value) {
            let expected = self.run.rooms[self.rank][dst.buffer as usize][chunk];
            let found = self.run.expressions.label(id);
            if expected != found {
                return self.fail(Fault::Mixed { rank: self.rank, op: self.op, expected, found });
            }
            let (buffer, at) = self.run.schedule.place(self.rank, dst.buffer, chunk);
            self.run.memory[self.rank][buffer as usize][at] = Cell::Value(id);
        }
    }

    fn reduce(
        &mut self,
        value: Self::Value,
        src: Span,
        dst: Option<Span>,
        _: Marks,
    ) -> Self::Value {
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
        if let Some(dst) = dst {
            self.store(dst, &results);
        }
        results
    }

    fn note(&mut self, _: usize, _: Moment, _: Option<&Self::Value>) {}
}
