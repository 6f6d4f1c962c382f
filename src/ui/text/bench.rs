//! The words of the bench: what is measured, and what came of it.

use super::contest::stretches;
use super::params::{Params, op_name};
use super::registry::algorithm_name;
use super::{Lang, fill, units};
use crate::engine::distinct;
use crate::runtime::transport::Via;
use crate::ui::bench::record::{Context, FORMAT, MAX_FILE, Record, VERSION};
use crate::ui::export::run_file::Unreadable;
use crate::ui::scenario::Scenario;
use std::fmt::Display;
use std::ops::RangeInclusive;

words! {
    /// The words of the bench.
    BenchWords {
        title: "Bench", "性能测试";
        lede: "Time collectives over sizes on your own machine. Every rank is a Web Worker, every \
            result is verified, and ring or tree becomes a question with an answer.",
            "在你自己的机器上测量各种大小的集合通信。每个 rank 都是一个 Web Worker，每个结果都经过验证；\
            “环还是树”从此有据可依。";
        what: "What is measured", "测量内容";
        verbs: "Verbs", "操作";
        algorithms: "Algorithms", "算法";
        ranks: "Ranks", "rank 数";
        types: "Types", "类型";
        from: "Sizes from", "大小从";
        to: "to", "到";
        run: "Run the bench", "开始测试";
        cancel: "Cancel", "取消";
        plan: "{n} {n|curve|curves} of {sizes} sizes each: {all} measurements, each the median of \
            {batches} batches after a warm-up. A size is the whole vector, the largest buffer of a \
            rank.",
            "{n} 条曲线，每条 {sizes} 种大小，共 {all} 次测量；每次先预热，再取 {batches} 批的中位数。\
            大小指整个向量，即单个 rank 上最大的缓冲区。";
        too_many: "{chosen} combinations are chosen, and a chart tells {most} apart. Choose fewer \
            verbs, algorithms, ranks or types.",
            "选了 {chosen} 种组合，而一张图最多能区分 {most} 条曲线。请减少操作、算法、rank 数或类型。";
        nothing: "No combination of these can be had. Choose another algorithm.",
            "这些选项没有任何可行的组合。请换一个算法。";
        left_out: "Left out: {name}, {why}.", "略去：{name}，{why}。";
        progress: "{done} of {all} · {name}, {size}", "{done}/{all} · {name}，{size}";
        unmeasured: "Left out: {name} at {size} and beyond. {why}",
            "{name} 从 {size} 起未测。{why}";
        results: "Results", "结果";
        here: "here", "本机";
        measured_here: "measured here", "本机实测";
        measured_there: "measured elsewhere", "他处实测";
        modelled: "modelled", "模型估算";
        context: "{browser} · {cores} {cores|core|cores} · {via} · {isolation} · timer {tick}",
            "{browser} · {cores} 核 · {via} · {isolation} · 计时器 {tick}";
        isolated: "isolated", "已隔离";
        not_isolated: "not isolated", "未隔离";
        fastest: "{group}: {stretches}.", "{group}：{stretches}。";
        fastest_alone: "Fastest: {stretches}.", "最快：{stretches}。";
        crossing: "Few rounds win while start-up times count, few bytes once bandwidth does: the \
            fitted lines of {first} and {last} cross at {size}.",
            "启动时间占主导时，轮次少的占优；带宽占主导时，字节少的占优：{first} 与 {last} 的拟合直线\
            在 {size} 处相交。";
        time: "Time", "时间";
        busbw: "busbw", "总线带宽 busbw";
        time_chart: "Time against size, both axes logarithmic", "时间随大小的变化，双对数坐标";
        busbw_chart: "busbw against size, both axes logarithmic",
            "总线带宽随大小的变化，双对数坐标";
        points: "Points are medians, bars reach from the fastest batch to the slowest, lines are \
            fits of α + β S. The dashed upright marks where the fastest changes: where another \
            one's median beats its fastest batch.",
            "点为中位数，竖线从最快一批到最慢一批，实线为 α + β S 拟合。竖直虚线处最快的算法易主：\
            另一种算法的中位数快过它最快的一批。";
        lines: "Every power of two is computed, none is interpolated. The dashed upright marks \
            where the fastest changes.",
            "每个 2 的幂都单独计算，没有插值。竖直虚线处最快的算法易主。";
        fits: "Fitted lines", "拟合直线";
        curve: "Curve", "曲线";
        rounds: "Rounds", "轮次";
        sent: "Busiest rank sends", "最忙的 rank 发送";
        alpha: "α", "启动时间 α";
        beta: "1/β", "速率 1/β";
        table: "Every measurement in a table", "以表格列出每次测量";
        model_table: "Every size in a table", "以表格列出每种大小";
        size: "size", "大小";
        count: "count", "元素数";
        dtype: "type", "类型";
        redop: "redop", "归约";
        root: "root", "根";
        spread: "fastest – slowest", "最快 – 最慢";
        algbw: "algbw", "算法带宽 algbw";
        wrong: "#wrong", "错误数 #wrong";
        export: "Take it along", "导出";
        as_text: "As nccl-tests prints it", "nccl-tests 的输出格式";
        as_csv: "As CSV", "CSV 文件";
        as_json: "As JSON", "JSON 文件";
        as_json_note: "opens here again", "可在此重新打开";
        open: "Open a record beside these", "打开另一份记录作对比";
        open_note: "a JSON file of the bench; or drop it anywhere on this page",
            "本页导出的 JSON 文件，也可拖放到页面任意处";
        choose: "Choose a file", "选择文件";
        opened: "{file}: {context}", "{file}：{context}";
        remove: "Remove", "移除";
        elsewhere: "On other machines", "在其他机器上";
        elsewhere_lede: "The same schedules on links with queues, from 1\u{a0}KiB to \
            1\u{a0}GiB. No browser is asked.",
            "同样的调度放到带排队的链路上仿真，1\u{a0}KiB 至 1\u{a0}GiB，与浏览器无关。";
        links: "Links", "链路";
        everywhere: "Which is fastest where", "各种机器上谁最快";
        more_ranks_than_cores: "{ranks} {ranks|rank shares|ranks share} {cores} \
            {cores|core|cores} here: they take turns, so these times say little about links.",
            "这里 {ranks} 个 rank 共用 {cores} 个核，只能轮流执行，这些时间反映不了链路的快慢。";
        kernels: "Reduction kernels", "归约内核";
        kernels_lede: "What a rank does between two messages: an operand is added to another, from \
            the first-level cache to memory. Ours works on vectors of 128 bits; beside it its \
            scalar twin, a plain loop over typed arrays in JavaScript, and as the roof a copy of \
            the same bytes, all in turns in this page.",
            "rank 在两条消息之间做的事：把一个操作数加到另一个上，规模从一级缓存到内存。\
            我们的内核使用 128 位向量；旁边是它的标量版本、JavaScript 里对类型化数组的普通循环，\
            以及作为上限的同量数据复制，四者在本页中轮流测量。";
        measure: "Measure the kernels", "测量内核";
        kernel_chart: "Rate against operand size, {dtype}", "速率随操作数大小的变化，{dtype}";
        kernel_type: "Type in the chart", "图中的类型";
        operand: "Operand", "操作数";
        copied: "Copy (roof)", "复制（上限）";
        simd: "Kernel, simd128", "内核，simd128";
        scalar: "Scalar twin", "标量版本";
        javascript: "JavaScript loop", "JavaScript 循环";
        of_copy: "Kernel ÷ copy", "内核 ÷ 复制";
        of_javascript: "Kernel ÷ JavaScript", "内核 ÷ JavaScript";
        file_too_large: "{name} has {size}; records of up to {limit} are read.",
            "{name} 有 {size}；最多读取 {limit} 的记录。";
        file_not_json: "{name} is not a record: it is no JSON from line {line}, column {column}.",
            "{name} 不是测试记录：从第 {line} 行第 {column} 列起不是 JSON。";
        file_cut_off: "{name} is cut off in line {line}: its end is missing. Copy it again.",
            "{name} 在第 {line} 行中断，缺少结尾。请重新复制该文件。";
        file_foreign: "{name} is not a record of the bench: such a file says format {format}.",
            "{name} 不是测试记录：这类文件标有 format {format}。";
        file_future: "{name} is of version {version}, and this Ringscope reads up to {limit}. \
            Open it with a newer one.",
            "{name} 的版本是 {version}，此 Ringscope 最高支持 {limit}。请用更新的版本打开。";
        file_damaged: "{name} is damaged at {place}, and nothing was changed.",
            "{name} 在 {place} 处损坏，页面未作任何更改。";
    }
}

