//! The machines that can be chosen, and where their constants come from.
//!
//! - α: NCCL's latency of one hop with the Simple protocol over a ring; it counts the same for
//!   every network. Ascend's is assumed to be that of a network.
//! - NVLink: NCCL's bandwidth of a link, times the links of a GPU. PCI Express: NCCL's 12 GB/s for
//!   generation 3 on 16 lanes, doubled for each later one, as NCCL does.
//! - Networks: derived, the line rate times the share of a full packet that is payload.
//! - Reduction: derived, a third of the memory bandwidth in the data sheet, for two reads and a
//!   write.

use super::nccl::{Architecture, Hardware};
use super::topology::{Family, Gpus, Links, Nodes, Topology, Wiring};

const AMPERE: Gpus =
    Gpus { architecture: Architecture::Ampere, hardware: Hardware::NvLink, channels: 12 };
const HOPPER: Gpus =
    Gpus { architecture: Architecture::Hopper, hardware: Hardware::NvLink, channels: 16 };
const BLACKWELL: Gpus =
    Gpus { architecture: Architecture::Blackwell, hardware: Hardware::NvLink, channels: 16 };

/// These GPUs where they have no NVLink to each other.
const fn on_pci(gpus: Gpus) -> Gpus {
    Gpus { hardware: Hardware::Pci, channels: 2, ..gpus }
}

/// Bytes per microsecond of a reduction, from memory bandwidth in GB/s.
const fn reduces(memory_gb_s: f64) -> f64 {
    memory_gb_s * 1000.0 / 3.0
}

const V100: f64 = reduces(900.0);
const A100: f64 = reduces(2039.0);
const A100_PCIE: f64 = reduces(1935.0);
const H100: f64 = reduces(3350.0);
const H100_PCIE: f64 = reduces(2000.0);
const B200: f64 = reduces(8000.0);
const ASCEND: f64 = reduces(1600.0);

const fn switched(alpha_us: f64, bytes_per_us: f64) -> Links {
    Links { alpha_us, bytes_per_us, wiring: Wiring::Switch }
}

const NVLINK_3: Links = switched(3.4, 12.0 * 20_000.0);
const NVLINK_4: Links = switched(3.4, 18.0 * 20_600.0);
const NVLINK_5: Links = switched(3.4, 18.0 * 40_100.0);
const ASCEND_MESH: Links = Links { alpha_us: 14.0, bytes_per_us: 28_000.0, wiring: Wiring::Mesh };

/// PCI Express on 16 lanes.
const fn pcie(generation: u32) -> Links {
    switched(5.7, 12_000.0 * (1u32 << (generation - 3)) as f64)
}

/// A network of so many Gb/s, of whose packets a share is payload.
const fn network(gb_s: f64, payload: f64, packet: f64) -> Links {
    switched(14.0, gb_s * 125.0 * payload / packet)
}

/// 4096 bytes in a packet, with local and base transport headers and two checksums.
const fn infiniband(gb_s: f64) -> Links {
    network(gb_s, 4096.0, 4096.0 + 8.0 + 12.0 + 4.0 + 2.0)
}

/// 4096 bytes in an Ethernet frame with gap and preamble, over IP and UDP, with base transport
/// header and checksum.
const fn roce(gb_s: f64) -> Links {
    network(gb_s, 4096.0, 4096.0 + 38.0 + 20.0 + 8.0 + 12.0 + 4.0)
}

/// 1500 bytes in a frame, 52 of them headers of IP and TCP with time stamps.
const fn tcp(gb_s: f64) -> Links {
    network(gb_s, 1500.0 - 52.0, 1500.0 + 38.0)
}

/// GPUs or NPUs that all hang on links of one kind.
const fn flat(
    family: Family,
    (name, title): (&'static str, &'static str),
    links: Links,
    reduce_bytes_per_us: f64,
    gpus: Option<Gpus>,
    source: &'static str,
) -> Topology {
    Topology { name, title, family, links, nodes: None, reduce_bytes_per_us, gpus, source }
}

