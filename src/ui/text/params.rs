//! The words of the parameters, of a run and of what it measures; names of operators.

use super::units::time_us;
use super::{Both, Lang, fill};
use crate::engine::collective::Verb;
use crate::engine::reduce::{Dtype, MeanKind, ReduceOp};
use crate::engine::trace::Clock;
use crate::runtime::outcome::RunResult;
use crate::runtime::transport::Via;
use crate::ui::scenario::Field;
use crate::ui::take::Origin;

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
        accumulate: "Accumulate in", "累加精度";
        in_f32: "f32, on the wire too", "f32（传输也用 f32）";
        in_f32_at_owner: "f32, at the owner only", "f32（仅在负责归约的 rank 内）";
        sums_travel: "partial sums travel", "部分和要传输";
        channels: "Channels", "通道数";
        ranks_per_node: "Ranks per node", "每节点 rank 数";
        fold: "Surplus ranks", "多余的 rank";
        fold_mpich: "hand over everything (MPICH)", "交出全部数据（MPICH）";
        fold_ompi: "share the work (Open MPI)", "分担一半（Open MPI）";
        variant: "Partners", "配对方式";
        variant_shift: "shift by t", "移位 t";
        variant_xor: "xor t", "异或 t";
        chunks: "Chunks", "数据块数";
        chunks_per_block: "Chunks per block", "每块切分数";
        segments: "Segments", "分段数";
        buffer: "Buffer", "缓冲区";
        few_numbers: "a few numbers", "几个数";
        place: "Memory", "内存";
        in_place: "in place", "原地";
        out_of_place: "out of place", "非原地";
        type_numbers: "Type numbers", "输入数值";
        more: "More", "更多";
        more_changed: "More ({n} changed)", "更多（已改 {n} 项）";
        length: "Length", "长度";
        shape: "Shape", "形状";
        dimension: "Dimension", "维度";
        rank_numbers: "Numbers of rank {rank}", "rank {rank} 的数值";
        holds_nothing: "starts with nothing", "初始没有数据";
        via: "Messages", "消息传递";
        via_shared: "shared memory", "共享内存";
        via_ports: "message ports", "消息端口";
        via_note: "Shared memory is used where the browser gives it to workers, else message \
            ports.",
            "浏览器允许 worker 共享内存时用共享内存，否则用消息端口。";
        isolation_possible: "This host does not send the headers under which workers may share \
            memory. A service worker in your browser can add them to this page. It changes and \
            keeps nothing else, and you can switch it off here.",
            "此主机没有发送允许 worker 共享内存的响应头。可以由浏览器里的一个 service worker \
            为此页面补上。它不改动、也不保存其他任何内容，可随时在此关闭。";
        isolation_add: "Add them and reload", "补上并重新加载";
        isolation_added: "A service worker adds the headers under which workers may share memory.",
            "一个 service worker 正为此页面补上允许 worker 共享内存的响应头。";
        isolation_remove: "Switch it off and reload", "关闭并重新加载";
        isolation_failed: "The service worker could not be switched on or off ({message}). \
            Nothing has changed: inputs and settings are kept, and ranks run as before.",
            "无法开启或关闭 service worker（{message}）。一切照旧：输入和设置都保留，\
            rank 照常运行。";
        clock: "Clock", "时钟";
        clock_rounds: "rounds", "轮次";
        clock_measured: "measured", "实测";
        clock_modelled: "modelled", "模型";
        links: "Links", "链路";
        run: "Run", "运行";
        repeat: "Repeat", "反复运行";
        stop: "Stop", "停止";
        stopping: "Stopping…", "正在停止…";
        dismiss: "Dismiss", "知道了";
        simulated: "drawn by the simulator; no worker has run yet",
            "由模拟器生成，worker 尚未运行";
        recorded_ports: "recorded from {n} Web {n|Worker|Workers} over message ports",
            "采集自 {n} 个 Web Worker，经消息端口通信";
        from_file: "measured, from a file: {browser}, {cores} {cores|core|cores}, timer {tick}, \
            build {build}",
            "实测，来自文件：{browser}，{cores} 核，计时器 {tick}，构建 {build}";
        recorded_shared: "recorded from {n} Web {n|Worker|Workers} in shared memory",
            "采集自 {n} 个 Web Worker，经共享内存通信";
        running: "drawn by the simulator while {n} {n|worker runs|workers run}",
            "由模拟器生成，{n} 个 worker 正在运行";
        modelled_only: "modelled: no browser has the switch that adds, so no worker runs it",
            "仅建模：浏览器没有能做加法的交换机，因此 worker 无法运行";
        run_to_measure: "Nothing has been measured yet, so steps are equally long here. Press Run.",
            "还没有实测数据，这里各步等长。请点“运行”。";
        too_coarse: "The measured clock is too coarse here: this browser's timer ticks every \
            {tick}, and a step lasts less than ten ticks. Use the rounds clock, or a larger \
            buffer.",
            "实测时钟的精度在这里不够：浏览器计时器的分辨率是 {tick}，而一步还不到十个刻度。\
            请改用轮次时钟，或加大缓冲区。";
        more_ranks_than_cores: "{ranks} {ranks|rank shares|ranks share} {cores} \
            {cores|core|cores} here: they take turns, so measured times say little about links.",
            "这里 {ranks} 个 rank 共用 {cores} 个核，只能轮流执行，实测时间反映不了链路的快慢。";
        barrier_held: "No rank left before every rank had entered: each holds news of all \
            the others.",
            "所有 rank 都进入之后才有 rank 离开：每个 rank 都收到了其余 rank 到达的消息。";
        output: "Output of rank {rank}", "rank {rank} 的输出";
        checked: "Checked", "验证";
        counters: "Throughput", "吞吐量";
        measured_here: "measured here", "本机实测";
        repetitions: "Repetitions", "重复次数";
        sent_per_rank: "Sent per rank and run, at most", "单个 rank 每次运行的最大发送量";
        messages_per_rank: "Messages per rank and run", "单个 rank 每次运行发送的消息数";
        in_pieces: "Long messages go in pieces here, so that they stay in the caches. A run that \
            is recorded sends them whole.",
            "反复运行时，长消息分段发送，让数据留在缓存里；记录轨迹的那一次则整条发送。";
        kernel: "Inside the reduction kernel", "仅归约内核";
        calibrated: "The kernel is faster than the timer can tell; its rate was taken afterwards, \
            on the same span, repeated.",
            "内核快到计时器无法分辨；其速率是运行结束后在同一段数据上反复执行测得的。";
        algbw: "algbw = S / t", "算法带宽 algbw = S / t";
        busbw: "busbw = algbw × {over}/{under}", "总线带宽 busbw = algbw × {over}/{under}";
        size: "Buffer size", "缓冲区大小";
        numbers: "Numbers", "数值";
        verb: "Verb", "操作";
        step: "Step", "当前步";
        looped: "Loop", "循环";
        speed: "Speed", "速度";
        selected: "Selected rank", "选中的 rank";
        language: "Language", "语言";
        theme: "Theme", "主题";
        link: "The link", "链接";
        from: "Smallest size", "最小大小";
        to: "Largest size", "最大大小";
        experiment: "Experiment", "实验";
        schedule_of: "Schedule of", "调度";
        turned: "Turned round", "倒转";
        chart: "busbw over the last readings", "最近几次读数的总线带宽";
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
        "acc" => words.accumulate,
        "place" => words.place,
        "algo" => words.algorithm,
        "channels" => words.channels,
        "ranks-per-node" => words.ranks_per_node,
        "fold" => words.fold,
        "variant" => words.variant,
        "chunks" => words.chunks_per_block,
        "segments" => words.segments,
        "size" => words.size,
        "shape" => words.shape,
        "len" => words.length,
        "dim" => words.dimension,
        "data" => words.numbers,
        "via" => words.via,
        "clock" => words.clock,
        "links" => words.links,
        "step" => words.step,
        "loop" => words.looped,
        "speed" => words.speed,
        "rank" => words.selected,
        "lang" => words.language,
        "theme" => words.theme,
        "link" => words.link,
        "from" => words.from,
        "to" => words.to,
        "show" => words.experiment,
        "of" => words.schedule_of,
        "turned" => words.turned,
        other => other,
    }
}

