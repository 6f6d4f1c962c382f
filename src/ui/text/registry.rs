//! The registry in words: names of algorithms, what they need, and a line for each of them, which
//! the page of algorithms and the command line print alike.

use super::{Both, Lang, fill};
use crate::engine::algorithm::{self, Algorithm, Choice, Need, Rule, When};
use crate::engine::collective::Verb;

words! {
    /// The words that tell when a need counts.
    NeedWords {
        unless_power: "{even}; {other} unless n is a power of two",
            "{even}；n 不是 2 的幂时为 {other}";
        with_variant: "with variant {variant}: {need}", "variant 为 {variant} 时：{need}";
        switch: "a switch that computes: modelled here, never run", "能做计算的交换机：本页只建模，不实际运行";
    }
}

/// Name and one-line description of an algorithm; none for a name that is not in the registry.
fn algorithm_words(name: &str) -> Option<[Both; 2]> {
    let words =
        |en, zh, note_en, note_zh| Some([Both { en, zh }, Both { en: note_en, zh: note_zh }]);
    match name {
        "ring" => words(
            "Ring",
            "环（ring）",
            "every rank talks to its two neighbours only",
            "每个 rank 只与左右两个邻居通信",
        ),
        "tree" => words(
            "Binomial tree",
            "二项树（tree）",
            "the number of ranks that have the data doubles every round",
            "每一轮，持有数据的 rank 数翻一倍",
        ),
        "double-tree" => words(
            "Double binary tree",
            "双二叉树",
            "two trees, each for a half; who has children in one is a leaf of the other",
            "两棵树各负责一半，在一棵树上有子节点的 rank 是另一棵树的叶子",
        ),
        "chain" => words(
            "Chain",
            "链（chain）",
            "the vector goes from rank to rank, piece after piece",
            "数据切片后沿链逐个 rank 流水传输",
        ),
        "binary-tree" => words(
            "Binary tree",
            "流水线二叉树",
            "nobody has more than two children, and piece follows piece",
            "每个 rank 至多两个子节点，数据切片后流水传输",
        ),
        "bidirectional-ring" => words(
            "Bidirectional ring",
            "双向环",
            "half of every block goes round to the right, half to the left",
            "每块的一半沿环向右传，另一半向左传",
        ),
        "hierarchical" => words(
            "Hierarchical",
            "分层（hierarchical）",
            "inside the nodes everything, between them only what has to be",
            "节点内充分交换，节点间只传必须传的数据",
        ),
        "direct" => words(
            "Direct",
            "直连（direct）",
            "everybody talks to everybody at once",
            "所有 rank 两两同时直接通信",
        ),
        "linear" => words(
            "Linear (star)",
            "线性（星形）",
            "the root deals with every rank itself, one after the other",
            "根 rank 逐个与其余 rank 通信",
        ),
        "recursive-doubling" => words(
            "Recursive doubling",
            "递归倍增",
            "partners exchange all they have; the next partner is twice as far away",
            "两两交换全部数据，配对距离每轮翻倍",
        ),
        "recursive-halving" => words(
            "Recursive halving",
            "递归减半",
            "partners share out what is left; the next partner is half as far away",
            "两两平分剩余的数据，配对距离每轮减半",
        ),
        "rabenseifner" => words(
            "Rabenseifner",
            "Rabenseifner 算法",
            "recursive halving of the vector, then recursive doubling",
            "先以递归减半做 ReduceScatter，再以递归倍增做 AllGather",
        ),
        "bruck" => words(
            "Bruck",
            "Bruck 算法",
            "few rounds for any number of ranks, paid for with local copies",
            "任意 rank 数都只需很少几轮，代价是本地拷贝",
        ),
        "pairwise" => words(
            "Pairwise exchange",
            "成对交换（pairwise）",
            "every rank deals with one other rank at a time",
            "每一轮，每个 rank 只与一个 rank 通信",
        ),
        "one-shot" => words(
            "One-shot",
            "一次性（one-shot）",
            "everybody sends everything to everybody; each reduces by itself",
            "所有 rank 互发全部数据，各自在本地归约",
        ),
        "scatter-allgather" => words(
            "Scatter-AllGather",
            "先 Scatter 后 AllGather",
            "blocks go down a tree, then round a ring",
            "先沿树分发各块，再沿环收齐",
        ),
        "nhr" => words(
            "NHR",
            "非均衡层次环（NHR）",
            "few blocks over far distances, many over near ones",
            "远距离传得少，近距离传得多",
        ),
        "pat" => words(
            "PAT",
            "并行聚合树（PAT）",
            "every block has a tree of its own; far distances first, block by block",
            "每块各有一棵树，先远后近，逐块传输",
        ),
        "neighbor-exchange" => words(
            "Neighbour exchange",
            "邻居交换",
            "pairs of blocks go to the left and to the right in turn",
            "成对的块轮流传给左右邻居",
        ),
        "nvls" => words(
            "In the switch (NVLS)",
            "交换机内归约（NVLS）",
            "the switch adds what comes up, and hands it out to everybody",
            "由交换机完成加法，再多播给所有 rank",
        ),
        "pair" => words(
            "Pair",
            "成对（pair）",
            "one send and one receive; everybody else stands by",
            "一发一收，其余 rank 不参与",
        ),
        "dissemination" => words(
            "Dissemination",
            "扩散（dissemination）",
            "news of every arrival doubles its reach each round",
            "“已到达”的消息每一轮传播范围翻倍",
        ),
        _ => None,
    }
}