/// The same in nodes of so many, with so many NICs.
const fn in_nodes(
    flat: Topology,
    (name, title): (&'static str, &'static str),
    (ranks, nics): (usize, usize),
    links: Links,
    source: &'static str,
) -> Topology {
    Topology { name, title, nodes: Some(Nodes { ranks, nics, links }), source, ..flat }
}

const NVLINK_HOPPER: Topology = flat(
    Family::NvLink,
    ("nvlink-hopper", "NVLink 4 (Hopper, 18 links)"),
    NVLINK_4,
    H100,
    Some(HOPPER),
    "NCCL 2.30 graph/tuning.cc, graph/topo.h; H100 data sheet",
);
const NVLINK_AMPERE: Topology = flat(
    Family::NvLink,
    ("nvlink-ampere", "NVLink 3 (Ampere, 12 links)"),
    NVLINK_3,
    A100,
    Some(AMPERE),
    "NCCL 2.30 graph/tuning.cc, graph/topo.h; A100 80GB data sheet",
);
const NVLINK_BLACKWELL: Topology = flat(
    Family::NvLink,
    ("nvlink-blackwell", "NVLink 5 (Blackwell, 18 links)"),
    NVLINK_5,
    B200,
    Some(BLACKWELL),
    "NCCL 2.30 graph/tuning.cc, graph/topo.h; HGX B200 data sheet",
);
const PCIE_4: Topology = flat(
    Family::Pcie,
    ("pcie4", "PCIe 4.0 x16"),
    pcie(4),
    A100_PCIE,
    Some(on_pci(AMPERE)),
    "NCCL 2.30 graph/tuning.cc, graph/topo.h, graph/topo.cc; A100 PCIe data sheet",
);
const ASCEND_NODE: Topology = flat(
    Family::Ascend,
    ("ascend-mesh", "Full mesh of 7 links (Ascend server)"),
    ASCEND_MESH,
    ASCEND,
    None,
    "HCCL mesh, one port per peer; 196 GB/s over 7 links, Atlas 800T A2 data sheet",
);

const fn in_family(family: Family, topology: Topology) -> Topology {
    Topology { family, ..topology }
}

/// GPUs, and how fast they reduce.
type Fast = (f64, Gpus);
const A100S: Fast = (A100, AMPERE);
const H100S: Fast = (H100, HOPPER);
const B200S: Fast = (B200, BLACKWELL);

const fn ib(name: &'static str, title: &'static str, gb_s: f64, gpus: Fast) -> Topology {
    let source = "NCCL 2.30 graph/tuning.cc; InfiniBand Architecture Specification 1.7";
    let (speed, gpus) = (gpus.0, Some(on_pci(gpus.1)));
    flat(Family::InfiniBand, (name, title), infiniband(gb_s), speed, gpus, source)
}

const fn over_roce(name: &'static str, title: &'static str, gb_s: f64, gpus: Fast) -> Topology {
    let source = "NCCL 2.30 graph/tuning.cc; InfiniBand Architecture Specification, annex A17";
    let (speed, gpus) = (gpus.0, Some(on_pci(gpus.1)));
    flat(Family::Roce, (name, title), roce(gb_s), speed, gpus, source)
}

const fn over_tcp(name: &'static str, title: &'static str, gb_s: f64) -> Topology {
    let source = "NCCL 2.30 graph/tuning.cc; IEEE 802.3, RFC 9293, RFC 7323";
    flat(Family::Ethernet, (name, title), tcp(gb_s), A100, Some(on_pci(AMPERE)), source)
}

