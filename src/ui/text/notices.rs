//! What is wrong with a value, in a sentence: which value, which rule, and what is used instead.

use super::params::{Params, field_name, op_name};
use super::registry::{algorithm_name, rule_words};
use super::{Lang, fill, units};
use crate::engine::Rank;
use crate::engine::algorithm::{Refusal, Rule};
use crate::engine::reduce::Dtype;
use crate::ui::scenario::{Field, MAX_DIMS, MAX_NUMBERS, Notice, number_text, typed_range};
use std::fmt::Display;

words! {
    /// The sentences about values that break a rule.
    NoticeWords {
        nothing: "an empty value", "空值";
        unknown_page: "There is no page {value}; AllReduce is shown instead.",
            "没有名为{value}的页面，改为显示 AllReduce。";
        unknown_field: "The link has a field {value} that does not exist; it is ignored.",
            "链接里的字段{value}不存在，已忽略。";
        unknown_fields: "The link has {count} fields that do not exist, the first is {value}; \
            they are ignored.",
            "链接里有 {count} 个不存在的字段，第一个是{value}，均已忽略。";
        twice: "{field}: given more than once in the link; the first value is used.",
            "{field}：链接里给了不止一次，采用第一个值。";
        conflict: "{field}: cannot be chosen together with “{with}”, and is ignored.",
            "{field}：不能与“{with}”同时选择，已忽略。";
        not_whole: "{field}: {value} is not a whole number; {used} is used.",
            "{field}：{value}不是整数，采用 {used}。";
        out_of_range: "{field}: {value} is outside the range {least} to {most}; {used} is used.",
            "{field}：{value}超出范围 {least} 到 {most}，采用 {used}。";
        only_one: "{field}: {value} is not possible, only {most} is; {used} is used.",
            "{field}：{value}不可用，只能是 {most}，采用 {used}。";
        not_one_of: "{field}: {value} is not one of {allowed}; {used} is used.",
            "{field}：{value}不在可选值（{allowed}）之中，采用 {used}。";
        refused: "{field}: {why}; {used} is used.", "{field}：{why}，采用 {used}。";
        no_algorithm: "there is no algorithm {value}", "没有名为{value}的算法";
        algorithm_not_served: "{algorithm} does not serve {verb}", "{algorithm} 不支持 {verb}";
        not_served: "does not serve {verb}", "不支持 {verb}";
        no_choice: "it has no option {choice}", "它没有 {choice} 这个选项";
        unmet: "it needs {need}, not {ranks}", "它要求{need}，而不是 {ranks}";
        partial_node: "{ranks} {ranks|rank does|ranks do} not fill nodes of {per_node}",
            "{ranks} 个 rank 不能按每节点 {per_node} 个分满";
        no_reverse: "its {verb} is made of several verbs and does not run backwards as one",
            "它的 {verb} 由多个操作组成，不能整体倒过来执行";
        no_group: "rank {root} is not one of {ranks} {ranks|rank|ranks}",
            "{ranks} 个 rank 中没有 rank {root}";
        not_in_place: "{verb} cannot run in place, because it would overwrite blocks it has still \
            to send",
            "{verb} 不能原地执行，否则会覆盖尚未发出的块";
        no_root: "{field}: {verb} has none; {value} is ignored.", "{field}：{verb} 没有根，{value}已忽略。";
        integer_mean: "{field}: a mean that scales first is not for integers, where it would lose \
            the remainders; {used} is used.",
            "{field}：先缩放后求和的平均不适用于整数，会丢掉余数；采用 {used}。";
        nothing_to_round: "{field}: f32 makes no difference to {op} of {dtype}, and is ignored.",
            "{field}：对 {dtype} 的{op}而言，用 f32 没有区别，已忽略。";
        sums_travel: "{field}: partial sums travel from rank to rank here, so no owner can keep \
            them in f32; {used} is used.",
            "{field}：这里的部分和会在 rank 之间传输，没有 rank 能始终以 f32 保存它们；采用 {used}。";
        not_a_number: "Rank {rank}: {value} is not a number; the row stays as it was.",
            "rank {rank}：{value}不是数字，这一行保持不变。";
        not_in_type: "Rank {rank}: {value} does not fit {dtype}, which holds {range}; the nearest \
            value is {nearest}. The row stays as it was.",
            "rank {rank}：{dtype} 无法表示{value}，它只能表示{range}；最接近的值是 {nearest}。这一行保持不变。";
        range_of_floats: "finite numbers from about {least} to {most}, with either sign",
            "绝对值约在 {least} 到 {most} 之间的有限数";
        range_of_integers: "whole numbers from {least} to {most}", "{least} 到 {most} 的整数";
        rounded: "Rank {rank}: {value} does not fit {dtype}, which holds {range}; it became \
            {used}.",
            "rank {rank}：{dtype} 无法表示{value}，它只能表示{range}；已改为 {used}。";
        rounded_more: "Rank {rank}: {value} does not fit {dtype}, which holds {range}; it became \
            {used}, and {more} more {more|number was|numbers were} rounded as well.",
            "rank {rank}：{dtype} 无法表示{value}，它只能表示{range}；已改为 {used}，另有 {more} 个数也已舍入。";
        wrong_count: "Rank {rank}: {found} given, but its row has {expected}; the row stays as it \
            was.",
            "rank {rank}：给了 {found} 个数，而这一行应有 {expected} 个，保持不变。";
        no_row: "Rank {rank} starts with no numbers here; the {found} given {found|is|are} \
            ignored.",
            "rank {rank} 在这里初始没有数据，给出的 {found} 个数已忽略。";
        too_many_rows: "{field}: {found} {found|row|rows} given for {most} {most|rank|ranks}; the \
            rest is ignored.",
            "{field}：给了 {found} 行，但只有 {most} 个 rank，多余的行已忽略。";
        too_long: "{field}: {size} bytes are too long; at most {most} are read, so nothing of it \
            is used.",
            "{field}：长达 {size} 字节，最多只读 {most} 字节，因此全部忽略。";
        not_a_size: "{field}: {value} is not a size such as 4096, 64KiB or 16MiB; it is ignored.",
            "{field}：{value}不是 4096、64KiB 或 16MiB 这样的大小，已忽略。";
        not_whole_elements: "{field}: {value} is not a multiple of {element} bytes, the size of an \
            element; {used} is used.",
            "{field}：{value}不是元素大小 {element} 字节的整数倍，采用 {used}。";
        bad_shape: "{field}: {value} is not a shape such as 2x4, with at most {dims} dimensions \
            and 1 to {limit} numbers in all; the {elements} {elements|number stays|numbers stay} \
            as before.",
            "{field}：{value}不是 2x4 这样的形状，维数至多 {dims}，总数须在 1 到 {limit} 之间；\
            原有的 {elements} 个数保持不变。";
        bad_loop: "{field}: {value} is not a first and a last step, from 1, such as 2-5; there \
            {steps|is|are} {steps} here. It is ignored.",
            "{field}：{value}不是 2-5 这样的“起始步-结束步”，步从 1 数起，这里共 {steps} 步；已忽略。";
    }
}