/// The name people use for an algorithm of the registry.
pub fn algorithm_name(lang: Lang, name: &str) -> &str {
    algorithm_words(name).map_or(name, |[name, _]| name.of(lang))
}

/// What characterises an algorithm of the registry, in one line.
pub fn algorithm_note(lang: Lang, name: &str) -> &'static str {
    algorithm_words(name).map_or("", |[_, note]| note.of(lang))
}

/// A rule in words, as what is needed.
fn rule_both(rule: Rule) -> Both {
    match rule {
        Rule::TwoRanks => Both { en: "at least 2 ranks", zh: "至少 2 个 rank" },
        Rule::Even => Both { en: "an even number of ranks", zh: "rank 数为偶数" },
        Rule::PowerOfTwo => {
            Both { en: "a number of ranks that is a power of two", zh: "rank 数为 2 的幂" }
        }
        Rule::FullNodes => Both { en: "full nodes", zh: "每个节点都分满" },
    }
}

/// A rule in words, as what is needed.
pub fn rule_words(lang: Lang, rule: Rule) -> &'static str {
    rule_both(rule).of(lang)
}

/// What the verbs of one algorithm have in common: a line of the registry.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The algorithm.
    pub algorithm: &'static str,
    /// Verbs that cost and need the same.
    pub verbs: Vec<Verb>,
    /// The options beside chunks, segments and root.
    pub options: &'static [Choice],
    /// What a request has to meet, in words; may be empty.
    pub needs: Vec<String>,
    /// Rounds, in closed form.
    pub rounds: String,
    /// What the busiest rank sends, in closed form.
    pub sent: &'static str,
    /// The paper or the source that defines it.
    pub source: &'static str,
}

/// The whole registry, the rows of one algorithm together.
pub fn rows(lang: Lang) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for algorithm in &algorithm::ALL {
        for &verb in algorithm.verbs {
            let row = row(lang, algorithm, verb);
            let same =
                |other: &&mut Row| Row { verbs: row.verbs.clone(), ..(**other).clone() } == row;
            match rows.iter_mut().find(same) {
                Some(other) => other.verbs.push(verb),
                None => rows.push(row),
            }
        }
    }
    rows
}

/// One algorithm for one verb. Formulas are those of 4 ranks and, where they differ, of 6.
fn row(lang: Lang, algorithm: &'static Algorithm, verb: Verb) -> Row {
    let words = NeedWords::of(lang);
    let closed = algorithm.closed(&algorithm.usual(verb, 4));
    let request = algorithm.usual(verb, 6);
    let served = algorithm.refusal(&request).is_none();
    let other = served.then(|| algorithm.closed(&request).rounds_formula);
    let rounds = match other.filter(|other| *other != closed.rounds_formula) {
        None => closed.rounds_formula.to_string(),
        Some(other) => {
            fill(words.unless_power, &[("even", &closed.rounds_formula), ("other", &other)])
        }
    };
    let need = |need: &Need| {
        let rule = rule_words(lang, need.rule);
        match need.when {
            When::Always => Some(rule.to_string()),
            When::Verb(only) => (only == verb).then(|| rule.to_string()),
            When::Variant(variant) => {
                let values: [(&str, &dyn std::fmt::Display); 2] =
                    [("variant", &variant.name()), ("need", &rule)];
                Some(fill(words.with_variant, &values))
            }
        }
    };
    let switch = (algorithm.switches > 0).then(|| words.switch.to_string());
    Row {
        algorithm: algorithm.name,
        verbs: vec![verb],
        options: algorithm.choices,
        needs: algorithm.needs.iter().filter_map(need).chain(switch).collect(),
        rounds,
        sent: closed.sent_formula,
        source: (algorithm.source)(verb),
    }
}

/// Every text of this file beside [`NeedWords`], for the tests that hold all words to the rules.
#[cfg(test)]
pub(super) fn pairs() -> Vec<(&'static str, Both)> {
    let algorithms = algorithm::ALL.iter().flat_map(|a| {
        let words = algorithm_words(a.name).unwrap_or([Both { en: "", zh: "" }; 2]);
        words.map(|both| (a.name, both))
    });
    let rules = [Rule::TwoRanks, Rule::Even, Rule::PowerOfTwo, Rule::FullNodes];
    algorithms.chain(rules.map(|rule| ("rule", rule_both(rule)))).collect()
}
