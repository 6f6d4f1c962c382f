//! What an algorithm needs, as data, and why a request is refused.

use super::{Choice, Request, Variant};
use crate::engine::Rank;
use crate::engine::collective::Verb;
use std::fmt;

/// A rule that a request has to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Somebody to talk to.
    TwoRanks,
    /// Every rank is paired off with a neighbour.
    Even,
    /// Ranks are paired off by the bits of their numbers.
    PowerOfTwo,
    /// Nodes are all full.
    FullNodes,
}

/// When a rule counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// For every request.
    Always,
    /// For one of the verbs.
    Verb(Verb),
    /// For one of the variants.
    Variant(Variant),
}

/// One thing that an algorithm needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// What.
    pub rule: Rule,
    /// When.
    pub when: When,
}

impl Need {
    /// A rule that counts for every request.
    pub(super) const fn always(rule: Rule) -> Need {
        Need { rule, when: When::Always }
    }

    /// Whether `request` has it, or does not need it.
    pub(super) fn is_met(&self, request: &Request) -> bool {
        let &Request { verb, ranks, ranks_per_node, variant, .. } = request;
        let counts = match self.when {
            When::Always => true,
            When::Verb(only) => only == verb,
            When::Variant(only) => only == variant,
        };
        !counts
            || match self.rule {
                Rule::TwoRanks => ranks >= 2,
                Rule::Even => ranks.is_multiple_of(2),
                Rule::PowerOfTwo => ranks.is_power_of_two(),
                Rule::FullNodes => ranks_per_node > 0 && ranks.is_multiple_of(ranks_per_node),
            }
    }
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
    /// Fewer than one rank, or a root outside the group.
    Group {
        /// Ranks asked for.
        ranks: usize,
        /// Root asked for.
        root: Rank,
    },
    /// The schedule does not run backwards: it reduces, or is made of several verbs.
    NoReverse {
        /// The algorithm's name.
        algorithm: &'static str,
        /// The verb asked for.
        verb: Verb,
    },
    /// Input and output cannot share memory: the verb overwrites what it still has to read.
    InPlace(Verb),
    /// The algorithm does not have the option that is asked for.
    Choice {
        /// The algorithm's name.
        algorithm: &'static str,
        /// The option.
        choice: Choice,
    },
    /// The request does not meet what the algorithm needs.
    Unmet {
        /// The algorithm's name.
        algorithm: &'static str,
        /// What it needs.
        rule: Rule,
        /// Ranks asked for.
        ranks: usize,
        /// Ranks per node asked for.
        per_node: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unknown(name) => write!(f, "there is no algorithm `{name}`"),
            Refusal::Verb { algorithm, verb } => {
                write!(f, "{algorithm} does not serve {}", verb.title())
            }
            Refusal::Group { ranks, root } => {
                write!(f, "root {root} is not one of {ranks} ranks")
            }
            Refusal::NoReverse { algorithm, verb } => {
                write!(f, "{algorithm}'s {} does not run backwards", verb.title())
            }
            Refusal::InPlace(verb) => write!(f, "{} does not run in place", verb.title()),
            Refusal::Choice { algorithm, choice } => {
                write!(f, "{algorithm} has no option `{}`", choice.name())
            }
            Refusal::Unmet { algorithm, rule, ranks, per_node } => match rule {
                Rule::TwoRanks => write!(f, "{algorithm} needs two ranks"),
                Rule::Even => {
                    write!(f, "{algorithm} needs an even number of ranks, and {ranks} is odd")
                }
                Rule::PowerOfTwo => {
                    write!(f, "{algorithm} needs a power of two, and {ranks} ranks are none")
                }
                Rule::FullNodes => write!(f, "{ranks} ranks do not fill nodes of {per_node}"),
            },
        }
    }
}

impl std::error::Error for Refusal {}
