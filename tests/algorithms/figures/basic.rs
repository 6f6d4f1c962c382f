//! Rings, trees, stars, everybody to everybody, and what only one algorithm does.

use super::{Figures, Row, ceil_log2};
use ringscope::engine::algorithm::Request;
use ringscope::engine::collective::Verb;

/// Closed formulas for n > 1 with k pieces where an algorithm pipelines, from the sources that the
/// algorithms name: Thakur, Rabenseifner & Gropp's cost tables and HCCL's.
pub(super) fn figures(algorithm: &str, r: &Request) -> Option<Figures> {
    let (verb, n, k) = (r.verb, r.ranks, r.chunks);
    let (far, log) = (n - 1, ceil_log2(n));
    let of_n = |blocks: usize| (blocks, n);
    let of_s = |vectors: usize| (vectors, 1);
    let none = (0, 1);
    // Rounds, β, γ, least sent, most sent, messages, messages of the busiest rank, ports.
    let (rounds, beta, gamma, sent_least, sent_most, messages, messages_most, ports) =
        match (algorithm, verb) {
            ("ring", Verb::AllReduce) => {
                let both = of_n(2 * far);
                (2 * far, both, of_n(far), both, both, 2 * n * far, 2 * far, 1)
            }
            ("ring", Verb::AllGather) => {
                (far, of_n(far), none, of_n(far), of_n(far), n * far, far, 1)
            }
            ("ring", Verb::ReduceScatter) => {
                (far, of_n(far), of_n(far), of_n(far), of_n(far), n * far, far, 1)
            }
            ("ring", Verb::Broadcast) => {
                (n - 2 + k, (n - 2 + k, k), none, none, of_s(1), k * far, k, 1)
            }
            ("ring", Verb::Reduce) => {
                (n - 2 + k, (n - 2 + k, k), (n - 2 + k, k), none, of_s(1), k * far, k, 1)
            }
            ("direct", Verb::AllReduce) => {
                let both = of_n(2 * far);
                (2, of_n(2), of_n(far), both, both, 2 * n * far, 2 * far, far)
            }
            ("direct", Verb::ReduceScatter) => {
                (1, of_n(1), of_n(far), of_n(far), of_n(far), n * far, far, far)
            }
            ("direct", Verb::AllGather | Verb::AllToAll) => {
                (1, of_n(1), none, of_n(far), of_n(far), n * far, far, far)
            }
            ("tree", Verb::AllReduce) => {
                (2 * log, of_s(2 * log), of_s(log), of_s(1), of_s(log), 2 * far, log, 1)
            }
            ("tree", Verb::Broadcast) => (log, of_s(log), none, none, of_s(log), far, log, 1),
            ("tree", Verb::Reduce) => (log, of_s(log), of_s(log), none, of_s(1), far, 1, 1),
            ("tree", Verb::Scatter) => (log, of_n(far), none, none, of_n(far), far, log, 1),
            ("tree", Verb::Gather) => {
                // The largest subtree below the root: half of the next power of two, or the rest.
                let half = 1 << (log - 1);
                let largest = (n - half).max(half / 2).max(1);
                (log, of_n(far), none, none, of_n(largest), far, 1, 1)
            }
            ("linear", Verb::Scatter) => (far, of_n(far), none, none, of_n(far), far, far, 1),
            ("linear", Verb::Gather) => (far, of_n(far), none, none, of_n(1), far, 1, 1),
            ("linear", Verb::Broadcast) => (far, of_s(far), none, none, of_s(far), far, far, 1),
            ("linear", Verb::Reduce) => (far, of_s(far), of_s(far), none, of_s(1), far, 1, 1),
            ("linear", Verb::AllReduce) => {
                (2 * far, of_s(2 * far), of_s(far), of_s(1), of_s(far), 2 * far, far, 1)
            }
            ("dissemination", Verb::Barrier) => {
                (log, of_s(log), of_s(log), of_s(log), of_s(log), n * log, log, 1)
            }
            ("pair", Verb::SendRecv) => (1, of_s(1), none, none, of_s(1), 1, 1, 1),
            ("ring", Verb::Shift) => (1, of_s(1), none, of_s(1), of_s(1), n, 1, 1),
            _ => return None,
        };
    let least = if n == 2 && verb == Verb::SendRecv { none } else { sent_least };
    Some(Figures {
        rounds,
        beta,
        gamma,
        sent_least: least,
        sent_most,
        messages,
        messages_most,
        ports,
    })
}

/// The same for a few sizes, as numbers.
pub(super) fn rows() -> Vec<Row> {
    let plain = Request::new;
    let cut = |verb, ranks, chunks| Request { chunks, ..plain(verb, ranks) };
    vec![
        ("ring", plain(Verb::AllReduce, 5), 8, (8, 5), (4, 5), 40),
        ("ring", plain(Verb::AllReduce, 16), 30, (15, 8), (15, 16), 480),
        ("ring", plain(Verb::AllGather, 12), 11, (11, 12), (0, 1), 132),
        ("ring", plain(Verb::ReduceScatter, 8), 7, (7, 8), (7, 8), 56),
        ("ring", cut(Verb::Broadcast, 8, 4), 10, (5, 2), (0, 1), 28),
        ("ring", cut(Verb::Reduce, 16, 4), 18, (9, 2), (9, 2), 60),
        ("direct", plain(Verb::AllReduce, 7), 2, (2, 7), (6, 7), 84),
        ("direct", plain(Verb::AllGather, 16), 1, (1, 16), (0, 1), 240),
        ("tree", plain(Verb::AllReduce, 5), 6, (6, 1), (3, 1), 8),
        ("tree", plain(Verb::Broadcast, 12), 4, (4, 1), (0, 1), 11),
        ("tree", plain(Verb::Scatter, 6), 3, (5, 6), (0, 1), 5),
        ("tree", plain(Verb::Gather, 12), 4, (11, 12), (0, 1), 11),
        ("linear", plain(Verb::Gather, 8), 7, (7, 8), (0, 1), 7),
        ("dissemination", plain(Verb::Barrier, 5), 3, (3, 1), (3, 1), 15),
    ]
}
