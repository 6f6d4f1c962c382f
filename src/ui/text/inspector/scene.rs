//! What there is to say about one moment of a replay, before it is put into a language.
//!
//! Everything is read off the replay: who sends to whom in a step, what the messages hold,
//! and how far that brings the ranks. Nothing here knows an algorithm.

use crate::engine::collective::{Collective, Verb};
use crate::engine::memory::Lengths;
use crate::engine::reduce::{Dtype, ReduceOp};
use crate::engine::replay::{Entry, Flight, Replay};
use crate::engine::{Label, Rank, distinct};
use crate::ui::scenario::Prepared;
use std::collections::HashMap;

/// What stays the same during a run.
pub struct Frame<'a> {
    /// The contract.
    pub collective: &'a Collective,
    /// The algorithm's name.
    pub algorithm: &'a str,
    /// What `⊕` means.
    pub op: ReduceOp,
    /// The element type.
    pub dtype: Dtype,
    /// The type of what travels.
    pub wire: Dtype,
    /// The type of partial sums.
    pub sums: Dtype,
    /// Whether ranks that end with the same chunk hold the same bits.
    pub agrees: bool,
    /// The length of every chunk.
    pub lengths: &'a Lengths,
}

impl<'a> Frame<'a> {
    /// The frame of a prepared scenario.
    pub fn new(prepared: &'a Prepared) -> Frame<'a> {
        let schedule = &prepared.schedule;
        Frame {
            collective: &schedule.collective,
            algorithm: &schedule.algorithm,
            op: prepared.run.reduction.op,
            dtype: prepared.run.reduction.dtype,
            wire: prepared.run.reduction.wire(),
            sums: prepared.run.reduction.sums(),
            agrees: prepared.agrees(),
            lengths: &prepared.lengths,
        }
    }

    /// Elements in `rank`'s input.
    pub fn held_elements(&self, rank: Rank) -> usize {
        self.collective.input(rank).iter().map(|&l| self.lengths.range(l).len()).sum()
    }
}

/// How many of how many; both ends are the same when everybody stands alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The smallest number.
    pub least: usize,
    /// The largest number.
    pub most: usize,
    /// Out of how many.
    pub of: usize,
}

impl Count {
    fn new(numbers: impl Iterator<Item = usize>, of: usize) -> Count {
        let numbers: Vec<usize> = numbers.collect();
        let (least, most) = (numbers.iter().min(), numbers.iter().max());
        Count { least: least.copied().unwrap_or(0), most: most.copied().unwrap_or(0), of }
    }
}

/// Who sends to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every rank sends to the rank this far further on.
    Around(usize),
    /// Every rank sends to every other rank.
    Everyone,
    /// These ranks send to the switch.
    Up(Vec<Rank>),
    /// The switch sends to these ranks.
    Down(Vec<Rank>),
    /// These ranks send.
    Pairs(Vec<Pair>),
}

/// One sender and one receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The sender.
    pub from: Rank,
    /// The receiver.
    pub to: Rank,
    /// What is sent.
    pub labels: Vec<Label>,
}

/// What the messages of a step are to their senders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cargo {
    /// The sender's own numbers, untouched.
    Own,
    /// What the sender has reduced so far.
    Partial,
    /// What the sender was the last to contribute to.
    Completed,
    /// What the sender received, unchanged: in the step before, if blocks are whole.
    PassedOn,
    /// Not the same for all.
    Mixed,
}

/// The messages of one phase that arrive in one step; those to a switch and those from it apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The verb they are a part of.
    pub phase: Verb,
    /// Who sends to whom.
    pub shape: Shape,
    /// What is sent.
    pub cargo: Cargo,
    /// The labels that travel, ascending.
    pub labels: Vec<Label>,
    /// How far the step brings the ranks. Of what depends on the phase: contributions in a chunk
    /// (ReduceScatter, Reduce, Barrier), ranks with a chunk (Broadcast) or their block (Scatter),
    /// chunks at a rank (all others).
    pub progress: Count,
    /// Number of messages.
    pub messages: usize,
    /// Chunks in a message, at most.
    pub each: usize,
    /// Whether it is what the receivers shall end with.
    pub for_good: bool,
    /// Whether it is combined with numbers of the receivers that are still their own.
    pub with_own: bool,
}

