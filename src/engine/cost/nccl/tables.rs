//! The measured constants of NCCL 2.30's `src/graph/tuning.cc`. Facts only; rows are LL, LL128,
//! Simple.

use super::{Architecture, Cpu};

/// Microseconds before anything moves, for tree, ring and PAT.
pub const BASE_LATENCY: [[f64; 3]; 3] = [[6.8, 14.0, 8.4], [6.6, 14.0, 8.4], [8.0, 8.0, 8.0]];

/// Microseconds of one hop over NVLink, PCI and a network, for tree, ring and PAT.
pub const HOP_LATENCY: [[[f64; 3]; 3]; 3] = [
    [[0.6, 1.25, 4.0], [0.6, 1.9, 3.4], [0.0, 0.0, 4.0]],
    [[1.0, 1.9, 4.0], [1.0, 2.5, 5.7], [0.0, 0.0, 4.0]],
    [[5.0, 8.5, 14.0], [2.7, 4.0, 14.0], [0.0, 0.0, 14.0]],
];

/// How much of its bandwidth a tree reaches, for 64 B, 128 B, ... 256 MiB.
pub const TREE_CORRECTION: [[f64; 23]; 3] = [
    [
        1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5, 0.4, 0.4, 0.5, 0.6, 0.7, 0.8,
        0.9, 1.0, 1.0, 1.0, 1.0,
    ],
    [
        1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.8, 0.9,
        0.9, 0.9, 0.9, 1.0, 1.0,
    ],
    [
        0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.5, 0.5, 0.5, 0.6, 0.7, 0.8,
        0.7, 0.7, 0.8, 0.9, 0.9,
    ],
];

/// The most that is ever reached, in GB/s.
pub struct Most {
    /// All channels together, with LL.
    pub ll: f64,
    /// A channel of a ring with LL128.
    pub ring_ll128: f64,
    /// A channel of a tree with LL128.
    pub tree_ll128: f64,
    /// A channel of a tree.
    pub tree: f64,
}

/// The limits for one node, two, and more. Over several nodes those of LL depend on the host.
pub fn most(architecture: Architecture, cpu: Cpu, nodes: usize) -> Most {
    const LL: [[f64; 3]; 4] =
        [[39.0, 39.0, 20.4], [87.7, 22.5, 19.0], [141.0, 45.0, 35.0], [282.0, 90.0, 70.0]];
    const RING_LL128: [f64; 4] = [20.0, 20.0, 36.7, 40.0];
    const TREE_LL128: [[f64; 3]; 4] =
        [[20.0, 20.0, 20.0], [20.0, 20.0, 20.0], [36.7, 36.7, 29.0], [55.6, 31.67, 20.0]];
    const TREE: [[f64; 3]; 4] =
        [[26.5, 18.5, 10.0], [24.0, 23.6, 17.8], [38.7, 41.4, 36.0], [70.0, 42.8, 24.0]];
    let (row, column) = (architecture as usize, nodes.clamp(1, 3) - 1);
    let host = match cpu {
        Cpu::Intel => 0,
        Cpu::Amd => 1,
    };
    Most {
        ll: LL[if nodes == 1 { row } else { host }][column],
        ring_ll128: RING_LL128[row],
        tree_ll128: TREE_LL128[row][column],
        tree: TREE[row][column],
    }
}
