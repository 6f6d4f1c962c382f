//! The scenario: everything the page is about, and what its URL says.
//!
//! The fragment is readable: `#/allreduce?algo=ring&n=4&op=sum&step=3`. Fields at their defaults
//! are left out. Links and hands go through the same rules, one field at a time: whatever is wrong
//! in a field yields a [`Notice`] that names the value, the rule and what is used instead; the rest
//! of the scenario is kept. A link's number outside its range becomes the nearest one inside; by
//! hand, the field keeps what it had.

mod change;
mod notice;
mod numbers;
mod parse;
mod prepare;
mod rules;
mod write;

pub use notice::{Field, Notice};
pub use numbers::parse_numbers;
pub use parse::{MAX_FRAGMENT, parse};
pub use prepare::{Prepared, Unprepared};

use super::text::Lang;
use crate::engine::Rank;
use crate::engine::algorithm::{self, Algorithm, Refusal};
use crate::engine::collective::{Collective, Verb};
use crate::engine::cost::{TOPOLOGIES, Topology};
use crate::engine::reduce::{Dtype, ReduceOp};
use crate::engine::tensor::Tensor;
use crate::engine::trace::Clock;

/// Most ranks that run as live workers.
pub const MAX_RANKS: usize = 16;
/// Most numbers of a vector typed by hand.
pub const MAX_NUMBERS: usize = 64;
/// Most chunks a block is cut into.
pub const MAX_PIECES: usize = 16;
/// Most dimensions of a shape.
pub const MAX_DIMS: usize = 4;
/// Smallest seeded vector, in bytes.
pub const MIN_BYTES: u64 = 4;
/// Largest seeded vector, in bytes.
pub const MAX_BYTES: u64 = 64 << 20;
/// Largest step that a link may name; which steps there are, only the schedule knows.
pub const MAX_STEP: usize = 9999;
/// Slowest and fastest playback, relative to normal.
pub const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0];

/// A page of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The player.
    Player,
    /// The table of verbs and algorithms.
    Reference,
}

/// Light or dark, when the reader has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on light paper.
    Light,
    /// Light ink on dark paper.
    Dark,
}

impl Theme {
    /// `light` or `dark`.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// What the ranks start with.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Typed numbers: `rows[rank][position]` over the whole vector, of which a rank holds a part
    /// ([`Scenario::held`]). What it does not hold is [`default_number`].
    Numbers(Vec<Vec<f64>>),
    /// A seeded vector of this many bytes, a whole number of elements.
    Bytes(u64),
}

/// Everything the player shows is a function of this.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The verb.
    pub verb: Verb,
    /// The algorithm's name, one of those that serve the verb.
    pub algorithm: &'static str,
    /// Group size, `1..=MAX_RANKS`.
    pub ranks: usize,
    /// The root, below `ranks`; 0 for verbs without one.
    pub root: Rank,
    /// What `⊕` means.
    pub op: ReduceOp,
    /// Element type.
    pub dtype: Dtype,
    /// Chunks per block.
    pub pieces: usize,
    /// Whether input and output share memory.
    pub in_place: bool,
    /// What the ranks start with.
    pub data: Data,
    /// The tensor's shape when it is not flat, for typed numbers only; its product is their count.
    pub shape: Option<Tensor>,
    /// Which clock drives the picture.
    pub clock: Clock,
    /// Which links the modelled clock assumes.
    pub topology: &'static Topology,
    /// Steps that are over in what is shown.
    pub step: usize,
    /// First and last step of a loop.
    pub looped: Option<(usize, usize)>,
    /// Playback speed, relative to normal.
    pub speed: f64,
    /// The selected rank.
    pub selected: Rank,
    /// The language, if chosen.
    pub lang: Option<Lang>,
    /// The theme, if chosen.
    pub theme: Option<Theme>,
}

impl Default for Scenario {
    /// The first visit: AllReduce, ring, 4 ranks, 4 small numbers each, paused at step 0.
    fn default() -> Self {
        Scenario {
            verb: Verb::AllReduce,
            algorithm: "ring",
            ranks: 4,
            root: 0,
            op: ReduceOp::Sum,
            dtype: Dtype::F32,
            pieces: 1,
            in_place: false,
            data: default_numbers(4, 4),
            shape: None,
            clock: Clock::Rounds,
            topology: &TOPOLOGIES[0],
            step: 0,
            looped: None,
            speed: 1.0,
            selected: 0,
            lang: None,
            theme: None,
        }
    }
}

/// Small numbers that are easy to add in the head, different at every rank and position.
pub fn default_number(rank: Rank, position: usize) -> f64 {
    (1 + (5 * rank + 3 * position + rank * position) % 9) as f64
}

/// A vector of `len` default numbers at each of `ranks` ranks.
pub fn default_numbers(ranks: usize, len: usize) -> Data {
    let row = |rank| (0..len).map(|position| default_number(rank, position)).collect();
    Data::Numbers((0..ranks).map(row).collect())
}

impl Scenario {
    /// The algorithm, which always serves the verb.
    pub fn algorithm(&self) -> &'static Algorithm {
        let serves = |a: &&Algorithm| a.verbs.contains(&self.verb);
        let chosen = algorithm::find(self.algorithm).filter(serves);
        chosen.or_else(|| algorithm::serving(self.verb).next()).unwrap_or(&algorithm::ALL[0])
    }

    /// Why this combination cannot be had, if it cannot; no scenario of this module is refused.
    pub fn refusal(&self) -> Option<Refusal> {
        self.algorithm().refusal(self.verb, self.ranks, self.root, self.in_place)
    }

    /// The contract of the current choice, without building its schedule.
    pub fn collective(&self) -> Collective {
        let blocks = self.algorithm().blocks(self.verb, self.ranks);
        // A barrier has one token, whatever else is cut into pieces.
        let pieces = if self.verb == Verb::Barrier { 1 } else { self.pieces };
        Collective::new(self.verb, self.ranks, self.root, blocks, pieces)
    }

    /// Elements of the whole vector.
    pub fn elements(&self) -> usize {
        match &self.data {
            Data::Numbers(rows) => rows.first().map_or(0, Vec::len),
            Data::Bytes(bytes) => *bytes as usize / self.dtype.size_bytes(),
        }
    }

    /// The whole vector as a tensor; flat unless a shape was chosen and the verb has a dimension.
    pub fn tensor(&self) -> Tensor {
        match &self.shape {
            Some(tensor) if self.verb.has_dimension() => tensor.clone(),
            _ => Tensor::flat(self.elements()),
        }
    }

    /// The positions of the whole tensor whose numbers are typed for `rank`, in the order a reader
    /// types them. A seeded vector and a barrier's token are not typed, nor is a rank that is none.
    pub fn held(&self, rank: Rank) -> Vec<usize> {
        if matches!(self.data, Data::Bytes(_)) || rank >= self.ranks {
            return Vec::new();
        }
        match self.verb {
            Verb::AllGather | Verb::Gather => {
                self.tensor().stretches(self.ranks, rank).flatten().collect()
            }
            Verb::Scatter | Verb::Broadcast | Verb::SendRecv if rank != self.root => Vec::new(),
            Verb::Barrier => Vec::new(),
            _ => (0..self.elements()).collect(),
        }
    }
}
