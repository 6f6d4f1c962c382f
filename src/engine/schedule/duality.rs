//! Operations on one schedule: run backwards, mirror.
//!
//! They make one algorithm out of another, so that ReduceScatter is never written by hand.

use super::{Action, Builder, Op, Peer, Program, Span};
use crate::engine::Rank;
use crate::engine::collective::{Buffer, Collective, Verb};
use std::collections::HashMap;

impl Builder {
    /// The same schedule run backwards in time: AllGather becomes ReduceScatter, Broadcast becomes
    /// Reduce, Scatter becomes Gather.
    ///
    /// Input and output change places, sends become receives. Where a chunk was sent on to several
    /// ranks, their chunks now meet: if the reversed verb reduces, they are reduced with the rank's
    /// own input, in the order they arrive. Copies turn round as well: what was copied out of
    /// scratch at the end is copied into it at the beginning; only the copy of the own input is
    /// dropped, because the last reduction can put the result where it belongs.
    ///
    /// Example, a Broadcast from 0 over 4 ranks: 0 sends to 2, then 0 to 1 and 2 to 3. Reversed, 1
    /// sends to 0 and 3 to 2, then 2 sends the sum of both to 0.
    pub fn reverse(&self) -> Builder {
        let verb = reversed(self.collective.verb);
        let collective = Collective { verb, ..self.collective };
        let mut reversed = self.like(collective);
        let rounds = self.rounds();
        for (slot, rank) in self.written().enumerate() {
            reversed.programs[slot].scratch = self.programs[slot].scratch.clone();
            Reversal::new(rank, &self.programs[slot], &mut reversed).run(rounds);
        }
        reversed
    }

    /// The same schedule with rank r (and its block) renamed to (n - r) mod n: a ring that turned
    /// left turns right. Switches stay.
    pub fn reflect(&self) -> Builder {
        let Collective { ranks, pieces, .. } = self.collective;
        let mirror = |rank| if rank < ranks { (ranks - rank) % ranks } else { rank };
        let mut reflected = self.clone();
        reflected.collective.root = mirror(self.collective.root);
        let blocks = self.collective.verb.has_blocks();
        // Alike are all ranks or none here, and the first is its own image.
        for (slot, rank) in self.written().enumerate() {
            assert!(self.writes(mirror(rank)), "the image of rank {rank} follows from another");
            let program = &mut reflected.programs[self.slot(mirror(rank))];
            *program = self.programs[slot].clone();
            let relabel = |chunk: usize| mirror(chunk / pieces) * pieces + chunk % pieces;
            if blocks {
                program.scratch.iter_mut().for_each(|label| *label = relabel(*label));
            }
            let whole = |buffer| match buffer {
                Buffer::Input => self.collective.input(rank).len() == ranks * pieces,
                Buffer::Output => self.collective.output(rank).len() == ranks * pieces,
                Buffer::Scratch => false,
            };
            for op in &mut program.ops {
                *op = op.with_spans(|span| {
                    if !blocks || !whole(span.buffer) {
                        return span;
                    }
                    assert!(span.count <= pieces, "reflecting keeps the order inside a block only");
                    Span { start: relabel(span.start), ..span }
                });
                op.action = op.action.with_peers(|p| Peer { rank: mirror(p.rank), ..p });
            }
        }
        reflected
    }

    /// Whether all of it is a part of its own verb. What is made of several does not turn round as
    /// a whole: between them a rank holds what is neither its input nor its output.
    pub fn is_one_phase(&self) -> bool {
        let ops = self.programs.iter().flat_map(|program| &program.ops);
        ops.map(|op| op.phase).all(|phase| phase == self.collective.verb)
    }

    /// The largest round number used.
    fn rounds(&self) -> usize {
        self.programs.iter().flat_map(|p| &p.ops).map(|op| op.round).max().unwrap_or(0)
    }
}

/// What a verb, or a phase of it, is when time runs backwards.
fn reversed(verb: Verb) -> Verb {
    verb.dual().unwrap_or_else(|| unreachable!("{} has no reverse", verb.title()))
}

