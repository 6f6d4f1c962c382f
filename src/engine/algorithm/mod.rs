//! The registry: every algorithm, what it serves, when it cannot be had, and what it costs.
//!
//! A new algorithm is one file here and one line in [`ALL`]; picker, tests, charts and embeds
//! follow.

mod direct;
mod dissemination;
mod linear;
mod pair;
mod ring;
mod tree;

use super::Rank;
use super::collective::{Collective, Verb};
use super::schedule::{Builder, Schedule};
use std::fmt;

/// An algorithm: how to write its schedule, and its closed-form costs.
pub struct Algorithm {
    /// The name used in URLs and exports.
    pub name: &'static str,
    /// The verbs it serves.
    pub verbs: &'static [Verb],
    /// Where it comes from: the paper or the source that defines it.
    pub source: &'static str,
    /// Blocks an undivided vector is cut into, for verbs without blocks of their own.
    blocks: fn(Verb, usize) -> usize,
    /// Writes the plain schedule of one collective.
    write: fn(Collective) -> Builder,
    /// Closed-form cost of a verb over n ranks with one piece per block.
    closed: fn(Verb, usize) -> Closed,
    /// What keeps it from serving this collective, if anything does.
    refuse: fn(Verb, usize) -> Option<Refusal>,
}

/// Closed-form cost with one piece per block, in units of the whole vector S.
///
/// S is the whole vector: for AllGather, ReduceScatter, Gather, Scatter and AllToAll all n blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed {
    /// Rounds when every rank may use all the ports the algorithm asks for.
    pub rounds: usize,
    /// Bytes that the busiest rank sends, as (numerator, denominator) of S.
    pub sent_most: (usize, usize),
    /// Bytes that all ranks send together, as (numerator, denominator) of S.
    pub sent_total: (usize, usize),
    /// `rounds` as people write it: `2(n−1)`.
    pub rounds_formula: &'static str,
    /// `sent_most` as people write it: `2(n−1)/n · S`.
    pub sent_formula: &'static str,
}

/// Why a combination cannot be had. The page says it in the reader's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No algorithm has this name.
    Unknown(String),
    /// The algorithm does not serve the verb.
    Verb {
        /// The algorithm's name.
        algorithm: &'static str,
        /// The verb asked for.
        verb: Verb,
    },
    /// A verb for two needs two ranks.
    NeedsTwoRanks(Verb),
    /// Fewer than one rank, or a root outside the group.
    Group {
        /// Ranks asked for.
        ranks: usize,
        /// Root asked for.
        root: Rank,
    },
    /// Input and output cannot share memory: the verb overwrites what it still has to read.
    InPlace(Verb),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unknown(name) => write!(f, "there is no algorithm `{name}`"),
            Refusal::Verb { algorithm, verb } => {
                write!(f, "{algorithm} does not serve {}", verb.title())
            }
            Refusal::NeedsTwoRanks(verb) => write!(f, "{} needs two ranks", verb.title()),
            Refusal::Group { ranks, root } => {
                write!(f, "root {root} is not one of {ranks} ranks")
            }
            Refusal::InPlace(verb) => write!(f, "{} does not run in place", verb.title()),
        }
    }
}

impl std::error::Error for Refusal {}

/// Every algorithm. The first that serves a verb is that verb's default.
pub static ALL: [Algorithm; 6] = [
    ring::ALGORITHM,
    tree::ALGORITHM,
    direct::ALGORITHM,
    linear::ALGORITHM,
    pair::ALGORITHM,
    dissemination::ALGORITHM,
];

/// The algorithm of this name.
pub fn find(name: &str) -> Option<&'static Algorithm> {
    ALL.iter().find(|a| a.name == name)
}

/// The algorithms that serve `verb`, its default first.
pub fn serving(verb: Verb) -> impl Iterator<Item = &'static Algorithm> {
    ALL.iter().filter(move |a| a.verbs.contains(&verb))
}

impl Algorithm {
    /// Why this combination cannot be had, if it cannot.
    pub fn refusal(&self, verb: Verb, ranks: usize, root: Rank, in_place: bool) -> Option<Refusal> {
        if !self.verbs.contains(&verb) {
            return Some(Refusal::Verb { algorithm: self.name, verb });
        }
        if root >= ranks {
            return Some(Refusal::Group { ranks, root });
        }
        if in_place && !verb.runs_in_place() {
            return Some(Refusal::InPlace(verb));
        }
        (self.refuse)(verb, ranks)
    }

    /// The schedule of `verb` over `ranks` ranks, each block cut into `pieces` chunks.
    ///
    /// `root` is 0 for verbs without one.
    pub fn build(
        &self,
        verb: Verb,
        ranks: usize,
        root: Rank,
        pieces: usize,
        in_place: bool,
    ) -> Result<Schedule, Refusal> {
        if let Some(refusal) = self.refusal(verb, ranks, root, in_place) {
            return Err(refusal);
        }
        let blocks = (self.blocks)(verb, ranks);
        // A barrier has one token, whatever else is cut into pieces.
        let pieces = if verb == Verb::Barrier { 1 } else { pieces };
        let collective = Collective::new(verb, ranks, root, blocks, pieces);
        Ok((self.write)(collective).finish(self.name, in_place))
    }

    /// Blocks that a vector without blocks of its own is cut into.
    pub fn blocks(&self, verb: Verb, ranks: usize) -> usize {
        (self.blocks)(verb, ranks)
    }

    /// The closed-form cost of `verb` over `ranks` ranks, one piece per block.
    pub fn closed(&self, verb: Verb, ranks: usize) -> Closed {
        (self.closed)(verb, ranks)
    }
}

/// ⌈log2 n⌉: the rounds a binomial tree needs.
fn ceil_log2(n: usize) -> usize {
    n.next_power_of_two().trailing_zeros() as usize
}

/// Serves any number of ranks.
fn always(_: Verb, _: usize) -> Option<Refusal> {
    None
}
