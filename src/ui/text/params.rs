//! The words of the parameters, of a run and of what it measures; names of operators and
//! algorithms.

use super::{Both, Lang, fill};
use crate::engine::collective::Verb;
use crate::engine::cost::Topology;
use crate::engine::reduce::{MeanKind, ReduceOp};
use crate::engine::trace::Clock;
use crate::ui::scenario::Field;

words! {
    /// The words of the parameters, of a run and of what it measures.
    Params {
        algorithm: "Algorithm", "算法";
        ranks: "Ranks", "rank 数";
        root: "Root", "根 rank";
        sender: "Sender", "发送方";
        reduce_with: "Reduce with", "归约运算";
        not_for_integers: "not for integers", "不适用于整数";
        dtype: "Type", "元素类型";
        chunks: "Chunks", "数据块数";
        chunks_per_block: "Chunks per block", "每块的数据块数";
        buffer: "Buffer", "缓冲区";
        few_numbers: "a few numbers", "几个数";
        place: "Memory", "内存";
        in_place: "in place", "原地";
        out_of_place: "out of place", "非原地";
        type_numbers: "Type numbers", "输入数值";
        length: "Length", "长度";
        shape: "Shape", "形状";
        dimension: "Dimension", "维度";
        rank_numbers: "Numbers of rank {rank}", "rank {rank} 的数值";
        holds_nothing: "starts with nothing", "一开始没有数据";
        clock: "Clock", "时钟";
        clock_rounds: "rounds", "轮次";
        clock_measured: "measured", "实测";
        clock_modelled: "modelled", "模型";
        links: "Links", "链路";
        run: "Run", "运行";
        repeat: "Repeat", "反复运行";
        stop: "Stop", "停止";
        dismiss: "Dismiss", "知道了";
        simulated: "drawn by the simulator; no worker has run yet",
            "由模拟器绘制，还没有 worker 运行过";
        recorded: "recorded from {n} Web Workers over message ports",
            "录自 {n} 个 Web Worker，经消息端口通信";
        running: "drawn by the simulator while {n} workers run", "由模拟器绘制，{n} 个 worker 正在运行";
        run_to_measure: "Nothing has been measured yet, so steps are equally long here. Press Run.",
            "还没有实测数据，这里各步等长。请点“运行”。";
        too_coarse: "The measured clock is too coarse here: this browser's timer ticks every \
            {tick}, and a step lasts less than ten ticks. Use the rounds clock, or a larger \
            buffer.",
            "实测时钟在这里太粗：浏览器计时器的分辨率是 {tick}，而一步还不到十个刻度。\
            请改用轮次时钟，或加大缓冲区。";
        more_ranks_than_cores: "{ranks} ranks share {cores} cores here: they take turns, so \
            measured times say little about links.",
            "这里 {ranks} 个 rank 共用 {cores} 个核，只能轮流执行，实测时间不能代表链路快慢。";
        barrier_held: "No rank left before every rank had entered: each holds news of all \
            the others.",
            "所有 rank 都进入之后才有 rank 离开：每个 rank 都收到了其余 rank 到达的消息。";
        output: "Output of rank {rank}", "rank {rank} 的输出";
        links_source: "Modelled times take the links' constants from:", "模型时间所用的链路常数出自：";
        checked: "Checked", "验证";
        counters: "Throughput", "吞吐量";
        measured_here: "measured here", "本机实测";
        repetitions: "Repetitions", "重复次数";
        sent_per_rank: "Sent per rank and run, at most", "每次运行单个 rank 最大发送量";
        kernel: "Inside the reduction kernel", "归约内核内部";
        calibrated: "The kernel is faster than the timer can tell; its rate was taken afterwards, \
            on the same span, repeated.",
            "内核快过计时器的分辨率；其速率是运行之后在同一段数据上反复执行测得的。";
        algbw: "algbw = S / t", "算法带宽 algbw = S / t";
        busbw: "busbw = algbw × {over}/{under}", "总线带宽 busbw = algbw × {over}/{under}";
        size: "Buffer size", "缓冲区大小";
        numbers: "Numbers", "数值";
        verb: "Verb", "操作";
        step: "Step", "步";
        looped: "Loop", "循环";
        speed: "Speed", "速度";
        selected: "Selected rank", "选中的 rank";
        language: "Language", "语言";
        theme: "Theme", "主题";
        link: "The link", "链接";
        chart: "busbw over the last readings", "最近若干次读数的总线带宽";
    }
}

