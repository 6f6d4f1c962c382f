//! Trace files keep the rules of the format, for every algorithm.

use ringscope::engine::algorithm::{ALL, Request};
use ringscope::engine::cost::{TOPOLOGIES, event, rounds};
use ringscope::engine::memory::Lengths;
use ringscope::engine::schedule::Schedule;
use ringscope::engine::tensor::Tensor;
use ringscope::engine::trace::{Clock, Timing};
use ringscope::ui::export::trace_events::{Run, trace_events};
use serde_json::{Value, json};
use std::collections::HashMap;

fn written(schedule: &Schedule, timing: &Timing, clock: Clock) -> String {
    let lengths = Lengths::new(&schedule.collective, &Tensor::flat(100));
    let (element_bytes, about) = (4, json!({ "tool": "test" }));
    trace_events(&Run { schedule, lengths: &lengths, element_bytes, timing, clock, about })
}

/// An end of a flow: which, on which thread, when.
type End<'a> = (&'a str, (u64, u64), f64);

/// How to spoil the events of a file.
type Spoil = fn(&mut Vec<Value>);

/// What is wrong with a trace file, knowing nothing but the format; else its numbers of processes,
/// slices and flows.
fn read(text: &str) -> Result<[usize; 3], String> {
    let file: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let events = file["traceEvents"].as_array().ok_or("no events")?;
    let mut processes = 0;
    // Slices by thread, ends of flows by id.
    let mut threads: HashMap<(u64, u64), Vec<(f64, f64)>> = HashMap::new();
    let mut flows: HashMap<u64, Vec<End>> = HashMap::new();
    for event in events {
        let number = |key: &str| event[key].as_u64().ok_or(format!("no {key}: {event}"));
        let thread = (number("pid")?, number("tid")?);
        if thread.0 == 0 || thread.1 == 0 {
            return Err(format!("0 is the idle process: {event}"));
        }
        let time = || event["ts"].as_f64().filter(|ts| *ts >= 0.0).ok_or(format!("ts: {event}"));
        match event["ph"].as_str().unwrap_or_default() {
            "M" => processes += usize::from(event["name"] == "process_name"),
            "X" => {
                let dur = event["dur"].as_f64().filter(|dur| *dur >= 0.0);
                let dur = dur.ok_or(format!("duration: {event}"))?;
                threads.entry(thread).or_default().push((time()?, time()? + dur));
            }
            end @ ("s" | "f") => {
                flows.entry(number("id")?).or_default().push((end, thread, time()?));
            }
            other => return Err(format!("unknown event {other}")),
        }
    }
    for (id, ends) in &flows {
        let [("s", from, sent), ("f", to, received)] = ends[..] else {
            return Err(format!("flow {id} has other ends than one and one"));
        };
        if received < sent {
            return Err(format!("flow {id} arrives before it leaves"));
        }
        for (thread, time) in [(from, sent), (to, received)] {
            let slices = threads.get(&thread).map(Vec::as_slice).unwrap_or_default();
            if !slices.iter().any(|&(start, end)| start <= time && time <= end) {
                return Err(format!("flow {id} touches no slice"));
            }
        }
    }
    for slices in threads.values() {
        // One thread's slices follow each other or lie in each other.
        for (i, a) in slices.iter().enumerate() {
            let crosses =
                |b: &&(f64, f64)| a.0 + 1e-6 < b.0 && b.0 + 1e-6 < a.1 && a.1 + 1e-6 < b.1;
            if let Some(b) = slices[i + 1..].iter().find(crosses) {
                return Err(format!("slices {a:?} and {b:?} cross"));
            }
        }
    }
    let slices = threads.values().map(Vec::len).sum();
    Ok([processes, slices, flows.len()])
}

#[test]
fn every_algorithm_on_both_clocks() {
    for algorithm in &ALL {
        for &verb in algorithm.verbs {
            for ranks in [2, 4, 8] {
                let Ok(schedule) = algorithm.build(&Request::new(verb, ranks)) else { continue };
                let lengths = Lengths::new(&schedule.collective, &Tensor::flat(100));
                let modelled = event::timing(&schedule, &lengths, 4, &TOPOLOGIES[0]);
                let counted = rounds::in_chunks(&schedule).timing;
                for (clock, timing) in [(Clock::Modelled, modelled), (Clock::Rounds, counted)] {
                    let found = read(&written(&schedule, &timing, clock));
                    let [processes, slices, flows] =
                        found.unwrap_or_else(|why| panic!("{} {verb:?}: {why}", algorithm.name));
                    let ops: usize = schedule.programs.iter().map(|p| p.ops.len()).sum();
                    assert_eq!(processes, schedule.programs.len());
                    assert_eq!(flows, schedule.messages().len());
                    assert!(slices >= ops, "{slices} slices, {ops} ops");
                }
            }
        }
    }
}

#[test]
fn the_reader_finds_faults() {
    let ring = ringscope::engine::algorithm::find("ring").expect("it exists");
    let request = Request::new(ringscope::engine::collective::Verb::AllReduce, 4);
    let schedule = ring.build(&request).expect("it is not refused");
    let good = written(&schedule, &rounds::in_chunks(&schedule).timing, Clock::Rounds);
    let spoil = |change: Spoil| {
        let mut file: Value = serde_json::from_str(&good).expect("it is JSON");
        change(file["traceEvents"].as_array_mut().expect("a list"));
        read(&file.to_string()).expect_err("it is spoiled")
    };
    fn first<'a>(events: &'a mut [Value], ph: &str) -> &'a mut Value {
        events.iter_mut().find(|event| event["ph"] == ph).expect("there is one")
    }
    let cases: [(Spoil, &str); 5] = [
        (|events| first(events, "X")["pid"] = json!(0), "idle process"),
        (|events| first(events, "f")["ph"] = json!("s"), "other ends"),
        (|events| first(events, "f")["id"] = json!(999), "other ends"),
        (|events| first(events, "s")["ts"] = json!(1e9), "arrives before"),
        (|events| first(events, "X")["dur"] = json!(-1), "duration"),
    ];
    for (change, expected) in cases {
        let found = spoil(change);
        assert!(found.contains(expected), "{found}");
    }
}
