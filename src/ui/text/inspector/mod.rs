//! The words beside the stage: the sentence, the cost, the log and the program.
//!
//! [`words`] is the sentence: what is happening at one moment, for every verb, algorithm, group
//! size and operator. What there is to say is found in `scene`; `en` and `zh` say it, each in its
//! own way.

pub mod code;
pub mod cost;
mod en;
pub mod log;
mod moment;
mod scene;
mod zh;

pub use moment::{Moment, Stage};

use super::Lang;
use crate::engine::collective::Verb;
use crate::engine::reduce::{MeanKind, ReduceOp, Reduction};
use crate::engine::replay::Replay;
use crate::ui::scenario::Prepared;
use scene::{Frame, Part};

/// Up to this many numbers a rank's input is counted; beyond it is measured in bytes.
const NUMBERS_SPELLED: usize = 64;
/// Up to this many messages of one step are named one by one: as many as a tree of 16 ranks has.
const NAMED_PAIRS: usize = 8;

words! {
    /// The words of the panels beside the stage.
    Inspector {
        now: "What is happening now", "现在发生的事";
        cost: "Cost of this {verb}", "本次 {verb} 的开销";
        steps: "Steps", "步数";
        no_formula: "{pieces} pieces a block", "每块切成 {pieces} 片";
        sent: "Sent per rank", "每个 rank 的发送量";
        busiest: "busiest rank", "最忙的 rank";
        messages: "Messages", "消息数";
        per_rank: "{n} per rank", "每个 rank {n} 条";
        at_most: "at most {n} per rank", "每个 rank 至多 {n} 条";
        bound: "Lower bound", "下界";
        bound_kind: "published, Chan et al. 2007", "公开结论，Chan 等 2007";
        bound_steps: "{n}\u{a0}{n|step|steps}", "{n}\u{a0}步";
        time: "Time", "时间";
        measured: "measured here", "本机实测";
        measured_mean: "measured here, mean of {n} {n|run|runs}", "本机实测，{n} 次运行的平均";
        rounds: "modelled, rounds", "模型估算，按轮次";
        event: "modelled, event simulation", "模型估算，事件仿真";
        coarse: "The clock here ticks every {tick}: too coarse for one run of {time}.",
            "本机时钟的分辨率是 {tick}，不足以测准 {time} 的一次运行。";
        size_each: "S = {size}, the buffer of each rank", "S = {size}，即每个 rank 的缓冲区";
        size_all: "S = {size}, the blocks of all ranks together", "S = {size}，即所有 rank 的块之和";
        size_root: "S = {size}, the buffer of the root", "S = {size}，即根 rank 的缓冲区";
        size_sender: "S = {size}, the message", "S = {size}，即消息本身";
ring_or_tree: "Ring or tree here, and from which size?", "这里用环还是树？多大开始换？";
        which: "Which algorithm here, and from which size?", "这里用哪种算法？多大开始换？";
        log: "What happened", "执行记录";
        log_empty: "Nothing has happened yet.", "尚未开始。";
        all_ranks: "all ranks", "所有 rank";
        show_log_of: "Ranks in the log", "记录哪些 rank";
        before: "local, before the first step", "第一步之前的本地操作";
        step: "step {step}", "第 {step} 步";
        rows: "{n} {n|line|lines}", "{n} 行";
        go_to: "Go to the end of step {step}", "跳到第 {step} 步结束时";
        go_to_start: "Go to the start", "跳到起点";
        more_rows: "Show {n} more", "再显示 {n} 行";
        contributions: "({k} of {n})", "（{k}/{n}）";
        truncated: "{equation}, truncated toward zero", "{equation}（向零截断）";
        running: "{actor} is running", "{actor} 正在执行";
        waiting: "{actor} is waiting", "{actor} 正在等待";
        done: "{actor} has finished", "{actor} 已完成";
        nothing: "{actor} takes no part", "{actor} 不参与";
        nothing_line: "no ops", "没有操作";
        waiting_for: "waiting for {peer}", "正在等 {peer}";
        program_of: "Rank whose program is shown", "显示哪个 rank 的程序";
        lane: "lane {lane}", "执行流（lane）{lane}";
        all_lines: "Show all {n} {n|line|lines}", "显示全部 {n} 行";
        few_lines: "Show only the lines around the running op", "只显示当前操作附近的行";
        hidden: "{n} more", "另有 {n} 行";
        calls: "{verb} in the libraries", "各通信库里的 {verb}";
    }
}

