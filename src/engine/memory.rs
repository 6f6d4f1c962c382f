//! A rank's memory: where each chunk lies, and the work of an op on real bytes.

use super::collective::{Buffer, Collective, balanced};
use super::rank::Moment;
use super::reduce::{Arithmetic, Dtype, Reduction};
use super::region::{Region, disjoint};
use super::schedule::{Marks, Op, Schedule, Span};
use super::tensor::Tensor;
use super::{Label, Rank};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Bytes that are worked on together, whole elements: what was just written is still in the second
/// cache. Smaller blocks would fit the first, but what reads memory ahead begins anew in each.
const BLOCK_BYTES: usize = 256 * 1024;

/// How many elements of each chunk a trace shows.
pub const SAMPLE_PER_CHUNK: usize = 8;

/// How many elements each label has.
#[derive(Clone, Debug)]
pub struct Lengths {
    collective: Collective,
    blocks: Vec<Range<usize>>,
}

impl Lengths {
    /// The whole vector is `tensor`; blocks are cut along its dimension.
    pub fn new(collective: &Collective, tensor: &Tensor) -> Self {
        let mut start = 0;
        let blocks = (0..collective.blocks)
            .map(|block| {
                let len = tensor.block_len(collective.blocks, block);
                start += len;
                start - len..start
            })
            .collect();
        Lengths { collective: *collective, blocks }
    }

    /// The elements of a label inside the vector whose blocks lie one after the other.
    pub fn range(&self, label: Label) -> Range<usize> {
        let place = self.collective.place(label);
        let (block, piece) = (place / self.collective.pieces, place % self.collective.pieces);
        let block = &self.blocks[block];
        let part = balanced(block.len(), self.collective.pieces, piece);
        block.start + part.start..block.start + part.end
    }

    /// Elements of the whole vector.
    pub fn total(&self) -> usize {
        self.blocks.last().map_or(0, |b| b.end)
    }
}

/// Where the chunks of one rank lie, in bytes, inside one allocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Byte ranges per buffer (input, output, scratch) and chunk. In place, input and output
    /// overlap.
    chunks: [Vec<Range<usize>>; 3],
    /// The bytes that results lie in before they are complete.
    sums: Range<usize>,
    /// Size of the allocation.
    pub bytes: usize,
}

impl Layout {
    /// The layout of `rank` for `schedule` on vectors with these lengths.
    pub fn new(schedule: &Schedule, rank: Rank, lengths: &Lengths, dtype: Dtype) -> Self {
        let size = |label| lengths.range(label).len() * dtype.size_bytes();
        let line_up = |labels: Vec<Label>, mut at: usize| -> (Vec<Range<usize>>, usize) {
            let ranges = labels
                .into_iter()
                .map(|label| {
                    at += size(label);
                    at - size(label)..at
                })
                .collect();
            (ranges, at)
        };
        let labels = |buffer| schedule.labels(rank, buffer);
        let (input, output, end);
        if schedule.in_place {
            // Whichever buffer is larger holds the other at NCCL's offset.
            let (in_at, out_at) = schedule.collective.in_place_offsets(rank);
            let (big_input, input_end) = line_up(labels(Buffer::Input), 0);
            let (big_output, output_end) = line_up(labels(Buffer::Output), 0);
            let offset = |big: &[Range<usize>], at: usize| big.get(at).map_or(0, |r| r.start);
            let (in_start, out_start) = (offset(&big_output, in_at), offset(&big_input, out_at));
            let (in_start, out_start) = match (in_at, out_at) {
                (0, 0) => (0, 0),
                (_, 0) => (in_start, 0),
                _ => (0, out_start),
            };
            input = line_up(labels(Buffer::Input), in_start).0;
            output = line_up(labels(Buffer::Output), out_start).0;
            end = input_end.max(output_end);
        } else {
            let (ranges, input_end) = line_up(labels(Buffer::Input), 0);
            input = ranges;
            (output, end) = line_up(labels(Buffer::Output), input_end);
        }
        let (scratch, bytes) = line_up(labels(Buffer::Scratch), end);
        let mut layout = Layout { chunks: [input, output, scratch], sums: 0..0, bytes };
        let ops = schedule.programs[rank].ops.iter().filter(|op| op.makes_partial_sum());
        let sums = ops.filter_map(|op| op.action.dst()).map(|dst| layout.span(dst));
        let hull = |a: Range<usize>, b: Range<usize>| a.start.min(b.start)..a.end.max(b.end);
        layout.sums = sums.reduce(hull).unwrap_or(0..0);
        layout
    }