/// The name of a field in words: `n` is “Ranks”.
pub fn field_name(lang: Lang, field: Field) -> &'static str {
    let words = Params::of(lang);
    match field {
        "verb" => words.verb,
        "n" => words.ranks,
        "root" => words.root,
        "type" => words.dtype,
        "op" => words.reduce_with,
        "place" => words.place,
        "algo" => words.algorithm,
        "chunks" => words.chunks_per_block,
        "size" => words.size,
        "shape" => words.shape,
        "len" => words.length,
        "dim" => words.dimension,
        "data" => words.numbers,
        "clock" => words.clock,
        "links" => words.links,
        "step" => words.step,
        "loop" => words.looped,
        "speed" => words.speed,
        "rank" => words.selected,
        "lang" => words.language,
        "theme" => words.theme,
        "link" => words.link,
        other => other,
    }
}

/// The name of an operator. The two means differ in when they divide.
pub fn op_name(lang: Lang, op: ReduceOp) -> &'static str {
    op_words(op).of(lang)
}

fn op_words(op: ReduceOp) -> Both {
    match op {
        ReduceOp::Sum => Both { en: "sum", zh: "求和" },
        ReduceOp::Max => Both { en: "max", zh: "最大值" },
        ReduceOp::Min => Both { en: "min", zh: "最小值" },
        ReduceOp::Product => Both { en: "product", zh: "乘积" },
        ReduceOp::Mean(MeanKind::PostScale) => {
            Both { en: "mean (divide last)", zh: "平均（最后相除）" }
        }
        ReduceOp::Mean(MeanKind::PreScale) => {
            Both { en: "mean (scale first)", zh: "平均（先行缩放）" }
        }
    }
}

/// Name and one-line description of an algorithm; none for a name that is not in the registry.
fn algorithm_words(name: &str) -> Option<[Both; 2]> {
    let words =
        |en, zh, note_en, note_zh| Some([Both { en, zh }, Both { en: note_en, zh: note_zh }]);
    match name {
        "ring" => words(
            "Ring",
            "环（ring）",
            "every rank talks to its two neighbours only",
            "每个 rank 只与左右两个邻居通信",
        ),
        "tree" => words(
            "Binomial tree",
            "二项树（tree）",
            "the number of ranks that have the data doubles every round",
            "每一轮，持有数据的 rank 数翻一倍",
        ),
        "direct" => words(
            "Direct",
            "直连（direct）",
            "everybody talks to everybody at once",
            "所有 rank 两两同时直接通信",
        ),
        "linear" => words(
            "Linear (star)",
            "线性（星形）",
            "the root deals with every rank itself, one after the other",
            "根 rank 逐个与其余 rank 通信",
        ),
        "pair" => words(
            "Pair",
            "成对（pair）",
            "one send and one receive; everybody else stands by",
            "一发一收，其余 rank 旁观",
        ),
        "dissemination" => words(
            "Dissemination",
            "扩散（dissemination）",
            "news of every arrival doubles its reach each round",
            "到达的消息每一轮传播距离翻倍",
        ),
        _ => None,
    }
}

/// The name people use for an algorithm of the registry.
pub fn algorithm_name(lang: Lang, name: &str) -> &str {
    algorithm_words(name).map_or(name, |[name, _]| name.of(lang))
}

/// What characterises an algorithm of the registry, in one line.
pub fn algorithm_note(lang: Lang, name: &str) -> &'static str {
    algorithm_words(name).map_or("", |[_, note]| note.of(lang))
}

