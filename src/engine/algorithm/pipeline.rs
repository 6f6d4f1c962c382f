//! Chunk after chunk down a tree, up a tree, or up and down at the same time: what the algorithms
//! have in common that are a tree of a certain shape.
//!
//! An inner rank has a lane for each child: it sends a chunk to all of them, and receives from all
//! of them, in the same round. Up and down have lanes of their own as well.

use crate::engine::Rank;
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Peer, Span};

/// Broadcast down the tree of `children` from `c.root`, Reduce up the same tree, or AllReduce:
/// both, where the first sums go down while the last chunks go up.
///
/// Going up, a rank adds its children's chunks to its own in the order of `children`, last first.
pub(super) fn write(c: Collective, children: impl Fn(Rank) -> Vec<Rank>) -> Builder {
    let edges = edges(c.root, children);
    let chunks = 0..c.chunks();
    let down = Collective { verb: Verb::Broadcast, ..c };
    // Reversing turns the order of the chunks as well.
    let up = || broadcast(down, &edges, chunks.clone().rev()).reverse();
    match c.verb {
        Verb::Broadcast => broadcast(down, &edges, chunks),
        Verb::Reduce => up(),
        Verb::AllReduce => up().pipe(&broadcast(down, &edges, chunks.clone())),
        other => unreachable!("a tree does not serve {}", other.title()),
    }
}

/// An edge of a tree.
struct Edge {
    parent: Rank,
    child: Rank,
    /// The parent's lane.
    lane: usize,
    /// The child's distance from the root.
    depth: usize,
}

/// The edges below `root`, level by level.
fn edges(root: Rank, children: impl Fn(Rank) -> Vec<Rank>) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let (mut parent, mut depth, mut next) = (root, 1, 0);
    loop {
        let children = children(parent).into_iter().enumerate();
        edges.extend(children.map(|(lane, child)| Edge { parent, child, lane, depth }));
        let Some(edge) = edges.get(next) else { return edges };
        (parent, depth, next) = (edge.child, edge.depth + 1, next + 1);
    }
}

fn broadcast(c: Collective, edges: &[Edge], chunks: impl Iterator<Item = usize>) -> Builder {
    let mut b = Builder::new(c);
    let whole = |buffer| Span::new(buffer, 0, c.chunks());
    b.push(c.root, 0, Action::Copy { src: whole(Buffer::Input), dst: whole(Buffer::Output) });
    let peer = |rank| Peer { rank, channel: 0 };
    for (turn, chunk) in chunks.enumerate() {
        for &Edge { parent, child, lane, depth } in edges {
            b.round(turn + depth);
            let buffer = if parent == c.root { Buffer::Input } else { Buffer::Output };
            let (src, dst) = (Span::new(buffer, chunk, 1), Span::new(Buffer::Output, chunk, 1));
            b.push(parent, lane, Action::Send { src, to: peer(child) });
            b.push(child, 0, Action::Recv { from: peer(parent), dst });
        }
    }
    b
}