    /// The bytes of one chunk.
    pub fn chunk(&self, buffer: Buffer, chunk: usize) -> Range<usize> {
        self.chunks[buffer as usize][chunk].clone()
    }

    /// The bytes of a span.
    pub fn span(&self, span: Span) -> Range<usize> {
        let chunks = &self.chunks[span.buffer as usize];
        chunks[span.start].start..chunks[span.start + span.count - 1].end
    }

    /// What partial sums take beside the buffers: nothing unless they are of a wider type.
    pub fn sums_bytes(&self, reduction: &Reduction) -> usize {
        match (reduction.wire(), reduction.sums()) {
            (wire, sums) if wire == sums => 0,
            _ => self.sums_of(self.sums.clone(), reduction).len(),
        }
    }

    /// Where the partial sums of a range of bytes lie among those of the rank.
    fn sums_of(&self, range: Range<usize>, reduction: &Reduction) -> Range<usize> {
        let (size, sum) = (reduction.wire().size_bytes(), reduction.sums().size_bytes());
        let place = |at: usize| (at - self.sums.start) / size * sum;
        place(range.start)..place(range.end)
    }

    /// The bytes of a whole buffer.
    pub fn buffer(&self, buffer: Buffer) -> Range<usize> {
        let chunks = &self.chunks[buffer as usize];
        chunks.first().map_or(0, |c| c.start)..chunks.last().map_or(0, |c| c.end)
    }
}

/// A run may go over its buffers in several passes, as NCCL and MSCCL do: in each, the whole
/// program is executed on a part of every chunk. The parts are few enough bytes to stay in the
/// caches until the last rank has read them; and no byte is in two of them, so that ranks may be in
/// different passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Its number, from 0.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl Pass {
    /// The only one.
    pub const WHOLE: Pass = Pass { number: 0, of: 1 };

    /// Parts are whole cache lines, and so whole elements; the last may be shorter, or empty.
    const LINE_BYTES: usize = 64;

    /// What it works on of a chunk.
    fn part(&self, chunk: Range<usize>) -> Range<usize> {
        if self.of == 1 {
            return chunk;
        }
        let step = chunk.len().div_ceil(self.of).next_multiple_of(Self::LINE_BYTES);
        let start = chunk.end.min(chunk.start + self.number * step);
        start..chunk.end.min(start + step)
    }
}

/// A rank's bytes and what ops do to them.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The allocation that the layout describes.
    pub bytes: Region,
    /// Partial sums, where they are of a wider type than what the layout describes.
    sums: Vec<u8>,
    /// Where everything lies.
    pub layout: Layout,
    /// What part of every chunk ops work on. In several passes, spans are single chunks.
    pub pass: Pass,
    /// What `⊕` means in this run.
    pub reduction: Reduction,
    /// Who computes it.
    arithmetic: &'static Arithmetic,
}

impl Memory {
    /// Memory with `input` (blocks one after the other) in place and zeros elsewhere.
    ///
    /// `input` has exactly the length of the layout's input buffer.
    pub fn new(
        layout: Layout,
        reduction: Reduction,
        arithmetic: &'static Arithmetic,
        input: &[u8],
    ) -> Self {
        let mut bytes = Region::zeroed(layout.bytes);
        bytes[layout.buffer(Buffer::Input)].copy_from_slice(input);
        let sums = vec![0; layout.sums_bytes(&reduction)];
        Memory { bytes, sums, layout, pass: Pass::WHOLE, reduction, arithmetic }
    }

