//! Whether all ranks compute the same: verdicts on the algorithms, and on schedules made to differ.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::grid;
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::{Rounding, check, rounding};
use ringscope::engine::collective::{Buffer, Collective, Verb};
use ringscope::engine::schedule::{Action, Builder, Peer, Schedule, Span};

fn judged(schedule: &Schedule) -> Rounding {
    let proof = check(schedule).unwrap_or_else(|fault| panic!("{fault}\n{schedule}"));
    rounding(&schedule.collective, &proof)
}

fn of(algorithm: &str, verb: Verb, ranks: usize) -> Rounding {
    let found = find(algorithm).expect("it is in the registry");
    judged(&found.build(&Request::new(verb, ranks)).expect("it is not refused"))
}

/// Algorithms whose ranks each add in an order of their own: the known ones, and no others.
const KNOWN_TO_DIFFER: [&str; 1] = ["one-shot"];

#[test]
fn all_ranks_compute_the_same_except_where_it_is_known() {
    for case in grid([1, 2, 3, 4, 5, 8, 12], &[1, 2]) {
        let found = judged(&case.build());
        let expected = KNOWN_TO_DIFFER.contains(&case.algorithm.name) && case.request.ranks > 2;
        assert_eq!(found.differs.is_some(), expected, "{case}: {found:?}");
    }
}

#[test]
fn depths_are_those_of_the_literature() {
    for n in [2, 3, 4, 5, 8, 12, 16] {
        let log = (n as f64).log2().ceil() as usize;
        assert_eq!(of("ring", Verb::AllReduce, n).depth, n - 1);
        assert_eq!(of("direct", Verb::AllReduce, n).depth, n - 1);
        assert_eq!(of("tree", Verb::Reduce, n).depth, log);
        assert_eq!(of("ring", Verb::AllGather, n).depth, 0);
    }
}

/// A one-round AllReduce over 3 ranks: everybody sends the whole vector to everybody and adds what
/// comes, the next rank's first. `swapped` ranks take the two in the other order.
fn everybody_to_everybody(swapped: &[usize]) -> Schedule {
    let n = 3;
    let mut b = Builder::new(Collective::new(Verb::AllReduce, n, 0, 1, 1));
    let (input, output) = (Span::new(Buffer::Input, 0, 1), Span::new(Buffer::Output, 0, 1));
    for rank in 0..n {
        for other in (0..n).filter(|&other| other != rank) {
            b.push(rank, 0, Action::Send { src: input, to: Peer { rank: other, channel: 0 } });
        }
    }
    for rank in 0..n {
        // Ascending, so that rank 0 computes (1 + 0) + 2, rank 1 (0 + 1) + 2, rank 2 (0 + 2) + 1.
        let mut others: Vec<usize> = (0..n).filter(|&other| other != rank).collect();
        if swapped.contains(&rank) {
            others.reverse();
        }
        for (index, rank_from) in others.into_iter().enumerate() {
            let from = Peer { rank: rank_from, channel: 0 };
            let src = if index == 0 { input } else { output };
            b.push(rank, 0, Action::RecvReduce { from, src, dst: output });
        }
    }
    b.finish("by hand", false)
}

#[test]
fn grouping_makes_the_difference_and_the_order_of_two_operands_does_not() {
    // Ranks 0 and 1 group alike, {0, 1} first; rank 2 groups {0, 2}.
    let found = judged(&everybody_to_everybody(&[])).differs.expect("rank 2 differs");
    assert_eq!((found.label, found.first, found.other), (0, 0, 2));
    // Rank 2 cannot group {0, 1}; turned round, ranks 0 and 2 group {0, 2}, and rank 1 is alone.
    let found = judged(&everybody_to_everybody(&[0])).differs.expect("rank 1 differs");
    assert_eq!((found.first, found.other), (0, 1));
}

#[test]
fn a_difference_shows_in_the_bits_and_agreement_does_not() {
    // 2^24 + 1 + 1: one at a time the ones are rounded away, together they are not.
    let values: [f32; 3] = [16_777_216.0, 1.0, 1.0];
    let by_rank_0 = (values[1] + values[0]) + values[2];
    let by_rank_2 = (values[1] + values[2]) + values[0];
    assert_ne!(by_rank_0.to_bits(), by_rank_2.to_bits());
    assert_eq!((values[0] + values[1]).to_bits(), (values[1] + values[0]).to_bits());
}

#[test]
fn rank_order_is_what_a_chain_towards_rank_0_does_not_have() {
    assert!(!of("ring", Verb::AllReduce, 4).in_rank_order);
    assert!(of("ring", Verb::AllGather, 4).in_rank_order);
    // A chain that starts at rank 0 adds in the order of the ranks.
    let request = Request { root: 3, ..Request::new(Verb::Reduce, 4) };
    let ring = find("ring").expect("it is in the registry");
    assert!(judged(&ring.build(&request).expect("it is not refused")).in_rank_order);
}
