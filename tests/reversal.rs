//! Real schedules of the registry turn round, and what comes out is proved.
#![cfg(not(target_arch = "wasm32"))]

use ringscope::engine::algorithm::{ALL, Refusal, Request, find};
use ringscope::engine::check::check;
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::rounds;
use ringscope::engine::schedule::Schedule;
use std::collections::BTreeSet;

/// The messages of a schedule as (sender, receiver) pairs, sorted.
fn arrows(schedule: &Schedule) -> Vec<(usize, usize)> {
    let mut arrows: Vec<_> = schedule.messages().iter().map(|m| (m.from, m.to)).collect();
    arrows.sort_unstable();
    arrows
}

#[test]
fn every_schedule_that_moves_data_turns_into_its_dual() {
    let (mut cases, mut refused) = (0, BTreeSet::new());
    for algorithm in &ALL {
        for &verb in algorithm.verbs.iter().filter(|verb| verb.dual().is_some()) {
            for ranks in (1..=9).chain([16]) {
                let mut requests = algorithm.variations(verb, ranks);
                requests.push(Request { chunks: 3, ..Request::new(verb, ranks) });
                if verb.has_root() {
                    requests.push(Request { root: ranks - 1, ..Request::new(verb, ranks) });
                }
                for request in requests {
                    let Ok(forward) = algorithm.build(&request) else { continue };
                    let what = format!("{} {request}", algorithm.name);
                    let back = match algorithm.build_reversed(&request) {
                        Ok(back) => back,
                        Err(refusal) => {
                            let name = algorithm.name;
                            assert_eq!(refusal, Refusal::NoReverse { algorithm: name, verb });
                            refused.insert(name);
                            continue;
                        }
                    };
                    check(&back).unwrap_or_else(|fault| panic!("{what}: {fault}\n{back}"));
                    assert_eq!(Some(back.collective.verb), verb.dual(), "{what}");
                    let turned = arrows(&back).into_iter().map(|(from, to)| (to, from));
                    let mut turned: Vec<_> = turned.collect();
                    turned.sort_unstable();
                    assert_eq!(turned, arrows(&forward), "{what}");
                    let sent = |schedule| rounds::in_chunks(schedule).sent.iter().sum::<usize>();
                    // A switch sends one message on to all; backwards it takes one from each.
                    if algorithm.switches == 0 {
                        assert_eq!(sent(&back), sent(&forward), "{what}");
                    }
                    cases += 1;
                }
            }
        }
    }
    assert!(cases > 600, "{cases}");
    // They are made of several verbs.
    let refused: Vec<_> = refused.into_iter().collect();
    assert_eq!(refused, ["hierarchical", "scatter-allgather"]);
}

#[test]
fn what_reduces_has_no_reverse() {
    for verb in Verb::ALL.into_iter().filter(|verb| verb.dual().is_none()) {
        let Some(algorithm) = ALL.iter().find(|a| a.verbs.contains(&verb)) else { continue };
        let refused = algorithm.build_reversed(&Request::new(verb, 4));
        assert_eq!(refused, Err(Refusal::NoReverse { algorithm: algorithm.name, verb }));
    }
    let bruck = find("bruck").expect("a registered name");
    assert!(bruck.build_reversed(&Request::new(Verb::Broadcast, 4)).is_err());
}
