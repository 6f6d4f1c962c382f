//! NCCL's tuning model: what NCCL 2.30 expects of its own algorithms when it chooses between them.
//!
//! For each algorithm and protocol it knows a latency and a bandwidth; T = latency + bytes /
//! bandwidth. Both follow from tables of measured constants, the number of nodes and ranks, and the
//! channels that its search for paths has found. Source: `src/graph/tuning.cc`.
//!
//! Example, AllReduce over 8 Hopper GPUs of one node with 16 channels of 20 GB/s: the ring with the
//! Simple protocol has 8.4 µs + 14 hops of 3.4 µs, and 320 GB/s times 8/14. For 1 MiB NCCL picks
//! the ring with LL, 28 µs; for 256 MiB the ring with Simple, 1524 µs.
//!
//! Left out: NVLS and CollNet, whose channels come from searches of their own; corrections for
//! POWER CPUs, fp8, and channels that are not alike.

mod tables;

use crate::engine::collective::Verb;
use tables::{BASE_LATENCY, HOP_LATENCY, TREE_CORRECTION};

/// NCCL's algorithms, as far as they are modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Double binary tree over the nodes, a chain inside each.
    Tree,
    /// Ring over all ranks.
    Ring,
    /// Parallel aggregated trees, with one GPU per node only.
    Pat,
}

/// How data and flags travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Low latency: half of every 8 bytes is a flag.
    Ll,
    /// Low latency, 128 bytes: 8 bytes of every 128 are a flag.
    Ll128,
    /// Large chunks, then a fence.
    Simple,
}

/// Generations of GPUs that have constants of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// V100.
    Volta,
    /// A100.
    Ampere,
    /// H100.
    Hopper,
    /// B200.
    Blackwell,
}

/// Makers of host CPUs that have constants of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// Intel, and whatever is neither.
    Intel,
    /// AMD.
    Amd,
}

/// What links ranks of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hardware {
    /// NVLink.
    NvLink,
    /// PCI Express.
    Pci,
}

/// What NCCL knows of a communicator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct System {
    /// The GPUs.
    pub architecture: Architecture,
    /// The host's CPU.
    pub cpu: Cpu,
    /// What is inside a node.
    pub hardware: Hardware,
    /// Nodes, at least 1.
    pub nodes: usize,
    /// Ranks on all nodes, at least as many.
    pub ranks: usize,
    /// Channels that the search found, at least 1.
    pub channels: usize,
    /// GB/s of one channel inside a node; used for one and two nodes.
    pub intra_gb_s: f64,
    /// GB/s of one channel between nodes; used for more.
    pub inter_gb_s: f64,
}

/// What NCCL expects of an algorithm with a protocol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Microseconds, whatever the size.
    pub latency_us: f64,
    /// GB/s of S.
    pub gb_s: f64,
}

/// What NCCL would choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The protocol.
    pub protocol: Protocol,
    /// The time it expects, in microseconds.
    pub time_us: f64,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 3] = [Algorithm::Ring, Algorithm::Tree, Algorithm::Pat];

    /// The name used in `NCCL_ALGO`, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Tree => "tree",
            Algorithm::Ring => "ring",
            Algorithm::Pat => "pat",
        }
    }
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 3] = [Protocol::Ll, Protocol::Ll128, Protocol::Simple];

    /// The name used in `NCCL_PROTO`.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Ll => "LL",
            Protocol::Ll128 => "LL128",
            Protocol::Simple => "Simple",
        }
    }
}

impl System {
    /// Latency and bandwidth of `verb`; `None` where NCCL does not consider the combination.
    pub fn estimate(&self, verb: Verb, algorithm: Algorithm, by: Protocol) -> Option<Estimate> {
        let supported = match (verb, algorithm) {
            (Verb::AllReduce, Algorithm::Ring | Algorithm::Tree) => true,
            (Verb::AllGather | Verb::ReduceScatter, Algorithm::Pat) => {
                by == Protocol::Simple && self.nodes == self.ranks
            }
            (Verb::AllGather | Verb::ReduceScatter, Algorithm::Ring) => true,
            (Verb::Broadcast | Verb::Reduce, Algorithm::Ring) => true,
            _ => false,
        };
        // LL128 relies on NVLink inside a node.
        let flags =
            by != Protocol::Ll128 || self.hardware == Hardware::NvLink || self.nodes == self.ranks;
        (supported && flags && self.ranks > 1).then(|| Estimate {
            latency_us: self.latency_us(verb, algorithm, by),
            gb_s: self.gb_s(verb, algorithm, by),
        })
    }

