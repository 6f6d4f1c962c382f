//! Whether it matters in which order a result was put together: what the checker found, and what a
//! run's numbers show of it.

use super::units::{chunk_name, exact};
use super::{Lang, fill};
use crate::engine::check::Difference;
use crate::engine::reduce::plain::{Number, numbers};
use crate::ui::scenario::Prepared;
use std::fmt::Display;

words! {
    /// The sentences about the order of operations.
    RoundingWords {
        title: "Order of operations", "运算顺序";
        integers: "Integers come out the same in whatever order they are combined.",
            "整数无论按什么顺序归约，结果都一样。";
        chosen: "The result is one of the numbers, in whatever order they are compared.",
            "结果就是其中一个数，与比较的顺序无关。";
        same: "All ranks evaluate the same floating-point expression, so they hold the same bits. \
            It is {depth} {depth|operation|operations} deep, {order}.",
            "所有 rank 求值的是同一个浮点表达式，因此结果逐位相同。表达式深 {depth} 层，{order}。";
        once: "Every result is one floating-point expression, {depth} {depth|operation|operations} \
            deep, {order}.",
            "每个结果都是一个浮点表达式，深 {depth} 层，{order}。";
        ascending: "with the ranks in ascending order", "各 rank 按编号升序排列";
        not_ascending: "with the ranks not in ascending order", "各 rank 不按编号升序排列";
        differs: "Ranks do not all evaluate the same floating-point expression: {first} and \
            {other} put {chunk} together in different orders, {depth} \
            {depth|operation|operations} deep, so their results may differ in the last bits.",
            "各 rank 求值的浮点表达式并不相同：rank {first} 与 rank {other} 归约 {chunk} 的顺序不同\
            （深 {depth} 层），结果的最后几位可能不一样。";
        differed: "In this run they do: element {at} is {a} at rank {first} and {b} at rank \
            {other}.",
            "这次运行就不一样：第 {at} 个元素在 rank {first} 上是 {a}，在 rank {other} 上是 {b}。";
        agreed: "In this run all ranks ended with the same bits.", "这次运行中，各 rank 的结果逐位相同。";
    }
}

/// What can be said before a run; nothing where nothing is combined.
pub fn order(lang: Lang, prepared: &Prepared) -> Option<String> {
    let (words, collective) = (RoundingWords::of(lang), &prepared.schedule.collective);
    if !collective.verb.reduces() || collective.ranks == 1 {
        return None;
    }
    let (reduction, found) = (&prepared.run.reduction, &prepared.rounding);
    if reduction.op.selects() {
        return Some(words.chosen.into());
    }
    if reduction.dtype.format().is_none() {
        return Some(words.integers.into());
    }
    let order = if found.in_rank_order { words.ascending } else { words.not_ascending };
    let values: [(&str, &dyn Display); 2] = [("depth", &found.depth), ("order", &order)];
    Some(match found.differs {
        Some(Difference { label, first, other }) => {
            let chunk = chunk_name(collective, label);
            let who: [(&str, &dyn Display); 4] =
                [("first", &first), ("other", &other), ("chunk", &chunk), ("depth", &found.depth)];
            fill(words.differs, &who)
        }
        None if prepared.is_replicated() => fill(words.same, &values),
        None => fill(words.once, &values),
    })
}

/// What the results of a run show, as far as they came back: bytes of the wire type by rank. Only
/// where ranks may differ there is anything to say.
pub fn outcome(lang: Lang, prepared: &Prepared, outputs: &[Option<Vec<u8>>]) -> Option<String> {
    if prepared.agrees() {
        return None;
    }
    let words = RoundingWords::of(lang);
    let results = outputs.iter().map(Option::as_deref).collect::<Option<Vec<&[u8]>>>()?;
    let reference = *results.first()?;
    let Some((other, result)) = results.iter().enumerate().find(|(_, r)| **r != reference) else {
        return Some(words.agreed.into());
    };
    let wire = prepared.run.reduction.wire();
    let [one, two] = [reference, result].map(|bytes| numbers(wire, bytes));
    // Any NaN equals any NaN.
    let same = |(a, b): (&Number, &Number)| a == b || a.to_f64().is_nan() && b.to_f64().is_nan();
    let Some(at) = one.iter().zip(&two).position(|pair| !same(pair)) else {
        return Some(words.agreed.into());
    };
    let [a, b] = [one[at], two[at]].map(exact);
    let values: [(&str, &dyn Display); 5] =
        [("at", &at), ("first", &0), ("other", &other), ("a", &a), ("b", &b)];
    Some(fill(words.differed, &values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::scenario::parse;

    fn prepared(link: &str) -> Prepared {
        let (_, scenario, notices) = parse(link);
        assert_eq!(notices, [], "{link}");
        scenario.prepare().expect("it can be had")
    }

    #[test]
    fn what_is_said_is_what_the_checker_found() {
        for (link, said) in [
            (
                "/allreduce",
                "All ranks evaluate the same floating-point expression, so they hold \
                the same bits. It is 3 operations deep, with the ranks not in ascending order.",
            ),
            ("/allreduce?algo=recursive-doubling", "It is 2 operations deep"),
            ("/allreduce?n=2", "It is 1 operation deep"),
            (
                "/reduce?root=3&algo=ring",
                "Every result is one floating-point expression, 3 \
                operations deep, with the ranks in ascending order.",
            ),
            (
                "/allreduce?algo=one-shot",
                "0 and 1 put c0 together in different orders, 3 \
                operations deep, so their results may differ in the last bits.",
            ),
            ("/allreduce?algo=one-shot&op=max", "one of the numbers"),
            ("/allreduce?algo=one-shot&type=i8", "Integers come out the same"),
        ] {
            let text = order(Lang::En, &prepared(link)).unwrap_or_default();
            assert!(text.contains(said), "{link}: {text}");
        }
        for link in ["/allgather", "/barrier", "/allreduce?n=1"] {
            assert_eq!(order(Lang::Zh, &prepared(link)), None, "{link}");
        }
    }

    #[test]
    fn results_that_differ_are_shown_with_the_digits_that_tell_them_apart() {
        let one_shot = prepared("/allreduce?algo=one-shot&n=3&len=2");
        let result = |value: f32| Some([1f32.to_le_bytes(), value.to_le_bytes()].concat());
        let outputs = [result(0.1), result(0.1), result(0.1f32.next_up())];
        let text = outcome(Lang::En, &one_shot, &outputs).unwrap_or_default();
        assert!(text.contains("element 1 is 0.1 at rank 0 and 0.10000001 at rank 2"), "{text}");
        let agreed = outcome(Lang::En, &one_shot, &[result(0.1), result(0.1), result(0.1)]);
        assert_eq!(agreed.as_deref(), Some("In this run all ranks ended with the same bits."));
        let ring = prepared("/allreduce?n=3&len=2");
        assert_eq!(outcome(Lang::En, &ring, &outputs), None);
        assert_eq!(outcome(Lang::En, &one_shot, &[result(0.1), None, result(0.1)]), None);
    }
}
