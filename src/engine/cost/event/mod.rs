//! Event simulation: every rank goes at its own pace, and links can be busy.
//!
//! Of everything that can happen next, the earliest happens first. A message occupies the way out
//! of its sender and the way into its receiver, or of their nodes, for bytes/bandwidth, and arrives
//! α later. Messages over the same way queue: it carries one at a time at full speed, in the order
//! in which they were ready; of those that were ready at the same time, the one whose receiver is
//! fewer ranks further on goes first, or else sits nearer to the front of its node. The two
//! directions of a link do not disturb each other. A rank reduces one chunk at a time, and a switch
//! adds as fast as messages come in. A slow message therefore delays exactly those that wait for
//! it.
//!
//! Example, direct AllGather over 8 ranks: on a mesh all messages leave at once; with one port they
//! leave one after the other, and only their α overlap. Two ranks of a node that share a NIC take
//! twice as long as one.
//!
//! Where ranks are alike, [`brief`] simulates one of them for all, which makes a ring of thousands
//! as quick as one of three.
//!
//! Left out: the way from a GPU to its NIC, switches of the network, and what a NIC needs between
//! two messages.

mod ways;

use super::Topology;
use crate::engine::Rank;
use crate::engine::memory::Lengths;
use crate::engine::schedule::{Alike, Outline, Schedule};
use crate::engine::trace::{OpTimes, Timing};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use ways::{Actors, PerOp, Way, per_op, step};

/// When every op of `schedule` happens on `topology`, in microseconds, for elements of
/// `size_bytes`.
pub fn timing(
    schedule: &Schedule,
    lengths: &Lengths,
    size_bytes: usize,
    topology: &Topology,
) -> Timing {
    let Schedule { collective, programs, .. } = schedule;
    let actors = Actors { collective, alike: Alike::NONE, programs };
    Simulation::new(actors, lengths, size_bytes, topology).run()
}

/// How long a schedule takes, in short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brief {
    /// When the last op has ended, in microseconds: the [`end`] of the [`timing`] of the whole.
    pub end_us: f64,
    /// How many programs have been simulated; they stand for all.
    pub programs: usize,
}

/// How long the schedule takes that `outline` is the outline of, simulated on as few ranks as stand
/// for all of them on these links and with these lengths.
pub fn brief(
    outline: &Outline,
    lengths: &Lengths,
    size_bytes: usize,
    topology: &Topology,
) -> Brief {
    let fewest = outline.by(step(outline, lengths, topology));
    let Outline { ref collective, alike, ref programs, .. } = fewest;
    let actors = Actors { collective, alike, programs };
    let timing = Simulation::new(actors, lengths, size_bytes, topology).run();
    Brief { end_us: end(&timing), programs: programs.len() }
}

/// How many ops [`brief`] would simulate.
pub fn ops(outline: &Outline, lengths: &Lengths, topology: &Topology) -> usize {
    let written: usize = outline.programs.iter().map(|program| program.ops.len()).sum();
    written * step(outline, lengths, topology)
}

/// When the last op of a simulation has ended, and the last message has arrived.
pub fn end(timing: &Timing) -> f64 {
    timing.iter().flatten().map(OpTimes::ended).fold(0.0, f64::max)
}

#[derive(Default)]
struct Lane {
    ops: Vec<usize>,
    at: usize,
    /// When the lane came to its current op.
    free_us: f64,
    /// When the message of the current op, whose local work is done, was ready to leave.
    ready_us: Option<f64>,
    /// Whether it stands in the queue.
    queued: bool,
}

/// When a lane can go on (as bits: those of positive numbers sort as they do), since when it wants
/// to, what else decides between its message and another, and which it is: lane and program.
type Turn = (u64, u64, [usize; 2], usize, usize);

struct Simulation<'a> {
    actors: Actors<'a>,
    topology: &'a Topology,
    /// Bytes each op moves.
    bytes: PerOp<f64>,
    /// The way of each op's message.
    ways: PerOp<Option<Way>>,
    /// Arrival of the message that each op receives, once it has been sent.
    arrivals: PerOp<Option<f64>>,
    ended: PerOp<Option<f64>>,
    timing: Timing,
    lanes: Vec<Vec<Lane>>,
    /// Lanes that can go on.
    queue: BinaryHeap<Reverse<Turn>>,
    /// When each place is free again.
    places: Vec<f64>,
    /// When each rank's arithmetic is free again.
    compute: Vec<f64>,
}

impl<'a> Simulation<'a> {
    fn new(
        actors: Actors<'a>,
        lengths: &Lengths,
        size_bytes: usize,
        topology: &'a Topology,
    ) -> Self {
        let programs = actors.programs;
        let (ways, places) = actors.ways(topology);
        let mut lanes: Vec<Vec<Lane>> = Vec::with_capacity(programs.len());
        for program in programs {
            let mut own: Vec<Lane> = (0..program.lanes).map(|_| Lane::default()).collect();
            let ops = program.ops.iter().enumerate();
            ops.for_each(|(index, op)| own[op.lane].ops.push(index));
            lanes.push(own);
        }
        Simulation {
            actors,
            topology,
            bytes: actors.bytes(lengths, size_bytes),
            ways,
            arrivals: per_op(programs, None),
            ended: per_op(programs, None),
            timing: per_op(programs, OpTimes::default()),
            lanes,
            queue: BinaryHeap::new(),
            places: vec![0.0; places],
            compute: vec![0.0; programs.len()],
        }
    }

