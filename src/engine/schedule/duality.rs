//! Operations on schedules: run backwards, run one after the other, mirror.
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
    /// own input, in the order they arrive.
    ///
    /// Example, a Broadcast from 0 over 4 ranks: 0 sends to 2, then 0 to 1 and 2 to 3. Reversed, 1
    /// sends to 0 and 3 to 2, then 2 sends the sum of both to 0.
    pub fn reverse(&self) -> Builder {
        let verb = match self.collective.verb {
            Verb::AllGather => Verb::ReduceScatter,
            Verb::Broadcast => Verb::Reduce,
            Verb::Scatter => Verb::Gather,
            other => unreachable!("{} has no reverse", other.title()),
        };
        let mut reversed = Builder::new(Collective { verb, ..self.collective });
        let rounds = self.rounds();
        for rank in 0..self.collective.ranks {
            reversed.programs[rank].scratch = self.programs[rank].scratch.clone();
            Reversal::new(rank, &self.programs[rank], &mut reversed).run(rounds);
        }
        reversed
    }

    /// This schedule, then `next` on its result: ReduceScatter then AllGather, or Reduce then
    /// Broadcast, make AllReduce.
    pub fn then(&self, next: &Builder) -> Builder {
        let first = self.collective;
        assert_eq!((first.ranks, first.root), (next.collective.ranks, next.collective.root));
        assert_eq!(first.chunks(), next.collective.chunks());
        let mut composed = Builder::new(Collective { verb: Verb::AllReduce, ..first });
        for rank in 0..first.ranks {
            // The result of the first half stands in the final output, where the second half takes
            // it.
            let own = if first.verb.has_blocks() { rank * first.pieces } else { 0 };
            let program = &mut composed.programs[rank];
            program.scratch = self.programs[rank].scratch.clone();
            let scratch = program.scratch.len();
            program.scratch.extend(&next.programs[rank].scratch);
            program.lanes = self.programs[rank].lanes.max(next.programs[rank].lanes);
            let halfway = |span: Span| match span.buffer {
                Buffer::Output => Span { start: span.start + own, ..span },
                _ => span,
            };
            program.ops.extend(self.programs[rank].ops.iter().map(|op| op.with_spans(halfway)));
            let onward = |span: Span| match span.buffer {
                Buffer::Input => Span::new(Buffer::Output, span.start + own, span.count),
                Buffer::Scratch => Span { start: span.start + scratch, ..span },
                Buffer::Output => span,
            };
            let second = next.programs[rank].ops.iter().map(|op| op.with_spans(onward));
            // A copy onto itself is what is left of moving the own block into the output.
            program.ops.extend(
                second.filter(|op| !matches!(op.action, Action::Copy { src, dst } if src == dst)),
            );
        }
        composed
    }

    /// The same schedule with rank r (and its block) renamed to (n - r) mod n: a ring that turned
    /// left turns right.
    pub fn reflect(&self) -> Builder {
        let Collective { ranks, pieces, .. } = self.collective;
        let mirror = |rank: Rank| (ranks - rank) % ranks;
        let mut reflected = self.clone();
        reflected.collective.root = mirror(self.collective.root);
        let blocks = self.collective.verb.has_blocks();
        for rank in 0..ranks {
            let program = &mut reflected.programs[mirror(rank)];
            *program = self.programs[rank].clone();
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

    /// The largest round number used.
    fn rounds(&self) -> usize {
        self.programs.iter().flat_map(|p| &p.ops).map(|op| op.round).max().unwrap_or(0)
    }
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
    fn with_peers(mut self, map: impl Fn(Peer) -> Peer) -> Action {
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
    current: HashMap<(Buffer, usize), (Buffer, usize)>,
}

impl<'a> Reversal<'a> {
    fn new(rank: Rank, program: &'a Program, reversed: &'a mut Builder) -> Self {
        Reversal { rank, program, reversed, current: HashMap::new() }
    }

    fn run(mut self, rounds: usize) {
        let reduces = self.reversed.collective.verb.reduces();
        if reduces {
            // What was the output is now the input: every rank brings its own contribution.
            for chunk in 0..self.reversed.collective.input(self.rank).len() {
                self.current.insert((Buffer::Output, chunk), (Buffer::Input, chunk));
            }
        }
        let mut leading_copies = Vec::new();
        for op in &self.program.ops {
            if let Action::Copy { src, dst } = op.action
                && reduces
            {
                // The original copied its input into its output; now that output chunk's
                // contribution starts the accumulation of the result.
                for (a, b) in src.chunks().zip(dst.chunks()) {
                    self.current.insert((src.buffer, a), (Buffer::Input, b));
                }
                leading_copies.push((op.lane, src, dst));
            }
        }
        for op in self.program.ops.iter().rev() {
            self.reversed.round(rounds + 1 - op.round);
            match op.action {
                Action::Send { src, to } => self.arrive(op.lane, to, src, reduces),
                Action::Recv { from, dst } => {
                    let src = self.locate(dst);
                    self.reversed.push(self.rank, op.lane, Action::Send { src, to: from });
                }
                Action::Copy { .. } if reduces => {}
                Action::Copy { src, dst } => {
                    let (src, dst) = (swap(dst), swap(src));
                    self.reversed.push(self.rank, op.lane, Action::Copy { src, dst });
                }
                other => unreachable!("{} is not a plain copying op", other.name()),
            }
        }
        for (lane, src, dst) in leading_copies {
            // Nothing arrived to be reduced with (n = 1): the contribution is the result.
            if self.locate(src).buffer == Buffer::Input {
                let action = Action::Copy { src: swap(dst), dst: swap(src) };
                self.reversed.push(self.rank, lane, action);
            }
        }
    }

    /// A message for the original's `cell` arrives from `from`.
    fn arrive(&mut self, lane: usize, from: Peer, cell: Span, reduces: bool) {
        let home = if !reduces {
            swap(cell)
        } else if cell.buffer == Buffer::Input {
            Span::new(Buffer::Output, cell.start, cell.count)
        } else {
            self.accumulator(cell)
        };
        let action = if self.current.contains_key(&(cell.buffer, cell.start)) && reduces {
            Action::RecvReduce { from, src: self.locate(cell), dst: home }
        } else {
            Action::Recv { from, dst: home }
        };
        self.reversed.push(self.rank, lane, action);
        for (cell_chunk, chunk) in cell.chunks().zip(home.chunks()) {
            self.current.insert((cell.buffer, cell_chunk), (home.buffer, chunk));
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

    /// Where the value of `cell` is now.
    fn locate(&self, cell: Span) -> Span {
        let at = |chunk| self.current.get(&(cell.buffer, chunk)).copied();
        match at(cell.start) {
            None => swap(cell),
            Some((buffer, start)) => {
                for (offset, chunk) in cell.chunks().enumerate() {
                    assert_eq!(at(chunk), Some((buffer, start + offset)), "a span stays together");
                }
                Span::new(buffer, start, cell.count)
            }
        }
    }
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