/// The parts of `step`, from 1. Nearly always there is one.
pub fn parts(frame: &Frame, replay: &Replay, step: usize) -> Vec<Part> {
    let mut phases: Vec<((Verb, bool), Vec<&Flight>)> = Vec::new();
    for flight in replay.flights.iter().filter(|f| f.step == step) {
        let of = (flight.phase, flight.message.from >= frame.collective.ranks);
        match phases.iter_mut().find(|(found, _)| *found == of) {
            Some((_, flights)) => flights.push(flight),
            None => phases.push((of, vec![flight])),
        }
    }
    let story = Story { frame, replay, step };
    phases.into_iter().map(|((phase, _), flights)| story.part(phase, &flights)).collect()
}

/// How many ranks hold all that the verb asks them to end with, at the end of the replay.
pub fn finished(frame: &Frame, replay: &Replay) -> usize {
    let c = frame.collective;
    let done = |rank: &Rank| {
        c.required(*rank).iter().all(|required| {
            let mut cells = replay.cells.iter();
            cells.any(|cell| {
                let wanted = cell.rank == *rank && cell.label == required.label;
                wanted && cell.at(replay.end).is_final
            })
        })
    };
    (0..c.ranks).filter(done).count()
}

/// Looks back from one step.
struct Story<'a> {
    frame: &'a Frame<'a>,
    replay: &'a Replay,
    step: usize,
}