/// Why a combination cannot be had, as a clause that stands behind the name of what is refused.
pub fn refusal(lang: Lang, refusal: &Refusal) -> String {
    let words = NoticeWords::of(lang);
    match refusal {
        Refusal::Unknown(name) => fill(words.no_algorithm, &[("value", &quoted(words, name))]),
        Refusal::Verb { verb, .. } => fill(words.not_served, &[("verb", &verb.title())]),
        Refusal::Group { ranks, root } => fill(words.no_group, &[("ranks", ranks), ("root", root)]),
        Refusal::InPlace(verb) => fill(words.not_in_place, &[("verb", &verb.title())]),
        Refusal::Choice { choice, .. } => fill(words.no_choice, &[("choice", &choice.name())]),
        Refusal::NoReverse { verb, .. } => fill(words.no_reverse, &[("verb", &verb.title())]),
        Refusal::Unmet { rule: Rule::FullNodes, ranks, per_node, .. } => {
            fill(words.partial_node, &[("ranks", ranks), ("per_node", per_node)])
        }
        Refusal::Unmet { rule, ranks, .. } => {
            fill(words.unmet, &[("need", &rule_words(lang, *rule)), ("ranks", ranks)])
        }
    }
}

/// A value in quotes. Text that is not plain ASCII is kept from turning the sentence round it.
fn quoted(words: &NoticeWords, value: &str) -> String {
    match value {
        _ if value.trim().is_empty() => words.nothing.to_string(),
        _ if value.is_ascii() => format!("“{value}”"),
        _ => format!("“\u{2068}{value}\u{2069}”"),
    }
}

