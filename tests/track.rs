//! The geometry of the track, over every algorithm and group size.
#![cfg(not(target_arch = "wasm32"))]

use ringscope::engine::algorithm::ALL;
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::{event, rounds};
use ringscope::engine::replay::Replay;
use ringscope::engine::simulate::simulate;
use ringscope::engine::trace::Clock;
use ringscope::ui::scenario::{Prepared, Scenario, default_numbers};
use ringscope::ui::score::{Act, Score};
use ringscope::ui::shared::Shared;
use ringscope::ui::timeline::geometry::{Kind, Mark, Track, phases};

/// Positions that differ by less are the same; a bar is drawn up to two pixels off its message.
const TOLERANCE: f64 = 2.5;
/// Most SVG elements of a track, and its greatest height.
const MOST_NODES: usize = 1500;
const MOST_HEIGHT: f64 = 250.0;

fn prepared(algorithm: &'static str, verb: Verb, ranks: usize, pieces: usize) -> Option<Prepared> {
    let data = default_numbers(ranks, ranks * pieces);
    let base = Scenario::default().with_verb(verb).with_ranks(ranks);
    Scenario { algorithm, pieces, data, ..base }.prepare().ok()
}

fn replay(prepared: &Prepared, clock: Clock) -> Replay {
    let schedule = &prepared.schedule;
    let timing = match clock {
        Clock::Rounds => rounds::in_chunks(schedule).timing,
        _ => event::timing(schedule, &prepared.lengths, 4, Scenario::default().view.topology),
    };
    let trace = simulate(schedule, &prepared.run, 0).trace.retimed(schedule, clock, &timing);
    Replay::new(schedule, &prepared.run, &trace)
}

/// The replay as the only call on its clock.
fn act(prepared: &Prepared, replay: &Replay) -> [Act; 1] {
    let (prepared, replay) = (Shared::new(prepared.clone()), Shared::new(replay.clone()));
    [Act { prepared, replay, starts: 0.0 }]
}

/// What is wrong with a track.
fn faults(track: &Track, replay: &Replay) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expect = |holds: bool, what: String| {
        if !holds {
            faults.push(what);
        }
    };
    for bar in &track.bars {
        let lane = track.lanes[bar.rank];
        let across = bar.x >= track.left - 0.01 && bar.x + bar.width <= track.right + 0.01;
        let down = bar.y >= lane.top - 0.01 && bar.y + bar.height <= lane.top + lane.height + 0.01;
        expect(across && down && bar.width > 0.0 && bar.height > 1.0, format!("outside: {bar:?}"));
    }
    for flight in &replay.flights {
        let middle = track.x((flight.departs + flight.arrives) / 2.0);
        for (rank, kind) in
            [(flight.message.from, Kind::Leaving), (flight.message.to, Kind::Arriving)]
        {
            let mut bars = track.bars.iter().filter(|bar| bar.rank == rank && bar.kind == kind);
            let shown = bars
                .any(|bar| middle >= bar.x - TOLERANCE && middle <= bar.x + bar.width + TOLERANCE);
            expect(shown, format!("no bar {kind:?} of rank {rank} at {middle}"));
        }
    }
    let ascending = |xs: &[f64]| xs.windows(2).all(|pair| pair[0] <= pair[1]);
    expect(ascending(&track.dots), format!("dots {:?}", track.dots));
    // Labels are some 6.6 px a letter wide, and keep a gap.
    let labels = track.marks.iter().map(|(x, mark)| match mark {
        Mark::Step(step) => (*x, 6.6 * step.to_string().len() as f64),
        Mark::Time(_) => (*x, 60.0),
    });
    let labels: Vec<(f64, f64)> = labels.collect();
    let apart = |pair: &[(f64, f64)]| pair[1].0 - pair[0].0 >= (pair[0].1 + pair[1].1) / 2.0 + 5.0;
    expect(labels.windows(2).all(apart), format!("labels {labels:?}"));
    let bands = track.bands.windows(2).all(|b| b[0].x + b[0].width <= b[1].x + 0.01);
    expect(bands, format!("bands {:?}", track.bands));
    expect(track.nodes() <= MOST_NODES, format!("{} nodes", track.nodes()));
    expect(track.height <= MOST_HEIGHT, format!("{} px high", track.height));
    faults
}

fn check(what: &str, prepared: &Prepared) {
    for clock in [Clock::Rounds, Clock::Modelled] {
        let replay = replay(prepared, clock);
        let acts = act(prepared, &replay);
        for width in [318.0, 970.0, 1500.0] {
            let track = Track::new(&acts, 0.0, clock, width);
            let faults = faults(&track, &replay);
            assert!(faults.is_empty(), "{what} {clock:?} {width}: {:#?}", &faults[..1]);
            let steps: Vec<f64> = (0..=replay.steps.len()).map(|s| replay.step_time(s)).collect();
            for &time in &steps {
                let back = track.time_at(track.x(time));
                assert!((back - time).abs() <= 1e-9 * replay.end.max(1.0), "{what}: {time} {back}");
            }
            assert!(steps.windows(2).all(|pair| track.x(pair[0]) <= track.x(pair[1])), "{what}");
        }
    }
}

