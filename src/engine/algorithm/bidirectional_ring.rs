//! Bidirectional ring: one half of every block goes round to the right, the other to the left.
//!
//! AllGather over 4 ranks; `a` is the first half of a block, `b` the second:
//!
//! ```text
//! round   rank 0 sends      rank 1 sends      rank 2 sends      rank 3 sends
//!   1     0a > 1, 0b > 3    1a > 2, 1b > 0    2a > 3, 2b > 1    3a > 0, 3b > 2
//!   2     3a > 1, 1b > 3    0a > 2, 2b > 0    1a > 3, 3b > 1    2a > 0, 0b > 2
//!   3     2a > 1, 2b > 3    3a > 2, 3b > 0    0a > 3, 0b > 1    1a > 0, 1b > 2
//! ```
//!
//! Two rings turn against each other, so both directions of every link work all the time.
//!
//! Cost: a ring's rounds and bytes, in messages half as long, so half a ring's time where links are
//! full duplex and ranks have a port to either side. Source: N. Jain and Y. Sabharwal, "Optimal
//! bucket algorithms for large MPI collectives on torus interconnects" (2010).

use super::{Algorithm, Choice, ring};
use crate::engine::collective::{Collective, Verb};
use crate::engine::schedule::Builder;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "bidirectional-ring",
    verbs: &[Verb::AllReduce, Verb::ReduceScatter, Verb::AllGather],
    choices: &[Choice::Channels],
    source: |_| "Jain & Sabharwal 2010",
    blocks: |r| if r.verb == Verb::AllReduce { r.ranks } else { 1 },
    parts: 2,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| Builder::side_by_side(c, 2, write),
    closed: |r| ring::closed(r.verb, r.ranks),
    needs: &[],
};

/// Half 0 turns right, half 1 left.
fn write(half: usize, c: Collective) -> Builder {
    let turning = |verb| {
        let right = ring::write(Collective { verb, ..c });
        if half == 0 { right } else { right.reflect() }
    };
    match c.verb {
        Verb::AllReduce => turning(Verb::ReduceScatter).then(&turning(Verb::AllGather)),
        verb => turning(verb),
    }
}
