//! The grid: every algorithm, proved over symbols, against closed formulas and published figures.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/mod.rs"]
mod common;
mod figures;
mod nodes;
mod order;
mod segments;
mod trees;

use common::grid;
use ringscope::engine::check::check;
use ringscope::engine::cost::rounds;

#[test]
fn every_schedule_meets_its_verb_without_races_and_with_few_slots() {
    let cases = grid((1..=9).chain([12, 16, 17]), &[1, 2, 3]);
    for case in &cases {
        let schedule = case.build();
        let proof = check(&schedule).unwrap_or_else(|fault| panic!("{case}: {fault}\n{schedule}"));
        // A ring lane sends all pieces of its first block before it receives anything.
        assert!(
            proof.slots <= case.request.chunks * case.request.channels,
            "{case}: {} slots",
            proof.slots
        );
        for program in &schedule.programs {
            let used = |lane| program.ops.iter().any(|op| op.lane == lane);
            assert!((0..program.lanes).all(used), "{case}: a lane does nothing");
        }
    }
    println!("{} schedules proved", cases.len());
    assert!(cases.len() > 5000);
}

#[test]
fn rounds_and_bytes_equal_the_closed_formulas() {
    for case in grid(1..=17, &[1]).into_iter().filter(|case| !case.request.in_place) {
        let (schedule, closed) = (case.build(), case.algorithm.closed(&case.request));
        let cost = rounds::in_chunks(&schedule);
        let s = schedule.collective.chunks();
        let part = |name: &str, found: usize, (part, whole): (usize, usize)| {
            assert_eq!(found * whole, part * s, "{case}: {name}");
        };
        // On several channels, a message of several blocks is cut into one for each.
        if case.request.channels == 1 {
            assert_eq!(cost.rounds, closed.rounds, "{case}: rounds");
        }
        let most = cost.sent.iter().copied().max().unwrap_or(0);
        part("most sent", most, closed.sent_most);
        part("total", cost.sent.iter().sum(), closed.sent_total);
    }
}
