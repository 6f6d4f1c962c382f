//! The words on the stage.

words! {
    /// The words on the stage.
    Stage {
        stage: "Ranks and the chunks they hold", "各 rank 及其持有的数据块";
        node: "node {node}", "节点 {node}";
        sends: "sends {chunk} → {peer}", "发送 {chunk} → {peer}";
        sends_to: "sends to {n} {n|rank|ranks}", "发往 {n} 个 rank";
        waits: "waits for {peer}", "等待 {peer}";
        done: "done", "已完成";
        idle: "not taking part", "不参与";
        per_link: "{bytes} per link and step", "每步每条链路 {bytes}";
        cell_empty: "{chunk} empty", "{chunk} 为空";
        cell_holds: "{chunk} = {value}, {k} of {n}", "{chunk} = {value}，{k}/{n}";
        partial: "partial {k}/{n}", "部分 {k}/{n}";
        complete: "complete", "已完整";
        ranks: "{n} {n|rank|ranks}", "{n} 个 rank";
        as_table: "What the ranks hold, as a table", "以表格列出各 rank 的数据";
        col_rank: "Rank", "Rank";
        col_chunk: "Chunk", "数据块";
        col_value: "Value", "数值";
        col_held: "Contributions", "已含贡献数";
        col_final: "Final", "最终结果";
        yes: "yes", "是";
    }
}
