//! Hierarchical: inside the nodes everything, between them only what has to be.
//!
//! Ranks of a node talk to each other directly. Ranks that have the same place in different nodes
//! form a *rail*, which carries a share of the data of its own, so a node has as many connections
//! to the others as it has ranks. AllReduce over 2 nodes of 2, blocks 0 to 3:
//!
//! ```text
//!                         node 0               node 1
//!                    rank 0    rank 1     rank 2    rank 3
//! inside nodes       23 > 1    01 > 0     23 > 3    01 > 2    ReduceScatter
//! along the rails     1 > 2     3 > 3      0 > 0     2 > 1    ReduceScatter
//!                     0 > 2     2 > 3      1 > 0     3 > 1    AllGather
//! inside nodes       01 > 1    23 > 0     01 > 3    23 > 2    AllGather
//! ```
//!
//! AllGather brings the blocks of a rail to all of its ranks, which hand on what arrives while more
//! is under way; ReduceScatter is that backwards. Broadcast scatters inside the root's node, sends
//! the shares down a tree on each rail, and gathers in every node; Reduce is that backwards.
//! Scatter deals the rails' shares out inside the root's node, then each down its rail; Gather is
//! that backwards. In AllToAll the ranks of a node first give the one on rail l all that they have
//! for rail l, so that every message between nodes carries a block from each of them.
//!
//! Cost of AllReduce over N nodes of g: 2N rounds; of the 2(n-1)/n S that a rank sends, only
//! 2(N-1)/n S leave its node. Source: HCCL's two-level algorithms; M. Cho et al., "BlueConnect:
//! decomposing all-reduce for deep learning on heterogeneous network hierarchy" (2019).

use super::{Algorithm, Choice, Closed, Need, Rule, ceil_log2, direct, ring, tree};
use crate::engine::Rank;
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Alike, Builder, Embedding, Span, Turn};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "hierarchical",
    verbs: &[
        Verb::AllReduce,
        Verb::Reduce,
        Verb::ReduceScatter,
        Verb::AllGather,
        Verb::Gather,
        Verb::Scatter,
        Verb::Broadcast,
        Verb::AllToAll,
    ],
    choices: &[Choice::Channels, Choice::Nodes],
    source: |verb| match verb {
        Verb::AllReduce => "HCCL two-level algorithms; Cho et al. 2019",
        _ => "HCCL two-level algorithms",
    },
    blocks: |r| if r.verb == Verb::AllReduce { r.ranks } else { r.ranks_per_node },
    parts: 1,
    // Of all sizes the largest with which there are at least as many nodes as ranks in one.
    switches: 0,
    usual_node: |n| (1..=n).filter(|g| n.is_multiple_of(*g) && g * g <= n).max().unwrap_or(1),
    write: |r, c| write(c, Grid { nodes: r.nodes(), size: r.ranks_per_node, by_rail: false }),
    closed: |r| closed(r.verb, r.nodes(), r.ranks_per_node),
    needs: &[Need::always(Rule::FullNodes)],
};

fn write(c: Collective, grid: Grid) -> Builder {
    match c.verb {
        Verb::AllGather => all_gather(c, &grid),
        Verb::ReduceScatter => write(Collective { verb: Verb::AllGather, ..c }, grid).reverse(),
        Verb::AllReduce => {
            // The blocks may stand in the order of the rails: what ranks of a node exchange is one
            // message then.
            let rails = Grid { by_rail: true, ..grid };
            let gather = all_gather(Collective { verb: Verb::AllGather, ..c }, &rails);
            let blocks = gather.alike().blocks;
            let ranks = Turn { stride: grid.size, ..blocks };
            let mut b = Builder::turning(c, Alike { ranks, blocks });
            stage(&mut b, &gather.reverse().then(&gather), &grid.rails(), (0, 0), &|_, span| span);
            b
        }
        Verb::Broadcast => broadcast(c, &grid),
        Verb::Reduce => write(Collective { verb: Verb::Broadcast, ..c }, grid).reverse(),
        Verb::Scatter => scatter(c, &grid),
        Verb::Gather => write(Collective { verb: Verb::Scatter, ..c }, grid).reverse(),
        Verb::AllToAll => all_to_all(c, &grid),
        other => unreachable!("hierarchical does not serve {}", other.title()),
    }
}

