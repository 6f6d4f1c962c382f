//! Pair: one Send, one Recv, and everybody else stands by.
//!
//! Over 4 ranks with sender 1: rank 1 sends its vector to rank 2, chunk by chunk. Ranks 0 and 3
//! have empty programs. This is what every other algorithm is made of.
//!
//! Cost: one round, S from sender to receiver. Source: `ncclSend` / `ncclRecv`, `MPI_Send` /
//! `MPI_Recv`.

use super::{Algorithm, Closed, Need, Rule};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Builder, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "pair",
    verbs: &[Verb::SendRecv],
    choices: &[],
    source: |_| "ncclSend and ncclRecv; MPI_Send and MPI_Recv",
    blocks: |_| 1,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |_| Closed {
        rounds: 1,
        sent_most: (1, 1),
        sent_total: (1, 1),
        rounds_formula: "1",
        sent_formula: "S",
    },
    needs: &[Need::always(Rule::TwoRanks)],
};

fn write(c: Collective) -> Builder {
    let mut b = Builder::new(c);
    for chunk in 0..c.chunks() {
        b.round(chunk + 1);
        b.message(
            (c.root, Span::new(Buffer::Input, chunk, 1)),
            (c.receiver(), Span::new(Buffer::Output, chunk, 1)),
            0,
        );
    }
    b
}