/// Whose the recorded run is: that of workers here, or where a file says.
pub fn recorded(lang: Lang, run: &RunResult, origin: Option<&Origin>) -> String {
    let words = Params::of(lang);
    let Some(Origin { browser, cores, build, .. }) = origin else {
        let template = match run.wiring.via {
            Via::Shared => words.recorded_shared,
            Via::Ports => words.recorded_ports,
        };
        return fill(template, &[("n", &run.counters.len())]);
    };
    let tick = time_us(run.resolution_us);
    let values: [(&str, &dyn std::fmt::Display); 4] =
        [("browser", browser), ("cores", cores), ("tick", &tick), ("build", build)];
    fill(words.from_file, &values)
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
            Both { en: "mean (divide last)", zh: "平均（先求和后除）" }
        }
        ReduceOp::Mean(MeanKind::PreScale) => {
            Both { en: "mean (scale first)", zh: "平均（先缩放后求和）" }
        }
    }
}

/// What an operator does here and elsewhere does not, in one line, if there is such a thing.
pub fn op_note(lang: Lang, op: ReduceOp, dtype: Dtype) -> Option<&'static str> {
    let floats = dtype.format().is_some();
    (op.selects() && floats).then(|| SELECTS_NAN.of(lang))
}

const SELECTS_NAN: Both = Both {
    en: "max and min of floats: where a rank has NaN, the result is NaN. NCCL drops NaN instead.",
    zh: "浮点数的最大值和最小值：只要有一个 rank 是 NaN，结果就是 NaN；而 NCCL 会丢弃 NaN。",
};

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
            zh: "开销模型对所选链路的估算",
        },
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
                 Concat 只在本地拷贝，网络传输量为 0 B。",
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
                 Split 只在本地拷贝，网络传输量为 0 B。",
        },
    }
}

/// Every text of this file beside [`Params`], for the tests that hold all words to the rules.
#[cfg(test)]
pub(super) fn pairs() -> Vec<(&'static str, Both)> {
    let ops = ReduceOp::ALL.map(|op| (op.name(), op_words(op)));
    let clocks =
        [Clock::Rounds, Clock::Measured, Clock::Modelled].map(|c| ("clock", clock_words(c)));
    let dimensions =
        [(Verb::AllGather, 0), (Verb::AllGather, 1), (Verb::Scatter, 0), (Verb::Scatter, 1)]
            .map(|(verb, dim)| (verb.title(), dimension_words(verb, dim)));
    ops.into_iter().chain([("op", SELECTS_NAN)]).chain(clocks).chain(dimensions).collect()
}
