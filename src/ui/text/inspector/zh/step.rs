//! One step in Chinese.

use super::finished;
use crate::engine::Rank;
use crate::engine::collective::Verb;
use crate::engine::reduce::{MeanKind, ReduceOp};
use crate::ui::text::inspector::NAMED_PAIRS;
use crate::ui::text::inspector::scene::{Cargo, Count, Frame, Pair, Part, Shape, combines};
use crate::ui::text::units;

/// One phase of a step: what happens, and what it leads to.
pub(in crate::ui::text::inspector) fn part(
    frame: &Frame,
    part: &Part,
    landed: bool,
) -> (String, String) {
    let lead = if landed { "已送达：" } else { "送达后，" };
    let mut detail = format!("{lead}{}。", outcome(frame, part, landed));
    let done = part.phase.reduces()
        && part.progress.least == part.progress.of
        && !matches!(part.shape, Shape::Down(_));
    if done && frame.op == ReduceOp::Mean(MeanKind::PostScale) {
        detail += &format!("求得的和再除以 {}。", frame.collective.ranks);
    }
    (spaced(&headline(frame, part)), spaced(&detail))
}

fn headline(frame: &Frame, part: &Part) -> String {
    let n = frame.collective.ranks;
    match (&part.shape, part.phase) {
        (Shape::Up(ranks), phase) => up(frame, part, ranks, combines(phase)),
        (Shape::Down(ranks), phase) => down(frame, part, ranks, combines(phase)),
        (Shape::Pairs(pairs), _) if pairs.len() > NAMED_PAIRS => {
            let named = sends(frame, part, &pairs[..2]);
            format!("{named}，依此类推，同时共有 {} 条消息。", pairs.len())
        }
        (Shape::Pairs(pairs), phase) if combines(phase) => gathering(frame, part, pairs),
        (Shape::Pairs(pairs), _) => format!("{}。", sends(frame, part, pairs)),
        (_, Verb::AllToAll) if n == 2 => "每个 rank 把给对方的那个数据块发给对方。".into(),
        (Shape::Around(distance), Verb::AllToAll) if part.for_good => {
            format!("每个 rank 把属于对方的数据块发给{}。", aim(n, *distance))
        }
        (Shape::Everyone, Verb::AllToAll) => "每个 rank 把各数据块分别发给它所属的 rank。".into(),
        (Shape::Around(1), Verb::Barrier) if part.cargo == Cargo::Own => {
            "每个 rank 告诉下一个 rank：我到了。".into()
        }
        (Shape::Around(distance), Verb::Barrier) => {
            format!("每个 rank 把自己所知的已到达名单告诉往后第 {distance} 个 rank。")
        }
        (_, Verb::Shift) => format!("每个 rank 把{}发给环上的下一个 rank。", object(frame, part)),
        (Shape::Everyone, phase) if combines(phase) => {
            let merge = match frame.op {
                ReduceOp::Sum | ReduceOp::Mean(_) => "全部与本地数据块累加",
                ReduceOp::Max => "逐个取最大值",
                ReduceOp::Min => "逐个取最小值",
                ReduceOp::Product => "全部与自己的相乘",
            };
            let all =
                if phase == Verb::AllReduce { "全部数据" } else { "自己负责的数据块" };
            format!("每个 rank 从其他所有 rank 收到{all}，{merge}。")
        }
        (Shape::Around(distance), phase) if combines(phase) => {
            let obj = match part.cargo {
                Cargo::Own if part.each == 1 => "一个数据块".into(),
                Cargo::Own => format!(" {} 个数据块", part.each),
                Cargo::Mixed => "目前的归约结果".into(),
                _ if part.each == 1 => partial(frame.op).into(),
                _ => format!(" {} 个{}", part.each, partial(frame.op)),
            };
            let own = if part.with_own { "自己的那一份" } else { "自己目前的结果" };
            let merge = match frame.op {
                ReduceOp::Sum | ReduceOp::Mean(_) => format!("加上{own}"),
                ReduceOp::Max => format!("与{own}取较大值"),
                ReduceOp::Min => format!("与{own}取较小值"),
                ReduceOp::Product => format!("乘上{own}"),
            };
            format!("每个 rank 从{}收到{obj}，{merge}。", origin(n, *distance))
        }
        (Shape::Everyone, _) => {
            let obj =
                if reduced(frame) { "归约完成的数据块" } else { "自己的数据块" };
            format!("每个 rank 把{obj}发给其他所有 rank。")
        }
        (Shape::Around(distance), _) => passing(frame, part, *distance),
    }
}

