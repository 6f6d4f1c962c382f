//! Recursive halving: give away half of what is left, to a partner half as far away each round.
//!
//! ReduceScatter over 4 ranks, the blocks whose sums every rank sends to its partner:
//!
//! ```text
//! round   rank 0    rank 1    rank 2    rank 3    distance
//!   1     23 > 2    23 > 3    01 > 0    01 > 1       2
//!   2      1 > 0     0 > 1     3 > 2     2 > 3       1
//! ```
//!
//! It is the AllGather by recursive doubling run backwards: after the round of distance d rank r
//! is left with the aligned group of d blocks that its own is in.
//!
//! Cost: log2 n rounds, (n-1)/n S per rank. Source: R. Thakur, R. Rabenseifner and W. Gropp,
//! "Optimization of collective communication operations in MPICH" (2005), section 4.

use super::{Algorithm, Closed, Need, Rule, recursive_doubling};
use crate::engine::collective::{Collective, Verb};
use crate::engine::schedule::Builder;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "recursive-halving",
    verbs: &[Verb::ReduceScatter],
    choices: &[],
    source: |_| "Thakur, Rabenseifner & Gropp 2005",
    blocks: |r| r.ranks,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| reduce_scatter(c),
    closed: |r| Closed::each_block_once(r.ranks, r.ranks.ilog2() as usize, "log₂n"),
    needs: &[Need::always(Rule::PowerOfTwo)],
};

pub(super) fn reduce_scatter(c: Collective) -> Builder {
    recursive_doubling::all_gather(Collective { verb: Verb::AllGather, ..c }).reverse()
}
