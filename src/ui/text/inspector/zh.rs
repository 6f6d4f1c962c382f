//! The sentence in Chinese.

mod step;

pub(super) use step::part;

use super::NUMBERS_SPELLED;
use super::scene::Frame;
use crate::engine::collective::Verb;
use crate::engine::reduce::{MeanKind, ReduceOp};
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::{Lang, units};

/// A group of one.
pub(super) fn alone(frame: &Frame) -> (String, String) {
    let detail = match frame.collective.verb {
        Verb::Barrier => "它无需等待。".into(),
        verb => format!("只有一个 rank 时，{} 的结果就是它自己的输入。", verb.title()),
    };
    ("只有一个 rank，没有通信对象。".into(), detail)
}

/// Before the first step: who holds what, and what is going to happen.
pub(super) fn start(frame: &Frame, phases: &[(Verb, usize)]) -> (String, String) {
    let c = frame.collective;
    let steps: usize = phases.iter().map(|(_, steps)| steps).sum();
    let way = match frame.algorithm {
        "ring" => "沿着环",
        "tree" => "沿着二项树",
        "direct" => "两两直连",
        "double-tree" => "沿着双二叉树",
        "chain" => "沿着链",
        "binary-tree" => "沿着二叉树",
        "bidirectional-ring" => "沿着双向环",
        "hierarchical" => "按节点分层",
        "linear" => &format!("由 rank {} 逐个处理", c.root),
        "nvls" => "经交换机",
        "pair" => "一次 Send 配一次 Recv",
        "dissemination" => "消息逐轮扩散",
        other => algorithm_name(Lang::Zh, other),
    };
    let headline = format!("{}。{way}，用 {steps} 步{}。", holdings(frame), aim(frame));
    let mut detail = String::new();
    if phases.len() > 1 {
        let spent = |(phase, steps): &(Verb, usize)| format!("{}（{steps} 步）", phase.title());
        let phases: Vec<String> = phases.iter().map(spent).collect();
        detail = format!("先做 {}。", phases.join("，再做 "));
    }
    if c.verb.reduces() && frame.op == ReduceOp::Mean(MeanKind::PreScale) {
        detail += &format!("每个 rank 先把自己的数乘以 1/{}。", c.ranks);
    }
    if frame.sums != frame.dtype {
        let (sums, dtype) = (frame.sums.name(), frame.dtype.name());
        detail += &match frame.wire == frame.dtype {
            true => format!("部分和以 {sums} 保存在负责归约的 rank 内，最终结果舍入为 {dtype}。"),
            false => format!("数值先转成 {sums} 再传输和累加，最终结果舍入为 {dtype}。"),
        };
    }
    detail += &goal(frame);
    (headline, detail)
}

fn holdings(frame: &Frame) -> String {
    let c = frame.collective;
    match c.verb {
        Verb::Barrier => format!("{} 个 rank 在 Barrier 处会合", c.ranks),
        Verb::Scatter | Verb::Broadcast | Verb::SendRecv => {
            format!("rank {} 持有 {}", c.root, amount(frame, frame.held_elements(c.root)))
        }
        _ => {
            let first = frame.held_elements(0);
            if (1..c.ranks).all(|rank| frame.held_elements(rank) == first) {
                return format!("{} 个 rank 各持有 {}", c.ranks, amount(frame, first));
            }
            let total = (0..c.ranks).map(|rank| frame.held_elements(rank)).sum();
            format!("{} 个 rank 各持有一部分，共 {}", c.ranks, amount(frame, total))
        }
    }
}

fn amount(frame: &Frame, elements: usize) -> String {
    match elements {
        0..=NUMBERS_SPELLED => format!("{elements} 个数"),
        _ => format!("{} 的向量", units::bytes((elements * frame.dtype.size_bytes()) as u64)),
    }
}

