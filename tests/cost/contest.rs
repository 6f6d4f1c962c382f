//! Which algorithm is fastest, from which size.

use super::{SIZE, close, schedule};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::contest::{Entrant, fastest, nccl, sizes, winners};
use ringscope::engine::cost::nccl::Algorithm;
use ringscope::engine::cost::{TOPOLOGIES, Topology, event};
use ringscope::engine::memory::Lengths;
use ringscope::engine::tensor::Tensor;

#[test]
fn stretches_of_sizes_have_one_winner_each() {
    let (tree, ring) = ([3.0, 6.0, 9.0], [5.0, 6.0, 7.0]);
    assert_eq!(winners(&[&tree, &ring]), [(0, 0..=1), (1, 2..=2)]);
    // Of equals the first; a last digit does not count.
    assert_eq!(winners(&[&ring, &tree]), [(1, 0..=0), (0, 1..=2)]);
    assert_eq!(fastest(&[&[1.0 + 1e-12], &[1.0]], 0), Some(0));
    assert_eq!(
        winners(&[&[2.0, 1.0, 2.0], &[1.0, 2.0, 1.0]]),
        [(1, 0..=0), (0, 1..=1), (1, 2..=2)]
    );
    assert_eq!(winners(&[]), []);
}

/// α, β and γ of a ring and of a binomial tree on paper, for AllReduce over 4 ranks.
#[test]
fn a_ring_and_a_tree_change_places_where_their_formulas_do() {
    for topology in TOPOLOGIES.iter().filter(|topology| topology.nodes_of(4).is_none()) {
        let links = topology.links;
        let formula = |[rounds, sent, reduced]: [f64; 3], bytes: f64| {
            rounds * links.alpha_us
                + sent * bytes / links.bytes_per_us
                + reduced * bytes / topology.reduce_bytes_per_us
        };
        let [ring, tree] =
            [("ring", [6.0, 1.5, 0.75]), ("tree", [4.0, 4.0, 2.0])].map(|(name, parts)| {
                let schedule = schedule(name, Verb::AllReduce, 4, 1);
                let entrant = Entrant::new(name, &schedule, SIZE, topology);
                for (at, bytes) in sizes().enumerate() {
                    let what = format!("{name}, {bytes} bytes on {}", topology.name);
                    close(entrant.rounds_us[at], formula(parts, bytes as f64), &what);
                }
                entrant
            });
        let found = winners(&[&ring.rounds_us, &tree.rounds_us]);
        // The tree saves two rounds, and costs 2.5 S more to send and 1.25 S to reduce.
        let worth =
            2.0 * links.alpha_us / (2.5 / links.bytes_per_us + 1.25 / topology.reduce_bytes_per_us);
        let smaller = sizes().filter(|&bytes| (bytes as f64) < worth).count();
        assert_eq!(found, [(1, 0..=smaller - 1), (0, smaller..=20)], "{}", topology.name);
    }
}

#[test]
fn every_size_is_simulated() {
    let hopper = Topology::find("hopper-4x4").expect("it is a preset");
    let tree = schedule("double-tree", Verb::AllReduce, 8, 2);
    let entrant = Entrant::new("double-tree", &tree, SIZE, hopper);
    for (at, bytes) in sizes().enumerate() {
        let lengths = Lengths::new(&tree.collective, &Tensor::flat(bytes as usize / SIZE));
        let alone = event::end(&event::timing(&tree, &lengths, SIZE, hopper));
        assert_eq!(entrant.event_us[at], alone, "{bytes} bytes");
    }
}

#[test]
fn nccl_answers_where_it_runs_and_has_a_choice() {
    let considered = |name: &str, verb, ranks| {
        let system = Topology::find(name).expect("it is a preset").nccl(ranks)?;
        Some(nccl(&system, verb).into_iter().map(|(algorithm, _)| algorithm).collect::<Vec<_>>())
    };
    let both = Some(vec![Algorithm::Ring, Algorithm::Tree]);
    for topology in TOPOLOGIES {
        let expected = if topology.name.starts_with("ascend") { None } else { both.clone() };
        assert_eq!(considered(topology.name, Verb::AllReduce, 16), expected, "{}", topology.name);
    }
    assert_eq!(considered("nvlink-hopper", Verb::AllToAll, 8), Some(vec![]));
    // PAT takes one GPU per node.
    let pat = Some(vec![Algorithm::Ring, Algorithm::Pat]);
    assert_eq!(considered("ib-400", Verb::AllGather, 8), pat);
    assert_eq!(considered("hopper-8x8", Verb::AllGather, 16), Some(vec![Algorithm::Ring]));
    // 16 ranks are 16 nodes, 2 nodes, or one.
    let nodes = |name: &str| Topology::find(name)?.nccl(16).map(|system| system.nodes);
    assert_eq!(
        [nodes("ib-400"), nodes("hopper-8x1"), nodes("pcie5")],
        [Some(16), Some(2), Some(1)]
    );
}
