//! What holds for all of the words.

use super::{every_scenario, moments, scenario, shown};
use ringscope::engine::algorithm::{ALL, Refusal, Request};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::{TOPOLOGIES, rounds};
use ringscope::engine::reduce::ReduceOp;
use ringscope::engine::replay::Replay;
use ringscope::engine::simulate::simulate;
use ringscope::engine::trace::Clock;
use ringscope::ui::scenario::Scenario;
use ringscope::ui::text::Lang;
use ringscope::ui::text::inspector::cost::{Measured, rows};
use ringscope::ui::text::inspector::{Moment, Stage, code, log, words};
use ringscope::ui::text::registry::{self, Row};
use std::collections::{BTreeMap, BTreeSet};

const NUMBERS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

fn number(n: usize) -> String {
    NUMBERS.get(n).map_or_else(|| n.to_string(), |word| word.to_string())
}

/// What keeps a text from being a sentence, if anything does.
fn fault(lang: Lang, text: &str) -> Option<&'static str> {
    let end = if lang == Lang::En { '.' } else { '。' };
    let first = text.chars().next();
    match () {
        () if text.is_empty() => Some("empty"),
        () if text.contains(['{', '}']) => Some("a placeholder is left"),
        () if text.contains("  ") || text.trim() != text => Some("stray spaces"),
        () if !text.ends_with(end) => Some("no full stop"),
        () if lang == Lang::En
            && first.is_some_and(char::is_lowercase)
            && !text.starts_with('c') =>
        {
            Some("no capital")
        }
        () if lang == Lang::Zh && !evenly_spaced(text) => Some("stray spaces"),
        () if text.contains(" no of") || text.contains(" ,") => Some("a word is missing"),
        () => None,
    }
}

/// Chinese and Latin text are one space apart; beside Chinese punctuation there is none.
fn evenly_spaced(text: &str) -> bool {
    let han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let letters: Vec<char> = text.chars().collect();
    letters.windows(2).all(|pair| {
        let (a, b) = (pair[0], pair[1]);
        let joined = han(a) && b.is_ascii_alphanumeric() || a.is_ascii_alphanumeric() && han(b);
        let beside = |mark: char, gap: char| gap == ' ' && "，。：（）".contains(mark);
        !joined && !beside(a, b) && !beside(b, a)
    })
}

#[test]
fn every_moment_has_a_sentence() {
    for scenario in every_scenario() {
        let Some((prepared, replay)) = shown(&scenario) else { continue };
        for time in moments(&replay) {
            for lang in Lang::ALL {
                let (headline, detail) = words(lang, &prepared, &replay, time);
                let about = (scenario.algorithm, scenario.verb, scenario.ranks, time);
                assert_eq!(fault(lang, &headline), None, "{about:?}: {headline}");
                if detail.is_empty() && scenario.verb == Verb::SendRecv && time == 0.0 {
                    continue;
                }
                assert_eq!(fault(lang, &detail), None, "{about:?}: {detail}");
            }
        }
    }
}

/// Also where phases overlap.
#[test]
fn the_first_sentence_counts_all_steps() {
    for scenario in every_scenario() {
        let Some((prepared, replay)) = shown(&scenario) else { continue };
        let steps = replay.steps.len();
        if steps == 0 {
            continue;
        }
        let (headline, _) = words(Lang::En, &prepared, &replay, 0.0);
        let unit = if steps == 1 { "step" } else { "steps" };
        let count = format!(" in {} {unit}.", number(steps));
        assert!(headline.ends_with(&count), "{scenario:?}: {headline} / {count}");
        let (headline, _) = words(Lang::Zh, &prepared, &replay, 0.0);
        assert!(headline.contains(&format!("用 {steps} 步")), "{scenario:?}: {headline}");
    }
}

#[test]
fn the_rule_for_sentences_can_fail() {
    for (text, wrong) in [
        ("", "empty"),
        ("Rank {rank} sends.", "a placeholder is left"),
        ("Rank 1  sends.", "stray spaces"),
        ("Rank 1 sends", "no full stop"),
        ("rank 1 sends.", "no capital"),
    ] {
        assert_eq!(fault(Lang::En, text), Some(wrong));
    }
    for text in ["rank 0把数据发出。", "送达后， 4 个。"] {
        assert_eq!(fault(Lang::Zh, text), Some("stray spaces"));
    }
}

