//! The words of the links that modelled times are for.

use super::{Both, Lang, fill};
use crate::engine::cost::Topology;
use crate::engine::cost::topology::{Family, Nodes};

words! {
    /// The words of the links that modelled times are for.
    LinkWords {
        source: "Modelled times take the links' constants from", "模型所用的链路参数出自";
        nodes: "{ranks} {ranks|rank|ranks}, {nodes} {nodes|node|nodes} of {size}",
            "{ranks} 个 rank，每节点 {size} 个，共 {nodes} 个节点";
        one_node: "{ranks} {ranks|rank|ranks}, one node", "{ranks} 个 rank，同在一个节点";
        machine: "{size} consecutive ranks share a node of this machine, and its {nics} \
            {nics|NIC|NICs}.",
            "这台机器上，连续的 {size} 个 rank 同在一个节点，共用 {nics} 张网卡。";
        switches: "A node here is a PCIe switch: {size} consecutive ranks share it, and its {nics} \
            {nics|way|ways} up to the root.",
            "这里的“节点”是一个 PCIe 交换机：连续的 {size} 个 rank 接在同一个交换机上，共用 {nics} 条上联。";
        two_nodes: "The ranks per node that a hierarchical algorithm goes by are a choice of its \
            own. The rounds model takes every link for one between nodes, and knows of no queues.",
            "分层算法的“每节点 rank 数”是另一个选项，与此无关。按轮次的模型把所有链路都当作节点间链路，\
            也不考虑排队。";
    }
}

/// The name engineers write for a preset of links.
pub fn links_name(lang: Lang, links: &Topology) -> &'static str {
    match (lang, links.name) {
        (Lang::Zh, "nvlink-hopper") => "NVLink 4（Hopper，18 条链路）",
        (Lang::Zh, "nvlink-ampere") => "NVLink 3（Ampere，12 条链路）",
        (Lang::Zh, "nvlink-blackwell") => "NVLink 5（Blackwell，18 条链路）",
        (Lang::Zh, "pcie4-4x1") => "PCIe 4.0，每个交换机 4 块 GPU，一条 x16 上联",
        (Lang::Zh, "ampere-8x8") => "每节点 8 块 Ampere GPU、8 张 200 Gb/s 网卡",
        (Lang::Zh, "hopper-8x8") => "每节点 8 块 Hopper GPU、8 张 400 Gb/s 网卡",
        (Lang::Zh, "hopper-8x1") => "每节点 8 块 Hopper GPU、1 张 400 Gb/s 网卡",
        (Lang::Zh, "hopper-4x4") => "每节点 4 块 Hopper GPU、4 张 200 Gb/s 网卡",
        (Lang::Zh, "blackwell-8x8") => "每节点 8 块 Blackwell GPU、8 张 400 Gb/s 网卡",
        (Lang::Zh, "blackwell-72x72") => "每机柜 72 块 Blackwell GPU、72 张 400 Gb/s 网卡",
        (Lang::Zh, "eth-10") => "以太网 10 Gb/s（TCP）",
        (Lang::Zh, "eth-25") => "以太网 25 Gb/s（TCP）",
        (Lang::Zh, "eth-100") => "以太网 100 Gb/s（TCP）",
        (Lang::Zh, "ascend-mesh") => "7 条链路全互连（昇腾服务器）",
        (Lang::Zh, "ascend-8x8") => "每节点 8 个昇腾 NPU、8 张 200 Gb/s 网卡（RoCE）",
        _ => links.title,
    }
}

/// What a picker calls topologies that belong together, and how their constants come about, where
/// they are derived or assumed.
fn family_words(family: Family) -> [Both; 2] {
    let words = |en, zh, note_en, note_zh| [Both { en, zh }, Both { en: note_en, zh: note_zh }];
    match family {
        Family::NvLink => words(
            "One NVLink domain",
            "同一 NVLink 域",
            "Derived: bandwidth is that of a link times its number.",
            "推算：带宽为单条链路的带宽乘以链路条数。",
        ),
        Family::Pcie => words(
            "PCI Express",
            "PCI Express",
            "Derived: twice the bandwidth of the generation before. Assumed: a switch that never \
             blocks.",
            "推算：每一代的带宽是上一代的两倍。假设：交换机无阻塞。",
        ),
        Family::Nodes => words(
            "Nodes of GPUs",
            "多 GPU 节点",
            "Derived: a NIC's bandwidth is its line rate times the share of payload. Assumed: the \
             network never blocks, and the way from a GPU to its NIC costs nothing.",
            "推算：网卡带宽为线路速率乘以有效载荷占比。假设：网络无阻塞，GPU 到网卡的路径没有开销。",
        ),
        Family::InfiniBand | Family::Roce | Family::Ethernet => words(
            match family {
                Family::InfiniBand => "InfiniBand, one rank a machine",
                Family::Roce => "RoCE, one rank a machine",
                _ => "Ethernet, one rank a machine",
            },
            match family {
                Family::InfiniBand => "InfiniBand，每机一个 rank",
                Family::Roce => "RoCE，每机一个 rank",
                _ => "以太网，每机一个 rank",
            },
            "Derived: bandwidth is the line rate times the share of payload. α is NCCL's, which \
             counts the same for every network. Assumed: the GPUs, and a network that never \
             blocks.",
            "推算：带宽为线路速率乘以有效载荷占比。α 取自 NCCL，它对各种网络一视同仁。\
             假设：GPU 的型号，以及网络无阻塞。",
        ),
        Family::Ascend => words(
            "Ascend",
            "昇腾",
            "Assumed: α is that of a network in NCCL's tables; none is published for HCCS.",
            "假设：α 取 NCCL 表中网络的数值；HCCS 没有公开的数值。",
        ),
    }
}

/// What a picker calls topologies that belong together.
pub fn family_name(lang: Lang, family: Family) -> &'static str {
    family_words(family)[0].of(lang)
}

/// How the constants of a family come about, where they are derived or assumed.
pub fn family_note(lang: Lang, family: Family) -> &'static str {
    family_words(family)[1].of(lang)
}

/// Links, and how many nodes of them `ranks` ranks fill, if there are such things.
pub fn links_of(lang: Lang, links: &Topology, ranks: usize) -> String {
    let name = links_name(lang, links);
    let words = LinkWords::of(lang);
    let on = match (links.nodes, links.nodes_of(ranks)) {
        (None, _) => return name.into(),
        (Some(_), None) => fill(words.one_node, &[("ranks", &ranks)]),
        (_, Some(Nodes { ranks: size, .. })) => {
            let nodes = ranks.div_ceil(size);
            fill(words.nodes, &[("ranks", &ranks), ("nodes", &nodes), ("size", &size)])
        }
    };
    format!("{name}{}{on}", if lang == Lang::Zh { "：" } else { ": " })
}

/// What the nodes of a topology are, if it has any.
pub fn machine(lang: Lang, links: &Topology) -> Option<String> {
    let Nodes { ranks, nics, .. } = links.nodes?;
    let words = LinkWords::of(lang);
    let shared = if links.family == Family::Pcie { words.switches } else { words.machine };
    let shared = fill(shared, &[("size", &ranks), ("nics", &nics)]);
    Some(format!("{shared}{}{}", if lang == Lang::Zh { "" } else { " " }, words.two_nodes))
}

/// Every text of this file beside [`LinkWords`], for the tests that hold all words to the rules.
#[cfg(test)]
pub(super) fn pairs() -> Vec<(&'static str, Both)> {
    let all = crate::engine::cost::TOPOLOGIES.iter();
    all.flat_map(|t| family_words(t.family).map(|both| (t.name, both))).collect()
}
