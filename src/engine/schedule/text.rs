//! The text form of a schedule: what a reader compares in a review.

use super::{Action, Op, Program, Schedule, Span};
use crate::engine::Rank;
use crate::engine::collective::Buffer;
use std::fmt::{self, Display};

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

impl Action {
    /// The name, without operands: `recv-reduce-send`.
    pub fn name(&self) -> &'static str {
        match self {
            Action::Send { .. } => "send",
            Action::Recv { .. } => "recv",
            Action::RecvCopySend { .. } => "recv-copy-send",
            Action::RecvReduce { .. } => "recv-reduce",
            Action::RecvReduceSend { .. } => "recv-reduce-send",
            Action::RecvReduceCopySend { .. } => "recv-reduce-copy-send",
            Action::Copy { .. } => "copy",
            Action::Reduce { .. } => "reduce",
            Action::Nop => "nop",
        }
    }

    /// What happens to local memory, `x` being the value received: `out[0] = x + in[0]`.
    fn work(&self) -> String {
        match self {
            Action::Send { src, .. } => src.to_string(),
            Action::Recv { dst, .. } | Action::RecvCopySend { dst, .. } => format!("{dst} = x"),
            Action::RecvReduce { src, dst, .. } | Action::RecvReduceCopySend { src, dst, .. } => {
                format!("{dst} = x + {src}")
            }
            Action::RecvReduceSend { src, .. } => format!("x + {src}"),
            Action::Copy { src, dst } => format!("{dst} = {src}"),
            Action::Reduce { src, dst } => format!("{dst} = {dst} + {src}"),
            Action::Nop => String::new(),
        }
    }
}

impl Display for Action {
    /// `recv-reduce-send  3 >  x + in[2]  > 1`: receive from 3, add `in[2]`, send to 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let (from, to) = (self.from(), self.to());
        from.map_or(Ok(()), |from| write!(f, "  {} >", from.rank))?;
        write!(f, "  {}", self.work())?;
        to.map_or(Ok(()), |to| write!(f, "  > {}", to.rank))
    }
}

/// Number of columns of a program's text.
const COLUMNS: usize = 7;

/// The columns of one op: number, phase and round, name, from, work, to, order.
fn columns(schedule: &Schedule, index: usize, op: &Op, lanes: usize) -> [String; COLUMNS] {
    let mut order = Vec::new();
    if lanes > 1 {
        order.push(format!("lane {}", op.lane));
    }
    if let [first, rest @ ..] = &op.deps[..] {
        let rest = rest.iter().map(|dep| format!(", {dep}"));
        order.push(format!("after {first}{}", rest.collect::<String>()));
    }
    [
        index.to_string(),
        format!("{} {}", op.phase.title(), op.round),
        op.action.name().to_string(),
        op.action.from().map_or(String::new(), |from| format!("{} >", schedule.actor(from.rank))),
        op.action.work(),
        op.action.to().map_or(String::new(), |to| format!("> {}", schedule.actor(to.rank))),
        order.join(" "),
    ]
}

/// The program, a line an op, in columns that line up.
fn table(schedule: &Schedule, program: &Program) -> String {
    let ops = program.ops.iter().enumerate();
    let rows: Vec<_> = ops.map(|(i, op)| columns(schedule, i, op, program.lanes)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate().filter(|c| *c.1.1 > 0) {
            line += "  ";
            line += &match column {
                // Numbers, and who a message comes from, end together.
                0 | 3 => format!("{cell:>width$}"),
                _ => format!("{cell:<width$}"),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

impl Schedule {
    /// The name of a rank, `3`, or of a switch, `s0`.
    fn actor(&self, actor: Rank) -> String {
        match actor.checked_sub(self.collective.ranks) {
            None => actor.to_string(),
            Some(switch) => format!("s{switch}"),
        }
    }

    /// The program of a rank or switch, a line an op. Ops are numbered as in a
    /// [`Fault`](crate::engine::check::Fault) and in `after`, which names the ops of other lanes
    /// that must have ended.
    pub fn program_text(&self, rank: Rank) -> String {
        let kind = if self.is_switch(rank) { "switch" } else { "rank" };
        format!("{kind} {}\n{}", self.actor(rank), table(self, &self.programs[rank]))
    }
}

impl Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, ranks) = (self.collective.verb, self.collective.ranks);
        write!(f, "{} by {}: {ranks} ranks", verb.title(), self.algorithm)?;
        if verb.has_root() {
            write!(f, ", root {}", self.collective.root)?;
        }
        let segments = self.collective.segments;
        let chunks = self.collective.chunks() / segments;
        write!(f, ", {chunks} chunk{}", if chunks == 1 { "" } else { "s" })?;
        if segments > 1 {
            write!(f, " in {segments} segments each")?;
        }
        writeln!(f, "{}", if self.in_place { ", in place" } else { "" })?;
        (0..self.programs.len()).try_for_each(|rank| f.write_str(&self.program_text(rank)))
    }
}
