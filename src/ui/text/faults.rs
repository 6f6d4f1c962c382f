//! What a run came to: why it yielded nothing, or whether its result is right.

use super::{Lang, fill, units};
use crate::engine::oracle::Verdict;
use crate::engine::rank::{Blocked, Waiting};
use crate::runtime::outcome::RunFault;
use crate::runtime::protocol::RankState;
use crate::runtime::transport::{Unshared, Wiring};
use std::fmt::Display;

words! {
    /// The sentences about the end of a run.
    FaultWords {
        over_budget: "This run would need {needed} of memory in all, and the limit is {limit}. \
            Nothing was allocated; inputs and settings are kept. Choose a smaller buffer or fewer \
            ranks.",
            "这次运行总共需要 {needed} 内存，上限是 {limit}。尚未分配任何内存，输入和设置都保留。\
            请选小一些的缓冲区或少一些 rank。";
        too_few_slots: "The schedule needs {needed} {needed|slot|slots} per connection and was \
            given {given}, so it might deadlock and was not started. Inputs and settings are kept. \
            Choose another algorithm.",
            "该调度每条连接需要 {needed} 个槽位，只给了 {given} 个，可能死锁，因此没有启动。\
            输入和设置都保留。请换一个算法。";
        partial_sums_travel: "In this schedule partial sums travel, so no owner can keep them in \
            f32; it was not started. Inputs and settings are kept. Choose another algorithm.",
            "该调度会传输部分和，没有 rank 能始终以 f32 保存它们，因此没有启动。输入和设置都保留。\
            请换一个算法。";
        needs_switch: "This algorithm adds inside the network's switch, and no browser has such a \
            switch, so it is modelled and cannot be run. Inputs and settings are kept. Watch it on \
            the clock of rounds or the modelled one, or choose another algorithm.",
            "该算法在网络交换机里做加法，浏览器没有这样的交换机，因此只建模、不能实际运行。\
            输入和设置都保留。请用轮次时钟或模型时钟观看，或换一个算法。";
        out_of_memory: "The browser did not give rank {rank} the {bytes} it asked for. Inputs and \
            settings are kept. Choose a smaller buffer or fewer ranks, then press Run again.",
            "浏览器没有给 rank {rank} 所需的 {bytes} 内存。输入和设置都保留。\
            请选小一些的缓冲区或少一些 rank，再点“运行”。";
        boot: "Rank {rank} did not start: {message}. Inputs and settings are kept. Check the \
            connection, then press Run again.",
            "rank {rank} 未能启动：{message}。输入和设置都保留。请检查网络，再点“运行”。";
        withheld: "The browser no longer gives rank {rank} the memory that the others share: \
            {message}. This run is lost; inputs and settings are kept. Press Run again: where no \
            memory is shared, messages go over ports.",
            "浏览器不再把其余 rank 共享的内存交给 rank {rank}：{message}。本次运行作废，\
            输入和设置都保留。再点“运行”即可：内存不能共享时，消息经端口传递。";
        version: "The page is of version {ours}, but its worker is of version {theirs}: the \
            browser has kept an old file. Reload the page; the link keeps inputs and settings.",
            "页面的版本是 {ours}，worker 的版本却是 {theirs}：浏览器缓存了旧文件。\
            请重新加载页面，链接里保留着输入和设置。";
        panicked: "Rank {rank} failed: {message}. This run is lost; inputs and settings are kept. \
            Press Run again: new workers will start.",
            "rank {rank} 出错：{message}。本次运行作废，输入和设置都保留。再点“运行”会启动新的 worker。";
        died: "Rank {rank} stopped answering, and the others wait for it. This run is lost; \
            inputs and settings are kept. Press Run again: new workers will start.",
            "rank {rank} 不再响应，其余 rank 都在等它。本次运行作废，输入和设置都保留。\
            再点“运行”会启动新的 worker。";
        stalled: "No rank got on for {seconds} s: {waiting}. This run is lost; inputs and \
            settings are kept. Press Run again: new workers will start.",
            "已有 {seconds} 秒没有任何 rank 取得进展：{waiting}。本次运行作废，输入和设置都保留。\
            再点“运行”会启动新的 worker。";
        waits_message: "rank {rank} waits for rank {peer}", "rank {rank} 在等 rank {peer}";
        waits_slot: "rank {rank} waits for room on its way to rank {peer}",
            "rank {rank} 在等发往 rank {peer} 的空闲槽位";
        waits_itself: "rank {rank} waits for itself", "rank {rank} 在等自己的另一条执行流";
        at_work: "rank {rank} is still at work", "rank {rank} 仍在计算";
        and_more: "{more} more {more|waits|wait} as well", "另有 {more} 个 rank 也在等";
        cancelled: "The run was cancelled; inputs and settings are kept.",
            "运行已取消，输入和设置都保留。";
        unshared_not_built: "Messages went over ports: this copy of Ringscope was built without \
            the program that shares memory.",
            "消息经端口传递：这份 Ringscope 在构建时没有包含共享内存的程序。";
        unshared_refused: "Messages went over ports: this browser gives no memory to be shared to \
            the workers of this page ({message}).",
            "消息经端口传递：浏览器不让此页面的 worker 共享内存（{message}）。";
        unshared_not_started: "Messages went over ports: the ranks did not start in shared memory \
            ({message}).",
            "消息经端口传递：rank 未能在共享内存中启动（{message}）。";
        shared_reduced: "The browser refused a larger shared memory: all ranks together have \
            {bytes} at most.",
            "浏览器不提供更大的共享内存：所有 rank 合计最多 {bytes}。";
        verified: "result verified", "结果已验证";
        wrong: "result wrong", "结果有误";
        unchecked: "nothing to verify", "无需验证";
        verified_exactly: "{checked} of {checked} {checked|element equals|elements equal} the \
            serial evaluation of the same expression bit for bit, and {checked|is|are} exact.",
            "{checked}/{checked} 个元素与同一表达式的串行求值逐位相同，且没有误差。";
        verified_within: "{checked} of {checked} {checked|element equals|elements equal} the \
            serial evaluation of the same expression bit for bit, and {checked|lies|lie} within \
            the error bound (worst {worst} % of it).",
            "{checked}/{checked} 个元素与同一表达式的串行求值逐位相同，误差均在界内\
            （最大为误差界的 {worst} %）。";
        found_wrong: "{bits} of {checked} {checked|element|elements} {bits|differs|differ} from \
            the serial evaluation of the same expression, and {off} {off|lies|lie} outside the \
            error bound. Do not trust this run; press Run again.",
            "{checked} 个元素中有 {bits} 个与同一表达式的串行求值不同，{off} 个超出误差界。\
            这次运行不可信，请再点“运行”。";
        found_nothing: "No rank ends with an element, so there was nothing to verify.",
            "没有任何 rank 最终持有数据，因此无需验证。";
    }
}

