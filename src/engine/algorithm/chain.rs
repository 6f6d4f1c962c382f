//! Chain: the vector goes from rank to rank, cut into chunks that follow each other closely.
//!
//! Broadcast from 0 over 4 ranks, two chunks:
//!
//! ```text
//! round 1:  a: 0 > 1
//! round 2:  b: 0 > 1   a: 1 > 2
//! round 3:             b: 1 > 2   a: 2 > 3
//! round 4:                        b: 2 > 3
//! ```
//!
//! Reduce is the Broadcast backwards: 3 > 2 > 1 > 0. AllReduce is both: the sums come back along
//! the chain while the rest is still on its way up.
//!
//! Cost of Broadcast with k chunks: n-2+k rounds of S/k, so for large k all links work all the
//! time; AllReduce 2(n-1)+k-1 rounds. Source: Open MPI's chain and pipeline topologies,
//! `coll_base_topo.c`; NCCL's `broadcast.h` and `reduce.h`.

use super::{Algorithm, Choice, Closed, pipeline};
use crate::engine::collective::{Collective, Verb};
use crate::engine::schedule::Builder;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "chain",
    verbs: &[Verb::AllReduce, Verb::Reduce, Verb::Broadcast],
    choices: &[Choice::Channels],
    source: |_| "Open MPI coll_base_topo.c",
    blocks: |_| 1,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| closed(r.verb, r.ranks),
    needs: &[],
};

/// The chain starts at the root, and the rank before the root is its end.
pub(super) fn write(c: Collective) -> Builder {
    pipeline::write(c, |rank| {
        let next = (rank + 1) % c.ranks;
        if next == c.root { Vec::new() } else { vec![next] }
    })
}

pub(super) fn closed(verb: Verb, n: usize) -> Closed {
    let far = n - 1;
    match verb {
        Verb::AllReduce => Closed {
            rounds: 2 * far,
            // Between the ends a rank passes on the sum of those behind it, and the result.
            sent_most: (far.min(2), 1),
            sent_total: (2 * far, 1),
            rounds_formula: "2(n−1)",
            sent_formula: "≤ 2 · S",
        },
        _ => Closed {
            rounds: far,
            sent_most: (far.min(1), 1),
            sent_total: (far, 1),
            rounds_formula: "n−1",
            sent_formula: "S",
        },
    }
}
