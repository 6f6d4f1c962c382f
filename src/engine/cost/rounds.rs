//! The rounds model: everybody moves in step.
//!
//! In one round a lane may send one message and receive one. A message leaves in the round after
//! everything its sender has to wait for: what its lane received or sent before, and the ops it
//! depends on. It is received in the same round, or later if the receiver's lane is still busy with
//! another. Lanes are ports: a rank with three lanes sends three messages in one round. Messages of
//! one round from one rank to one other, on several channels, share the link between them.
//!
//! Example, linear Scatter over 4 ranks: the root has one lane, so its three messages leave in
//! rounds 1, 2 and 3. Direct AllGather: three lanes, so everything happens in round 1.

use super::late::latest;
use crate::engine::memory::Lengths;
use crate::engine::schedule::{Op, Schedule};
use crate::engine::trace::{OpTimes, Timing};
use crate::engine::{Label, Rank};
use std::collections::HashMap;

/// Cost of a schedule in the rounds model. Amounts are in elements of the lengths it was computed
/// for. A switch has a lane to every rank and adds as fast as messages come in: its messages take
/// rounds and count on links, but what it sends and reduces is no rank's.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// Number of rounds.
    pub rounds: usize,
    /// Sum over rounds of the most that crosses one link (β). It can be many times the whole
    /// vector, so it has room for more than an address.
    pub beta: u64,
    /// Sum over rounds of the most that any rank reduces (γ), as far as anybody waits for it.
    pub gamma: u64,
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
    /// Most messages any rank receives in one round.
    pub ports_in: usize,
    /// When everything happens, in rounds: a message of round k is sent at k-1 and received at k.
    pub timing: Timing,
}

impl Rounds {
    /// T = rounds α + β/bandwidth + γ/speed, in microseconds, for elements of `size_bytes`. Where
    /// there are several nodes, as if every message went from one to another.
    pub fn time_us(&self, topology: &super::Topology, size_bytes: usize) -> f64 {
        let bytes = |amount: u64| (amount * size_bytes as u64) as f64;
        let links = topology.slowest(self.sent.len());
        self.rounds as f64 * links.alpha_us
            + bytes(self.beta) / links.bytes_per_us
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
    // The most that crosses one link in a round, and the most that any rank reduces in it.
    let (mut largest, mut most) = (vec![0; end + 1], vec![0; end + 1]);
    let latest = latest(schedule, &timing, end);
    let (mut ports, mut ports_in) = (0, 0);
    for (rank, program) in schedule.programs.iter().enumerate() {
        let is_rank = !schedule.is_switch(rank);
        let (mut leaving, mut landing) = (vec![0; end + 1], vec![0; end + 1]);
        let (mut reducing, mut awaited) = (vec![0; end + 1], vec![false; end + 1]);
        let mut links: HashMap<(usize, Rank), usize> = HashMap::new();
        for (index, (op, times)) in program.ops.iter().zip(&timing[rank]).enumerate() {
            let size = amount(schedule, rank, op, &length);
            if let (Some(_), Some(departure)) = (op.action.to(), times.sent) {
                let round = departure as usize;
                leaving[round] += usize::from(is_rank);
                ports = ports.max(leaving[round]);
                sent[rank] += size;
                messages[rank] += 1;
            }
            if let (Some(from), Some(arrival)) = (op.action.from(), times.received) {
                // What waits at a busy receiver takes its time there, in the round that it is
                // taken.
                let round = arrival as usize;
                landing[round] += usize::from(is_rank);
                ports_in = ports_in.max(landing[round]);
                *links.entry((round, from.rank)).or_default() += size;
                received[rank] += size;
            }
            if let (true, Some(done)) = (is_rank && op.action.reduces(), times.applied) {
                reducing[done as usize] += size;
                awaited[done as usize] |= latest[rank][index] <= done as usize;
                reduced[rank] += size;
            }
        }
        for ((round, _), size) in links {
            largest[round] = size.max(largest[round]);
        }
        // What nobody waits for may as well be done beside what somebody does.
        let mine =
            reducing.into_iter().zip(awaited).map(|(mine, awaited)| mine * usize::from(awaited));
        most.iter_mut().zip(mine).for_each(|(most, mine)| *most = mine.max(*most));
    }
    for amounts in [&mut sent, &mut received, &mut reduced, &mut messages] {
        amounts.truncate(schedule.collective.ranks);
    }
    let sum = |amounts: Vec<usize>| amounts.into_iter().map(|amount| amount as u64).sum();
    let (rounds, beta, gamma) = (end, sum(largest), sum(most));
    Rounds { rounds, beta, gamma, sent, received, reduced, messages, ports, ports_in, timing }
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