impl Op {
    /// The same op with every span mapped.
    pub(super) fn with_spans(&self, map: impl Fn(Span) -> Span) -> Op {
        let action = match self.action {
            Action::Send { src, to } => Action::Send { src: map(src), to },
            Action::Recv { from, dst } => Action::Recv { from, dst: map(dst) },
            Action::RecvCopySend { from, dst, to } => {
                Action::RecvCopySend { from, dst: map(dst), to }
            }
            Action::RecvReduce { from, src, dst } => {
                Action::RecvReduce { from, src: map(src), dst: map(dst) }
            }
            Action::RecvReduceSend { from, src, to } => {
                Action::RecvReduceSend { from, src: map(src), to }
            }
            Action::RecvReduceCopySend { from, src, dst, to } => {
                Action::RecvReduceCopySend { from, src: map(src), dst: map(dst), to }
            }
            Action::Copy { src, dst } => Action::Copy { src: map(src), dst: map(dst) },
            Action::Reduce { src, dst } => Action::Reduce { src: map(src), dst: map(dst) },
            Action::Nop => Action::Nop,
        };
        Op { action, ..self.clone() }
    }
}

impl Action {
    /// The same action with both peers mapped.
    pub(super) fn with_peers(mut self, map: impl Fn(Peer) -> Peer) -> Action {
        match &mut self {
            Action::Recv { from, .. } | Action::RecvReduce { from, .. } => *from = map(*from),
            Action::Send { to, .. } => *to = map(*to),
            Action::RecvCopySend { from, to, .. }
            | Action::RecvReduceSend { from, to, .. }
            | Action::RecvReduceCopySend { from, to, .. } => {
                (*from, *to) = (map(*from), map(*to));
            }
            Action::Copy { .. } | Action::Reduce { .. } | Action::Nop => {}
        }
        self
    }
}

/// One rank's program, turned round.
///
/// Each chunk of the original is a *cell*. Going backwards, a cell holds nothing, or the rank's own
/// contribution (still in the input), or an accumulated value (in the output or in scratch).
struct Reversal<'a> {
    rank: Rank,
    program: &'a Program,
    reversed: &'a mut Builder,
    /// Where the value of an original cell is now; absent while it holds nothing.
    current: HashMap<Cell, Cell>,
    /// The cell that an input cell of the original was copied to last: going backwards they are
    /// one.
    copies: HashMap<Cell, Cell>,
    /// The input chunk of the original that an output chunk of it is a copy of.
    originals: HashMap<usize, usize>,
}

/// A chunk of a buffer.
type Cell = (Buffer, usize);

impl<'a> Reversal<'a> {
    fn new(rank: Rank, program: &'a Program, reversed: &'a mut Builder) -> Self {
        let (current, copies, originals) = (HashMap::new(), HashMap::new(), HashMap::new());
        Reversal { rank, program, reversed, current, copies, originals }
    }

    fn run(mut self, rounds: usize) {
        let reduces = self.reversed.collective.verb.reduces();
        let own = if reduces { self.contribute() } else { Vec::new() };
        for op in self.program.ops.iter().rev() {
            self.reversed.phase(reversed(op.phase));
            self.reversed.round(rounds + 1 - op.round);
            match op.action {
                Action::Send { src, to } => self.arrive(op.lane, to, src, reduces),
                Action::Recv { from, dst } => {
                    let src = self.locate(dst);
                    self.reversed.push(self.rank, op.lane, Action::Send { src, to: from });
                }
                Action::Copy { src, .. } if reduces && src.buffer == Buffer::Input => {}
                Action::Copy { src, dst } => {
                    let (from, to) = (self.locate(dst), swap(src));
                    self.reversed.push(self.rank, op.lane, Action::Copy { src: from, dst: to });
                    self.current.extend(cells(src).zip(cells(to)));
                }
                other => unreachable!("{} is not a plain copying op", other.name()),
            }
        }
        for (lane, cell) in own {
            // Nothing arrived to be reduced with (n = 1): the contribution is the result.
            let (src, dst) = (self.locate(cell), swap(cell));
            if src != dst {
                self.reversed.push(self.rank, lane, Action::Copy { src, dst });
            }
        }
    }

