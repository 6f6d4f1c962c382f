//! The grid: every algorithm, proved over symbols, against closed formulas and published figures.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::grid;
use ringscope::engine::algorithm::{find, serving};
use ringscope::engine::check::{Expression, check};
use ringscope::engine::collective::{Buffer, Verb};
use ringscope::engine::cost::rounds;
use ringscope::engine::schedule::{Op, Schedule};

#[test]
fn every_schedule_meets_its_verb_without_races_and_with_few_slots() {
    let cases = grid((1..=9).chain([12, 16, 17]), &[1, 2, 3]);
    for case in &cases {
        let schedule = case.build();
        let proof = check(&schedule).unwrap_or_else(|fault| panic!("{case}: {fault}\n{schedule}"));
        // A ring lane sends all pieces of its first block before it receives anything.
        assert!(proof.slots <= case.pieces, "{case}: {} slots", proof.slots);
    }
    println!("{} schedules proved", cases.len());
    assert!(cases.len() > 5000);
}

#[test]
fn rounds_and_bytes_equal_the_closed_formulas() {
    for verb in Verb::ALL {
        for algorithm in serving(verb) {
            for n in 1..=17 {
                let Ok(schedule) = algorithm.build(verb, n, 0, 1, false) else { continue };
                let closed = algorithm.closed(verb, n);
                let cost = rounds::in_chunks(&schedule);
                let s = schedule.collective.chunks();
                let what = format!("{} {verb:?} n={n}", algorithm.name);
                assert_eq!(cost.rounds, closed.rounds, "{what}: rounds");
                let most = cost.sent.iter().copied().max().unwrap_or(0);
                assert_eq!(most * closed.sent_most.1, closed.sent_most.0 * s, "{what}: most sent");
                let total: usize = cost.sent.iter().sum();
                assert_eq!(total * closed.sent_total.1, closed.sent_total.0 * s, "{what}: total");
            }
        }
    }
}

/// A fraction of the whole vector S.
type Part = (usize, usize);

/// What the literature says a schedule costs.
struct Figures {
    rounds: usize,
    beta: Part,
    gamma: Part,
    sent_least: Part,
    sent_most: Part,
    messages: usize,
    messages_most: usize,
    ports: usize,
}

fn ceil_log2(n: usize) -> usize {
    (0..).find(|&k| 1 << k >= n).expect("n is finite")
}

/// Closed formulas for n > 1 with k pieces where an algorithm pipelines, from the sources that the
/// algorithms name: Thakur, Rabenseifner & Gropp's cost tables and HCCL's.
fn figures(algorithm: &str, verb: Verb, n: usize, k: usize) -> Option<Figures> {
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

/// Asserts that `schedule` costs what `figures` say.
fn compare(what: &str, schedule: &Schedule, figures: &Figures) {
    let cost = rounds::in_chunks(schedule);
    let s = schedule.collective.chunks();
    let part = |name: &str, found: usize, (part, whole): Part| {
        assert_eq!(found * whole, part * s, "{what}: {name} is {found}/{s}, not {part}/{whole}");
    };
    let least = |of: &[usize]| of.iter().copied().min().unwrap_or(0);
    let most = |of: &[usize]| of.iter().copied().max().unwrap_or(0);
    assert_eq!(cost.rounds, figures.rounds, "{what}: rounds");
    part("β", cost.beta, figures.beta);
    part("γ", cost.gamma, figures.gamma);
    part("the least sent", least(&cost.sent), figures.sent_least);
    part("the most sent", most(&cost.sent), figures.sent_most);
    assert_eq!(cost.messages.iter().sum::<usize>(), figures.messages, "{what}: messages");
    assert_eq!(most(&cost.messages), figures.messages_most, "{what}: messages of one rank");
    assert_eq!(cost.ports, figures.ports, "{what}: ports");
    let (sent, received): (usize, usize) = (cost.sent.iter().sum(), cost.received.iter().sum());
    assert_eq!(sent, received, "{what}: what is sent is received");
}

#[test]
fn costs_equal_the_figures_of_the_literature() {
    let mut rows = 0;
    for verb in Verb::ALL {
        for algorithm in serving(verb) {
            let pipelined =
                algorithm.name == "ring" && matches!(verb, Verb::Broadcast | Verb::Reduce);
            for pieces in if pipelined { vec![1, 4, 7] } else { vec![1] } {
                for n in 2..=16 {
                    let what = format!("{} {verb:?} n={n} x{pieces}", algorithm.name);
                    let schedule = algorithm.build(verb, n, 0, pieces, false);
                    let schedule = schedule.unwrap_or_else(|no| panic!("{what}: {no}"));
                    let figures = figures(algorithm.name, verb, n, pieces);
                    compare(&what, &schedule, &figures.expect("every algorithm has figures"));
                    rows += 1;
                }
            }
        }
    }
    println!("{rows} rows of figures");
}

/// Algorithm, verb, n, pieces: rounds, β, γ, messages.
type Row = (&'static str, Verb, usize, usize, usize, Part, Part, usize);

#[test]
fn some_rows_stand_here_as_numbers() {
    // Formulas can be wrong in the same way twice.
    let rows: [Row; 14] = [
        ("ring", Verb::AllReduce, 5, 1, 8, (8, 5), (4, 5), 40),
        ("ring", Verb::AllReduce, 16, 1, 30, (15, 8), (15, 16), 480),
        ("ring", Verb::AllGather, 12, 1, 11, (11, 12), (0, 1), 132),
        ("ring", Verb::ReduceScatter, 8, 1, 7, (7, 8), (7, 8), 56),
        ("ring", Verb::Broadcast, 8, 4, 10, (5, 2), (0, 1), 28),
        ("ring", Verb::Reduce, 16, 4, 18, (9, 2), (9, 2), 60),
        ("direct", Verb::AllReduce, 7, 1, 2, (2, 7), (6, 7), 84),
        ("direct", Verb::AllGather, 16, 1, 1, (1, 16), (0, 1), 240),
        ("tree", Verb::AllReduce, 5, 1, 6, (6, 1), (3, 1), 8),
        ("tree", Verb::Broadcast, 12, 1, 4, (4, 1), (0, 1), 11),
        ("tree", Verb::Scatter, 6, 1, 3, (5, 6), (0, 1), 5),
        ("tree", Verb::Gather, 12, 1, 4, (11, 12), (0, 1), 11),
        ("linear", Verb::Gather, 8, 1, 7, (7, 8), (0, 1), 7),
        ("dissemination", Verb::Barrier, 5, 1, 3, (3, 1), (3, 1), 15),
    ];
    for (name, verb, n, pieces, rounds, beta, gamma, messages) in rows {
        let algorithm = find(name).expect("it is in the registry");
        let schedule = algorithm.build(verb, n, 0, pieces, false).expect("it is not refused");
        let cost = rounds::in_chunks(&schedule);
        let s = schedule.collective.chunks();
        let what = format!("{name} {verb:?} n={n}");
        assert_eq!(cost.rounds, rounds, "{what}");
        assert_eq!(cost.beta * beta.1, beta.0 * s, "{what}");
        assert_eq!(cost.gamma * gamma.1, gamma.0 * s, "{what}");
        assert_eq!(cost.messages.iter().sum::<usize>(), messages, "{what}");
    }
}

fn ring_all_reduce(n: usize) -> Schedule {
    let ring = find("ring").expect("it is in the registry");
    ring.build(Verb::AllReduce, n, 0, 1, false).expect("it is not refused")
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
