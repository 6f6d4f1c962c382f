//! What the stage shows: for every algorithm, at every step, on simulated runs.
#![cfg(not(target_arch = "wasm32"))]

use ringscope::engine::algorithm::{ALL, Request, find};
use ringscope::engine::check::check;
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::rounds;
use ringscope::engine::oracle::Inputs;
use ringscope::engine::reduce::{Dtype, ReduceOp, Reduction};
use ringscope::engine::replay::{Activity, Replay};
use ringscope::engine::schedule::Schedule;
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::Tensor;
use ringscope::engine::trace::Clock;

fn replay(schedule: &Schedule, elements: usize) -> Replay {
    let slots = check(schedule).expect("a right schedule").slots;
    let reduction = Reduction::new(ReduceOp::Sum, Dtype::I32, schedule.collective.ranks);
    let tensor = Tensor::flat(elements);
    let run = Run { tensor, reduction, inputs: Inputs::Seeded(7), slots };
    let simulated = simulate(schedule, &run, 3).trace;
    let timing = rounds::in_chunks(schedule).timing;
    Replay::new(schedule, &run, &simulated.retimed(schedule, Clock::Rounds, &timing))
}

fn each(mut test: impl FnMut(&str, &Schedule)) {
    for algorithm in &ALL {
        for &verb in algorithm.verbs {
            for n in (1..=9).chain([16]) {
                for (pieces, in_place) in [(1, false), (2, false), (1, true)] {
                    if let Ok(s) = algorithm.build(&Request {
                        root: 0,
                        chunks: pieces,
                        in_place,
                        ..Request::new(verb, n)
                    }) {
                        let what = format!("{} {verb:?} n={n} x{pieces} {in_place}", s.algorithm);
                        test(&what, &s);
                    }
                }
            }
        }
    }
}

#[test]
fn at_the_end_every_required_chunk_is_final_and_nothing_is_under_way() {
    each(|what, schedule| {
        let replay = replay(schedule, 40);
        let c = &schedule.collective;
        for rank in 0..c.ranks {
            for required in c.required(rank) {
                let cells = replay.cells.iter().filter(|cell| {
                    cell.rank == rank
                        && cell.label == required.label
                        && cell.at(replay.end).is_final
                });
                assert_eq!(cells.count(), 1, "{what}: rank {rank} chunk {}", required.label);
            }
        }
        assert_eq!(replay.under_way(replay.end).count(), 0, "{what}");
        let all =
            (0..schedule.programs.len()).flat_map(|r| replay.activity(schedule, r, replay.end));
        assert!(all.into_iter().all(|a| a == Activity::Ended), "{what}");
    });
}

#[test]
fn at_the_beginning_ranks_hold_their_inputs_and_only_their_own_blocks_can_be_final() {
    each(|what, schedule| {
        let c = &schedule.collective;
        if c.ranks == 1 {
            return;
        }
        let replay = replay(schedule, 40);
        for cell in &replay.cells {
            let held = cell.row == 0 && c.input(cell.rank).contains(&cell.label);
            let state = cell.at(0.0);
            // A rank copies the block it keeps before anything arrives.
            let kept = state.is_final;
            assert!(state.contents.is_some() == held || kept, "{what}: rank {}", cell.rank);
            let required = c.required(cell.rank).into_iter().find(|r| r.label == cell.label);
            assert!(!kept || required.is_some_and(|r| r.from == [cell.rank]), "{what}");
        }
    });
}

#[test]
fn steps_are_the_rounds_and_hold_every_message_once() {
    each(|what, schedule| {
        let replay = replay(schedule, 40);
        let cost = rounds::in_chunks(schedule);
        assert_eq!(replay.steps.len(), cost.rounds, "{what}");
        assert_eq!(replay.flights.len(), schedule.messages().len(), "{what}");
        for (index, step) in replay.steps.iter().enumerate() {
            assert_eq!(step.ends, (index + 1) as f64, "{what}: step {index}");
            assert_eq!(replay.steps_over(step.ends), index + 1, "{what}");
            assert_eq!(replay.step_time(index + 1), step.ends, "{what}");
            let busy = replay.under_way(step.starts + 0.5).count();
            assert!(busy > 0, "{what}: nothing moves in step {index}");
        }
        for flight in &replay.flights {
            assert!(flight.departs < flight.arrives, "{what}");
            assert!((1..=cost.rounds).contains(&flight.step), "{what}");
        }
    });
}

/// The numbers of the log add up: what came in and the own operand give the result.
#[test]
fn the_log_adds_up() {
    each(|what, schedule| {
        let replay = replay(schedule, 40);
        let sums = schedule.collective.verb != Verb::Barrier;
        for entry in &replay.entries {
            let Some(own) = entry.own.as_ref().filter(|_| sums) else {
                assert!(!sums || entry.result.values == entry.incoming.values, "{what}: {entry:?}");
                continue;
            };
            let sums = entry.incoming.values.iter().zip(&own.values);
            let sums: Vec<_> = sums.map(|(a, b)| a.to_f64() + b.to_f64()).collect();
            let found: Vec<_> = entry.result.values.iter().map(|value| value.to_f64()).collect();
            assert_eq!(found, sums, "{what}: {entry:?}");
            let held = entry.incoming.from.len() + own.from.len();
            assert_eq!(entry.result.from.len(), held, "{what}: {entry:?}");
        }
    });
}

#[test]
fn a_ring_all_reduce_tells_the_story_of_the_picture() {
    let schedule = find("ring").and_then(|a| a.build(&Request::new(Verb::AllReduce, 4)).ok());
    let schedule = schedule.expect("a ring of four");
    let replay = replay(&schedule, 4);
    let phases: Vec<_> = replay.steps.iter().map(|s| (s.phase, s.round, s.rounds)).collect();
    let (rs, ag) = (Verb::ReduceScatter, Verb::AllGather);
    let expected = [(rs, 1, 3), (rs, 2, 3), (rs, 3, 3), (ag, 1, 3), (ag, 2, 3), (ag, 3, 3)];
    assert_eq!(phases, expected);
    // In the second step rank 0 passes on chunk 2 with two contributions: its own and rank 3's.
    let flight = replay.under_way(1.5).find(|f| f.message.from == 0).expect("rank 0 sends");
    assert_eq!((flight.labels.as_slice(), flight.message.to), (&[2][..], 1));
    assert_eq!(flight.contents[0].from, [0, 3]);
}

#[test]
fn a_card_has_its_own_cells_and_knows_since_when_it_looks_so() {
    each(|what, schedule| {
        let replay = replay(schedule, 40);
        let actors = schedule.programs.len();
        let mut found = 0;
        for rank in 0..actors {
            let own = replay.cells_of(rank);
            assert!(own.iter().all(|cell| cell.rank == rank), "{what}: rank {rank}");
            found += own.len();
            for quarter in 0..=4 * replay.steps.len() {
                let time = quarter as f64 / 4.0;
                let since = replay.card_since(rank, time);
                assert!(since <= time, "{what}: rank {rank} at {time}: {since}");
                assert!(own.iter().all(|cell| cell.at(time) == cell.at(since)), "{what}: {time}");
                let changed = own.iter().any(|cell| cell.at(since).since == since);
                assert!(changed, "{what}: rank {rank} did not change at {since}");
            }
        }
        assert_eq!(found, replay.cells.len(), "{what}");
        assert!(replay.cells_of(actors).is_empty(), "{what}");
    });
}