/// Ranks send to the switch.
fn up(frame: &Frame, part: &Part, ranks: &[Rank], combines: bool) -> String {
    let what = match part.each < part.labels.len() {
        true if reduced(frame) => format!("自己的{}", finished(frame.op)),
        true => "自己的数据块".into(),
        false => format!(" {} ", units::chunk_names(frame.collective, &part.labels)),
    };
    let who = match ranks {
        [rank] => format!("rank {rank} "),
        all if all.len() == frame.collective.ranks => "每个 rank ".into(),
        some => format!("{} 个 rank ", some.len()),
    };
    let merge = match frame.op {
        _ if !combines => "由它多播给所有 rank",
        ReduceOp::Sum | ReduceOp::Mean(_) => "交换机把收到的累加",
        ReduceOp::Max => "交换机逐个保留最大值",
        ReduceOp::Min => "交换机逐个保留最小值",
        ReduceOp::Product => "交换机把收到的相乘",
    };
    format!("{who}把{what}发给交换机，{merge}。")
}

/// The switch sends to ranks.
fn down(frame: &Frame, part: &Part, ranks: &[Rank], combines: bool) -> String {
    let named = units::chunk_names(frame.collective, &part.labels);
    let of = if combines { format!("的{}", finished(frame.op)) } else { String::new() };
    match ranks {
        [rank] => format!("交换机把 {named} {of}发给 rank {rank}。"),
        all if all.len() == frame.collective.ranks && !combines => {
            format!("交换机把 {named} 多播给所有 rank。")
        }
        all if all.len() == frame.collective.ranks => {
            format!("交换机把归约得到的{}发给各自的 rank。", finished(frame.op))
        }
        some => format!("交换机把 {named} {of}发给 {} 个 rank。", some.len()),
    }
}

/// An AllGather round the ring, or over larger distances.
fn passing(frame: &Frame, part: &Part, distance: usize) -> String {
    let finished = if reduced(frame) { "已完成的数据块" } else { "数据块" };
    let just = if frame.collective.pieces == 1 { "刚" } else { "之前" };
    if distance > 1 || part.each > 1 {
        let what = match part.cargo {
            _ if part.each > 1 => format!(" {} 个{finished}", part.each),
            Cargo::Own => "自己的数据块".into(),
            Cargo::Completed => format!("{just}归约完成的数据块"),
            Cargo::PassedOn => format!("{just}收到的{finished}"),
            Cargo::Partial | Cargo::Mixed => format!("一个{finished}"),
        };
        return format!("每个 rank 把{what}发给{}。", aim(frame.collective.ranks, distance));
    }
    match part.cargo {
        Cargo::Own => "每个 rank 把自己的数据块发给下一个 rank。".into(),
        Cargo::Completed => format!("每个 rank 把{just}归约完成的数据块传给下一个 rank。"),
        Cargo::PassedOn => format!("每个 rank 把{just}收到的{finished}继续传下去。"),
        _ => format!("每个 rank 把一个{finished}传给下一个 rank。"),
    }
}

fn sends(frame: &Frame, part: &Part, pairs: &[Pair]) -> String {
    let mut text = String::new();
    for (at, Pair { from, to, labels }) in pairs.iter().enumerate() {
        let named = units::chunk_names(frame.collective, labels);
        text += &match (at, frame.collective.chunks()) {
            (0, 1) => format!("rank {from} 把{}发给 rank {to}", object(frame, part)),
            (0, _) => format!("rank {from} 把 {named} 发给 rank {to}"),
            (_, 1) => format!("，{from} 发给 {to}"),
            (_, _) => format!("，{from} 把 {named} 发给 {to}"),
        };
    }
    text
}

/// What is sent when there is only one chunk, or the chunk that everybody sends.
fn object(frame: &Frame, part: &Part) -> String {
    match part.cargo {
        _ if frame.collective.chunks() > 1 => {
            format!(" {} ", units::chunk_names(frame.collective, &part.labels))
        }
        Cargo::Partial => partial(frame.op).into(),
        Cargo::Mixed if combines(part.phase) => "目前的归约结果".into(),
        _ if reduced(frame) && !combines(part.phase) => format!("最终的{}", finished(frame.op)),
        Cargo::Own => "自己的数据".into(),
        _ => "数据".into(),
    }
}

/// Messages to be combined with what their receivers hold.
fn gathering(frame: &Frame, part: &Part, pairs: &[Pair]) -> String {
    let sent = sends(frame, part, pairs);
    let who = if pairs.len() == 1 { "后者" } else { "接收方各自" };
    let merge = match frame.op {
        ReduceOp::Sum | ReduceOp::Mean(_) => "把收到的与本地数据块累加",
        ReduceOp::Max => "逐个保留较大值",
        ReduceOp::Min => "逐个保留较小值",
        ReduceOp::Product => "把收到的与自己的相乘",
    };
    format!("{sent}，{who}{merge}。")
}

