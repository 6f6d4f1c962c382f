//! Ranks in nodes: what stays inside, what goes between them, and that every choice works with
//! every other.

use ringscope::engine::algorithm::{Choice, Request, find, serving};
use ringscope::engine::check::check;
use ringscope::engine::collective::Verb;
use ringscope::engine::schedule::Schedule;

fn build(algorithm: &str, request: Request) -> Schedule {
    let found = find(algorithm).expect("it is in the registry");
    found.build(&request).unwrap_or_else(|no| panic!("{algorithm} {request}: {no}"))
}

#[test]
fn nodes_channels_chunks_roots_and_places_go_together() {
    let mut proved = 0;
    for verb in Verb::ALL {
        for algorithm in serving(verb).filter(|a| a.choices.contains(&Choice::Nodes)) {
            for (ranks, size) in [(4, 2), (6, 2), (6, 3), (6, 6), (8, 4), (9, 3), (12, 4)] {
                let plain = Request { ranks_per_node: size, ..Request::new(verb, ranks) };
                for channels in 1..=3 {
                    for chunks in 1..=3 {
                        for root in if verb.has_root() { vec![0, 1, ranks - 1] } else { vec![0] } {
                            for in_place in [false, true] {
                                let request = Request { channels, chunks, root, in_place, ..plain };
                                let Ok(schedule) = algorithm.build(&request) else { continue };
                                let what = format!("{} {request}", algorithm.name);
                                let proof = check(&schedule);
                                let proof = proof.unwrap_or_else(|f| panic!("{what}: {f}"));
                                // On a channel of several, a node's blocks are as many messages.
                                let blocks = if channels > 1 { ranks / size } else { 1 };
                                assert!(proof.slots <= chunks * channels * blocks, "{what}");
                                proved += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    println!("{proved} schedules on nodes proved");
    assert!(proved > 1500);
}

/// Chunks that leave the nodes of `size`, and messages that do.
fn between(schedule: &Schedule, size: usize) -> (usize, usize) {
    let messages = schedule.messages().into_iter();
    let leaving = messages.filter(|m| m.from / size != m.to / size);
    let sizes: Vec<usize> =
        leaving.map(|m| schedule.programs[m.from].ops[m.send_op].action.count()).collect();
    (sizes.iter().sum(), sizes.len())
}

#[test]
fn only_what_has_to_leaves_a_node() {
    for (nodes, size) in [(2, 2), (3, 2), (2, 4), (4, 3), (4, 4)] {
        let n = nodes * size;
        let of = |algorithm, verb| {
            let ranks_per_node = if algorithm == "hierarchical" { size } else { 1 };
            let schedule = build(algorithm, Request { ranks_per_node, ..Request::new(verb, n) });
            (between(&schedule, size), schedule.collective.chunks())
        };
        let far = nodes - 1;
        // Every other node needs every block once, every message of AllToAll carries a node's.
        let ((chunks, _), _) = of("hierarchical", Verb::AllGather);
        assert_eq!(chunks, far * n);
        let ((chunks, all), _) = of("hierarchical", Verb::AllReduce);
        assert_eq!((chunks, all), (2 * far * n, 2 * far * n));
        let ((chunks, messages), _) = of("hierarchical", Verb::AllToAll);
        assert_eq!((chunks, messages), (n * (n - size), n * far));
        let ((_, everybody), _) = of("direct", Verb::AllToAll);
        assert_eq!(everybody, n * (n - size));
        let ((chunks, _), whole) = of("hierarchical", Verb::Broadcast);
        assert_eq!(chunks, far * whole);
        // Without the hierarchy, blocks go round in and out of nodes all the time, or from the root
        // to every rank of another node.
        let ((chunks, _), _) = of("direct", Verb::AllGather);
        assert_eq!(chunks, size * far * n);
    }
}

#[test]
fn every_rail_carries_its_share() {
    for verb in [Verb::AllReduce, Verb::AllGather, Verb::Broadcast, Verb::AllToAll] {
        let schedule =
            build("hierarchical", Request { ranks_per_node: 4, ..Request::new(verb, 12) });
        let mut carried = [0; 4];
        for m in schedule.messages().into_iter().filter(|m| m.from / 4 != m.to / 4) {
            assert_eq!(m.from % 4, m.to % 4, "{verb:?}: a message changes rails");
            carried[m.from % 4] += schedule.programs[m.from].ops[m.send_op].action.count();
        }
        assert!(carried.iter().all(|&chunks| chunks == carried[0] && chunks > 0), "{verb:?}");
    }
}

#[test]
fn nodes_of_one_rank_are_no_hierarchy() {
    for n in 1..=9 {
        for (verb, plain) in [
            (Verb::AllGather, "ring"),
            (Verb::Broadcast, "tree"),
            (Verb::Reduce, "tree"),
            (Verb::Scatter, "tree"),
            (Verb::Gather, "tree"),
            (Verb::AllToAll, "direct"),
        ] {
            for root in 0..if verb.has_root() { n } else { 1 } {
                let request = Request { root, ..Request::new(verb, n) };
                let (levels, plain) = (build("hierarchical", request), build(plain, request));
                assert_eq!(levels.messages(), plain.messages(), "{request}");
            }
        }
    }
}
