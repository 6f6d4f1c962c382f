//! Partners that exchange: doubling, halving, rotating, and compositions of those.

use super::{Figures, Part, Row, ceil_log2};
use ringscope::engine::algorithm::{Fold, Request, Variant};
use ringscope::engine::collective::Verb;

/// Closed formulas for n > 1, from the sources that the algorithms name: Thakur, Rabenseifner &
/// Gropp's cost tables, HCCL's for NHR, Bruck's for his.
pub(super) fn figures(algorithm: &str, r: &Request) -> Option<Figures> {
    let (n, far, log) = (r.ranks, r.ranks - 1, ceil_log2(r.ranks));
    let once = (far, n);
    let figures = match (algorithm, r.verb) {
        ("recursive-doubling", Verb::AllReduce) => return Some(doubled(r)),
        ("rabenseifner", _) => return Some(rabenseifner(r)),
        ("recursive-doubling" | "recursive-halving" | "bruck" | "nhr", verb)
            if verb != Verb::AllReduce && verb != Verb::AllToAll =>
        {
            even(n, log, once, log)
        }
        ("nhr", _) => Figures { gamma: once, ..even(n, 2 * log, (2 * far, n), 2 * log) },
        ("bruck", _) => {
            // In the round of distance d the blocks with bit d in what they still have to go.
            let moved = |d: usize| (0..n).filter(|j| j & d > 0).count();
            even(n, log, ((0..log).map(|k| moved(1 << k)).sum(), n), log)
        }
        ("pat" | "pairwise", _) => even(n, far, once, far),
        ("neighbor-exchange", _) => even(n, n / 2, once, n / 2),
        ("one-shot", _) => {
            Figures { beta: (1, 1), gamma: (far, 1), ports: far, ..even(n, 1, (far, 1), far) }
        }
        ("scatter-allgather", _) => Figures {
            sent_least: once,
            messages: far + n * far,
            ..even(n, log + far, (2 * far, n), log + far)
        },
        _ => return None,
    };
    let gamma = if r.verb == Verb::ReduceScatter { once } else { figures.gamma };
    Some(Figures { gamma, ..figures })
}

/// Every rank sends `sent` in so many messages through one port, and nothing is reduced.
fn even(n: usize, rounds: usize, sent: Part, messages: usize) -> Figures {
    Figures {
        rounds,
        beta: sent,
        gamma: (0, 1),
        sent_least: sent,
        sent_most: sent,
        messages: n * messages,
        messages_most: messages,
        ports: 1,
    }
}

/// Whole vectors are exchanged. Where there are ranks beyond a power of two they hand theirs over
/// first, and get the result last.
fn doubled(r: &Request) -> Figures {
    let depth = r.ranks.ilog2() as usize;
    let surplus = r.ranks - (1 << depth);
    let folded = usize::from(surplus > 0);
    Figures {
        rounds: depth + 2 * folded,
        beta: (depth + 2 * folded, 1),
        gamma: (depth + folded, 1),
        sent_least: (if surplus > 0 { 1 } else { depth }, 1),
        sent_most: (depth + folded, 1),
        messages: (depth << depth) + 2 * surplus,
        messages_most: depth + folded,
        ports: 1,
    }
}

/// Parts are in quarters of a block of S/p, p being the largest power of two.
fn rabenseifner(r: &Request) -> Figures {
    let depth = r.ranks.ilog2() as usize;
    let p = 1 << depth;
    let surplus = r.ranks - p;
    let (whole, half) = (4 * p, 2 * p);
    let part = |fold: usize, blocks: usize| (4 * blocks + fold, whole);
    if surplus == 0 {
        let messages = 2 * depth;
        let core = even(p, messages, part(0, 2 * (p - 1)), messages);
        return Figures { gamma: part(0, p - 1), ..core };
    }
    let (rounds, sent, reduced, messages, of_a_pair) = match r.fold {
        Fold::Mpich => (2, whole, whole, 1, 2),
        Fold::Ompi => (3, whole + half, half, 2, 4),
    };
    Figures {
        rounds: 2 * depth + rounds,
        beta: part(2 * whole, 2 * (p - 1)),
        gamma: part(reduced, p - 1),
        sent_least: (1, 1),
        sent_most: part(sent, 2 * (p - 1)),
        messages: 2 * p * depth + of_a_pair * surplus,
        messages_most: 2 * depth + messages,
        ports: 1,
    }
}

/// The same for a few sizes, as numbers.
pub(super) fn rows() -> Vec<Row> {
    let plain = Request::new;
    let ompi = |n| Request { fold: Fold::Ompi, ..plain(Verb::AllReduce, n) };
    let xor = |n| Request { variant: Variant::Xor, ..plain(Verb::AllToAll, n) };
    vec![
        ("recursive-doubling", plain(Verb::AllReduce, 5), 4, (4, 1), (3, 1), 10),
        ("recursive-doubling", plain(Verb::AllReduce, 16), 4, (4, 1), (4, 1), 64),
        ("recursive-doubling", plain(Verb::AllGather, 8), 3, (7, 8), (0, 1), 24),
        ("recursive-halving", plain(Verb::ReduceScatter, 16), 4, (15, 16), (15, 16), 64),
        ("rabenseifner", plain(Verb::AllReduce, 5), 6, (7, 2), (7, 4), 18),
        ("rabenseifner", plain(Verb::AllReduce, 8), 6, (7, 4), (7, 8), 48),
        ("rabenseifner", ompi(3), 5, (3, 1), (1, 1), 8),
        ("rabenseifner", ompi(7), 7, (7, 2), (5, 4), 28),
        ("bruck", plain(Verb::AllGather, 7), 3, (6, 7), (0, 1), 21),
        ("bruck", plain(Verb::AllToAll, 6), 3, (7, 6), (0, 1), 18),
        ("bruck", plain(Verb::AllToAll, 12), 4, (5, 3), (0, 1), 48),
        ("nhr", plain(Verb::AllGather, 5), 3, (4, 5), (0, 1), 15),
        ("nhr", plain(Verb::ReduceScatter, 12), 4, (11, 12), (11, 12), 48),
        ("pat", plain(Verb::AllGather, 6), 5, (5, 6), (0, 1), 30),
        ("neighbor-exchange", plain(Verb::AllGather, 12), 6, (11, 12), (0, 1), 72),
        ("pairwise", plain(Verb::ReduceScatter, 7), 6, (6, 7), (6, 7), 42),
        ("pairwise", xor(8), 7, (7, 8), (0, 1), 56),
        ("one-shot", plain(Verb::AllReduce, 8), 1, (1, 1), (7, 1), 56),
        ("scatter-allgather", plain(Verb::Broadcast, 5), 7, (8, 5), (0, 1), 24),
        ("scatter-allgather", plain(Verb::Broadcast, 16), 19, (15, 8), (0, 1), 255),
    ]
}
