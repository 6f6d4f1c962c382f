//! Ranks that are alike: one of them stands for all, exactly, and only where that is so.

use super::contention::preset;
use super::{SIZE, close};
use crate::common::grid;
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::Topology;
use ringscope::engine::cost::event::{brief, end, timing};
use ringscope::engine::cost::topology::Nodes;
use ringscope::engine::memory::Lengths;
use ringscope::engine::schedule::{Outline, Turn};
use ringscope::engine::tensor::Tensor;

fn outline(algorithm: &str, request: Request) -> Outline {
    let algorithm = find(algorithm).expect("it is in the registry");
    algorithm.outline(&request).expect("it is not refused")
}

/// Flat links of both wirings, and nodes of two and of three, with NICs to share and with enough.
fn machines() -> Vec<Topology> {
    let (hopper, ascend) = (preset("hopper-8x8"), preset("ascend-8x8"));
    let nodes = |of: Topology, (ranks, nics)| {
        let nodes = of.nodes.map(|nodes| Nodes { ranks, nics, ..nodes });
        Topology { nodes, ..of }
    };
    let small = [(2, 1), (2, 2), (3, 2)].map(|size| nodes(hopper, size));
    [hopper, ascend, nodes(ascend, (2, 1))].into_iter().chain(small).collect()
}

#[test]
fn the_short_simulation_ends_when_the_whole_one_does() {
    let (mut compared, mut fewer) = (0, 0);
    for case in grid([3, 4, 6, 8, 12], &[1, 2]).into_iter().filter(|c| !c.request.in_place) {
        let outline = case.algorithm.outline(&case.request).expect("it is not refused");
        if outline.alike.ranks.length == 1 {
            continue;
        }
        let schedule = case.build();
        // A length that is cut evenly, and one that is not.
        for elements in [840 * 64, 1009] {
            let lengths = Lengths::new(&schedule.collective, &Tensor::flat(elements));
            for topology in machines() {
                let whole = end(&timing(&schedule, &lengths, SIZE, &topology));
                let short = brief(&outline, &lengths, SIZE, &topology);
                assert_eq!(short.end_us, whole, "{case}, {elements} on {topology:?}");
                compared += 1;
                fewer += usize::from(short.programs < schedule.programs.len());
            }
        }
    }
    println!("{compared} simulations agree, {fewer} of them on fewer ranks");
    assert!(fewer > 300);
}

#[test]
fn as_few_ranks_stand_for_all_as_machine_and_lengths_allow() {
    let (sum, flat) = (Verb::AllReduce, "nvlink-hopper");
    let programs = |algorithm, request, elements, links| {
        let outline = outline(algorithm, request);
        let lengths = Lengths::new(&outline.collective, &Tensor::flat(elements));
        brief(&outline, &lengths, SIZE, &preset(links)).programs
    };
    let ring = Request::new(sum, 16);
    assert_eq!(programs("ring", ring, 1600, flat), 1);
    // A node of 4 is the least that looks everywhere the same; one NIC a node or not.
    assert_eq!(programs("ring", ring, 1600, "hopper-4x4"), 4);
    assert_eq!(programs("ring", ring, 1600, "hopper-8x1"), 8);
    assert_eq!(programs("ring", ring, 1600, "ib-400"), 1);
    // Ranks do not fill the nodes; blocks are not of one length, or only every other is.
    assert_eq!(programs("ring", Request::new(sum, 15), 1500, "hopper-4x4"), 15);
    assert_eq!(programs("ring", ring, 1601, flat), 16);
    // Nodes of the algorithm and of the machine.
    let of_four = Request { ranks_per_node: 4, ..ring };
    assert_eq!(programs("hierarchical", of_four, 1600, "hopper-4x4"), 4);
    assert_eq!(programs("hierarchical", of_four, 1600, "hopper-8x8"), 8);
    assert_eq!(programs("tree", ring, 1600, flat), 16);
}

#[test]
fn numbers_turn_in_their_rounds() {
    let turn = Turn { stride: 2, length: 3 };
    let next: Vec<_> = (0..12).map(|number| turn.on(number, 1)).collect();
    assert_eq!(next, [2, 3, 4, 5, 0, 1, 8, 9, 10, 11, 6, 7]);
    for number in 0..12 {
        let first = turn.first(turn.round(number));
        assert_eq!(turn.on(first, turn.place(number)), number);
        assert_eq!(turn.on(number, 3), number);
    }
    assert_eq!(Turn { stride: 1, length: 12 }.by(4), Turn { stride: 4, length: 3 });
}

#[test]
fn thousands_of_ranks_take_what_the_formulas_say() {
    let n = 4096;
    let (p, bytes) = (n as f64, 64 << 20);
    let s = bytes as f64;
    let time = |algorithm, per_node, links: &Topology| {
        let request = Request { ranks_per_node: per_node, ..Request::new(Verb::AllReduce, n) };
        let outline = outline(algorithm, request);
        let lengths = Lengths::new(&outline.collective, &Tensor::flat(bytes / SIZE));
        brief(&outline, &lengths, SIZE, links).end_us
    };
    for links in [preset("nvlink-hopper"), preset("ib-400")] {
        let (alpha, wire) = (links.links.alpha_us, s / links.links.bytes_per_us);
        let reduced = s / links.reduce_bytes_per_us;
        let ring = 2.0 * (p - 1.0) * (alpha + wire / p) + (p - 1.0) / p * reduced;
        close(time("ring", 1, &links), ring, "ring");
        let tree = 24.0 * (alpha + wire) + 12.0 * reduced;
        close(time("tree", 1, &links), tree, "tree");
    }
    let rails = preset("hopper-8x8");
    assert!(time("hierarchical", 8, &rails) < time("ring", 1, &rails));
}
