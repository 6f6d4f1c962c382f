//! What a schedule costs, as exact fractions of the whole vector: the figures that papers print.

use super::rounds;
use crate::engine::schedule::Schedule;
use serde::{Serialize, Serializer};
use std::fmt;

/// A fraction of the whole vector S, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfS {
    over: usize,
    under: usize,
}

impl OfS {
    /// `over / under` of S.
    pub fn new(over: usize, under: usize) -> Self {
        let (mut a, mut b) = (over, under);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a.max(1);
        OfS { over: over / divisor, under: under / divisor }
    }

    /// Both together.
    pub fn plus(self, other: OfS) -> Self {
        OfS::new(self.over * other.under + other.over * self.under, self.under * other.under)
    }

    /// The product of both.
    pub fn times(self, other: OfS) -> Self {
        OfS::new(self.over * other.over, self.under * other.under)
    }
}

impl fmt::Display for OfS {
    /// `3/2`; whole numbers stand alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.under {
            1 => write!(f, "{}", self.over),
            under => write!(f, "{}/{under}", self.over),
        }
    }
}

impl Serialize for OfS {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The cost of a schedule in the rounds model. The field names in exports are those that tables of
/// such figures use.
///
/// Example, ring AllReduce over 4 ranks: 6 rounds, beta 3/2, gamma 3/4; every rank sends 3/2 of S
/// in 6 messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Rounds.
    pub rounds: usize,
    /// Sum over rounds of the largest message on any link.
    #[serde(rename = "beta_S")]
    pub beta: OfS,
    /// Sum over rounds of the largest reduction of any rank.
    #[serde(rename = "gamma_S")]
    pub gamma: OfS,
    /// Most messages that a rank sends in one round.
    pub ports: usize,
    /// What the rank that sends least sends.
    #[serde(rename = "sent_S_min")]
    pub sent_least: OfS,
    /// What the rank that sends most sends.
    #[serde(rename = "sent_S_max")]
    pub sent_most: OfS,
    /// What the rank that receives most receives.
    #[serde(rename = "recv_S_max")]
    pub received_most: OfS,
    /// What the rank that reduces most reduces.
    #[serde(rename = "reduce_S_max")]
    pub reduced_most: OfS,
    /// What all ranks send together.
    #[serde(rename = "total_S")]
    pub total: OfS,
    /// Messages.
    pub messages_total: usize,
    /// Messages of the rank that sends most of them.
    pub messages_max_per_rank: usize,
}

/// The summary of `schedule`, with chunks of equal length.
pub fn summary(schedule: &Schedule) -> Summary {
    let cost = rounds::in_chunks(schedule);
    let of_s = |amount| OfS::new(amount, schedule.collective.chunks());
    let most = |amounts: &[usize]| amounts.iter().copied().max().unwrap_or(0);
    Summary {
        rounds: cost.rounds,
        beta: of_s(cost.beta as usize),
        gamma: of_s(cost.gamma as usize),
        ports: cost.ports,
        sent_least: of_s(cost.sent.iter().copied().min().unwrap_or(0)),
        sent_most: of_s(most(&cost.sent)),
        received_most: of_s(most(&cost.received)),
        reduced_most: of_s(most(&cost.reduced)),
        total: of_s(cost.sent.iter().sum()),
        messages_total: cost.messages.iter().sum(),
        messages_max_per_rank: most(&cost.messages),
    }
}