/// Follows the contributions by the messages' own contents, and compares with what is said.
#[test]
fn contributions_are_counted_right() {
    let mut compared = 0;
    for scenario in every_scenario().into_iter().filter(|s| s.verb.reduces()) {
        let Some((prepared, replay)) = shown(&scenario) else { continue };
        let n = scenario.ranks;
        let mut held: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
        for step in 1..=replay.steps.len() {
            let mut touched = BTreeSet::new();
            for flight in replay.flights.iter().filter(|f| f.step == step) {
                if !flight.phase.reduces() {
                    continue;
                }
                for (label, contents) in flight.labels.iter().zip(&flight.contents) {
                    let at = (flight.message.to, *label);
                    // A switch has no contribution of its own.
                    let own = || (0..n).filter(|rank| *rank == at.0).collect();
                    let own = held.entry(at).or_insert_with(own);
                    own.extend(&contents.from);
                    touched.insert(at);
                }
            }
            let counts: BTreeSet<usize> = touched.iter().map(|at| held[at].len()).collect();
            let (Some(&least), Some(&most)) = (counts.first(), counts.last()) else { continue };
            let moment = Moment::at(&replay, replay.step_time(step));
            if (moment.step, moment.stage) != (step, Stage::Landed) {
                // The end has words of its own; so has a step that ends together with the next.
                continue;
            }
            let (_, detail) = words(Lang::En, &prepared, &replay, replay.step_time(step));
            let every = if n == 2 { "both".into() } else { format!("all {}", number(n)) };
            let expected = match (least, most) {
                _ if least == n => format!(" {every} contributions"),
                _ if least == most => format!(" {} of {} contributions", number(most), number(n)),
                _ if least + 1 == most => {
                    format!(" {} or {} of {} contributions", number(least), number(most), number(n))
                }
                _ => {
                    format!(" {} to {} of {} contributions", number(least), number(most), number(n))
                }
            };
            assert!(detail.contains(&expected), "{scenario:?} step {step}: {detail} / {expected}");
            let (_, chinese) = words(Lang::Zh, &prepared, &replay, replay.step_time(step));
            let expected = match least == n {
                true => format!("全部 {n} 份贡献"),
                false => format!("{n} 份贡献中的 {least}"),
            };
            assert!(chinese.contains(&expected), "{scenario:?} step {step}: {chinese}");
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} steps were compared");
}

#[test]
fn the_words_follow_the_operator() {
    for op in ReduceOp::ALL {
        let plain = scenario("ring", Verb::AllReduce, 4, 1);
        let (prepared, replay) = shown(&Scenario { op, ..plain }).expect("a ring serves all");
        let said: Vec<String> = moments(&replay)
            .into_iter()
            .map(|time| words(Lang::En, &prepared, &replay, time))
            .flat_map(|(headline, detail)| [headline, detail])
            .collect();
        let adds = matches!(op, ReduceOp::Sum | ReduceOp::Mean(_));
        assert_eq!(said.iter().any(|text| text.contains("add")), adds, "{op:?}: {said:#?}");
        assert_eq!(said.iter().any(|text| text.contains("sum")), adds, "{op:?}: {said:#?}");
    }
}

/// A chunk that was *just* received came in the step before.
#[test]
fn just_means_in_the_step_before() {
    let mut compared = 0;
    for scenario in every_scenario() {
        let Some((prepared, replay)) = shown(&scenario) else { continue };
        for step in 1..replay.steps.len() {
            let (headline, _) = words(Lang::En, &prepared, &replay, replay.step_time(step));
            if !headline.contains("just received") {
                continue;
            }
            for sent in replay.flights.iter().filter(|flight| flight.step == step) {
                let came = |label: &usize| {
                    let mut before = replay.flights.iter().filter(|flight| flight.step + 1 == step);
                    before.any(|f| f.message.to == sent.message.from && f.labels.contains(label))
                };
                assert!(sent.labels.iter().all(came), "{scenario:?} step {step}: {headline}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "only {compared} messages were compared");
}

#[test]
fn a_run_that_was_cut_off_does_not_claim_a_result() {
    let (prepared, _) = shown(&scenario("ring", Verb::AllReduce, 4, 1)).expect("a ring");
    let mut simulation = simulate(&prepared.schedule, &prepared.run, 0);
    let timing = rounds::in_elements(&prepared.schedule, &prepared.lengths).timing;
    simulation.trace.events.truncate(30);
    let trace = simulation.trace.retimed(&prepared.schedule, Clock::Rounds, &timing);
    let replay = Replay::new(&prepared.schedule, &prepared.run, &trace);
    let (headline, _) = words(Lang::En, &prepared, &replay, replay.end);
    assert_eq!(headline, "The run stopped before it was over.");
}

#[test]
fn between_steps_the_last_one_counts() {
    let (_, replay) = shown(&scenario("linear", Verb::Gather, 4, 1)).expect("a star");
    // All messages leave at once, and still step 1 is what has just happened at its end.
    let moment = Moment::at(&replay, replay.step_time(1));
    assert_eq!(moment, Moment { step: 1, stage: Stage::Landed, more: 2 });
    let later = Moment::at(&replay, replay.step_time(1) + 0.25);
    assert_eq!((later.step, later.stage), (2, Stage::UnderWay));
}

/// What a link may name as step or loop is what the track has.
#[test]
fn a_scenario_knows_its_steps() {
    for scenario in every_scenario() {
        let Some((_, replay)) = shown(&scenario) else { continue };
        assert_eq!(scenario.steps(), replay.steps.len(), "{scenario:?}");
    }
}

/// Where a formula is followed by its numbers, they stand for all of its letters.
#[test]
fn no_letter_is_left_where_numbers_are() {
    let mut found = 0;
    for scenario in every_scenario() {
        let Some((prepared, _)) = shown(&scenario) else { continue };
        for row in rows(Lang::En, &TOPOLOGIES[0], &prepared, None) {
            let Some((formula, numbers)) = row.formula.rsplit_once(" = ") else { continue };
            let units = ["KiB", "MiB", "B", "tokens", "token"].iter();
            let bare = units.fold(numbers.to_string(), |text, unit| text.replace(unit, ""));
            let left = bare.find(|c: char| c.is_alphabetic() || "⌊⌋⌈⌉₂".contains(c));
            assert_eq!(
                left, None,
                "{} {}: {formula} = {numbers}",
                scenario.algorithm, scenario.ranks
            );
            found += 1;
        }
    }
    assert!(found > 100, "{found} formulas");
}

/// No algorithm undercuts the bounds that are shown, and every line names its number.
#[test]
fn costs_respect_the_lower_bound() {
    for scenario in every_scenario() {
        let Some((prepared, _)) = shown(&scenario) else { continue };
        for lang in Lang::ALL {
            let measured = Some(Measured { time_us: 118.0, resolution_us: 100.0, runs: 1 });
            let rows = rows(lang, &TOPOLOGIES[0], &prepared, measured);
            assert!(rows.iter().all(|row| !row.name.is_empty() && !row.value.is_empty()));
            assert!(rows.iter().all(|row| !format!("{row:?}").contains(['∞'])));
        }
        let rows = rows(Lang::En, &TOPOLOGIES[0], &prepared, None);
        let value = |name: &str| {
            let row = rows.iter().find(|row| row.name == name)?;
            Some(row.value.replace('\u{a0}', " "))
        };
        let first = |text: &str| -> usize {
            text.split(' ').next().and_then(|n| n.parse().ok()).expect("a number")
        };
        let Some(bound) = value("Lower bound") else { continue };
        let (steps, sent) = bound.split_once(" · ").expect("two bounds");
        let about = (scenario.algorithm, scenario.verb, scenario.ranks, scenario.pieces);
        assert!(first(&value("Steps").expect("steps")) >= first(steps), "{about:?} {bound}");
        let sent_most = value("Sent per rank").expect("bytes");
        if sent.ends_with(" B") && sent_most.ends_with(" B") {
            assert!(first(&sent_most) >= first(sent), "{about:?} {bound} {sent_most}");
        }
    }
}

#[test]
fn every_op_has_a_line_and_every_entry_a_row() {
    for scenario in every_scenario() {
        let Some((prepared, replay)) = shown(&scenario) else { continue };
        for (rank, program) in prepared.schedule.programs.iter().enumerate() {
            let lanes = code::program(&prepared, rank);
            let ops: BTreeSet<usize> = lanes.iter().flatten().map(|line| line.op).collect();
            assert_eq!(ops.len(), program.ops.len());
            assert!(lanes.iter().flatten().all(|line| !line.text.contains("  ")));
        }
        let groups = log::groups(&replay, replay.entries.len(), None);
        let rows: usize = groups.iter().map(|group| group.entries.len()).sum();
        assert_eq!(rows, replay.entries.len());
        assert!(groups.windows(2).all(|pair| pair[0].step > pair[1].step));
    }
}

/// The registry as pages and programs print it: every algorithm once for every verb that it serves,
/// and a need for every number of ranks that it refuses.
#[test]
fn the_registry_has_a_row_for_every_algorithm_and_verb() {
    for lang in Lang::ALL {
        let rows = registry::rows(lang);
        let counted: usize = rows.iter().map(|row| row.verbs.len()).sum();
        assert_eq!(counted, ALL.iter().map(|a| a.verbs.len()).sum::<usize>());
        for algorithm in &ALL {
            for &verb in algorithm.verbs {
                let row = |row: &&Row| row.algorithm == algorithm.name && row.verbs.contains(&verb);
                let row = rows.iter().find(row).expect("it has a row");
                let refused = (1..=16).any(|n| {
                    let of_ranks = Request::new(verb, n);
                    matches!(algorithm.refusal(&of_ranks), Some(Refusal::Unmet { .. }))
                });
                assert!(!refused || !row.needs.is_empty(), "{row:?}");
                assert_eq!(row.options, algorithm.choices);
            }
        }
    }
}
