//! Runs in files: what is written is read again, and whatever happens to a file, it is read as a
//! run that can be shown, or refused.

use proptest::prelude::*;
use ringscope::engine::replay::Replay;
use ringscope::runtime::outcome::RunResult;
use ringscope::runtime::plan::Plan;
use ringscope::runtime::threads;
use ringscope::ui::export::run_file::{Opened, Unreadable, VERSION, browser_name, read, write};
use ringscope::ui::scenario::{Scenario, parse};
use ringscope::ui::take::Origin;
use std::sync::LazyLock;

fn origin() -> Origin {
    Origin { browser: "Firefox 153".into(), cores: 2, isolated: true, build: "test".into() }
}

/// A scenario, really run on threads.
fn recorded(fragment: &str) -> (Scenario, RunResult) {
    let (_, scenario, notices) = parse(fragment);
    assert_eq!(notices, [], "{fragment}");
    let prepared = scenario.prepare().expect("it can be had");
    let plan = Plan::new(&prepared.schedule, &prepared.proof, &prepared.run).expect("it fits");
    let mut results = threads::run(std::slice::from_ref(&plan)).expect("it runs");
    (scenario, results.remove(0))
}

fn written(fragment: &str) -> String {
    let (scenario, run) = recorded(fragment);
    write(&scenario, &run, &origin())
}

/// Everything that is drawn of a run is computed; a file that was taken must not make it panic.
fn draw(opened: &Opened) {
    let prepared = opened.scenario.prepare().expect("it was prepared before");
    let trace = opened.run.trace.as_ref();
    let replay = trace.map(|trace| Replay::new(&prepared.schedule, &prepared.run, trace));
    if let Some(replay) = replay {
        assert_eq!(replay.flights.len(), prepared.schedule.messages().len());
    }
}

static SMALL: LazyLock<String> = LazyLock::new(|| written("/allreduce?n=3&len=3&algo=tree"));

#[test]
fn what_is_written_is_read_again() {
    for fragment in [
        "/allreduce",
        "/allreduce?n=5&len=7&type=f16&op=mean",
        "/allreduce?type=bf16&acc=f32",
        "/allreduce?algo=direct&type=f16&acc=owner",
        "/reducescatter?n=3&len=10&chunks=2",
        "/alltoall?n=3&len=6",
        "/barrier",
        "/sendrecv?n=2",
        "/scatter?size=64KiB",
        "/shift?n=1",
        "/allgather?place=in&channels=2&len=16&type=i64",
    ] {
        let (scenario, run) = recorded(fragment);
        let opened = read(write(&scenario, &run, &origin()).as_bytes()).expect(fragment);
        let expected = Opened { scenario, run, origin: origin() };
        assert_eq!(opened, expected, "{fragment}");
        draw(&opened);
    }
}

#[test]
fn a_file_of_another_build_opens() {
    let opened = read(include_bytes!("run-v1.json")).expect("version 1 opens for ever");
    assert_eq!((opened.scenario.ranks, opened.run.counters.len()), (3, 3));
    assert!(opened.run.verdict.passed() && opened.run.verdict.checked > 0);
    draw(&opened);
}

#[test]
fn what_is_no_such_file_is_told_apart() {
    let small = SMALL.as_str();
    let spoiled = |from: &str, to: &str| {
        assert!(small.contains(from), "{from}");
        read(small.replacen(from, to, 1).as_bytes()).expect_err(to)
    };
    let damaged = |place: &str| Unreadable::Damaged(place.to_string());
    assert_eq!(read(b"{\"format\":\"other\",\"version\":1}"), Err(Unreadable::Foreign));
    assert_eq!(read(b"[1, 2]"), Err(Unreadable::Foreign));
    assert_eq!(read(b""), Err(Unreadable::CutOff(1)));
    assert_eq!(read(b"GIF89a"), Err(Unreadable::NotJson { line: 1, column: 1 }));
    let half = &small[..small.len() / 2];
    assert_eq!(read(half.as_bytes()), Err(Unreadable::CutOff(1)));
    let future = format!("\"version\":{}", VERSION + 1);
    assert_eq!(spoiled("\"version\":1", &future), Unreadable::Future(VERSION + 1));
    assert_eq!(spoiled("\"version\":1", "\"version\":\"1\""), Unreadable::Foreign);
    assert_eq!(spoiled("n=3", "n=4"), damaged("run.counters"));
    assert_eq!(spoiled("n=3", "m=3"), damaged("scenario"));
    for (from, to) in [("\"rank\":0", "\"rank\":9"), ("\"Reached\"", "\"Sent\"")] {
        let Unreadable::Damaged(place) = spoiled(from, to) else { panic!("{to}") };
        assert!(place.starts_with("run.trace.events["), "{place}");
    }
    let missing = spoiled("\"counters\"", "\"other\"");
    assert!(
        matches!(&missing, Unreadable::Damaged(why) if why.contains("counters")),
        "{missing:?}"
    );
}

#[test]
fn an_event_more_or_less_is_found() {
    let whole: serde_json::Value = serde_json::from_str(&SMALL).expect("it is JSON");
    let refused =
        |file: &serde_json::Value| read(file.to_string().as_bytes()).expect_err("spoiled");
    let count = whole["run"]["trace"]["events"].as_array().map_or(0, Vec::len);
    assert!(count > 10, "{count} events");
    for at in 0..count {
        let mut less = whole.clone();
        less["run"]["trace"]["events"].as_array_mut().expect("events").remove(at);
        assert!(matches!(refused(&less), Unreadable::Damaged(_)));
        let mut twice = whole.clone();
        let list = twice["run"]["trace"]["events"].as_array_mut().expect("events");
        list.insert(at, list[at].clone());
        assert!(matches!(refused(&twice), Unreadable::Damaged(_)));
    }
}

#[test]
fn browsers_are_called_by_their_names() {
    let cases = [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "Firefox 153"),
        ("Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36", "Chrome 156"),
        ("Mozilla/5.0 AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0", "Edge 156"),
        ("Mozilla/5.0 (X11) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15", "Safari 18"),
        ("curl", "curl"),
    ];
    for (agent, name) in cases {
        assert_eq!(browser_name(agent), name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn whatever_bytes_change_nothing_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = SMALL.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            // Mostly what may stand in JSON: other bytes are found at once.
            bytes[at] = b"0123456789-.eE,:{}[]\"nult ab"[usize::from(byte) % 28];
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(opened) = read(&bytes) {
            draw(&opened);
        }
    }

    #[test]
    fn numbers_out_of_place_change_nothing_that_panics(
        which in any::<prop::sample::Index>(),
        number in prop_oneof![
            Just("-1".to_string()), Just("1e300".into()), Just("0".into()), Just("null".into()),
            Just("18446744073709551615".into()), (0u64..40).prop_map(|n| n.to_string()),
        ],
    ) {
        // One number of the file becomes another.
        let text = SMALL.as_str();
        let digits: Vec<usize> = text.char_indices()
            .filter(|&(at, c)| c.is_ascii_digit() && !text[..at].ends_with(|c: char| {
                c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '"' | '=')
            }))
            .map(|(at, _)| at)
            .collect();
        let start = digits[which.index(digits.len())];
        let len = text[start..].find([',', ']', '}', '"']).unwrap_or(0);
        let changed = format!("{}{number}{}", &text[..start], &text[start + len..]);
        if let Ok(opened) = read(changed.as_bytes()) {
            draw(&opened);
        }
    }
}
