//! What a switch that adds and copies saves.

use super::{Figures, Part, Row};
use ringscope::engine::algorithm::Request;
use ringscope::engine::collective::Verb;

/// Every link carries the vector once, and one shard of S/n besides, each way; half of that for
/// each half of an AllReduce. Nobody but the switch adds.
pub(super) fn figures(algorithm: &str, request: &Request) -> Option<Figures> {
    let n = request.ranks;
    let (rounds, beta, sent, messages): (usize, Part, Part, usize) = match request.verb {
        Verb::AllReduce => (4, (2 * (n + 1), n), (n + 1, n), 2),
        Verb::ReduceScatter => (2, (n + 1, n), (1, 1), 1),
        _ => (2, (n + 1, n), (1, n), 1),
    };
    (algorithm == "nvls").then_some(Figures {
        rounds,
        beta,
        gamma: (0, 1),
        sent_least: sent,
        sent_most: sent,
        messages: n * messages,
        messages_most: messages,
        ports: 1,
    })
}

pub(super) fn rows() -> Vec<Row> {
    let row = |verb, n, rounds, beta| ("nvls", Request::new(verb, n), rounds, beta, (0, 1));
    let rows = [
        (row(Verb::AllReduce, 4, 4, (5, 2)), 8),
        (row(Verb::AllReduce, 8, 4, (9, 4)), 16),
        (row(Verb::ReduceScatter, 8, 2, (9, 8)), 8),
        (row(Verb::AllGather, 8, 2, (9, 8)), 8),
    ];
    rows.map(|((name, request, rounds, beta, gamma), messages)| {
        (name, request, rounds, beta, gamma, messages)
    })
    .to_vec()
}
