//! The words of the panel that compares algorithms over sizes.

use super::{Lang, fill, units};
use std::ops::RangeInclusive;

words! {
    /// The words of the panel that compares algorithms over sizes.
    ContestWords {
        question: "{verb} on {links}, {dtype}, from 1\u{a0}KiB to 1\u{a0}GiB. Every power of \
            two is computed, none is interpolated.",
            "{verb}，{links}，{dtype}，1\u{a0}KiB 至 1\u{a0}GiB。每个 2 的幂都单独计算，没有插值。";
        options: "Every algorithm runs with the chunks and channels chosen above; a hierarchical \
            one with the machine's nodes, where they fit.",
            "各算法都使用上面选定的块数与通道数；分层算法按机器的节点划分（若能整除）。";
        computing: "Computing: {n} of {all} algorithms", "正在计算：{n} / {all} 种算法";
        rounds: "Rounds", "按轮次";
        rounds_source: "modelled: α, β and γ per round, a port for each message of a round, after \
            Thakur, Rabenseifner and Gropp 2005",
            "模型估算：每轮计 α、β、γ，一轮里的每条消息各有端口，据 Thakur、Rabenseifner 与 Gropp 2005";
        event: "Event simulation", "事件仿真";
        event_source: "modelled: every rank at its own pace, messages queue for links",
            "模型估算：各 rank 按自己的节奏前进，消息在链路上排队";
        nccl: "NCCL's tuning model", "NCCL 调优模型";
        nccl_source: "modelled: NCCL 2.30, graph/tuning.cc; its channels are assumed",
            "模型估算：NCCL 2.30 的 graph/tuning.cc；通道数为假设";
        nccl_machine: "Not applicable: NCCL does not run on these links.",
            "不适用：NCCL 不支持这种链路。";
        nccl_verb: "Not applicable: NCCL's model has nothing to choose for {verb}.",
            "不适用：NCCL 的模型不为 {verb} 选择算法。";
        fastest: "Fastest: {stretches}.", "最快：{stretches}。";
        of_two: "Of ring and tree: {stretches}.", "只比环与树：{stretches}。";
        always: "{name} at every size", "所有大小都用{name}";
        up_to: "{name} up to {to}", "{to} 及以下用{name}";
        between: "{name} from {from} to {to}", "{from} 至 {to} 用{name}";
        only: "{name} at {from}", "{from} 用{name}";
        from: "{name} from {from} on", "{from} 及以上用{name}";
        join: ", ", "，";
        table: "Every size in a table", "以表格列出每种大小";
        caption: "The fastest algorithm by each model, and what ring and tree take.",
            "每个模型下最快的算法，以及环与树的耗时。";
        size: "Size", "大小";
        tree_over_nodes: "Tree", "树（tree）";
    }
}

/// Which of `names` is fastest where, in half a sentence: `tree up to 16 KiB, ring from 32 KiB on`.
/// The stretches are of `sizes`, in bytes.
pub fn stretches(
    lang: Lang,
    names: &[&str],
    sizes: &[u64],
    winners: &[(usize, RangeInclusive<usize>)],
) -> String {
    let words = ContestWords::of(lang);
    let last = sizes.len().saturating_sub(1);
    let size = |at: usize| units::bytes(sizes.get(at).copied().unwrap_or_default());
    let stretch = |(winner, range): &(usize, RangeInclusive<usize>)| {
        let template = match (*range.start() == 0, *range.end() == last) {
            (true, true) => words.always,
            (true, false) => words.up_to,
            (false, true) => words.from,
            (false, false) if range.start() == range.end() => words.only,
            (false, false) => words.between,
        };
        let (from, to) = (size(*range.start()), size(*range.end()));
        fill(template, &[("name", &names[*winner]), ("from", &from), ("to", &to)])
    };
    winners.iter().map(stretch).collect::<Vec<_>>().join(words.join)
}
