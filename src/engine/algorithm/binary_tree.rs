//! Binary tree, pipelined: no rank has more than two children, and chunks follow each other.
//!
//! Broadcast from 0 over 4 ranks, two chunks:
//!
//! ```text
//!     0          round 1:  a: 0 > 1, 0 > 2
//!    / \         round 2:  b: 0 > 1, 0 > 2   a: 1 > 3
//!   1   2        round 3:                    b: 1 > 3
//!   |
//!   3
//! ```
//!
//! With v = (rank - root) mod n, v sends to 2v+1 and 2v+2. Reduce is the Broadcast backwards.
//! AllReduce is both: the first sums go down while the last chunks go up.
//!
//! A binomial tree's root sends the vector ⌈log2 n⌉ times, so cutting it does not help much; here
//! nobody sends it more than twice, which is what makes a pipeline worth having.
//!
//! Cost of Broadcast with k chunks: ⌊log2 n⌋ + k - 1 rounds of S/k with two ports, twice that with
//! one; the root sends 2 S. AllReduce 2⌊log2 n⌋ + k - 1 rounds. Source: MPICH's pipelined k-ary
//! tree, `treealgo`.

use super::{Algorithm, Choice, Closed, pipeline};
use crate::engine::collective::{Collective, Verb};
use crate::engine::schedule::Builder;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "binary-tree",
    verbs: &[Verb::AllReduce, Verb::Reduce, Verb::Broadcast],
    choices: &[Choice::Channels],
    source: |_| "MPICH treealgo",
    blocks: |_| 1,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| closed(r.verb, r.ranks),
    needs: &[],
};

fn write(c: Collective) -> Builder {
    pipeline::write(c, |rank| {
        let v = (rank + c.ranks - c.root) % c.ranks;
        let children = (2 * v + 1..=2 * v + 2).filter(|&child| child < c.ranks);
        children.map(|child| (child + c.root) % c.ranks).collect()
    })
}

fn closed(verb: Verb, n: usize) -> Closed {
    let (depth, far) = (n.ilog2() as usize, n - 1);
    match verb {
        Verb::AllReduce => Closed {
            rounds: 2 * depth,
            // From five ranks on, there is an inner rank with two children: one up, two down.
            sent_most: (if n < 5 { far.min(2) } else { 3 }, 1),
            sent_total: (2 * far, 1),
            rounds_formula: "2⌊log₂n⌋",
            sent_formula: "≤ 3 · S",
        },
        Verb::Broadcast => Closed {
            rounds: depth,
            sent_most: (far.min(2), 1),
            sent_total: (far, 1),
            rounds_formula: "⌊log₂n⌋",
            sent_formula: "≤ 2 · S",
        },
        _ => Closed {
            rounds: depth,
            sent_most: (far.min(1), 1),
            sent_total: (far, 1),
            rounds_formula: "⌊log₂n⌋",
            sent_formula: "S",
        },
    }
}