#[test]
fn tracks_of_the_whole_registry_are_in_bounds_and_complete() {
    let mut cases = 0;
    for algorithm in &ALL {
        for &verb in algorithm.verbs {
            for ranks in (1..=9).chain([16]) {
                if let Some(prepared) = prepared(algorithm.name, verb, ranks, 1) {
                    check(&format!("{} {verb:?} n={ranks}", algorithm.name), &prepared);
                    cases += 1;
                }
            }
        }
    }
    assert!(cases > 150, "{cases}");
}

#[test]
fn thousands_of_messages_stay_within_the_budget() {
    for (name, verb) in [("ring", Verb::AllReduce), ("direct", Verb::AllToAll)] {
        let prepared = prepared(name, verb, 16, 16).expect("offered by the page");
        check(&format!("{name} {verb:?} n=16 in 16 pieces"), &prepared);
    }
}

#[test]
fn faults_are_found() {
    let prepared = prepared("ring", Verb::AllReduce, 4, 1).expect("the first visit");
    let replay = replay(&prepared, Clock::Rounds);
    let good = Track::new(&act(&prepared, &replay), 0.0, Clock::Rounds, 970.0);
    assert_eq!(faults(&good, &replay), Vec::<String>::new());
    let spoiled: [fn(&mut Track); 6] = [
        |track| track.bars[0].x = track.right,
        |track| track.bars[3].height = 90.0,
        |track| drop(track.bars.remove(2)),
        |track| track.dots.swap(1, 2),
        |track| track.bands[1].x -= 10.0,
        |track| track.marks[1] = (track.marks[0].0 + 11.0, Mark::Step(480)),
    ];
    for (index, spoil) in spoiled.iter().enumerate() {
        let mut track = good.clone();
        spoil(&mut track);
        assert!(!faults(&track, &replay).is_empty(), "spoiled {index} passes");
    }
}

#[test]
fn phases_and_steps_are_counted_as_people_do() {
    let prepared = prepared("ring", Verb::AllReduce, 4, 1).expect("the first visit");
    let replay = replay(&prepared, Clock::Rounds);
    let found: Vec<_> = phases(&replay).iter().map(|p| (p.verb, p.first, p.last)).collect();
    assert_eq!(found, [(Verb::ReduceScatter, 1, 3), (Verb::AllGather, 4, 6)]);
    let score = Score::new([&act(&prepared, &replay)[..]]);
    let at = |time| score.at(time);
    assert_eq!([at(0.0), at(0.1), at(1.0), at(1.5), at(6.0)], [0, 1, 1, 2, 6]);
}

#[test]
fn waiting_shows_where_nothing_arrives() {
    let prepared = prepared("tree", Verb::AllReduce, 8, 1).expect("offered by the page");
    let replay = replay(&prepared, Clock::Rounds);
    let track = Track::new(&act(&prepared, &replay), 0.0, Clock::Rounds, 970.0);
    let waits = track.bars.iter().filter(|bar| bar.kind == Kind::Waiting);
    let leaves: Vec<usize> = waits.map(|bar| bar.rank).collect();
    assert!(leaves.contains(&7) && !leaves.contains(&0), "{leaves:?}");
}

/// Calls that follow each other have one track: the second begins where the first ends.
#[test]
fn a_second_call_goes_on_where_the_first_ends() {
    let halves = [Verb::ReduceScatter, Verb::AllGather].map(|verb| {
        let prepared = prepared("ring", verb, 4, 1).expect("offered by the page");
        let replay = replay(&prepared, Clock::Rounds);
        act(&prepared, &replay)
    });
    let [[first], [second]] = halves;
    let acts = [first.clone(), Act { starts: first.ends(), ..second }];
    let track = Track::new(&acts, 0.0, Clock::Rounds, 970.0);
    let whole = prepared("ring", Verb::AllReduce, 4, 1).expect("the first visit");
    let whole = act(&whole, &replay(&whole, Clock::Rounds));
    let same = Track::new(&whole, 0.0, Clock::Rounds, 970.0);
    assert_eq!((track.end, &track.dots, &track.marks), (same.end, &same.dots, &same.marks));
    assert_eq!(track.bands, same.bands);
    assert_eq!(track.bars, same.bars);
    // A longer run beside it makes room on the axis.
    let longer = Track::new(&acts, 12.0, Clock::Rounds, 970.0);
    assert_eq!((longer.end, longer.x(12.0)), (12.0, longer.right));
}

/// A score joins steps that end together, and only those.
#[test]
fn the_score_of_two_sides_has_the_steps_of_both() {
    let side = |name, verb, ranks| {
        let prepared = prepared(name, verb, ranks, 1).expect("offered by the page");
        act(&prepared, &replay(&prepared, Clock::Rounds))
    };
    let (ring, tree) = (side("ring", Verb::AllReduce, 4), side("tree", Verb::AllReduce, 4));
    let score = Score::new([&ring[..], &tree[..]]);
    assert_eq!((score.steps(), score.end), (6, 6.0));
    // The ring's halves end with the third step and the sixth, the tree's with the second and the
    // fourth.
    let ends: Vec<usize> = (0..6).map(|step| score.phase_end(step)).collect();
    assert_eq!(ends, [2, 2, 3, 4, 6, 6]);
    assert_eq!(score.phase(2), Some((3, 3)));
    let halfway = Act { starts: 0.5, ..tree[0].clone() };
    let apart = Score::new([&ring[..], &[halfway][..]]);
    assert_eq!((apart.steps(), apart.time(2), apart.over(1.6)), (10, 1.5, 2));
}