/// What is wrong, which rule says so, and what is used instead.
pub fn notice(lang: Lang, notice: &Notice) -> String {
    let words = NoticeWords::of(lang);
    let name = |field| field_name(lang, field);
    let quoted = |value: &str| quoted(words, value);
    match notice {
        Notice::Said(sentence) => sentence.clone(),
        Notice::UnknownPage { name } => fill(words.unknown_page, &[("value", &quoted(name))]),
        Notice::UnknownField { name, more } => {
            let template = if *more > 0 { words.unknown_fields } else { words.unknown_field };
            fill(template, &[("value", &quoted(name)), ("count", &(more + 1))])
        }
        Notice::Twice { field } => fill(words.twice, &[("field", &name(field))]),
        Notice::Conflict { field, with } => {
            fill(words.conflict, &[("field", &name(field)), ("with", &name(with))])
        }
        Notice::NotWhole { field, value, used } => {
            let value = quoted(value);
            fill(words.not_whole, &[("field", &name(field)), ("value", &value), ("used", used)])
        }
        Notice::OutOfRange { field, value, least, most, used } => {
            out_of_range(lang, field, value, [*least, *most, *used])
        }
        Notice::NotOneOf { field, value, allowed, used } => {
            let (value, allowed) = (quoted(value), allowed.join(lang.comma()));
            let field: (&str, &dyn Display) = ("field", &name(field));
            fill(
                words.not_one_of,
                &[field, ("value", &value), ("allowed", &allowed), ("used", used)],
            )
        }
        Notice::Refused { refusal, used } => refused(lang, refusal, used),
        Notice::NoRoot { verb, value } => {
            let (field, value) = (name("root"), quoted(value));
            fill(words.no_root, &[("field", &field), ("verb", &verb.title()), ("value", &value)])
        }
        Notice::MeanOfIntegers { used } => {
            fill(words.integer_mean, &[("field", &name("op")), ("used", used)])
        }
        Notice::NothingToRound { op, dtype } => {
            let (field, op) = (name("acc"), op_name(lang, *op));
            let values: [(&str, &dyn Display); 3] =
                [("field", &field), ("op", &op), ("dtype", &dtype.name())];
            fill(words.nothing_to_round, &values)
        }
        Notice::SumsTravel { used } => {
            fill(words.sums_travel, &[("field", &name("acc")), ("used", used)])
        }
        Notice::NotANumber { rank, value } => {
            fill(words.not_a_number, &[("rank", rank), ("value", &quoted(value))])
        }
        Notice::NotInType { rank, value, dtype, nearest } => {
            not_in_type(words, (*rank, value), *dtype, nearest)
        }
        Notice::Rounded { rank, value, used, dtype, more } => {
            rounded(words, (*rank, value), *dtype, used, *more)
        }
        Notice::WrongCount { rank, found, expected } => {
            let template = if *expected > 0 { words.wrong_count } else { words.no_row };
            fill(template, &[("rank", rank), ("found", found), ("expected", expected)])
        }
        Notice::TooManyRows { found, most } => {
            let field = name("data");
            fill(words.too_many_rows, &[("field", &field), ("found", found), ("most", most)])
        }
        Notice::TooLong { field, found, most } => {
            fill(words.too_long, &[("field", &name(field)), ("size", found), ("most", most)])
        }
        Notice::NotASize { value } => {
            fill(words.not_a_size, &[("field", &name("size")), ("value", &quoted(value))])
        }
        Notice::NotWholeElements { value, element, used } => {
            let (value, used) = (quoted(value), units::bytes(*used));
            let field: (&str, &dyn Display) = ("field", &name("size"));
            let values = [field, ("value", &value), ("element", element), ("used", &used)];
            fill(words.not_whole_elements, &values)
        }
        Notice::BadShape { value, elements } => bad_shape(lang, value, *elements),
        Notice::BadLoop { value, steps } => {
            let (field, value) = (name("loop"), quoted(value));
            fill(words.bad_loop, &[("field", &field), ("value", &value), ("steps", steps)])
        }
    }
}

