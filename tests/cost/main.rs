//! Cost models: closed formulas, bounds that nothing can beat, and times that respect causes.
#![cfg(not(target_arch = "wasm32"))]

mod alike;
#[path = "../common/mod.rs"]
mod common;
mod contention;
mod contest;
mod formulas;

use common::{Case, grid};
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::topology::{Links, Wiring};
use ringscope::engine::cost::{TOPOLOGIES, Topology, event, rounds};
use ringscope::engine::memory::Lengths;
use ringscope::engine::schedule::Schedule;
use ringscope::engine::tensor::Tensor;
use ringscope::engine::trace::{OpTimes, Timing};

/// Bytes of an element.
const SIZE: usize = 4;

/// Elements of the whole vector: a number that every group size here divides.
const ELEMENTS: usize = 840 * 1024;

fn schedule(algorithm: &str, verb: Verb, ranks: usize, pieces: usize) -> Schedule {
    let algorithm = find(algorithm).expect("it is in the registry");
    algorithm
        .build(&Request { chunks: pieces, ..Request::new(verb, ranks) })
        .expect("it is not refused")
}

fn lengths(schedule: &Schedule) -> Lengths {
    Lengths::new(&schedule.collective, &Tensor::flat(ELEMENTS))
}

fn rounds_us(schedule: &Schedule, topology: &Topology) -> f64 {
    rounds::in_elements(schedule, &lengths(schedule)).time_us(topology, SIZE)
}

/// When the last message has been received and the last result stored, in the event simulation.
fn event_us(schedule: &Schedule, topology: &Topology) -> f64 {
    event::end(&event::timing(schedule, &lengths(schedule), SIZE, topology))
}

/// A topology of every family.
fn topologies() -> Vec<Topology> {
    let mut families: Vec<Topology> = Vec::new();
    for topology in TOPOLOGIES {
        let shapes = [topology.family as usize, topology.nodes.map_or(1, |nodes| nodes.nics)];
        if !families.iter().any(|t| shapes == [t.family as usize, t.nodes.map_or(1, |n| n.nics)]) {
            families.push(topology);
        }
    }
    families
}

fn close(found: f64, expected: f64, what: &str) {
    let off = (found - expected).abs() / expected.abs().max(1e-300);
    assert!(off < 1e-9, "{what}: {found} is not {expected}");
}

#[test]
fn the_rounds_model_is_the_textbook_formula() {
    let s = (ELEMENTS * SIZE) as f64;
    for topology in &TOPOLOGIES {
        for n in [2usize, 3, 4, 5, 7, 8, 16] {
            let Links { alpha_us: alpha, bytes_per_us, .. } = topology.slowest(n);
            let (beta, gamma) = (1.0 / bytes_per_us, 1.0 / topology.reduce_bytes_per_us);
            let (p, log) = (n as f64, (n as f64).log2().ceil());
            let share = (p - 1.0) / p * s;
            let rows = [
                ("ring", Verb::AllReduce, 2.0 * (p - 1.0), 2.0 * share, share),
                ("ring", Verb::AllGather, p - 1.0, share, 0.0),
                ("ring", Verb::ReduceScatter, p - 1.0, share, share),
                ("direct", Verb::AllReduce, 2.0, 2.0 * s / p, share),
                ("tree", Verb::Broadcast, log, log * s, 0.0),
                ("tree", Verb::Reduce, log, log * s, log * s),
                ("tree", Verb::AllReduce, 2.0 * log, 2.0 * log * s, log * s),
                ("tree", Verb::Gather, log, share, 0.0),
                ("linear", Verb::Scatter, p - 1.0, share, 0.0),
                ("linear", Verb::Reduce, p - 1.0, (p - 1.0) * s, (p - 1.0) * s),
            ];
            for (name, verb, rounds, bytes, reduced) in rows {
                let expected = rounds * alpha + bytes * beta + reduced * gamma;
                let found = rounds_us(&schedule(name, verb, n, 1), topology);
                close(found, expected, &format!("{name} {verb:?} n={n} on {}", topology.name));
            }
        }
    }
}

