//! The rounds model: everybody moves in step.
//!
//! In one round a lane may send one message and receive one. A message leaves in the round after
//! everything its sender has to wait for: what its lane received or sent before, and the ops it
//! depends on. It is received in the same round, or later if the receiver's lane is still busy with
//! another. Lanes are ports: a rank with three lanes sends three messages in one round.
//!
//! Example, linear Scatter over 4 ranks: the root has one lane, so its three messages leave in
//! rounds 1, 2 and 3. Direct AllGather: three lanes, so everything happens in round 1.

use crate::engine::memory::Lengths;
use crate::engine::schedule::{Op, Schedule};
use crate::engine::trace::{OpTimes, Timing};
use crate::engine::{Label, Rank};

/// Cost of a schedule in the rounds model. Amounts are in elements of the lengths it was computed
/// for.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// Number of rounds.
    pub rounds: usize,
    /// Sum over rounds of the largest message (β).
    pub beta: usize,
    /// Sum over rounds of the most that any rank reduces (γ).
    pub gamma: usize,
    /// Amount each rank sends.
    pub sent: Vec<usize>,
    /// Amount each rank receives.
    pub received: Vec<usize>,
    /// Amount each rank reduces.
    pub reduced: Vec<usize>,
    /// Number of messages each rank sends.
    pub messages: Vec<usize>,
    /// Most messages any rank sends in one round.
    pub ports: usize,
    /// When everything happens, in rounds: a message of round k is sent at k-1 and received at k.
    pub timing: Timing,
}

impl Rounds {
    /// T = rounds α + β/bandwidth + γ/speed, in microseconds, for elements of `size_bytes`.
    pub fn time_us(&self, topology: &super::Topology, size_bytes: usize) -> f64 {
        let bytes = |amount: usize| (amount * size_bytes) as f64;
        self.rounds as f64 * topology.alpha_us
            + bytes(self.beta) / topology.bytes_per_us
            + bytes(self.gamma) / topology.reduce_bytes_per_us
    }
}

/// The cost of `schedule` when every chunk has the same length 1: exact fractions of S are these
/// amounts over `collective.chunks()`.
pub fn in_chunks(schedule: &Schedule) -> Rounds {
    cost(schedule, |_| 1)
}

/// The cost of `schedule` for these lengths.
pub fn in_elements(schedule: &Schedule, lengths: &Lengths) -> Rounds {
    cost(schedule, |label| lengths.range(label).len())
}

/// The amount an op moves.
fn amount(schedule: &Schedule, rank: Rank, op: &Op, length: &impl Fn(Label) -> usize) -> usize {
    let Some(span) = op.action.src().or(op.action.dst()) else { return 0 };
    let labels = schedule.labels(rank, span.buffer);
    labels[span.chunks()].iter().map(|&label| length(label)).sum()
}

fn cost(schedule: &Schedule, length: impl Fn(Label) -> usize) -> Rounds {
    let n = schedule.programs.len();
    let timing = timing(schedule);
    let (mut sent, mut received) = (vec![0; n], vec![0; n]);
    let (mut reduced, mut messages) = (vec![0; n], vec![0; n]);
    let end = timing.iter().flatten().map(OpTimes::ended).fold(0.0, f64::max) as usize;
    // A round's largest message, and the most that any rank reduces in it.
    let (mut largest, mut most) = (vec![0; end + 1], vec![0; end + 1]);
    let mut busiest = 0;
    for (rank, program) in schedule.programs.iter().enumerate() {
        let (mut leaving, mut reducing) = (vec![0; end + 1], vec![0; end + 1]);
        for (op, times) in program.ops.iter().zip(&timing[rank]) {
            let size = amount(schedule, rank, op, &length);
            if let (Some(_), Some(departure)) = (op.action.to(), times.sent) {
                let round = departure as usize;
                leaving[round] += 1;
                busiest = busiest.max(leaving[round]);
                sent[rank] += size;
                messages[rank] += 1;
            }
            if let Some(arrival) = times.received {
                // What waits at a busy receiver takes its time there, in the round that it is
                // taken.
                let round = arrival as usize;
                largest[round] = largest[round].max(size);
                received[rank] += size;
            }
            if let (true, Some(done)) = (op.action.reduces(), times.applied) {
                reducing[done as usize] += size;
                reduced[rank] += size;
            }
        }
        most.iter_mut().zip(reducing).for_each(|(most, mine)| *most = mine.max(*most));
    }
    let (beta, gamma, ports) = (largest.iter().sum(), most.iter().sum(), busiest);
    Rounds { rounds: end, beta, gamma, sent, received, reduced, messages, ports, timing }
}

/// What a lane has done so far, in rounds.
#[derive(Clone, Copy, Default)]
struct Port {
    sent: usize,
    received: usize,
    at: usize,
}

/// When every op of a schedule happens, in rounds. Ops that never happen (a deadlock) stay at 0.
fn timing(schedule: &Schedule) -> Timing {
    let mut timing: Timing =
        schedule.programs.iter().map(|p| vec![OpTimes::default(); p.ops.len()]).collect();
    let senders = schedule.senders();
    let lanes = schedule.programs.iter().map(|p| vec![Port::default(); p.lanes]);
    let mut ports: Vec<Vec<Port>> = lanes.collect();
    let mut ended: Vec<Vec<bool>> =
        schedule.programs.iter().map(|p| vec![false; p.ops.len()]).collect();
    let mut open: Vec<Vec<usize>> =
        schedule.programs.iter().map(|p| (0..p.ops.len()).collect()).collect();
    loop {
        let mut moved = false;
        for (rank, program) in schedule.programs.iter().enumerate() {
            let mut stuck = vec![false; program.lanes];
            let mut rest = Vec::with_capacity(open[rank].len());
            for &index in &open[rank] {
                let op = &program.ops[index];
                let arrival = match senders[rank][index] {
                    Some((from, send)) if !ended[from][send] => None,
                    Some((from, send)) => timing[from][send].sent.map(|t| t as usize + 1),
                    None if op.action.from().is_some() => None,
                    None => Some(0),
                };
                let ready = op.deps.iter().all(|&dep| ended[rank][dep]);
                if stuck[op.lane] || !ready || arrival.is_none() {
                    stuck[op.lane] = true;
                    rest.push(index);
                    continue;
                }
                let after = op.deps.iter().map(|&dep| timing[rank][dep].ended().ceil() as usize);
                let after = after.max().unwrap_or(0);
                let arrival = arrival.unwrap_or(0);
                timing[rank][index] = step(op, &mut ports[rank][op.lane], after, arrival);
                ended[rank][index] = true;
                moved = true;
            }
            open[rank] = rest;
        }
        if !moved {
            return timing;
        }
    }
}

/// Moves a lane's port over one op.
fn step(op: &Op, port: &mut Port, after: usize, arrival: usize) -> OpTimes {
    let start = port.at.max(after);
    let mut times = OpTimes { reached: port.at as f64, ..OpTimes::default() };
    let mut done = start;
    if op.action.from().is_some() {
        // The lane has put its last message on the way, not seen it arrive.
        done = arrival.max(port.received + 1).max(start);
        port.received = done;
        times.received = Some(done as f64);
    }
    if op.action.dst().is_some() || op.action.reduces() {
        times.applied = Some(done as f64);
    }
    if op.action.to().is_some() {
        // The message is under way from the start of its round to the end. It may wait for the
        // port; the lane, which has posted it, goes on.
        let departure = done.max(port.sent).max(port.received);
        times.sent = Some(departure as f64);
        port.sent = departure + 1;
    }
    port.at = port.at.max(done);
    times
}
