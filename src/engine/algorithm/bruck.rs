//! Bruck's algorithms: ⌈log2 n⌉ rounds for any n, at the price of copies inside the ranks.
//!
//! AllGather over 4 ranks, the blocks that every rank sends:
//!
//! ```text
//! round   rank 0 sends   rank 1 sends   rank 2 sends   rank 3 sends   distance
//!   1        0 > 3          1 > 0          2 > 1          3 > 2          1
//!   2       01 > 2         12 > 3         23 > 0         30 > 1          2
//! ```
//!
//! Rank r collects blocks r, r+1, r+2, ... in scratch; in the round of distance d it sends the
//! first min(d, n-d) of them to r-d. At the end the collection is rotated into place.
//!
//! AllToAll takes a block that has j ranks to go over the distances that make up j in binary: in
//! the round of distance d rank r packs all blocks whose j has bit d, and sends them to r+d. Over 4
//! ranks, the (source, destination) of what is sent:
//!
//! ```text
//! round   rank 0 sends   rank 1 sends   rank 2 sends   rank 3 sends   distance
//!   1      01 03 > 1      12 10 > 2      23 21 > 3      30 32 > 0        1
//!   2      02 32 > 2      13 03 > 3      20 10 > 0      31 21 > 1        2
//! ```
//!
//! Cost: ⌈log2 n⌉ rounds; AllGather sends (n-1)/n S per rank, AllToAll half of S in every round
//! where n is a power of two, a little less elsewhere. Source: J. Bruck, C.-T. Ho, S. Kipnis, E.
//! Upfal and D. Weathersby, "Efficient algorithms for all-to-all communications in multiport
//! message-passing systems" (1997).

use super::packed::{self, Step};
use super::{Algorithm, Closed, ceil_log2};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "bruck",
    verbs: &[Verb::AllGather, Verb::AllToAll],
    choices: &[],
    source: |_| "Bruck et al. 1997",
    blocks: |r| r.ranks,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| closed(r.verb, r.ranks),
    needs: &[],
};

fn write(c: Collective) -> Builder {
    match c.verb {
        Verb::AllGather => all_gather(c),
        Verb::AllToAll => all_to_all(c),
        other => unreachable!("Bruck does not serve {}", other.title()),
    }
}

/// 1, 2, 4, ... below n.
fn distances(n: usize) -> impl Iterator<Item = usize> {
    (0..ceil_log2(n)).map(|round| 1 << round)
}

fn all_gather(c: Collective) -> Builder {
    let n = c.ranks;
    let step = |d: usize| Step { to: n - d, sent: 0, arriving: d, blocks: d.min(n - d) };
    let order: Vec<usize> = (0..n).collect();
    packed::all_gather(c, &order, &distances(n).map(step).collect::<Vec<_>>())
}

/// Blocks are known by how far they go in all, j: after the rounds below distance d, rank r holds
/// the block that came from r - (j mod d).
fn all_to_all(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::new(c);
    // Where every rank has the block of every j.
    let held = |rank: usize| (0..n).map(move |j| Span::new(Buffer::Input, (rank + j) % n * m, m));
    let mut held: Vec<Vec<Span>> = (0..n).map(|rank| held(rank).collect()).collect();
    for (round, d) in (1..).zip(distances(n)) {
        b.round(round);
        let going: Vec<usize> = (0..n).filter(|j| j & d > 0).collect();
        // Room for the blocks of this round that have come `done` ranks far.
        let room = |b: &mut Builder, rank: usize, done: usize| {
            let first = |j: usize| {
                let source = (rank + n - (j % d + done) % n) % n;
                (source * n + (source + j) % n) * m
            };
            let labels = going.iter().flat_map(|&j| first(j)..first(j) + m);
            Span::new(Buffer::Scratch, b.scratch(rank, labels), going.len() * m)
        };
        let mut messages = Vec::with_capacity(n);
        for (rank, held) in held.iter().enumerate() {
            let packed = room(&mut b, rank, 0);
            for (place, &j) in going.iter().enumerate() {
                let dst = Span { start: packed.start + place * m, count: m, ..packed };
                b.push(rank, 0, Action::Copy { src: held[j], dst });
            }
            let to = (rank + d) % n;
            let arriving = room(&mut b, to, d);
            messages.push(((rank, packed), (to, arriving)));
        }
        b.exchange(0, &messages);
        for (_, (rank, arriving)) in messages {
            for (place, &j) in going.iter().enumerate() {
                held[rank][j] = Span { start: arriving.start + place * m, count: m, ..arriving };
            }
        }
    }
    for (rank, held) in held.iter().enumerate() {
        for (j, &src) in held.iter().enumerate() {
            let dst = Span::new(Buffer::Output, (rank + n - j) % n * m, m);
            b.push(rank, 0, Action::Copy { src, dst });
        }
    }
    b
}

fn closed(verb: Verb, n: usize) -> Closed {
    let rounds = ceil_log2(n);
    if verb == Verb::AllGather {
        return Closed::each_block_once(n, rounds, "⌈log₂n⌉");
    }
    // A block goes as many times as its distance has ones.
    let sent = (0..n).map(|j| j.count_ones() as usize).sum();
    Closed {
        rounds,
        sent_most: (sent, n),
        sent_total: (sent, 1),
        rounds_formula: "⌈log₂n⌉",
        sent_formula: "≤ ⌈log₂n⌉/2 · S",
    }
}
