//! Operations on several schedules: one inside a larger one, one after the other, side by side.

use super::{Action, Alike, Builder, Op, Peer, Span};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::{Label, Rank};

/// Where the ops of one schedule go when they become part of a larger one.
pub struct Embedding<'a> {
    /// The larger schedule's rank or switch for each of the part.
    pub members: &'a [Rank],
    /// Where a span of the part's input or output lies, for a rank of the part. Scratch moves by
    /// itself.
    pub span: &'a dyn Fn(Rank, Span) -> Span,
    /// The larger schedule's label for a label of the part.
    pub label: &'a dyn Fn(Label) -> Label,
    /// Added to every lane.
    pub lane: usize,
    /// Added to every channel.
    pub channel: usize,
    /// Added to every round.
    pub round: usize,
}

impl Builder {
    /// Appends the ops of `part`, a schedule for a group and a vector of its own. Where ranks are
    /// alike here, this says what the first of them does, and so what those do that follow from it.
    ///
    /// Example: the ranks of node 1 of 2, `members` 4 to 7, reduce-scatter among themselves, and
    /// what is the part's output is a range of the output here.
    pub fn embed(&mut self, part: &Builder, at: &Embedding) {
        for rank in 0..part.actors() {
            if !self.writes(at.members[rank]) {
                continue;
            }
            let program = part.program(rank);
            let labels = program.scratch.iter().map(|&label| (at.label)(label));
            let scratch = self.scratch(at.members[rank], labels);
            let slot = self.slot(at.members[rank]);
            let host = &mut self.programs[slot];
            host.lanes = host.lanes.max(at.lane + program.lanes);
            let place = |span: Span| match span.buffer {
                Buffer::Scratch => Span { start: span.start + scratch, ..span },
                _ => (at.span)(rank, span),
            };
            let peer = |p: Peer| Peer { rank: at.members[p.rank], channel: p.channel + at.channel };
            for op in &program.ops {
                let mut op = op.with_spans(place);
                // A copy onto itself is what is left of moving the own block into the output.
                if matches!(op.action, Action::Copy { src, dst } if src == dst) {
                    continue;
                }
                op.action = op.action.with_peers(peer);
                (op.lane, op.round) = (op.lane + at.lane, op.round + at.round);
                host.ops.push(op);
            }
        }
    }

    /// This schedule, then `next` on its result: ReduceScatter then AllGather, or Reduce then
    /// Broadcast, make AllReduce; Scatter then AllGather make Broadcast.
    pub fn then(&self, next: &Builder) -> Builder {
        self.followed_by(next, 0)
    }

    /// As [`Builder::then`], but `next` has lanes of its own: chunk by chunk it starts on what is
    /// ready, while this schedule still works on the rest.
    ///
    /// Example, a Reduce of 4 pieces up a tree, piped into a Broadcast: the first sums go down
    /// while the last pieces go up.
    pub fn pipe(&self, next: &Builder) -> Builder {
        self.followed_by(next, self.lanes())
    }

    /// This schedule, then `next`, whose lanes start at `lane`.
    fn followed_by(&self, next: &Builder, lane: usize) -> Builder {
        let first = self.collective;
        assert_eq!((first.ranks, first.root), (next.collective.ranks, next.collective.root));
        assert_eq!(first.chunks(), next.collective.chunks());
        let verb = match (first.verb, next.collective.verb) {
            (Verb::ReduceScatter, Verb::AllGather) | (Verb::Reduce, Verb::Broadcast) => {
                Verb::AllReduce
            }
            (Verb::Scatter, Verb::AllGather) => Verb::Broadcast,
            (a, b) => unreachable!("{} then {} is no verb", a.title(), b.title()),
        };
        // The result of the first half stands in the final output, where the second half takes it.
        let own = |rank: Rank, span: Span| {
            let own = if first.verb.has_blocks() { rank * first.pieces } else { 0 };
            Span { buffer: Buffer::Output, start: span.start + own, ..span }
        };
        let halfway = |rank, span: Span| match span.buffer {
            Buffer::Output => own(rank, span),
            _ => span,
        };
        let onward = |rank, span: Span| match span.buffer {
            Buffer::Input => own(rank, span),
            _ => span,
        };
        let members: Vec<Rank> = (0..self.actors()).collect();
        let halves: [(_, &dyn Fn(Rank, Span) -> Span, _); 2] =
            [(self, &halfway, 0), (next, &onward, lane)];
        let collective = Collective { verb, ..first };
        let mut composed = match self.alike == next.alike {
            true => self.like(collective),
            false => Builder::with_switches(collective, self.switches()),
        };
        for (half, span, lane) in halves {
            let label = &|label| label;
            let at = Embedding { members: &members, span, label, lane, channel: 0, round: 0 };
            composed.embed(half, &at);
        }
        composed
    }