    /// Every rank brings its own contribution: what was the output is now the input. Returns the
    /// input cells that the original copied, and in which lanes: that is where results belong.
    fn contribute(&mut self) -> Vec<(usize, Span)> {
        for chunk in 0..self.reversed.collective.input(self.rank).len() {
            self.current.insert((Buffer::Output, chunk), (Buffer::Input, chunk));
        }
        self.reversed.round(1);
        let mut own = Vec::new();
        for op in &self.program.ops {
            let Action::Copy { src, dst } = op.action else { continue };
            if src.buffer != Buffer::Input {
                continue;
            }
            if dst.buffer == Buffer::Scratch {
                // It was in the output already; here it was put among others, to be sent with them.
                let src = self.locate(src);
                self.reversed.push(self.rank, op.lane, Action::Copy { src, dst });
                self.current.extend(cells(dst).zip(cells(dst)));
            }
            if dst.buffer == Buffer::Output {
                self.originals.extend(dst.chunks().zip(src.chunks()));
            }
            self.copies.extend(cells(src).zip(cells(dst)));
            own.push((op.lane, src));
        }
        own
    }

    /// A message for the original's `cell` arrives from `from`.
    fn arrive(&mut self, lane: usize, from: Peer, cell: Span, reduces: bool) {
        let home = match self.original(cell) {
            _ if !reduces => swap(cell),
            Some(original) => swap(original),
            None => self.accumulator(cell),
        };
        let holds = self.current.contains_key(&self.merged((cell.buffer, cell.start)));
        let action = if holds && reduces {
            Action::RecvReduce { from, src: self.locate(cell), dst: home }
        } else {
            Action::Recv { from, dst: home }
        };
        self.reversed.push(self.rank, lane, action);
        for (cell, place) in cells(cell).zip(cells(home)) {
            self.current.insert(self.merged(cell), place);
        }
    }

    /// Scratch for partial results of `cell`: the one it has, or a new one.
    fn accumulator(&mut self, cell: Span) -> Span {
        let now = self.locate(cell);
        if now.buffer == Buffer::Scratch {
            return now;
        }
        let labels = self.reversed.collective.input(self.rank)[cell.chunks()].to_vec();
        Span::new(Buffer::Scratch, self.reversed.scratch(self.rank, labels), cell.count)
    }

    /// Where the value of `span`'s cells is now.
    fn locate(&self, span: Span) -> Span {
        let at = |cell| self.current.get(&self.merged(cell)).copied();
        match at((span.buffer, span.start)) {
            None => swap(span),
            Some((buffer, start)) => {
                for (offset, cell) in cells(span).enumerate() {
                    assert_eq!(at(cell), Some((buffer, start + offset)), "a span stays together");
                }
                Span::new(buffer, start, span.count)
            }
        }
    }

    /// The span of the original's input that `span` is, or is a copy of: where that is now, the
    /// result belongs.
    fn original(&self, span: Span) -> Option<Span> {
        let input = |(buffer, chunk): Cell| match buffer {
            Buffer::Input => Some(chunk),
            Buffer::Output => self.originals.get(&chunk).copied(),
            Buffer::Scratch => None,
        };
        let start = input((span.buffer, span.start))?;
        let together = cells(span).map(input).eq((start..start + span.count).map(Some));
        together.then_some(Span { buffer: Buffer::Input, start, ..span })
    }

    /// The cell that stands for `cell`: an input cell and its copy are one.
    fn merged(&self, cell: Cell) -> Cell {
        self.copies.get(&cell).copied().unwrap_or(cell)
    }
}

/// The cells of a span.
fn cells(span: Span) -> impl Iterator<Item = Cell> {
    span.chunks().map(move |chunk| (span.buffer, chunk))
}

/// Input and output change places.
fn swap(span: Span) -> Span {
    let buffer = match span.buffer {
        Buffer::Input => Buffer::Output,
        Buffer::Output => Buffer::Input,
        Buffer::Scratch => Buffer::Scratch,
    };
    Span { buffer, ..span }
}
