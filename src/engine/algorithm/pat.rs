//! PAT (parallel aggregated trees): every block has a binomial tree of its own, and all trees are
//! the same, turned.
//!
//! AllGather over 4 ranks, the block that every rank sends:
//!
//! ```text
//! round   rank 0 sends   rank 1 sends   rank 2 sends   rank 3 sends   distance
//!   1        0 > 2          1 > 3          2 > 0          3 > 1          2
//!   2        2 > 3          3 > 0          0 > 1          1 > 2          1
//!   3        0 > 3          1 > 0          2 > 1          3 > 2          1
//! ```
//!
//! A block that has come s ranks from its own came the last 2^d of them, d being the lowest bit of
//! s, and goes on by every smaller power of two: far distances first. A rank deals with one block
//! at a time and follows its tree into the depth, so a block is passed on soon after it came.
//! ReduceScatter is the AllGather run backwards; because of that order a rank never has more than
//! ⌈log2 n⌉ unfinished sums at a time, which is why NCCL, whose buffers are few, uses it.
//!
//! Cost: n-1 rounds of single blocks, (n-1)/n S per rank, but no block makes more than ⌈log2 n⌉
//! hops. NCCL aggregates small blocks; with all of a distance in one message PAT is NHR with left
//! and right exchanged. Source: S. Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter
//! operations at scale" (2025); NCCL `collectives.h`.

use super::{Algorithm, Closed, ceil_log2};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "pat",
    verbs: &[Verb::ReduceScatter, Verb::AllGather],
    choices: &[],
    source: |_| "Jeaugey 2025; NCCL collectives.h",
    blocks: |r| r.ranks,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| match c.verb {
        Verb::AllGather => all_gather(c),
        _ => all_gather(Collective { verb: Verb::AllGather, ..c }).reverse(),
    },
    closed: |r| Closed::each_block_once(r.ranks, r.ranks - 1, "n−1"),
    needs: &[],
};

/// In round t the block that arrives at rank r is r + s, s being the t-th of `tree`.
fn all_gather(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::new(c);
    for rank in 0..n {
        let (src, dst) = (Span::new(Buffer::Input, 0, m), Span::new(Buffer::Output, rank * m, m));
        b.push(rank, 0, Action::Copy { src, dst });
    }
    for (round, s) in (1..).zip(tree(n)) {
        b.round(round);
        let hop = 1 << s.trailing_zeros();
        let mut messages = Vec::with_capacity(n * m);
        for piece in 0..m {
            for rank in 0..n {
                let dst = Span::new(Buffer::Output, (rank + s) % n * m + piece, 1);
                let src = if s == hop { Span::new(Buffer::Input, piece, 1) } else { dst };
                messages.push((((rank + hop) % n, src), (rank, dst)));
            }
        }
        b.exchange(0, &messages);
    }
    b
}

/// The binomial tree over 1..n whose root is 0, in depth-first order, far children first.
fn tree(n: usize) -> Vec<usize> {
    fn descend(from: usize, reach: usize, n: usize, order: &mut Vec<usize>) {
        for bit in (0..reach).rev() {
            let child = from + (1 << bit);
            if child < n {
                order.push(child);
                descend(child, bit, n, order);
            }
        }
    }
    let mut order = Vec::with_capacity(n);
    descend(0, ceil_log2(n), n, &mut order);
    order
}
