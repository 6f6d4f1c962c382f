//! The one description of an algorithm: who sends which chunks to whom, in what order.
//!
//! The model is MSCCL's, in Rust: every rank has three buffers and a *program*, a list of ops in an
//! order that is valid when executed one by one. Each op belongs to a *lane*; lanes of a rank run
//! side by side, ops of one lane in order, and an op whose data another lane touches names it in
//! `deps`. A *connection* (sender, receiver, channel) is first in, first out: the k-th send meets
//! the k-th receive.
//!
//! A *switch* that computes is an actor beside the ranks: it has a program, scratch and a number
//! after those of the ranks, and neither input nor output. The contract is about the ranks alone.
//!
//! In a fused reduce the local operand is `src`, never `dst`: ranks may read one buffer and write
//! another.
//!
//! Worked example: ring ReduceScatter over 4 ranks, the program of rank 0, as [`Schedule`]'s text
//! form prints it. Columns are the op's number, phase and round, what it does, whom `x` is received
//! from, the local work, and whom the result is sent to:
//!
//! ```
//! # use ringscope::engine::{algorithm::{self, Request}, collective::Verb};
//! let ring = algorithm::find("ring").unwrap();
//! let schedule = ring.build(&Request::new(Verb::ReduceScatter, 4)).unwrap();
//! assert_eq!(schedule.program_text(0), "\
//! rank 0
//!   0  ReduceScatter 1  send                   in[3]               > 1
//!   1  ReduceScatter 1  recv-reduce-send  3 >  x + in[2]           > 1
//!   2  ReduceScatter 2  recv-reduce-send  3 >  x + in[1]           > 1
//!   3  ReduceScatter 3  recv-reduce       3 >  out[0] = x + in[0]
//! ");
//! ```

mod alike;
mod builder;
mod compose;
mod duality;
mod finish;
mod msccl;
mod narrow;
mod text;

pub use alike::{Alike, Turn};
pub use builder::{Builder, End, Outline};
pub use compose::Embedding;
pub use msccl::Inexpressible;
pub use narrow::narrowed;

use super::collective::{Buffer, Collective, Verb};
use super::{Label, Rank};
use serde::{Deserialize, Serialize};

/// Consecutive chunks of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Which buffer.
    pub buffer: Buffer,
    /// First chunk.
    pub start: usize,
    /// How many chunks, at least 1.
    pub count: usize,
}

impl Span {
    /// `count` chunks of `buffer` from `start`.
    pub fn new(buffer: Buffer, start: usize, count: usize) -> Self {
        Span { buffer, start, count }
    }

    /// The chunk indices of the span.
    pub fn chunks(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.count
    }
}

/// The other end of a message: a rank of the group or a switch, over one of its channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Peer {
    /// The peer's rank in the group.
    pub rank: Rank,
    /// Parallel connections between the same two ranks are told apart by their channel.
    pub channel: usize,
}

/// What an op does. `x` is the value received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// Send `src` to `to`.
    Send {
        /// What is sent.
        src: Span,
        /// The receiver.
        to: Peer,
    },
    /// `dst = x`.
    Recv {
        /// The sender.
        from: Peer,
        /// Where `x` is stored.
        dst: Span,
    },
    /// `dst = x`, then send `x` on.
    RecvCopySend {
        /// The sender.
        from: Peer,
        /// Where `x` is stored.
        dst: Span,
        /// Who gets it next.
        to: Peer,
    },
    /// `dst = x ⊕ src`.
    RecvReduce {
        /// The sender.
        from: Peer,
        /// The local operand.
        src: Span,
        /// Where the result is stored.
        dst: Span,
    },
    /// Send `x ⊕ src` on; nothing is stored.
    RecvReduceSend {
        /// The sender.
        from: Peer,
        /// The local operand.
        src: Span,
        /// Who gets the result.
        to: Peer,
    },
    /// `dst = x ⊕ src`, then send the same on.
    RecvReduceCopySend {
        /// The sender.
        from: Peer,
        /// The local operand.
        src: Span,
        /// Where the result is stored.
        dst: Span,
        /// Who gets the result as well.
        to: Peer,
    },
    /// `dst = src`, inside the rank.
    Copy {
        /// What is copied.
        src: Span,
        /// Where it goes.
        dst: Span,
    },
    /// `dst = dst ⊕ src`, inside the rank.
    Reduce {
        /// What is added.
        src: Span,
        /// What it is added to.
        dst: Span,
    },
    /// Nothing; carries dependencies.
    Nop,
}

