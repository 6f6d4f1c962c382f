//! The words of the track and of the transport below it.

words! {
    /// The words of the track and of the transport.
    TrackWords {
        label: "Timeline", "时间轴";
        label_of: "Timeline of {of}", "{of} 的时间轴";
        at_start: "Start, {steps} {steps|step|steps} to come", "起点，共 {steps} 步";
        at_step: "Step {step} of {steps}, {phase} {round}/{rounds}",
            "第 {step} 步，共 {steps} 步，{phase} {round}/{rounds}";
        playing: "Playing {phase}", "正在播放 {phase}";
        no_steps: "No messages: nothing has to move", "没有消息：不需要移动任何数据";
        select: "Select {actor}", "选中 {actor}";
        sent: "sent", "发出";
        arriving: "arriving", "到达中";
        waiting: "waiting for a send", "等待对方发送";
        table: "All messages as a table", "以表格列出全部消息";
        table_of: "All messages of {of} as a table", "以表格列出 {of} 的全部消息";
        table_caption: "Every message of this run, in the order they leave",
            "本次运行的全部消息，按发出先后排列";
        step: "Step", "步";
        from: "From", "发送方";
        to: "To", "接收方";
        chunks: "Chunks", "数据块";
        departs: "Leaves", "发出";
        arrives_at: "Arrives", "到达";
        controls: "Playback", "播放控制";
        play: "Play", "播放";
        pause: "Pause", "暂停";
        to_start: "To the start", "回到起点";
        back: "One step back", "后退一步";
        forward: "One step forward", "前进一步";
        position: "step\u{a0}{step} of\u{a0}{steps}", "第\u{a0}{step} /\u{a0}{steps}\u{a0}步";
        speed: "Speed", "速度";
        keys: "Keyboard shortcuts", "键盘快捷键";
        loop_off: "Loop", "循环";
        loop_on: "Loop {from}–{to}", "循环 {from}–{to}";
        loop_title: "Repeat a part", "重复播放一段";
        loop_none: "Off: play to the end", "关闭：播放到结尾";
        loop_phase: "This phase: steps {from}–{to}", "当前阶段：第 {from}–{to} 步";
        loop_first: "First step", "起始步";
        loop_last: "Last step", "结束步";
        loop_set: "Repeat these", "重复这段";
        loop_not_whole: "“{value}” is not a whole number: steps run from 1 to {steps}.",
            "“{value}”不是整数：步的范围是 1 到 {steps}。";
        loop_outside:
            "There is no step {value}: steps run from 1 to {steps}, the nearest is {nearest}.",
            "没有第 {value} 步：步的范围是 1 到 {steps}，最接近的是 {nearest}。";
        loop_backwards:
            "Step {from} comes after step {to}: the first step must not come after the last.",
            "第 {from} 步在第 {to} 步之后：起始步不能晚于结束步。";
        key_play: "play or pause", "播放或暂停";
        key_step: "one step back or forward", "后退或前进一步";
        key_phase: "one phase back or forward", "后退或前进一个阶段";
        key_fine: "a little back or forward", "小幅后退或前进";
        key_ends: "to the start or the end", "跳到起点或终点";
        key_restart: "play again from the start", "从头播放";
        key_help: "show these keys", "显示本列表";
        close: "Close", "关闭";
    }
}