/// What is happening at `time`, on the replay's clock: (the sentence, what it leads to).
pub fn words(lang: Lang, prepared: &Prepared, replay: &Replay, time: f64) -> (String, String) {
    say(lang, prepared, replay, Moment::at(replay, time))
}

/// [`words`] for a moment that is known already.
pub fn say(lang: Lang, prepared: &Prepared, replay: &Replay, moment: Moment) -> (String, String) {
    let frame = &Frame::new(prepared);
    if replay.steps.is_empty() && frame.collective.ranks == 1 {
        return match lang {
            Lang::En => en::alone(frame),
            Lang::Zh => zh::alone(frame),
        };
    }
    match moment.stage {
        Stage::Start => {
            let phases = phases(frame.collective.verb, replay);
            match lang {
                Lang::En => en::start(frame, &phases),
                Lang::Zh => zh::start(frame, &phases),
            }
        }
        Stage::Over => over(lang, frame, replay),
        Stage::UnderWay | Stage::Landed => step(lang, frame, replay, moment),
    }
}

fn over(lang: Lang, frame: &Frame, replay: &Replay) -> (String, String) {
    let complete = scene::finished(frame, replay);
    match (lang, complete == frame.collective.ranks) {
        (Lang::En, true) => en::over(frame, replay.steps.len()),
        (Lang::Zh, true) => zh::over(frame, replay.steps.len()),
        (Lang::En, false) => en::cut_off(frame, complete),
        (Lang::Zh, false) => zh::cut_off(frame, complete),
    }
}

fn step(lang: Lang, frame: &Frame, replay: &Replay, moment: Moment) -> (String, String) {
    let landed = moment.stage == Stage::Landed;
    let parts = scene::parts(frame, replay, moment.step);
    let said = parts.iter().map(|part: &Part| match lang {
        Lang::En => en::part(frame, part, landed),
        Lang::Zh => zh::part(frame, part, landed),
    });
    let (headlines, mut details): (Vec<String>, Vec<String>) = said.unzip();
    if moment.more > 0 {
        details.push(match lang {
            Lang::En => en::more(moment.more),
            Lang::Zh => zh::more(moment.more),
        });
    }
    let gap = if lang == Lang::En { " " } else { "" };
    // Where chunks travel in segments, what is said of chunks is true of segments.
    let (chunk, segment) = match lang {
        Lang::En => ("chunk", "segment"),
        Lang::Zh => ("数据块", "分段"),
    };
    let said = |texts: Vec<String>| match frame.collective.segments {
        1 => texts.join(gap),
        _ => texts.join(gap).replace(chunk, segment),
    };
    (said(headlines), said(details))
}

/// The phases of a run of `verb` in order, with their steps; where they overlap, the whole is one.
fn phases(verb: Verb, replay: &Replay) -> Vec<(Verb, usize)> {
    let of_step = |step: usize| replay.steps[step - 1].phase;
    if replay.flights.iter().any(|flight| flight.phase != of_step(flight.step)) {
        return vec![(verb, replay.steps.len())];
    }
    let mut phases: Vec<(Verb, usize)> = Vec::new();
    for step in &replay.steps {
        match phases.last_mut() {
            Some((phase, steps)) if *phase == step.phase => *steps += 1,
            _ => phases.push((step.phase, 1)),
        }
    }
    phases
}

/// `a ⊕ b` as people write it. A mean adds; where it scales is said beside it.
fn combine(op: ReduceOp, a: &str, b: &str) -> String {
    match op {
        ReduceOp::Sum | ReduceOp::Mean(_) => format!("{a} + {b}"),
        ReduceOp::Product => format!("{a} × {b}"),
        ReduceOp::Max => format!("max({a}, {b})"),
        ReduceOp::Min => format!("min({a}, {b})"),
    }
}

/// What the op that completes a chunk makes of its result: `(6 + 2) ÷ 2`, or `bf16(6 + 2)` where
/// the sum was accumulated in another type.
fn completed(reduction: &Reduction, text: String) -> String {
    let divided = match reduction.op {
        ReduceOp::Mean(MeanKind::PostScale) => format!("({text}) ÷ {}", reduction.ranks),
        _ => text,
    };
    match reduction.dtype {
        dtype if dtype == reduction.sums() => divided,
        dtype => format!("{}({divided})", dtype.name()),
    }
}
