//! The words beside the stage: true and complete for every algorithm, verb, size and step.
#![cfg(not(target_arch = "wasm32"))]

mod rules;
mod snapshots;

use ringscope::engine::algorithm::ALL;
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::rounds;
use ringscope::engine::replay::Replay;
use ringscope::engine::simulate::simulate;
use ringscope::engine::trace::Clock;
use ringscope::ui::scenario::{Prepared, Scenario, default_numbers};

/// A scenario on the rounds clock; `None` if the algorithm refuses.
fn shown(scenario: &Scenario) -> Option<(Prepared, Replay)> {
    let prepared = scenario.prepare().ok()?;
    let simulation = simulate(&prepared.schedule, &prepared.run, 0);
    let timing = rounds::in_elements(&prepared.schedule, &prepared.lengths).timing;
    let trace = simulation.trace.retimed(&prepared.schedule, Clock::Rounds, &timing);
    let replay = Replay::new(&prepared.schedule, &prepared.run, &trace);
    Some((prepared, replay))
}

fn scenario(algorithm: &'static str, verb: Verb, ranks: usize, pieces: usize) -> Scenario {
    let data = default_numbers(ranks, ranks * pieces);
    Scenario { algorithm, verb, ranks, pieces, data, ..Scenario::default() }
}

/// Every verb of every algorithm, for all sizes that are shown.
fn every_scenario() -> Vec<Scenario> {
    let mut all = Vec::new();
    for ranks in (1..=9).chain([16]) {
        for algorithm in &ALL {
            for &verb in algorithm.verbs {
                for pieces in if ranks < 16 { 1..=2 } else { 1..=1 } {
                    let plain = scenario(algorithm.name, verb, ranks, pieces);
                    let root = if verb.has_root() { ranks - 1 } else { 0 };
                    let ranks_per_node = algorithm.usual(verb, ranks).ranks_per_node;
                    all.push(Scenario { root, ranks_per_node, ..plain });
                }
            }
        }
    }
    all
}

/// The middle and the end of every step, and the start.
fn moments(replay: &Replay) -> Vec<f64> {
    let middle = |step: usize| {
        let before = replay.step_time(step - 1).max(replay.steps[step - 1].starts);
        (before + replay.step_time(step)) / 2.0
    };
    let steps = 1..=replay.steps.len();
    [0.0].into_iter().chain(steps.flat_map(|s| [middle(s), replay.step_time(s)])).collect()
}
