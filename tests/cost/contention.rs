//! What messages do to each other that need the same link.

use super::{SIZE, close, event_us, lengths, schedule, topologies};
use crate::common::{Case, grid};
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::topology::{Links, Nodes, Place};
use ringscope::engine::cost::{Topology, event, rounds};
use ringscope::engine::memory::Lengths;
use ringscope::engine::schedule::Schedule;
use ringscope::engine::tensor::Tensor;
use ringscope::engine::trace::{OpTimes, Timing};
use std::collections::HashMap;

pub fn preset(name: &str) -> Topology {
    *Topology::find(name).expect("it is a preset")
}

fn nodes(topology: &Topology) -> Nodes {
    topology.nodes.expect("it has nodes")
}

/// The same nodes with another number of NICs.
fn with_nics(topology: &Topology, nics: usize) -> Topology {
    Topology { nodes: Some(Nodes { nics, ..nodes(topology) }), ..*topology }
}

/// Bytes of the whole vector.
fn whole() -> f64 {
    (super::ELEMENTS * SIZE) as f64
}

#[test]
fn two_messages_over_one_nic_take_twice_as_long() {
    // Recursive doubling over 2 nodes of 2: first inside them, then everybody with the other node.
    for name in ["ampere-8x8", "pcie4-4x1"] {
        let pairs = preset(name);
        let pairs = Topology { nodes: Some(Nodes { ranks: 2, nics: 2, ..nodes(&pairs) }), ..pairs };
        let doubling = schedule("recursive-doubling", Verb::AllReduce, 4, 1);
        let crossing = |links: Links| links.alpha_us + whole() / links.bytes_per_us;
        let between = nodes(&pairs).links;
        let reduced = 2.0 * whole() / pairs.reduce_bytes_per_us;
        let alone = crossing(pairs.links) + crossing(between) + reduced;
        close(event_us(&doubling, &pairs), alone, "a NIC each");
        let queued = alone + whole() / between.bytes_per_us;
        close(event_us(&doubling, &with_nics(&pairs, 1)), queued, "one NIC for two");
    }
}

#[test]
fn all_that_leaves_a_node_queues_for_its_nics() {
    // Direct AllToAll over 2 nodes of 8: each rank has 8 blocks for the other node.
    let n = 16;
    let all = schedule("direct", Verb::AllToAll, n, 1);
    for nics in [1, 2] {
        let hopper = with_nics(&preset("hopper-8x8"), nics);
        let Links { alpha_us, bytes_per_us, .. } = nodes(&hopper).links;
        let share = (8 * 8 / nics) as f64 * whole() / n as f64;
        close(event_us(&all, &hopper), share / bytes_per_us + alpha_us, &format!("{nics} NICs"));
    }
}

#[test]
fn a_hierarchy_beats_a_ring_where_nodes_are_large() {
    let bytes = 64 << 20;
    let time = |name: &str, topology: &Topology, nodes: usize| {
        let request = Request { ranks_per_node: nodes, ..Request::new(Verb::AllReduce, 32) };
        let schedule = find(name).and_then(|a| a.build(&request).ok()).expect("it can be had");
        let lengths = Lengths::new(&schedule.collective, &Tensor::flat(bytes / SIZE));
        event::end(&event::timing(&schedule, &lengths, SIZE, topology))
    };
    for name in ["ampere-8x8", "hopper-8x8", "blackwell-8x8"] {
        let rails = preset(name);
        let (ring, hierarchy) = (time("ring", &rails, 1), time("hierarchical", &rails, 8));
        // A ring leaves every node over one of its 8 NICs.
        assert!(3.0 * hierarchy < ring, "{name}: {hierarchy} and {ring}");
        // One NIC takes away what the rails have gained.
        let one = with_nics(&rails, 1);
        assert!(time("hierarchical", &one, 8) > 3.0 * hierarchy, "{name} with one NIC");
        close(time("ring", &one, 1), ring, "a ring does not need the other NICs");
        // What an algorithm takes for nodes should be the machine's: half of the NICs stand still.
        let halves = time("hierarchical", &rails, 4);
        assert!(halves > 1.2 * hierarchy, "{name}, nodes of 4: {halves} and {hierarchy}");
    }
}

#[test]
fn slower_links_and_larger_vectors_never_end_sooner() {
    let slower = |links: Links| Links { bytes_per_us: links.bytes_per_us / 2.0, ..links };
    for case in grid([2, 3, 4, 8], &[1, 2]).into_iter().filter(|case| !case.request.in_place) {
        let schedule = case.build();
        let twice = Lengths::new(&schedule.collective, &Tensor::flat(2 * super::ELEMENTS));
        for topology in &topologies() {
            // Nodes of two, so that there are several.
            let small =
                topology.nodes.map(|nodes| Nodes { ranks: 2, nics: nodes.nics.min(2), ..nodes });
            let topology = &Topology { nodes: small, ..*topology };
            let time = event_us(&schedule, topology);
            let larger = event::end(&event::timing(&schedule, &twice, SIZE, topology));
            assert!(larger >= time, "{case} on {}: {larger} for twice as much", topology.name);
            let between = topology.nodes.map(|n| Nodes { links: slower(n.links), ..n });
            let slow = Topology { links: slower(topology.links), nodes: between, ..*topology };
            let found = event_us(&schedule, &slow);
            assert!(found >= time, "{case} on {}: {found} over slower links", topology.name);
        }
    }
}

