//! The checker's negative controls: schedules with one thing wrong.
//!
//! Every mutant of every algorithm is either rejected, or a second interpreter finds that it does
//! the same under many interleavings. And every fault the checker knows is provoked once by hand.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/mod.rs"]
mod common;
mod faults;
mod interpreter;
mod mutate;

use common::{Random, grid};
use interpreter::equivalent;
use mutate::{KINDS, mutate};
use ringscope::engine::check::{Fault, check};

/// Interleavings that a survivor has to pass.
const ORDERS: u64 = 24;

#[test]
fn the_interpreter_finds_every_schedule_right() {
    for case in grid(1..=5, &[1, 2]) {
        let schedule = case.build();
        let slots = check(&schedule).unwrap_or_else(|fault| panic!("{case}: {fault}")).slots;
        equivalent(&schedule, slots, 4).unwrap_or_else(|why| panic!("{case}: {why}"));
        // The slots are the fewest: with one less, some order gets stuck.
        assert!(
            slots == 1 || equivalent(&schedule, slots - 1, 1).is_err(),
            "{case}: {slots} slots"
        );
    }
}

#[test]
fn every_mutant_is_rejected_or_equivalent() {
    let mut random = Random(1);
    let (mut counts, mut races) = ([[0usize; 2]; KINDS.len()], [0; 2]);
    for case in grid(1..=5, &[1, 2]) {
        let schedule = case.build();
        for (kind, count) in counts.iter_mut().enumerate() {
            for _ in 0..4 {
                let Some(mutant) = mutate(&schedule, kind, &mut random) else { continue };
                let proof = match check(&mutant) {
                    Ok(proof) => proof,
                    Err(fault) => {
                        count[0] += 1;
                        // What is wrong only in some orders must be rejected, and be found wrong.
                        let race = matches!(fault, Fault::Race { .. });
                        races[0] += usize::from(race);
                        let wrong = race && equivalent(&mutant, usize::MAX, ORDERS).is_err();
                        races[1] += usize::from(wrong);
                        continue;
                    }
                };
                count[1] += 1;
                if let Err(why) = equivalent(&mutant, proof.slots, ORDERS) {
                    panic!("{case}: {why} after a change of {}:\n{mutant}", KINDS[kind]);
                }
            }
        }
    }
    for (name, [rejected, equivalent]) in KINDS.iter().zip(counts) {
        println!("{name:16} {rejected:5} rejected {equivalent:5} equivalent");
        assert!(rejected > 0, "no mutant by {name} was rejected: the control controls nothing");
    }
    let [rejected, equivalent] = [0, 1].map(|i| counts.iter().map(|c| c[i]).sum::<usize>());
    println!("{} mutants: {rejected} rejected, {equivalent} equivalent", rejected + equivalent);
    println!("{} of them race, {} of which went wrong in {ORDERS} orders", races[0], races[1]);
    assert!(rejected > 5 * equivalent && races[1] * 2 > races[0], "the controls are too weak");
}
