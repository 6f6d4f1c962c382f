//! Dissemination barrier: news of every arrival doubles its reach each round.
//!
//! Over 4 ranks: in round 1 rank r tells r+1 that it has entered; in round 2 it tells r+2 of
//! everybody it has heard of. After ⌈log2 n⌉ rounds everybody has heard of everybody, so everybody
//! may leave.
//!
//! The token is one number, combined with max: what matters is who it has come from. Counting it
//! would go wrong where n is not a power of two, because some news then arrives twice.
//!
//! Cost: ⌈log2 n⌉ rounds of one token. Source: D. Hensgen, R. Finkel and U. Manber, "Two algorithms
//! for barrier synchronization" (1988).

use super::{Algorithm, Closed, ceil_log2};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Peer, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "dissemination",
    verbs: &[Verb::Barrier],
    choices: &[],
    source: |_| "Hensgen, Finkel & Manber 1988",
    blocks: |_| 1,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| Closed {
        rounds: ceil_log2(r.ranks),
        sent_most: (ceil_log2(r.ranks), 1),
        sent_total: (r.ranks * ceil_log2(r.ranks), 1),
        rounds_formula: "⌈log₂n⌉",
        sent_formula: "⌈log₂n⌉ tokens",
    },
    needs: &[],
};

fn write(c: Collective) -> Builder {
    let n = c.ranks;
    let mut b = Builder::new(c);
    let token = Span::new(Buffer::Output, 0, 1);
    for rank in 0..n {
        b.push(rank, 0, Action::Copy { src: Span::new(Buffer::Input, 0, 1), dst: token });
    }
    for round in 1..=ceil_log2(n) {
        b.round(round);
        let distance = 1 << (round - 1);
        let peer = |rank: usize| Peer { rank: rank % n, channel: 0 };
        for rank in 0..n {
            b.push(rank, 0, Action::Send { src: token, to: peer(rank + distance) });
        }
        for rank in 0..n {
            let from = peer(rank + n - distance);
            b.push(rank, 0, Action::RecvReduce { from, src: token, dst: token });
        }
    }
    b
}
