//! What a chunk holds, as an expression over the inputs.
//!
//! Equal expressions get equal ids, so comparing values is comparing numbers.

use crate::engine::{Label, Rank};
use std::collections::{HashMap, HashSet};

/// Names an expression in its [`Expressions`].
pub type ExpressionId = usize;

/// A value: one rank's input chunk, or two values combined, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// `rank`'s input under `label`.
    Input {
        /// Whose input.
        rank: Rank,
        /// Which chunk.
        label: Label,
    },
    /// `received ⊕ local`.
    Reduced {
        /// The left operand.
        left: ExpressionId,
        /// The right operand.
        right: ExpressionId,
    },
}

/// All expressions of one execution.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: Vec<Expression>,
    ids: HashMap<Expression, ExpressionId>,
    /// What is known of each node without walking down from it.
    summaries: Vec<Summary>,
}

#[derive(Clone, Copy, Debug)]
struct Summary {
    label: Label,
    contributions: usize,
    depth: usize,
}

impl Expressions {
    /// The id of an input chunk.
    pub fn input(&mut self, rank: Rank, label: Label) -> ExpressionId {
        let summary = Summary { label, contributions: 1, depth: 0 };
        self.intern(Expression::Input { rank, label }, summary)
    }

    /// The id of `left ⊕ right`; `Err` with both labels if they are chunks of different labels.
    pub fn reduced(
        &mut self,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<ExpressionId, (Label, Label)> {
        let (a, b) = (self.summaries[left], self.summaries[right]);
        if a.label != b.label {
            return Err((a.label, b.label));
        }
        // Reducing a value with itself doubles the count, so a wrong schedule can leave any range.
        let contributions = a.contributions.saturating_add(b.contributions);
        let summary = Summary { label: a.label, contributions, depth: 1 + a.depth.max(b.depth) };
        Ok(self.intern(Expression::Reduced { left, right }, summary))
    }

    fn intern(&mut self, node: Expression, summary: Summary) -> ExpressionId {
        *self.ids.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.summaries.push(summary);
            self.nodes.len() - 1
        })
    }

    /// How many expressions there are; their ids are the numbers below, operands before results.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The expression named `id`.
    pub fn get(&self, id: ExpressionId) -> Expression {
        self.nodes[id]
    }

    /// The label of the chunk that `id` is a value of.
    pub fn label(&self, id: ExpressionId) -> Label {
        self.summaries[id].label
    }

    /// How many contributions `id` holds, with repetition.
    pub fn contributions(&self, id: ExpressionId) -> usize {
        self.summaries[id].contributions
    }

    /// The contributing ranks, ascending, with repetition; of more than `limit` of them, some
    /// `limit`.
    pub fn ranks(&self, id: ExpressionId, limit: usize) -> Vec<Rank> {
        let mut ranks = Vec::with_capacity(self.contributions(id).min(limit));
        let mut pending = vec![id];
        while let Some(id) = pending.pop()
            && ranks.len() < limit
        {
            match self.nodes[id] {
                Expression::Input { rank, .. } => ranks.push(rank),
                Expression::Reduced { left, right } => pending.extend([left, right]),
            }
        }
        ranks.sort_unstable();
        ranks
    }

    /// The contributing ranks, ascending, each once.
    pub fn distinct_ranks(&self, id: ExpressionId) -> Vec<Rank> {
        let (mut ranks, mut seen) = (Vec::new(), HashSet::from([id]));
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.nodes[id] {
                Expression::Input { rank, .. } => ranks.push(rank),
                Expression::Reduced { left, right } => {
                    pending.extend([left, right].into_iter().filter(|&child| seen.insert(child)));
                }
            }
        }
        ranks.sort_unstable();
        ranks
    }

    /// The longest chain of reductions in `id`: how often a rounding error can be made on the way.
    pub fn depth(&self, id: ExpressionId) -> usize {
        self.summaries[id].depth
    }

    /// `id` in postfix order: operands before their reduction.
    pub fn postfix(&self, id: ExpressionId) -> Vec<Expression> {
        let mut reversed = Vec::new();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            reversed.push(self.nodes[id]);
            if let Expression::Reduced { left, right } = self.nodes[id] {
                pending.extend([left, right]);
            }
        }
        reversed.reverse();
        reversed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_expressions_have_equal_ids_and_order_matters() {
        let mut all = Expressions::default();
        let (a, b) = (all.input(0, 7), all.input(1, 7));
        let ab = all.reduced(a, b);
        assert_eq!(ab, all.reduced(a, b));
        assert_ne!(ab, all.reduced(b, a));
        let other = all.input(0, 8);
        assert_eq!(all.reduced(a, other), Err((7, 8)));
    }

    #[test]
    fn summaries_are_what_a_walk_would_find() {
        let mut all = Expressions::default();
        let leaves: Vec<_> = (0..4).map(|rank| all.input(rank, 0)).collect();
        let left = all.reduced(leaves[2], leaves[0]).expect("labels agree");
        let sum = all.reduced(left, leaves[1]).expect("labels agree");
        assert_eq!((all.depth(sum), all.contributions(sum), all.label(sum)), (2, 3, 0));
        assert_eq!(all.ranks(sum, 9), [0, 1, 2]);
        assert_eq!(all.ranks(sum, 2).len(), 2);
        let leaf = |rank| Expression::Input { rank, label: 0 };
        let (right, top) = (leaves[1], Expression::Reduced { left, right: leaves[1] });
        assert_eq!(all.get(right), leaf(1));
        assert_eq!(all.postfix(sum), [leaf(2), leaf(0), all.get(left), leaf(1), top]);
    }

    #[test]
    fn a_value_added_to_itself_again_and_again_is_soon_beyond_counting_and_harmless() {
        let mut all = Expressions::default();
        let mut value = all.input(3, 0);
        for _ in 0..100 {
            value = all.reduced(value, value).expect("labels agree");
        }
        assert_eq!((all.contributions(value), all.depth(value)), (usize::MAX, 100));
        assert_eq!(all.ranks(value, 5), [3; 5]);
        assert_eq!(all.distinct_ranks(value), [3]);
    }
}
