//! Race freedom: conflicting ops of different lanes happen in the order of the program.
//!
//! Two ops conflict that touch the same memory, one of them writing, or the same end of a
//! connection, whose messages are told apart by their order only. Happens-before is the order
//! inside lanes, the dependencies between lanes of a rank, and every send before its receive. Free
//! slots are not counted: a proof must not lean on back pressure.
//!
//! Only lanes of the same rank conflict, and the lanes and dependencies of that rank nearly always
//! order them. What they leave open is looked up in one pass over the ops of all ranks, which
//! carries for every op how far each lane of *that* rank is known to have come.

use super::Fault;
use super::order::Order;
use crate::engine::Rank;
use crate::engine::collective::Buffer;
use crate::engine::schedule::{Peer, Schedule};
use std::collections::HashMap;

/// `Err` with the first unordered conflict.
pub(super) fn check(schedule: &Schedule) -> Result<(), Fault> {
    let mut whole = None;
    for (rank, program) in schedule.programs.iter().enumerate() {
        let own = Order::of_rank(program);
        let clocks = own.clocks(program, 0);
        let mut open = conflicts(schedule, rank);
        open.retain(|&(first, second)| !own.before(&clocks, first, second));
        if open.is_empty() {
            continue;
        }
        let (whole, base) = whole.get_or_insert_with(|| Order::of_all(schedule));
        let base = base[rank];
        let clocks = whole.clocks(program, base);
        let unordered = |&&(a, b): &&(usize, usize)| !whole.before(&clocks, base + a, base + b);
        if let Some(&(first, second)) = open.iter().find(unordered) {
            return Err(Fault::Race { rank, first, second });
        }
    }
    Ok(())
}

/// What two ops of a rank can collide in.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shared {
    Chunk(Buffer, usize),
    Sending(Peer),
    Receiving(Peer),
}

/// Pairs of ops of different lanes that must happen in the order in which they stand in the
/// program.
///
/// Of all that touch one thing, a read is paired with the last write before it, and a write with
/// the last write and the reads since: the order of the rest follows.
fn conflicts(schedule: &Schedule, rank: Rank) -> Vec<(usize, usize)> {
    let program = &schedule.programs[rank];
    let mut pairs = Vec::new();
    if program.lanes < 2 {
        return pairs;
    }
    let mut touched: HashMap<Shared, (Option<usize>, Vec<usize>)> = HashMap::new();
    let mut touch = |what: Shared, op: usize, writes: bool| {
        let (last_write, reads) = touched.entry(what).or_default();
        pairs.extend(last_write.map(|earlier| (earlier, op)));
        if writes {
            pairs.extend(reads.drain(..).map(|earlier| (earlier, op)));
            *last_write = Some(op);
        } else {
            reads.push(op);
        }
    };
    for (index, op) in program.ops.iter().enumerate() {
        let reads = op.action.reads().map(|s| (s, false));
        for (span, writes) in reads.chain(op.action.dst().map(|s| (s, true))) {
            for chunk in span.chunks() {
                let (buffer, at) = schedule.place(rank, span.buffer, chunk);
                touch(Shared::Chunk(buffer, at), index, writes);
            }
        }
        op.action.to().into_iter().for_each(|peer| touch(Shared::Sending(peer), index, true));
        op.action.from().into_iter().for_each(|peer| touch(Shared::Receiving(peer), index, true));
    }
    pairs.retain(|&(first, second)| program.ops[first].lane != program.ops[second].lane);
    pairs
}
