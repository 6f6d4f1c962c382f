//! The words of the Share dialog.

use super::{Lang, fill, units};
use crate::engine::schedule::Inexpressible;
use crate::ui::export::run_file::{MAX_FILE, Unreadable, VERSION};
use crate::ui::export::torch::Refusal;

words! {
    /// The words of the Share dialog.
    ShareWords {
        title: "Share", "分享";
        close: "Close", "关闭";
        link: "Link to this very step", "直达这一步的链接";
        local: "Only this machine can follow it. For others, copy the built page to any static \
            host and share from there.",
            "只有本机能打开。要给别人看，请把构建好的页面复制到任意静态主机，再从那里分享。";
        embedding: "In another page: paste one of these", "嵌入其他网页：任选一段代码粘贴";
        element: "The element takes on the page's language and theme", "自定义元素：跟随网页的语言和主题";
        frame: "An iframe, where a page may have no scripts", "iframe：用于不允许脚本的网页";
        copy: "Copy", "复制";
        copied: "Copied", "已复制";
        save: "Download", "下载";
        saved: "Saved where your browser puts downloads", "已保存到浏览器的下载位置";
        save_by_hand: "This frame may not save files: the text is selected, copy it.",
            "此 iframe 无法保存文件：文本已选中，请手动复制。";
        picture: "Picture of this step", "这一步的图片";
        theme: "Theme of the picture", "图片主题";
        light: "Light", "浅色";
        dark: "Dark", "深色";
        cancel: "Cancel", "取消";
        filming: "Pictures of the GIF", "GIF 的画面";
        simulated: "drawn by the simulator", "由模拟器生成";
        take_picture: "This frame may not save files: take the picture above by its own menu.",
            "此 iframe 无法保存文件：请用上方图片自身的菜单保存。";
        no_png: "This browser does not give pictures back to pages: take the SVG.",
            "此浏览器不允许页面读取图片像素：请使用 SVG。";
        no_gif: "No GIF could be made here: take the SVG.", "此处无法生成 GIF：请使用 SVG。";
        run: "Run", "运行";
        run_json: "What was measured", "实测记录";
        run_json_note: "opens here again, in any browser", "可在任何浏览器中再次打开";
        run_first: "Nothing has been measured yet: run it first.", "还没有实测数据：请先运行。";
        open_run: "Open such a file", "打开这样的文件";
        open_run_note: "or drop it on the page", "也可以直接拖放到页面上";
        choose: "Choose a file", "选择文件";
        file_too_large: "{name} has {size}; runs of up to {limit} are read.",
            "{name} 有 {size}；最多读取 {limit} 的运行记录。";
        file_not_json: "{name} is not a run: it is no JSON from line {line}, column {column}.",
            "{name} 不是运行记录：从第 {line} 行第 {column} 列起不是 JSON。";
        file_cut_off: "{name} is cut off in line {line}: its end is missing. Copy it again.",
            "{name} 在第 {line} 行中断，缺少结尾。请重新复制该文件。";
        file_foreign: "{name} is not a run that Ringscope has written: such a file says format \
            ringscope-run.",
            "{name} 不是 Ringscope 写出的运行记录：这类文件标有 format ringscope-run。";
        file_future: "{name} is of version {version}, and this Ringscope reads up to {limit}. \
            Open it with a newer one.",
            "{name} 的版本是 {version}，此 Ringscope 最高支持 {limit}。请用更新的版本打开。";
        file_damaged: "{name} is damaged, and nothing was changed: it does not fit its own \
            scenario at {place}.",
            "{name} 已损坏，页面未作任何更改：{place} 与其自身的场景不符。";
        trace: "Trace for Perfetto", "Perfetto 跟踪文件";
        trace_rounds: "rounds: each lasts a millisecond", "轮次：每轮按一毫秒计";
        trace_modelled: "modelled", "模型估算";
        schedule: "Schedule", "调度";
        as_text: "Text", "文本";
        as_text_note: "to read, and to compare in a review", "便于阅读和评审时比对";
        as_json: "JSON", "JSON 文件";
        as_json_note: "every op, for your own programs", "包含每个操作，供自己的程序使用";
        as_xml: "MSCCL XML", "MSCCL XML 文件";
        as_xml_note: "for MSCCL and the runtimes that read it", "供 MSCCL 及兼容的运行时使用";
        elsewhere: "On a cluster", "在集群上运行";
        way: "What sends the messages", "由谁决定消息";
        way_library: "The library's call", "库的集合调用";
        way_schedule: "This very schedule", "原样执行此调度";
        backend: "Backend", "后端";
        torch: "Program for torchrun", "torchrun 程序";
        torch_note: "torch.distributed with the same numbers, compared with what is expected",
            "使用 torch.distributed 和相同数据，并与预期结果比对";
        nccl_tests: "Command for nccl-tests", "nccl-tests 命令";
        nccl_tests_note: "measures the same call on GPUs of one machine",
            "在一台机器的多块 GPU 上测同一个调用";
        no_nccl_test: "nccl-tests measures no such call: only collectives and the ring shift.",
            "nccl-tests 没有对应的测试：只有各集合通信和环形移位。";
        no_even: "The call takes blocks of one length, and {ranks} {ranks|rank does|ranks do} \
            not divide {elements} {elements|element|elements}. Take {nearest}, or this very \
            schedule.",
            "该调用要求各块等长，而 {ranks} 个 rank 无法整除 {elements} 个元素。\
            可改为 {nearest} 个，或选择原样执行此调度。";
        no_type: "torch.distributed reduces no {type}. Accumulate in f32, or take this very \
            schedule.",
            "torch.distributed 不支持对 {type} 归约。可改用 f32 累加，或选择原样执行此调度。";
        no_actor: "A switch takes part in this schedule, and torchrun starts no switches.",
            "此调度有交换机参与，而 torchrun 无法启动交换机。";
        no_sums: "This program keeps no f32 sums beside its buffers. Accumulate in the type or in \
            f32, or take the library's call.",
            "此程序不在缓冲区之外另存 f32 部分和。可按元素类型或 f32 累加，或选择库的集合调用。";
        xml_verb: "MSCCL XML has no {verb}.", "MSCCL XML 没有 {verb}。";
        xml_switch: "MSCCL XML knows ranks only, and a switch takes part in this schedule.",
            "MSCCL XML 只有 rank，而此调度有交换机参与。";
        xml_steps: "A thread block would have {count} steps; MSCCL takes up to {limit}.",
            "一个线程块将有 {count} 个步骤；MSCCL 最多支持 {limit} 个。";
        xml_blocks:
            "A rank would have {count} thread blocks on one channel; MSCCL takes up to {limit}.",
            "一个 rank 的一个通道上将有 {count} 个线程块；MSCCL 最多支持 {limit} 个。";
        xml_count: "A step would move {count} chunks; MSCCL takes up to {limit}.",
            "一个步骤将移动 {count} 个数据块；MSCCL 最多支持 {limit} 个。";
        copy_by_hand: "This page may not use the clipboard here: the text is selected, copy it.",
            "此处页面无法写入剪贴板：文本已选中，请手动复制。";
    }
}

