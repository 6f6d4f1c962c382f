//! The scenario: everything the page is about, and what its URL says.
//!
//! The fragment is readable: `#/allreduce?algo=ring&n=4&op=sum&step=3`. Fields at their defaults
//! are left out. Links and hands go through the same rules, one field at a time: whatever is wrong
//! in a field yields a [`Notice`] that names the value, the rule and what is used instead; the rest
//! of the scenario is kept. A link's number outside its range becomes the nearest one inside; by
//! hand, the field keeps what it had. Names are read in upper and lower case alike.

mod change;
mod notice;
mod numbers;
mod parse;
mod prepare;
mod rules;
mod view;
mod write;

pub(in crate::ui) use notice::short;
pub use notice::{Field, Notice};
pub use numbers::{number_text, parse_numbers, typed_range};
pub use parse::{MAX_FRAGMENT, parse, same_target};
pub use prepare::{Prepared, Unprepared};
pub use rules::{read_loop, read_step};
pub use view::View;
pub use write::{escaped, link};

use crate::engine::Rank;
use crate::engine::algorithm::{self, Algorithm, Choice, Fold, Refusal, Request, Variant};
use crate::engine::check::admits;
use crate::engine::collective::{Collective, Verb};
use crate::engine::reduce::{Accumulate, Dtype, ReduceOp};
use crate::engine::tensor::Tensor;
use crate::runtime::transport::Via;

/// Most ranks that run as live workers.
pub const MAX_RANKS: usize = 16;
/// Most numbers of a vector typed by hand.
pub const MAX_NUMBERS: usize = 64;
/// Most chunks a block is cut into.
pub const MAX_PIECES: usize = 16;
/// Most segments that a chunk travels in.
pub const MAX_SEGMENTS: usize = 8;
/// Most copies of an algorithm side by side.
pub const MAX_CHANNELS: usize = 4;
/// Most dimensions of a shape.
pub const MAX_DIMS: usize = 4;
/// Largest seeded vector, in bytes.
pub const MAX_BYTES: u64 = 256 << 20;
/// Slowest and fastest playback, relative to normal.
pub const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0];

/// A page of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The player.
    Player,
    /// AllReduce is ReduceScatter, then AllGather.
    Equation,
    /// Two scenarios side by side.
    Compare,
    /// Times over sizes.
    Bench,
    /// The table of verbs and algorithms.
    Reference,
}

impl Page {
    /// Every page.
    pub const ALL: [Page; 5] =
        [Page::Player, Page::Equation, Page::Compare, Page::Bench, Page::Reference];

    /// The page's name in URLs. The player, whose URLs name a verb, needs none.
    pub fn name(self) -> &'static str {
        match self {
            Page::Player => "",
            Page::Equation => "equation",
            Page::Compare => "compare",
            Page::Bench => "bench",
            Page::Reference => "reference",
        }
    }

    /// The part of the app that holds the page; the player is in the app itself.
    pub fn part(self) -> &'static str {
        match self {
            Page::Player => "app",
            Page::Equation | Page::Compare => "duet",
            Page::Bench => "bench",
            Page::Reference => "pages",
        }
    }

    /// The page with this name.
    pub fn named(name: &str) -> Option<Page> {
        Page::ALL.into_iter().find(|page| page.name() == name)
    }
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
#[derive(Clone, Debug)]
pub enum Data {
    /// Typed numbers: `rows[rank][position]` over the whole vector, of which a rank holds a part
    /// ([`Scenario::held`]). What it does not hold is [`default_number`].
    Numbers(Vec<Vec<f64>>),
    /// A seeded vector of this many bytes, a whole number of elements.
    Bytes(u64),
}

/// Any NaN equals any NaN: what is typed is the same as long as it reads the same.
impl PartialEq for Data {
    fn eq(&self, other: &Data) -> bool {
        let alike = |a: &[f64], b: &[f64]| {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| numbers::same(a, b))
        };
        match (self, other) {
            (Data::Numbers(a), Data::Numbers(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
            }
            (Data::Bytes(a), Data::Bytes(b)) => a == b,
            _ => false,
        }
    }
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
    /// Where `⊕` rounds; it is supported by operator and type.
    pub accumulate: Accumulate,
    /// Chunks per block, on each channel.
    pub pieces: usize,
    /// Segments per chunk, `1..=MAX_SEGMENTS`.
    pub segments: usize,
    /// Copies of the algorithm side by side, `1..=MAX_CHANNELS`.
    pub channels: usize,
    /// Ranks of one node, for algorithms that know nodes.
    pub ranks_per_node: usize,
    /// How ranks beyond a power of two take part, for algorithms that need one.
    pub fold: Fold,
    /// Who meets whom in a pairwise exchange.
    pub variant: Variant,
    /// Whether input and output share memory.
    pub in_place: bool,
    /// What the ranks start with.
    pub data: Data,
    /// The tensor's shape when it is not flat, for typed numbers only; its product is their count.
    pub shape: Option<Tensor>,
    /// How the workers exchange messages, where they can.
    pub via: Via,
    /// How it is shown.
    pub view: View,
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
            accumulate: Accumulate::InType,
            pieces: 1,
            segments: 1,
            channels: 1,
            ranks_per_node: 1,
            fold: Fold::default(),
            variant: Variant::default(),
            in_place: false,
            data: default_numbers(4, 4),
            shape: None,
            via: Via::Shared,
            view: View::default(),
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

    /// What is asked of the algorithm.
    pub fn request(&self) -> Request {
        Request {
            verb: self.verb,
            ranks: self.ranks,
            root: self.root,
            chunks: self.pieces,
            segments: self.segments,
            channels: self.channels,
            ranks_per_node: self.ranks_per_node,
            fold: self.fold,
            variant: self.variant,
            in_place: self.in_place,
        }
    }

    /// Ranks, and the switches of the algorithm.
    pub fn actors(&self) -> usize {
        self.ranks + self.algorithm().switches
    }

    /// Why this combination cannot be had, if it cannot; no scenario of this module is refused.
    pub fn refusal(&self) -> Option<Refusal> {
        self.algorithm().refusal(&self.request())
    }

    /// Whether the schedule can add up so.
    pub fn admits(&self, accumulate: Accumulate) -> bool {
        let admitted = |schedule| admits(&schedule, accumulate);
        accumulate != Accumulate::OwnerF32
            || !self.verb.reduces()
            || self.algorithm().build(&self.request()).is_ok_and(admitted)
    }

    /// Whether both run the same: they differ at most in how it is shown.
    pub fn runs_as(&self, other: &Scenario) -> bool {
        Scenario { view: other.view, ..self.clone() } == *other
    }

    /// The contract of the current choice, without building its schedule.
    pub fn collective(&self) -> Collective {
        self.algorithm().collective(&self.request())
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
