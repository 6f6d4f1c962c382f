//! The words of the cases that people look at first.

use super::{moments, scenario, shown};
use expect_test::{Expect, expect};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::TOPOLOGIES;
use ringscope::engine::reduce::{Dtype, MeanKind, ReduceOp};
use ringscope::ui::scenario::Scenario;
use ringscope::ui::text::Lang;
use ringscope::ui::text::inspector::cost::{Measured, rows};
use ringscope::ui::text::inspector::{code, log, words};

/// Everything that is said in one scenario, both languages, plus one rank's program and the log.
fn transcript(scenario: &Scenario) -> String {
    let (prepared, replay) = shown(scenario).expect("it is not refused");
    let mut text = String::new();
    for lang in Lang::ALL {
        let mut last = String::new();
        for time in moments(&replay) {
            let (headline, detail) = words(lang, &prepared, &replay, time);
            if headline != last {
                text += &format!("{headline}\n");
            }
            text += &format!("    {detail}\n");
            last = headline;
        }
    }
    text
}

fn check(algorithm: &'static str, verb: Verb, expected: Expect) {
    expected.assert_eq(&transcript(&scenario(algorithm, verb, 4, 1)));
}

#[test]
fn ring_all_reduce() {
    check(
        "ring",
        Verb::AllReduce,
        expect![[r#"
            Four ranks hold four numbers each. A ring adds them up in six steps.
                First ReduceScatter, three steps; then AllGather, three steps. At the end every rank holds the same sums.
            Each rank receives a chunk from its left and adds its own part.
                When they land, each travelling chunk holds two of four contributions.
                They have landed: each of these chunks holds two of four contributions.
            Each rank receives a partial sum from its left and adds its own part.
                When they land, each travelling chunk holds three of four contributions.
                They have landed: each of these chunks holds three of four contributions.
                When they land, each travelling chunk holds all four contributions.
                They have landed: each of these chunks holds all four contributions.
            Each rank passes on the finished chunk that it has just completed.
                When they land, each rank holds two of four finished chunks.
                They have landed: each rank holds two of four finished chunks.
            Each rank passes on the finished chunk that it has just received.
                When they land, each rank holds three of four finished chunks.
                They have landed: each rank holds three of four finished chunks.
                When they land, each rank holds all four finished chunks.
            All four ranks hold the same sums.
                Each number is made of four contributions; it took six steps.
            4 个 rank 各持有 4 个数。沿着环，用 6 步把它们加起来。
                先做 ReduceScatter（3 步），再做 AllGather（3 步）。最后每个 rank 都持有同样的和。
            每个 rank 从左边的 rank 收到一个数据块，加上自己的那一份。
                送达后，每个在途数据块含有 4 份贡献中的 2 份。
                已送达：送达的每个数据块含有 4 份贡献中的 2 份。
            每个 rank 从左边的 rank 收到部分和，加上自己的那一份。
                送达后，每个在途数据块含有 4 份贡献中的 3 份。
                已送达：送达的每个数据块含有 4 份贡献中的 3 份。
                送达后，每个在途数据块含有全部 4 份贡献。
                已送达：送达的每个数据块含有全部 4 份贡献。
            每个 rank 把刚归约完成的数据块传给下一个 rank。
                送达后，每个 rank 持有 4 个已完成的数据块中的 2 个。
                已送达：每个 rank 持有 4 个已完成的数据块中的 2 个。
            每个 rank 把刚收到的已完成的数据块继续传下去。
                送达后，每个 rank 持有 4 个已完成的数据块中的 3 个。
                已送达：每个 rank 持有 4 个已完成的数据块中的 3 个。
                送达后，每个 rank 持有全部 4 个已完成的数据块。
            4 个 rank 都持有同样的和。
                每个数都由 4 份贡献归约得到，共用 6 步。
        "#]],
    );
}

#[test]
fn tree_all_reduce() {
    check(
        "tree",
        Verb::AllReduce,
        expect![[r#"
            Four ranks hold four numbers each. A binomial tree adds them up in four steps.
                First Reduce, two steps; then Broadcast, two steps. At the end every rank holds the same sums.
            Rank 1 sends its numbers to rank 0, 3 to 2. Each receiver adds what comes to its own.
                When they land, each receiver holds two of four contributions.
                They have landed: each receiver holds two of four contributions.
            Rank 2 sends its partial sum to rank 0, which adds it to its own.
                When it lands, rank 0 holds all four contributions.
                It has landed: rank 0 holds all four contributions.
            Rank 0 sends the sum to rank 2.
                When it lands, two of four ranks hold the sum.
                It has landed: two of four ranks hold the sum.
            Rank 0 sends the sum to rank 1, 2 to 3.
                When they land, all four ranks hold the sum.
            All four ranks hold the same sums.
                Each number is made of four contributions; it took four steps.
            4 个 rank 各持有 4 个数。沿着二项树，用 4 步把它们加起来。
                先做 Reduce（2 步），再做 Broadcast（2 步）。最后每个 rank 都持有同样的和。
            rank 1 把自己的数据发给 rank 0，3 发给 2，接收方各自把收到的与本地数据块累加。
                送达后，每个接收方持有 4 份贡献中的 2 份。
                已送达：每个接收方持有 4 份贡献中的 2 份。
            rank 2 把部分和发给 rank 0，后者把收到的与本地数据块累加。
                送达后，rank 0 持有全部 4 份贡献。
                已送达：rank 0 持有全部 4 份贡献。
            rank 0 把最终的和发给 rank 2。
                送达后，4 个 rank 中的 2 个持有最终的和。
                已送达：4 个 rank 中的 2 个持有最终的和。
            rank 0 把最终的和发给 rank 1，2 发给 3。
                送达后，全部 4 个 rank 持有最终的和。
            4 个 rank 都持有同样的和。
                每个数都由 4 份贡献归约得到，共用 4 步。
        "#]],
    );
}

#[test]
fn double_tree_all_reduce() {
    check(
        "double-tree",
        Verb::AllReduce,
        expect![[r#"
            Four ranks hold four numbers each. A double binary tree adds them up in four steps.
                First Reduce, two steps; then Broadcast, two steps. At the end every rank holds the same sums.
            Rank 0 sends c1 to rank 1, 1 sends c0 to 2, 2 sends c1 to 1, 3 sends c0 to 2. Each receiver adds what comes to its own.
                When they land, c0–c1 hold three of four contributions.
                They have landed: c0–c1 hold three of four contributions.
            Rank 1 sends c1 to rank 3, 2 sends c0 to 0. Each receiver adds what comes to its own.
                When they land, c0–c1 hold all four contributions.
                They have landed: c0–c1 hold all four contributions.
            Rank 0 sends c0 to rank 2, 3 sends c1 to 1.
                When they land, c0–c1 are each held by two of four ranks.
                They have landed: c0–c1 are each held by two of four ranks.
            Rank 1 sends c1 to rank 0, 1 sends c1 to 2, 2 sends c0 to 1, 2 sends c0 to 3.
                When they land, c0–c1 are each held by all four ranks.
            All four ranks hold the same sums.
                Each number is made of four contributions; it took four steps.
            4 个 rank 各持有 4 个数。沿着双二叉树，用 4 步把它们加起来。
                先做 Reduce（2 步），再做 Broadcast（2 步）。最后每个 rank 都持有同样的和。
            rank 0 把 c1 发给 rank 1，1 把 c0 发给 2，2 把 c1 发给 1，3 把 c0 发给 2，接收方各自把收到的与本地数据块累加。
                送达后，c0–c1 含有 4 份贡献中的 3 份。
                已送达：c0–c1 含有 4 份贡献中的 3 份。
            rank 1 把 c1 发给 rank 3，2 把 c0 发给 0，接收方各自把收到的与本地数据块累加。
                送达后，c0–c1 含有全部 4 份贡献。
                已送达：c0–c1 含有全部 4 份贡献。
            rank 0 把 c0 发给 rank 2，3 把 c1 发给 1。
                送达后，4 个 rank 中的 2 个持有 c0–c1。
                已送达：4 个 rank 中的 2 个持有 c0–c1。
            rank 1 把 c1 发给 rank 0，1 把 c1 发给 2，2 把 c0 发给 1，2 把 c0 发给 3。
                送达后，全部 4 个 rank 持有 c0–c1。
            4 个 rank 都持有同样的和。
                每个数都由 4 份贡献归约得到，共用 4 步。
        "#]],
    );
}

#[test]
fn hierarchical_all_reduce() {
    let plain = scenario("hierarchical", Verb::AllReduce, 4, 1);
    let nodes = Scenario { ranks_per_node: 2, ..plain };
    expect![[r#"
        Four ranks hold four numbers each. A hierarchy of nodes adds them up in four steps.
            First ReduceScatter, two steps; then AllGather, two steps. At the end every rank holds the same sums.
        Rank 0 sends c2–c3 to rank 1, 1 sends c0–c1 to 0, 2 sends c2–c3 to 3, 3 sends c0–c1 to 2. Each receiver adds what comes to its own.
            When they land, c0–c3 hold two of four contributions.
            They have landed: c0–c3 hold two of four contributions.
        Each rank receives a partial sum from the rank two to its left and adds what it has so far.
            When they land, each travelling chunk holds all four contributions.
            They have landed: each of these chunks holds all four contributions.
        Each rank sends the finished chunk that it has just completed to the rank two further on.
            When they land, each rank holds two of four finished chunks.
            They have landed: each rank holds two of four finished chunks.
        Rank 0 sends c0–c1 to rank 1, 1 sends c2–c3 to 0, 2 sends c0–c1 to 3, 3 sends c2–c3 to 2.
            When they land, each rank holds all four finished chunks.
        All four ranks hold the same sums.
            Each number is made of four contributions; it took four steps.
        4 个 rank 各持有 4 个数。按节点分层，用 4 步把它们加起来。
            先做 ReduceScatter（2 步），再做 AllGather（2 步）。最后每个 rank 都持有同样的和。
        rank 0 把 c2–c3 发给 rank 1，1 把 c0–c1 发给 0，2 把 c2–c3 发给 3，3 把 c0–c1 发给 2，接收方各自把收到的与本地数据块累加。
            送达后，c0–c3 含有 4 份贡献中的 2 份。
            已送达：c0–c3 含有 4 份贡献中的 2 份。
        每个 rank 从左边第 2 个 rank 收到部分和，加上自己目前的结果。
            送达后，每个在途数据块含有全部 4 份贡献。
            已送达：送达的每个数据块含有全部 4 份贡献。
        每个 rank 把刚归约完成的数据块发给往后第 2 个 rank。
            送达后，每个 rank 持有 4 个已完成的数据块中的 2 个。
            已送达：每个 rank 持有 4 个已完成的数据块中的 2 个。
        rank 0 把 c0–c1 发给 rank 1，1 把 c2–c3 发给 0，2 把 c0–c1 发给 3，3 把 c2–c3 发给 2。
            送达后，每个 rank 持有全部 4 个已完成的数据块。
        4 个 rank 都持有同样的和。
            每个数都由 4 份贡献归约得到，共用 4 步。
    "#]].assert_eq(&transcript(&nodes));
}

#[test]
fn direct_all_reduce() {
    check(
        "direct",
        Verb::AllReduce,
        expect![[r#"
            Four ranks hold four numbers each. A direct exchange adds them up in two steps.
                First ReduceScatter, one step; then AllGather, one step. At the end every rank holds the same sums.
            Each rank receives its chunk from everybody else and adds them all to its own.
                When they land, each chunk holds all four contributions.
                They have landed: each chunk holds all four contributions.
            Each rank sends its finished chunk to everybody else.
                When they land, each rank holds all four finished chunks.
            All four ranks hold the same sums.
                Each number is made of four contributions; it took two steps.
            4 个 rank 各持有 4 个数。两两直连，用 2 步把它们加起来。
                先做 ReduceScatter（1 步），再做 AllGather（1 步）。最后每个 rank 都持有同样的和。
            每个 rank 从其他所有 rank 收到自己负责的数据块，全部与本地数据块累加。
                送达后，每个数据块含有全部 4 份贡献。
                已送达：每个数据块含有全部 4 份贡献。
            每个 rank 把归约完成的数据块发给其他所有 rank。
                送达后，每个 rank 持有全部 4 个已完成的数据块。
            4 个 rank 都持有同样的和。
                每个数都由 4 份贡献归约得到，共用 2 步。
        "#]],
    );
}

#[test]
fn ring_all_gather() {
    check(
        "ring",
        Verb::AllGather,
        expect![[r#"
        Four ranks hold one number each. A ring brings everything to everybody in three steps.
            At the end every rank holds every block.
        Each rank sends its own chunk to the next.
            When they land, each rank holds two of four chunks.
            They have landed: each rank holds two of four chunks.
        Each rank passes on the chunk that it has just received.
            When they land, each rank holds three of four chunks.
            They have landed: each rank holds three of four chunks.
            When they land, each rank holds all four chunks.
        All four ranks hold all four blocks.
            It took three steps.
        4 个 rank 各持有 1 个数。沿着环，用 3 步把所有数据送到每个 rank。
            最后每个 rank 都持有所有块。
        每个 rank 把自己的数据块发给下一个 rank。
            送达后，每个 rank 持有 4 个数据块中的 2 个。
            已送达：每个 rank 持有 4 个数据块中的 2 个。
        每个 rank 把刚收到的数据块继续传下去。
            送达后，每个 rank 持有 4 个数据块中的 3 个。
            已送达：每个 rank 持有 4 个数据块中的 3 个。
            送达后，每个 rank 持有全部 4 个数据块。
        4 个 rank 都持有全部 4 块。
            共用 3 步。
    "#]],
    );
}

#[test]
fn tree_scatter() {
    check(
        "tree",
        Verb::Scatter,
        expect![[r#"
            Rank 0 holds four numbers. A binomial tree deals them out, a block to each rank, in two steps.
                At the end rank r holds block r.
            Rank 0 sends c2–c3 to rank 2.
                When they land, two of four ranks hold their block.
                They have landed: two of four ranks hold their block.
            Rank 0 sends c1 to rank 1, 2 sends c3 to 3.
                When they land, all four ranks hold their block.
            Rank r holds block r of what rank 0 held.
                It took two steps.
            rank 0 持有 4 个数。沿着二项树，用 2 步给每个 rank 分发一块。
                最后 rank r 持有第 r 块。
            rank 0 把 c2–c3 发给 rank 2。
                送达后，4 个 rank 中的 2 个拿到了自己的块。
                已送达：4 个 rank 中的 2 个拿到了自己的块。
            rank 0 把 c1 发给 rank 1，2 把 c3 发给 3。
                送达后，全部 4 个 rank 拿到了自己的块。
            rank r 持有 rank 0 原有数据的第 r 块。
                共用 2 步。
        "#]],
    );
}

#[test]
fn linear_gather() {
    check(
        "linear",
        Verb::Gather,
        expect![[r#"
            Four ranks hold one number each. A star around rank 0 brings everything to rank 0 in three steps.
                At the end rank 0, the root, holds every block.
            Rank 3 sends c3 to rank 0.
                When it lands, rank 0 holds two of four chunks. Two more messages are on their way.
                It has landed: rank 0 holds two of four chunks. Two more messages are on their way.
            Rank 2 sends c2 to rank 0.
                When it lands, rank 0 holds three of four chunks. One more message is on its way.
                It has landed: rank 0 holds three of four chunks. One more message is on its way.
            Rank 1 sends c1 to rank 0.
                When it lands, rank 0 holds all four chunks.
            Rank 0, the root, holds all four blocks.
                It took three steps.
            4 个 rank 各持有 1 个数。由 rank 0 逐个处理，用 3 步把所有数据收集到 rank 0。
                最后根 rank 0 持有所有块。
            rank 3 把 c3 发给 rank 0。
                送达后，rank 0 持有 4 个数据块中的 2 个。另有 2 条消息已在途中。
                已送达：rank 0 持有 4 个数据块中的 2 个。另有 2 条消息已在途中。
            rank 2 把 c2 发给 rank 0。
                送达后，rank 0 持有 4 个数据块中的 3 个。另有 1 条消息已在途中。
                已送达：rank 0 持有 4 个数据块中的 3 个。另有 1 条消息已在途中。
            rank 1 把 c1 发给 rank 0。
                送达后，rank 0 持有全部 4 个数据块。
            根 rank 0 持有全部 4 块。
                共用 3 步。
        "#]],
    );
}

#[test]
fn direct_all_to_all() {
    check(
        "direct",
        Verb::AllToAll,
        expect![[r#"
            Four ranks hold four numbers each. A direct exchange hands block r of everything to rank r in one step.
                At the end rank r holds block r of everybody's numbers.
            Each rank sends every other rank the chunk that is meant for it.
                When they land, each rank holds all four chunks meant for it.
            Rank r holds block r of everybody's numbers.
                It took one step.
            4 个 rank 各持有 4 个数。两两直连，用 1 步让每个 rank 拿到各 rank 发给它的块。
                最后 rank r 持有每个 rank 的第 r 块。
            每个 rank 把各数据块分别发给它所属的 rank。
                送达后，每个 rank 持有发给自己的全部 4 个数据块。
            rank r 持有每个 rank 的第 r 块。
                共用 1 步。
        "#]],
    );
}

#[test]
fn dissemination_barrier() {
    check(
        "dissemination",
        Verb::Barrier,
        expect![[r#"
            Four ranks meet at a barrier. Spreading the news lets nobody go before all have come, in two steps.
                Nothing but news moves: who has come.
            Each rank tells the next that it has come.
                Then each rank has heard of two of four ranks.
                Each rank has now heard of two of four ranks.
            Each rank tells the rank two further on whom it has heard of.
                Then each rank has heard of all four ranks.
            Everybody has heard of everybody: all four ranks may go on.
                It took two steps.
            4 个 rank 在 Barrier 处会合。消息逐轮扩散，用 2 步等到所有 rank 都到齐。
                只传递“谁已到达”的消息。
            每个 rank 告诉下一个 rank：我到了。
                送达后，每个 rank 知道 4 个 rank 中的 2 个已到达。
                已送达：每个 rank 知道 4 个 rank 中的 2 个已到达。
            每个 rank 把自己所知的已到达名单告诉往后第 2 个 rank。
                送达后，每个 rank 知道全部 4 个 rank 已到达。
            每个 rank 都知道所有 rank 已到达：4 个 rank 可以继续了。
                共用 2 步。
        "#]],
    );
}

#[test]
fn pair_send_recv() {
    check(
        "pair",
        Verb::SendRecv,
        expect![[r#"
        Rank 0 holds four numbers. One Send and one Recv take them to rank 1 in one step.
            The other two ranks take no part.
        Rank 0 sends its numbers to rank 1.
            When they land, rank 1 holds rank 0's numbers.
        Rank 1 holds rank 0's numbers.
            It took one step.
        rank 0 持有 4 个数。一次 Send 配一次 Recv，用 1 步把数据送到 rank 1。
            其余 2 个 rank 不参与。
        rank 0 把自己的数据发给 rank 1。
            送达后，rank 1 持有 rank 0 的数据。
        rank 1 持有 rank 0 的数据。
            共用 1 步。
    "#]],
    );
}

/// The log and the program of a rank, for each way to reduce.
fn arithmetic(op: ReduceOp) -> String {
    let plain = scenario("ring", Verb::ReduceScatter, 2, 1);
    let (prepared, replay) = shown(&Scenario { op, ..plain }).expect("a ring");
    let lines = code::program(&prepared, 0);
    let mut text: String = lines.iter().flatten().map(|line| format!("{}\n", line.text)).collect();
    for entry in &replay.entries {
        let line = log::line(Lang::En, &prepared, entry);
        let log::Line { place, chunk, equation, contributions, .. } = line;
        text += &format!("{place} {chunk} {equation} {contributions}\n");
    }
    text
}

#[test]
fn arithmetic_is_written_as_people_write_it() {
    let all: String =
        ReduceOp::ALL.into_iter().map(|op| format!("{}\n{}", op.name(), arithmetic(op))).collect();
    expect![[r#"
        sum
        send c1 → rank 1
        recv c0 ← rank 1
        c0 = c0 + received
        0→1 c1 4 + 1 = 5 (2 of 2)
        1→0 c0 6 + 1 = 7 (2 of 2)
        max
        send c1 → rank 1
        recv c0 ← rank 1
        c0 = max(c0, received)
        0→1 c1 max(4, 1) = 4 (2 of 2)
        1→0 c0 max(6, 1) = 6 (2 of 2)
        min
        send c1 → rank 1
        recv c0 ← rank 1
        c0 = min(c0, received)
        0→1 c1 min(4, 1) = 1 (2 of 2)
        1→0 c0 min(6, 1) = 1 (2 of 2)
        product
        send c1 → rank 1
        recv c0 ← rank 1
        c0 = c0 × received
        0→1 c1 4 × 1 = 4 (2 of 2)
        1→0 c0 6 × 1 = 6 (2 of 2)
        mean
        send c1 → rank 1
        recv c0 ← rank 1
        c0 = (c0 + received) ÷ 2
        0→1 c1 (4 + 1) ÷ 2 = 2.5 (2 of 2)
        1→0 c0 (6 + 1) ÷ 2 = 3.5 (2 of 2)
        mean-pre
        send c1 × 1/2 → rank 1
        recv c0 ← rank 1
        c0 = c0 × 1/2 + received
        0→1 c1 2 + 1 × 1/2 = 2.5 (2 of 2)
        1→0 c0 3 + 1 × 1/2 = 3.5 (2 of 2)
    "#]]
    .assert_eq(&all);
}

#[test]
fn the_mean_of_integers_says_that_it_truncates() {
    let mean = ReduceOp::Mean(MeanKind::PostScale);
    let said = |dtype, op| {
        let plain = scenario("ring", Verb::ReduceScatter, 2, 1);
        let (prepared, replay) = shown(&Scenario { op, dtype, ..plain }).expect("a ring");
        let line = |entry| Lang::ALL.map(|lang| log::line(lang, &prepared, entry).equation);
        replay.entries.first().map(line).expect("a line")
    };
    let integers = ["(4 + 1) ÷ 2 = 2, truncated toward zero", "(4 + 1) ÷ 2 = 2（向零截断）"];
    assert_eq!(said(Dtype::I32, mean), integers);
    assert_eq!(said(Dtype::F32, mean), ["(4 + 1) ÷ 2 = 2.5"; 2]);
    assert_eq!(said(Dtype::I32, ReduceOp::Sum), ["4 + 1 = 5"; 2]);
}

#[test]
fn formulas_carry_live_numbers() {
    let plain = scenario("ring", Verb::AllReduce, 4, 1);
    let (prepared, _) = shown(&plain).expect("a ring");
    let measured = Measured { time_us: 118.0, resolution_us: 100.0, runs: 1 };
    let mean = Some(Measured { runs: 484, ..measured });
    let means = rows(Lang::En, &TOPOLOGIES[0], &prepared, mean);
    let means = means.iter().filter(|row| row.kind == "measured here, mean of 484 runs");
    assert_eq!(means.count(), 3, "time, algbw and busbw");
    let rows = rows(Lang::En, &TOPOLOGIES[0], &prepared, Some(measured));
    let text: String = rows
        .iter()
        .map(|r| format!("{} | {} | {} | {} | {}\n", r.name, r.formula, r.kind, r.value, r.note))
        .collect();
    expect![[r#"
        Steps | 2(n−1) |  | 6 | 
        Sent per rank | 2(n−1)/n · S = 2·3/4 · 16 B |  | 24 B | 
        Messages | 6 per rank |  | 24 | 
        Time |  | measured here | 118 µs | The clock here ticks every 100 µs: too coarse for one run of 118 µs.
        Time |  | modelled, rounds | 20.4 µs | NVLink 4 (Hopper, 18 links)
        Time |  | modelled, event simulation | 20.4 µs | NVLink 4 (Hopper, 18 links)
        algbw | S/t | measured here | 0.136 MB/s | S = 16 B, the buffer of each rank
        busbw | algbw × 6/4 | measured here | 0.203 MB/s | 
        Lower bound | ⌈log₂n⌉; 2(n−1)/n · S | published, Chan et al. 2007 | 2 steps · 24 B | 
    "#]].assert_eq(&text.replace('\u{a0}', " "));
}

#[test]
fn formulas_of_nodes_carry_live_numbers() {
    let mut text = String::new();
    for verb in [Verb::AllReduce, Verb::Broadcast, Verb::AllToAll] {
        let plain = scenario("hierarchical", verb, 8, 1);
        let nodes = Scenario { ranks_per_node: 4, ..plain };
        let (prepared, _) = shown(&nodes).expect("eight ranks fill two nodes");
        for row in &rows(Lang::En, &TOPOLOGIES[0], &prepared, None)[..2] {
            text += &format!("{} | {} | {}\n", row.name, row.formula, row.value);
        }
    }
    expect![[r#"
        Steps | 2N | 4
        Sent per rank | 2(n−1)/n · S = 2·7/8 · 32 B | 56 B
        Steps | ⌈log₂N⌉ + 2 | 3
        Sent per rank | (2(g−1) + ⌈log₂N⌉)/g · S = (2(4−1) + 1)/4 · 32 B | 56 B
        Steps | N | 2
        Sent per rank | (2 − (N+g)/n) · S = (2 − (2+4)/8) · 32 B | 40 B
    "#]]
    .assert_eq(&text.replace('\u{a0}', " "));
}

#[test]
fn rabenseifner_all_reduce() {
    check(
        "rabenseifner",
        Verb::AllReduce,
        expect![[r#"
            Four ranks hold four numbers each. Rabenseifner adds them up in four steps.
                First ReduceScatter, two steps; then AllGather, two steps. At the end every rank holds the same sums.
            Rank 0 sends c2–c3 to rank 1, 1 sends c0–c1 to 0, 2 sends c2–c3 to 3, 3 sends c0–c1 to 2. Each receiver adds what comes to its own.
                When they land, c0–c3 hold two of four contributions.
                They have landed: c0–c3 hold two of four contributions.
            Each rank receives a partial sum from the rank two to its left and adds what it has so far.
                When they land, each travelling chunk holds all four contributions.
                They have landed: each of these chunks holds all four contributions.
            Each rank sends the finished chunk that it has just completed to the rank two further on.
                When they land, each rank holds two of four finished chunks.
                They have landed: each rank holds two of four finished chunks.
            Rank 0 sends c0–c1 to rank 1, 1 sends c2–c3 to 0, 2 sends c0–c1 to 3, 3 sends c2–c3 to 2.
                When they land, each rank holds all four finished chunks.
            All four ranks hold the same sums.
                Each number is made of four contributions; it took four steps.
            4 个 rank 各持有 4 个数。Rabenseifner 算法，用 4 步把它们加起来。
                先做 ReduceScatter（2 步），再做 AllGather（2 步）。最后每个 rank 都持有同样的和。
            rank 0 把 c2–c3 发给 rank 1，1 把 c0–c1 发给 0，2 把 c2–c3 发给 3，3 把 c0–c1 发给 2，接收方各自把收到的与本地数据块累加。
                送达后，c0–c3 含有 4 份贡献中的 2 份。
                已送达：c0–c3 含有 4 份贡献中的 2 份。
            每个 rank 从左边第 2 个 rank 收到部分和，加上自己目前的结果。
                送达后，每个在途数据块含有全部 4 份贡献。
                已送达：送达的每个数据块含有全部 4 份贡献。
            每个 rank 把刚归约完成的数据块发给往后第 2 个 rank。
                送达后，每个 rank 持有 4 个已完成的数据块中的 2 个。
                已送达：每个 rank 持有 4 个已完成的数据块中的 2 个。
            rank 0 把 c0–c1 发给 rank 1，1 把 c2–c3 发给 0，2 把 c0–c1 发给 3，3 把 c2–c3 发给 2。
                送达后，每个 rank 持有全部 4 个已完成的数据块。
            4 个 rank 都持有同样的和。
                每个数都由 4 份贡献归约得到，共用 4 步。
        "#]],
    );
}

#[test]
fn nhr_reduce_scatter() {
    check(
        "nhr",
        Verb::ReduceScatter,
        expect![[r#"
            Four ranks hold four numbers each. NHR adds them up in two steps.
                At the end rank r holds the sums of block r.
            Each rank receives two chunks from its right and adds its own part.
                When they land, each travelling chunk holds two of four contributions.
                They have landed: each of these chunks holds two of four contributions.
            Each rank receives a partial sum from the rank two to its left and adds what it has so far.
                When they land, each travelling chunk holds all four contributions.
            Rank r holds block r of the sums.
                Each number is made of four contributions; it took two steps.
            4 个 rank 各持有 4 个数。非均衡层次环（NHR），用 2 步把它们加起来。
                最后 rank r 持有第 r 块的和。
            每个 rank 从右边的 rank 收到 2 个数据块，加上自己的那一份。
                送达后，每个在途数据块含有 4 份贡献中的 2 份。
                已送达：送达的每个数据块含有 4 份贡献中的 2 份。
            每个 rank 从左边第 2 个 rank 收到部分和，加上自己目前的结果。
                送达后，每个在途数据块含有全部 4 份贡献。
            rank r 持有和的第 r 块。
                每个数都由 4 份贡献归约得到，共用 2 步。
        "#]],
    );
}

#[test]
fn bruck_all_gather() {
    check(
        "bruck",
        Verb::AllGather,
        expect![[r#"
        Four ranks hold one number each. Bruck brings everything to everybody in two steps.
            At the end every rank holds every block.
        Each rank sends its own chunk to the one before it.
            When they land, each rank holds two of four chunks.
            They have landed: each rank holds two of four chunks.
        Each rank sends two chunks to the rank two further on.
            When they land, each rank holds all four chunks.
        All four ranks hold all four blocks.
            It took two steps.
        4 个 rank 各持有 1 个数。Bruck 算法，用 2 步把所有数据送到每个 rank。
            最后每个 rank 都持有所有块。
        每个 rank 把自己的数据块发给前一个 rank。
            送达后，每个 rank 持有 4 个数据块中的 2 个。
            已送达：每个 rank 持有 4 个数据块中的 2 个。
        每个 rank 把 2 个数据块发给往后第 2 个 rank。
            送达后，每个 rank 持有全部 4 个数据块。
        4 个 rank 都持有全部 4 块。
            共用 2 步。
    "#]],
    );
}

#[test]
fn bruck_all_to_all() {
    check(
        "bruck",
        Verb::AllToAll,
        expect![[r#"
            Four ranks hold four numbers each. Bruck hands block r of everything to rank r in two steps.
                At the end rank r holds block r of everybody's numbers.
            Each rank sends two chunks to the next.
                When they land, each rank holds two of four chunks meant for it.
                They have landed: each rank holds two of four chunks meant for it.
            Each rank sends the rank two further on what is meant for it.
                When they land, each rank holds all four chunks meant for it.
            Rank r holds block r of everybody's numbers.
                It took two steps.
            4 个 rank 各持有 4 个数。Bruck 算法，用 2 步让每个 rank 拿到各 rank 发给它的块。
                最后 rank r 持有每个 rank 的第 r 块。
            每个 rank 把 2 个数据块发给下一个 rank。
                送达后，每个 rank 持有发给自己的 4 个数据块中的 2 个。
                已送达：每个 rank 持有发给自己的 4 个数据块中的 2 个。
            每个 rank 把属于对方的数据块发给往后第 2 个 rank。
                送达后，每个 rank 持有发给自己的全部 4 个数据块。
            rank r 持有每个 rank 的第 r 块。
                共用 2 步。
        "#]],
    );
}

#[test]
fn pairwise_all_to_all() {
    check(
        "pairwise",
        Verb::AllToAll,
        expect![[r#"
            Four ranks hold four numbers each. Pairwise exchange hands block r of everything to rank r in three steps.
                At the end rank r holds block r of everybody's numbers.
            Each rank sends the next what is meant for it.
                When they land, each rank holds two of four chunks meant for it.
                They have landed: each rank holds two of four chunks meant for it.
            Each rank sends the rank two further on what is meant for it.
                When they land, each rank holds three of four chunks meant for it.
                They have landed: each rank holds three of four chunks meant for it.
            Each rank sends the one before it what is meant for it.
                When they land, each rank holds all four chunks meant for it.
            Rank r holds block r of everybody's numbers.
                It took three steps.
            4 个 rank 各持有 4 个数。成对交换（pairwise），用 3 步让每个 rank 拿到各 rank 发给它的块。
                最后 rank r 持有每个 rank 的第 r 块。
            每个 rank 把属于对方的数据块发给下一个 rank。
                送达后，每个 rank 持有发给自己的 4 个数据块中的 2 个。
                已送达：每个 rank 持有发给自己的 4 个数据块中的 2 个。
            每个 rank 把属于对方的数据块发给往后第 2 个 rank。
                送达后，每个 rank 持有发给自己的 4 个数据块中的 3 个。
                已送达：每个 rank 持有发给自己的 4 个数据块中的 3 个。
            每个 rank 把属于对方的数据块发给前一个 rank。
                送达后，每个 rank 持有发给自己的全部 4 个数据块。
            rank r 持有每个 rank 的第 r 块。
                共用 3 步。
        "#]],
    );
}

#[test]
fn one_shot_all_reduce() {
    check(
        "one-shot",
        Verb::AllReduce,
        expect![[r#"
            Four ranks hold four numbers each. One-shot adds them up in one step.
                At the end every rank holds the sums, put together in its own order.
            Each rank receives all numbers from everybody else and adds them all to its own.
                When they land, each chunk holds all four contributions.
            All four ranks hold the sums, each put together in its own order.
                Each number is made of four contributions; it took one step.
            4 个 rank 各持有 4 个数。一次性（one-shot），用 1 步把它们加起来。
                最后每个 rank 都持有和，各自的运算顺序不同。
            每个 rank 从其他所有 rank 收到全部数据，全部与本地数据块累加。
                送达后，每个数据块含有全部 4 份贡献。
            4 个 rank 都持有和，各自的运算顺序不同。
                每个数都由 4 份贡献归约得到，共用 1 步。
        "#]],
    );
}

#[test]
fn scatter_allgather_broadcast() {
    check(
        "scatter-allgather",
        Verb::Broadcast,
        expect![[r#"
        Rank 0 holds four numbers. Scatter-AllGather takes them to everybody in five steps.
            First Scatter, two steps; then AllGather, three steps. At the end every rank holds what rank 0 holds.
        Rank 0 sends c2–c3 to rank 2.
            When they land, two of four ranks hold their block.
            They have landed: two of four ranks hold their block.
        Rank 0 sends c1 to rank 1, 2 sends c3 to 3.
            When they land, all four ranks hold their block.
            They have landed: all four ranks hold their block.
        Each rank passes a chunk on to the next.
            When they land, each rank holds two or three of four chunks.
            They have landed: each rank holds two or three of four chunks.
        Each rank passes on the chunk that it has just received.
            When they land, each rank holds three or four of four chunks.
            They have landed: each rank holds three or four of four chunks.
            When they land, each rank holds all four chunks.
        All four ranks hold rank 0's numbers.
            It took five steps.
        rank 0 持有 4 个数。先 Scatter 后 AllGather，用 5 步把数据送到每个 rank。
            先做 Scatter（2 步），再做 AllGather（3 步）。最后每个 rank 都持有 rank 0 的数据。
        rank 0 把 c2–c3 发给 rank 2。
            送达后，4 个 rank 中的 2 个拿到了自己的块。
            已送达：4 个 rank 中的 2 个拿到了自己的块。
        rank 0 把 c1 发给 rank 1，2 把 c3 发给 3。
            送达后，全部 4 个 rank 拿到了自己的块。
            已送达：全部 4 个 rank 拿到了自己的块。
        每个 rank 把一个数据块传给下一个 rank。
            送达后，每个 rank 持有 4 个数据块中的 2 至 3 个。
            已送达：每个 rank 持有 4 个数据块中的 2 至 3 个。
        每个 rank 把刚收到的数据块继续传下去。
            送达后，每个 rank 持有 4 个数据块中的 3 至 4 个。
            已送达：每个 rank 持有 4 个数据块中的 3 至 4 个。
            送达后，每个 rank 持有全部 4 个数据块。
        4 个 rank 都持有 rank 0 的数据。
            共用 5 步。
    "#]],
    );
}