/// Why a schedule has no MSCCL form.
pub fn inexpressible(lang: Lang, why: &Inexpressible) -> String {
    let words = ShareWords::of(lang);
    let (template, count) = match why {
        Inexpressible::Switch => return words.xml_switch.to_string(),
        Inexpressible::Verb(verb) => return fill(words.xml_verb, &[("verb", &verb.title())]),
        Inexpressible::Steps(found) => (words.xml_steps, found),
        Inexpressible::ThreadBlocks(found) => (words.xml_blocks, found),
        Inexpressible::Count(found) => (words.xml_count, found),
    };
    let limit = why.limit();
    fill(template, &[("count", count), ("limit", &limit)])
}

/// Why there is no program for `torchrun`.
pub fn no_program(lang: Lang, why: &Refusal) -> String {
    let words = ShareWords::of(lang);
    match why {
        Refusal::Uneven { elements, ranks } => {
            let nearest = ((elements + ranks / 2) / ranks).max(1) * ranks;
            let values: [(&str, &dyn std::fmt::Display); 3] =
                [("ranks", ranks), ("elements", elements), ("nearest", &nearest)];
            fill(words.no_even, &values)
        }
        Refusal::Type(dtype) => fill(words.no_type, &[("type", &dtype.name())]),
        Refusal::Actor => words.no_actor.to_string(),
        Refusal::Sums => words.no_sums.to_string(),
    }
}

/// Why the file of that name cannot be opened.
pub fn unreadable(lang: Lang, name: &str, why: &Unreadable) -> String {
    let words = ShareWords::of(lang);
    match why {
        Unreadable::TooLarge(bytes) => {
            let [size, limit] = [*bytes, MAX_FILE].map(|bytes| units::bytes(bytes as u64));
            let values: [(&str, &dyn std::fmt::Display); 3] =
                [("name", &name), ("size", &size), ("limit", &limit)];
            fill(words.file_too_large, &values)
        }
        Unreadable::NotJson { line, column } => {
            let values: [(&str, &dyn std::fmt::Display); 3] =
                [("name", &name), ("line", line), ("column", column)];
            fill(words.file_not_json, &values)
        }
        Unreadable::CutOff(line) => fill(words.file_cut_off, &[("name", &name), ("line", line)]),
        Unreadable::Foreign => fill(words.file_foreign, &[("name", &name)]),
        Unreadable::Future(version) => {
            let values: [(&str, &dyn std::fmt::Display); 3] =
                [("name", &name), ("version", version), ("limit", &VERSION)];
            fill(words.file_future, &values)
        }
        Unreadable::Damaged(place) => {
            fill(words.file_damaged, &[("name", &name), ("place", place)])
        }
    }
}
