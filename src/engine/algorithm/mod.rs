//! The registry: every algorithm, what it serves, when it cannot be had, and what it costs.
//!
//! A new algorithm is one file here and one line in [`ALL`]; picker, tests, charts and embeds
//! follow.

mod bidirectional_ring;
mod binary_tree;
mod bruck;
mod chain;
mod direct;
mod dissemination;
mod double_tree;
mod fold;
mod hierarchical;
mod linear;
mod need;
mod neighbor_exchange;
mod nhr;
mod nvls;
mod one_shot;
mod packed;
mod pair;
mod pairwise;
mod pat;
mod pipeline;
mod rabenseifner;
mod recursive_doubling;
mod recursive_halving;
mod request;
mod ring;
mod scatter_allgather;
mod tree;

pub use need::{Need, Refusal, Rule, When};
pub use request::{Choice, Fold, Request, Variant};

use super::collective::{Collective, Verb};
use super::schedule::{Builder, Outline, Schedule};

/// An algorithm: how to write its schedule, and its closed-form costs.
pub struct Algorithm {
    /// The name used in URLs and exports.
    pub name: &'static str,
    /// The verbs it serves.
    pub verbs: &'static [Verb],
    /// The options it has beside root and chunks.
    pub choices: &'static [Choice],
    /// Where it comes from, for a verb: the paper or the source that defines it.
    pub source: fn(Verb) -> &'static str,
    /// Blocks an undivided vector is cut into, for verbs without blocks of their own.
    blocks: fn(&Request) -> usize,
    /// Parts of a block that travel on their own: the two trees or the two directions of an
    /// algorithm that has two, else 1.
    parts: usize,
    /// Switches that compute, beside the ranks: workers have none, so what has some is modelled
    /// only.
    pub switches: usize,
    /// Ranks per node in [`Algorithm::usual`].
    usual_node: fn(usize) -> usize,
    /// Writes the plain schedule of one collective: that of one channel of the request.
    write: fn(&Request, Collective) -> Builder,
    /// Closed-form cost with one chunk per block, whole and on one channel.
    closed: fn(&Request) -> Closed,
    /// What a request must meet, beside what holds for all algorithms.
    pub needs: &'static [Need],
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

impl Closed {
    /// Every rank sends n-1 blocks of S/n: the least there is for AllGather and ReduceScatter, and
    /// for AllToAll without detours.
    fn each_block_once(n: usize, rounds: usize, rounds_formula: &'static str) -> Self {
        Closed {
            rounds,
            sent_most: (n - 1, n),
            sent_total: (n - 1, 1),
            rounds_formula,
            sent_formula: "(n−1)/n · S",
        }
    }
}

/// Every algorithm. The first that serves a verb is that verb's default.
pub static ALL: [Algorithm; 22] = [
    ring::ALGORITHM,
    tree::ALGORITHM,
    double_tree::ALGORITHM,
    direct::ALGORITHM,
    chain::ALGORITHM,
    binary_tree::ALGORITHM,
    linear::ALGORITHM,
    recursive_doubling::ALGORITHM,
    recursive_halving::ALGORITHM,
    rabenseifner::ALGORITHM,
    bruck::ALGORITHM,
    pairwise::ALGORITHM,
    bidirectional_ring::ALGORITHM,
    hierarchical::ALGORITHM,
    one_shot::ALGORITHM,
    scatter_allgather::ALGORITHM,
    nhr::ALGORITHM,
    pat::ALGORITHM,
    neighbor_exchange::ALGORITHM,
    pair::ALGORITHM,
    dissemination::ALGORITHM,
    nvls::ALGORITHM,
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
    /// Why this request cannot be had, if it cannot.
    pub fn refusal(&self, request: &Request) -> Option<Refusal> {
        let &Request { verb, ranks, root, in_place, .. } = request;
        if !self.verbs.contains(&verb) {
            return Some(Refusal::Verb { algorithm: self.name, verb });
        }
        if root >= ranks {
            return Some(Refusal::Group { ranks, root });
        }
        if in_place && !verb.runs_in_place() {
            return Some(Refusal::InPlace(verb));
        }
        if let Some(choice) = request.choices().find(|choice| !self.choices.contains(choice)) {
            return Some(Refusal::Choice { algorithm: self.name, choice });
        }
        let unmet = self.needs.iter().find(|need| !need.is_met(request))?;
        let per_node = request.ranks_per_node;
        Some(Refusal::Unmet { algorithm: self.name, rule: unmet.rule, ranks, per_node })
    }

    /// The contract that the schedule of `request` has to meet; the request is not refused.
    pub fn collective(&self, request: &Request) -> Collective {
        self.in_chunks(request).cut(self.segments(request))
    }

    /// The same before chunks are cut into segments.
    fn in_chunks(&self, request: &Request) -> Collective {
        let &Request { verb, ranks, root, chunks, channels, .. } = request;
        // A barrier has one token, whatever else is cut into pieces.
        let pieces = if verb == Verb::Barrier { 1 } else { chunks * channels * self.parts };
        Collective::new(verb, ranks, root, (self.blocks)(request), pieces)
    }

    /// Segments of a chunk: a barrier's token stays whole.
    fn segments(&self, request: &Request) -> usize {
        if request.verb == Verb::Barrier { 1 } else { request.segments }
    }

    /// The schedule of `request`.
    pub fn build(&self, request: &Request) -> Result<Schedule, Refusal> {
        Ok(self.plain(request)?.finish(self.name, request.in_place))
    }

    /// The schedule of `request` run backwards, which serves the verb's dual: every message goes
    /// the other way, the last first, and chunks that meet are reduced. See [`Builder::reverse`].
    ///
    /// # Errors
    /// As [`Algorithm::build`], and where the verb has no dual or its schedule is made of several
    /// verbs.
    pub fn build_reversed(&self, request: &Request) -> Result<Schedule, Refusal> {
        let whole = self.whole(request)?;
        if request.verb.dual().is_none() || !whole.is_one_phase() {
            return Err(Refusal::NoReverse { algorithm: self.name, verb: request.verb });
        }
        let reversed = whole.reverse().in_segments(self.segments(request));
        Ok(reversed.finish(self.name, request.in_place))
    }

    /// What is enough of the schedule of `request` to tell its cost, for many more ranks than can
    /// be written out.
    pub fn outline(&self, request: &Request) -> Result<Outline, Refusal> {
        Ok(self.plain(request)?.outline())
    }

    /// The schedule of `request`, before anything is fused.
    fn plain(&self, request: &Request) -> Result<Builder, Refusal> {
        Ok(self.whole(request)?.in_segments(self.segments(request)))
    }

    /// The same in whole chunks.
    fn whole(&self, request: &Request) -> Result<Builder, Refusal> {
        if let Some(refusal) = self.refusal(request) {
            return Err(refusal);
        }
        let channel = |_, part| (self.write)(request, part);
        Ok(Builder::side_by_side(self.in_chunks(request), request.channels, channel))
    }

    /// The request that a newcomer sees first: plain, on nodes of a size that shows what nodes are
    /// for, where the algorithm is about them.
    pub fn usual(&self, verb: Verb, ranks: usize) -> Request {
        Request { ranks_per_node: (self.usual_node)(ranks), ..Request::new(verb, ranks) }
    }

    /// The plain request of `verb` over `ranks` ranks, and those that make one choice differently:
    /// what grids and sweeps go through. Two channels, every size of node, each fold and variant.
    pub fn variations(&self, verb: Verb, ranks: usize) -> Vec<Request> {
        let plain = Request::new(verb, ranks);
        let mut all = vec![plain];
        for choice in self.choices {
            match choice {
                Choice::Channels => all.push(Request { channels: 2, ..plain }),
                Choice::Nodes => {
                    let sizes = (2..=ranks).filter(|size| ranks.is_multiple_of(*size));
                    all.extend(sizes.map(|ranks_per_node| Request { ranks_per_node, ..plain }));
                }
                Choice::Fold => all.push(Request { fold: Fold::Ompi, ..plain }),
                Choice::Variant => all.push(Request { variant: Variant::Xor, ..plain }),
            }
        }
        all
    }

    /// The closed-form cost of `request`, with one chunk per block, whole and on one channel.
    pub fn closed(&self, request: &Request) -> Closed {
        (self.closed)(request)
    }
}

/// ⌈log2 n⌉: the rounds a binomial tree needs.
fn ceil_log2(n: usize) -> usize {
    n.next_power_of_two().trailing_zeros() as usize
}