/// Ranks in nodes.
#[derive(Clone, Copy)]
struct Grid {
    nodes: usize,
    /// Ranks of a node, and so the number of rails.
    size: usize,
    /// Whether ranks are numbered rail by rail or, as they are, node by node.
    by_rail: bool,
}

impl Grid {
    fn rank(&self, node: usize, rail: usize) -> Rank {
        if self.by_rail { rail * self.nodes + node } else { node * self.size + rail }
    }

    fn node(&self, node: usize) -> Vec<Rank> {
        (0..self.size).map(|rail| self.rank(node, rail)).collect()
    }

    fn rail(&self, rail: usize) -> Vec<Rank> {
        (0..self.nodes).map(|node| self.rank(node, rail)).collect()
    }

    /// All ranks, rail by rail.
    fn rails(&self) -> Vec<Rank> {
        (0..self.size).flat_map(|rail| self.rail(rail)).collect()
    }

    /// The collective of a node or a rail that is a part of `c`.
    fn part(&self, c: &Collective, verb: Verb, ranks: usize, root: Rank) -> Collective {
        Collective::new(verb, ranks, root, 1, c.pieces)
    }

    /// The lane of the rails. Inside nodes there is one for each of the others.
    fn rail_lane(&self) -> usize {
        self.size - 1
    }
}

/// Appends `part`, a schedule of `members`, from a lane and a round on.
fn stage(
    b: &mut Builder,
    part: &Builder,
    members: &[Rank],
    (lane, round): (usize, usize),
    span: &dyn Fn(Rank, Span) -> Span,
) {
    b.embed(part, &Embedding { members, span, label: &|label| label, lane, channel: 0, round });
}

/// Along the rails, then inside the nodes.
///
/// Blocks that stand together go round a node in one message; others as they arrive, the own one
/// first. Nodes are alike, unless what goes round in one message is cut across blocks.
fn all_gather(c: Collective, grid: &Grid) -> Builder {
    let (m, nodes) = (c.pieces, grid.nodes);
    let alike = match grid.by_rail {
        true if m > 1 => Turn::NONE,
        true => Turn { stride: 1, length: nodes },
        false => Turn { stride: grid.size, length: nodes },
    };
    let mut b = Builder::turning(c, Alike::round(alike));
    let rail_part = ring::all_gather(grid.part(&c, Verb::AllGather, nodes, 0));
    for rail in (0..grid.size).map(|rail| grid.rail(rail)) {
        let span = |_, span: Span| match span.buffer {
            Buffer::Output => Span { start: rail[span.start / m] * m + span.start % m, ..span },
            _ => span,
        };
        stage(&mut b, &rail_part, &rail, (grid.rail_lane(), 0), &span);
    }
    let count = if grid.by_rail { nodes } else { 1 };
    let node_part = direct::write(grid.part(&c, Verb::AllGather, grid.size, 0)).subdivide(count);
    for node in (0..nodes).filter(|&node| alike == Turn::NONE || node == 0) {
        for turn in 0..nodes / count {
            let from = if grid.by_rail { 0 } else { (node + nodes - turn) % nodes };
            let span = |rail, span: Span| {
                let rail =
                    if span.buffer == Buffer::Input { rail } else { span.start / (count * m) };
                let start = grid.rank(from, rail) * m + span.start % (count * m);
                Span { buffer: Buffer::Output, start, ..span }
            };
            stage(&mut b, &node_part, &grid.node(node), (0, turn + count - 1), &span);
        }
    }
    b
}

