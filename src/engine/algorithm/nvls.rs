//! NVLS (NVLink SHARP): the switch adds, and the switch copies.
//!
//! Every rank has one link to a switch that computes. A *load-reduce* reads the same addresses at
//! all ranks, adds in the switch, and hands rank r the sum of shard r; a *multicast store* goes up
//! once and comes down to everybody, also to the rank that made it. AllReduce over 4 ranks:
//!
//! ```text
//! round 1   all ranks > switch   shards 0 to 3 of their own, which the switch adds
//! round 2   switch > rank r      sum r
//! round 3   rank r > switch      sum r
//! round 4   switch > all ranks   sums 0 to 3
//! ```
//!
//! The first half by itself is ReduceScatter, the second AllGather; each is the other backwards. No
//! rank adds anything, the number of rounds does not depend on the number of ranks, and the vector
//! crosses every link once each way beside one shard: a rank sends (n+1)/n S, where a ring needs
//! 2(n-1)/n S.
//!
//! A browser has no such switch, so this algorithm is modelled and never run: its schedule has a
//! program for the switch, which checker, cost models and simulator follow like any other.
//!
//! Source: NCCL's NVLS for one node (`transport/nvls.cc`; `multimem.ld_reduce` and `multimem.st` of
//! PTX), which serves these verbs. What the real switch rounds to on the way is its own affair:
//! here it adds in the order of the ranks, in the wire type.

use super::{Algorithm, Choice, Closed, Need, Rule};
use crate::engine::Rank;
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Peer, Span};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "nvls",
    verbs: &[Verb::AllReduce, Verb::ReduceScatter, Verb::AllGather],
    choices: &[Choice::Channels],
    source: |_| "NCCL transport/nvls.cc",
    blocks: |r| if r.verb == Verb::AllReduce { r.ranks } else { 1 },
    parts: 1,
    switches: 1,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| closed(r.verb, r.ranks),
    needs: &[Need::always(Rule::TwoRanks)],
};

fn write(c: Collective) -> Builder {
    match c.verb {
        Verb::AllGather => multicast_store(c, 0),
        Verb::ReduceScatter => load_reduce(c),
        Verb::AllReduce => {
            // Sums and what is multicast are told apart by their channels.
            let second = multicast_store(Collective { verb: Verb::AllGather, ..c }, 1);
            load_reduce(Collective { verb: Verb::ReduceScatter, ..c }).pipe(&second)
        }
        other => unreachable!("nvls does not serve {}", other.title()),
    }
}

/// Every rank stores its block once, and the switch hands all blocks to everybody.
fn multicast_store(c: Collective, channel: usize) -> Builder {
    through_switch(c, channel, 0..c.ranks)
}

/// The same backwards: the switch adds what everybody has, that of rank 0 first, and hands every
/// rank its block.
fn load_reduce(c: Collective) -> Builder {
    let gather = Collective { verb: Verb::AllGather, ..c };
    through_switch(gather, 0, (0..c.ranks).rev()).reverse()
}

/// AllGather through the switch, which deals with the ranks in this order.
///
/// Each direction of a link is a lane: at a rank 0 is up and 1 is down, at the switch lane r comes
/// from rank r and lane n+r goes to it.
fn through_switch(
    c: Collective,
    channel: usize,
    ranks: impl Iterator<Item = Rank> + Clone,
) -> Builder {
    let (n, m) = (c.ranks, c.pieces);
    let mut b = Builder::with_switches(c, 1);
    let (switch, peer) = (n, |rank| Peer { rank, channel });
    b.scratch(switch, 0..n * m);
    for rank in ranks.clone() {
        let (src, dst) = (Span::new(Buffer::Input, 0, m), Span::new(Buffer::Scratch, rank * m, m));
        b.push(rank, 0, Action::Send { src, to: peer(switch) });
        b.push(switch, rank, Action::Recv { from: peer(rank), dst });
    }
    b.round(2);
    let whole = |buffer| Span::new(buffer, 0, n * m);
    for rank in ranks {
        b.push(switch, n + rank, Action::Send { src: whole(Buffer::Scratch), to: peer(rank) });
        b.push(rank, 1, Action::Recv { from: peer(switch), dst: whole(Buffer::Output) });
    }
    b
}

fn closed(verb: Verb, n: usize) -> Closed {
    match verb {
        Verb::AllReduce => Closed {
            rounds: 4,
            sent_most: (n + 1, n),
            sent_total: (n + 1, 1),
            rounds_formula: "4",
            sent_formula: "(n+1)/n · S",
        },
        Verb::ReduceScatter => Closed {
            rounds: 2,
            sent_most: (1, 1),
            sent_total: (n, 1),
            rounds_formula: "2",
            sent_formula: "S",
        },
        _ => Closed {
            rounds: 2,
            sent_most: (1, n),
            sent_total: (1, 1),
            rounds_formula: "2",
            sent_formula: "S/n",
        },
    }
}