impl Action {
    /// Where a message comes from, if one is received.
    pub fn from(&self) -> Option<Peer> {
        match *self {
            Action::Recv { from, .. }
            | Action::RecvCopySend { from, .. }
            | Action::RecvReduce { from, .. }
            | Action::RecvReduceSend { from, .. }
            | Action::RecvReduceCopySend { from, .. } => Some(from),
            _ => None,
        }
    }

    /// Where a message goes, if one is sent.
    pub fn to(&self) -> Option<Peer> {
        match *self {
            Action::Send { to, .. }
            | Action::RecvCopySend { to, .. }
            | Action::RecvReduceSend { to, .. }
            | Action::RecvReduceCopySend { to, .. } => Some(to),
            _ => None,
        }
    }

    /// The span read from local memory, if any.
    pub fn src(&self) -> Option<Span> {
        match *self {
            Action::Send { src, .. }
            | Action::RecvReduce { src, .. }
            | Action::RecvReduceSend { src, .. }
            | Action::RecvReduceCopySend { src, .. }
            | Action::Copy { src, .. }
            | Action::Reduce { src, .. } => Some(src),
            _ => None,
        }
    }

    /// The span written in local memory, if any.
    pub fn dst(&self) -> Option<Span> {
        match *self {
            Action::Recv { dst, .. }
            | Action::RecvCopySend { dst, .. }
            | Action::RecvReduce { dst, .. }
            | Action::RecvReduceCopySend { dst, .. }
            | Action::Copy { dst, .. }
            | Action::Reduce { dst, .. } => Some(dst),
            _ => None,
        }
    }

    /// Whether the op computes `⊕`.
    pub fn reduces(&self) -> bool {
        matches!(
            self,
            Action::RecvReduce { .. }
                | Action::RecvReduceSend { .. }
                | Action::RecvReduceCopySend { .. }
                | Action::Reduce { .. }
        )
    }

    /// Every span the op reads: a local reduce reads its destination as well.
    pub fn reads(&self) -> impl Iterator<Item = Span> {
        let again = match *self {
            Action::Reduce { dst, .. } => Some(dst),
            _ => None,
        };
        self.src().into_iter().chain(again)
    }

    /// The number of chunks the op works on.
    pub fn count(&self) -> usize {
        self.src().or(self.dst()).map_or(0, |span| span.count)
    }
}

/// Where the run's reduction acts outside `⊕`. The checker derives both marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Marks {
    /// `src` is the rank's own untouched input: a pre-scaled mean scales it here.
    pub pre: bool,
    /// The result holds every contribution for the first time: a post-scaled mean divides it here.
    pub post: bool,
}

/// One instruction of a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Op {
    /// What it does.
    pub action: Action,
    /// The lane it belongs to.
    pub lane: usize,
    /// Earlier ops of this program, in other lanes, that must have ended.
    pub deps: Vec<usize>,
    /// The verb this op is a part of: an AllReduce has a ReduceScatter phase and an AllGather
    /// phase. A label for people.
    pub phase: Verb,
    /// The round within the phase, from 1: of the message received, or else sent. A label for
    /// people.
    pub round: usize,
    /// Where scaling happens.
    pub marks: Marks,
}

impl Op {
    /// Whether the op adds up and something is still missing in the result.
    pub fn makes_partial_sum(&self) -> bool {
        self.action.reduces() && !self.marks.post
    }
}

/// What one rank does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The ops, in an order that is valid when executed one by one.
    pub ops: Vec<Op>,
    /// Number of lanes.
    pub lanes: usize,
    /// The scratch buffer: for each slot the label whose length it has room for.
    pub scratch: Vec<Label>,
}

