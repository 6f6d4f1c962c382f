//! How a result is rounded: whether all ranks compute the same, how deep, and in which order.
//!
//! Floating-point addition commutes but does not associate: `a + b` is `b + a` to the last bit, yet
//! `(a + b) + c` may differ from `a + (b + c)`. So two ranks hold the same bits for every input
//! only if they evaluate the same expression, up to the order of each pair of operands.
//!
//! Worked example, AllReduce over 4 ranks. Ring: chunk 0 is ((1 + 2) + 3) + 0 at every rank, 3
//! deep. Recursive doubling: rank 0 computes (1 + 0) + (3 + 2), rank 1 (0 + 1) + (2 + 3): the same,
//! 2 deep. One-shot: rank 0 computes ((0 + 3) + 2) + 1, rank 1 ((1 + 0) + 3) + 2: not the same, and
//! replicas of a model drift apart.

use super::Proof;
use super::expression::{Expression, ExpressionId, Expressions};
use crate::engine::collective::Collective;
use crate::engine::{Label, Rank};
use std::collections::{HashMap, HashSet};

/// What can be said of the rounding of a schedule's results, for every type and every input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounding {
    /// A chunk that two ranks compute by different expressions, if there is one; `None` means that
    /// all ranks that hold a chunk hold the same bits.
    pub differs: Option<Difference>,
    /// The longest chain of reductions in any result: how often an error can be made on the way.
    pub depth: usize,
    /// Whether every result reads its ranks in ascending order from left to right, as an operator
    /// that does not commute would need it.
    pub in_rank_order: bool,
}

/// Two ranks that compute one chunk by different expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The chunk of the whole vector.
    pub label: Label,
    /// The first rank that holds it.
    pub first: Rank,
    /// The first that computes it otherwise.
    pub other: Rank,
}

/// The rounding of the results that `proof` found for `collective`.
pub fn rounding(collective: &Collective, proof: &Proof) -> Rounding {
    let same = same_bits(&proof.expressions);
    let mut holders: HashMap<Label, (Rank, ExpressionId)> = HashMap::new();
    let mut found = Rounding { differs: None, depth: 0, in_rank_order: true };
    let mut judged = HashSet::new();
    for (rank, outputs) in proof.outputs.iter().enumerate() {
        for &id in outputs {
            let label = proof.expressions.label(id);
            let &mut (first, theirs) = holders.entry(label).or_insert((rank, id));
            // A chunk of another verb is moved, so its holders differ only if they should.
            if collective.verb.reduces() && same[theirs] != same[id] {
                found.differs.get_or_insert(Difference { label, first, other: rank });
            }
            if judged.insert(id) {
                found.depth = found.depth.max(proof.expressions.depth(id));
                found.in_rank_order &= ascending(&proof.expressions, id);
            }
        }
    }
    found
}

/// For every expression, a number that it shares with those that round to the same bits: operands
/// of a reduction may change places.
fn same_bits(expressions: &Expressions) -> Vec<usize> {
    let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
    let mut same: Vec<usize> = Vec::with_capacity(expressions.len());
    for id in 0..expressions.len() {
        let number = match expressions.get(id) {
            Expression::Input { .. } => id,
            Expression::Reduced { left, right } => {
                let (a, b) = (same[left], same[right]);
                *numbers.entry((a.min(b), a.max(b))).or_insert(id)
            }
        };
        same.push(number);
    }
    same
}

/// Whether the ranks in `id` ascend from left to right.
fn ascending(expressions: &Expressions, id: ExpressionId) -> bool {
    let leaves = expressions.postfix(id).into_iter().filter_map(|e| match e {
        Expression::Input { rank, .. } => Some(rank),
        Expression::Reduced { .. } => None,
    });
    leaves.is_sorted()
}
