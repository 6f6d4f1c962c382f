//! Where the constants of the modelled clock come from.

/// A set of links that are all alike, and the constants of one message over them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Topology {
    /// The name used in URLs.
    pub name: &'static str,
    /// The name engineers write.
    pub title: &'static str,
    /// Start-up of one message, in microseconds.
    pub alpha_us: f64,
    /// Bytes per microsecond that one port moves (1000 bytes per microsecond are 1 GB/s).
    pub bytes_per_us: f64,
    /// Bytes per microsecond that a rank reduces.
    pub reduce_bytes_per_us: f64,
    /// Messages a rank can send, and receive, at the same time at full speed each.
    pub ports: usize,
    /// Where the figures are published.
    pub source: &'static str,
}

/// The presets. Latency is NCCL's hop latency for the Simple protocol over rings; bandwidth is what
/// NCCL's topology search counts for the link. The speed of a reduction on a GPU hides behind the
/// link's, so it is set to the memory bandwidth that each vendor's data sheet names, over three
/// (two reads and a write).
pub static TOPOLOGIES: [Topology; 5] = [
    Topology {
        name: "nvlink-hopper",
        title: "NVLink 4 (Hopper, 18 links)",
        alpha_us: 3.4,
        bytes_per_us: 18.0 * 20_600.0,
        reduce_bytes_per_us: 3_350_000.0 / 3.0,
        ports: 1,
        source: "NCCL 2.30 graph/tuning.cc, graph/topo.h; H100 data sheet",
    },
    Topology {
        name: "nvlink-ampere",
        title: "NVLink 3 (Ampere, 12 links)",
        alpha_us: 3.4,
        bytes_per_us: 12.0 * 20_000.0,
        reduce_bytes_per_us: 2_039_000.0 / 3.0,
        ports: 1,
        source: "NCCL 2.30 graph/tuning.cc, graph/topo.h; A100 80GB data sheet",
    },
    Topology {
        name: "pcie3",
        title: "PCIe 3.0 x16",
        alpha_us: 5.7,
        bytes_per_us: 12_000.0,
        reduce_bytes_per_us: 900_000.0 / 3.0,
        ports: 1,
        source: "NCCL 2.30 graph/tuning.cc, graph/topo.h; V100 data sheet",
    },
    Topology {
        name: "net-100g",
        title: "100 Gb/s network",
        alpha_us: 14.0,
        bytes_per_us: 12_000.0,
        reduce_bytes_per_us: 2_039_000.0 / 3.0,
        ports: 1,
        source: "NCCL 2.30 graph/tuning.cc, graph/topo.h; A100 80GB data sheet",
    },
    Topology {
        name: "mesh",
        title: "Full mesh of 7 links (Ascend server)",
        alpha_us: 14.0,
        bytes_per_us: 28_000.0,
        reduce_bytes_per_us: 1_600_000.0 / 3.0,
        ports: 7,
        source: "HCCL mesh, one port per peer; 196 GB/s over 7 links, Atlas 800T A2 data sheet",
    },
];

impl Topology {
    /// The preset of this name.
    pub fn find(name: &str) -> Option<&'static Topology> {
        TOPOLOGIES.iter().find(|t| t.name == name)
    }
}
