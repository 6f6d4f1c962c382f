//! In which order chunks travel and are added.

use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::{Expression, check};
use ringscope::engine::collective::{Buffer, Verb};
use ringscope::engine::schedule::{Message, Op, Schedule};
use std::collections::BTreeSet;

fn ring_all_reduce(n: usize) -> Schedule {
    let ring = find("ring").expect("it is in the registry");
    ring.build(&Request::new(Verb::AllReduce, n)).expect("it is not refused")
}

/// The label of the chunk that an op works on.
fn label(schedule: &Schedule, rank: usize, op: &Op) -> usize {
    let span = op.action.src().or(op.action.dst()).expect("a ring's ops have a span");
    schedule.labels(rank, span.buffer)[span.start]
}

#[test]
fn the_ring_turns_in_nccls_order_and_every_rank_owns_its_block() {
    for n in 2..=9 {
        let schedule = ring_all_reduce(n);
        for (rank, program) in schedule.programs.iter().enumerate() {
            let chunks = |takes_part: fn(&Op) -> bool| -> Vec<usize> {
                let ops = program.ops.iter().filter(|op| takes_part(op));
                ops.map(|op| label(&schedule, rank, op)).collect()
            };
            let sent = chunks(|op| op.action.to().is_some());
            let received = chunks(|op| op.action.from().is_some());
            let back = |steps: usize| (rank + 2 * n - steps) % n;
            assert_eq!(sent, (1..2 * n - 1).map(back).collect::<Vec<_>>());
            assert_eq!(received, (2..2 * n).map(back).collect::<Vec<_>>());
            if n == 4 && rank == 0 {
                assert_eq!((sent, received), (vec![3, 2, 1, 0, 3, 2], vec![2, 1, 0, 3, 2, 1]));
            }
            // The sum of block r is complete at rank r, and is divided there and only there.
            let owned = program.ops.iter().filter(|op| op.marks.post);
            let owned: Vec<_> = owned.map(|op| label(&schedule, rank, op)).collect();
            assert_eq!(owned, [rank]);
            assert_eq!(schedule.collective.input(rank).len(), n);
            let mut blocks = schedule.labels(rank, Buffer::Output);
            blocks.dedup();
            assert_eq!(blocks.len(), n);
        }
    }
}

#[test]
fn the_ring_adds_in_one_order_which_all_ranks_share() {
    let n = 4;
    let proof = check(&ring_all_reduce(n)).expect("a ring is right");
    for chunk in 0..n {
        let id = proof.outputs[0][chunk];
        assert!(proof.outputs.iter().all(|output| output[chunk] == id), "the very same value");
        assert_eq!(proof.expressions.depth(id), n - 1);
        // Chunk c starts at rank c+1 and is complete at rank c.
        let postfix = proof.expressions.postfix(id).into_iter();
        let order: Vec<_> = postfix
            .filter_map(|e| match e {
                Expression::Input { rank, .. } => Some(rank),
                Expression::Reduced { .. } => None,
            })
            .collect();
        assert_eq!(order, (1..=n).map(|step| (chunk + step) % n).collect::<Vec<_>>());
    }
}

#[test]
fn pat_keeps_few_sums_unfinished() {
    let pat = find("pat").expect("it is in the registry");
    for n in 2..=33 {
        let schedule = pat
            .build(&Request::new(Verb::ReduceScatter, n))
            .expect("it serves any number of ranks");
        for program in &schedule.programs {
            // A sum that is passed on at once stays in the op; the others are in scratch.
            let touches = |op: &Op, slot| {
                let spans = op.action.reads().chain(op.action.dst());
                spans.filter(|span| span.buffer == Buffer::Scratch).any(|s| s.start == slot)
            };
            let lives: Vec<(usize, usize)> = (0..program.scratch.len())
                .map(|slot| {
                    let first = program.ops.iter().position(|op| touches(op, slot));
                    let last = program.ops.iter().rposition(|op| touches(op, slot));
                    first.zip(last).expect("no slot is idle")
                })
                .collect();
            let alive =
                |at| lives.iter().filter(|(first, last)| (first..last).contains(&&at)).count();
            let most = (0..program.ops.len()).map(alive).max().unwrap_or(0);
            let depth = n.next_power_of_two().ilog2() as usize;
            assert!(most < depth.max(1), "{most} sums for {n} ranks");
        }
    }
}

/// Who sends which blocks to whom, message by message, and in which round.
fn blocks_sent(schedule: &Schedule) -> Vec<(usize, usize, usize, Vec<usize>)> {
    let message = |m: &Message| {
        let op = &schedule.programs[m.to].ops[m.recv_op];
        let span = op.action.dst().or(op.action.src()).expect("what is received has a place");
        let labels = schedule.labels(m.to, span.buffer)[span.chunks()].to_vec();
        (op.round, m.from, m.to, labels)
    };
    schedule.messages().iter().map(message).collect()
}

#[test]
fn nhr_sends_the_slices_of_its_definition() {
    let nhr = find("nhr").expect("it is in the registry");
    for n in 2..=20 {
        let rounds = usize::next_power_of_two(n).ilog2() as usize;
        let built =
            |verb| nhr.build(&Request::new(verb, n)).expect("it serves any number of ranks");
        for (round, from, to, mut blocks) in blocks_sent(&built(Verb::AllGather)) {
            let d = 1 << (rounds - round);
            let slices = (n - 1 + d) / (2 * d);
            let mut expected: Vec<_> = (0..slices).map(|i| (from + n - 2 * i * d) % n).collect();
            blocks.sort_unstable();
            expected.sort_unstable();
            assert_eq!((to, blocks), ((from + d) % n, expected), "n={n} round {round}");
        }
        for (round, from, to, mut blocks) in blocks_sent(&built(Verb::ReduceScatter)) {
            let d = 1 << (round - 1);
            let slices = (n - 1 + d) / (2 * d);
            let back = |i: usize| (from + 2 * n - (2 * i + 1) * d) % n;
            let mut expected: Vec<_> = (0..slices).map(back).collect();
            blocks.sort_unstable();
            expected.sort_unstable();
            assert_eq!((to, blocks), ((from + n - d) % n, expected), "n={n} round {round}");
        }
    }
}

#[test]
fn pat_sends_what_nhr_sends_with_left_and_right_exchanged() {
    for (verb, n) in (2..=20).flat_map(|n| [(Verb::AllGather, n), (Verb::ReduceScatter, n)]) {
        let sent = |name: &str, mirror: bool| -> BTreeSet<(usize, usize, usize)> {
            let algorithm = find(name).expect("it is in the registry");
            let schedule = algorithm.build(&Request::new(verb, n)).expect("it serves any number");
            let turn = |rank: usize| if mirror { (n - rank) % n } else { rank };
            let single = |(_, from, to, blocks): (usize, usize, usize, Vec<usize>)| {
                blocks.into_iter().map(move |block| (turn(from), turn(to), turn(block)))
            };
            blocks_sent(&schedule).into_iter().flat_map(single).collect()
        };
        assert_eq!(sent("pat", false), sent("nhr", true), "{verb:?} n={n}");
    }
}
