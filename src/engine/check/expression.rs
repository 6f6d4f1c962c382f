//! What a chunk holds, as an expression over the inputs.
//!
//! Equal expressions get equal ids, so comparing values is comparing numbers.

use crate::engine::{Label, Rank};
use std::collections::HashMap;

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
    /// Label and number of contributions (with repetition) of each node.
    summary: Vec<(Label, usize)>,
}

impl Expressions {
    /// The id of an input chunk.
    pub fn input(&mut self, rank: Rank, label: Label) -> ExpressionId {
        self.intern(Expression::Input { rank, label }, (label, 1))
    }

    /// The id of `left ⊕ right`; `Err` with both labels if they are chunks of different labels.
    pub fn reduced(
        &mut self,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<ExpressionId, (Label, Label)> {
        let ((label, a), (other, b)) = (self.summary[left], self.summary[right]);
        if label != other {
            return Err((label, other));
        }
        Ok(self.intern(Expression::Reduced { left, right }, (label, a + b)))
    }

    fn intern(&mut self, node: Expression, summary: (Label, usize)) -> ExpressionId {
        *self.ids.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.summary.push(summary);
            self.nodes.len() - 1
        })
    }

    /// The expression named `id`.
    pub fn get(&self, id: ExpressionId) -> Expression {
        self.nodes[id]
    }

    /// The label of the chunk that `id` is a value of.
    pub fn label(&self, id: ExpressionId) -> Label {
        self.summary[id].0
    }

    /// How many contributions `id` holds, with repetition.
    pub fn contributions(&self, id: ExpressionId) -> usize {
        self.summary[id].1
    }

    /// The contributing ranks, ascending, with repetition.
    pub fn ranks(&self, id: ExpressionId) -> Vec<Rank> {
        let mut ranks = Vec::with_capacity(self.contributions(id));
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.nodes[id] {
                Expression::Input { rank, .. } => ranks.push(rank),
                Expression::Reduced { left, right } => pending.extend([left, right]),
            }
        }
        ranks.sort_unstable();
        ranks
    }

    /// The longest chain of reductions in `id`: how often a rounding error can be made on the way.
    pub fn depth(&self, id: ExpressionId) -> usize {
        match self.nodes[id] {
            Expression::Input { .. } => 0,
            Expression::Reduced { left, right } => 1 + self.depth(left).max(self.depth(right)),
        }
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