#[test]
fn where_everybody_is_in_step_events_take_as_long_as_rounds() {
    for topology in &TOPOLOGIES {
        for n in [2, 3, 4, 8].into_iter().filter(|&n| topology.nodes_of(n).is_none()) {
            for verb in [Verb::AllReduce, Verb::AllGather, Verb::ReduceScatter, Verb::Shift] {
                let ring = schedule("ring", verb, n, 1);
                let what = format!("ring {verb:?} n={n} on {}", topology.name);
                close(event_us(&ring, topology), rounds_us(&ring, topology), &what);
            }
            let tree = schedule("tree", Verb::Broadcast, n, 1);
            let what = format!("tree n={n} on {}", topology.name);
            close(event_us(&tree, topology), rounds_us(&tree, topology), &what);
        }
    }
}

#[test]
fn a_port_carries_one_message_at_a_time() {
    let n = 8;
    let block = (ELEMENTS * SIZE / n) as f64;
    for topology in TOPOLOGIES.iter().filter(|topology| topology.nodes_of(n).is_none()) {
        let wired = |wiring| Topology { links: Links { wiring, ..topology.links }, ..*topology };
        let (one, seven) = (&wired(Wiring::Switch), &wired(Wiring::Mesh));
        let Links { alpha_us: alpha, bytes_per_us, .. } = topology.links;
        let wire = block / bytes_per_us;
        let far = (n - 1) as f64;
        // One lane: the root starts a message when the one before has arrived, whatever its ports.
        let scatter = schedule("linear", Verb::Scatter, n, 1);
        close(event_us(&scatter, topology), far * (alpha + wire), "linear Scatter");
        // Seven lanes share one port, or have one each.
        let gather = schedule("direct", Verb::AllGather, n, 1);
        close(event_us(&gather, one), far * wire + alpha, "direct AllGather, one port");
        close(event_us(&gather, seven), wire + alpha, "direct AllGather, seven ports");
        // The root of a Gather has one port for everybody who sends to it.
        let gather = schedule("linear", Verb::Gather, n, 1);
        assert!(event_us(&gather, one) >= far * wire + alpha - 1e-9, "linear Gather");
    }
}

/// Through a switch that adds and copies, an AllReduce takes four messages one after the other,
/// however many ranks there are; a ring's time grows with them.
#[test]
fn a_switch_takes_four_messages_for_any_number_of_ranks() {
    let s = (ELEMENTS * SIZE) as f64;
    let hopper = &TOPOLOGIES[0];
    for n in [2, 3, 5, 7, 8] {
        let wire = (n + 1) as f64 / n as f64 * s / hopper.links.bytes_per_us;
        let half = 2.0 * hopper.links.alpha_us + wire;
        for (verb, expected) in
            [(Verb::AllGather, half), (Verb::ReduceScatter, half), (Verb::AllReduce, 2.0 * half)]
        {
            let through = schedule("nvls", verb, n, 1);
            close(event_us(&through, hopper), expected, &format!("{verb:?} n={n}, events"));
            close(rounds_us(&through, hopper), expected, &format!("{verb:?} n={n}, rounds"));
        }
        let ring = event_us(&schedule("ring", Verb::AllReduce, n, 1), hopper);
        assert_eq!(2.0 * half < ring, n > 4, "{n} ranks: {} and {ring}", 2.0 * half);
    }
}

/// The fewest bytes that some rank must send or receive, as a part of the whole vector, if ranks do
/// all the work.
fn least_traffic(case: &Case) -> f64 {
    let n = case.request.ranks as f64;
    if case.algorithm.switches > 0 || case.request.ranks == 1 || case.request.verb == Verb::Barrier
    {
        return 0.0;
    }
    match case.request.verb {
        Verb::AllReduce => 2.0 * (n - 1.0) / n,
        Verb::Reduce | Verb::Broadcast | Verb::SendRecv | Verb::Shift => 1.0,
        _ => (n - 1.0) / n,
    }
}