/// What a clock's times mean, in one line.
pub fn clock_note(lang: Lang, clock: Clock) -> &'static str {
    clock_words(clock).of(lang)
}

fn clock_words(clock: Clock) -> Both {
    match clock {
        Clock::Rounds => Both {
            en: "every step is equally long; what can happen side by side does",
            zh: "每一步等长，能并行的都并行",
        },
        Clock::Measured => Both {
            en: "the times that the workers on this machine took",
            zh: "本机各 worker 实际花费的时间",
        },
        Clock::Modelled => Both {
            en: "what a cost model says for the chosen links",
            zh: "代价模型在所选链路上的估算",
        },
    }
}

/// The name engineers write for a preset of links.
pub fn links_name(lang: Lang, links: &Topology) -> &'static str {
    match (lang, links.name) {
        (Lang::Zh, "nvlink-hopper") => "NVLink 4（Hopper，18 条链路）",
        (Lang::Zh, "nvlink-ampere") => "NVLink 3（Ampere，12 条链路）",
        (Lang::Zh, "net-100g") => "100 Gb/s 网络",
        (Lang::Zh, "mesh") => "7 条链路全互连（昇腾服务器）",
        _ => links.title,
    }
}

/// What a verb does along dimension `dim`, beside communicating; only for verbs with a dimension.
pub fn dimension_note(lang: Lang, verb: Verb, dim: usize) -> String {
    fill(dimension_words(verb, dim).of(lang), &[("verb", &verb.title()), ("dim", &dim)])
}

fn dimension_words(verb: Verb, dim: usize) -> Both {
    match (verb, dim) {
        (Verb::AllGather | Verb::Gather, 0) => Both {
            en: "{verb} along dimension {dim}: the blocks lie one after the other already, so the \
                 local Concat moves nothing.",
            zh: "沿维度 {dim} 做 {verb}：各块本来就首尾相接，本地 Concat 不搬动任何数据。",
        },
        (Verb::AllGather | Verb::Gather, _) => Both {
            en: "{verb} along dimension {dim} is {verb} of the blocks, then a local Concat along \
                 dimension {dim}. Concat copies memory and sends nothing: 0 B on the wire.",
            zh: "沿维度 {dim} 的 {verb} 等于先对各块做 {verb}，再沿维度 {dim} 做本地 Concat。\
                 Concat 只在本地拷贝，网络上传输 0 B。",
        },
        (_, 0) => Both {
            en: "{verb} along dimension {dim}: each block lies together already, so the local \
                 Split moves nothing.",
            zh: "沿维度 {dim} 做 {verb}：每一块本来就连在一起，本地 Split 不搬动任何数据。",
        },
        _ => Both {
            en: "{verb} along dimension {dim} is a local Split along dimension {dim}, then {verb} \
                 of the blocks. Split copies memory and sends nothing: 0 B on the wire.",
            zh: "沿维度 {dim} 的 {verb} 等于先沿维度 {dim} 做本地 Split，再对各块做 {verb}。\
                 Split 只在本地拷贝，网络上传输 0 B。",
        },
    }
}

/// Every text of this file beside [`Params`], for the tests that hold all words to the rules.
#[cfg(test)]
pub(super) fn pairs() -> Vec<(&'static str, Both)> {
    let ops = ReduceOp::ALL.map(|op| (op.name(), op_words(op)));
    let algorithms = crate::engine::algorithm::ALL.iter().flat_map(|a| {
        let words = algorithm_words(a.name).unwrap_or([Both { en: "", zh: "" }; 2]);
        words.map(|both| (a.name, both))
    });
    let clocks =
        [Clock::Rounds, Clock::Measured, Clock::Modelled].map(|c| ("clock", clock_words(c)));
    let dimensions =
        [(Verb::AllGather, 0), (Verb::AllGather, 1), (Verb::Scatter, 0), (Verb::Scatter, 1)]
            .map(|(verb, dim)| (verb.title(), dimension_words(verb, dim)));
    ops.into_iter().chain(algorithms).chain(clocks).chain(dimensions).collect()
}