/// Shares for the rails inside the root's node, down the rails, and together again in every node.
fn broadcast(c: Collective, grid: &Grid) -> Builder {
    let m = c.pieces;
    let mut b = Builder::new(c);
    let (node, rail) = (c.root / grid.size, c.root % grid.size);
    let share = |rail: usize, span: Span| Span {
        buffer: Buffer::Output,
        start: rail * m + span.start,
        ..span
    };
    let scatter = direct::write(grid.part(&c, Verb::Scatter, grid.size, rail));
    stage(&mut b, &scatter, &grid.node(node), (0, 0), &|rail, span| match span.buffer {
        Buffer::Output => share(rail, span),
        _ => span,
    });
    let round = usize::from(grid.size > 1);
    let down = tree::broadcast(grid.part(&c, Verb::Broadcast, grid.nodes, node));
    for rail in 0..grid.size {
        let at = (grid.rail_lane(), round);
        stage(&mut b, &down, &grid.rail(rail), at, &|_, span| share(rail, span));
    }
    let gather = direct::write(grid.part(&c, Verb::AllGather, grid.size, 0));
    for node in 0..grid.nodes {
        let at = (0, round + ceil_log2(grid.nodes));
        stage(&mut b, &gather, &grid.node(node), at, &|rail, span| match span.buffer {
            Buffer::Input => share(rail, span),
            _ => span,
        });
    }
    b
}

/// Shares for the rails inside the root's node, then down the rails.
///
/// The root first brings the blocks into the order of the rails, so that a share is one message.
fn scatter(c: Collective, grid: &Grid) -> Builder {
    let (m, length) = (c.pieces, grid.nodes * c.pieces);
    let (node, rail) = (c.root / grid.size, c.root % grid.size);
    let labels = |blocks: Vec<Rank>| blocks.into_iter().flat_map(move |b| b * m..(b + 1) * m);
    let mut b = Builder::new(c);
    let mut sorted = Span::new(Buffer::Input, 0, c.chunks());
    if !grid.rails().is_sorted() {
        let start = b.scratch(c.root, labels(grid.rails()));
        sorted = Span { buffer: Buffer::Scratch, start, ..sorted };
        for (at, block) in grid.rails().into_iter().enumerate() {
            let src = Span::new(Buffer::Input, block * m, m);
            let dst = Span { start: start + at * m, count: m, ..sorted };
            b.push(c.root, 0, Action::Copy { src, dst });
        }
    }
    // Where each rank of the root's node has its share.
    let mut share = |other: usize| {
        if other == rail {
            return Span { start: sorted.start + rail * length, count: length, ..sorted };
        }
        let start = b.scratch(grid.rank(node, other), labels(grid.rail(other)));
        Span::new(Buffer::Scratch, start, length)
    };
    let shares: Vec<Span> = (0..grid.size).map(&mut share).collect();
    let within = |whole: Span, part: Span| Span {
        start: whole.start + part.start,
        count: part.count,
        ..whole
    };
    let inside = direct::write(grid.part(&c, Verb::Scatter, grid.size, rail));
    let inside = inside.subdivide(grid.nodes);
    stage(&mut b, &inside, &grid.node(node), (0, 0), &|rail, span| match span.buffer {
        Buffer::Output => within(shares[rail], span),
        _ => within(sorted, span),
    });
    let down = tree::scatter(grid.part(&c, Verb::Scatter, grid.nodes, node));
    for (rail, &share) in shares.iter().enumerate() {
        let at = Embedding {
            members: &grid.rail(rail),
            span: &|_, span| match span.buffer {
                Buffer::Input => within(share, span),
                _ => span,
            },
            label: &|label| grid.rank(label / m, rail) * m + label % m,
            lane: grid.rail_lane(),
            channel: 0,
            round: usize::from(grid.size > 1),
        };
        b.embed(&down, &at);
    }
    b
}

