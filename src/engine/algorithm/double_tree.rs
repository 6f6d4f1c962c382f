//! Double binary tree: two trees, each for a half of the vector, in which no rank works twice.
//!
//! Over 4 ranks:
//!
//! ```text
//! first half   0         second half   3
//!               \                     /
//!                2                   1
//!               / \                 / \
//!              1   3               0   2
//! ```
//!
//! Inner ranks of one tree are leaves of the other, so every rank sends and receives about as much.
//! Each tree reduces its half towards its root and broadcasts the sum back; chunks follow each
//! other, and the first sums come down while the last chunks go up. In the first tree an odd node
//! is a leaf, and the level of the others is their lowest set bit. The second is the first mirrored
//! (n even) or shifted by one (n odd).
//!
//! With several ranks per node the trees are over nodes, and inside a node a chain hangs below the
//! first rank: two nodes that are linked send each other a half once, not once for every rank.
//!
//! Cost with k chunks per tree: 2⌈log2 n⌉ + k - 1 rounds of S/2k; no rank sends more than 2 S, and
//! all together send 2(n-1) S. Source: P. Sanders, J. Speck and J. Träff, "Two-tree algorithms for
//! full bandwidth broadcast, reduction and scan" (2009); the trees as in NCCL's `graph/trees.cc`,
//! the chain as in its `graph/connect.cc`.

use super::{Algorithm, Choice, Closed, Need, Rule, ceil_log2, pipeline};
use crate::engine::collective::{Collective, Verb};
use crate::engine::schedule::Builder;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "double-tree",
    verbs: &[Verb::AllReduce],
    choices: &[Choice::Channels, Choice::Nodes],
    source: |_| "Sanders, Speck & Träff 2009; NCCL trees.cc",
    blocks: |_| 1,
    parts: 2,
    switches: 0,
    usual_node: |_| 1,
    write: |r, c| Builder::side_by_side(c, 2, |tree, c| write(tree, c, r.ranks_per_node)),
    closed: |r| closed(r.nodes(), r.ranks_per_node),
    needs: &[Need::always(Rule::FullNodes)],
};

/// Tree 0 or 1, over nodes of `size` ranks.
fn write(tree: usize, c: Collective, size: usize) -> Builder {
    let nodes = c.ranks / size;
    let mut below = vec![Vec::new(); nodes];
    let place = |v| placed(tree, nodes, v);
    (0..nodes).for_each(|v| below[place(v)] = children(nodes, v).map(place).collect());
    pipeline::write(Collective { root: place(0) * size, ..c }, |rank| {
        let heads = if rank.is_multiple_of(size) { &below[rank / size][..] } else { &[] };
        let chain = (rank + 1) % size > 0;
        // Going up, the last is added first: NCCL's order is the chain, then the first child.
        let heads = heads.iter().rev().map(|node| node * size);
        heads.chain(chain.then_some(rank + 1)).collect()
    })
}

/// The node of tree 0 or 1 that stands where v stands in tree 0.
fn placed(tree: usize, nodes: usize, v: usize) -> usize {
    match tree {
        0 => v,
        _ if nodes.is_multiple_of(2) => nodes - 1 - v,
        _ => (v + 1) % nodes,
    }
}

/// The children of v in tree 0: half way to either side of what v's lowest set bit spans, and on
/// the right nearer if that is beyond the end. Node 0, above all others, has one child.
fn children(nodes: usize, v: usize) -> impl Iterator<Item = usize> {
    let half = if v == 0 { nodes.next_power_of_two() } else { 1 << v.trailing_zeros() } / 2;
    let nearer = std::iter::successors(Some(half), |reach| Some(reach / 2));
    let right = nearer.take_while(|&reach| reach > 0).map(move |reach| v + reach);
    let left = (v > 0 && half > 0).then(|| v - half);
    left.into_iter().chain(right.into_iter().find(|&child| child < nodes))
}

fn closed(nodes: usize, size: usize) -> Closed {
    let (far, depth) = (nodes * size - 1, ceil_log2(nodes) + size - 1);
    // In halves: what the head of a node sends to other nodes, and into its own. Between the ends
    // of its chain a rank has two neighbours in both trees.
    let head = [0, 2, 3, 4][(nodes - 1).min(3)] + if size > 1 { 2 } else { 0 };
    let between = if size > 2 { 4 } else { 0 };
    Closed {
        rounds: 2 * depth,
        sent_most: (head.max(between), 2),
        sent_total: (2 * far, 1),
        rounds_formula: if size > 1 { "2(⌈log₂N⌉+g−1)" } else { "2⌈log₂n⌉" },
        sent_formula: if size > 1 { "≤ 3 · S" } else { "≤ 2 · S" },
    }
}
