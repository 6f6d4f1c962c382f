//! Rabenseifner's AllReduce: halve the vector and double the distance, then back again.
//!
//! Over 4 ranks, the blocks that every rank sends to its partner:
//!
//! ```text
//!                 round   rank 0    rank 1    rank 2    rank 3    distance
//! ReduceScatter     1     23 > 1    01 > 0    23 > 3    01 > 2       1
//!                   2      1 > 2     3 > 3     0 > 0     2 > 1       2
//! AllGather         1      0 > 2     2 > 3     1 > 0     3 > 1       2
//!                   2     01 > 1    23 > 0    01 > 3    23 > 2       1
//! ```
//!
//! That is recursive halving, then recursive doubling. The largest messages go to the nearest
//! ranks, so after the ReduceScatter rank r has the block whose number is r with its bits in
//! reverse. The vector is cut into p blocks, p being the largest power of two; the ranks beyond it
//! are folded in, as `fold` describes.
//!
//! Cost: 2 log2 n rounds, 2(n-1)/n S per rank; a fold adds 2 or 3 rounds and S. Source: R. Thakur,
//! R. Rabenseifner and W. Gropp, "Optimization of collective communication operations in MPICH"
//! (2005), section 4; MPICH `allreduce_intra_reduce_scatter_allgather`; Open MPI
//! `coll_base_allreduce.c` for its fold.

use super::{Algorithm, Choice, Closed, Fold, Request, fold};
use super::{recursive_doubling, recursive_halving};
use crate::engine::collective::{Collective, Verb};
use crate::engine::schedule::Builder;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "rabenseifner",
    verbs: &[Verb::AllReduce],
    choices: &[Choice::Fold],
    source: |_| "Thakur, Rabenseifner & Gropp 2005",
    blocks: |r| 1 << r.ranks.ilog2(),
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write,
    closed,
    needs: &[],
};

fn write(r: &Request, c: Collective) -> Builder {
    let awake = fold::survivors(c.ranks, r.fold);
    let half = |verb| Collective { verb, ranks: awake.len(), ..c };
    let core = recursive_halving::reduce_scatter(half(Verb::ReduceScatter))
        .then(&recursive_doubling::all_gather(half(Verb::AllGather)));
    let members: Vec<_> = (0..awake.len()).map(|i| awake[mirrored(i, awake.len())]).collect();
    fold::around(&core, &members, c, r.fold)
}

/// `index` below the power of two `size`, with its bits in reverse.
fn mirrored(index: usize, size: usize) -> usize {
    (0..size.ilog2()).fold(0, |mirrored, bit| mirrored << 1 | index >> bit & 1)
}

fn closed(r: &Request) -> Closed {
    let depth = r.ranks.ilog2() as usize;
    let core = 1 << depth;
    let surplus = r.ranks - core;
    // Rounds that the fold takes, vectors in halves that the busiest rank and a pair send for it.
    let (rounds, most, pair, rounds_formula, sent_formula) = match r.fold {
        _ if surplus == 0 => (0, 0, 0, "2log₂n", "2(n−1)/n · S"),
        Fold::Mpich => (2, 2, 4, "2⌊log₂n⌋ + 2", "(3 − 2/2^⌊log₂n⌋) · S"),
        Fold::Ompi => (3, 3, 5, "2⌊log₂n⌋ + 3", "(7/2 − 2/2^⌊log₂n⌋) · S"),
    };
    Closed {
        rounds: 2 * depth + rounds,
        sent_most: (4 * (core - 1) + most * core, 2 * core),
        sent_total: (4 * (core - 1) + pair * surplus, 2),
        rounds_formula,
        sent_formula,
    }
}