/// `[least, most, used]` of a number outside its range.
fn out_of_range(lang: Lang, field: Field, value: &str, range: [u64; 3]) -> String {
    let words = NoticeWords::of(lang);
    let [least, most, used] = range.map(|number| match field {
        "size" => units::bytes(number),
        _ => number.to_string(),
    });
    let template = if least == most { words.only_one } else { words.out_of_range };
    let (field, value) = (field_name(lang, field), quoted(words, value));
    let values: [(&str, &dyn Display); 5] =
        [("field", &field), ("value", &value), ("least", &least), ("most", &most), ("used", &used)];
    fill(template, &values)
}

fn refused(lang: Lang, why: &Refusal, used: &str) -> String {
    let (words, params) = (NoticeWords::of(lang), Params::of(lang));
    let (field, why, used) = match why {
        Refusal::Verb { algorithm, verb } => {
            let algorithm = algorithm_name(lang, algorithm);
            let values: [(&str, &dyn Display); 2] =
                [("algorithm", &algorithm), ("verb", &verb.title())];
            ("algo", fill(words.algorithm_not_served, &values), algorithm_name(lang, used))
        }
        Refusal::Unknown(_) | Refusal::NoReverse { .. } => {
            ("algo", refusal(lang, why), algorithm_name(lang, used))
        }
        Refusal::InPlace(_) => ("place", refusal(lang, why), params.out_of_place),
        Refusal::Unmet { .. } => ("n", refusal(lang, why), used),
        Refusal::Choice { choice, .. } => (choice.name(), refusal(lang, why), used),
        Refusal::Group { .. } => ("root", refusal(lang, why), used),
    };
    let field = field_name(lang, field);
    fill(words.refused, &[("field", &field), ("why", &why), ("used", &used)])
}

/// What can be typed for a type.
fn range(words: &NoticeWords, dtype: Dtype) -> String {
    // Smallest and largest magnitude of a float type, to a digit or two.
    let (least, most) = match dtype {
        Dtype::F64 => ("5e-324", "1.8e308"),
        Dtype::F32 => ("1e-45", "3.4e38"),
        Dtype::F16 => ("6e-8", "65504"),
        Dtype::Bf16 => ("9e-41", "3.4e38"),
        Dtype::E4m3 => ("2e-3", "448"),
        Dtype::E5m2 => ("2e-5", "57344"),
        Dtype::I8 | Dtype::U8 | Dtype::I32 | Dtype::I64 => {
            let (least, most) = typed_range(dtype);
            let (least, most) = (number_text(least), number_text(most));
            return fill(words.range_of_integers, &[("least", &least), ("most", &most)]);
        }
    };
    fill(words.range_of_floats, &[("least", &least), ("most", &most)])
}

fn not_in_type(
    words: &NoticeWords,
    (rank, value): (Rank, &str),
    dtype: Dtype,
    nearest: &str,
) -> String {
    let value = quoted(words, value);
    let values: [(&str, &dyn Display); 5] = [
        ("rank", &rank),
        ("value", &value),
        ("dtype", &dtype.name()),
        ("range", &range(words, dtype)),
        ("nearest", &nearest),
    ];
    fill(words.not_in_type, &values)
}

fn rounded(
    words: &NoticeWords,
    (rank, value): (Rank, &str),
    dtype: Dtype,
    used: &str,
    more: usize,
) -> String {
    let template = if more > 0 { words.rounded_more } else { words.rounded };
    let value = quoted(words, value);
    let values: [(&str, &dyn Display); 6] = [
        ("rank", &rank),
        ("value", &value),
        ("dtype", &dtype.name()),
        ("range", &range(words, dtype)),
        ("used", &used),
        ("more", &more),
    ];
    fill(template, &values)
}

fn bad_shape(lang: Lang, value: &str, elements: usize) -> String {
    let words = NoticeWords::of(lang);
    let value = quoted(words, value);
    let values: [(&str, &dyn Display); 5] = [
        ("field", &field_name(lang, "shape")),
        ("value", &value),
        ("dims", &MAX_DIMS),
        ("limit", &MAX_NUMBERS),
        ("elements", &elements),
    ];
    fill(words.bad_shape, &values)
}
