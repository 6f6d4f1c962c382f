//! The one walk through a trace: events in order, with the contents of all memories at hand.

use super::{Cell, CellState, Contents, Entry, Flight, card_rows};
use crate::engine::collective::{Buffer, Required, Verb};
use crate::engine::memory::Lengths;
use crate::engine::rank::Moment;
use crate::engine::reduce::Dtype;
use crate::engine::reduce::plain::{Number, numbers};
use crate::engine::schedule::{Message, Op, Schedule, Span};
use crate::engine::simulate::Run;
use crate::engine::trace::{Event, Timing, Trace};
use crate::engine::{Label, Rank, distinct};
use std::collections::HashMap;

/// Interprets events in order, with the contents of all memories at hand.
pub(super) struct Walk<'a> {
    schedule: &'a Schedule,
    /// What the values of events are elements of.
    dtype: Dtype,
    complete: usize,
    /// What each rank must end with; a switch with nothing.
    required: Vec<Vec<Required>>,
    arrival_rounds: &'a Timing,
    memory: Vec<HashMap<(Buffer, usize), Contents>>,
    senders: Vec<Vec<Option<(Rank, usize)>>>,
    /// What each op sent or applied last.
    results: Vec<Vec<Vec<Contents>>>,
    index: HashMap<(Rank, usize, Label), usize>,
    pub(super) cells: Vec<Cell>,
    pub(super) entries: Vec<Entry>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        schedule: &'a Schedule,
        run: &Run,
        lengths: &Lengths,
        arrival_rounds: &'a Timing,
    ) -> Self {
        let c = &schedule.collective;
        let reduces = c.verb.reduces() || c.verb == Verb::Barrier;
        let mut walk = Walk {
            schedule,
            dtype: run.reduction.sums(),
            complete: if reduces { c.ranks } else { 1 },
            required: (0..schedule.programs.len()).map(|rank| c.required(rank)).collect(),
            arrival_rounds,
            memory: vec![HashMap::new(); schedule.programs.len()],
            senders: schedule.senders(),
            results: schedule.programs.iter().map(|p| vec![Vec::new(); p.ops.len()]).collect(),
            index: HashMap::new(),
            cells: Vec::new(),
            entries: Vec::new(),
        };
        for rank in 0..schedule.programs.len() {
            walk.lay_out(rank, lengths);
            let labels = c.input(rank);
            let dtype = run.reduction.dtype;
            let samples = run.inputs.sample(dtype, rank, &labels, lengths);
            for (chunk, (label, bytes)) in labels.into_iter().zip(samples).enumerate() {
                let values = numbers(dtype, &bytes);
                let contents = Contents { values, from: vec![rank] };
                let place = schedule.place(rank, Buffer::Input, chunk);
                walk.memory[rank].insert(place, contents.clone());
                walk.show(rank, 0, label, contents, 0.0, false);
            }
        }
        walk
    }

    /// The empty cells of a card.
    fn lay_out(&mut self, rank: Rank, lengths: &Lengths) {
        let c = &self.schedule.collective;
        let mut rows: Vec<Vec<Label>> = Vec::new();
        if card_rows(c.verb) > 1 {
            rows.push(c.input(rank));
            rows.push(c.required(rank).iter().map(|r| r.label).collect());
        } else {
            rows.push((0..c.chunks()).collect());
        }
        for (row, labels) in rows.into_iter().enumerate() {
            for (column, label) in labels.into_iter().enumerate() {
                self.index.insert((rank, row, label), self.cells.len());
                self.cells.push(Cell {
                    rank,
                    row,
                    label,
                    column,
                    elements: lengths.range(label).len(),
                    complete: self.complete,
                    history: vec![CellState { since: 0.0, contents: None, is_final: false }],
                });
            }
        }
    }

    /// Gives a cell a new state.
    fn show(
        &mut self,
        rank: Rank,
        row: usize,
        label: Label,
        contents: Contents,
        time: f64,
        output: bool,
    ) {
        let wanted = self.required[rank].iter().find(|r| r.label == label);
        let is_final = output && wanted.is_some_and(|r| r.from == contents.from);
        let Some(&cell) = self.index.get(&(rank, row, label)) else { return };
        let state = CellState { since: time, contents: Some(contents), is_final };
        let history = &mut self.cells[cell].history;
        match history.last_mut() {
            // A finished chunk may be copied on, to be sent among others; it stays finished.
            Some(last) if last.is_final && !output => {}
            Some(last) if last.since == time => *last = state,
            _ => history.push(state),
        }
    }

    pub(super) fn event(&mut self, event: &Event) {
        let program = self.schedule.programs.get(event.rank);
        let Some(op) = program.and_then(|p| p.ops.get(event.op)) else { return };
        match event.what {
            Moment::Applied => self.applied(event, op),
            Moment::Sent if op.action.from().is_none() => self.sent(event, op),
            _ => {}
        }
    }

    /// A plain send: the message holds what its span holds.
    fn sent(&mut self, event: &Event, op: &Op) {
        let Some(src) = op.action.src() else { return };
        let mut contents = self.read(event.rank, src);
        for (chunk, contents) in contents.iter_mut().enumerate().take(event.values.len()) {
            contents.values = self.values(event, chunk);
        }
        self.results[event.rank][event.op] = contents;
    }

    /// The values of one chunk of what an event is about.
    fn values(&self, event: &Event, chunk: usize) -> Vec<Number> {
        let bytes = event.values.get(chunk).map_or(&[][..], Vec::as_slice);
        numbers(self.dtype, bytes)
    }

    fn read(&self, rank: Rank, span: Span) -> Vec<Contents> {
        let at = |chunk| {
            let place = self.schedule.place(rank, span.buffer, chunk);
            self.memory[rank].get(&place).cloned().unwrap_or_default()
        };
        span.chunks().map(at).collect()
    }

    /// Local work: what came in, what it met, what came out.
    fn applied(&mut self, event: &Event, op: &Op) {
        let (rank, action) = (event.rank, op.action);
        let Some(span) = action.dst().or(action.src()) else { return };
        let sender = self.senders[rank][event.op];
        let incoming = match sender {
            Some((from, op)) => self.results[from][op].clone(),
            None => action.src().map_or(Vec::new(), |src| self.read(rank, src)),
        };
        let own = match (action.reduces(), sender) {
            (false, _) => None,
            (true, Some(_)) => action.src().map(|src| self.read(rank, src)),
            (true, None) => action.dst().map(|dst| self.read(rank, dst)),
        };
        let labels = self.schedule.labels(rank, span.buffer);
        let mut results = Vec::with_capacity(span.count);
        for (offset, chunk) in span.chunks().enumerate() {
            let came = incoming.get(offset).cloned().unwrap_or_default();
            let met = own.as_ref().and_then(|own| own.get(offset)).cloned();
            let mut from = came.from.clone();
            from.extend(met.iter().flat_map(|m| &m.from));
            let from = distinct(from);
            let values = self.values(event, offset);
            let result = Contents { values, from };
            let stored = action.dst().is_some();
            if stored {
                let place = self.schedule.place(rank, span.buffer, chunk);
                self.memory[rank].insert(place, result.clone());
            }
            let output = stored && span.buffer == Buffer::Output;
            let row = usize::from(card_rows(self.schedule.collective.verb) > 1 && output);
            self.show(rank, row, labels[chunk], result.clone(), event.time, output);
            self.entries.push(Entry {
                time: event.time,
                rank,
                op: event.op,
                from: sender.map(|(from, _)| from),
                label: labels[chunk],
                incoming: came,
                own: met,
                result: result.clone(),
                complete: self.complete,
                step: self.arrival_step(rank, event.op),
            });
            results.push(result);
        }
        self.results[rank][event.op] = results;
    }

    /// The round of the rounds model in which the op's message arrives.
    fn arrival_step(&self, rank: Rank, op: usize) -> usize {
        self.arrival_rounds[rank][op].received.map_or(0, |round| round as usize)
    }

    /// The messages that were sent and taken, in the order in which they were sent.
    pub(super) fn flights(&self, trace: &Trace, timing: &Timing, lengths: &Lengths) -> Vec<Flight> {
        let flight = |message: Message| {
            let times = &timing[message.from][message.send_op];
            let departs = times.sent?;
            let arrives = timing[message.to][message.recv_op].received?;
            let op = &self.schedule.programs[message.to].ops[message.recv_op];
            let span = op.action.dst().or(op.action.src())?;
            let labels = self.schedule.labels(message.to, span.buffer)[span.chunks()].to_vec();
            let contents = self.results[message.from][message.send_op].clone();
            Some(Flight {
                message,
                elements: labels.iter().map(|&label| lengths.range(label).len()).sum(),
                labels,
                contents,
                complete: self.complete,
                phase: op.phase,
                step: self.arrival_step(message.to, message.recv_op),
                departs,
                arrives,
            })
        };
        let mut messages: Vec<Vec<Option<Message>>> =
            self.schedule.programs.iter().map(|p| vec![None; p.ops.len()]).collect();
        for message in self.schedule.messages() {
            messages[message.from][message.send_op] = Some(message);
        }
        let sent = trace.events.iter().filter(|event| event.what == Moment::Sent);
        let departing = sent.filter_map(|e| messages.get_mut(e.rank)?.get_mut(e.op)?.take());
        departing.filter_map(flight).collect()
    }
}