/// Most characters of a message that a sentence quotes.
const MESSAGE_CHARS: usize = 200;

/// Most waiting ranks that a sentence names.
const RANKS_NAMED: usize = 4;

/// What happened, what is lost, and what to do about it.
pub fn fault(lang: Lang, fault: &RunFault) -> String {
    let words = FaultWords::of(lang);
    match fault {
        RunFault::OverBudget { needed, limit } => {
            let (needed, limit) = (units::bytes(*needed), units::bytes(*limit));
            fill(words.over_budget, &[("needed", &needed), ("limit", &limit)])
        }
        RunFault::NeedsSwitch => words.needs_switch.to_string(),
        RunFault::TooFewSlots { needed, given } => {
            fill(words.too_few_slots, &[("needed", needed), ("given", given)])
        }
        RunFault::PartialSumsTravel => words.partial_sums_travel.to_string(),
        RunFault::OutOfMemory { rank, bytes } => {
            fill(words.out_of_memory, &[("rank", rank), ("bytes", &units::bytes(*bytes))])
        }
        RunFault::Boot { rank, message } => {
            fill(words.boot, &[("rank", rank), ("message", &cut(message))])
        }
        RunFault::Withheld { rank, message } => {
            fill(words.withheld, &[("rank", rank), ("message", &cut(message))])
        }
        RunFault::Version { ours, theirs } => {
            fill(words.version, &[("ours", ours), ("theirs", &cut(theirs))])
        }
        RunFault::Panicked { rank, message } => {
            fill(words.panicked, &[("rank", rank), ("message", &cut(message))])
        }
        RunFault::Died { rank } => fill(words.died, &[("rank", rank)]),
        RunFault::Stalled { after_ms, waiting } => {
            let seconds = format!("{:.1}", after_ms / 1000.0);
            let waiting = waits(lang, waiting);
            fill(words.stalled, &[("seconds", &seconds), ("waiting", &waiting)])
        }
        RunFault::Cancelled => words.cancelled.to_string(),
    }
}

/// Why a run's messages went over ports, or how little memory there was to share.
pub fn wiring(lang: Lang, wiring: &Wiring) -> Option<String> {
    let words = FaultWords::of(lang);
    Some(match (&wiring.unshared, wiring.bytes_max) {
        (Some(Unshared::NotBuilt), _) => words.unshared_not_built.to_string(),
        (Some(Unshared::Refused(said)), _) => {
            fill(words.unshared_refused, &[("message", &cut(said))])
        }
        (Some(Unshared::NotStarted(said)), _) => {
            fill(words.unshared_not_started, &[("message", &cut(said))])
        }
        (None, Some(bytes)) => fill(words.shared_reduced, &[("bytes", &units::bytes(bytes))]),
        (None, None) => return None,
    })
}

/// A browser's message as part of a sentence.
pub fn cut(message: &str) -> String {
    let message: String = message.chars().take(MESSAGE_CHARS).collect();
    message.trim().trim_end_matches('.').to_string()
}