    /// Where the present pass's part of a span lies.
    pub fn place(&self, span: Span) -> Range<usize> {
        self.pass.part(self.layout.span(span))
    }

    /// The bytes of a span.
    pub fn span(&self, span: Span) -> &[u8] {
        &self.bytes[self.place(span)]
    }

    /// The bytes of a span, to be written.
    pub fn span_mut(&mut self, span: Span) -> &mut [u8] {
        let place = self.place(span);
        &mut self.bytes[place]
    }

    /// Whether two spans have no byte in common.
    pub fn apart(&self, a: Span, b: Span) -> bool {
        disjoint(&self.place(a), &self.place(b))
    }

    /// Copies a span into `value`, scaled as `marks` says.
    pub fn load(&self, src: Span, marks: Marks, mut value: Vec<u8>) -> Vec<u8> {
        value.clear();
        value.extend_from_slice(self.span(src));
        if marks.pre {
            self.reduction.pre(self.arithmetic, &mut value);
        }
        if marks.post {
            // A group of one: its only contribution is the sum.
            value = self.reduction.sum_of(self.arithmetic, value);
            value = self.reduction.post(self.arithmetic, value);
        }
        value
    }

    /// Writes `value` to a span: as many elements as it has, or as many partial sums.
    pub fn store(&mut self, dst: Span, value: &[u8]) {
        if self.is_wider(dst, value) {
            let range = self.layout.sums_of(self.place(dst), &self.reduction);
            self.sums[range].copy_from_slice(value);
        } else {
            self.span_mut(dst).copy_from_slice(value);
        }
    }

    /// `dst = dst ⊕ src`, sums of the wire type, scaled as `marks` says.
    pub fn reduce_here(&mut self, dst: Span, src: Span, marks: Marks) {
        if marks.pre || !self.apart(dst, src) {
            let x = self.span(dst).to_vec();
            return self.reduce_into(dst, &[(&x, marks)], src);
        }
        let (to, from) = (self.place(dst), self.place(src));
        let (value, own) = self.bytes.pair(to, from);
        self.reduction.combine(self.arithmetic, value, own);
        if marks.post {
            self.reduction.finish(self.arithmetic, value);
        }
    }

    /// `dst = x ⊕ src` for the first of `messages`, then `dst = x ⊕ dst` for the others, sums of
    /// the wire type, each scaled as its marks say, block by block: what is written goes out to
    /// memory once. `dst` may be `src`.
    pub fn reduce_into(&mut self, dst: Span, messages: &[(&[u8], Marks)], src: Span) {
        let (to, from) = (self.place(dst), self.place(src));
        let same = messages.iter().all(|(x, _)| x.len() == to.len()) && from.len() == to.len();
        assert!(same, "operands of different sizes");
        let apart = disjoint(&to, &from);
        // A copy must not reach into the next block, which is still to be read.
        let step = if apart || to == from { BLOCK_BYTES } else { to.len().max(1) };
        for at in (0..to.len()).step_by(step) {
            let block = at..to.len().min(at + step);
            let part = |range: &Range<usize>| range.start + at..range.start + block.end;
            let (to, mut own) = (part(&to), part(&from));
            for &(x, marks) in messages {
                let (add, x) = (self.adding(marks), &x[block.clone()]);
                if apart && own != to {
                    let (value, own) = self.bytes.pair(to.clone(), own);
                    add.apart(value, own, x);
                } else {
                    if own != to {
                        self.bytes.copy_within(own, to.start);
                    }
                    add.here(&mut self.bytes[to.clone()], x);
                }
                own = to.clone();
            }
        }
    }

