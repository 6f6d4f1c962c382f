//! Direct: everybody talks to everybody at once (HCCL's mesh, MPI's linear, NCCL's way for
//! AllToAll).
//!
//! AllGather over 4 ranks, one round: rank 0 sends block 0 to 1, 2 and 3, on three lanes at once,
//! and receives block 3 from 3, block 2 from 2, block 1 from 1. ReduceScatter is that backwards:
//! rank r receives its block from r+1, r+2, ..., and adds them in this order, so the result never
//! depends on which arrives first. AllReduce is both ("two-shot"). AllToAll sends block d to rank
//! d. Scatter is what only the root sends of that; Gather is Scatter backwards.
//!
//! Cost: one round (AllReduce two) if a rank has n-1 ports, n-1 if it has one; (n-1)/n S per rank.
//! Source: HCCL's mesh; MPICH `alltoall` scattered; NCCL `enqueue.cc` for AllToAll.

use super::{Algorithm, Closed};
use crate::engine::Rank;
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "direct",
    verbs: &[
        Verb::AllReduce,
        Verb::ReduceScatter,
        Verb::AllGather,
        Verb::Gather,
        Verb::Scatter,
        Verb::AllToAll,
    ],
    choices: &[],
    source: |verb| match verb {
        Verb::Gather | Verb::Scatter | Verb::AllToAll => "HCCL mesh; NCCL enqueue.cc",
        _ => "HCCL mesh",
    },
    blocks: |r| r.ranks,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| closed(r.verb, r.ranks),
    needs: &[],
};

pub(super) fn write(c: Collective) -> Builder {
    match c.verb {
        Verb::AllGather | Verb::AllToAll => at_once(c),
        Verb::ReduceScatter => {
            at_once(Collective { verb: Verb::AllGather, ..c }).reverse().reflect()
        }
        Verb::AllReduce => {
            let half = |verb| write(Collective { verb, ..c });
            half(Verb::ReduceScatter).then(&half(Verb::AllGather))
        }
        Verb::Scatter => scatter(c),
        Verb::Gather => scatter(Collective { verb: Verb::Scatter, ..c }).reverse(),
        other => unreachable!("direct does not serve {}", other.title()),
    }
}

/// Everybody is at it at once: lane d-1 of rank r sends to r+d and receives from r-d.
fn at_once(c: Collective) -> Builder {
    let to = |rank, distance| (rank + distance) % c.ranks;
    exchange(c, |distance| Turn { lane: distance - 1, round: 1 }, to)
}

/// When a step of an [`exchange`] takes place.
pub(super) struct Turn {
    /// The lane it belongs to.
    pub(super) lane: usize,
    /// Its round.
    pub(super) round: usize,
}

/// AllGather or AllToAll in n-1 steps from 1: in each, every rank sends to another, `to` (rank,
/// step), what that one needs of it.
pub(super) fn exchange(
    c: Collective,
    turn: impl Fn(usize) -> Turn,
    to: impl Fn(Rank, usize) -> Rank,
) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::new(c);
    // What rank `from` has for rank `to`: its only block, or the block meant for `to`.
    let block = |to: usize| if c.verb == Verb::AllToAll { to * m } else { 0 };
    for rank in 0..n {
        let src = Span::new(Buffer::Input, block(rank), m);
        b.push(rank, 0, Action::Copy { src, dst: Span::new(Buffer::Output, rank * m, m) });
    }
    for step in 1..n {
        let Turn { lane, round } = turn(step);
        b.round(round);
        let mut messages = Vec::with_capacity(n * m);
        for piece in 0..m {
            for rank in 0..n {
                let to = to(rank, step);
                let src = Span::new(Buffer::Input, block(to) + piece, 1);
                let dst = Span::new(Buffer::Output, rank * m + piece, 1);
                messages.push(((rank, src), (to, dst)));
            }
        }
        b.exchange(lane, &messages);
    }
    b
}

/// Lane d-1 is for the rank d after the root.
fn scatter(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::new(c);
    let own = Span::new(Buffer::Input, c.root * m, m);
    b.push(c.root, 0, Action::Copy { src: own, dst: Span::new(Buffer::Output, 0, m) });
    for distance in 1..n {
        let to = (c.root + distance) % n;
        for piece in 0..m {
            let src = Span::new(Buffer::Input, to * m + piece, 1);
            b.message((c.root, src), (to, Span::new(Buffer::Output, piece, 1)), distance - 1);
        }
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
        Verb::Scatter | Verb::Gather => Closed {
            rounds: any,
            sent_most: (if verb == Verb::Scatter { far } else { any }, n),
            sent_total: (far, n),
            rounds_formula: "1",
            sent_formula: if verb == Verb::Scatter { "(n−1)/n · S" } else { "S/n" },
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
