//! Pairwise exchange: every rank deals with one other rank at a time.
//!
//! AllToAll over 4 ranks, in step t rank r sends to r+t and receives from r-t:
//!
//! ```text
//! round   rank 0   rank 1   rank 2   rank 3      with xor
//!   1       > 1      > 2      > 3      > 0      0 <> 1   2 <> 3
//!   2       > 2      > 3      > 0      > 1      0 <> 2   1 <> 3
//!   3       > 3      > 0      > 1      > 2      0 <> 3   1 <> 2
//! ```
//!
//! What it sends is the block that is meant for the receiver. ReduceScatter does the same and adds
//! up what it receives: unlike in a ring, all that travels is original input. The variant for
//! powers of two exchanges with r xor t, so that both directions of a link are used in a round.
//!
//! Cost: n-1 rounds, (n-1)/n S per rank, one port. Source: R. Thakur, R. Rabenseifner and W. Gropp,
//! "Optimization of collective communication operations in MPICH" (2005), section 4.

use super::direct::{self, Turn};
use super::{Algorithm, Choice, Closed, Need, Request, Rule, Variant, When};
use crate::engine::collective::{Collective, Verb};
use crate::engine::schedule::Builder;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "pairwise",
    verbs: &[Verb::ReduceScatter, Verb::AllToAll],
    choices: &[Choice::Variant],
    source: |_| "Thakur, Rabenseifner & Gropp 2005",
    blocks: |r| r.ranks,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write,
    closed: |r| Closed::each_block_once(r.ranks, r.ranks - 1, "n−1"),
    needs: &[Need { rule: Rule::PowerOfTwo, when: When::Variant(Variant::Xor) }],
};

fn write(r: &Request, c: Collective) -> Builder {
    let (n, variant) = (c.ranks, r.variant);
    let to = |rank: usize, step: usize| match variant {
        Variant::Shift => (rank + step) % n,
        Variant::Xor => rank ^ step,
    };
    let from = |rank: usize, step: usize| match variant {
        Variant::Shift => (rank + n - step) % n,
        Variant::Xor => rank ^ step,
    };
    let turn = |step| Turn { lane: 0, round: step };
    match c.verb {
        Verb::AllToAll => direct::exchange(c, turn, to),
        _ => {
            // Run backwards, the last step comes first, and messages go back where they came from.
            let gather = Collective { verb: Verb::AllGather, ..c };
            direct::exchange(gather, turn, |rank, step| from(rank, n - step)).reverse()
        }
    }
}