    /// The schedule of `collective` in `parts` that share nothing but the ranks: each gets an equal
    /// range of the pieces of every block, lanes and channels of its own, and is written by
    /// `write`, which is told the number of the part and its collective.
    ///
    /// Example, two parts of a ring AllReduce over 4 ranks with 2 pieces per block: part 0 moves
    /// the even chunks on channel 0, part 1 the odd ones on channel 1, in the same rounds.
    pub fn side_by_side(
        collective: Collective,
        parts: usize,
        write: impl Fn(usize, Collective) -> Builder,
    ) -> Builder {
        if parts == 1 {
            return write(0, collective);
        }
        let (pieces, share) = (collective.pieces, collective.pieces / parts);
        assert_eq!(share * parts, pieces, "parts are equal");
        let part = |part| write(part, Collective { pieces: share, ..collective });
        let all: Vec<Builder> = (0..parts).map(part).collect();
        let mut whole = match all.iter().all(|part| part.alike == all[0].alike) {
            true => all[0].like(collective),
            false => Builder::with_switches(collective, all[0].switches()),
        };
        let members: Vec<Rank> = (0..whole.actors()).collect();
        for (part, mut written) in all.into_iter().enumerate() {
            written.cut_at_blocks();
            let place = |chunk: usize| chunk / share * pieces + part * share + chunk % share;
            let at = Embedding {
                members: &members,
                span: &|_, span| Span { start: place(span.start), ..span },
                label: &place,
                lane: whole.lanes(),
                channel: whole.channels(),
                round: 0,
            };
            whole.embed(&written, &at);
        }
        whole
    }

    /// The same schedule with every chunk cut into `parts`: as many messages, each of `parts` times
    /// as many chunks.
    pub fn subdivide(mut self, parts: usize) -> Builder {
        self.collective.pieces *= parts;
        for program in &mut self.programs {
            let labels = program.scratch.iter();
            program.scratch = labels.flat_map(|l| l * parts..(l + 1) * parts).collect();
            for op in &mut program.ops {
                *op = op.with_spans(|span| Span {
                    start: span.start * parts,
                    count: span.count * parts,
                    ..span
                });
            }
        }
        self
    }

    /// The same schedule with every chunk cut into `segments`, and every message into as many that
    /// follow each other. Local work is not cut.
    ///
    /// Example, a chain of 3 ranks in 2 segments: while rank 1 passes the first on, the second is
    /// on its way to rank 1.
    pub fn in_segments(self, segments: usize) -> Builder {
        if segments == 1 {
            return self;
        }
        let collective = self.collective.cut(segments);
        // Segments of what spans several blocks are no longer alike.
        let spans_blocks = |op: &Op| op.action.count() > self.collective.pieces;
        let alike = match self.programs.iter().flat_map(|p| &p.ops).any(spans_blocks) {
            true => Alike::NONE,
            false => self.alike,
        };
        let mut cut = self.spread(alike).subdivide(segments);
        cut.collective = collective;
        for program in &mut cut.programs {
            let pieces = |op: Op| {
                let travels = op.action.from().or(op.action.to()).is_some();
                let messages = if travels { segments } else { 1 };
                (0..messages).map(move |piece| {
                    op.with_spans(|span| {
                        let count = span.count / messages;
                        Span { start: span.start + piece * count, count, ..span }
                    })
                })
            };
            program.ops = std::mem::take(&mut program.ops).into_iter().flat_map(pieces).collect();
        }
        cut
    }

    /// Cuts ops over several blocks into one op per block.
    ///
    /// Both ends of a message are cut in the same way, whatever the buffers they lie in: where one
    /// block of the vector ends and the next begins.
    fn cut_at_blocks(&mut self) {
        let pieces = self.collective.pieces;
        let written: Vec<Rank> = self.written().collect();
        for (rank, program) in written.into_iter().zip(&mut self.programs) {
            let labels = [
                self.collective.input(rank),
                self.collective.output(rank),
                program.scratch.clone(),
            ];
            let mut cut = Vec::with_capacity(program.ops.len());
            for op in &program.ops {
                let Some(span) = op.action.src().or(op.action.dst()) else {
                    cut.push(op.clone());
                    continue;
                };
                let labels = &labels[span.buffer as usize][span.chunks()];
                let mut at = 0;
                for block in labels.chunk_by(|a, b| a / pieces == b / pieces) {
                    let count = block.len();
                    let part = |span: Span| Span { start: span.start + at, count, ..span };
                    cut.push(op.with_spans(part));
                    at += count;
                }
            }
            program.ops = cut;
        }
    }

    /// The number of lanes in use.
    fn lanes(&self) -> usize {
        self.programs.iter().map(|program| program.lanes).max().unwrap_or(0)
    }

    /// The number of channels in use.
    fn channels(&self) -> usize {
        let ops = self.programs.iter().flat_map(|program| &program.ops);
        let peers = ops.flat_map(|op| op.action.to().into_iter().chain(op.action.from()));
        peers.map(|peer| peer.channel + 1).max().unwrap_or(0)
    }
}