/// Every place carries one message at a time, and every message takes as long as its links say.
fn exclusive(schedule: &Schedule, topology: &Topology, timing: &Timing) -> Result<(), String> {
    let lengths = lengths(schedule);
    let mut busy: HashMap<Place, Vec<(f64, f64)>> = HashMap::new();
    for message in schedule.messages() {
        let (from, to) = (message.from, message.to);
        let action = schedule.programs[from].ops[message.send_op].action;
        let span = action.src().or(action.dst()).ok_or("a message of nothing")?;
        let labels = schedule.labels(from, span.buffer);
        let elements: usize =
            labels[span.chunks()].iter().map(|&label| lengths.range(label).len()).sum();
        let (links, out, into) = topology.way(schedule.collective.ranks, from, to);
        let sent = timing[from][message.send_op].sent.ok_or("never sent")?;
        let gone = sent + (elements * SIZE) as f64 / links.bytes_per_us;
        let received = timing[to][message.recv_op].received.ok_or("never received")?;
        if received < gone + links.alpha_us - 1e-9 {
            return Err(format!("{message:?} is faster than its links"));
        }
        busy.entry(out).or_default().push((sent, gone));
        if into != out {
            busy.entry(into).or_default().push((sent, gone));
        }
    }
    for (place, mut times) in busy {
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(pair) = times.windows(2).find(|pair| pair[1].0 < pair[0].1 - 1e-9) {
            return Err(format!("{place:?} carries two messages at {pair:?}"));
        }
    }
    Ok(())
}

fn cases() -> impl Iterator<Item = Case> {
    grid([2, 3, 4, 8], &[1, 2]).into_iter().filter(|case| !case.request.in_place)
}

#[test]
fn a_place_carries_one_message_at_a_time() {
    for case in cases() {
        let schedule = case.build();
        for topology in &topologies() {
            let small = topology.nodes.map(|n| Nodes { ranks: 2, nics: n.nics.min(2), ..n });
            let topology = &Topology { nodes: small, ..*topology };
            let timing = event::timing(&schedule, &lengths(&schedule), SIZE, topology);
            exclusive(&schedule, topology, &timing)
                .unwrap_or_else(|why| panic!("{case} on {}: {why}", topology.name));
        }
    }
}

#[test]
fn the_test_of_places_finds_two_messages_at_a_time_and_one_too_fast() {
    let one_nic = preset("hopper-8x1");
    let all = schedule("direct", Verb::AllToAll, 16, 1);
    let timing = event::timing(&all, &lengths(&all), SIZE, &one_nic);
    assert_eq!(exclusive(&all, &one_nic, &timing), Ok(()));
    // The same times where only ranks of a node share a way: every NIC is taken by several.
    let rails = event::timing(&all, &lengths(&all), SIZE, &with_nics(&one_nic, 8));
    assert!(exclusive(&all, &one_nic, &rails).is_err());
    let mut hasty = timing.clone();
    let last = |t: &OpTimes| t.received.unwrap_or(0.0);
    for times in hasty.iter_mut().flatten().filter(|t| last(t) > 100.0) {
        times.received = Some(0.0);
    }
    assert!(exclusive(&all, &one_nic, &hasty).is_err());
    // And rounds know nothing of ports: direct exchange happens all at once there.
    let rounds = rounds::in_chunks(&all).timing;
    assert!(exclusive(&all, &one_nic, &rounds).is_err());
}

#[test]
fn consecutive_ranks_share_nodes_and_nics() {
    let eight = |nics| Nodes { nics, ..nodes(&preset("hopper-8x8")) };
    let leaders = |nics| (0..16).map(|rank| eight(nics).nic(rank)).collect::<Vec<_>>();
    assert_eq!(leaders(8), (0..16).collect::<Vec<_>>());
    assert_eq!(leaders(1), [[0; 8], [8; 8]].concat());
    assert_eq!(leaders(2), [[0; 4], [4; 4], [8; 4], [12; 4]].concat());
    // Three NICs for eight ranks: 3, 3 and 2 of them.
    assert_eq!(leaders(3)[..8], [0, 0, 0, 3, 3, 3, 6, 6]);
    // A switch that adds is one of a node, and NVLink's.
    let adds = |name: &str, ranks| preset(name).adds(ranks);
    assert!(adds("nvlink-hopper", 16) && adds("hopper-8x8", 8) && !adds("hopper-8x8", 9));
    assert!(!adds("nvlink-ampere", 8) && !adds("pcie5", 8) && !adds("ascend-mesh", 8));
    let (links, out, into) = preset("hopper-8x1").way(16, 3, 12);
    assert_eq!((links, out, into), (eight(1).links, Place::NicOut(0), Place::NicIn(8)));
    let (_, out, into) = preset("ascend-8x8").way(16, 3, 5);
    assert_eq!((out, into), (Place::Cable(3, 5), Place::Cable(3, 5)));
}
