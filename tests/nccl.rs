//! NCCL's tuning model: its worked values, to the digits that are printed.
#![cfg(not(target_arch = "wasm32"))]

use ringscope::engine::collective::Verb;
use ringscope::engine::cost::nccl::Algorithm::{Pat, Ring, Tree};
use ringscope::engine::cost::nccl::Protocol::{Ll, Ll128, Simple};
use ringscope::engine::cost::nccl::{Algorithm, Architecture, Cpu, Hardware, Protocol, System};

/// Hopper with 16 channels of 20 GB/s, as the worked values have it.
const HOPPER: System = System {
    architecture: Architecture::Hopper,
    cpu: Cpu::Intel,
    hardware: Hardware::NvLink,
    nodes: 1,
    ranks: 8,
    channels: 16,
    intra_gb_s: 20.0,
    inter_gb_s: 20.0,
};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

fn printed(value: f64) -> String {
    format!("{value:.3}")
}

#[test]
fn latencies_and_bandwidths_are_the_worked_ones() {
    let worked = [
        (Ring, Ll, "15.000", "80.571"),
        (Ring, Ll128, "40.600", "168.229"),
        (Ring, Simple, "56.000", "182.857"),
        (Tree, Ll, "15.200", "38.737"),
        (Tree, Ll128, "31.500", "114.489"),
        (Tree, Simple, "64.400", "147.200"),
    ];
    for (algorithm, protocol, latency, bandwidth) in worked {
        let found = HOPPER.estimate(Verb::AllReduce, algorithm, protocol);
        let found = found.expect("NCCL considers it");
        let what = format!("{algorithm:?} {protocol:?}");
        assert_eq!(printed(found.latency_us), latency, "{what}");
        assert_eq!(printed(found.gb_s), bandwidth, "{what}");
    }
}

fn time(system: &System, algorithm: Algorithm, protocol: Protocol, bytes: u64) -> String {
    let time = system.time_us(Verb::AllReduce, algorithm, protocol, bytes);
    printed(time.expect("NCCL considers it"))
}

/// What is best, and how long it takes.
fn best(system: &System, bytes: u64) -> (Algorithm, Protocol, String) {
    let best = system.best(Verb::AllReduce, bytes).expect("there is something to choose");
    (best.algorithm, best.protocol, printed(best.time_us))
}

#[test]
fn times_are_the_worked_ones() {
    let at_1_mib = [
        (Ring, Ll, "28.014"),
        (Ring, Ll128, "46.833"),
        (Ring, Simple, "61.734"),
        (Tree, Ll, "69.338"),
        (Tree, Ll128, "46.765"),
        (Tree, Simple, "78.647"),
    ];
    for (algorithm, protocol, expected) in at_1_mib {
        let what = format!("{algorithm:?} {protocol:?}");
        assert_eq!(time(&HOPPER, algorithm, protocol, MIB), expected, "{what}");
    }
    assert_eq!(best(&HOPPER, MIB), (Ring, Ll, "28.014".into()));
    assert_eq!(best(&HOPPER, 256 * MIB), (Ring, Simple, "1524.006".into()));
    let two_nodes = System { nodes: 2, ranks: 16, ..HOPPER };
    assert_eq!(best(&two_nodes, 64 * KIB), (Tree, Ll, "30.801".into()));
    assert_eq!(best(&two_nodes, MIB), (Tree, Ll128, "61.164".into()));
    assert_eq!(best(&two_nodes, 16 * MIB), (Ring, Ll128, "182.052".into()));
}