/// Inside the nodes for one node after the other, then along the rails, a node's blocks at once.
fn all_to_all(c: Collective, grid: &Grid) -> Builder {
    let (m, Grid { nodes, size, .. }) = (c.pieces, *grid);
    let mut b = Builder::new(c);
    // Where each rank collects what its node has for its rail, node by node.
    for rank in 0..c.ranks {
        let (node, rail) = (rank / size, rank % size);
        let blocks = (0..c.ranks).map(|at| {
            let (from, to) = (grid.rank(node, at % size), grid.rank(at / size, rail));
            from * c.ranks + to
        });
        b.scratch(rank, blocks.flat_map(|block| block * m..(block + 1) * m));
    }
    let collected = |node: usize, to: usize| match to {
        _ if to == node => Buffer::Output,
        _ if size == 1 => Buffer::Input,
        _ => Buffer::Scratch,
    };
    let inside = direct::write(grid.part(&c, Verb::AllToAll, size, 0));
    for node in 0..nodes {
        // What stays in the node is not in a hurry.
        for (turn, to) in (1..=nodes).map(|turn| (turn, (node + turn) % nodes)) {
            let at = |span: Span| Span { start: to * size * m + span.start, ..span };
            let span = |_, span: Span| match span.buffer {
                Buffer::Output => Span { buffer: collected(node, to), ..at(span) },
                _ => at(span),
            };
            stage(&mut b, &inside, &grid.node(node), (0, turn - 1), &span);
        }
    }
    let between = direct::write(grid.part(&c, Verb::AllToAll, nodes, 0)).subdivide(size);
    for rail in 0..size {
        let span = |node, span: Span| match span.buffer {
            Buffer::Input => Span { buffer: collected(node, span.start / (size * m)), ..span },
            _ => span,
        };
        stage(&mut b, &between, &grid.rail(rail), (grid.rail_lane(), nodes - 1), &span);
    }
    b
}

fn closed(verb: Verb, nodes: usize, size: usize) -> Closed {
    let (n, inside, between) = (nodes * size, usize::from(size > 1), nodes - 1);
    let (far, depth) = (n - 1, ceil_log2(nodes));
    let formula = |on_rails, with_nodes| if inside == 0 { on_rails } else { with_nodes };
    match verb {
        Verb::AllReduce => Closed {
            rounds: 2 * (between + inside),
            sent_most: (2 * far, n),
            sent_total: (2 * far, 1),
            rounds_formula: formula("2(N−1)", "2N"),
            sent_formula: "2(n−1)/n · S",
        },
        Verb::AllGather | Verb::ReduceScatter => Closed {
            rounds: between + inside,
            sent_most: (far, n),
            sent_total: (far, 1),
            rounds_formula: formula("N−1", "N"),
            sent_formula: "(n−1)/n · S",
        },
        Verb::Broadcast | Verb::Reduce => {
            let (down, root) = (verb == Verb::Broadcast, (2 * (size - 1) + depth, size));
            Closed {
                rounds: depth + 2 * inside,
                sent_most: if down { root } else { (far.min(1), 1) },
                sent_total: (size - 1 + size * far, size),
                rounds_formula: formula("⌈log₂N⌉", "⌈log₂N⌉ + 2"),
                sent_formula: if down { "(2(g−1) + ⌈log₂N⌉)/g · S" } else { "S" },
            }
        }
        Verb::Scatter | Verb::Gather => {
            let (down, rail) = (verb == Verb::Scatter, tree::largest_subtree(nodes));
            Closed {
                rounds: depth + inside,
                sent_most: (if down { far } else { rail.max(inside * nodes) }, n),
                sent_total: (n - nodes + size * tree::subtree_blocks(nodes), n),
                rounds_formula: formula("⌈log₂N⌉", "⌈log₂N⌉ + 1"),
                sent_formula: if down { "(n−1)/n · S" } else { formula("≤ S/2", "S/g") },
            }
        }
        _ => Closed {
            rounds: if inside == 0 { between.min(1) } else { nodes },
            sent_most: (2 * n - nodes - size, n),
            sent_total: (2 * n - nodes - size, 1),
            rounds_formula: formula("1", "N"),
            sent_formula: "(2 − (N+g)/n) · S",
        },
    }
}
