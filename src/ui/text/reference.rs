//! The words of the reference page.

words! {
    /// The words of the reference page.
    ReferenceWords {
        title: "Reference", "速查";
        lede: "Every verb of collective communication: what moves, who holds what afterwards, who \
            uses it, and what it is called in four libraries. Open one to watch it run.",
            "集合通信的每个操作：数据如何移动、结束后谁持有什么、用在哪里、在四个库里如何调用。\
            点开任意一个，看它实际运行。";
        glyph_key: "In the pictures rows are ranks, colours are chunks and dark is reduced; \
            before is left, after is right.",
            "图中每行是一个 rank，每种颜色是一个数据块，深色表示已归约；左边是操作之前，右边是操作之后。";
        verbs: "The verbs", "操作一览";
        verb: "Verb", "操作";
        does: "What it does", "作用";
        holds: "Who holds what afterwards", "结束后谁持有什么";
        same: "Same on all ranks", "各 rank 结果是否相同";
        same_yes: "yes", "是";
        same_no: "no", "否";
        same_root: "no: root only", "否：仅根 rank";
        same_receiver: "no: receiver only", "否：仅接收方";
        used: "Who uses it, for what", "用在哪里";
        calls: "Calls", "调用方式";
        open: "Open {verb} in the player", "在播放器中打开 {verb}";
        algorithms: "The algorithms", "算法一览";
        algorithms_caption: "n is the number of ranks, in N nodes of g, and S the size of the \
            whole vector. One piece per block; sent is what the busiest rank sends. Chunks per \
            block, segments per chunk and, where a verb has one, the root can always be chosen; \
            other options stand here.",
            "n 为 rank 数，共 N 个节点、每节点 g 个；S 为完整向量的大小；每块不再细分。发送量按发送最多的 rank 计。\
            每块切分数、每块分段数以及根 rank（若有）总可以选择，其余选项列在表中。";
        algorithm: "Algorithm", "算法";
        rounds: "Rounds", "轮数";
        sent: "Sent per rank", "每 rank 发送量";
        needs: "Needs", "前提";
        options: "Options", "选项";
        source: "Source", "出处";
    }
}
