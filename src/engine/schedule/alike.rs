//! Ranks that do the same, each in its own place: what one of them does says what all do.
//!
//! Example, ring AllGather over 4 ranks: rank 0 sends block 0 to rank 1, then what it receives from
//! rank 3, which are blocks 3 and 2. Rank k does that with all ranks and blocks k further on,
//! modulo 4. In a hierarchy over nodes, the ranks of node k do what those of node 0 do, k nodes
//! further on.
//!
//! Such a schedule is written for the first of those alike only, and *defined* by turning: the rest
//! follows from it, when the schedule is finished. Thus what is alike need not be found out, and
//! the cost of a ring over thousands of ranks can be had without writing millions of messages.

use super::{Peer, Program, Span};
use crate::engine::Rank;
use crate::engine::collective::{Buffer, Collective};

/// Numbers that follow each other round: those that are `stride` apart, `length` of them.
///
/// Example, 12 numbers with stride 2 and length 3: after 1 comes 3, then 5, then 1 again; and 7, 9,
/// 11 are a round of their own. The first of their rounds are 0, 1, 6 and 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// How far apart neighbours are.
    pub stride: usize,
    /// How many make a round.
    pub length: usize,
}

impl Turn {
    /// Every number is a round of its own.
    pub const NONE: Turn = Turn { stride: 1, length: 1 };

    /// How many places `number` stands after the first of its round.
    pub fn place(self, number: usize) -> usize {
        number / self.stride % self.length
    }

    /// `number`, `places` further on in its round.
    pub fn on(self, number: usize, places: usize) -> usize {
        let place = self.place(number);
        number + (place + places) % self.length * self.stride - place * self.stride
    }

    /// The round that `number` belongs to, counted from 0 in the order of their firsts.
    pub fn round(self, number: usize) -> usize {
        number / (self.stride * self.length) * self.stride + number % self.stride
    }

    /// The first number of a round.
    pub fn first(self, round: usize) -> usize {
        round / self.stride * (self.stride * self.length) + round % self.stride
    }

    /// Whether one round after the other takes all numbers below `end`, and turning moves all of
    /// them equally far, modulo `end`.
    pub fn covers(self, end: usize) -> bool {
        self.stride * self.length == end
    }

    /// The same numbers in rounds of which each takes every `step`-th only; `length` is a multiple
    /// of `step`.
    pub fn by(self, step: usize) -> Turn {
        Turn { stride: self.stride * step, length: self.length / step }
    }
}

/// Which ranks are alike, and which blocks change places with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alike {
    /// Turning the ranks by a place …
    pub ranks: Turn,
    /// … turns the blocks by a place. As long as `ranks`.
    pub blocks: Turn,
}

impl Alike {
    /// Every rank has a program of its own.
    pub const NONE: Alike = Alike { ranks: Turn::NONE, blocks: Turn::NONE };

    /// Ranks and their blocks turn alike.
    pub fn round(turn: Turn) -> Alike {
        Alike { ranks: turn, blocks: turn }
    }

    /// As [`Turn::by`].
    pub fn by(self, step: usize) -> Alike {
        Alike { ranks: self.ranks.by(step), blocks: self.blocks.by(step) }
    }

    /// The program of the rank that is `places` after `rank`, whose own is `program`.
    pub(super) fn turned(
        self,
        c: &Collective,
        rank: Rank,
        program: &Program,
        places: usize,
    ) -> Program {
        let mut turned = program.clone();
        if places == 0 {
            return turned;
        }
        let chunk =
            |chunk: usize| self.blocks.on(chunk / c.pieces, places) * c.pieces + chunk % c.pieces;
        // Blocks that turn among themselves stay together, in their order: in scratch as well.
        let Turn { stride, length } = self.blocks;
        let round = stride * length * c.pieces;
        let closed = |start: usize, count: usize| {
            count > c.pieces && start.is_multiple_of(round) && count.is_multiple_of(round)
        };
        turned.scratch = program.scratch.iter().map(|&label| chunk(label)).collect();
        // For each slot of scratch that is one of such blocks, the first slot of them.
        let mut together: Vec<Option<usize>> = vec![None; program.scratch.len()];
        let spans = program.ops.iter().flat_map(|op| op.action.reads().chain(op.action.dst()));
        for span in spans.filter(|span| span.buffer == Buffer::Scratch) {
            let labels = &program.scratch[span.chunks()];
            let in_order = labels.windows(2).all(|pair| pair[1] == pair[0] + 1);
            if in_order && closed(labels[0], labels.len()) {
                turned.scratch[span.chunks()].copy_from_slice(labels);
                together[span.chunks()].fill(Some(span.start));
            }
        }
        let whole = [c.input(rank), c.output(rank)].map(|labels| labels.len() == c.chunks());
        let place = |span: Span| {
            // Its first label, and how much further on than that it stands.
            let (first, ahead) = match span.buffer {
                Buffer::Scratch => match together[span.start] {
                    Some(slot) => (
                        program.scratch[span.start],
                        slot as isize - program.scratch[slot] as isize,
                    ),
                    None => return span,
                },
                buffer if whole[buffer as usize] => (span.start, 0),
                _ => return span,
            };
            if closed(first, span.count) {
                return span;
            }
            let last = first + span.count - 1;
            assert_eq!(first / c.pieces, last / c.pieces, "one block, or all of a round");
            Span { start: chunk(first).saturating_add_signed(ahead), ..span }
        };
        for op in &mut turned.ops {
            *op = op.with_spans(place);
            op.action = op.action.with_peers(|peer| match peer.rank < c.ranks {
                true => Peer { rank: self.ranks.on(peer.rank, places), ..peer },
                false => peer,
            });
        }
        turned
    }
}
