//! AllGather through scratch in which every message is one range.
//!
//! Algorithms that send blocks 0, 2 and 4 together would need a message with gaps. Instead all
//! ranks keep the blocks in scratch, in an order chosen such that what is sent in a round lies
//! together, and so does what arrives. The order is relative to the rank, so it is the same for
//! all. In the end every block but the own, which is there already, is copied to its place in the
//! output.

use crate::engine::collective::{Buffer, Collective};
use crate::engine::schedule::{Action, Builder, Span};

/// What every rank does in one round. Positions are in scratch, in blocks.
pub(super) struct Step {
    /// How much further on, counted in ranks, the receiver is.
    pub(super) to: usize,
    /// The first of the blocks that are sent.
    pub(super) sent: usize,
    /// Where the first of those that arrive goes.
    pub(super) arriving: usize,
    /// How many blocks.
    pub(super) blocks: usize,
}

/// At position i of its scratch rank r holds block r + `order[i]`. In the first step every rank
/// sends its own block, which is the only one it has.
pub(super) fn all_gather(c: Collective, order: &[usize], steps: &[Step]) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::new(c);
    let block = |rank: usize, position: usize| (rank + order[position]) % n;
    let held = |position, blocks| Span::new(Buffer::Scratch, position * m, blocks * m);
    let output = |first: usize, blocks: usize| Span::new(Buffer::Output, first * m, blocks * m);
    let input = Span::new(Buffer::Input, 0, m);
    let (own, others): (Vec<_>, Vec<_>) = (0..n).partition(|&position| order[position] == 0);
    for rank in 0..n {
        b.scratch(rank, (0..n * m).map(|slot| block(rank, slot / m) * m + slot % m));
        b.push(rank, 0, Action::Copy { src: input, dst: output(rank, 1) });
        // The own block is sent again after the first step, among others.
        if steps.len() > 1 {
            b.push(rank, 0, Action::Copy { src: input, dst: held(own[0], 1) });
        }
    }
    for (round, step) in (1..).zip(steps) {
        b.round(round);
        let src = if round == 1 { input } else { held(step.sent, step.blocks) };
        let dst = held(step.arriving, step.blocks);
        let messages = (0..n).map(|rank| ((rank, src), ((rank + step.to) % n, dst)));
        b.exchange(0, &messages.collect::<Vec<_>>());
    }
    for rank in 0..n {
        // Blocks that lie together in both orders are copied at once.
        let together = |&a: &usize, &b: &usize| b == a + 1 && block(rank, b) == block(rank, a) + 1;
        for run in others.chunk_by(together) {
            let (src, dst) = (held(run[0], run.len()), output(block(rank, run[0]), run.len()));
            b.push(rank, 0, Action::Copy { src, dst });
        }
    }
    b
}
