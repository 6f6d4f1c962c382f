//! Direct: everybody talks to everybody at once (HCCL's mesh, MPI's linear, NCCL's way for
//! AllToAll).
//!
//! AllGather over 4 ranks, one round: rank 0 sends block 0 to 1, 2 and 3, on three lanes at once,
//! and receives block 3 from 3, block 2 from 2, block 1 from 1. ReduceScatter is that backwards:
//! rank r receives its block from r+1, r+2, ..., and adds them in this order, so the result never
//! depends on which arrives first. AllReduce is both ("two-shot"). AllToAll sends block d to rank
//! d.
//!
//! Cost: one round (AllReduce two) if a rank has n-1 ports, n-1 if it has one; (n-1)/n S per rank.
//! Source: HCCL's mesh; MPICH `alltoall` scattered; NCCL `enqueue.cc` for AllToAll.

use super::{Algorithm, Closed, always};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "direct",
    verbs: &[Verb::AllReduce, Verb::ReduceScatter, Verb::AllGather, Verb::AllToAll],
    source: "HCCL mesh; NCCL enqueue.cc",
    blocks: |_, ranks| ranks,
    write,
    closed,
    refuse: always,
};

fn write(c: Collective) -> Builder {
    match c.verb {
        Verb::AllGather => exchange(c),
        Verb::AllToAll => exchange(c),
        Verb::ReduceScatter => {
            exchange(Collective { verb: Verb::AllGather, ..c }).reverse().reflect()
        }
        Verb::AllReduce => {
            let half = |verb| write(Collective { verb, ..c });
            half(Verb::ReduceScatter).then(&half(Verb::AllGather))
        }
        other => unreachable!("direct does not serve {}", other.title()),
    }
}

/// Lane d-1 of rank r sends to r+d and receives from r-d.
fn exchange(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::new(c);
    // What rank `from` has for rank `to`: its only block, or the block meant for `to`.
    let block = |to: usize| if c.verb == Verb::AllToAll { to * m } else { 0 };
    for rank in 0..n {
        let src = Span::new(Buffer::Input, block(rank), m);
        b.push(rank, 0, Action::Copy { src, dst: Span::new(Buffer::Output, rank * m, m) });
    }
    for distance in 1..n {
        let mut messages = Vec::with_capacity(n * m);
        for piece in 0..m {
            for rank in 0..n {
                let to = (rank + distance) % n;
                let src = Span::new(Buffer::Input, block(to) + piece, 1);
                let dst = Span::new(Buffer::Output, rank * m + piece, 1);
                messages.push(((rank, src), (to, dst)));
            }
        }
        b.exchange(distance - 1, &messages);
    }
    b
}

fn closed(verb: Verb, n: usize) -> Closed {
    let (far, any) = (n - 1, usize::from(n > 1));
    match verb {
        Verb::AllReduce => Closed {
            rounds: 2 * any,
            sent_most: (2 * far, n),
            sent_total: (2 * far, 1),
            rounds_formula: "2",
            sent_formula: "2(n−1)/n · S",
        },
        _ => Closed {
            rounds: any,
            sent_most: (far, n),
            sent_total: (far, 1),
            rounds_formula: "1",
            sent_formula: "(n−1)/n · S",
        },
    }
}