    /// `value = x ⊕ src`, sums of the wire type, scaled as `marks` says, block by block.
    pub fn reduce_to(&self, value: &mut [u8], x: &[u8], src: Span, marks: Marks) {
        let add = self.adding(marks);
        let operands = self.span(src).chunks(BLOCK_BYTES).zip(x.chunks(BLOCK_BYTES));
        for (value, (own, x)) in value.chunks_mut(BLOCK_BYTES).zip(operands) {
            add.apart(value, own, x);
        }
    }

    fn adding(&self, marks: Marks) -> Adding {
        Adding { reduction: self.reduction, arithmetic: self.arithmetic, marks }
    }

    /// Whether `value`, of as many elements as `span` has, holds partial sums of a wider type.
    pub fn is_wider(&self, span: Span, value: &[u8]) -> bool {
        value.len() > self.place(span).len()
    }

    /// `value ⊕ src`, scaled as `marks` says.
    pub fn reduce(&self, mut value: Vec<u8>, src: Span, marks: Marks) -> Vec<u8> {
        let (reduction, with) = (&self.reduction, self.arithmetic);
        let own = || self.load(src, Marks { post: false, ..marks }, Vec::new());
        if reduction.widens() {
            // What the rank has is its own input, or already a sum; what comes is added to it.
            let mut sum = match marks.pre {
                true => reduction.sum_of(with, own()),
                false => self.sums[self.layout.sums_of(self.place(src), reduction)].to_vec(),
            };
            reduction.combine(with, &mut sum, &value);
            value = sum;
        } else if marks.pre {
            reduction.combine(with, &mut value, &own());
        } else {
            reduction.combine(with, &mut value, self.span(src));
        }
        if marks.post { reduction.post(with, value) } else { value }
    }

    /// The first elements of each chunk of `value`, which `op` applied or sent, in the type of
    /// partial sums: what a trace shows.
    /// Empty where the moment's value is told by another moment of the same op.
    pub fn sample(&self, op: &Op, what: Moment, value: &[u8]) -> Vec<Vec<u8>> {
        let tells = match what {
            Moment::Applied => true,
            Moment::Sent => op.action.from().is_none(),
            Moment::Reached | Moment::Received => false,
        };
        let Some(span) = op.action.src().or(op.action.dst()).filter(|_| tells) else {
            return Vec::new();
        };
        let (wire, sums) = (self.reduction.wire(), self.reduction.sums());
        let dtype = if self.is_wider(span, value) { sums } else { wire };
        let mut at = 0;
        let chunks = span.chunks().map(|chunk| {
            let elements = self.layout.chunk(span.buffer, chunk).len() / wire.size_bytes();
            let len = elements * dtype.size_bytes();
            at += len;
            let first = first_elements(dtype, &value[at - len..at]).to_vec();
            if dtype == sums { first } else { self.reduction.sum_of(self.arithmetic, first) }
        });
        chunks.collect()
    }
}

/// How a message is added to what is the rank's own. Every operator is commutative.
struct Adding {
    reduction: Reduction,
    arithmetic: &'static Arithmetic,
    marks: Marks,
}

impl Adding {
    /// `own = own ⊕ x`.
    fn here(&self, own: &mut [u8], x: &[u8]) {
        if self.marks.pre {
            self.reduction.pre(self.arithmetic, own);
        }
        self.reduction.combine(self.arithmetic, own, x);
        self.finish(own);
    }

    /// `value = own ⊕ x`.
    fn apart(&self, value: &mut [u8], own: &[u8], x: &[u8]) {
        if self.marks.pre {
            value.copy_from_slice(own);
            return self.here(value, x);
        }
        self.reduction.combine_into(self.arithmetic, value, own, x);
        self.finish(value);
    }

    fn finish(&self, sum: &mut [u8]) {
        if self.marks.post {
            self.reduction.finish(self.arithmetic, sum);
        }
    }
}

/// The first elements of a chunk.
pub fn first_elements(dtype: Dtype, bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(SAMPLE_PER_CHUNK * dtype.size_bytes())]
}
