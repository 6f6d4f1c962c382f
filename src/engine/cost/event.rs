//! Event simulation: every rank goes at its own pace, and ports can be busy.
//!
//! Of everything that could start now, the earliest starts first. A message needs a free port at its
//! sender and one at its receiver; both are busy for bytes/bandwidth, and it arrives α later. A rank
//! reduces one chunk at a time. A slow message therefore delays exactly those that wait for it.

use super::Topology;
use crate::engine::Rank;
use crate::engine::memory::Lengths;
use crate::engine::schedule::{Op, Schedule};
use crate::engine::trace::{OpTimes, Timing};
use std::collections::HashMap;

/// When every op of `schedule` happens on `topology`, in microseconds, for elements of `size_bytes`.
pub fn timing(
    schedule: &Schedule,
    lengths: &Lengths,
    size_bytes: usize,
    topology: &Topology,
) -> Timing {
    let mut simulation = Simulation::new(schedule, lengths, size_bytes, topology);
    while let Some((rank, lane)) = simulation.earliest() {
        simulation.execute(rank, lane);
    }
    simulation.timing
}

struct Lane {
    ops: Vec<usize>,
    at: usize,
    /// When the lane came to its current op.
    free_us: f64,
}

struct Simulation<'a> {
    schedule: &'a Schedule,
    topology: &'a Topology,
    /// Bytes each op moves.
    bytes: Vec<Vec<f64>>,
    senders: HashMap<(Rank, usize), (Rank, usize)>,
    lanes: Vec<Vec<Lane>>,
    /// Arrival of each op's message, once it has been sent.
    arrivals: HashMap<(Rank, usize), f64>,
    receivers: HashMap<(Rank, usize), (Rank, usize)>,
    /// When each port is free again.
    egress: Vec<Vec<f64>>,
    ingress: Vec<Vec<f64>>,
    /// When each rank's arithmetic is free again.
    compute: Vec<f64>,
    ended: Vec<Vec<Option<f64>>>,
    timing: Timing,
}

impl<'a> Simulation<'a> {
    fn new(
        schedule: &'a Schedule,
        lengths: &Lengths,
        size_bytes: usize,
        topology: &'a Topology,
    ) -> Self {
        let n = schedule.programs.len();
        let messages = schedule.messages();
        let bytes = |rank: Rank, op: &Op| {
            let Some(span) = op.action.src().or(op.action.dst()) else { return 0.0 };
            let labels = schedule.labels(rank, span.buffer);
            let elements: usize =
                labels[span.chunks()].iter().map(|&l| lengths.range(l).len()).sum();
            (elements * size_bytes) as f64
        };
        let per_rank = schedule.programs.iter().enumerate();
        let bytes = per_rank.map(|(r, p)| p.ops.iter().map(|op| bytes(r, op)).collect()).collect();
        let lanes = schedule.programs.iter().map(|program| {
            let of = |lane| (0..program.ops.len()).filter(move |&i| program.ops[i].lane == lane);
            (0..program.lanes).map(|l| Lane { ops: of(l).collect(), at: 0, free_us: 0.0 }).collect()
        });
        Simulation {
            schedule,
            topology,
            bytes,
            senders: messages.iter().map(|m| ((m.to, m.recv_op), (m.from, m.send_op))).collect(),
            receivers: messages.iter().map(|m| ((m.from, m.send_op), (m.to, m.recv_op))).collect(),
            lanes: lanes.collect(),
            arrivals: HashMap::new(),
            egress: vec![vec![0.0; topology.ports]; n],
            ingress: vec![vec![0.0; topology.ports]; n],
            compute: vec![0.0; n],
            ended: schedule.programs.iter().map(|p| vec![None; p.ops.len()]).collect(),
            timing: schedule.programs.iter().map(|p| vec![OpTimes::default(); p.ops.len()]).collect(),
        }
    }

    /// The lane whose current op can start first.
    fn earliest(&self) -> Option<(Rank, usize)> {
        let mut best: Option<(f64, Rank, usize)> = None;
        for (rank, lanes) in self.lanes.iter().enumerate() {
            for (index, lane) in lanes.iter().enumerate() {
                if let Some(start) = self.start(rank, lane)
                    && best.is_none_or(|(time, ..)| start < time)
                {
                    best = Some((start, rank, index));
                }
            }
        }
        best.map(|(_, rank, lane)| (rank, lane))
    }

    /// When the lane's current op can start; `None` if that is not known yet.
    fn start(&self, rank: Rank, lane: &Lane) -> Option<f64> {
        let &index = lane.ops.get(lane.at)?;
        let op = &self.schedule.programs[rank].ops[index];
        let mut start = lane.free_us;
        for &dep in &op.deps {
            start = start.max(self.ended[rank][dep]?);
        }
        if op.action.from().is_some() {
            let sender = self.senders.get(&(rank, index))?;
            start = start.max(*self.arrivals.get(sender)?);
        }
        Some(start)
    }

    fn execute(&mut self, rank: Rank, lane_index: usize) {
        let lane = &self.lanes[rank][lane_index];
        let (index, reached) = (lane.ops[lane.at], lane.free_us);
        let start = self.start(rank, lane).unwrap_or(reached);
        let op = &self.schedule.programs[rank].ops[index];
        let bytes = self.bytes[rank][index];
        let mut times = OpTimes { reached, ..OpTimes::default() };
        let mut now = start;
        if op.action.from().is_some() {
            times.received = Some(now);
        }
        if op.action.reduces() {
            now = now.max(self.compute[rank]) + bytes / self.topology.reduce_bytes_per_us;
            self.compute[rank] = now;
        }
        if op.action.dst().is_some() || op.action.reduces() {
            times.applied = Some(now);
        }
        let mut free = now;
        if op.action.to().is_some() {
            let departure = self.transfer(rank, index, now, bytes);
            times.sent = Some(departure);
            free = departure + self.topology.alpha_us + bytes / self.topology.bytes_per_us;
            // A lane that also receives does not wait for its own message to arrive.
            if op.action.from().is_some() || self.receives_next(rank, lane_index) {
                free = departure;
            }
        }
        self.ended[rank][index] = Some(times.ended());
        self.timing[rank][index] = times;
        let lane = &mut self.lanes[rank][lane_index];
        lane.at += 1;
        lane.free_us = free;
    }

    /// Whether the lane's next op waits for a message: then it need not wait for its own to land.
    fn receives_next(&self, rank: Rank, lane: usize) -> bool {
        let lane = &self.lanes[rank][lane];
        let next = lane.ops.get(lane.at + 1);
        next.is_some_and(|&op| self.schedule.programs[rank].ops[op].action.from().is_some())
    }

    /// Reserves a port at both ends; returns the departure and records the arrival.
    fn transfer(&mut self, rank: Rank, index: usize, ready: f64, bytes: f64) -> f64 {
        let busy = bytes / self.topology.bytes_per_us;
        let Some(&(to, _)) = self.receivers.get(&(rank, index)) else { return ready };
        let out = soonest(&self.egress[rank]);
        let into = soonest(&self.ingress[to]);
        let departure = ready.max(self.egress[rank][out]).max(self.ingress[to][into]);
        self.egress[rank][out] = departure + busy;
        self.ingress[to][into] = departure + busy;
        self.arrivals.insert((rank, index), departure + busy + self.topology.alpha_us);
        departure
    }
}

/// The index of the port that is free first.
fn soonest(ports: &[f64]) -> usize {
    (0..ports.len()).min_by(|&a, &b| ports[a].total_cmp(&ports[b])).unwrap_or(0)
}