/// Who waits for whom.
fn waits(lang: Lang, ranks: &[(usize, RankState)]) -> String {
    let words = FaultWords::of(lang);
    let clause = |(rank, state): &(usize, RankState)| {
        let (template, peer) = match state.blocked.first() {
            None => (words.at_work, 0),
            Some(Blocked { on: Waiting::Message(peer), .. }) => (words.waits_message, peer.rank),
            Some(Blocked { on: Waiting::Slot(peer), .. }) => (words.waits_slot, peer.rank),
            Some(Blocked { on: Waiting::Op(_), .. }) => (words.waits_itself, 0),
        };
        fill(template, &[("rank", rank), ("peer", &peer)])
    };
    let mut clauses: Vec<String> = ranks.iter().take(RANKS_NAMED).map(clause).collect();
    if ranks.len() > RANKS_NAMED {
        clauses.push(fill(words.and_more, &[("more", &(ranks.len() - RANKS_NAMED))]));
    }
    clauses.join(lang.comma())
}

/// Whether the result is right: a word or two, and a sentence.
pub fn verdict(lang: Lang, verdict: &Verdict) -> (&'static str, String) {
    let words = FaultWords::of(lang);
    let (short, template) = match verdict {
        Verdict { checked: 0, .. } => (words.unchecked, words.found_nothing),
        verdict if !verdict.passed() => (words.wrong, words.found_wrong),
        Verdict { worst, .. } if *worst == 0.0 => (words.verified, words.verified_exactly),
        _ => (words.verified, words.verified_within),
    };
    let percent = verdict.worst * 100.0;
    let worst = if percent < 1.0 { "< 1".to_string() } else { format!("{percent:.0}") };
    let values: [(&str, &dyn Display); 4] = [
        ("checked", &verdict.checked),
        ("bits", &verdict.wrong_bits),
        ("off", &verdict.out_of_bound),
        ("worst", &worst),
    ];
    (short, fill(template, &values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::schedule::Peer;

    fn faults() -> Vec<RunFault> {
        let blocked = |on| RankState {
            steps: 3,
            blocked: vec![Blocked { lane: 0, op: 7, on }],
            since_us: 0.0,
        };
        let peer = Peer { rank: 9, channel: 0 };
        let mut waiting = vec![
            (0, blocked(Waiting::Message(peer))),
            (1, blocked(Waiting::Slot(peer))),
            (2, blocked(Waiting::Op(5))),
        ];
        waiting.extend(
            (3..8).map(|rank| (rank, RankState { steps: 0, blocked: Vec::new(), since_us: 0.0 })),
        );
        let text = || "a reason.".to_string();
        vec![
            RunFault::OverBudget { needed: 5 << 30, limit: 2 << 30 },
            RunFault::NeedsSwitch,
            RunFault::TooFewSlots { needed: 5, given: 1 },
            RunFault::PartialSumsTravel,
            RunFault::OutOfMemory { rank: 9, bytes: 64 << 20 },
            RunFault::Boot { rank: 9, message: text() },
            RunFault::Withheld { rank: 9, message: text() },
            RunFault::Version { ours: "9".into(), theirs: "x".repeat(100_000) },
            RunFault::Panicked { rank: 9, message: text() },
            RunFault::Died { rank: 9 },
            RunFault::Stalled { after_ms: 9500.0, waiting },
            RunFault::Cancelled,
        ]
    }

    #[test]
    fn every_fault_says_what_is_kept_and_leaves_no_placeholder() {
        for lang in Lang::ALL {
            let kept = if lang == Lang::En { "settings" } else { "设置" };
            for fault in faults() {
                let text = super::fault(lang, &fault);
                assert!(text.contains(kept), "{text}");
                assert!(!text.contains(['{', '}']), "{text}");
                assert!(text.chars().count() < 500, "{text}");
                let names_rank = matches!(fault, RunFault::Died { .. } | RunFault::Stalled { .. });
                assert!(!names_rank || text.contains('9'), "{text}");
            }
        }
    }

    #[test]
    fn a_stall_names_who_waits_for_whom() {
        let stalled = faults().into_iter().find(|f| matches!(f, RunFault::Stalled { .. }));
        let text = stalled.map(|f| fault(Lang::En, &f)).unwrap_or_default();
        assert!(text.contains("rank 0 waits for rank 9, rank 1 waits for room"), "{text}");
        assert!(text.contains("4 more wait as well"), "{text}");
    }

    #[test]
    fn verdicts_are_told_apart() {
        let good = Verdict { checked: 48, worst: 0.12, ..Verdict::default() };
        let cases = [
            (good, "result verified", "48 of 48 elements"),
            (good, "result verified", "(worst 12 % of it)"),
            (Verdict { worst: 0.001, ..good }, "result verified", "(worst < 1 % of it)"),
            (Verdict { worst: 0.0, ..good }, "result verified", "are exact"),
            (Verdict { wrong_bits: 2, ..good }, "result wrong", "2 of 48 elements differ"),
            (Verdict { out_of_bound: 3, ..good }, "result wrong", "3 lie outside"),
            (Verdict::default(), "nothing to verify", "No rank ends with"),
        ];
        for (found, pill, part) in cases {
            let (short, long) = verdict(Lang::En, &found);
            assert_eq!(short, pill);
            assert!(long.contains(part), "{long}");
            assert_ne!(verdict(Lang::Zh, &found), (short, long));
        }
    }
}
