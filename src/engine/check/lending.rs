//! Which messages may be lent instead of copied.
//!
//! Where ranks share memory, a receiver can work straight out of the sender's buffer. That is safe
//! if nothing writes there before the receiver is through: every later write of the sender to the
//! span must happen after the op that consumes the message, by program order, dependencies and
//! messages alone. Free slots are not counted, for a slot is free as soon as a message is taken.
//!
//! Worked example, 4 ranks. Ring AllReduce: rank 0 stores its finished block 0 and lends it to
//! rank 1; nothing writes it again, so it may be lent. Recursive doubling in place: both partners
//! send their sum and then add the other's to it, so the write may come before the partner has
//! read: that send has to be copied.

use super::order::Order;
use crate::engine::Rank;
use crate::engine::collective::Buffer;
use crate::engine::schedule::{Action, Message, Schedule, Span};
use std::collections::HashMap;

/// How the message that an op sends may travel where memory is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lending {
    /// The receiver may read this span of the sender in place, until it has consumed the message.
    Lend(Span),
    /// The sender may write the span before the receiver has read it, so a copy has to travel.
    Copy(Span),
    /// The op's result is stored nowhere: it travels as it was made.
    Own,
}

/// How each message of `schedule` may travel, by rank and op; `None` for ops that send nothing.
///
/// The schedule must have passed the check. A value that the run scales as it is read
/// ([`Marks::pre`](crate::engine::schedule::Marks)) is a new value, whatever is said here.
pub fn lending(schedule: &Schedule) -> Vec<Vec<Option<Lending>>> {
    let ops = schedule.programs.iter().map(|program| program.ops.iter());
    let mut all: Vec<Vec<_>> =
        ops.map(|ops| ops.map(|op| cautious(&op.action)).collect()).collect();
    let (order, base) = Order::of_all(schedule);
    let writes: Vec<_> = (0..base.len()).map(|rank| writes(schedule, rank)).collect();
    let mut messages = schedule.messages();
    messages.sort_by_key(|message| message.to);
    for received in messages.chunk_by(|a, b| a.to == b.to) {
        let to = received[0].to;
        let clocks = order.clocks(&schedule.programs[to], base[to]);
        for &Message { from, send_op, recv_op, .. } in received {
            let Some(Lending::Copy(span)) = all[from][send_op] else { continue };
            let safe = span.chunks().all(|chunk| {
                let place = schedule.place(from, span.buffer, chunk);
                // Writes to one place are ordered (there are no races), so the next one decides.
                let next = writes[from]
                    .get(&place)
                    .and_then(|ops| ops.get(ops.partition_point(|&op| op <= send_op)).copied());
                next.is_none_or(|next| order.before(&clocks, base[to] + recv_op, base[from] + next))
            });
            if safe {
                all[from][send_op] = Some(Lending::Lend(span));
            }
        }
    }
    all
}

/// What can be said of an op by itself: what it sends has to be copied if it lies in memory.
fn cautious(action: &Action) -> Option<Lending> {
    action.to()?;
    Some(match *action {
        Action::Send { src, .. } => Lending::Copy(src),
        Action::RecvCopySend { dst, .. } | Action::RecvReduceCopySend { dst, .. } => {
            Lending::Copy(dst)
        }
        _ => Lending::Own,
    })
}

/// The ops of `rank` that write each place, in the order of the program.
fn writes(schedule: &Schedule, rank: Rank) -> HashMap<(Buffer, usize), Vec<usize>> {
    let mut writes: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, op) in schedule.programs[rank].ops.iter().enumerate() {
        let Some(dst) = op.action.dst() else { continue };
        for chunk in dst.chunks() {
            let place = schedule.place(rank, dst.buffer, chunk);
            writes.entry(place).or_default().push(index);
        }
    }
    writes
}