fn outcome(frame: &Frame, part: &Part, landed: bool) -> String {
    let c = frame.collective;
    let contributions = count(part.progress, "份贡献");
    let chunks = count(part.progress, "个数据块");
    let ranks = count(part.progress, "个 rank");
    match part.phase {
        Verb::Barrier => format!("每个 rank 知道{ranks}已到达"),
        phase if !combines(phase) && matches!(part.shape, Shape::Up(_)) => {
            format!("交换机持有 {}", units::chunk_names(c, &part.labels))
        }
        phase if phase.reduces() => match &part.shape {
            Shape::Pairs(pairs) if c.chunks() == 1 => match &pairs[..] {
                [pair] => format!("rank {} 持有{contributions}", pair.to),
                _ => format!("每个接收方持有{contributions}"),
            },
            Shape::Pairs(_) | Shape::Up(_) | Shape::Down(_) => {
                format!("{} 含有{contributions}", units::chunk_names(c, &part.labels))
            }
            Shape::Everyone => format!("每个数据块含有{contributions}"),
            Shape::Around(_) if landed => format!("送达的每个数据块含有{contributions}"),
            Shape::Around(_) => format!("每个在途数据块含有{contributions}"),
        },
        Verb::Broadcast => {
            let what = match c.chunks() {
                1 if reduced(frame) => format!("最终的{}", finished(frame.op)),
                1 => format!(" rank {} 的数据", c.root),
                _ => format!(" {}", units::chunk_names(c, &part.labels)),
            };
            format!("{ranks}持有{what}")
        }
        Verb::Scatter => format!("{ranks}拿到了自己的块"),
        Verb::Gather => format!("rank {} 持有{chunks}", c.root),
        Verb::SendRecv if c.chunks() == 1 => {
            format!("rank {} 持有 rank {} 的数据", c.receiver(), c.root)
        }
        Verb::SendRecv => format!("rank {} 持有{chunks}", c.receiver()),
        Verb::Shift if c.chunks() == 1 => "每个 rank 持有前一个 rank 的数据".into(),
        Verb::Shift => format!("每个 rank 持有前一个 rank 的{chunks}"),
        Verb::AllToAll => format!("每个 rank 持有发给自己的{chunks}"),
        _ if reduced(frame) => {
            format!("每个 rank 持有{}", count(part.progress, "个已完成的数据块"))
        }
        _ => format!("每个 rank 持有{chunks}"),
    }
}

/// Whether chunks that are handed out are results of a reduction.
fn reduced(frame: &Frame) -> bool {
    frame.collective.verb == Verb::AllReduce
}

fn partial(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Sum | ReduceOp::Mean(_) => "部分和",
        ReduceOp::Max => "部分最大值",
        ReduceOp::Min => "部分最小值",
        ReduceOp::Product => "部分积",
    }
}

/// Where a message comes from that goes `distance` ranks on, the short way round.
fn origin(ranks: usize, distance: usize) -> String {
    let (side, distance) = match 2 * distance <= ranks {
        true => ("左", distance),
        false => ("右", ranks - distance),
    };
    match (ranks, distance) {
        (2, _) => "对方".into(),
        (_, 1) => format!("{side}边的 rank "),
        (_, d) => format!("{side}边第 {d} 个 rank "),
    }
}

/// Where a message goes that goes `distance` ranks on, the short way round.
fn aim(ranks: usize, distance: usize) -> String {
    match (ranks, distance) {
        (2, _) => "对方".into(),
        (_, 1) => "下一个 rank ".into(),
        (n, d) if 2 * d <= n => format!("往后第 {d} 个 rank "),
        (n, d) if n - d == 1 => "前一个 rank ".into(),
        (n, d) => format!("往前第 {} 个 rank ", n - d),
    }
}

/// ` 4 份贡献中的 3 份`, `全部 4 份贡献`: the measure word of `what` is its first character.
fn count(Count { least, most, of }: Count, what: &str) -> String {
    let measure: String = what.chars().take(1).collect();
    match (least, most) {
        _ if least == of => format!("全部 {of} {what}"),
        _ if least == most => format!(" {of} {what}中的 {most} {measure}"),
        _ => format!(" {of} {what}中的 {least} 至 {most} {measure}"),
    }
}

/// A space between Chinese and Latin text, and none beside Chinese punctuation.
fn spaced(text: &str) -> String {
    let han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let mark = |c: char| "，。：（）".contains(c);
    let mut out = String::with_capacity(text.len() + 8);
    for next in text.chars() {
        let last = out.chars().next_back().unwrap_or('，');
        let meets = |a: char, b: char| a.is_ascii_alphanumeric() && han(b);
        if next == ' ' && (mark(last) || last == ' ') {
            continue;
        }
        if last == ' ' && mark(next) {
            out.pop();
        } else if meets(last, next) || meets(next, last) {
            out.push(' ');
        }
        out.push(next);
    }
    out
}
