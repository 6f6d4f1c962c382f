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

    /// The contributing ranks, ascending, with repetition; of more than `limit` of them, some `limit`.
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
