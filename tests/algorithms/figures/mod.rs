//! What schedules cost, against what the literature says: as formulas, and as numbers.
//!
//! One file for each family of algorithms.

mod basic;
mod exchange;
mod nodes;
mod switch;
mod tree;

use ringscope::engine::algorithm::{Request, find, serving};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::rounds;
use ringscope::engine::schedule::Schedule;

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

/// Algorithm and request: rounds, β, γ, messages.
type Row = (&'static str, Request, usize, Part, Part, usize);

fn ceil_log2(n: usize) -> usize {
    (0..).find(|&k| 1 << k >= n).expect("n is finite")
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
    part("β", cost.beta as usize, figures.beta);
    part("γ", cost.gamma as usize, figures.gamma);
    part("the least sent", least(&cost.sent), figures.sent_least);
    part("the most sent", most(&cost.sent), figures.sent_most);
    assert_eq!(cost.messages.iter().sum::<usize>(), figures.messages, "{what}: messages");
    assert_eq!(most(&cost.messages), figures.messages_most, "{what}: messages of one rank");
    assert_eq!(cost.ports, figures.ports, "{what}: ports");
    let (sent, received): (usize, usize) = (cost.sent.iter().sum(), cost.received.iter().sum());
    // A switch takes in a vector of each rank and sends out another number of them.
    let balanced = schedule.switches > 0 || sent == received;
    assert!(balanced, "{what}: {sent} are sent and {received} received");
}

#[test]
fn costs_equal_the_figures_of_the_literature() {
    let mut rows = 0;
    for (verb, n) in Verb::ALL.into_iter().flat_map(|verb| (2..=16).map(move |n| (verb, n))) {
        for algorithm in serving(verb) {
            let chunks: &[usize] = match (algorithm.name, verb) {
                ("ring", Verb::Broadcast | Verb::Reduce) | ("chain", _) => &[1, 4, 7],
                ("binary-tree" | "double-tree", _) => &[1, 4],
                _ => &[1],
            };
            for &chunks in chunks {
                for request in algorithm.variations(verb, n) {
                    let request = Request { chunks, ..request };
                    let on_nodes = algorithm.name == "double-tree" && request.ranks_per_node > 1;
                    let refused = algorithm.refusal(&request).is_some();
                    if request.channels > 1 || on_nodes || refused {
                        continue;
                    }
                    let what = format!("{} {request}", algorithm.name);
                    let schedule = algorithm.build(&request).expect("it is not refused");
                    let figures = basic::figures(algorithm.name, &request)
                        .or_else(|| exchange::figures(algorithm.name, &request))
                        .or_else(|| tree::figures(algorithm.name, &request))
                        .or_else(|| nodes::figures(algorithm.name, &request))
                        .or_else(|| switch::figures(algorithm.name, &request));
                    compare(&what, &schedule, &figures.expect("every algorithm has figures"));
                    rows += 1;
                }
            }
        }
    }
    println!("{rows} rows of figures");
}

#[test]
fn some_rows_stand_here_as_numbers() {
    // Formulas can be wrong in the same way twice.
    for (name, request, rounds, beta, gamma, messages) in
        [basic::rows(), exchange::rows(), tree::rows(), nodes::rows(), switch::rows()].concat()
    {
        let algorithm = find(name).expect("it is in the registry");
        let schedule = algorithm.build(&request).expect("it is not refused");
        let cost = rounds::in_chunks(&schedule);
        let s = schedule.collective.chunks();
        let what = format!("{name} {request}");
        assert_eq!(cost.rounds, rounds, "{what}");
        assert_eq!(cost.beta as usize * beta.1, beta.0 * s, "{what}");
        assert_eq!(cost.gamma as usize * gamma.1, gamma.0 * s, "{what}");
        assert_eq!(cost.messages.iter().sum::<usize>(), messages, "{what}");
    }
}
