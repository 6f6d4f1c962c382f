//! The text form of a schedule: what a reader compares in a review.

use super::{Action, Op, Schedule, Span};
use crate::engine::Rank;
use crate::engine::collective::Buffer;
use std::fmt::{self, Display, Write as _};

impl Display for Span {
    /// `in[3]`, `out[0..4]`, `tmp[1]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let buffer = match self.buffer {
            Buffer::Input => "in",
            Buffer::Output => "out",
            Buffer::Scratch => "tmp",
        };
        match self.count {
            1 => write!(f, "{buffer}[{}]", self.start),
            count => write!(f, "{buffer}[{}..{}]", self.start, self.start + count),
        }
    }
}

impl Display for Action {
    /// `recv-reduce-send  3 > + in[2] > 1`: receive from 3, add to `in[2]`, send to 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Send { src, to } => write!(f, "send       {src} > {}", to.rank),
            Action::Recv { from, dst } => write!(f, "recv       {} > {dst}", from.rank),
            Action::RecvCopySend { from, dst, to } => {
                write!(f, "recv-copy-send  {} > {dst} > {}", from.rank, to.rank)
            }
            Action::RecvReduce { from, src, dst } => {
                write!(f, "recv-reduce       {} > + {src} = {dst}", from.rank)
            }
            Action::RecvReduceSend { from, src, to } => {
                write!(f, "recv-reduce-send  {} > + {src} > {}", from.rank, to.rank)
            }
            Action::RecvReduceCopySend { from, src, dst, to } => {
                write!(f, "recv-reduce-copy-send  {} > + {src} = {dst} > {}", from.rank, to.rank)
            }
            Action::Copy { src, dst } => write!(f, "copy       {src} = {dst}"),
            Action::Reduce { src, dst } => write!(f, "reduce     {dst} + {src} = {dst}"),
            Action::Nop => write!(f, "nop"),
        }
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}  {}", self.phase.title(), self.round, self.action)?;
        if self.lane > 0 {
            write!(f, "  lane {}", self.lane)?;
        }
        for dep in &self.deps {
            write!(f, "  after {dep}")?;
        }
        Ok(())
    }
}

impl Schedule {
    /// One rank's program, a line an op.
    pub fn program_text(&self, rank: Rank) -> String {
        let mut text = format!("rank {rank}\n");
        for op in &self.programs[rank].ops {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {op}");
        }
        text
    }
}

impl Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} {} ranks {} chunks {}{}",
            self.collective.verb.name(),
            self.algorithm,
            self.collective.ranks,
            self.collective.chunks(),
            if self.in_place { " in place" } else { "" }
        )?;
        (0..self.programs.len()).try_for_each(|rank| f.write_str(&self.program_text(rank)))
    }
}