    /// The time of `verb` on `bytes` (S, as nccl-tests counts it), in microseconds.
    pub fn time_us(
        &self,
        verb: Verb,
        algorithm: Algorithm,
        by: Protocol,
        bytes: u64,
    ) -> Option<f64> {
        let Estimate { mut latency_us, mut gb_s } = self.estimate(verb, algorithm, by)?;
        let log_size = (bytes >> 6).checked_ilog2();
        if algorithm == Algorithm::Tree
            && let Some(factor) =
                log_size.and_then(|log| TREE_CORRECTION[by as usize].get(log as usize))
        {
            gb_s *= factor;
        }
        // A ring over several nodes has a plateau. NCCL uses every channel of the search twice.
        let per_step = bytes / (2 * self.channels * self.ranks) as u64;
        let plateau = algorithm == Algorithm::Ring
            && by == Protocol::Simple
            && verb == Verb::AllReduce
            && self.nodes > 1
            && per_step >= 64;
        if plateau {
            latency_us *= if self.architecture == Architecture::Volta { 1.9 } else { 1.4 };
        }
        Some(latency_us + bytes as f64 / (1000.0 * gb_s))
    }

    /// The fastest protocol of an algorithm.
    pub fn best_protocol(&self, verb: Verb, algorithm: Algorithm, bytes: u64) -> Option<Choice> {
        let choice = |protocol| {
            let time_us = self.time_us(verb, algorithm, protocol, bytes)?;
            Some(Choice { algorithm, protocol, time_us })
        };
        let choices = Protocol::ALL.into_iter().filter_map(choice);
        choices.min_by(|a, b| a.time_us.total_cmp(&b.time_us))
    }

    /// What NCCL would choose.
    pub fn best(&self, verb: Verb, bytes: u64) -> Option<Choice> {
        let choice = |algorithm| self.best_protocol(verb, algorithm, bytes);
        let choices = Algorithm::ALL.into_iter().filter_map(choice);
        choices.min_by(|a, b| a.time_us.total_cmp(&b.time_us))
    }

    /// Steps of a ring.
    fn steps(&self, verb: Verb) -> usize {
        match verb {
            Verb::AllReduce => 2 * (self.ranks - 1),
            Verb::AllGather | Verb::ReduceScatter => self.ranks - 1,
            _ => self.ranks,
        }
    }

    fn latency_us(&self, verb: Verb, algorithm: Algorithm, by: Protocol) -> f64 {
        let (nodes, per_node) = (self.nodes as f64, (self.ranks / self.nodes) as f64);
        let log_nodes = f64::from(self.nodes.ilog2());
        let hop = |place: usize, algorithm: Algorithm| {
            HOP_LATENCY[place][algorithm as usize][by as usize]
        };
        let inside = match self.hardware {
            Hardware::NvLink => 0,
            Hardware::Pci => 1,
        };
        let network = 2;
        let intra = hop(inside, algorithm);
        // With one GPU per node nothing hides the network's latency.
        let exposed = self.ranks == self.nodes;
        let inter = hop(network, if exposed { Algorithm::Tree } else { algorithm });
        BASE_LATENCY[algorithm as usize][by as usize]
            + match (algorithm, verb) {
                (Algorithm::Ring, Verb::Broadcast | Verb::Reduce) => {
                    hop(if self.nodes == 1 { inside } else { network }, algorithm)
                }
                (Algorithm::Ring, _) => {
                    let passes = if verb == Verb::AllReduce { 2.0 } else { 1.0 };
                    let between = passes * (nodes - 1.0);
                    let intra = intra.max(self.post_us(by));
                    (self.steps(verb) as f64 - between) * intra + between * inter
                }
                (Algorithm::Tree, _) => 2.0 * ((per_node - 1.0) * intra + log_nodes * inter),
                (Algorithm::Pat, _) => log_nodes * inter / 3.5 + 2.8 * self.ranks as f64,
            }
    }

    /// What posting a message to the network costs each step of a ring.
    fn post_us(&self, by: Protocol) -> f64 {
        let post = match self.cpu {
            Cpu::Intel => 1.0,
            Cpu::Amd => 2.0,
        };
        match by {
            _ if self.nodes == 1 => 0.0,
            Protocol::Simple => 3.0 * post,
            Protocol::Ll | Protocol::Ll128 => post,
        }
    }

    fn gb_s(&self, verb: Verb, algorithm: Algorithm, by: Protocol) -> f64 {
        let most = tables::most(self.architecture, self.cpu, self.nodes);
        let channels = self.channels as f64;
        let bus = channels * if self.nodes <= 2 { self.intra_gb_s } else { self.inter_gb_s };
        match algorithm {
            Algorithm::Ring => {
                let bus = match by {
                    Protocol::Ll => most.ll.min(0.5 * bus),
                    Protocol::Ll128 => (0.92 * bus).min(channels * most.ring_ll128),
                    Protocol::Simple => bus,
                };
                bus * self.ranks as f64 / self.steps(verb) as f64
            }
            Algorithm::Tree => {
                let bus = (0.92 * bus).min(channels * most.tree);
                let flags = if self.nodes == 1 { 7.0 / 9.0 } else { 120.0 / 128.0 };
                let bus = match by {
                    Protocol::Ll => (bus / 3.8).min(most.ll),
                    Protocol::Ll128 => (flags * bus).min(channels * most.tree_ll128),
                    Protocol::Simple => bus,
                };
                0.5 * bus
            }
            Algorithm::Pat => 0.75 * bus,
        }
    }
}
