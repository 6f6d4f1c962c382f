//! Linear (star): the root deals with every rank itself, one after the other.
//!
//! Scatter from 0 over 4 ranks: 0 sends block 1 to 1, then block 2 to 2, then block 3 to 3.
//! Broadcast sends everybody the whole vector. Gather and Reduce are these backwards; AllReduce is
//! Reduce to 0, then Broadcast: what people write first, and what a ring is measured against.
//!
//! Cost: n-1 rounds at the root's one port. Source: Open MPI `basic_linear`; NCCL `enqueue.cc` for
//! Gather and Scatter.

use super::{Algorithm, Closed};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "linear",
    verbs: &[Verb::Scatter, Verb::Gather, Verb::Broadcast, Verb::Reduce, Verb::AllReduce],
    choices: &[],
    source: |verb| match verb {
        Verb::Scatter | Verb::Gather => "Open MPI basic_linear; NCCL enqueue.cc",
        _ => "Open MPI basic_linear",
    },
    blocks: |_| 1,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| closed(r.verb, r.ranks),
    needs: &[],
};

fn write(c: Collective) -> Builder {
    match c.verb {
        Verb::Scatter | Verb::Broadcast => hand_out(c),
        Verb::Gather => hand_out(Collective { verb: Verb::Scatter, ..c }).reverse(),
        Verb::Reduce => hand_out(Collective { verb: Verb::Broadcast, ..c }).reverse(),
        Verb::AllReduce => {
            let half = |verb| write(Collective { verb, ..c });
            half(Verb::Reduce).then(&half(Verb::Broadcast))
        }
        other => unreachable!("linear does not serve {}", other.title()),
    }
}

fn hand_out(c: Collective) -> Builder {
    let (n, per_rank) = (c.ranks, if c.verb.has_blocks() { c.pieces } else { c.chunks() });
    let mut b = Builder::new(c);
    let block = |rank: usize| if c.verb.has_blocks() { rank * per_rank } else { 0 };
    let src = Span::new(Buffer::Input, block(c.root), per_rank);
    b.push(c.root, 0, Action::Copy { src, dst: Span::new(Buffer::Output, 0, per_rank) });
    for distance in 1..n {
        let to = (c.root + distance) % n;
        for piece in 0..per_rank {
            b.round((distance - 1) * per_rank + piece + 1);
            b.message(
                (c.root, Span::new(Buffer::Input, block(to) + piece, 1)),
                (to, Span::new(Buffer::Output, piece, 1)),
                0,
            );
        }
    }
    b
}

fn closed(verb: Verb, n: usize) -> Closed {
    let (far, any) = (n - 1, usize::from(n > 1));
    match verb {
        Verb::AllReduce => Closed {
            rounds: 2 * far,
            sent_most: (far, 1),
            sent_total: (2 * far, 1),
            rounds_formula: "2(n−1)",
            sent_formula: "(n−1) · S",
        },
        Verb::Scatter => Closed {
            rounds: far,
            sent_most: (far, n),
            sent_total: (far, n),
            rounds_formula: "n−1",
            sent_formula: "(n−1)/n · S",
        },
        Verb::Gather => Closed {
            rounds: far,
            sent_most: (any, n),
            sent_total: (far, n),
            rounds_formula: "n−1",
            sent_formula: "S/n",
        },
        Verb::Broadcast => Closed {
            rounds: far,
            sent_most: (far, 1),
            sent_total: (far, 1),
            rounds_formula: "n−1",
            sent_formula: "(n−1) · S",
        },
        _ => Closed {
            rounds: far,
            sent_most: (any, 1),
            sent_total: (far, 1),
            rounds_formula: "n−1",
            sent_formula: "S",
        },
    }
}
