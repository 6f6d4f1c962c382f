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

/// What the page says about one verb. The name itself is `Verb::title`, the same in every language.
#[derive(Clone, Copy, Debug)]
pub struct VerbWords {
    /// The meaning in one line.
    pub meaning: Both,
    /// What it does, in a sentence or two.
    pub does: Both,
    /// Who holds what afterwards.
    pub holds: Both,
    /// Who uses it, and for what.
    pub used: Both,
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
        [w.meaning, w.does, w.holds, w.used].map(|both| (verb.title(), both))
    });
    families.into_iter().chain(words).chain(Verbs::pairs()).collect()
}
