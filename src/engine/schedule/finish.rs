//! From plain ops to a runnable schedule: what a [`Builder`](super::Builder) does at its end.

use super::{Action, Op, Peer, Program, Schedule, Span};
use crate::engine::Rank;
use crate::engine::collective::{Buffer, Collective};
use std::collections::HashMap;

/// Joins a receive with the send that passes the same span on, when nothing in between forbids it.
///
/// The send moves up to the receive, so no op in between may use its connection or write its span.
pub(super) fn fuse(program: &mut Program) {
    // The ops that read each scratch slot.
    let mut reads = vec![Vec::new(); program.scratch.len()];
    for (index, op) in program.ops.iter().enumerate() {
        for span in op.action.reads().filter(|span| span.buffer == Buffer::Scratch) {
            reads[span.chunks()].iter_mut().for_each(|reads| reads.push(index));
        }
    }
    let mut kept: Vec<(usize, Op)> = Vec::with_capacity(program.ops.len());
    for (index, op) in std::mem::take(&mut program.ops).into_iter().enumerate() {
        let Action::Send { src, to } = op.action else {
            kept.push((index, op));
            continue;
        };
        let Some((received, earlier)) = fusable(&mut kept, op.lane, src, to) else {
            kept.push((index, op));
            continue;
        };
        let read_again = |reads: &Vec<usize>| reads.iter().any(|&at| at > *received && at != index);
        let dead = src.buffer == Buffer::Scratch && !reads[src.chunks()].iter().any(read_again);
        earlier.action = match earlier.action {
            Action::Recv { from, dst } => Action::RecvCopySend { from, dst, to },
            Action::RecvReduce { from, src, .. } if dead => {
                Action::RecvReduceSend { from, src, to }
            }
            Action::RecvReduce { from, src, dst } => {
                Action::RecvReduceCopySend { from, src, dst, to }
            }
            other => unreachable!("{} was found fusable", other.name()),
        };
    }
    program.ops = kept.into_iter().map(|(_, op)| op).collect();
}

/// The receive that a send of `src` in `lane` can join, with its index.
fn fusable(kept: &mut [(usize, Op)], lane: usize, src: Span, to: Peer) -> Option<&mut (usize, Op)> {
    for earlier in kept.iter_mut().rev() {
        let action = earlier.1.action;
        if action.dst().is_some_and(|dst| overlap(dst, src)) {
            let plain = matches!(action, Action::Recv { .. } | Action::RecvReduce { .. });
            let same = action.dst() == Some(src) && earlier.1.lane == lane;
            return (plain && same).then_some(earlier);
        }
        if action.to() == Some(to) {
            return None;
        }
    }
    None
}

/// Removes scratch slots that fusing made unnecessary.
pub(super) fn drop_unused_scratch(program: &mut Program) {
    let mut keep = vec![false; program.scratch.len()];
    for op in &program.ops {
        let spans = op.action.reads().chain(op.action.dst());
        for span in spans.filter(|span| span.buffer == Buffer::Scratch) {
            keep[span.chunks()].fill(true);
        }
    }
    // A span is kept whole or not at all, so it stays together under its new number.
    let mut renamed = Vec::with_capacity(keep.len());
    let mut kept = Vec::new();
    for (&label, keep) in program.scratch.iter().zip(keep) {
        renamed.push(kept.len());
        kept.extend(keep.then_some(label));
    }
    program.scratch = kept;
    for op in &mut program.ops {
        *op = op.with_spans(|span| match span.buffer {
            Buffer::Scratch => Span { start: renamed[span.start], ..span },
            _ => span,
        });
    }
}

/// Numbers the lanes that have ops from 0, in their order.
pub(super) fn drop_unused_lanes(program: &mut Program) {
    let mut used: Vec<usize> = program.ops.iter().map(|op| op.lane).collect();
    used.sort_unstable();
    used.dedup();
    program.lanes = used.len();
    for op in &mut program.ops {
        op.lane = used.partition_point(|&lane| lane < op.lane);
    }
}

fn overlap(a: Span, b: Span) -> bool {
    a.buffer == b.buffer && a.start < b.start + b.count && b.start < a.start + a.count
}

/// For every op, the last conflicting op of each other lane that stands before it.
///
/// Where a verb can run in place, input and output are treated as sharing memory in any case, so
/// that the same ops serve both.
pub(super) fn dependencies(c: Collective, rank: Rank, program: &Program) -> Vec<Vec<usize>> {
    let aliased = Schedule {
        algorithm: String::new(),
        collective: c,
        in_place: c.verb.runs_in_place(),
        switches: 0,
        programs: Vec::new(),
    };
    if program.lanes < 2 {
        return vec![Vec::new(); program.ops.len()];
    }
    // Per physical chunk: the last writer, and the readers since, as op indices.
    let mut touched: HashMap<(Buffer, usize), (Option<usize>, Vec<usize>)> = HashMap::new();
    let mut all = Vec::with_capacity(program.ops.len());
    for (index, op) in program.ops.iter().enumerate() {
        let mut deps: Vec<usize> = Vec::new();
        for chunk in op.action.reads().flat_map(|s| s.chunks().map(move |c| (s.buffer, c))) {
            let entry = touched.entry(aliased.place(rank, chunk.0, chunk.1)).or_default();
            deps.extend(entry.0);
            entry.1.push(index);
        }
        for chunk in
            op.action.dst().into_iter().flat_map(|s| s.chunks().map(move |c| (s.buffer, c)))
        {
            let entry = touched.entry(aliased.place(rank, chunk.0, chunk.1)).or_default();
            deps.extend(entry.0.replace(index));
            deps.append(&mut entry.1);
        }
        let mut latest: HashMap<usize, usize> = HashMap::new();
        for dep in deps.into_iter().filter(|&dep| program.ops[dep].lane != op.lane) {
            let slot = latest.entry(program.ops[dep].lane).or_insert(dep);
            *slot = (*slot).max(dep);
        }
        let mut deps: Vec<usize> = latest.into_values().collect();
        deps.sort_unstable();
        all.push(deps);
    }
    all
}
