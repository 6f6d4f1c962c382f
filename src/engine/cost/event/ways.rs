//! What there is to simulate: the programs of ranks that stand for themselves or for all that are
//! alike, the bytes that their ops move, and the ways that their messages take.
//!
//! Ranks that are alike in the schedule (see [`Alike`]) do the same things at the same times if the
//! links and the lengths of the blocks are alike as well. Then one of them is enough: what it sends
//! to another is what it receives from a third. Nothing of this is taken on trust: that the
//! programs are alike is how they are defined, and here it is looked up whether turning the ranks
//! leaves nodes and NICs as they are, and turning the blocks their lengths.

use crate::engine::Rank;
use crate::engine::collective::Collective;
use crate::engine::cost::Topology;
use crate::engine::cost::topology::{Links, Place};
use crate::engine::memory::Lengths;
use crate::engine::schedule::{Alike, Op, Outline, Program, Turn};
use std::collections::HashMap;

/// A message on its way.
#[derive(Clone, Copy)]
pub struct Way {
    /// Who receives it, and with which op.
    pub to: (usize, usize),
    /// How many ranks further on that is, and where it sits in its node: of two messages that are
    /// ready at the same time, the one with less goes first. Whoever is alike sees it alike.
    pub order: [usize; 2],
    pub links: Links,
    /// What it occupies, as numbers: at the sender's end and at the receiver's.
    pub places: [usize; 2],
}

/// A value for every op, by program.
pub type PerOp<T> = Vec<Vec<T>>;

/// Ranks that are alike, as far as programs go; the programs of the first of them, then those of
/// the switches.
#[derive(Clone, Copy)]
pub struct Actors<'a> {
    pub collective: &'a Collective,
    pub alike: Alike,
    pub programs: &'a [Program],
}

impl Actors<'_> {
    /// How many of the programs are those of ranks.
    pub fn ranks(&self) -> usize {
        self.collective.ranks / self.alike.ranks.length
    }

    /// The rank or switch whose program stands at `at`.
    fn actor(&self, at: usize) -> Rank {
        match at.checked_sub(self.ranks()) {
            Some(switch) => self.collective.ranks + switch,
            None => self.alike.ranks.first(at),
        }
    }

    /// Where the program that `actor` follows stands, and how many places away from its own.
    fn follows(&self, actor: Rank) -> (usize, usize) {
        match actor.checked_sub(self.collective.ranks) {
            Some(switch) => (self.ranks() + switch, 0),
            None => (self.alike.ranks.round(actor), self.alike.ranks.place(actor)),
        }
    }

    /// `place`, seen from the first of those that are alike: turned back by so many places.
    fn turned_back(&self, place: Place) -> Place {
        let Turn { length, .. } = self.alike.ranks;
        let back = |rank| self.alike.ranks.on(rank, length - self.alike.ranks.place(rank));
        match place {
            Place::Out(rank) => Place::Out(back(rank)),
            Place::In(rank) => Place::In(back(rank)),
            Place::NicOut(rank) => Place::NicOut(back(rank)),
            Place::NicIn(rank) => Place::NicIn(back(rank)),
            Place::Cable(from, to) => {
                let places = length - self.alike.ranks.place(from);
                Place::Cable(back(from), self.alike.ranks.on(to, places))
            }
        }
    }

    /// The ways of all messages, and how many places they occupy.
    ///
    /// The k-th send of a connection meets its k-th receive. A connection is known by whom its ends
    /// follow and how many places the receiver stands further on.
    pub fn ways(&self, topology: &Topology) -> (PerOp<Option<Way>>, usize) {
        let (ranks, length) = (self.collective.ranks, self.alike.ranks.length);
        let mut receives: HashMap<[usize; 4], Vec<usize>> = HashMap::new();
        for (at, program) in self.programs.iter().enumerate() {
            for (index, op) in program.ops.iter().enumerate() {
                if let Some(peer) = op.action.from() {
                    let (from, places) = self.follows(peer.rank);
                    let ahead = (length - places) % length;
                    receives.entry([from, at, ahead, peer.channel]).or_default().push(index);
                }
            }
        }
        let mut sent: HashMap<[usize; 4], usize> = HashMap::new();
        let mut numbers: HashMap<Place, usize> = HashMap::new();
        let mut ways = per_op(self.programs, None);
        for (at, program) in self.programs.iter().enumerate() {
            let from = self.actor(at);
            for (index, op) in program.ops.iter().enumerate() {
                let Some(peer) = op.action.to() else { continue };
                let (to, ahead) = self.follows(peer.rank);
                let connection = [at, to, ahead, peer.channel];
                let position = sent.entry(connection).or_default();
                let receive = receives.get(&connection).and_then(|ops| ops.get(*position));
                *position += 1;
                let Some(&receive) = receive else { continue };
                let (links, out, into) = topology.way(ranks, from, peer.rank);
                let places = [out, into].map(|place| {
                    let next = numbers.len();
                    *numbers.entry(self.turned_back(place)).or_insert(next)
                });
                let seat = topology.nodes_of(ranks).map_or(0, |nodes| peer.rank % nodes.ranks);
                let order = [(peer.rank + ranks - from) % ranks, seat];
                ways[at][index] = Some(Way { to: (to, receive), order, links, places });
            }
        }
        (ways, numbers.len())
    }

    /// The bytes that every op moves.
    pub fn bytes(&self, lengths: &Lengths, size_bytes: usize) -> PerOp<f64> {
        let per_actor = self.programs.iter().enumerate().map(|(at, program)| {
            let actor = self.actor(at);
            let labels = [
                self.collective.input(actor),
                self.collective.output(actor),
                program.scratch.clone(),
            ];
            let moved = |op: &Op| {
                let Some(span) = op.action.src().or(op.action.dst()) else { return 0.0 };
                let labels = labels[span.buffer as usize][span.chunks()].iter();
                let elements: usize = labels.map(|&label| lengths.range(label).len()).sum();
                (elements * size_bytes) as f64
            };
            program.ops.iter().map(moved).collect()
        });
        per_actor.collect()
    }
}

