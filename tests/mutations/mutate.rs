//! Random small changes to a schedule, such as a slip of the pen would make.

use crate::common::Random;
use ringscope::engine::collective::Buffer;
use ringscope::engine::schedule::{Action, Op, Peer, Schedule, Span};

/// The kinds of change, by name.
pub const KINDS: [&str; 12] = [
    "drop op",
    "double op",
    "swap ops",
    "swap rank's ops",
    "peer",
    "channel",
    "span",
    "buffer",
    "action",
    "drop dependency",
    "lane",
    "mark",
];

/// `schedule` with one change of kind `kind`; `None` where there is nothing to change.
pub fn mutate(schedule: &Schedule, kind: usize, random: &mut Random) -> Option<Schedule> {
    let mut mutant = schedule.clone();
    let rank = random.below(schedule.programs.len());
    let program = &mut mutant.programs[rank];
    let len = program.ops.len();
    let index = (len > 0).then(|| random.below(len))?;
    let ranks = schedule.programs.len();
    match KINDS[kind] {
        "drop op" => {
            program.ops.remove(index);
            renumber(&mut program.ops, |dep| match dep {
                _ if dep == index => None,
                _ => Some(dep - usize::from(dep > index)),
            });
        }
        "double op" => {
            let copy = program.ops[index].clone();
            program.ops.insert(index, copy);
            renumber(&mut program.ops, |dep| Some(dep + usize::from(dep >= index)));
            program.ops[index + 1].deps.retain(|&dep| dep <= index);
        }
        "swap ops" => swap(&mut program.ops, index, index + 1)?,
        "swap rank's ops" => swap(&mut program.ops, index, random.below(len))?,
        "peer" | "channel" => {
            let channel = KINDS[kind] == "channel";
            let other = random.below(ranks);
            let change = |peer: &mut Peer| match channel {
                true => peer.channel += 1,
                false => peer.rank = other,
            };
            peers(&mut program.ops[index].action, random).map(change)?;
        }
        "span" => {
            let span = spans(&mut program.ops[index].action, random)?;
            match random.below(3) {
                0 => span.start = span.start.wrapping_add(1),
                1 => span.start = span.start.wrapping_sub(1),
                _ => span.count = span.count.wrapping_add(1),
            }
        }
        "buffer" => {
            let buffer = random.pick(&[Buffer::Input, Buffer::Output, Buffer::Scratch]);
            spans(&mut program.ops[index].action, random)?.buffer = buffer;
        }
        "action" => program.ops[index].action = other_action(program.ops[index].action)?,
        "drop dependency" => {
            let with: Vec<usize> = (0..len).filter(|&i| !program.ops[i].deps.is_empty()).collect();
            let deps = &mut program.ops[*with.get(index % with.len().max(1))?].deps;
            deps.remove(random.below(deps.len()));
        }
        "lane" => {
            let lane = random.below(program.lanes + 1);
            program.ops[index].lane = lane;
            program.lanes = program.lanes.max(lane + 1);
        }
        _ => {
            let marks = &mut program.ops[index].marks;
            match random.below(2) {
                0 => marks.pre = !marks.pre,
                _ => marks.post = !marks.post,
            }
        }
    }
    (mutant != *schedule).then_some(mutant)
}

fn renumber(ops: &mut [Op], map: impl Fn(usize) -> Option<usize>) {
    for op in ops {
        op.deps = op.deps.iter().filter_map(|&dep| map(dep)).collect();
    }
}

/// Swaps two ops; what depended on either follows it where it can.
fn swap(ops: &mut [Op], a: usize, b: usize) -> Option<()> {
    (a != b && b < ops.len()).then(|| ops.swap(a, b))?;
    renumber(ops, |dep| {
        Some(if dep == a {
            b
        } else if dep == b {
            a
        } else {
            dep
        })
    });
    for (index, op) in ops.iter_mut().enumerate() {
        op.deps.retain(|&dep| dep < index);
    }
    Some(())
}

/// One of the action's peers.
fn peers<'a>(action: &'a mut Action, random: &mut Random) -> Option<&'a mut Peer> {
    let first = random.below(2) == 0;
    match action {
        Action::RecvCopySend { from, to, .. }
        | Action::RecvReduceSend { from, to, .. }
        | Action::RecvReduceCopySend { from, to, .. } => Some(if first { from } else { to }),
        Action::Send { to: peer, .. }
        | Action::Recv { from: peer, .. }
        | Action::RecvReduce { from: peer, .. } => Some(peer),
        _ => None,
    }
}

/// One of the action's spans.
fn spans<'a>(action: &'a mut Action, random: &mut Random) -> Option<&'a mut Span> {
    let first = random.below(2) == 0;
    match action {
        Action::RecvReduce { src, dst, .. }
        | Action::RecvReduceCopySend { src, dst, .. }
        | Action::Copy { src, dst }
        | Action::Reduce { src, dst } => Some(if first { src } else { dst }),
        Action::Send { src: span, .. }
        | Action::Recv { dst: span, .. }
        | Action::RecvCopySend { dst: span, .. }
        | Action::RecvReduceSend { src: span, .. } => Some(span),
        Action::Nop => None,
    }
}

/// The action that is easily written instead of this one.
fn other_action(action: Action) -> Option<Action> {
    Some(match action {
        Action::RecvReduce { from, dst, .. } => Action::Recv { from, dst },
        Action::Recv { from, dst } => Action::RecvReduce { from, src: dst, dst },
        Action::RecvReduceCopySend { from, src, to, .. } => {
            Action::RecvReduceSend { from, src, to }
        }
        Action::RecvReduceSend { from, src, .. } => Action::RecvReduce { from, src, dst: src },
        Action::RecvCopySend { from, dst, .. } => Action::Recv { from, dst },
        Action::Copy { src, dst } => Action::Reduce { src, dst },
        Action::Reduce { src, dst } => Action::Copy { src, dst },
        Action::Send { .. } => Action::Nop,
        Action::Nop => return None,
    })
}
