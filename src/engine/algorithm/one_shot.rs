//! One-shot: everybody sends everything to everybody, and adds up alone.
//!
//! AllReduce over 4 ranks, one round: rank 0 sends its vector to 1, 2 and 3, on three lanes at
//! once, and adds those of 3, 2 and 1 to its own, in this order:
//!
//! ```text
//! rank 0: 1 + (2 + (3 + 0))     rank 2: 3 + (0 + (1 + 2))
//! rank 1: 2 + (3 + (0 + 1))     rank 3: 0 + (1 + (2 + 3))
//! ```
//!
//! The order is fixed, so a run repeats itself bit by bit; but it is another one at every rank, and
//! floating-point sums depend on it. So the ranks may end with results that differ in the last
//! bits, which a ring's never do.
//!
//! Cost: one round if a rank has n-1 ports, and (n-1) S per rank: for vectors so short that only
//! the number of rounds counts. Source: TensorRT-LLM `customAllReduceKernels.cu`.

use super::{Algorithm, Closed};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Peer, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "one-shot",
    verbs: &[Verb::AllReduce],
    choices: &[],
    source: |_| "TensorRT-LLM customAllReduceKernels.cu",
    blocks: |_| 1,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| Closed {
        rounds: usize::from(r.ranks > 1),
        sent_most: (r.ranks - 1, 1),
        sent_total: (r.ranks * (r.ranks - 1), 1),
        rounds_formula: "1",
        sent_formula: "(n−1) · S",
    },
    needs: &[],
};

/// Lane d-1 of rank r sends to r+d and adds what comes from r-d.
fn write(c: Collective) -> Builder {
    let (n, k) = (c.ranks, c.chunks());
    let mut b = Builder::new(c);
    let whole = |buffer| Span::new(buffer, 0, k);
    let (input, output) = (whole(Buffer::Input), whole(Buffer::Output));
    if n == 1 {
        b.push(0, 0, Action::Copy { src: input, dst: output });
    }
    let peer = |rank: usize| Peer { rank: rank % n, channel: 0 };
    for rank in 0..n {
        for distance in 1..n {
            let to = peer(rank + distance);
            b.push(rank, distance - 1, Action::Send { src: input, to });
        }
        for distance in 1..n {
            let src = if distance == 1 { input } else { output };
            let from = peer(rank + n - distance);
            b.push(rank, distance - 1, Action::RecvReduce { from, src, dst: output });
        }
    }
    b
}
