//! Lanes as narrow as MSCCL's thread blocks.

use super::{Action, Marks, Op, Peer, Program, Schedule, Span, finish};
use crate::engine::collective::Buffer;
use crate::engine::{Label, Rank, check};
use std::collections::HashMap;

/// Messages that a connection holds at least, whatever the protocol.
const SLOTS: usize = 2;

/// The same schedule with lanes that send to one peer at most and receive from one at most, on one
/// channel, and share no end of a connection.
///
/// A fused op ties its two connections to one lane; where a connection is tied twice, later fused
/// ops are taken apart again, and all of them where fused steps would need too many slots.
pub fn narrowed(schedule: &Schedule) -> Schedule {
    let fused = narrowed_with(schedule, true);
    if runs(&fused, SLOTS) { fused } else { narrowed_with(schedule, false) }
}

fn narrowed_with(schedule: &Schedule, fused: bool) -> Schedule {
    let mut narrow = schedule.clone();
    for (rank, program) in narrow.programs.iter_mut().enumerate() {
        let inputs = [Buffer::Input, Buffer::Output].map(|buffer| schedule.labels(rank, buffer));
        narrow_program(program, &inputs, fused);
    }
    for rank in 0..narrow.programs.len() {
        let deps = finish::dependencies(narrow.collective, rank, &narrow.programs[rank]);
        let ops = narrow.programs[rank].ops.iter_mut();
        ops.zip(deps).for_each(|(op, deps)| op.deps = deps);
    }
    check::mark(&mut narrow);
    narrow
}

/// Whether a schedule runs to its end when fused ops are one step, with that many slots per
/// connection. Messages meet in a fixed order, so one order of events decides.
fn runs(schedule: &Schedule, slots: usize) -> bool {
    let mut under_way: HashMap<(Rank, Rank, usize), usize> = HashMap::new();
    let mut ended: Vec<Vec<bool>> =
        schedule.programs.iter().map(|program| vec![false; program.ops.len()]).collect();
    loop {
        let mut moved = false;
        for (rank, program) in schedule.programs.iter().enumerate() {
            let mut stuck = vec![false; program.lanes];
            for (index, op) in program.ops.iter().enumerate() {
                if ended[rank][index] || stuck[op.lane] {
                    continue;
                }
                let from = op.action.from().map(|peer| (peer.rank, rank, peer.channel));
                let to = op.action.to().map(|peer| (rank, peer.rank, peer.channel));
                let count = |key| under_way.get(&key).copied().unwrap_or(0);
                let able = op.deps.iter().all(|&dep| ended[rank][dep])
                    && from.is_none_or(|key| count(key) > 0)
                    && to.is_none_or(|key| count(key) < slots);
                if !able {
                    stuck[op.lane] = true;
                    continue;
                }
                if let Some(key) = from {
                    *under_way.entry(key).or_default() -= 1;
                }
                if let Some(key) = to {
                    *under_way.entry(key).or_default() += 1;
                }
                (ended[rank][index], moved) = (true, true);
            }
        }
        if !moved {
            return ended.iter().flatten().all(|&ended| ended);
        }
    }
}

/// What a lane of a narrowed program is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Duty {
    /// Local work of a lane of the original.
    Local(usize),
    /// A connection, or two that are tied.
    Peers { from: Option<Peer>, to: Option<Peer> },
}

fn narrow_program(program: &mut Program, labels: &[Vec<Label>; 2], fused: bool) {
    let (mut onward, mut back): (HashMap<Peer, Peer>, HashMap<Peer, Peer>) = Default::default();
    for op in &program.ops {
        if let (Some(from), Some(to)) = (op.action.from(), op.action.to())
            && fused
            && from.channel == to.channel
            && !onward.contains_key(&from)
            && !back.contains_key(&to)
        {
            onward.insert(from, to);
            back.insert(to, from);
        }
    }
    let mut ops = Vec::with_capacity(program.ops.len());
    for op in std::mem::take(&mut program.ops) {
        let tied = op.action.from().and_then(|from| onward.get(&from)).copied();
        match op.action.to() {
            Some(to) if op.action.from().is_some() && tied != Some(to) => {
                let (first, second) = apart(&op.action, &mut program.scratch, labels);
                ops.extend([first, second].map(|action| Op { action, ..op.clone() }));
            }
            _ => ops.push(op),
        }
    }
    let mut lanes: HashMap<Duty, usize> = HashMap::new();
    for op in &mut ops {
        let duty = match (op.action.from(), op.action.to()) {
            (None, None) => Duty::Local(op.lane),
            (Some(from), _) => Duty::Peers { from: Some(from), to: onward.get(&from).copied() },
            (None, Some(to)) => Duty::Peers { from: back.get(&to).copied(), to: Some(to) },
        };
        let next = lanes.len();
        op.lane = *lanes.entry(duty).or_insert(next);
        op.marks = Marks::default();
    }
    program.lanes = lanes.len();
    program.ops = ops;
}

/// A fused op as a receive and a send. What was stored nowhere needs a place in between.
fn apart(action: &Action, scratch: &mut Vec<Label>, labels: &[Vec<Label>; 2]) -> (Action, Action) {
    match *action {
        Action::RecvCopySend { from, dst, to } => {
            (Action::Recv { from, dst }, Action::Send { src: dst, to })
        }
        Action::RecvReduceCopySend { from, src, dst, to } => {
            (Action::RecvReduce { from, src, dst }, Action::Send { src: dst, to })
        }
        Action::RecvReduceSend { from, src, to } => {
            let dst = Span::new(Buffer::Scratch, scratch.len(), src.count);
            let stored: Vec<_> = match src.buffer {
                Buffer::Scratch => scratch[src.chunks()].to_vec(),
                buffer => labels[buffer as usize][src.chunks()].to_vec(),
            };
            scratch.extend(stored);
            (Action::RecvReduce { from, src, dst }, Action::Send { src: dst, to })
        }
        other => unreachable!("{} is not fused", other.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::algorithm::{Request, find};
    use crate::engine::collective::Verb;

    #[test]
    fn a_ring_is_one_thread_block_and_a_tree_one_per_connection() {
        let lanes = |name: &str, verb, rank: Rank| {
            let schedule = find(name).and_then(|a| a.build(&Request::new(verb, 4)).ok());
            narrowed(&schedule.expect("it is not refused")).programs[rank].lanes
        };
        assert_eq!(lanes("ring", Verb::AllReduce, 0), 1);
        // The root of a tree over 4 ranks hears from 2 last and answers it first: one thread block
        // for that fused op, one to hear from 1, one to send to it.
        assert_eq!(lanes("tree", Verb::AllReduce, 0), 3);
    }
}
