//! How late each op may be without making the whole schedule later.
//!
//! A rank that has nothing to wait for runs ahead of the others, and what it does then costs nobody
//! anything: it might as well be done beside something that is waited for. Figures in lock step do
//! not count it, and nor does γ. Example, AllReduce by Rabenseifner's algorithm with Open MPI's
//! fold over 9 ranks: while ranks 0 and 1 share their surplus in rounds 1 and 2, the seven others
//! have halved twice, and then they wait.

use crate::engine::schedule::{Program, Schedule};
use crate::engine::trace::Timing;

/// For every op, the last round in which it may be done if all are to end in `rounds`.
pub(super) fn latest(schedule: &Schedule, timing: &Timing, rounds: usize) -> Vec<Vec<usize>> {
    let mut latest: Vec<Vec<usize>> =
        schedule.programs.iter().map(|program| vec![rounds; program.ops.len()]).collect();
    // What follows an op is done no earlier than it, so it is settled before.
    let done = |&(rank, index): &(usize, usize)| timing[rank][index].ended();
    let ops = schedule.programs.iter().enumerate();
    let mut order: Vec<(usize, usize)> =
        ops.flat_map(|(rank, program)| (0..program.ops.len()).map(move |i| (rank, i))).collect();
    order.sort_by(|a, b| done(b).total_cmp(&done(a)).then(b.1.cmp(&a.1)));
    let senders = schedule.senders();
    let before: Vec<_> = schedule.programs.iter().map(lane_mates).collect();
    for (rank, index) in order {
        let own = latest[rank][index];
        let mut leave = |rank: usize, index: usize, rounds: usize| {
            let late = &mut latest[rank][index];
            *late = (*late).min(own.saturating_sub(rounds));
        };
        if let Some((from, send)) = senders[rank][index] {
            leave(from, send, 1);
        }
        let op = &schedule.programs[rank].ops[index];
        op.deps.iter().for_each(|&dep| leave(rank, dep, 0));
        before[rank][index].iter().for_each(|&(mate, rounds)| leave(rank, mate, rounds));
    }
    latest
}

/// For every op, ops of its lane that it comes after, and by how many rounds at least: a lane sends
/// one message in a round, and receives one.
fn lane_mates(program: &Program) -> Vec<Vec<(usize, usize)>> {
    // Of each lane the last op, the last that receives, and the last that sends.
    let mut last = vec![[None; 3]; program.lanes];
    let mates = program.ops.iter().enumerate().map(|(index, op)| {
        let [any, receiving, sending] = &mut last[op.lane];
        let (receives, sends) = (op.action.from().is_some(), op.action.to().is_some());
        let mut mates: Vec<_> = any.replace(index).map(|mate| (mate, 0)).into_iter().collect();
        if receives {
            mates.extend(receiving.replace(index).map(|mate| (mate, 1)));
        }
        if sends {
            mates.extend(sending.replace(index).map(|mate| (mate, 1)));
        }
        mates
    });
    mates.collect()
}
