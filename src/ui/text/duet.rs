//! The words of two stages over one clock.

words! {
    /// The words of two stages over one clock.
    DuetWords {
        compare_title: "Compare", "对比";
        compare_lede: "Two scenarios over one clock: the same step, the same speed, one selected \
            rank. The link holds both.",
            "两个场景共用一个时钟：同一步、同一速度、同一个选中的 rank。链接里包含两者。";
        halves_title: "AllReduce = ReduceScatter, then AllGather",
            "AllReduce = 先 ReduceScatter，再 AllGather";
        halves_lede: "The same input on both sides. One makes a single call; the other makes two, \
            and the second takes what the first really put out.",
            "两边输入相同。一边只调用一次；另一边调用两次，第二次的输入就是第一次实际的输出。";
        reverse_title: "Run backwards, gathering becomes reducing", "倒过来执行，收集就成了归约";
        reverse_lede: "A real schedule, turned round: every message flies the other way, the last \
            one first. Where a chunk was sent on to many, the chunks of many meet and are reduced.",
            "把真实的调度倒过来：每条消息反向传输，最后一条最先发出。\
            原来一个块发往多处，现在多处的块汇到一起，于是归约。";
        neutral_title: "Broadcast is an AllReduce of one", "Broadcast 就是只有一方出数的 AllReduce";
        neutral_lede: "Give every other rank the element that changes nothing, here {element} for \
            {op}, and AllReduce hands out what rank 0 holds.",
            "让其余 rank 都持有不改变结果的元素（{op}的单位元是 {element}），\
            AllReduce 发给大家的就是 rank 0 的数据。";
        experiments: "Experiments", "实验";
        halves: "Two halves", "拆成两半";
        reverse: "Reverse", "倒转";
        neutral: "Neutral element", "单位元";
        turn: "Turn it round", "倒过来";
        turn_back: "Turn it back", "转回来";
        of: "Schedule of", "调度";
        proved: "Proved just now by the checker: every output chunk of all {n} {n|rank|ranks} \
            holds exactly the contributions that {verb} asks for, each once; nothing races; \
            {slots} {slots|slot suffices|slots suffice} per connection.",
            "检查器刚刚证明：全部 {n} 个 rank 的每个输出块都恰好包含 {verb} 所要求的贡献，各一次；\
            没有竞争；每条连接 {slots} 个槽位足够。";
        not_proved: "The checker found a fault: {fault}.", "检查器发现错误：{fault}。";
        then: "{first}, then {second}", "先 {first}，再 {second}";
        side_a: "A", "甲";
        side_b: "B", "乙";
        remark: "{side}: {notice}", "{side}：{notice}";
        equal_after: "After {verb}: {n} of {n} {n|number is|numbers are} equal, bit for bit, to \
            what AllReduce holds by then at the same ranks.",
            "{verb} 之后：{n}/{n} 个数与 AllReduce 此时在相同 rank 上持有的数逐位相同。";
        differ_after: "After {verb}: {off} of {n} {n|number differs|numbers differ} from what \
            AllReduce holds by then at the same ranks.",
            "{verb} 之后：{n} 个数中有 {off} 个与 AllReduce 此时在相同 rank 上持有的数不同。";
        equal_end: "At the end: all outputs of all ranks, {n} of {n} {n|number|numbers}, are equal \
            on both sides, bit for bit.",
            "结束时：所有 rank 的全部输出共 {n}/{n} 个数，两边逐位相同。";
        differ_end: "At the end: {off} of {n} {n|number differs|numbers differ} between both \
            sides: the sums were added up in another order.",
            "结束时：{n} 个数中有 {off} 个两边不同：求和的次序不同。";
        still_after: "After {verb}, the block that every rank owns is compared.",
            "{verb} 之后，比较每个 rank 归属的块。";
        still_end: "At the end, all outputs of all ranks are compared.",
            "结束时，比较所有 rank 的全部输出。";
        compared: "Compared", "比较结果";
        bill: "The bill", "开销";
        difference: "Difference", "差别";
        difference_of: "B beside A", "乙比甲";
        difference_of_calls: "two calls beside one", "两次调用\u{200b}比一次";
        both: "Together", "合计";
        quantity: "Quantity", "项目";
        rounds: "Rounds", "轮数";
        sent: "Sent by the busiest rank", "最忙的 rank 的发送量";
        messages: "Messages", "消息数";
        modelled: "Time", "时间";
        modelled_kind: "modelled, event simulation, {links}", "模型估算，事件仿真，{links}";
        measured: "Time", "时间";
        not_measured: "not run yet", "尚未运行";
        same: "the same", "相同";
        simulated: "drawn by the simulator", "由模拟器生成";
        recorded: "recorded from workers", "采集自 worker";
        running: "workers are running", "worker 正在运行";
        what_ranks_hold: "What the ranks of {side} hold", "{side} 各 rank 的数据";
        parameters: "Parameters", "参数";
    }
}
