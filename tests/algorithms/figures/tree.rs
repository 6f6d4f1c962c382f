//! Pipelined trees and chains, and rings that carry more than one round them.

use super::{Figures, Part, Row, ceil_log2};
use ringscope::engine::algorithm::Request;
use ringscope::engine::collective::Verb;

/// Closed formulas for n > 1 with k chunks per tree or chain; counted numbers where what meets in a
/// round follows no formula.
pub(super) fn figures(algorithm: &str, r: &Request) -> Option<Figures> {
    let (verb, n, k) = (r.verb, r.ranks, r.chunks);
    let far = n - 1;
    let (none, of_n) = ((0, 1), |blocks| (blocks, n));
    let of_k = |chunks: usize| (chunks, k);
    // Rounds, β, γ, least sent, most sent, messages, messages of the busiest rank, ports.
    let (rounds, beta, gamma, sent_least, sent_most, messages, messages_most, ports) =
        match (algorithm, verb) {
            ("double-tree", Verb::AllReduce) => return double_tree(n, k),
            ("binary-tree", _) => return binary_tree(verb, n, k),
            ("chain", Verb::AllReduce) => {
                let (rounds, ports) = (2 * far + k - 1, if n > 2 && k > 2 { 2 } else { 1 });
                let (most, neighbours) = ((far.min(2), 1), far.min(2));
                let gamma = of_k(far + k - 1);
                (rounds, of_k(rounds), gamma, (1, 1), most, 2 * k * far, k * neighbours, ports)
            }
            ("chain", Verb::Broadcast) => {
                (far + k - 1, of_k(far + k - 1), none, none, (1, 1), k * far, k, 1)
            }
            ("chain", Verb::Reduce) => {
                let all = of_k(far + k - 1);
                (far + k - 1, all, all, none, (1, 1), k * far, k, 1)
            }
            ("ring", Verb::Scatter | Verb::Gather) => {
                (far, of_n(far), none, none, of_n(far), n * far / 2, far, 1)
            }
            ("direct", Verb::Scatter) => (1, of_n(1), none, none, of_n(far), far, far, far),
            ("direct", Verb::Gather) => (1, of_n(1), none, none, of_n(1), far, 1, 1),
            ("bidirectional-ring", _) => {
                let phases = if verb == Verb::AllReduce { 2 } else { 1 };
                let (rounds, sent) = (phases * far, of_n(phases * far));
                // Two ranks have one link, and both halves cross it.
                let beta = if n == 2 { sent } else { (rounds, 2 * n) };
                let gamma = if verb == Verb::AllGather { none } else { of_n(far) };
                (rounds, beta, gamma, sent, sent, 2 * n * rounds, 2 * rounds, 2)
            }
            _ => return None,
        };
    let (least, most) = (sent_least, sent_most);
    Some(figure(rounds, [beta, gamma, least, most], [messages, messages_most, ports]))
}

fn figure(rounds: usize, parts: [Part; 4], counts: [usize; 3]) -> Figures {
    let ([beta, gamma, sent_least, sent_most], [messages, messages_most, ports]) = (parts, counts);
    Figures { rounds, beta, gamma, sent_least, sent_most, messages, messages_most, ports }
}

/// In chunks, for n = 2 to 16: what crosses the busiest link with 4 chunks per tree (over few nodes
/// the two trees share links), and what is reduced, with 1 and with 4.
const DOUBLE_TREE: [[usize; 15]; 3] = [
    [8, 12, 8, 9, 9, 9, 9, 11, 11, 11, 11, 11, 11, 11, 11],
    [1, 2, 3, 4, 5, 5, 5, 6, 7, 7, 7, 7, 7, 7, 7],
    [4, 8, 9, 11, 11, 11, 11, 13, 13, 13, 13, 13, 13, 13, 13],
];

/// Up and down at the same time; k chunks of S/2k in each tree, k being 1 or 4.
fn double_tree(n: usize, k: usize) -> Option<Figures> {
    let rounds = 2 * ceil_log2(n) + k - 1;
    let [four, one_reduced, four_reduced] = DOUBLE_TREE.map(|row| row[n - 2]);
    let (beta, gamma) = if k == 1 { (rounds, one_reduced) } else { (four, four_reduced) };
    let part = |chunks| (chunks, 2 * k);
    // Inner rank of one tree, leaf of the other: four neighbours, if there are so many.
    let neighbours = n.min(4);
    let parts = [part(beta), part(gamma), (1, 1), (neighbours, 2)];
    let ports = match k {
        1 => neighbours / 2,
        _ if n > 4 => 3,
        _ => n,
    };
    Some(figure(rounds, parts, [4 * k * (n - 1), k * neighbours, ports]))
}

/// In chunks, for n = 2 to 16, with 1 chunk and with 4: what is reduced in a binary tree, as far as
/// anybody waits for it. Where the lowest level has one rank, a rank with two children that are
/// leaves is through before that one's parent has added once.
const BINARY_TREE: [[usize; 15]; 2] = [
    [1, 2, 2, 3, 4, 4, 3, 4, 5, 5, 6, 6, 6, 6, 4],
    [4, 8, 8, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12, 12, 12],
];

/// k chunks, k being 1 or 4.
fn binary_tree(verb: Verb, n: usize, k: usize) -> Option<Figures> {
    let (far, depth) = (n - 1, n.ilog2() as usize);
    let phases = if verb == Verb::AllReduce { 2 } else { 1 };
    let rounds = phases * depth + k - 1;
    let gamma = match verb {
        Verb::Broadcast => 0,
        _ => BINARY_TREE[usize::from(k > 1)][n - 2],
    };
    let (children, inner) = (far.min(2), if n < 5 { far.min(2) } else { 3 });
    let (least, most, ports) = match verb {
        Verb::Broadcast => (0, children, children),
        Verb::Reduce => (0, 1, 1),
        _ => (1, inner, if k == 1 { children } else { inner }),
    };
    let parts = [(rounds, k), (gamma, k), (least, 1), (most, 1)];
    Some(figure(rounds, parts, [phases * k * far, k * most, ports]))
}

/// The same for a few sizes, as numbers.
pub(super) fn rows() -> Vec<Row> {
    let plain = Request::new;
    let cut = |verb, ranks, chunks| Request { chunks, ..plain(verb, ranks) };
    vec![
        ("double-tree", plain(Verb::AllReduce, 3), 4, (2, 1), (1, 1), 8),
        ("double-tree", plain(Verb::AllReduce, 5), 6, (3, 1), (2, 1), 16),
        ("double-tree", plain(Verb::AllReduce, 16), 8, (4, 1), (7, 2), 60),
        ("double-tree", cut(Verb::AllReduce, 3, 4), 7, (3, 2), (1, 1), 32),
        ("double-tree", cut(Verb::AllReduce, 4, 4), 7, (1, 1), (9, 8), 48),
        ("double-tree", cut(Verb::AllReduce, 12, 4), 11, (11, 8), (13, 8), 176),
        ("chain", cut(Verb::Broadcast, 5, 4), 7, (7, 4), (0, 1), 16),
        ("chain", cut(Verb::Reduce, 12, 4), 14, (7, 2), (7, 2), 44),
        ("ring", plain(Verb::Scatter, 6), 5, (5, 6), (0, 1), 15),
        ("ring", plain(Verb::Gather, 16), 15, (15, 16), (0, 1), 120),
        ("binary-tree", plain(Verb::Broadcast, 7), 2, (2, 1), (0, 1), 6),
        ("bidirectional-ring", plain(Verb::AllReduce, 8), 14, (7, 8), (7, 8), 224),
    ]
}
