//! Scatter-AllGather: a Broadcast of large vectors, in two halves.
//!
//! From 0 over 4 ranks, the vector cut into 4 blocks:
//!
//! ```text
//!             round   rank 0    rank 1    rank 2    rank 3
//! Scatter       1     23 > 2
//!               2      1 > 1               3 > 3
//! AllGather     1      0 > 1     1 > 2     2 > 3     3 > 0
//!               2      3 > 1     0 > 2     1 > 3     2 > 0
//!               3      2 > 1     3 > 2     0 > 3     1 > 0
//! ```
//!
//! The Scatter goes down a binomial tree, the AllGather round a ring. What comes back to the root
//! it has already; the ring does not mind.
//!
//! Cost: ⌈log2 n⌉ + n-1 rounds; the root sends 2(n-1)/n S, where a tree's sends ⌈log2 n⌉ S. Source:
//! M. Barnett et al., "Interprocessor collective communication library" (1994); R. Thakur, R.
//! Rabenseifner and W. Gropp, "Optimization of collective communication operations in MPICH"
//! (2005), section 4.

use super::{Algorithm, Closed, ceil_log2, ring, tree};
use crate::engine::collective::{Collective, Verb};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "scatter-allgather",
    verbs: &[Verb::Broadcast],
    choices: &[],
    source: |_| "Thakur, Rabenseifner & Gropp 2005",
    blocks: |r| r.ranks,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| {
        let half = |verb| Collective { verb, ..c };
        tree::scatter(half(Verb::Scatter)).then(&ring::all_gather(half(Verb::AllGather)))
    },
    closed: |r| {
        let (n, far) = (r.ranks, r.ranks - 1);
        Closed {
            rounds: ceil_log2(n) + far,
            sent_most: (2 * far, n),
            sent_total: (tree::subtree_blocks(n) + n * far, n),
            rounds_formula: "⌈log₂n⌉ + n−1",
            sent_formula: "2(n−1)/n · S",
        }
    },
    needs: &[],
};
