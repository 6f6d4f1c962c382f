//! What links the ranks, and what messages can get in each other's way.
//!
//! All ranks hang on links of one kind, or they sit in nodes: then the links inside a node are of
//! one kind and those between nodes of another, over network cards (NICs) that ranks of a node may
//! have to share. Consecutive ranks share a node, and rank i of a node of g uses NIC i · NICs / g.
//!
//! Example, 16 ranks in nodes of 8 with 4 NICs: a message from rank 0 to rank 2 takes the way out
//! of rank 0 and the way into rank 2; one from rank 1 to rank 9 the way out of the first NIC of
//! node 0, which rank 0 uses as well, and the way into the first NIC of node 1.
//!
//! These nodes are the machine's. How many ranks an algorithm takes for a node is the algorithm's
//! own affair, and it may be wrong about that.

use super::nccl::{Architecture, Cpu, Hardware, System};
use crate::engine::Rank;

/// Links, and the constants of messages over them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Topology {
    /// The name used in URLs.
    pub name: &'static str,
    /// The name engineers write.
    pub title: &'static str,
    /// What kind of machine it is.
    pub family: Family,
    /// The links among all ranks, or among those of a node.
    pub links: Links,
    /// The nodes, if there are several kinds of links.
    pub nodes: Option<Nodes>,
    /// Bytes per microsecond that a rank reduces.
    pub reduce_bytes_per_us: f64,
    /// The GPUs that NCCL's model knows constants for, if those are what is linked.
    pub gpus: Option<Gpus>,
    /// Where the figures are published.
    pub source: &'static str,
}

/// Topologies that belong together, and whose constants come about in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// GPUs of one NVLink domain.
    NvLink,
    /// GPUs on a PCI Express switch.
    Pcie,
    /// GPUs in nodes: fast links inside, NICs between.
    Nodes,
    /// One rank a machine, over InfiniBand.
    InfiniBand,
    /// One rank a machine, over RoCE.
    Roce,
    /// One rank a machine, over TCP.
    Ethernet,
    /// Ascend NPUs.
    Ascend,
}

/// Links of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Links {
    /// Start-up of one message, in microseconds.
    pub alpha_us: f64,
    /// Bytes per microsecond that one port moves each way (1000 of them are 1 GB/s).
    pub bytes_per_us: f64,
    /// What a port leads to.
    pub wiring: Wiring,
}

/// How many ports a rank has, and what they lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wiring {
    /// One port, to a switch that never blocks.
    Switch,
    /// One port for each other rank, and a cable to it.
    Mesh,
}

/// Ranks in nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nodes {
    /// Ranks of a node; the last may have fewer.
    pub ranks: usize,
    /// NICs of a node, at most as many.
    pub nics: usize,
    /// The links between nodes, one port a NIC.
    pub links: Links,
}

/// What NCCL's tuning model has to know of the GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gpus {
    /// Their generation.
    pub architecture: Architecture,
    /// What links them inside a node.
    pub hardware: Hardware,
    /// Channels that NCCL's search is assumed to find.
    pub channels: usize,
}

/// Something that carries one message at a time. NICs are called after the first rank that uses
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The way out of a rank.
    Out(Rank),
    /// The way into a rank.
    In(Rank),
    /// The cable from a rank to another.
    Cable(Rank, Rank),
    /// The way out of a node, over one of its NICs.
    NicOut(Rank),
    /// The way into a node.
    NicIn(Rank),
}

impl Topology {
    /// The preset of this name.
    pub fn find(name: &str) -> Option<&'static Topology> {
        super::TOPOLOGIES.iter().find(|t| t.name == name)
    }

    /// The nodes, if `ranks` ranks fill more than one.
    pub fn nodes_of(&self, ranks: usize) -> Option<Nodes> {
        self.nodes.filter(|nodes| ranks > nodes.ranks)
    }

    /// The links that are slowest for a large message between any of `ranks` ranks: what the rounds
    /// model, which knows one kind only, computes with.
    pub fn slowest(&self, ranks: usize) -> Links {
        self.nodes_of(ranks).map_or(self.links, |nodes| nodes.links)
    }

    /// The links that a message between two of `ranks` ranks takes, and what it occupies at both
    /// ends. A switch that computes, whose number follows those of the ranks, has a port for each.
    pub fn way(&self, ranks: usize, from: Rank, to: Rank) -> (Links, Place, Place) {
        match (self.nodes_of(ranks), self.links.wiring) {
            _ if to >= ranks => (self.links, Place::Out(from), Place::Out(from)),
            _ if from >= ranks => (self.links, Place::In(to), Place::In(to)),
            (Some(nodes), _) if from / nodes.ranks != to / nodes.ranks => {
                (nodes.links, Place::NicOut(nodes.nic(from)), Place::NicIn(nodes.nic(to)))
            }
            (_, Wiring::Switch) => (self.links, Place::Out(from), Place::In(to)),
            (_, Wiring::Mesh) => (self.links, Place::Cable(from, to), Place::Cable(from, to)),
        }
    }

    /// Whether `ranks` ranks share a switch that can add: NVLink's can from Hopper on.
    pub fn adds(&self, ranks: usize) -> bool {
        let switch = |gpus: Gpus| {
            let adds = matches!(gpus.architecture, Architecture::Hopper | Architecture::Blackwell);
            adds && gpus.hardware == Hardware::NvLink
        };
        self.nodes_of(ranks).is_none() && self.gpus.is_some_and(switch)
    }

    /// What NCCL knows of `ranks` ranks here; `None` where it does not run.
    ///
    /// Its search for paths is not modelled: the channels are assumed, and share what the links of
    /// one GPU move, or between nodes what the NICs of one node do if that is less.
    pub fn nccl(&self, ranks: usize) -> Option<System> {
        let Gpus { architecture, hardware, channels } = self.gpus?;
        let network = matches!(self.family, Family::InfiniBand | Family::Roce | Family::Ethernet);
        let (nodes, bytes_per_us) = match self.nodes_of(ranks) {
            None if network => (ranks, self.links.bytes_per_us),
            None => (1, self.links.bytes_per_us),
            Some(Nodes { ranks: size, nics, links }) => {
                let out = nics as f64 * links.bytes_per_us;
                (ranks.div_ceil(size), self.links.bytes_per_us.min(out))
            }
        };
        let gb_s = bytes_per_us / 1000.0 / channels as f64;
        Some(System {
            architecture,
            cpu: Cpu::Intel,
            hardware,
            nodes,
            ranks,
            channels,
            intra_gb_s: gb_s,
            inter_gb_s: gb_s,
        })
    }
}

impl Nodes {
    /// The first rank that uses the NIC of `rank`.
    pub fn nic(&self, rank: Rank) -> Rank {
        let nic = rank % self.ranks * self.nics / self.ranks;
        rank - rank % self.ranks + (nic * self.ranks).div_ceil(self.nics)
    }
}
