//! The grid: every algorithm, checked over symbols and over numbers, against closed formulas.
#![cfg(not(target_arch = "wasm32"))]

use ringscope::engine::algorithm::{ALL, serving};
use ringscope::engine::check::check;
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::rounds;

/// Calls `test` with every algorithm, verb, group size, root and number of pieces that exist.
fn grid(sizes: impl Iterator<Item = usize> + Clone, mut test: impl FnMut(&str, Verb, usize, usize, usize, bool)) -> usize {
    let mut cases = 0;
    for algorithm in &ALL {
        for &verb in algorithm.verbs {
            for n in sizes.clone() {
                let roots = if verb.has_root() { n } else { 1 };
                for root in 0..roots {
                    for pieces in [1, 2, 3] {
                        for in_place in [false, true] {
                            if algorithm.refusal(verb, n, root, in_place).is_none() {
                                test(algorithm.name, verb, n, root, pieces, in_place);
                                cases += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    cases
}

#[test]
fn every_schedule_meets_its_verb_without_races_and_with_few_slots() {
    let cases = grid(1..=17, |name, verb, n, root, pieces, in_place| {
        let algorithm = ringscope::engine::algorithm::find(name).expect("in the registry");
        let schedule = algorithm.build(verb, n, root, pieces, in_place).expect("not refused");
        let proof = check(&schedule).unwrap_or_else(|fault| panic!(
            "{name} {verb:?} n={n} root={root} pieces={pieces} in_place={in_place}: {fault}\n{schedule}"
        ));
        // A ring lane sends all pieces of its first block before it receives anything.
        assert!(proof.slots <= pieces, "{name} {verb:?} n={n}: {} slots", proof.slots);
    });
    println!("{cases} schedules proved");
    assert!(cases > 5000);
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