    fn run(mut self) -> Timing {
        for (rank, program) in self.actors.programs.iter().enumerate() {
            (0..program.lanes).for_each(|lane| self.wake(rank, lane));
        }
        while let Some((rank, lane)) = self.earliest() {
            self.execute(rank, lane);
        }
        self.timing
    }

    /// The lane that can go on first. Places may have become busy since it was queued.
    fn earliest(&mut self) -> Option<(Rank, usize)> {
        while let Some(Reverse((time, _, _, lane, rank))) = self.queue.pop() {
            self.lanes[rank][lane].queued = false;
            if self.next(rank, lane).is_some_and(|now| now.to_bits() <= time) {
                return Some((rank, lane));
            }
            self.wake(rank, lane);
        }
        None
    }

    /// Queues a lane, if it can go on.
    fn wake(&mut self, rank: Rank, lane: usize) {
        let Lane { ref ops, at, ready_us, queued, .. } = self.lanes[rank][lane];
        if let (false, Some(time)) = (queued, self.next(rank, lane)) {
            let way = ready_us.and_then(|_| self.ways[rank][ops[at]]);
            let since = ready_us.unwrap_or(time);
            let order = way.map_or([0; 2], |way| way.order);
            self.queue.push(Reverse((time.to_bits(), since.to_bits(), order, lane, rank)));
            self.lanes[rank][lane].queued = true;
        }
    }

    /// When the lane can go on; `None` if that is not known yet.
    fn next(&self, rank: Rank, lane: usize) -> Option<f64> {
        let lane = &self.lanes[rank][lane];
        let &index = lane.ops.get(lane.at)?;
        if let Some(ready) = lane.ready_us {
            return Some(self.departure(rank, index, ready));
        }
        let op = &self.actors.programs[rank].ops[index];
        let mut start = lane.free_us;
        for &dep in &op.deps {
            start = start.max(self.ended[rank][dep]?);
        }
        if op.action.from().is_some() {
            start = start.max(self.arrivals[rank][index]?);
        }
        Some(start)
    }

    /// The first half of the lane's current op, or the message that is its second.
    fn execute(&mut self, rank: Rank, lane_index: usize) {
        let lane = &self.lanes[rank][lane_index];
        let index = lane.ops[lane.at];
        match lane.ready_us {
            Some(ready) => self.transfer(rank, lane_index, index, ready),
            None => self.work(rank, lane_index, index),
        }
        self.wake(rank, lane_index);
    }

    /// Receives and reduces.
    fn work(&mut self, rank: Rank, lane: usize, index: usize) {
        let reached = self.lanes[rank][lane].free_us;
        let mut now = self.next(rank, lane).unwrap_or(reached);
        let action = self.actors.programs[rank].ops[index].action;
        let received = action.from().is_some().then_some(now);
        if action.reduces() && !self.is_switch(rank) {
            let takes = self.bytes[rank][index] / self.topology.reduce_bytes_per_us;
            now = now.max(self.compute[rank]) + takes;
            self.compute[rank] = now;
        }
        let applied = (action.dst().is_some() || action.reduces()).then_some(now);
        self.timing[rank][index] = OpTimes { reached, received, applied, sent: None };
        match action.to() {
            Some(_) => self.lanes[rank][lane].ready_us = Some(now),
            None => self.finish(rank, lane, index, now),
        }
    }

    /// Sends, and occupies the way.
    fn transfer(&mut self, rank: Rank, lane: usize, index: usize, ready: f64) {
        let departure = self.departure(rank, index, ready);
        self.timing[rank][index].sent = Some(departure);
        self.lanes[rank][lane].ready_us = None;
        let Some(way) = self.ways[rank][index] else {
            return self.finish(rank, lane, index, departure);
        };
        let wire = self.bytes[rank][index] / way.links.bytes_per_us;
        let arrival = departure + wire + way.links.alpha_us;
        // A lane that receives next, or has received for this op, does not wait for its own
        // message.
        let waits = !self.receives(rank, lane, 0) && !self.receives(rank, lane, 1);
        self.finish(rank, lane, index, if waits { arrival } else { departure });
        way.places.into_iter().for_each(|place| self.places[place] = departure + wire);
        let (to, receiving) = way.to;
        self.arrivals[to][receiving] = Some(arrival);
        self.wake(to, self.actors.programs[to].ops[receiving].lane);
    }

    /// Moves the lane on, and wakes those that depend on the op.
    fn finish(&mut self, rank: Rank, lane: usize, index: usize, free_us: f64) {
        self.ended[rank][index] = Some(self.timing[rank][index].ended());
        let lane = &mut self.lanes[rank][lane];
        lane.at += 1;
        lane.free_us = free_us;
        (0..self.lanes[rank].len()).for_each(|lane| self.wake(rank, lane));
    }

    /// Whether the lane's op `ahead` of its current one waits for a message.
    fn receives(&self, rank: Rank, lane: usize, ahead: usize) -> bool {
        let lane = &self.lanes[rank][lane];
        let op = lane.ops.get(lane.at + ahead);
        op.is_some_and(|&op| self.actors.programs[rank].ops[op].action.from().is_some())
    }

    fn is_switch(&self, actor: usize) -> bool {
        actor >= self.actors.ranks()
    }

    /// When a message that is ready can leave.
    fn departure(&self, rank: Rank, index: usize, ready: f64) -> f64 {
        let places = self.ways[rank][index].map(|way| way.places);
        let busy = places.into_iter().flatten().map(|place| self.places[place]);
        busy.fold(ready, f64::max)
    }
}
