//! What ranks and switches are called.

use super::{Lang, fill};
use crate::engine::Rank;

words! {
    /// The words for those who act.
    ActorWords {
        rank: "rank {rank}", "rank {rank}";
        switch: "switch", "交换机";
    }
}

/// `rank 3`, or `switch` for an actor beyond `ranks`.
pub fn actor(lang: Lang, ranks: usize, actor: Rank) -> String {
    let words = ActorWords::of(lang);
    if actor < ranks { fill(words.rank, &[("rank", &actor)]) } else { words.switch.into() }
}

/// The same where there is little room: `3`, or `switch`.
pub fn short(lang: Lang, ranks: usize, actor: Rank) -> String {
    if actor < ranks { actor.to_string() } else { ActorWords::of(lang).switch.into() }
}

/// The same at the beginning of a sentence.
pub fn capital(lang: Lang, ranks: usize, actor: Rank) -> String {
    let name = self::actor(lang, ranks, actor);
    match lang {
        Lang::Zh => name,
        Lang::En => name[..1].to_ascii_uppercase() + &name[1..],
    }
}