#[test]
fn no_schedule_is_faster_than_the_busiest_port_allows() {
    let mut cases = 0;
    for case in grid([1, 2, 3, 4, 7, 8], &[1, 3]) {
        let schedule = case.build();
        let lengths = lengths(&schedule);
        let sent = rounds::in_elements(&schedule, &lengths).sent;
        for topology in &topologies() {
            let ports = match topology.links.wiring {
                Wiring::Switch => 1,
                Wiring::Mesh => case.request.ranks,
            };
            let bandwidth = topology.links.bytes_per_us * ports as f64;
            let busiest = sent.iter().copied().max().unwrap_or(0) * SIZE;
            let least = least_traffic(&case) * (ELEMENTS * SIZE) as f64;
            let bound = least.max(busiest as f64) / bandwidth;
            let found = event_us(&schedule, topology);
            assert!(
                found >= bound * (1.0 - 1e-9),
                "{case} on {}: {found} < {bound}",
                topology.name
            );
            cases += 1;
        }
    }
    println!("{cases} simulations respect their bound");
}

/// Nothing happens before its cause: a receive not before its send, an op not before the ops that
/// it depends on, and a lane never goes back.
fn causal(schedule: &Schedule, timing: &Timing) -> Result<(), String> {
    for message in schedule.messages() {
        let sent = timing[message.from][message.send_op].sent.ok_or("never sent")?;
        let received = timing[message.to][message.recv_op].received.ok_or("never received")?;
        if received < sent {
            return Err(format!("{message:?} is received at {received}, sent at {sent}"));
        }
    }
    for (program, times) in schedule.programs.iter().zip(timing) {
        let mut lanes = vec![0.0f64; program.lanes];
        for (op, times_of_op) in program.ops.iter().zip(times) {
            let OpTimes { reached, received, applied, sent } = *times_of_op;
            let moments = [Some(lanes[op.lane]), Some(reached), received, applied, sent];
            let moments: Vec<f64> = moments.into_iter().flatten().collect();
            if !moments.is_sorted() {
                return Err(format!("{op:?} goes back in time: {moments:?}"));
            }
            lanes[op.lane] = reached;
            let start = received.or(applied).or(sent).unwrap_or(reached);
            if op.deps.iter().any(|&dep| times[dep].ended() > start) {
                return Err(format!("{op:?} starts before what it depends on has ended"));
            }
        }
    }
    Ok(())
}

#[test]
fn nothing_happens_before_its_cause() {
    for case in grid([1, 2, 3, 4, 7], &[1, 2]) {
        let schedule = case.build();
        let timing = rounds::in_chunks(&schedule).timing;
        causal(&schedule, &timing).unwrap_or_else(|why| panic!("{case}, rounds: {why}"));
        for topology in &topologies() {
            let timing = event::timing(&schedule, &lengths(&schedule), SIZE, topology);
            causal(&schedule, &timing)
                .unwrap_or_else(|why| panic!("{case} on {}: {why}", topology.name));
        }
    }
}

#[test]
fn the_test_of_causes_finds_an_effect_before_its_cause() {
    let ring = schedule("ring", Verb::AllReduce, 4, 1);
    let timing = rounds::in_chunks(&ring).timing;
    let broken = |change: fn(&mut Timing)| {
        let mut timing = timing.clone();
        change(&mut timing);
        causal(&ring, &timing)
    };
    assert_eq!(causal(&ring, &timing), Ok(()));
    assert!(broken(|timing| timing[2][3].received = Some(0.0)).is_err());
    assert!(broken(|timing| timing[2][3].reached = 99.0).is_err());
    assert!(broken(|timing| timing[1][0].sent = None).is_err());
}
