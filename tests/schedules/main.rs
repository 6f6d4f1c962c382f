//! The schedules that lessons are made of, as text: what a reader compares in a review.
#![cfg(not(target_arch = "wasm32"))]

mod basic;
mod exchange;
mod nodes;
mod segments;
mod switch;
mod tree;

use expect_test::Expect;
use ringscope::engine::algorithm::{ALL, Request, find};
use ringscope::engine::collective::Verb;

/// Compares the 4-rank schedule of `verb` by `algorithm` with `expected`.
fn shows(algorithm: &str, verb: Verb, expected: Expect) {
    let found = find(algorithm).expect("it is in the registry");
    shows_request(algorithm, found.usual(verb, 4), expected);
}

fn shows_request(algorithm: &str, request: Request, expected: Expect) {
    let found = find(algorithm).expect("it is in the registry");
    let schedule = found.build(&request).expect("it is not refused");
    expected.assert_eq(&schedule.to_string());
}

#[test]
fn every_algorithm_and_verb_has_a_snapshot() {
    let source = [
        include_str!("basic.rs"),
        include_str!("exchange.rs"),
        include_str!("nodes.rs"),
        include_str!("switch.rs"),
        include_str!("tree.rs"),
    ]
    .concat();
    let source: String = source.split_whitespace().collect();
    for algorithm in &ALL {
        for verb in algorithm.verbs {
            let call = format!("shows(\"{}\",Verb::{verb:?},", algorithm.name);
            assert!(source.contains(&call), "{} {verb:?} has no snapshot", algorithm.name);
        }
    }
}