/// Names that tell scenarios apart: the algorithm, and of all else what differs.
pub fn names(lang: Lang, scenarios: &[&Scenario]) -> Vec<String> {
    let differ = |same: fn(&Scenario, &Scenario) -> bool| {
        scenarios.windows(2).any(|pair| !same(pair[0], pair[1]))
    };
    let verbs = differ(|a, b| a.verb == b.verb);
    let algorithms = differ(|a, b| a.algorithm == b.algorithm);
    let ranks = differ(|a, b| a.ranks == b.ranks);
    let dtypes = differ(|a, b| a.dtype == b.dtype);
    let ops = differ(|a, b| a.op == b.op);
    let vias = differ(|a, b| a.via == b.via);
    let places = differ(|a, b| a.in_place == b.in_place);
    let alone = !(verbs || ranks || dtypes || ops || vias || places);
    let name = |s: &&Scenario| {
        let parts = [
            verbs.then(|| s.verb.title().to_string()),
            (algorithms || alone).then(|| algorithm_name(lang, s.algorithm).to_string()),
            ranks.then(|| format!("n\u{a0}=\u{a0}{}", s.ranks)),
            dtypes.then(|| s.dtype.name().to_string()),
            (ops && s.verb.reduces()).then(|| op_name(lang, s.op).to_string()),
            vias.then(|| via(lang, s.via).to_string()),
            places.then(|| place(lang, s.in_place).to_string()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    };
    scenarios.iter().map(name).collect()
}

/// Scenarios that differ in nothing but the algorithm, by index, in the order of their first ones.
pub fn groups(scenarios: &[&Scenario]) -> Vec<Vec<usize>> {
    let all_else = |s: &Scenario| (s.verb, s.ranks, s.dtype, s.op, s.via, s.in_place);
    let alike = |a: &Scenario, b: &Scenario| all_else(a) == all_else(b);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, scenario) in scenarios.iter().enumerate() {
        match groups.iter_mut().find(|group| alike(scenarios[group[0]], scenario)) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}

/// What tells groups apart: all but the algorithm that differs.
pub fn group_names(lang: Lang, scenarios: &[&Scenario], groups: &[Vec<usize>]) -> Vec<String> {
    let algorithm = Scenario::default().algorithm;
    let first = |group: &Vec<usize>| Scenario { algorithm, ..scenarios[group[0]].clone() };
    let firsts: Vec<Scenario> = groups.iter().map(first).collect();
    names(lang, &firsts.iter().collect::<Vec<_>>())
}

/// Which of these is fastest where, in a sentence; `group` says of what, if there are others.
pub fn fastest(
    lang: Lang,
    group: Option<&str>,
    names: &[&str],
    sizes: &[u64],
    winners: &[(usize, RangeInclusive<usize>)],
) -> String {
    let words = BenchWords::of(lang);
    let stretches = stretches(lang, names, sizes, winners);
    match group {
        Some(group) => fill(words.fastest, &[("group", &group), ("stretches", &stretches)]),
        None => fill(words.fastest_alone, &[("stretches", &stretches)]),
    }
}

/// Where measurements were made.
pub fn context(lang: Lang, record: &Record) -> String {
    let words = BenchWords::of(lang);
    let Context { origin, resolution_us } = &record.context;
    let vias = record.curves().into_iter().map(|curve| via(lang, curve.scenario.via)).collect();
    let vias = distinct(vias).join(lang.comma());
    let isolation = if origin.isolated { words.isolated } else { words.not_isolated };
    let tick = units::time_us(*resolution_us);
    let values: [(&str, &dyn Display); 5] = [
        ("browser", &origin.browser),
        ("cores", &origin.cores),
        ("via", &vias),
        ("isolation", &isolation),
        ("tick", &tick),
    ];
    fill(words.context, &values)
}

/// A way for messages.
pub fn via(lang: Lang, via: Via) -> &'static str {
    let words = Params::of(lang);
    match via {
        Via::Shared => words.via_shared,
        Via::Ports => words.via_ports,
    }
}

/// Where results lie.
pub fn place(lang: Lang, in_place: bool) -> &'static str {
    let words = Params::of(lang);
    if in_place { words.in_place } else { words.out_of_place }
}

