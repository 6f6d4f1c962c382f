//! Which arrangement shows a schedule best.

use crate::engine::Rank;
use crate::engine::schedule::Schedule;
use std::collections::BTreeSet;

/// An arrangement of cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Everybody talks to the next rank only.
    Ring,
    /// One rank is at one end of every message.
    Star(Rank),
    /// The links form a tree; its levels from the root down.
    Tree(Vec<Vec<Rank>>),
    /// Anything else.
    Mesh,
}

/// The arrangement that the messages of `schedule` suggest.
pub fn shape(schedule: &Schedule) -> Shape {
    let n = schedule.collective.ranks;
    let links: BTreeSet<(Rank, Rank)> =
        schedule.messages().iter().map(|m| (m.from, m.to)).collect();
    if links.is_empty() || links.iter().all(|&(from, to)| to == (from + 1) % n) {
        return Shape::Ring;
    }
    let root = schedule.collective.root;
    if n > 2 && links.iter().all(|&(from, to)| from == root || to == root) {
        return Shape::Star(root);
    }
    let edges: BTreeSet<(Rank, Rank)> = links.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    match levels(n, root, &edges) {
        Some(levels) if edges.len() == n - 1 && n > 2 => Shape::Tree(levels),
        _ => Shape::Mesh,
    }
}

/// Ranks by their distance from the root; `None` if some cannot be reached.
fn levels(n: usize, root: Rank, edges: &BTreeSet<(Rank, Rank)>) -> Option<Vec<Vec<Rank>>> {
    let mut levels = vec![vec![root]];
    let mut seen = BTreeSet::from([root]);
    while let Some(last) = levels.last().filter(|level| !level.is_empty()) {
        let mut next = Vec::new();
        for &parent in last {
            for &(a, b) in edges {
                let child = if a == parent { b } else { a };
                if (a == parent || b == parent) && seen.insert(child) {
                    next.push(child);
                }
            }
        }
        levels.push(next);
    }
    levels.pop();
    (seen.len() == n).then_some(levels)
}
