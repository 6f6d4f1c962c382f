//! Ring: every rank talks to its two neighbours only.
//!
//! AllGather over 4 ranks, blocks sent by rank r: its own, then what it just received.
//!
//! ```text
//! round   rank 0 sends   rank 1 sends   rank 2 sends   rank 3 sends
//!   1        0 > 1          1 > 2          2 > 3          3 > 0
//!   2        3 > 1          0 > 2          1 > 3          2 > 0
//!   3        2 > 1          3 > 2          0 > 3          1 > 0
//! ```
//!
//! ReduceScatter is the AllGather run backwards and reflected, so that it turns the same way: rank
//! r first sends block r-1, then the sum for r-2, and ends owning block r, which is NCCL's order.
//! AllReduce is the two, one after the other.
//!
//! Broadcast and Reduce are a [chain](super::chain), which NCCL calls a ring as well; its Reduce is
//! reflected, for the same reason. Scatter sends the block with the longest way first, and every
//! rank passes on what is not for itself; Gather is that backwards and reflected.
//!
//! Cost of AllReduce: 2(n-1) rounds, 2(n-1)/n S sent per rank; of its halves, and of Scatter and
//! Gather: n-1 rounds, (n-1)/n S. Source of AllReduce and its halves: P. Patarasuk and X. Yuan,
//! "Bandwidth optimal all-reduce algorithms for clusters of workstations" (2009); order and
//! ownership as in NCCL's `all_reduce.h`. Broadcast and Reduce are NCCL's as well, Scatter and
//! Gather HCCL's, and the shift is what MPI programs do.

use super::{Algorithm, Choice, Closed, chain};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Alike, Builder, Peer, Span, Turn};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "ring",
    verbs: &[
        Verb::AllReduce,
        Verb::ReduceScatter,
        Verb::AllGather,
        Verb::Broadcast,
        Verb::Reduce,
        Verb::Scatter,
        Verb::Gather,
        Verb::Shift,
    ],
    choices: &[Choice::Channels],
    source: |verb| match verb {
        Verb::AllReduce => "Patarasuk & Yuan 2009; NCCL all_reduce.h",
        Verb::ReduceScatter | Verb::AllGather => {
            "Patarasuk & Yuan 2009; NCCL reduce_scatter.h, all_gather.h"
        }
        Verb::Broadcast | Verb::Reduce => "NCCL broadcast.h, reduce.h",
        Verb::Scatter | Verb::Gather => "HCCL ring",
        _ => "MPI_Cart_shift and MPI_Sendrecv",
    },
    blocks: |r| if r.verb == Verb::AllReduce { r.ranks } else { 1 },
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| closed(r.verb, r.ranks),
    needs: &[],
};

pub(super) fn write(c: Collective) -> Builder {
    // Reflecting moves the root as well, so start from its mirror image.
    let mirrored = Collective { root: (c.ranks - c.root) % c.ranks, ..c };
    match c.verb {
        Verb::AllGather => all_gather(c),
        Verb::ReduceScatter => {
            all_gather(Collective { verb: Verb::AllGather, ..c }).reverse().reflect()
        }
        Verb::AllReduce => {
            let half = |verb| write(Collective { verb, ..c });
            half(Verb::ReduceScatter).then(&half(Verb::AllGather))
        }
        Verb::Broadcast => chain::write(c),
        Verb::Reduce => chain::write(mirrored).reflect(),
        Verb::Scatter => scatter(c),
        Verb::Gather => scatter(Collective { verb: Verb::Scatter, ..mirrored }).reverse().reflect(),
        Verb::Shift => shift(c),
        other => unreachable!("ring does not serve {}", other.title()),
    }
}