/// The presets, family by family; the first is the default.
pub static TOPOLOGIES: [Topology; 26] = [
    NVLINK_HOPPER,
    NVLINK_AMPERE,
    NVLINK_BLACKWELL,
    flat(
        Family::Pcie,
        ("pcie3", "PCIe 3.0 x16"),
        pcie(3),
        V100,
        Some(Gpus { architecture: Architecture::Volta, ..on_pci(AMPERE) }),
        "NCCL 2.30 graph/tuning.cc, graph/topo.h; V100 data sheet",
    ),
    PCIE_4,
    flat(
        Family::Pcie,
        ("pcie5", "PCIe 5.0 x16"),
        pcie(5),
        H100_PCIE,
        Some(on_pci(HOPPER)),
        "NCCL 2.30 graph/tuning.cc, graph/topo.h, graph/topo.cc; H100 PCIe data sheet",
    ),
    in_nodes(
        PCIE_4,
        ("pcie4-4x1", "PCIe 4.0, 4 GPUs a switch, one x16 up to the root"),
        (4, 1),
        pcie(4),
        "NCCL 2.30 graph/tuning.cc, graph/topo.h, graph/topo.cc; A100 PCIe data sheet",
    ),
    in_family(
        Family::Nodes,
        in_nodes(
            NVLINK_AMPERE,
            ("ampere-8x8", "8 Ampere GPUs a node, 8 NICs of 200 Gb/s"),
            (8, 8),
            infiniband(200.0),
            "NCCL 2.30 graph/tuning.cc, graph/topo.h; DGX A100 data sheet",
        ),
    ),
    in_family(
        Family::Nodes,
        in_nodes(
            NVLINK_HOPPER,
            ("hopper-8x8", "8 Hopper GPUs a node, 8 NICs of 400 Gb/s"),
            (8, 8),
            infiniband(400.0),
            "NCCL 2.30 graph/tuning.cc, graph/topo.h; DGX H100 data sheet",
        ),
    ),
    in_family(
        Family::Nodes,
        in_nodes(
            NVLINK_HOPPER,
            ("hopper-8x1", "8 Hopper GPUs a node, one NIC of 400 Gb/s"),
            (8, 1),
            infiniband(400.0),
            "NCCL 2.30 graph/tuning.cc, graph/topo.h; H100 data sheet",
        ),
    ),
    in_family(
        Family::Nodes,
        in_nodes(
            NVLINK_HOPPER,
            ("hopper-4x4", "4 Hopper GPUs a node, 4 NICs of 200 Gb/s"),
            (4, 4),
            infiniband(200.0),
            "NCCL 2.30 graph/tuning.cc, graph/topo.h; H100 data sheet",
        ),
    ),
    in_family(
        Family::Nodes,
        in_nodes(
            NVLINK_BLACKWELL,
            ("blackwell-8x8", "8 Blackwell GPUs a node, 8 NICs of 400 Gb/s"),
            (8, 8),
            infiniband(400.0),
            "NCCL 2.30 graph/tuning.cc, graph/topo.h; DGX B200 data sheet",
        ),
    ),
    in_family(
        Family::Nodes,
        in_nodes(
            NVLINK_BLACKWELL,
            ("blackwell-72x72", "72 Blackwell GPUs a rack, 72 NICs of 400 Gb/s"),
            (72, 72),
            infiniband(400.0),
            "NCCL 2.30 graph/tuning.cc, graph/topo.h; GB200 NVL72 data sheet",
        ),
    ),
    ib("ib-100", "InfiniBand 100 Gb/s (EDR)", 100.0, A100S),
    ib("ib-200", "InfiniBand 200 Gb/s (HDR)", 200.0, A100S),
    ib("ib-400", "InfiniBand 400 Gb/s (NDR)", 400.0, H100S),
    ib("ib-800", "InfiniBand 800 Gb/s (XDR)", 800.0, B200S),
    over_roce("roce-100", "RoCE 100 Gb/s", 100.0, A100S),
    over_roce("roce-200", "RoCE 200 Gb/s", 200.0, A100S),
    over_roce("roce-400", "RoCE 400 Gb/s", 400.0, H100S),
    over_roce("roce-800", "RoCE 800 Gb/s", 800.0, B200S),
    over_tcp("eth-10", "Ethernet 10 Gb/s (TCP)", 10.0),
    over_tcp("eth-25", "Ethernet 25 Gb/s (TCP)", 25.0),
    over_tcp("eth-100", "Ethernet 100 Gb/s (TCP)", 100.0),
    ASCEND_NODE,
    in_nodes(
        ASCEND_NODE,
        ("ascend-8x8", "8 Ascend NPUs a node, 8 NICs of 200 Gb/s (RoCE)"),
        (8, 8),
        roce(200.0),
        "HCCL mesh; Atlas 800T A2 data sheet; InfiniBand Architecture Specification, annex A17",
    ),
];
