//! What each verb and each family means, in plain words.

use super::Both;
use crate::engine::collective::{Family, Verb};

mod collect;
mod combine;
mod point;

words! {
    /// The words around the picker.
    Verbs {
        pick: "Choose a verb", "选择一个操作";
    }
}

/// What the reference says about one verb. The name itself is `Verb::title`, the same in every
/// language.
#[derive(Clone, Copy, Debug)]
pub struct VerbWords {
    /// What it does, in a sentence or two.
    pub does: Both,
    /// Who holds what afterwards.
    pub holds: Both,
    /// Who uses it, and for what.
    pub used: Both,
}

/// What `verb` means, in one line.
pub fn meaning(verb: Verb) -> Both {
    match verb {
        Verb::AllReduce => Both {
            en: "Every rank ends with everybody's data, combined.",
            zh: "每个 rank 都得到所有 rank 数据的归约结果。",
        },
        Verb::Reduce => Both {
            en: "One rank ends with everybody's data, combined.",
            zh: "只有一个 rank 得到所有 rank 数据的归约结果。",
        },
        Verb::Barrier => Both {
            en: "Nobody goes on until everybody has arrived.",
            zh: "所有 rank 到齐之前，谁也不继续往下执行。",
        },
        Verb::ReduceScatter => Both {
            en: "Everybody's data is combined, and each rank keeps one block of the result.",
            zh: "所有 rank 的数据先归约，每个 rank 只保留结果的一块。",
        },
        Verb::AllGather => Both {
            en: "Everyone ends with everyone's block, in rank order.",
            zh: "每个 rank 都得到所有 rank 的块，按 rank 顺序拼接。",
        },
        Verb::Gather => Both {
            en: "One rank ends with everyone's block, in rank order.",
            zh: "只有一个 rank 得到所有 rank 的块，按 rank 顺序拼接。",
        },
        Verb::Scatter => Both {
            en: "One rank hands each rank its own block.",
            zh: "一个 rank 把自己的数据切块，每个 rank 各得一块。",
        },
        Verb::Broadcast => Both {
            en: "Everyone ends with a copy of one rank's data.",
            zh: "每个 rank 都得到根 rank 数据的副本。",
        },
        Verb::AllToAll => Both {
            en: "Everyone hands a different block to everyone: a transposition.",
            zh: "每个 rank 给每个 rank 各发一块不同的数据：相当于转置。",
        },
        Verb::SendRecv => Both {
            en: "One rank sends, one rank receives, nobody else takes part.",
            zh: "一个 rank 发，一个 rank 收，与其他 rank 无关。",
        },
        Verb::Shift => Both {
            en: "Everyone passes its data to the next rank round the ring.",
            zh: "每个 rank 把数据沿环传给下一个 rank。",
        },
    }
}

/// The words about `verb`.
pub fn facts(verb: Verb) -> &'static VerbWords {
    match verb {
        Verb::AllReduce => &combine::ALL_REDUCE,
        Verb::Reduce => &combine::REDUCE,
        Verb::Barrier => &combine::BARRIER,
        Verb::ReduceScatter => &combine::REDUCE_SCATTER,
        Verb::AllGather => &collect::ALL_GATHER,
        Verb::Gather => &collect::GATHER,
        Verb::Scatter => &collect::SCATTER,
        Verb::Broadcast => &collect::BROADCAST,
        Verb::AllToAll => &collect::ALL_TO_ALL,
        Verb::SendRecv => &point::SEND_RECV,
        Verb::Shift => &point::SHIFT,
    }
}

/// The caption of a family in the picker.
pub fn family(family: Family) -> Both {
    match family {
        Family::Combine => Both { en: "Combine", zh: "归约" },
        Family::CombineAndHandOut => Both { en: "Combine and hand out", zh: "归约并分发" },
        Family::CollectAndHandOut => Both { en: "Collect and hand out", zh: "收集与分发" },
        Family::PointToPoint => Both { en: "Point to point", zh: "点对点" },
    }
}

/// Every text of this file and those below it, for the tests that hold all words to the rules.
#[cfg(test)]
pub(super) fn pairs() -> Vec<(&'static str, Both)> {
    let families = Verb::ALL.map(|verb| (verb.title(), family(verb.family())));
    let words = Verb::ALL.iter().flat_map(|&verb| {
        let w = facts(verb);
        [meaning(verb), w.does, w.holds, w.used].map(|both| (verb.title(), both))
    });
    families.into_iter().chain(words).chain(Verbs::pairs()).collect()
}
