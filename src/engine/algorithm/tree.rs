//! Binomial tree: the number of ranks that have the data doubles every round.
//!
//! Broadcast from 0 over 4 ranks:
//!
//! ```text
//! round 1:  0 > 2
//! round 2:  0 > 1   2 > 3
//! ```
//!
//! With v = (rank - root) mod n, in the round of distance d = 2^(⌈log2 n⌉-1), ..., 2, 1 every v
//! that is a multiple of 2d sends to v + d, if that exists. Scatter sends, instead of the vector,
//! the blocks of v + d and of all that it will serve. Reduce and Gather are Broadcast and Scatter
//! run backwards; AllReduce is Reduce, then Broadcast.
//!
//! Cost of Broadcast: ⌈log2 n⌉ rounds, the root sends ⌈log2 n⌉ S. Source: R. Thakur, R.
//! Rabenseifner and W. Gropp, "Optimization of collective communication operations in MPICH"
//! (2005), section 4.

use super::{Algorithm, Choice, Closed, ceil_log2};
use crate::engine::Rank;
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "tree",
    verbs: &[Verb::AllReduce, Verb::Reduce, Verb::Broadcast, Verb::Scatter, Verb::Gather],
    choices: &[Choice::Channels],
    source: |_| "Thakur, Rabenseifner & Gropp 2005",
    blocks: |_| 1,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| closed(r.verb, r.ranks),
    needs: &[],
};

fn write(c: Collective) -> Builder {
    match c.verb {
        Verb::Broadcast => broadcast(c),
        Verb::Reduce => broadcast(Collective { verb: Verb::Broadcast, ..c }).reverse(),
        Verb::AllReduce => {
            let half = |verb| write(Collective { verb, ..c });
            half(Verb::Reduce).then(&half(Verb::Broadcast))
        }
        Verb::Scatter => scatter(c),
        Verb::Gather => scatter(Collective { verb: Verb::Scatter, ..c }).reverse(),
        other => unreachable!("tree does not serve {}", other.title()),
    }
}

/// The edges of the tree as (round, parent, child) over virtual ranks, root 0, in order of rounds.
fn edges(n: usize) -> Vec<(usize, usize, usize)> {
    let rounds = ceil_log2(n);
    let mut edges = Vec::new();
    for round in 1..=rounds {
        let distance = 1 << (rounds - round);
        for parent in (0..n).step_by(2 * distance) {
            if parent + distance < n {
                edges.push((round, parent, parent + distance));
            }
        }
    }
    edges
}

pub(super) fn broadcast(c: Collective) -> Builder {
    let (n, k) = (c.ranks, c.chunks());
    let real = |v: usize| -> Rank { (v + c.root) % n };
    let mut b = Builder::new(c);
    let whole = |buffer| Span::new(buffer, 0, k);
    b.push(c.root, 0, Action::Copy { src: whole(Buffer::Input), dst: whole(Buffer::Output) });
    for chunk in 0..k {
        for (round, parent, child) in edges(n) {
            b.round(round + chunk);
            let buffer = if parent == 0 { Buffer::Input } else { Buffer::Output };
            b.message(
                (real(parent), Span::new(buffer, chunk, 1)),
                (real(child), Span::new(Buffer::Output, chunk, 1)),
                0,
            );
        }
    }
    b
}

/// A subtree's blocks are consecutive virtual ranks, and travel as one message. A root other than 0
/// first brings its blocks into that order, as MPICH does.
pub(super) fn scatter(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let rounds = ceil_log2(n);
    let real = |v: usize| -> Rank { (v + c.root) % n };
    let mut b = Builder::new(c);
    // Where each virtual rank holds the blocks of its subtree, its own first.
    let held: Vec<Span> = (0..n)
        .map(|v| {
            let blocks = if v == 0 { n } else { subtree(v, n) };
            if v == 0 && c.root == 0 {
                return Span::new(Buffer::Input, 0, n * m);
            }
            let labels = (v..v + blocks).flat_map(|u| (0..m).map(move |p| (u, p)));
            let first = b.scratch(real(v), labels.map(|(u, p)| real(u) * m + p));
            Span::new(Buffer::Scratch, first, blocks * m)
        })
        .collect();
    if c.root > 0 {
        let before = c.root * m;
        for (from, to, chunks) in [(before, 0, n * m - before), (0, n * m - before, before)] {
            let src = Span::new(Buffer::Input, from, chunks);
            let dst = Span::new(Buffer::Scratch, held[0].start + to, chunks);
            b.push(c.root, 0, Action::Copy { src, dst });
        }
    }
    for (round, parent, child) in edges(n) {
        b.round(round);
        let start = held[parent].start + (child - parent) * m;
        let src = Span { start, count: held[child].count, ..held[parent] };
        b.message((real(parent), src), (real(child), held[child]), 0);
    }
    b.round(rounds.max(1));
    for (v, &blocks) in held.iter().enumerate() {
        let src = Span { count: m, ..blocks };
        b.push(real(v), 0, Action::Copy { src, dst: Span::new(Buffer::Output, 0, m) });
    }
    b
}

fn closed(verb: Verb, n: usize) -> Closed {
    let depth = ceil_log2(n);
    let far = n - 1;
    match verb {
        Verb::AllReduce => Closed {
            rounds: 2 * depth,
            // An inner rank sends its sum up once and the result down to its children; the root has
            // the most children.
            sent_most: (depth, 1),
            sent_total: (2 * far, 1),
            rounds_formula: "2⌈log₂n⌉",
            sent_formula: "⌈log₂n⌉ · S",
        },
        Verb::Broadcast => Closed {
            rounds: depth,
            sent_most: (depth, 1),
            sent_total: (far, 1),
            rounds_formula: "⌈log₂n⌉",
            sent_formula: "⌈log₂n⌉ · S",
        },
        Verb::Reduce => Closed {
            rounds: depth,
            sent_most: (usize::from(n > 1), 1),
            sent_total: (far, 1),
            rounds_formula: "⌈log₂n⌉",
            sent_formula: "S",
        },
        Verb::Scatter => Closed {
            rounds: depth,
            sent_most: (far, n),
            sent_total: (subtree_blocks(n), n),
            rounds_formula: "⌈log₂n⌉",
            sent_formula: "(n−1)/n · S",
        },
        _ => Closed {
            rounds: depth,
            sent_most: (largest_subtree(n), n),
            sent_total: (subtree_blocks(n), n),
            rounds_formula: "⌈log₂n⌉",
            sent_formula: "≤ S/2",
        },
    }
}

/// Blocks that virtual rank v receives: itself and all it serves.
fn subtree(v: usize, n: usize) -> usize {
    (1 << v.trailing_zeros()).min(n - v)
}

/// The most blocks that any rank but the root receives.
pub(super) fn largest_subtree(n: usize) -> usize {
    (1..n).map(|v| subtree(v, n)).max().unwrap_or(0)
}

/// Blocks that cross any link: every block once for each ancestor below the root.
pub(super) fn subtree_blocks(n: usize) -> usize {
    (1..n).map(|v| subtree(v, n)).sum()
}
