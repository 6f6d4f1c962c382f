//! Event simulation: every rank goes at its own pace, and ports can be busy.
//!
//! Of everything that can happen next, the earliest happens first. A message needs a free port at
//! its sender and one at its receiver; both are busy for bytes/bandwidth, and it arrives α later. A
//! rank reduces one chunk at a time. A slow message therefore delays exactly those that wait for
//! it.
//!
//! Example, direct AllGather over 8 ranks: with seven ports per rank all messages leave at once;
//! with one port they leave one after the other, and only their α overlap.

use super::Topology;
use crate::engine::Rank;
use crate::engine::memory::Lengths;
use crate::engine::schedule::{Op, Schedule};
use crate::engine::trace::{OpTimes, Timing};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// When every op of `schedule` happens on `topology`, in microseconds, for elements of
/// `size_bytes`.
pub fn timing(
    schedule: &Schedule,
    lengths: &Lengths,
    size_bytes: usize,
    topology: &Topology,
) -> Timing {
    let mut simulation = Simulation::new(schedule, lengths, size_bytes, topology);
    for (rank, program) in schedule.programs.iter().enumerate() {
        (0..program.lanes).for_each(|lane| simulation.wake(rank, lane));
    }
    while let Some((rank, lane)) = simulation.earliest() {
        simulation.execute(rank, lane);
    }
    simulation.timing
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

/// A value for every op, by rank.
type PerOp<T> = Vec<Vec<T>>;

struct Simulation<'a> {
    schedule: &'a Schedule,
    topology: &'a Topology,
    /// Bytes each op moves.
    bytes: PerOp<f64>,
    /// The receiving op of each op's message.
    receivers: PerOp<Option<(Rank, usize)>>,
    /// Arrival of the message that each op receives, once it has been sent.
    arrivals: PerOp<Option<f64>>,
    ended: PerOp<Option<f64>>,
    timing: Timing,
    lanes: Vec<Vec<Lane>>,
    /// Lanes that can go on: when at the earliest (as bits: those of positive numbers sort as they
    /// do), and which.
    queue: BinaryHeap<Reverse<(u64, Rank, usize)>>,
    /// When each port is free again.
    egress: Vec<Vec<f64>>,
    ingress: Vec<Vec<f64>>,
    /// When each rank's arithmetic is free again.
    compute: Vec<f64>,
}

impl<'a> Simulation<'a> {
    fn new(
        schedule: &'a Schedule,
        lengths: &Lengths,
        size_bytes: usize,
        topology: &'a Topology,
    ) -> Self {
        let n = schedule.programs.len();
        let mut receivers = per_op(schedule, None);
        for message in schedule.messages() {
            receivers[message.from][message.send_op] = Some((message.to, message.recv_op));
        }
        let mut lanes: Vec<Vec<Lane>> = Vec::with_capacity(n);
        for program in &schedule.programs {
            let mut own: Vec<Lane> = (0..program.lanes).map(|_| Lane::default()).collect();
            let ops = program.ops.iter().enumerate();
            ops.for_each(|(index, op)| own[op.lane].ops.push(index));
            lanes.push(own);
        }
        Simulation {
            schedule,
            topology,
            bytes: bytes(schedule, lengths, size_bytes),
            receivers,
            arrivals: per_op(schedule, None),
            ended: per_op(schedule, None),
            timing: per_op(schedule, OpTimes::default()),
            lanes,
            queue: BinaryHeap::new(),
            egress: vec![vec![0.0; topology.ports]; n],
            ingress: vec![vec![0.0; topology.ports]; n],
            compute: vec![0.0; n],
        }
    }

    /// The lane that can go on first. Ports may have become busy since it was queued.
    fn earliest(&mut self) -> Option<(Rank, usize)> {
        while let Some(Reverse((time, rank, lane))) = self.queue.pop() {
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
        if let (false, Some(time)) = (self.lanes[rank][lane].queued, self.next(rank, lane)) {
            self.queue.push(Reverse((time.to_bits(), rank, lane)));
            self.lanes[rank][lane].queued = true;
        }
    }

    /// When the lane can go on; `None` if that is not known yet.
    fn next(&self, rank: Rank, lane: usize) -> Option<f64> {
        let lane = &self.lanes[rank][lane];
        let &index = lane.ops.get(lane.at)?;
        if let Some(ready) = lane.ready_us {
            return Some(self.departure(rank, index, ready).0);
        }
        let op = &self.schedule.programs[rank].ops[index];
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
        let action = self.schedule.programs[rank].ops[index].action;
        let received = action.from().is_some().then_some(now);
        if action.reduces() {
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

    /// Sends: takes a port at both ends.
    fn transfer(&mut self, rank: Rank, lane: usize, index: usize, ready: f64) {
        let (departure, out, into) = self.departure(rank, index, ready);
        let wire = self.bytes[rank][index] / self.topology.bytes_per_us;
        let arrival = departure + wire + self.topology.alpha_us;
        self.timing[rank][index].sent = Some(departure);
        // A lane that receives next, or has received for this op, does not wait for its own
        // message.
        let waits = !self.receives(rank, lane, 0) && !self.receives(rank, lane, 1);
        self.lanes[rank][lane].ready_us = None;
        self.finish(rank, lane, index, if waits { arrival } else { departure });
        if let Some((to, receiving)) = self.receivers[rank][index] {
            self.egress[rank][out] = departure + wire;
            self.ingress[to][into] = departure + wire;
            self.arrivals[to][receiving] = Some(arrival);
            self.wake(to, self.schedule.programs[to].ops[receiving].lane);
        }
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
        op.is_some_and(|&op| self.schedule.programs[rank].ops[op].action.from().is_some())
    }

    /// When a message that is ready can leave, and by which ports of its sender and its receiver.
    fn departure(&self, rank: Rank, index: usize, ready: f64) -> (f64, usize, usize) {
        let Some((to, _)) = self.receivers[rank][index] else { return (ready, 0, 0) };
        let (out, into) = (soonest(&self.egress[rank]), soonest(&self.ingress[to]));
        (ready.max(self.egress[rank][out]).max(self.ingress[to][into]), out, into)
    }
}

/// `value` for every op.
fn per_op<T: Clone>(schedule: &Schedule, value: T) -> PerOp<T> {
    schedule.programs.iter().map(|p| vec![value.clone(); p.ops.len()]).collect()
}

/// The bytes that every op moves.
fn bytes(schedule: &Schedule, lengths: &Lengths, size_bytes: usize) -> PerOp<f64> {
    use crate::engine::collective::Buffer::{Input, Output, Scratch};
    let per_rank = schedule.programs.iter().enumerate().map(|(rank, program)| {
        let labels = [Input, Output, Scratch].map(|buffer| schedule.labels(rank, buffer));
        let moved = |op: &Op| {
            let Some(span) = op.action.src().or(op.action.dst()) else { return 0.0 };
            let labels = labels[span.buffer as usize][span.chunks()].iter();
            let elements: usize = labels.map(|&label| lengths.range(label).len()).sum();
            (elements * size_bytes) as f64
        };
        program.ops.iter().map(moved).collect()
    });
    per_rank.collect()
}

/// The index of the port that is free first.
fn soonest(ports: &[f64]) -> usize {
    (0..ports.len()).min_by(|&a, &b| ports[a].total_cmp(&ports[b])).unwrap_or(0)
}
