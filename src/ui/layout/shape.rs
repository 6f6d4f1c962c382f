//! Which structure the messages of a schedule have.

use crate::engine::schedule::{Message, Schedule};
use crate::engine::{Rank, distinct};

/// The structure of a schedule's messages.
///
/// A new structure is a variant here, its sign in [`shape`], and an arm wherever
/// `arrange` tells structures apart: where the cards stand, where there is room
/// to magnify one, and how far a message keeps from the straight line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Everybody talks to the next rank only.
    Ring,
    /// Everybody talks to the next rank and the one before.
    Neighbors,
    /// One rank is at one end of every message.
    Star(Rank),
    /// A switch, whose card is the last, is at one end of every message.
    Switch,
    /// The links form a tree.
    Tree(Tree),
    /// Each half of the vector has a tree of its own.
    TwoTrees([Tree; 2]),
    /// Ranks that talk to each other differ in one bit of their numbers.
    Cube,
    /// Nodes of so many ranks; the ranks of the same number in all nodes are a rail.
    Nodes(usize),
    /// Anything else.
    Mesh,
}

/// A tree that reaches every rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The rank above all others.
    pub root: Rank,
    /// The children of every rank.
    pub children: Vec<Vec<Rank>>,
}

/// Two ranks that talk to each other, the lower first.
type Edge = (Rank, Rank);

/// The structure of the messages of `schedule`, whatever its algorithm is called. Which ranks share
/// a node is not in the messages: so many at a time do.
pub fn shape(schedule: &Schedule, per_node: usize) -> Shape {
    let (n, root) = (schedule.collective.ranks, schedule.collective.root);
    let messages = schedule.messages();
    let all = |link: &dyn Fn(Rank, Rank) -> bool| messages.iter().all(|m| link(m.from, m.to));
    if schedule.switches == 1 && all(&|from, to| from == n || to == n) {
        return Shape::Switch;
    }
    if all(&|from, to| to == (from + 1) % n) {
        return Shape::Ring;
    }
    if n > 2 && all(&|from, to| from == root || to == root) {
        return Shape::Star(root);
    }
    let (node, rail) = (|rank| rank / per_node, |rank| rank % per_node);
    if (2..n).contains(&per_node) && all(&|a, b| node(a) == node(b) || rail(a) == rail(b)) {
        return Shape::Nodes(per_node);
    }
    let edges = edges(&messages);
    if let Some(trees) = two_trees(schedule, &messages, &edges) {
        return Shape::TwoTrees(trees);
    }
    if all(&|from, to| to == (from + 1) % n || from == (to + 1) % n) {
        return Shape::Neighbors;
    }
    if let Some(tree) = Tree::new(n, root, &edges) {
        return Shape::Tree(tree);
    }
    match n.is_power_of_two() && all(&|from, to| (from ^ to).is_power_of_two()) {
        true => Shape::Cube,
        false => Shape::Mesh,
    }
}

fn edges<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Vec<Edge> {
    distinct(messages.into_iter().map(|m| (m.from.min(m.to), m.from.max(m.to))).collect())
}

/// The trees of the first two channels, if they differ and the others have no more.
fn two_trees(schedule: &Schedule, messages: &[Message], edges: &[Edge]) -> Option<[Tree; 2]> {
    let n = schedule.collective.ranks;
    let tree = |channel| {
        let own = messages.iter().filter(move |m| m.channel == channel);
        // What is complete comes down from the root.
        let phase = |m: &Message| schedule.programs[m.to].ops[m.recv_op].phase;
        let below = |rank| own.clone().any(|m| m.to == rank && !phase(m).reduces());
        let root = (0..n).find(|&rank| !below(rank))?;
        Tree::new(n, root, &self::edges(own.clone()))
    };
    let trees = [tree(0)?, tree(1)?];
    let of = |edge, tree: usize| trees[tree].has(edge);
    let second = edges.iter().any(|&edge| !of(edge, 0));
    (second && edges.iter().all(|&edge| of(edge, 0) || of(edge, 1))).then_some(trees)
}

impl Tree {
    /// The tree that `edges` form, seen from `root`, if they do.
    fn new(n: usize, root: Rank, edges: &[Edge]) -> Option<Tree> {
        let mut children = vec![Vec::new(); n];
        let mut seen = vec![false; n];
        seen[root] = true;
        let mut pending = vec![root];
        while let Some(parent) = pending.pop() {
            for &(a, b) in edges {
                let child = if a == parent { b } else { a };
                if (a == parent || b == parent) && !std::mem::replace(&mut seen[child], true) {
                    children[parent].push(child);
                    pending.push(child);
                }
            }
        }
        let spans = edges.len() == n - 1 && seen.iter().all(|seen| *seen);
        spans.then_some(Tree { root, children })
    }

    /// Whether two ranks are parent and child.
    pub fn has(&self, (a, b): (Rank, Rank)) -> bool {
        self.children[a].contains(&b) || self.children[b].contains(&a)
    }

    /// How far below the root every rank is.
    pub(super) fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.children.len()];
        let mut pending = vec![self.root];
        while let Some(parent) = pending.pop() {
            for &child in &self.children[parent] {
                depths[child] = depths[parent] + 1;
                pending.push(child);
            }
        }
        depths
    }
}