/// In round t every rank sends the block it got in round t-1, so block b is at rank b+t afterwards.
pub(super) fn all_gather(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::turning(c, Alike::round(Turn { stride: 1, length: n }));
    let (src, dst) = (Span::new(Buffer::Input, 0, m), Span::new(Buffer::Output, 0, m));
    b.push(0, 0, Action::Copy { src, dst });
    let [left, right] = [n - 1, 1 % n].map(|rank| Peer { rank, channel: 0 });
    // Rank 0 receives blocks n-1, n-2, ..., and every rank does as rank 0 does.
    for round in 1..n {
        b.round(round);
        let piece = |block: usize, piece| Span::new(Buffer::Output, block * m + piece, 1);
        for at in 0..m {
            let src = match round {
                1 => Span::new(Buffer::Input, at, 1),
                _ => piece(n - (round - 1), at),
            };
            b.push(0, 0, Action::Send { src, to: right });
        }
        for at in 0..m {
            b.push(0, 0, Action::Recv { from: left, dst: piece(n - round, at) });
        }
    }
    b
}

/// The farthest block leaves first, so that all blocks are home in the last round.
fn scatter(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let real = |distance: usize| (c.root + distance) % n;
    let mut b = Builder::new(c);
    let own = Span::new(Buffer::Input, c.root * m, m);
    b.push(c.root, 0, Action::Copy { src: own, dst: Span::new(Buffer::Output, 0, m) });
    for (turn, distance) in (1..n).rev().enumerate() {
        let block = real(distance) * m;
        let mut held = Span::new(Buffer::Input, block, m);
        for hop in 1..=distance {
            let (from, to) = (real(hop - 1), real(hop));
            let next = match distance - hop {
                0 => Span::new(Buffer::Output, 0, m),
                _ => Span::new(Buffer::Scratch, b.scratch(to, block..block + m), m),
            };
            for piece in 0..m {
                b.round(turn * m + piece + hop);
                let part = |span: Span| Span::new(span.buffer, span.start + piece, 1);
                b.message((from, part(held)), (to, part(next)), 0);
            }
            held = next;
        }
    }
    b
}

/// Everybody sends to the next rank, once. Sends come first, so that it works in place.
fn shift(c: Collective) -> Builder {
    let (n, k) = (c.ranks, c.chunks());
    let mut b = Builder::new(c);
    let span = |buffer, chunk| Span::new(buffer, chunk, 1);
    if n == 1 {
        let whole = |buffer| Span::new(buffer, 0, k);
        let (src, dst) = (whole(Buffer::Input), whole(Buffer::Output));
        b.push(0, 0, Action::Copy { src, dst });
        return b;
    }
    let message = |chunk, rank| {
        ((rank, span(Buffer::Input, chunk)), ((rank + 1) % n, span(Buffer::Output, chunk)))
    };
    for chunk in 0..k {
        b.round(chunk + 1);
        let messages: Vec<_> = (0..n).map(|rank| message(chunk, rank)).collect();
        b.exchange(0, &messages);
    }
    b
}

pub(super) fn closed(verb: Verb, n: usize) -> Closed {
    let far = n - 1;
    match verb {
        Verb::AllReduce => Closed {
            rounds: 2 * far,
            sent_most: (2 * far, n),
            sent_total: (2 * far, 1),
            rounds_formula: "2(n−1)",
            sent_formula: "2(n−1)/n · S",
        },
        Verb::AllGather | Verb::ReduceScatter => Closed {
            rounds: far,
            sent_most: (far, n),
            sent_total: (far, 1),
            rounds_formula: "n−1",
            sent_formula: "(n−1)/n · S",
        },
        Verb::Broadcast | Verb::Reduce => chain::closed(verb, n),
        Verb::Scatter | Verb::Gather => Closed {
            rounds: far,
            sent_most: (far, n),
            sent_total: (far, 2),
            rounds_formula: "n−1",
            sent_formula: "(n−1)/n · S",
        },
        _ => Closed {
            rounds: usize::from(n > 1),
            sent_most: (usize::from(n > 1), 1),
            sent_total: (if n > 1 { n } else { 0 }, 1),
            rounds_formula: "1",
            sent_formula: "S",
        },
    }
}
