//! A rank's memory: where each chunk lies, and the work of an op on real bytes.

use super::collective::{Buffer, Collective, balanced};
use super::rank::Moment;
use super::reduce::{Dtype, Reduction};
use super::schedule::{Marks, Op, Schedule, Span};
use super::tensor::Tensor;
use super::{Label, Rank};
use serde::{Deserialize, Serialize};
use std::ops::Range;

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
        Layout { chunks: [input, output, scratch], bytes }
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

    /// The bytes of a whole buffer.
    pub fn buffer(&self, buffer: Buffer) -> Range<usize> {
        let chunks = &self.chunks[buffer as usize];
        chunks.first().map_or(0, |c| c.start)..chunks.last().map_or(0, |c| c.end)
    }
}

/// A rank's bytes and what ops do to them.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The allocation that the layout describes.
    pub bytes: Vec<u8>,
    /// Where everything lies.
    pub layout: Layout,
    /// What `⊕` means in this run.
    pub reduction: Reduction,
}

impl Memory {
    /// Memory with `input` (blocks one after the other) in place and zeros elsewhere.
    ///
    /// `input` has exactly the length of the layout's input buffer.
    pub fn new(layout: Layout, reduction: Reduction, input: &[u8]) -> Self {
        let mut bytes = vec![0; layout.bytes];
        bytes[layout.buffer(Buffer::Input)].copy_from_slice(input);
        Memory { bytes, layout, reduction }
    }

    /// The bytes of a span.
    pub fn span(&self, span: Span) -> &[u8] {
        &self.bytes[self.layout.span(span)]
    }

    /// Copies a span into `value`, scaled as `marks` says.
    pub fn load(&self, src: Span, marks: Marks, mut value: Vec<u8>) -> Vec<u8> {
        value.clear();
        value.extend_from_slice(self.span(src));
        self.scale(marks, &mut value);
        value
    }

    /// Writes `value` to a span of the same length.
    pub fn store(&mut self, dst: Span, value: &[u8]) {
        let range = self.layout.span(dst);
        self.bytes[range].copy_from_slice(value);
    }

    /// `value = value ⊕ src`, scaled as `marks` says.
    pub fn reduce(&self, value: &mut [u8], src: Span, marks: Marks) {
        if marks.pre {
            let mut own = self.span(src).to_vec();
            self.reduction.pre(&mut own);
            self.reduction.combine(value, &own);
        } else {
            self.reduction.combine(value, self.span(src));
        }
        if marks.post {
            self.reduction.post(value);
        }
    }

    fn scale(&self, marks: Marks, value: &mut [u8]) {
        if marks.pre {
            self.reduction.pre(value);
        }
        if marks.post {
            self.reduction.post(value);
        }
    }

    /// The first elements of each chunk of `value`, which `op` applied or sent: what a trace shows.
    /// Empty where the moment's value is told by another moment of the same op.
    pub fn sample(&self, op: &Op, what: Moment, value: &[u8]) -> Vec<Vec<f64>> {
        let tells = match what {
            Moment::Applied => true,
            Moment::Sent => op.action.from().is_none(),
            Moment::Reached | Moment::Received => false,
        };
        let Some(span) = op.action.src().or(op.action.dst()).filter(|_| tells) else {
            return Vec::new();
        };
        let mut at = 0;
        let chunks = span.chunks().map(|chunk| {
            let len = self.layout.chunk(span.buffer, chunk).len();
            at += len;
            first_elements(self.reduction.dtype, &value[at - len..at])
        });
        chunks.collect()
    }
}

/// Elements as numbers; every `f32` and `i32` is exact in an `f64`.
pub fn elements(dtype: Dtype, bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.as_chunks::<4>().0.iter().map(move |word| match dtype {
        Dtype::F32 => f64::from(f32::from_le_bytes(*word)),
        Dtype::I32 => f64::from(i32::from_le_bytes(*word)),
    })
}

/// The first elements of a chunk as numbers.
pub fn first_elements(dtype: Dtype, bytes: &[u8]) -> Vec<f64> {
    elements(dtype, bytes).take(SAMPLE_PER_CHUNK).collect()
}
