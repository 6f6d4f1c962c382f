//! The double binary tree is NCCL's, edge by edge.

use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::collective::Verb;
use ringscope::engine::schedule::Schedule;

/// The parent of every node in both trees over 2 to 16 nodes; a root is its own.
const PARENTS: [[&[usize]; 2]; 15] = [
    [&[0, 0], &[1, 1]],
    [&[0, 2, 0], &[1, 1, 0]],
    [&[0, 2, 0, 2], &[1, 3, 1, 3]],
    [&[0, 2, 4, 2, 0], &[1, 1, 3, 0, 3]],
    [&[0, 2, 4, 2, 0, 4], &[1, 5, 3, 1, 3, 5]],
    [&[0, 2, 4, 2, 0, 6, 4], &[5, 1, 3, 5, 3, 1, 0]],
    [&[0, 2, 4, 2, 0, 6, 4, 6], &[1, 3, 1, 7, 5, 3, 5, 7]],
    [&[0, 2, 4, 2, 8, 6, 4, 6, 0], &[1, 1, 3, 5, 3, 0, 7, 5, 7]],
    [&[0, 2, 4, 2, 8, 6, 4, 6, 0, 8], &[1, 9, 3, 5, 3, 1, 7, 5, 7, 9]],
    [&[0, 2, 4, 2, 8, 6, 4, 6, 0, 10, 8], &[9, 1, 3, 5, 3, 9, 7, 5, 7, 1, 0]],
    [&[0, 2, 4, 2, 8, 6, 4, 6, 0, 10, 8, 10], &[1, 3, 1, 11, 5, 7, 5, 3, 9, 7, 9, 11]],
    [&[0, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8], &[9, 1, 3, 5, 3, 9, 7, 5, 7, 1, 11, 0, 11]],
    [
        &[0, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 12],
        &[1, 5, 3, 1, 3, 13, 7, 9, 7, 5, 11, 9, 11, 13],
    ],
    [
        &[0, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 14, 12],
        &[13, 1, 3, 5, 3, 9, 7, 5, 7, 1, 11, 13, 11, 9, 0],
    ],
    [
        &[0, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 14, 12, 14],
        &[1, 3, 1, 7, 5, 3, 5, 15, 9, 11, 9, 7, 13, 11, 13, 15],
    ],
];

fn double_tree(ranks: usize, ranks_per_node: usize) -> Schedule {
    let found = find("double-tree").expect("it is in the registry");
    let request = Request { ranks_per_node, ..Request::new(Verb::AllReduce, ranks) };
    found.build(&request).expect("it is not refused")
}

/// Whom every rank sends its sum to in a tree, or itself.
fn parents(schedule: &Schedule, tree: usize) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..schedule.programs.len()).collect();
    for m in schedule.messages().into_iter().filter(|m| m.channel == tree) {
        let phase = schedule.programs[m.to].ops[m.recv_op].phase;
        match phase {
            Verb::Reduce => parents[m.from] = m.to,
            _ => assert_eq!(phase, Verb::Broadcast),
        }
    }
    parents
}

#[test]
fn both_trees_are_nccls() {
    for (at, trees) in PARENTS.into_iter().enumerate() {
        let schedule = double_tree(at + 2, 1);
        let found = [0, 1].map(|tree| parents(&schedule, tree));
        assert_eq!(found, trees, "n={}", at + 2);
    }
}

#[test]
fn nobody_works_twice_and_both_trees_are_as_low_as_can_be() {
    for n in 2..=64 {
        let schedule = double_tree(n, 1);
        let trees = [0, 1].map(|tree| parents(&schedule, tree));
        let inner = |tree: &[usize], v: usize| (0..n).any(|child| child != v && tree[child] == v);
        let twice: Vec<usize> =
            (0..n).filter(|&v| trees.iter().all(|tree| inner(tree, v))).collect();
        // Over two nodes there is no third that could be leaf in both.
        assert!(twice.iter().all(|&v| n % 2 == 1 && v == 0), "n={n}: {twice:?}");
        for tree in &trees {
            let depth = |v: usize| {
                let way = std::iter::successors(Some(v), |&v| (tree[v] != v).then_some(tree[v]));
                way.count() - 1
            };
            let depth = (0..n).map(depth).max().expect("there are ranks");
            assert_eq!(depth, n.next_power_of_two().ilog2() as usize, "n={n}");
        }
    }
}

#[test]
fn inside_a_node_a_chain_hangs_below_the_first_rank() {
    for (nodes, size) in [(1, 4), (2, 2), (5, 3), (8, 8)] {
        let schedule = double_tree(nodes * size, size);
        for tree in [0, 1] {
            let over_nodes = match nodes {
                1 => vec![0],
                _ => PARENTS[nodes - 2][tree].to_vec(),
            };
            for (rank, parent) in parents(&schedule, tree).into_iter().enumerate() {
                let expected = match rank % size {
                    0 => over_nodes[rank / size] * size,
                    _ => rank - 1,
                };
                assert_eq!(parent, expected, "rank {rank} of {nodes} nodes of {size}");
            }
        }
    }
}

#[test]
fn sums_go_down_while_chunks_go_up() {
    use ringscope::engine::cost::rounds;
    for (name, depth) in [("chain", 7), ("binary-tree", 3), ("double-tree", 3)] {
        let found = find(name).expect("it is in the registry");
        for chunks in [1, 2, 5, 16] {
            let request = Request { chunks, ..Request::new(Verb::AllReduce, 8) };
            let schedule = found.build(&request).expect("it is not refused");
            let rounds = rounds::in_chunks(&schedule).rounds;
            assert_eq!(rounds, 2 * depth + chunks - 1, "{name} chunks={chunks}");
        }
    }
}
