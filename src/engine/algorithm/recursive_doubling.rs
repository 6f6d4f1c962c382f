//! Recursive doubling: exchange everything with a partner twice as far away each round.
//!
//! AllGather over 4 ranks, what every rank sends to its partner:
//!
//! ```text
//! round   rank 0    rank 1    rank 2    rank 3    distance
//!   1      0 > 1     1 > 0     2 > 3     3 > 2       1
//!   2     01 > 2    01 > 3    23 > 0    23 > 1       2
//! ```
//!
//! The partner in the round of distance d is r xor d, so both hold aligned groups of d blocks, and
//! double them. AllReduce exchanges and adds whole vectors instead. Group sizes are powers of two;
//! AllReduce folds the ranks beyond one, as `fold` describes.
//!
//! Cost: log2 n rounds; AllReduce sends log2 n S per rank, AllGather (n-1)/n S. Source: R. Thakur,
//! R. Rabenseifner and W. Gropp, "Optimization of collective communication operations in MPICH"
//! (2005), section 4.

use super::{Algorithm, Closed, Need, Request, Rule, When, fold};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Peer, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "recursive-doubling",
    verbs: &[Verb::AllReduce, Verb::AllGather],
    choices: &[],
    source: |_| "Thakur, Rabenseifner & Gropp 2005",
    blocks: |_| 1,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write,
    closed,
    needs: &[Need { rule: Rule::PowerOfTwo, when: When::Verb(Verb::AllGather) }],
};

fn write(r: &Request, c: Collective) -> Builder {
    match c.verb {
        Verb::AllGather => all_gather(c),
        Verb::AllReduce => {
            let awake = fold::survivors(c.ranks, r.fold);
            let core = all_reduce(Collective { ranks: awake.len(), ..c });
            fold::around(&core, &awake, c, r.fold)
        }
        other => unreachable!("recursive doubling does not serve {}", other.title()),
    }
}

/// Rank r collects the aligned group of 2d blocks that its own is in. A group is one message.
pub(super) fn all_gather(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::new(c);
    for rank in 0..n {
        let (src, dst) = (Span::new(Buffer::Input, 0, m), Span::new(Buffer::Output, rank * m, m));
        b.push(rank, 0, Action::Copy { src, dst });
    }
    for round in 1..=n.ilog2() as usize {
        b.round(round);
        let distance = 1 << (round - 1);
        let message = |rank: usize| {
            let group = rank / distance * distance;
            let dst = Span::new(Buffer::Output, group * m, distance * m);
            let src = if round == 1 { Span::new(Buffer::Input, 0, m) } else { dst };
            ((rank, src), (rank ^ distance, dst))
        };
        b.exchange(0, &(0..n).map(message).collect::<Vec<_>>());
    }
    b
}

/// Partners swap all they have, and both add.
fn all_reduce(c: Collective) -> Builder {
    let n = c.ranks;
    let mut b = Builder::new(c);
    let whole = |buffer| Span::new(buffer, 0, c.chunks());
    let out = whole(Buffer::Output);
    if n == 1 {
        b.push(0, 0, Action::Copy { src: whole(Buffer::Input), dst: out });
    }
    for round in 1..=n.ilog2() as usize {
        b.round(round);
        let src = if round == 1 { whole(Buffer::Input) } else { out };
        let partner = |rank: usize| Peer { rank: rank ^ (1 << (round - 1)), channel: 0 };
        for rank in 0..n {
            b.push(rank, 0, Action::Send { src, to: partner(rank) });
        }
        for rank in 0..n {
            b.push(rank, 0, Action::RecvReduce { from: partner(rank), src, dst: out });
        }
    }
    b
}

fn closed(r: &Request) -> Closed {
    let depth = r.ranks.ilog2() as usize;
    if r.verb == Verb::AllGather {
        return Closed::each_block_once(r.ranks, depth, "log₂n");
    }
    let core = 1 << depth;
    let surplus = r.ranks - core;
    let folded = usize::from(surplus > 0);
    Closed {
        rounds: depth + 2 * folded,
        sent_most: (depth + folded, 1),
        sent_total: (core * depth + 2 * surplus, 1),
        rounds_formula: if folded == 0 { "log₂n" } else { "⌊log₂n⌋ + 2" },
        sent_formula: "⌈log₂n⌉ · S",
    }
}
