//! Neighbour exchange: pairs of blocks go to the left and to the right in turn.
//!
//! AllGather over 6 ranks, the blocks that every rank sends:
//!
//! ```text
//! round   rank 0   rank 1   rank 2   rank 3   rank 4   rank 5
//!   1      0 > 1    1 > 0    2 > 3    3 > 2    4 > 5    5 > 4
//!   2     01 > 5   01 > 2   23 > 1   23 > 4   45 > 3   45 > 0
//!   3     45 > 1   23 > 0   01 > 3   45 > 2   23 > 5   01 > 4
//! ```
//!
//! First the ranks 2i and 2i+1 exchange their blocks; from then on a rank sends what it received
//! last to the neighbour that it did not receive it from. Over 4 ranks it ends after two rounds.
//!
//! Cost: n/2 rounds, half of a ring's, (n-1)/n S per rank, and still only neighbours talk; n must
//! be even. Source: J. Chen, L. Zhang, Y. Zhang and W. Yuan, "Performance evaluation of allgather
//! algorithms on terascale Linux cluster with fast Ethernet" (2005); Open MPI
//! `allgather_intra_neighborexchange`.

use super::{Algorithm, Closed, Need, Rule};
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "neighbor-exchange",
    verbs: &[Verb::AllGather],
    choices: &[],
    source: |_| "Chen et al. 2005; Open MPI",
    blocks: |r| r.ranks,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| Closed::each_block_once(r.ranks, r.ranks / 2, "n/2"),
    needs: &[Need::always(Rule::Even)],
};

fn write(c: Collective) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::new(c);
    for rank in 0..n {
        let (src, dst) = (Span::new(Buffer::Input, 0, m), Span::new(Buffer::Output, rank * m, m));
        b.push(rank, 0, Action::Copy { src, dst });
    }
    let own = |rank| {
        let dst = Span::new(Buffer::Output, rank * m, m);
        ((rank, Span::new(Buffer::Input, 0, m)), (rank ^ 1, dst))
    };
    b.exchange(0, &(0..n).map(own).collect::<Vec<_>>());
    // The pair of blocks that every rank has got last.
    let mut last: Vec<usize> = (0..n).map(|rank| rank / 2).collect();
    for round in 2..=n / 2 {
        b.round(round);
        let neighbor = |rank: usize| match (rank + round) % 2 {
            0 => (rank + n - 1) % n,
            _ => (rank + 1) % n,
        };
        let message = |rank: usize| {
            let pair = Span::new(Buffer::Output, 2 * last[rank] * m, 2 * m);
            ((rank, pair), (neighbor(rank), pair))
        };
        b.exchange(0, &(0..n).map(message).collect::<Vec<_>>());
        last = (0..n).map(|rank| last[neighbor(rank)]).collect();
    }
    b
}
