//! Two levels: direct inside nodes of g, rings and trees between N of them.

use super::{Figures, Row, ceil_log2};
use ringscope::engine::algorithm::Request;
use ringscope::engine::collective::Verb;

/// Closed formulas for n > 1 with one chunk per block, put together from those of the parts.
pub(super) fn figures(algorithm: &str, r: &Request) -> Option<Figures> {
    if algorithm != "hierarchical" {
        return None;
    }
    let (n, g, nodes) = (r.ranks, r.ranks_per_node, r.nodes());
    let (far, peers, rail, log) = (n - 1, g - 1, nodes - 1, ceil_log2(nodes));
    // Whether there is something to do inside nodes, and between them.
    let (inside, between) = (peers.min(1), rail.min(1));
    let (none, of_n, of_g) = ((0, 1), |blocks| (blocks, n), |shares| (shares, g));
    // Rounds, β, γ, least sent, most sent, messages, messages of the busiest rank, ports.
    let (rounds, beta, gamma, sent_least, sent_most, messages, messages_most, ports) = match r.verb
    {
        Verb::AllReduce => {
            let (most, sent) = (2 * (peers + rail), of_n(2 * far));
            let beta = of_n(2 * (inside * nodes + rail));
            (2 * (inside + rail), beta, of_n(far), sent, sent, n * most, most, peers.max(1))
        }
        Verb::AllGather | Verb::ReduceScatter => {
            let (rounds, sent) = (rail + inside, of_n(far));
            let gamma = if r.verb == Verb::AllGather { none } else { sent };
            (rounds, of_n(rounds), gamma, sent, sent, n * far, far, peers + between)
        }
        Verb::Broadcast | Verb::Reduce => {
            let (rounds, root) = (log + 2 * inside, 2 * peers + log);
            let messages = peers + g * rail + n * peers;
            let (beta, least) = (of_g(rounds), of_g(peers));
            match r.verb {
                Verb::Broadcast => {
                    let ports = peers + between;
                    (rounds, beta, none, least, of_g(root), messages, root, ports)
                }
                _ => {
                    let gamma = of_g(peers + log);
                    (rounds, beta, gamma, least, (1, 1), messages, g, peers.max(1))
                }
            }
        }
        Verb::Scatter | Verb::Gather => {
            let (rounds, beta) = (log + inside, of_n(inside * nodes + rail));
            match r.verb {
                Verb::Scatter => {
                    // The root's own rail is a round ahead of the others.
                    let sent = |turn: usize| match log.checked_sub(turn) {
                        Some(log) => (1 << log).min(nodes - (1 << log)),
                        None => 0,
                    };
                    let staggered = (1..=log).map(|turn| sent(turn).max(sent(turn + 1)));
                    let beta = match inside {
                        0 => beta,
                        _ => of_n(nodes + staggered.sum::<usize>()),
                    };
                    let ports = peers + between;
                    (rounds, beta, none, none, of_n(far), far, peers + log, ports)
                }
                _ => {
                    let half = nodes.next_power_of_two() / 2;
                    let subtree = (nodes - half).max(half / 2).max(1);
                    let most = if inside > 0 { nodes } else { subtree };
                    (rounds, beta, none, none, of_n(most), far, 1, 1)
                }
            }
        }
        Verb::AllToAll => {
            let rounds = if inside > 0 { nodes } else { 1 };
            let beta = if inside > 0 { of_n(1 + rail * g) } else { of_n(1) };
            let (sent, most) = (of_n(2 * n - nodes - g), nodes * peers + rail);
            let ports = if inside > 0 { peers + between } else { rail };
            (rounds, beta, none, sent, sent, n * most, most, ports)
        }
        _ => return None,
    };
    Some(Figures { rounds, beta, gamma, sent_least, sent_most, messages, messages_most, ports })
}

/// The same for a few sizes, as numbers.
pub(super) fn rows() -> Vec<Row> {
    let nodes =
        |verb, ranks, ranks_per_node| Request { ranks_per_node, ..Request::new(verb, ranks) };
    vec![
        ("hierarchical", nodes(Verb::AllReduce, 16, 4), 8, (7, 8), (15, 16), 192),
        ("hierarchical", nodes(Verb::AllGather, 8, 4), 2, (1, 4), (0, 1), 56),
        ("hierarchical", nodes(Verb::Broadcast, 16, 4), 4, (1, 1), (0, 1), 63),
        ("hierarchical", nodes(Verb::Reduce, 4, 2), 3, (3, 2), (1, 1), 7),
        ("hierarchical", nodes(Verb::Scatter, 12, 3), 3, (7, 12), (0, 1), 11),
        ("hierarchical", nodes(Verb::AllToAll, 4, 2), 2, (3, 4), (0, 1), 12),
    ]
}