/// `value` for every op.
pub fn per_op<T: Clone>(programs: &[Program], value: T) -> PerOp<T> {
    programs.iter().map(|program| vec![value.clone(); program.ops.len()]).collect()
}

/// How many places apart those of `outline`'s ranks stand that are alike on `topology` with these
/// lengths as well: at least 1, at most as many as there are, and then none are.
pub fn step(outline: &Outline, lengths: &Lengths, topology: &Topology) -> usize {
    let length = outline.alike.ranks.length;
    let mut steps = (1..=length).filter(|step| length.is_multiple_of(*step));
    let found = steps.find(|&step| {
        let alike = outline.alike.by(step);
        links_turn(outline.collective.ranks, alike.ranks, topology)
            && blocks_turn(&outline.collective, alike.blocks, lengths)
    });
    found.unwrap_or(length)
}

/// Whether turning the ranks by a place leaves the machine as it is: all ranks move equally far,
/// and first ranks of nodes and NICs become first ranks of nodes and NICs. No two ranks that are
/// alike share a NIC then, for none of them keeps its place.
fn links_turn(ranks: usize, turn: Turn, topology: &Topology) -> bool {
    let Some(nodes) = topology.nodes_of(ranks) else { return turn.covers(ranks) };
    let next = |rank| turn.on(rank, 1);
    let node = |rank: Rank| rank - rank % nodes.ranks;
    turn.length == 1
        || turn.covers(ranks)
            && (0..ranks).all(|rank| {
                node(next(rank)) == next(node(rank))
                    && nodes.nic(next(rank)) == next(nodes.nic(rank))
            })
}

/// Whether blocks that change places have pieces of the same lengths.
fn blocks_turn(c: &Collective, turn: Turn, lengths: &Lengths) -> bool {
    let length = |label| lengths.range(label).len();
    let next = |label: usize| turn.on(label / c.pieces, 1) * c.pieces + label % c.pieces;
    turn.length == 1 || (0..c.chunks()).all(|label| length(next(label)) == length(label))
}
