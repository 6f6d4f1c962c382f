//! Proof that a schedule meets its verb.
//!
//! Independent verdicts, each with a typed fault that names rank, op and chunk:
//!
//! - *postcondition*: executed over symbols, every output chunk holds exactly the contributions its
//!   verb asks for, each once (a barrier: at least once);
//! - *races*: two ops of different lanes that touch the same memory, one of them writing, are
//!   ordered by happens-before;
//! - *slots*: the smallest number of slots per connection with which no order of events deadlocks.
//!
//! A schedule that passes can be asked for more: [`rounding`] says whether all ranks compute the
//! same floating-point expression, [`fusable`] whether partial sums stay with their owner, and
//! [`lending`] which messages need not be copied where memory is shared.
//!
//! Worked example, ring AllReduce over 4 ranks: chunk 0 starts at rank 1 and collects 1:0, 2:0,
//! 3:0, 0:0 on its way to rank 0; the expression is (((1:0 ⊕ 2:0) ⊕ 3:0) ⊕ 0:0), 3 deep, and the
//! AllGather hands the very same value to everybody. One lane per rank, so nothing races; one slot
//! is enough.

mod expression;
mod fusing;
mod lending;
mod order;
mod race;
mod rounding;
mod symbolic;

pub use expression::{Expression, ExpressionId, Expressions};
pub use fusing::{admits, fusable};
pub use lending::{Lending, lending};
pub use rounding::{Difference, Rounding, rounding};

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
    /// There is not one program per rank and switch.
    Programs {
        /// How many there are.
        found: usize,
        /// How many ranks and switches there are.
        actors: usize,
    },
    /// A span lies outside its buffer, a peer outside the group, a lane outside the program, a
    /// dependency does not stand before the op, or two spans of the op differ in length.
    Shape {
        /// The rank at fault.
        rank: Rank,
        /// The op at fault.
        op: usize,
    },
    /// An op out of place writes the caller's input.
    WritesInput {
        /// The rank at fault.
        rank: Rank,
        /// The op at fault.
        op: usize,
    },
    /// An op reads memory that nothing has written.
    Undefined {
        /// The rank at fault.
        rank: Rank,
        /// The op at fault.
        op: usize,
        /// What it reads.
        span: Span,
    },
    /// A reduction or a store mixes chunks of different labels, whose lengths may differ.
    Mixed {
        /// The rank at fault.
        rank: Rank,
        /// The op at fault.
        op: usize,
        /// The label that belongs there.
        expected: Label,
        /// The label that came.
        found: Label,
    },
    /// A message has another number of chunks than its receiver expects.
    Length {
        /// The receiver.
        rank: Rank,
        /// The receiver's op.
        op: usize,
    },
    /// An output chunk does not hold what the verb asks for.
    Postcondition {
        /// Whose output.
        rank: Rank,
        /// The chunk of the output.
        chunk: usize,
        /// The label the chunk has room for.
        label: Label,
        /// The ranks that must have contributed, each once.
        expected: Vec<Rank>,
        /// The ranks that have, with repetition (not more of them than it takes to see that it is
        /// wrong); empty when nothing was written.
        found: Vec<Rank>,
    },
    /// Two ops touch the same memory, or the same end of a connection, in no fixed order.
    Race {
        /// Whose ops.
        rank: Rank,
        /// The one that stands first in the program.
        first: usize,
        /// The other.
        second: usize,
    },
    /// Everybody waits, however many slots there are.
    Deadlock {
        /// The ranks that wait, and the op each stands at.
        waiting: Vec<(Rank, usize)>,
    },
    /// A message was sent that nobody receives.
    Unreceived {
        /// Its sender.
        from: Rank,
        /// Who should have received it.
        to: Rank,
        /// On which channel.
        channel: usize,
    },
    /// A scaling mark is missing, superfluous, or does not fit all the chunks of the op.
    Marks {
        /// The rank at fault.
        rank: Rank,
        /// The op at fault.
        op: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Programs { found, actors } => {
                write!(f, "{found} programs for {actors} ranks and switches")
            }
            Fault::Shape { rank, op } => {
                write!(f, "rank {rank}, op {op}: a span, peer, lane or op that does not exist")
            }
            Fault::WritesInput { rank, op } => {
                write!(f, "rank {rank}, op {op}: writes the input, which is the caller's")
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
            Fault::Postcondition { rank, chunk, label, expected, found } => write!(
                f,
                "rank {rank}: output chunk {chunk} (label {label}) holds the contributions of \
                 {found:?} where {expected:?} are required"
            ),
            Fault::Race { rank, first, second } => write!(
                f,
                "rank {rank}: ops {first} and {second} race for the same chunk or connection"
            ),
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
    let (slots, run) = with_fewest_slots(schedule)?;
    run.postcondition()?;
    run.marks()?;
    race::check(schedule)?;
    let outputs = run.outputs();
    Ok(Proof { slots, expressions: run.into_expressions(), outputs })
}

/// The smallest number of slots with which `schedule` runs to its end, and that run.
///
/// Messages meet in a fixed order, so whether a run ends does not depend on who goes first, and
/// more slots never hurt: the number can be found by bisection.
fn with_fewest_slots(schedule: &Schedule) -> Result<(usize, symbolic::Execution<'_>), Fault> {
    match symbolic::execute(schedule, 1) {
        Err(Fault::Deadlock { .. }) => {}
        ended => return ended.map(|run| (1, run)),
    }
    // Room for every message of the fullest connection tells a deadlock from a want of slots.
    let (mut few, mut enough) = (1, schedule.busiest_connection());
    let mut run = symbolic::execute(schedule, enough)?;
    while enough - few > 1 {
        let slots = few.midpoint(enough);
        match symbolic::execute(schedule, slots) {
            Ok(shorter) => (enough, run) = (slots, shorter),
            Err(_) => few = slots,
        }
    }
    Ok((enough, run))
}

/// Sets the pre and post marks of every op, as symbolic execution finds them.
///
/// A schedule that does not run to its end keeps the marks found so far; [`check`] then says why.
pub(in crate::engine) fn mark(schedule: &mut Schedule) {
    // Moving data is not reducing it: there is nothing to mark.
    if !schedule.collective.verb.reduces() {
        return;
    }
    let found = symbolic::found_marks(schedule);
    for (program, found) in schedule.programs.iter_mut().zip(found) {
        program.ops.iter_mut().zip(found).for_each(|(op, marks)| op.marks = marks);
    }
}