impl Story<'_> {
    fn part(&self, phase: Verb, flights: &[&Flight]) -> Part {
        let labels = distinct(flights.iter().flat_map(|f| f.labels.clone()).collect());
        let mut cargo = flights.iter().map(|flight| self.cargo(phase, flight));
        let first = cargo.next().unwrap_or(Cargo::Mixed);
        let mut combined = self.replay.entries.iter().filter(|entry| entry.step == self.step);
        let for_good = |flight: &&Flight| {
            let kept = self.frame.collective.output(flight.message.to);
            flight.labels.iter().all(|label| kept.contains(label))
        };
        let shape = shape(self.frame.collective.ranks, flights);
        let progress = match shape {
            // What comes from a switch is not combined any more.
            Shape::Down(_) if combines(phase) => {
                let contents = flights.iter().flat_map(|flight| &flight.contents);
                let held = contents.map(|contents| contents.from.len());
                Count::new(held, self.frame.collective.ranks)
            }
            _ => self.progress(phase, &labels),
        };
        Part {
            phase,
            shape,
            cargo: if cargo.all(|other| other == first) { first } else { Cargo::Mixed },
            progress,
            labels,
            messages: flights.len(),
            each: flights.iter().map(|flight| flight.labels.len()).max().unwrap_or(0),
            for_good: flights.iter().all(for_good),
            with_own: combined.all(|e| e.own.as_ref().is_none_or(|own| own.from.len() == 1)),
        }
    }

    fn cargo(&self, phase: Verb, flight: &Flight) -> Cargo {
        if combines(phase) {
            let untouched = flight.contents.iter().all(|contents| contents.from.len() == 1);
            return if untouched { Cargo::Own } else { Cargo::Partial };
        }
        let mut cargo = flight.labels.iter().map(|&label| self.cargo_of(flight, label));
        let first = cargo.next().unwrap_or(Cargo::Mixed);
        if cargo.all(|other| other == first) { first } else { Cargo::Mixed }
    }

    /// What one chunk of a message that is not to be combined is to its sender.
    fn cargo_of(&self, flight: &Flight, label: Label) -> Cargo {
        let arrived = self.entries(self.step.saturating_sub(1)).rfind(|entry: &&Entry| {
            entry.rank == flight.message.from && entry.label == label && entry.from.is_some()
        });
        match arrived {
            None => Cargo::Own,
            Some(entry) if entry.own.is_some() => Cargo::Completed,
            Some(entry) => {
                let just = entry.step + 1 == self.step || self.frame.collective.pieces > 1;
                if just { Cargo::PassedOn } else { Cargo::Mixed }
            }
        }
    }

    /// What had happened when step `last` was over.
    fn entries(&self, last: usize) -> impl DoubleEndedIterator<Item = &Entry> {
        self.replay.entries.iter().filter(move |entry| entry.step <= last)
    }

    /// How many of the chunks that `rank` shall end with, and `only` lets pass, it holds when
    /// the step is over.
    fn holds(&self, rank: Rank, only: impl Fn(Label) -> bool) -> usize {
        let required = self.frame.collective.required(rank);
        let here = |entry: &&Entry| {
            // Local work has no step; only a rank's own numbers are there from the start.
            let there = entry.step > 0 || entry.result.from == [rank];
            entry.rank == rank && there
        };
        let entries: Vec<&Entry> = self.entries(self.step).filter(here).collect();
        let held = required.iter().filter(|r| only(r.label)).filter(|r| {
            entries.iter().any(|entry| entry.label == r.label && entry.result.from == r.from)
        });
        held.count()
    }

    fn progress(&self, phase: Verb, labels: &[Label]) -> Count {
        let c = self.frame.collective;
        if combines(phase) {
            let mut reached: HashMap<(Rank, Label), usize> = HashMap::new();
            for entry in self.replay.entries.iter().filter(|entry| entry.own.is_some()) {
                if entry.step == self.step {
                    let most = reached.entry((entry.rank, entry.label)).or_default();
                    *most = entry.result.from.len().max(*most);
                }
            }
            return Count::new(reached.into_values(), c.ranks);
        }
        let ranks = 0..c.ranks;
        match phase {
            Verb::Broadcast => {
                let holders = |&label: &Label| {
                    ranks.clone().filter(|&rank| self.holds(rank, |l| l == label) > 0).count()
                };
                Count::new(labels.iter().map(holders), c.ranks)
            }
            Verb::Scatter => {
                // As a phase of another verb it gives ranks some of what they shall end with.
                let enough = if c.verb == phase { c.pieces } else { 1 };
                let done = |&rank: &Rank| self.holds(rank, |_| true) >= enough;
                Count::new(std::iter::once(ranks.filter(done).count()), c.ranks)
            }
            Verb::Gather => Count::new(std::iter::once(self.holds(c.root, |_| true)), c.chunks()),
            Verb::SendRecv => {
                Count::new(std::iter::once(self.holds(c.receiver(), |_| true)), c.chunks())
            }
            _ => Count::new(ranks.map(|rank| self.holds(rank, |_| true)), c.chunks()),
        }
    }
}

/// Whether what arrives in this phase is combined with what is there.
pub fn combines(phase: Verb) -> bool {
    phase.reduces() || phase == Verb::Barrier
}

fn shape(ranks: usize, flights: &[&Flight]) -> Shape {
    let ends = |flight: &Flight| (flight.message.from, flight.message.to);
    let pairs = distinct(flights.iter().map(|flight| ends(flight)).collect());
    let distances = distinct(pairs.iter().map(|&(from, to)| (to + ranks - from) % ranks).collect());
    let all = |end: &dyn Fn(&(Rank, Rank)) -> Rank| pairs.iter().all(|pair| end(pair) >= ranks);
    match distances[..] {
        _ if all(&|pair| pair.1) => Shape::Up(pairs.into_iter().map(|pair| pair.0).collect()),
        _ if all(&|pair| pair.0) => Shape::Down(pairs.into_iter().map(|pair| pair.1).collect()),
        [distance] if pairs.len() == ranks => Shape::Around(distance),
        _ if pairs.len() == ranks * (ranks - 1) => Shape::Everyone,
        _ => {
            let pair = |(from, to)| {
                let between = flights.iter().filter(|flight| ends(flight) == (from, to));
                Pair { from, to, labels: between.flat_map(|f| f.labels.clone()).collect() }
            };
            Shape::Pairs(pairs.into_iter().map(pair).collect())
        }
    }
}