/// Why the file of that name cannot be opened.
pub fn unreadable(lang: Lang, name: &str, why: &Unreadable) -> String {
    let words = BenchWords::of(lang);
    let name: (&str, &dyn Display) = ("name", &name);
    match why {
        Unreadable::TooLarge(bytes) => {
            let [size, limit] = [*bytes, MAX_FILE].map(|bytes| units::bytes(bytes as u64));
            fill(words.file_too_large, &[name, ("size", &size), ("limit", &limit)])
        }
        Unreadable::NotJson { line, column } => {
            fill(words.file_not_json, &[name, ("line", line), ("column", column)])
        }
        Unreadable::CutOff(line) => fill(words.file_cut_off, &[name, ("line", line)]),
        Unreadable::Foreign => fill(words.file_foreign, &[name, ("format", &FORMAT)]),
        Unreadable::Future(version) => {
            fill(words.file_future, &[name, ("version", version), ("limit", &VERSION)])
        }
        Unreadable::Damaged(place) => fill(words.file_damaged, &[name, ("place", place)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::scenario::parse;

    #[test]
    fn names_say_what_differs() {
        let scenarios =
            |links: &[&str]| -> Vec<Scenario> { links.iter().map(|link| parse(link).1).collect() };
        let named = |links: &[&str]| {
            let scenarios = scenarios(links);
            names(Lang::En, &scenarios.iter().collect::<Vec<_>>())
        };
        assert_eq!(named(&["/allreduce"]), ["Ring"]);
        assert_eq!(named(&["/allreduce", "/allreduce?algo=tree"]), ["Ring", "Binomial tree"]);
        assert_eq!(
            named(&["/allreduce", "/allreduce?n=8"]),
            ["n\u{a0}=\u{a0}4", "n\u{a0}=\u{a0}8"]
        );
        assert_eq!(
            named(&["/allreduce?type=f16", "/allgather?algo=direct"]),
            ["AllReduce · Ring · f16", "AllGather · Direct · f32"]
        );
        let mixed = scenarios(&["/allreduce", "/allgather", "/allreduce?algo=tree"]);
        let mixed: Vec<&Scenario> = mixed.iter().collect();
        let groups = groups(&mixed);
        assert_eq!(groups, [vec![0, 2], vec![1]]);
        assert_eq!(group_names(Lang::En, &mixed, &groups), ["AllReduce", "AllGather"]);
        let ways = ["shared memory", "message ports"];
        assert_eq!(named(&["/allreduce", "/allreduce?via=ports"]), ways);
        let places = ["out of place", "in place"];
        assert_eq!(named(&["/allreduce", "/allreduce?place=in"]), places);
    }

    #[test]
    fn the_fastest_is_named_with_its_sizes() {
        let winners = [(1, 0..=1), (0, 2..=2)];
        let sizes = [1024, 2048, 4096];
        let say = |group| fastest(Lang::En, group, &["ring", "tree"], &sizes, &winners);
        assert_eq!(say(None), "Fastest: tree up to 2\u{a0}KiB, ring from 4\u{a0}KiB on.");
        assert!(say(Some("AllReduce")).starts_with("AllReduce: tree up to"));
    }

    #[test]
    fn every_reason_has_its_sentence() {
        for lang in Lang::ALL {
            for why in [
                Unreadable::TooLarge(1 << 30),
                Unreadable::NotJson { line: 1, column: 2 },
                Unreadable::CutOff(3),
                Unreadable::Foreign,
                Unreadable::Future(9),
                Unreadable::Damaged("results[3]".into()),
            ] {
                let text = unreadable(lang, "a.json", &why);
                assert!(text.starts_with("a.json") && !text.contains(['{', '}']), "{text}");
            }
        }
    }
}