#[test]
fn only_what_nccl_serves_is_considered() {
    let rails = System { nodes: 8, ..HOPPER };
    let serves = |system: &System, verb, algorithm| {
        Protocol::ALL.map(|p| system.estimate(verb, algorithm, p).is_some())
    };
    let (all, none, simple) = ([true; 3], [false; 3], [false, false, true]);
    for verb in Verb::ALL {
        let (ring, tree, pat) = match verb {
            Verb::AllReduce => (all, all, none),
            Verb::AllGather | Verb::ReduceScatter => (all, none, simple),
            Verb::Broadcast | Verb::Reduce => (all, none, none),
            _ => (none, none, none),
        };
        assert_eq!(serves(&rails, verb, Ring), ring, "{verb:?}");
        assert_eq!(serves(&rails, verb, Tree), tree, "{verb:?}");
        assert_eq!(serves(&rails, verb, Pat), pat, "{verb:?}");
        assert_eq!(serves(&HOPPER, verb, Pat), none, "{verb:?}: PAT takes one GPU per node");
    }
    // LL128 needs NVLink inside the nodes, if there is an inside.
    let pci = System { hardware: Hardware::Pci, ..HOPPER };
    assert_eq!(serves(&pci, Verb::AllReduce, Ring), [true, false, true]);
    assert_eq!(serves(&System { nodes: 8, ..pci }, Verb::AllReduce, Ring), all);
    let alone = System { ranks: 1, ..HOPPER };
    assert_eq!(alone.best(Verb::AllReduce, MIB), None);
}

/// What the hop, the host and the number of nodes change, on paper.
#[test]
fn the_terms_of_a_latency_are_where_they_belong() {
    let latency = |system: &System, verb, algorithm, protocol| {
        let found = system.estimate(verb, algorithm, protocol);
        printed(found.expect("NCCL considers it").latency_us)
    };
    let rails = System { nodes: 8, ..HOPPER };
    let (gather, sum) = (Verb::AllGather, Verb::AllReduce);
    // One GPU per node: 7 hops of a tree's network latency.
    assert_eq!(latency(&rails, gather, Ring, Ll), printed(6.6 + 7.0 * 5.0));
    assert_eq!(latency(&rails, gather, Pat, Simple), printed(8.0 + 3.0 * 14.0 / 3.5 + 8.0 * 2.8));
    // Over nodes each step of a ring posts to the network: on AMD that takes longer than a hop.
    let amd = System { cpu: Cpu::Amd, nodes: 2, ranks: 16, ..HOPPER };
    assert_eq!(latency(&amd, gather, Ring, Ll), printed(6.6 + 14.0 * 2.0 + 2.7));
    assert_eq!(latency(&amd, gather, Ring, Simple), printed(8.4 + 14.0 * 6.0 + 14.0));
    let pci = System { hardware: Hardware::Pci, ..HOPPER };
    assert_eq!(latency(&pci, sum, Tree, Simple), printed(8.4 + 2.0 * 7.0 * 4.0));
    assert_eq!(latency(&pci, Verb::Broadcast, Ring, Ll), printed(6.6 + 1.0));
    // The plateau of a ring over nodes: from 64 bytes for each channel and rank on.
    let two = System { nodes: 2, ranks: 16, ..HOPPER };
    let from = 64 * 32 * 16;
    let small = time(&two, Ring, Simple, from - 1).parse::<f64>().expect("a number");
    let large = time(&two, Ring, Simple, from).parse::<f64>().expect("a number");
    let plain = 8.4 + 28.0 * 3.4 + 2.0 * 14.0;
    assert!((large - small - 0.4 * plain).abs() < 0.01, "{small} {large}");
}

/// More bytes never take less time over a ring.
#[test]
fn rings_take_longer_for_more() {
    for nodes in [1, 2, 8] {
        let system = System { nodes, ranks: 8 * nodes, ..HOPPER };
        for protocol in Protocol::ALL {
            let time = |log: u32| system.time_us(Verb::AllReduce, Ring, protocol, 1 << log);
            let times: Vec<_> = (10..31).map(|log| time(log).expect("NCCL considers it")).collect();
            assert!(times.is_sorted() && times[0] > 0.0, "{nodes} nodes, {protocol:?}");
        }
    }
}
