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
//! AllReduce is the two, one after the other. Broadcast passes the vector along; cut into pieces,
//! all links work at once. Reduce is the Broadcast backwards and reflected.
//!
//! Cost of AllReduce: 2(n-1) rounds, 2(n-1)/n S sent per rank; of its halves: n-1 rounds, (n-1)/n
//! S. Source: P. Patarasuk and X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
//! workstations" (2009); order and ownership as in NCCL's `all_reduce.h`.

use super::{Algorithm, Closed, always};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "ring",
    verbs: &[
        Verb::AllReduce,
        Verb::ReduceScatter,
        Verb::AllGather,
        Verb::Broadcast,
        Verb::Reduce,
        Verb::Shift,
    ],
    source: "Patarasuk & Yuan 2009; NCCL all_reduce.h",
    blocks: |verb, ranks| if verb == Verb::AllReduce { ranks } else { 1 },
    write,
    closed,
    refuse: always,
};

fn write(c: Collective) -> Builder {
    match c.verb {
        Verb::AllGather => all_gather(c),
        Verb::ReduceScatter => {
            all_gather(Collective { verb: Verb::AllGather, ..c }).reverse().reflect()
        }
        Verb::AllReduce => {
            let half = |verb| write(Collective { verb, ..c });
            half(Verb::ReduceScatter).then(&half(Verb::AllGather))
        }
        Verb::Broadcast => broadcast(c),
        Verb::Reduce => {
            // Reflecting moves the root as well, so start from its mirror image.
            let root = (c.ranks - c.root) % c.ranks;
            broadcast(Collective { verb: Verb::Broadcast, root, ..c }).reverse().reflect()
        }
        Verb::Shift => shift(c),
        other => unreachable!("ring does not serve {}", other.title()),
    }
}

/// In round t every rank sends the block it got in round t-1, so block b is at rank b+t afterwards.
fn all_gather(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::new(c);
    for rank in 0..n {
        let (src, dst) = (Span::new(Buffer::Input, 0, m), Span::new(Buffer::Output, rank * m, m));
        b.push(rank, 0, Action::Copy { src, dst });
    }
    for round in 1..n {
        b.round(round);
        let mut messages = Vec::with_capacity(n * m);
        for piece in 0..m {
            for rank in 0..n {
                let block = (rank + n - (round - 1)) % n;
                let arrives = Span::new(Buffer::Output, block * m + piece, 1);
                let src = match round {
                    1 => Span::new(Buffer::Input, piece, 1),
                    _ => arrives,
                };
                messages.push(((rank, src), ((rank + 1) % n, arrives)));
            }
        }
        b.exchange(0, &messages);
    }
    b
}

/// The vector goes from the root round the ring; the rank before the root only receives.
fn broadcast(c: Collective) -> Builder {
    let (n, k) = (c.ranks, c.chunks());
    let mut b = Builder::new(c);
    let whole = |buffer| Span::new(buffer, 0, k);
    let copy = Action::Copy { src: whole(Buffer::Input), dst: whole(Buffer::Output) };
    b.push(c.root, 0, copy);
    for chunk in 0..k {
        for hop in 1..n {
            b.round(hop + chunk);
            let (from, to) = ((c.root + hop - 1) % n, (c.root + hop) % n);
            let buffer = if hop == 1 { Buffer::Input } else { Buffer::Output };
            b.message(
                (from, Span::new(buffer, chunk, 1)),
                (to, Span::new(Buffer::Output, chunk, 1)),
                0,
            );
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

fn closed(verb: Verb, n: usize) -> Closed {
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
        Verb::Broadcast | Verb::Reduce => Closed {
            rounds: far,
            sent_most: (usize::from(n > 1), 1),
            sent_total: (far, 1),
            rounds_formula: "n−1",
            sent_formula: "S",
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
