//! The words of what follows from the equation: measured times, ZeRO, and local tensors.

use super::Both;
use crate::engine::training::zero::{Cargo, Moment, Strategy};

words! {
    /// The words of what follows from the equation.
    EquationWords {
        twice: "AllReduce costs about twice AllGather. Here?",
            "AllReduce 的开销约是 AllGather 的两倍，本机如何？";
        twice_lede: "Measured on your own machine: {n} {n|rank|ranks}, {algorithm}, each call run \
            over and over at several sizes, and the median of {batches} batches taken.",
            "在你自己的机器上实测：{n} 个 rank，{algorithm}，在几种大小下反复运行每个调用，\
            取 {batches} 批的中位数。";
        measure: "Measure", "开始测量";
        measuring: "Measuring, {done} of {all} batches", "正在测量，第 {done}/{all} 批";
        cancel: "Cancel", "取消";
        size: "Size", "大小";
        measured_here: "measured here", "本机实测";
        modelled: "modelled, event simulation", "模型估算，事件仿真";
        decides: "What decides", "由什么决定";
        latency: "latency", "延迟";
        bandwidth: "bandwidth", "带宽";
        hidden: "At {small} AllReduce takes {few} times as long as AllGather, at {large} it takes \
            {many} times: in small calls a cost that every call pays once hides what its messages \
            cost.",
            "{small} 时 AllReduce 的用时是 AllGather 的 {few} 倍，{large} 时是 {many} 倍：\
            小数据量下，每次调用都要付一次的固定开销盖过了消息本身的开销。";
        not_hidden: "At {small} AllReduce takes {few} times as long as AllGather, at {large} it \
            takes {many} times: latency hides nothing on this machine, because both calls pay it \
            round by round.",
            "{small} 时 AllReduce 的用时是 AllGather 的 {few} 倍，{large} 时是 {many} 倍：\
            延迟在这台机器上没有掩盖什么，因为两个调用都要逐轮付出延迟。";
        latency_means: "Latency decides where a call on that size takes less than twice the time \
            of the smallest one.",
            "某个大小的调用若用时不到最小者的两倍，就说延迟起决定作用。";
        zero: "What ZeRO does with it", "ZeRO 如何利用这个等式";
        zero_lede: "Ψ is the number of parameters. Add up what one optimizer step sends: tick the \
            calls. Every figure is counted in the schedules above, for {n} {n|rank|ranks}.",
            "Ψ 是参数个数。勾选各个调用，把一次优化步的发送量加起来。\
            每个数字都从上面的调度中数出，共 {n} 个 rank。";
        counted: "counted in the schedule", "从调度中数出";
        strategy: "Strategy", "策略";
        added: "Added up so far: {exact} Ψ; as papers write it, without the factor (n−1)/n: \
            {psi} Ψ.",
            "目前合计：{exact} Ψ；按论文的写法，省去系数 (n−1)/n：{psi} Ψ。";
        nothing_sent: "One rank sends nothing.", "只有一个 rank，不发送任何数据。";
        of_gradients: "{verb} of the gradients", "梯度的 {verb}";
        of_parameters: "{verb} of the parameters", "参数的 {verb}";
        gradients: "Gradients", "梯度";
        parameters: "Parameters", "参数";
        step: "Whole step", "整个优化步";
        exactly: "exactly {exact} Ψ", "准确值 {exact} Ψ";
        halved: "The gradients are halved, from {whole} Ψ to {half} Ψ, but the step is not: the \
            other half comes back as the AllGather of the parameters.",
            "梯度阶段减半，从 {whole} Ψ 降到 {half} Ψ，但整个优化步没有：\
            另一半以参数的 AllGather 回来了。";
        theory: "These are the plans of the paper. Some implementations have reduced gradients for \
            everybody; that is the last line.",
            "这些是论文中的方案。有些实现仍把梯度归约给所有 rank，即最后一行。";
        local: "Split and Concat are not Scatter and AllGather",
            "Split 和 Concat 不是 Scatter 和 AllGather";
        local_lede: "Split and Concat move nothing between ranks: they reorder one rank's own \
            memory. But AllGather along any dimension but the first needs a Concat behind it.",
            "Split 和 Concat 不在 rank 之间移动数据，只重排一个 rank 自己的内存。\
            但沿第一维以外的维度做 AllGather，之后还需要一次 Concat。";
        along: "Cut along", "切分方向";
        dimension: "dimension {dim}", "第 {dim} 维";
        operation: "Operation", "操作";
        between: "Between ranks", "rank 之间";
        within: "Reordered inside a rank", "rank 内重排";
        whole: "The tensor, coloured by the rank that holds each part", "张量，颜色表示归属的 rank";
        memory: "What AllGather puts into memory, block after block",
            "AllGather 放进内存的内容，按块依次排列";
        right: "With Concat along dimension {dim}: right", "沿第 {dim} 维做 Concat：正确";
        wrong: "Read as it lies, without Concat: {n} of {all} {all|number is|numbers are} in the \
            wrong place",
            "不做 Concat 直接读：{all} 个数中有 {n} 个放错了位置";
        lucky: "Read as it lies, without Concat: right, because blocks along dimension 0 lie \
            together",
            "不做 Concat 直接读：也正确，因为沿第 0 维的块本来就相邻";
        rank_of: "rank {rank}", "rank {rank}";
    }
}

/// The name of a strategy.
pub fn strategy(strategy: Strategy) -> Both {
    match strategy {
        Strategy::DataParallel => Both { en: "Data parallel", zh: "数据并行" },
        Strategy::Zero1 => Both { en: "ZeRO-1", zh: "ZeRO-1" },
        Strategy::Zero2 => Both { en: "ZeRO-2", zh: "ZeRO-2" },
        Strategy::Zero3 => Both { en: "ZeRO-3, FSDP", zh: "ZeRO-3、FSDP" },
        Strategy::WholeGradients => {
            Both { en: "AllReduce, then AllGather", zh: "先 AllReduce，再 AllGather" }
        }
    }
}

/// When something is sent.
pub fn moment(moment: Moment, strategy: Strategy) -> Both {
    match (moment, strategy) {
        (Moment::Forward, _) => Both { en: "before the forward pass", zh: "前向之前" },
        (Moment::Backward, Strategy::Zero3) => {
            Both { en: "during the backward pass", zh: "反向过程中" }
        }
        (Moment::Backward, Strategy::Zero2) => {
            Both { en: "as the backward pass goes on", zh: "反向过程中逐步进行" }
        }
        (Moment::Backward, _) => Both { en: "after the backward pass", zh: "反向之后" },
        (Moment::Update, _) => Both { en: "after the update", zh: "更新之后" },
    }
}

/// What is sent, as a template for the verb.
pub fn cargo(words: &EquationWords, cargo: Cargo) -> &'static str {
    match cargo {
        Cargo::Gradients => words.of_gradients,
        Cargo::Parameters => words.of_parameters,
    }
}
