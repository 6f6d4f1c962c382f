//! Traces of clocks that are wrong: order comes from happens-before, and times follow it.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{Random, grid};
use proptest::prelude::*;
use ringscope::engine::check::check;
use ringscope::engine::oracle::Inputs;
use ringscope::engine::rank::Moment;
use ringscope::engine::reduce::{Dtype, ReduceOp, Reduction};
use ringscope::engine::schedule::Schedule;
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::Tensor;
use ringscope::engine::trace::{Clock, Event, Trace};
use std::collections::HashMap;

/// A schedule of the grid and the events of one run of it, stamped by a perfect clock.
fn run(pick: u64) -> (Schedule, Vec<Event>) {
    let cases = grid(1..=5, &[1, 2]);
    // Neighbours in the grid are alike, so neighbouring picks are far apart.
    let schedule = cases[pick as usize * 7919 % cases.len()].build();
    let slots = check(&schedule).expect("the grid is right").slots;
    let reduction = Reduction::new(ReduceOp::Max, Dtype::I32, schedule.collective.ranks);
    let (tensor, inputs) = (Tensor::flat(7), Inputs::Seeded(pick));
    let events = simulate(&schedule, &Run { tensor, reduction, inputs, slots }, pick).trace.events;
    (schedule, events)
}

/// The events as clocks would stamp them that start `skew` apart at most and tick every `tick`; in
/// any order, as messages from workers come in.
fn stamped(mut events: Vec<Event>, skew: f64, tick: f64, random: &mut Random) -> Vec<Event> {
    let unit = |random: &mut Random| random.below(1 << 20) as f64 / f64::from(1 << 20);
    let offsets: Vec<f64> = (0..8).map(|_| unit(random) * skew).collect();
    for event in &mut events {
        event.time = ((event.time + offsets[event.rank]) / tick).floor() * tick;
    }
    for last in (1..events.len()).rev() {
        events.swap(last, random.below(last + 1));
    }
    events
}

/// Whether the trace's order respects happens-before, and its times never go back.
fn consistent(schedule: &Schedule, trace: &Trace) -> Result<(), String> {
    let mut seqs: HashMap<usize, u32> = HashMap::new();
    let mut sent: HashMap<(usize, usize), f64> = HashMap::new();
    let messages = schedule.messages();
    let holds = |rank, op, what| {
        trace.events.iter().any(|e| e.rank == rank && e.op == op && e.what == what)
    };
    let mut now = 0.0;
    for event in &trace.events {
        if event.time < now {
            return Err(format!("time goes back to {} from {now}", event.time));
        }
        now = event.time;
        if seqs.insert(event.rank, event.seq).is_some_and(|earlier| earlier >= event.seq) {
            return Err(format!("rank {} goes back to event {}", event.rank, event.seq));
        }
        match event.what {
            Moment::Sent => drop(sent.insert((event.rank, event.op), event.time)),
            Moment::Received => {
                let mut meant = messages.iter().filter(|m| m.to == event.rank);
                let message = meant.find(|m| m.recv_op == event.op).ok_or("nobody sent it")?;
                let sender = (message.from, message.send_op);
                let known = holds(sender.0, sender.1, Moment::Sent);
                if known && sent.get(&sender).is_none_or(|&departure| departure > now) {
                    return Err(format!("{message:?} is received before it is sent"));
                }
            }
            Moment::Reached | Moment::Applied => {}
        }
    }
    Ok(())
}

/// Receives that carry an earlier stamp than their sends.
fn impossible(schedule: &Schedule, events: &[Event]) -> usize {
    let stamp = |rank, op, what| {
        let found = events.iter().find(|e| e.rank == rank && e.op == op && e.what == what);
        found.map(|e| e.time)
    };
    let received_early = schedule.messages().into_iter().filter(|m| {
        let sent = stamp(m.from, m.send_op, Moment::Sent);
        let received = stamp(m.to, m.recv_op, Moment::Received);
        sent.zip(received).is_some_and(|(sent, received)| received < sent)
    });
    received_early.count()
}

/// Failures are reported, not kept in files.
fn config() -> ProptestConfig {
    ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_clocks_give_an_order_that_could_have_been(
        pick in 0u64..10_000, skew in 0.0..500.0f64, tick in 0.1..200.0f64,
    ) {
        let (schedule, events) = run(pick);
        let stamped = stamped(events, skew, tick, &mut Random(pick));
        let trace = Trace::new(&schedule, Clock::Measured, tick, stamped.clone());
        prop_assert_eq!(consistent(&schedule, &trace), Ok(()));
        prop_assert_eq!(trace.events.len(), stamped.len());
        prop_assert_eq!(trace.reordered, impossible(&schedule, &stamped));
        // Times only ever move forward.
        for event in &trace.events {
            let before = stamped.iter().find(|e| (e.rank, e.seq) == (event.rank, event.seq));
            prop_assert!(before.is_some_and(|before| before.time <= event.time));
        }
    }

    #[test]
    fn a_trace_that_was_cut_off_ends_and_keeps_what_it_has(
        pick in 0u64..10_000, skew in 0.0..100.0f64, keep in 0.0..1.0f64,
    ) {
        let (schedule, events) = run(pick);
        let mut random = Random(pick);
        let mut stamped = stamped(events, skew, 3.0, &mut random);
        stamped.retain(|_| random.below(1000) < (keep * 1000.0) as usize);
        let trace = Trace::new(&schedule, Clock::Measured, 3.0, stamped.clone());
        prop_assert_eq!(trace.events.len(), stamped.len());
        prop_assert_eq!(consistent(&schedule, &trace), Ok(()));
    }

    #[test]
    fn events_that_make_no_sense_do_no_harm(
        pick in 0u64..10_000,
        wrong in proptest::collection::vec((0usize..9, 0usize..30, 0u32..40), 0..40),
    ) {
        let (schedule, mut events) = run(pick);
        for (rank, op, seq) in wrong {
            let what = [Moment::Sent, Moment::Received][op % 2];
            let time = [f64::NAN, f64::INFINITY, -1.0, 5.0][op % 4];
            events.push(Event { rank, seq, op, what, time, values: Vec::new() });
        }
        let trace = Trace::new(&schedule, Clock::Measured, 0.1, events);
        prop_assert!(trace.events.is_sorted_by(|a, b| a.time <= b.time));
        prop_assert_eq!(trace.timing(&schedule).len(), schedule.programs.len());
    }
}

#[test]
fn a_perfect_clock_is_left_alone() {
    for pick in 0..200 {
        let (schedule, events) = run(pick);
        let trace = Trace::new(&schedule, Clock::Measured, 0.0, events.clone());
        assert_eq!((trace.events, trace.reordered), (events, 0));
    }
}

#[test]
fn the_test_of_consistency_finds_a_receive_before_its_send() {
    let found = (0..200).any(|pick| {
        let (schedule, events) = run(pick);
        let mut trace = Trace::new(&schedule, Clock::Measured, 0.0, events);
        let sent = trace.events.iter().position(|e| e.what == Moment::Sent);
        sent.is_some_and(|at| {
            // The sender's whole history moves to the end.
            let rank = trace.events[at].rank;
            trace.events.sort_by_key(|e| e.rank == rank);
            trace.events.iter_mut().for_each(|e| e.time = 1.0);
            consistent(&schedule, &trace).is_err()
        })
    });
    assert!(found);
}
