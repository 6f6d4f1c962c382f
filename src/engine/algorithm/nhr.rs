//! NHR (nonuniform hierarchical ring): few blocks over far distances first, many over near ones
//! last.
//!
//! AllGather over 4 ranks, the blocks that every rank sends:
//!
//! ```text
//! round   rank 0 sends   rank 1 sends   rank 2 sends   rank 3 sends   distance
//!   1        0 > 2          1 > 3          2 > 0          3 > 1          2
//!   2       02 > 1         13 > 2         20 > 3         31 > 0          1
//! ```
//!
//! In the round of distance d = 2^(⌈log2 n⌉-1), ..., 2, 1 rank r holds blocks r, r-2d, r-4d, ...
//! and sends them to r+d: all but the last, if with d more that one would come full circle. So any
//! n will do.
//!
//! ReduceScatter is the AllGather run backwards; AllReduce is the two, one after the other. Both
//! keep the blocks in an order in which every message is one range, as `packed` describes.
//!
//! Cost: ⌈log2 n⌉ rounds, (n-1)/n S per rank. Source: HCCL's documentation of its algorithms; the
//! same schedule is known as sparbit in Open MPI.

use super::packed::{self, Step};
use super::{Algorithm, Closed, ceil_log2};
use crate::engine::collective::{Collective, Verb};
use crate::engine::schedule::Builder;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    name: "nhr",
    verbs: &[Verb::AllReduce, Verb::ReduceScatter, Verb::AllGather],
    choices: &[],
    source: |verb| match verb {
        Verb::AllGather => "HCCL NHR; Open MPI sparbit",
        _ => "HCCL NHR",
    },
    blocks: |r| r.ranks,
    parts: 1,
    switches: 0,
    usual_node: |_| 1,
    write: |_, c| write(c),
    closed: |r| closed(r.verb, r.ranks),
    needs: &[],
};

fn write(c: Collective) -> Builder {
    let half = |verb| write(Collective { verb, ..c });
    match c.verb {
        Verb::AllGather => all_gather(c),
        Verb::ReduceScatter => half(Verb::AllGather).reverse(),
        Verb::AllReduce => half(Verb::ReduceScatter).then(&half(Verb::AllGather)),
        other => unreachable!("NHR does not serve {}", other.title()),
    }
}

fn all_gather(c: Collective) -> Builder {
    let n = c.ranks;
    let back = order(n);
    let step = |d: usize| {
        // Where the blocks lie that are `rest` further back than a multiple of 2d.
        let first = |rest| back.iter().position(|back| back % (2 * d) == rest).unwrap_or_default();
        Step { to: d, sent: first(0), arriving: first(d), blocks: (n - 1 + d) / (2 * d) }
    };
    let steps: Vec<_> = distances(n).map(step).collect();
    let order: Vec<_> = back.iter().map(|back| (n - back) % n).collect();
    packed::all_gather(c, &order, &steps)
}

/// 2^(⌈log2 n⌉-1), ..., 2, 1.
fn distances(n: usize) -> impl Iterator<Item = usize> {
    (0..ceil_log2(n)).rev().map(|round| 1 << round)
}

/// How far back from its own the blocks are that a rank holds, in the order in which it keeps them.
///
/// Before the round of distance d these are the multiples of 2d, and the largest is the last. If
/// that one is not sent because with d it would reach n, what arrives goes to the front, and the
/// largest stays last; otherwise what arrives goes to the back, and the new largest is last. So
/// what is sent is always the first so many, and what is held is one range from then on.
///
/// For 5 ranks: 0, then 0 4, then 2 0 4, then 3 1 2 0 4.
fn order(n: usize) -> Vec<usize> {
    let mut held = vec![0];
    for d in distances(n) {
        let arriving = held.iter().map(|back| back + d).filter(|&back| back < n);
        let arriving: Vec<usize> = arriving.collect();
        let at = if arriving.len() < held.len() { 0 } else { held.len() };
        held.splice(at..at, arriving);
    }
    held
}

fn closed(verb: Verb, n: usize) -> Closed {
    match verb {
        Verb::AllReduce => Closed {
            rounds: 2 * ceil_log2(n),
            sent_most: (2 * (n - 1), n),
            sent_total: (2 * (n - 1), 1),
            rounds_formula: "2⌈log₂n⌉",
            sent_formula: "2(n−1)/n · S",
        },
        _ => Closed::each_block_once(n, ceil_log2(n), "⌈log₂n⌉"),
    }
}

#[cfg(test)]
mod tests {
    use super::{distances, order};

    #[test]
    fn what_is_sent_and_what_is_held_are_ranges_and_the_largest_is_last() {
        assert_eq!(order(5), [3, 1, 2, 0, 4]);
        for n in 1..=300 {
            let order = order(n);
            assert_eq!(order.len(), n);
            for d in distances(n) {
                // Restricted to the multiples of d, the order is the one before distance d/2.
                let held = |step: usize| order.iter().position(|back| back % step == 0);
                let count = |step: usize| n.div_ceil(step);
                for step in [2 * d, d] {
                    let start = held(step).expect("0 is a multiple");
                    let range = &order[start..start + count(step)];
                    assert!(range.iter().all(|back| back % step == 0), "n={n} d={d}");
                    assert_eq!(range.last(), range.iter().max(), "n={n} d={d}");
                }
                let sent = (n - 1 + d) / (2 * d);
                let start = held(2 * d).expect("0 is a multiple");
                let sent = &order[start..start + sent];
                let to = order.iter().position(|back| back % (2 * d) == d).expect("d < n");
                let arriving: Vec<_> = sent.iter().map(|back| back + d).collect();
                assert_eq!(order[to..to + sent.len()], arriving, "n={n} d={d}");
            }
        }
    }
}