fn aim(frame: &Frame) -> String {
    let c = frame.collective;
    let combine = match frame.op {
        ReduceOp::Sum => "把它们加起来",
        ReduceOp::Max => "找出最大值",
        ReduceOp::Min => "找出最小值",
        ReduceOp::Product => "把它们乘起来",
        ReduceOp::Mean(_) => "求出平均值",
    };
    match c.verb {
        Verb::AllReduce | Verb::Reduce | Verb::ReduceScatter => combine.into(),
        Verb::AllGather => "把所有数据送到每个 rank".into(),
        Verb::Gather => format!("把所有数据收集到 rank {}", c.root),
        Verb::Scatter => "给每个 rank 分发一块".into(),
        Verb::Broadcast => "把数据送到每个 rank".into(),
        Verb::AllToAll => "让每个 rank 拿到各 rank 发给它的块".into(),
        Verb::SendRecv => format!("把数据送到 rank {}", c.receiver()),
        Verb::Shift => "把数据交给下一个 rank".into(),
        Verb::Barrier => "等到所有 rank 都到齐".into(),
    }
}

fn goal(frame: &Frame) -> String {
    let c = frame.collective;
    let result = finished(frame.op);
    match c.verb {
        Verb::AllReduce if frame.agrees => format!("最后每个 rank 都持有同样的{result}。"),
        Verb::AllReduce => format!("最后每个 rank 都持有{result}，各自的运算顺序不同。"),
        Verb::Reduce => format!("最后根 rank {} 持有{result}。", c.root),
        Verb::ReduceScatter => format!("最后 rank r 持有第 r 块的{result}。"),
        Verb::AllGather => "最后每个 rank 都持有所有块。".into(),
        Verb::Gather => format!("最后根 rank {} 持有所有块。", c.root),
        Verb::Scatter => "最后 rank r 持有第 r 块。".into(),
        Verb::Broadcast => format!("最后每个 rank 都持有 rank {} 的数据。", c.root),
        Verb::AllToAll => "最后 rank r 持有每个 rank 的第 r 块。".into(),
        Verb::SendRecv if c.ranks == 2 => String::new(),
        Verb::SendRecv => format!("其余 {} 个 rank 不参与。", c.ranks - 2),
        Verb::Shift => "最后每个 rank 都持有前一个 rank 的数据。".into(),
        Verb::Barrier => "只传递“谁已到达”的消息。".into(),
    }
}

/// Messages of later steps that have left already.
pub(super) fn more(messages: usize) -> String {
    format!("另有 {messages} 条消息已在途中。")
}

/// Everything is over: who holds what now.
pub(super) fn over(frame: &Frame, steps: usize) -> (String, String) {
    let c = frame.collective;
    let n = c.ranks;
    let result = finished(frame.op);
    let headline = match c.verb {
        Verb::AllReduce if frame.agrees => format!("{n} 个 rank 都持有同样的{result}。"),
        Verb::AllReduce => format!("{n} 个 rank 都持有{result}，各自的运算顺序不同。"),
        Verb::Reduce => format!("根 rank {} 持有全部 {n} 个 rank 的{result}。", c.root),
        Verb::ReduceScatter => format!("rank r 持有{result}的第 r 块。"),
        Verb::AllGather => format!("{n} 个 rank 都持有全部 {n} 块。"),
        Verb::Gather => format!("根 rank {} 持有全部 {n} 块。", c.root),
        Verb::Scatter => format!("rank r 持有 rank {} 原有数据的第 r 块。", c.root),
        Verb::Broadcast => format!("{n} 个 rank 都持有 rank {} 的数据。", c.root),
        Verb::AllToAll => "rank r 持有每个 rank 的第 r 块。".into(),
        Verb::SendRecv => format!("rank {} 持有 rank {} 的数据。", c.receiver(), c.root),
        Verb::Shift => "每个 rank 持有前一个 rank 的数据。".into(),
        Verb::Barrier => format!("每个 rank 都知道所有 rank 已到达：{n} 个 rank 可以继续了。"),
    };
    let detail = match c.verb.reduces() {
        true => format!("每个数都由 {n} 份贡献归约得到，共用 {steps} 步。"),
        false => format!("共用 {steps} 步。"),
    };
    (headline, detail)
}

/// The replay ends before everybody has a result.
pub(super) fn cut_off(frame: &Frame, complete: usize) -> (String, String) {
    let n = frame.collective.ranks;
    ("运行在完成之前中断了。".into(), format!("{n} 个 rank 中有 {complete} 个得到了完整的结果。"))
}

fn finished(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Sum => "和",
        ReduceOp::Max => "最大值",
        ReduceOp::Min => "最小值",
        ReduceOp::Product => "积",
        ReduceOp::Mean(_) => "平均值",
    }
}