/// A complete, runnable description of one algorithm for one collective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The algorithm's name.
    pub algorithm: String,
    /// The contract it has to meet.
    pub collective: Collective,
    /// Whether input and output share memory, at NCCL's offsets.
    pub in_place: bool,
    /// Switches that compute; 0 for all algorithms that need ranks only.
    pub switches: usize,
    /// One program per rank, and after those one per switch.
    pub programs: Vec<Program>,
}

impl Schedule {
    /// Whether `actor` is a switch.
    pub fn is_switch(&self, actor: Rank) -> bool {
        actor >= self.collective.ranks
    }

    /// The labels that `buffer` of `rank` has room for, chunk by chunk.
    pub fn labels(&self, rank: Rank, buffer: Buffer) -> Vec<Label> {
        match buffer {
            Buffer::Input => self.collective.input(rank),
            Buffer::Output => self.collective.output(rank),
            Buffer::Scratch => self.programs[rank].scratch.clone(),
        }
    }

    /// Where a chunk really lives. In place, input chunks live in the output buffer's memory (and
    /// the output of ReduceScatter and Scatter inside the input's): the result's `Output` then
    /// means that common memory.
    pub fn place(&self, rank: Rank, buffer: Buffer, chunk: usize) -> (Buffer, usize) {
        if !self.in_place {
            return (buffer, chunk);
        }
        let (input, output) = self.collective.in_place_offsets(rank);
        match buffer {
            Buffer::Input => (Buffer::Output, chunk + input),
            Buffer::Output => (Buffer::Output, chunk + output),
            Buffer::Scratch => (Buffer::Scratch, chunk),
        }
    }

    /// The number of messages on the fullest connection.
    pub fn busiest_connection(&self) -> usize {
        self.messages().iter().map(|m| m.position + 1).max().unwrap_or(0)
    }

    /// Who sends what an op receives (rank and op), by rank and op.
    pub fn senders(&self) -> Vec<Vec<Option<(Rank, usize)>>> {
        let mut senders: Vec<Vec<Option<(Rank, usize)>>> =
            self.programs.iter().map(|program| vec![None; program.ops.len()]).collect();
        for message in self.messages() {
            senders[message.to][message.recv_op] = Some((message.from, message.send_op));
        }
        senders
    }

    /// All messages, ordered by sender, receiver, channel and position in that connection.
    pub fn messages(&self) -> Vec<Message> {
        // The ends of all connections, each with its ops in the order of the program.
        let (mut sends, mut receives) = (Vec::new(), Vec::new());
        for (rank, program) in self.programs.iter().enumerate() {
            for (index, Op { action, .. }) in program.ops.iter().enumerate() {
                sends.extend(action.to().map(|p| ([rank, p.rank, p.channel], index)));
                receives.extend(action.from().map(|p| ([p.rank, rank, p.channel], index)));
            }
        }
        sends.sort_unstable();
        receives.sort_unstable();
        let mut messages: Vec<Message> = Vec::with_capacity(sends.len());
        let mut receives = receives.into_iter().peekable();
        for (connection, send_op) in sends {
            while receives.next_if(|(other, _)| *other < connection).is_some() {}
            let receive = receives.next_if(|(other, _)| *other == connection);
            let (Some((_, recv_op)), [from, to, channel]) = (receive, connection) else { continue };
            let same = |last: &&Message| [last.from, last.to, last.channel] == connection;
            let position = messages.last().filter(same).map_or(0, |last| last.position + 1);
            messages.push(Message { from, to, channel, position, send_op, recv_op });
        }
        messages
    }
}

/// One message of a schedule: the `position`-th on its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The sender.
    pub from: Rank,
    /// The receiver.
    pub to: Rank,
    /// The channel.
    pub channel: usize,
    /// How many messages went before it on this connection.
    pub position: usize,
    /// The sender's op.
    pub send_op: usize,
    /// The receiver's op, whose phase and round name the message.
    pub recv_op: usize,
}
