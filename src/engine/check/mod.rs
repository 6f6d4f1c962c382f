//! Proof that a schedule meets its verb.
//!
//! Three independent verdicts, each with a typed fault that names rank, op and chunk:
//!
//! - *postcondition*: executed over symbols, every output chunk holds exactly the contributions its
//!   verb asks for, each once (a barrier: at least once);
//! - *races*: two ops of different lanes that touch the same memory, one of them writing, are ordered
//!   by happens-before;
//! - *slots*: the smallest number of slots per connection with which no order of events deadlocks.
//!
//! Worked example, ring AllReduce over 4 ranks: chunk 0 starts at rank 1 and collects 1:0, 2:0, 3:0,
//! 0:0 on its way to rank 0; the expression is (((1:0 ⊕ 2:0) ⊕ 3:0) ⊕ 0:0), 3 deep, and the
//! AllGather hands the very same value to everybody. One lane per rank, so nothing races; one slot is
//! enough.

mod expression;
mod race;
mod symbolic;

pub use expression::{Expression, ExpressionId, Expressions};

use super::schedule::{Schedule, Span};
use super::{Label, Rank};
use std::fmt;

/// What a passed check knows about a schedule.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The smallest number of message slots per connection that cannot deadlock.
    pub slots: usize,
    /// Every value that was computed.
    pub expressions: Expressions,
    /// For each rank, the expression in each chunk of its output.
    pub outputs: Vec<Vec<ExpressionId>>,
}

/// What is wrong with a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A span lies outside its buffer, a peer outside the group, or two spans of an op differ in length.
    Shape { rank: Rank, op: usize },
    /// An op reads memory that nothing has written.
    Undefined { rank: Rank, op: usize, span: Span },
    /// A reduction or a store mixes chunks of different labels, whose lengths may differ.
    Mixed { rank: Rank, op: usize, expected: Label, found: Label },
    /// A message has another number of chunks than its receiver expects.
    Length { rank: Rank, op: usize },
    /// An output chunk does not hold what the verb asks for. `found` lists the contributing ranks with
    /// repetition; it is empty when nothing was written.
    Postcondition { rank: Rank, chunk: usize, expected: Vec<Rank>, found: Vec<Rank> },
    /// Two ops touch the same memory in no fixed order.
    Race { rank: Rank, first: usize, second: usize },
    /// Everybody waits, however many slots there are. Each entry is a rank and the op it stands at.
    Deadlock { waiting: Vec<(Rank, usize)> },
    /// A message was sent that nobody receives.
    Unreceived { from: Rank, to: Rank, channel: usize },
    /// An op uses a pre or post mark that does not fit all the chunks of its span.
    Marks { rank: Rank, op: usize },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Shape { rank, op } => {
                write!(f, "rank {rank}, op {op}: a span or peer that does not exist")
            }
            Fault::Undefined { rank, op, span } => {
                write!(f, "rank {rank}, op {op}: reads {span}, which nothing has written")
            }
            Fault::Mixed { rank, op, expected, found } => {
                write!(f, "rank {rank}, op {op}: chunk {found} where chunk {expected} belongs")
            }
            Fault::Length { rank, op } => {
                write!(f, "rank {rank}, op {op}: the message has another number of chunks")
            }
            Fault::Postcondition { rank, chunk, expected, found } => write!(
                f,
                "rank {rank}: output chunk {chunk} holds {found:?} where {expected:?} is required"
            ),
            Fault::Race { rank, first, second } => {
                write!(f, "rank {rank}: ops {first} and {second} race for the same chunk")
            }
            Fault::Deadlock { waiting } => write!(f, "nobody can go on: {waiting:?} (rank, op)"),
            Fault::Unreceived { from, to, channel } => {
                write!(f, "a message from {from} to {to} on channel {channel} is never received")
            }
            Fault::Marks { rank, op } => write!(f, "rank {rank}, op {op}: wrong scaling marks"),
        }
    }
}

impl std::error::Error for Fault {}

/// Checks `schedule`: postcondition, then races, then the slots it needs.
pub fn check(schedule: &Schedule) -> Result<Proof, Fault> {
    let run = symbolic::execute(schedule, usize::MAX)?;
    run.postcondition(schedule)?;
    race::check(schedule)?;
    let mut slots = 1;
    while let Err(Fault::Deadlock { .. }) = symbolic::execute(schedule, slots) {
        slots += 1;
    }
    let outputs = run.outputs(schedule);
    Ok(Proof { slots, expressions: run.into_expressions(), outputs })
}

/// Sets the pre and post marks of every op, as symbolic execution finds them.
///
/// A schedule that does not run to its end keeps the marks found so far; [`check`] then says why.
pub(super) fn mark(schedule: &mut Schedule) {
    if !schedule.collective.verb.reduces() {
        return;
    }
    let marks = symbolic::marks(schedule);
    for (rank, op, found) in marks {
        schedule.programs[rank].ops[op].marks = found;
    }
}
