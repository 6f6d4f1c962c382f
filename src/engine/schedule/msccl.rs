//! The MSCCL XML form of a schedule, for runtimes and checkers that read it.
//!
//! MSCCL's model is ours with narrower lanes: a *thread block* sends to one peer at most, receives
//! from one at most, both on one channel, and is the only one at its end of a connection. So lanes
//! are split by peer ([`narrowed`]); dependencies between thread blocks follow from the memory they
//! share, as they do between lanes. A fused step of MSCCL takes its message only when it can send
//! the result, and a connection may have two slots only; where that would deadlock, fused ops are
//! taken apart. Offsets and counts are in chunks. Not all of a schedule can be
//! said: the format knows no barrier, no ring shift and no switch that computes, its runtime takes
//! the operator from the call, and where a mean scales is the library's business.
//!
//! Worked example, ring AllGather over 4 ranks, rank 0, whose one thread block serves both
//! neighbours:
//!
//! ```text
//! <tb id="0" send="1" recv="3" chan="0">
//!   <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" .../>
//!   <step s="1" type="rcs" srcbuf="o" srcoff="3" dstbuf="o" dstoff="3" cnt="1" .../>
//! ```
//!
//! Source: the reader of MSCCL's runtime (`msccl_parser.cc`), whose limits are checked here.

use super::narrow::narrowed;
use super::{Action, Peer, Program, Schedule, Span};
use crate::engine::collective::{Buffer, Verb};
use std::collections::HashMap;
use std::fmt::{self, Write};

/// Steps of one thread block, at most.
const MAX_STEPS: usize = 256;
/// Thread blocks of one rank that send, or receive, on one channel, at most.
const MAX_BLOCKS: usize = 32;
/// Chunks of one step, at most.
const MAX_COUNT: usize = 71;

/// Why a schedule has no MSCCL form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inexpressible {
    /// The format knows ranks only, and the schedule has a switch that computes.
    Switch,
    /// The format has no such collective.
    Verb(Verb),
    /// A thread block would have more steps than the runtime takes.
    Steps(usize),
    /// A rank would have more thread blocks on a channel than the runtime takes.
    ThreadBlocks(usize),
    /// A step would move more chunks than the runtime takes.
    Count(usize),
}

impl Inexpressible {
    /// How much of what is too much the runtime takes; what does not exist has 0.
    pub fn limit(&self) -> usize {
        match self {
            Inexpressible::Switch | Inexpressible::Verb(_) => 0,
            Inexpressible::Steps(_) => MAX_STEPS,
            Inexpressible::ThreadBlocks(_) => MAX_BLOCKS,
            Inexpressible::Count(_) => MAX_COUNT,
        }
    }
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inexpressible::Switch => {
                f.write_str("MSCCL XML has ranks only, and here a switch computes")
            }
            Inexpressible::Verb(verb) => {
                write!(f, "MSCCL XML has no {}", verb.title())
            }
            Inexpressible::Steps(found) => {
                write!(f, "{found} steps in a thread block; MSCCL takes up to {MAX_STEPS}")
            }
            Inexpressible::ThreadBlocks(found) => write!(
                f,
                "{found} thread blocks on one channel of a rank; MSCCL takes up to {MAX_BLOCKS}"
            ),
            Inexpressible::Count(found) => {
                write!(f, "{found} chunks in one step; MSCCL takes up to {MAX_COUNT}")
            }
        }
    }
}

impl std::error::Error for Inexpressible {}

impl Schedule {
    /// The schedule as MSCCL XML.
    ///
    /// # Errors
    /// [`Inexpressible`] if the format or the limits of its runtime do not allow it.
    pub fn msccl_xml(&self) -> Result<String, Inexpressible> {
        if self.switches > 0 {
            return Err(Inexpressible::Switch);
        }
        let verb = self.collective.verb;
        let coll = match verb {
            Verb::SendRecv => "send",
            Verb::Shift | Verb::Barrier => return Err(Inexpressible::Verb(verb)),
            _ => verb.name(),
        };
        let narrow = narrowed(self);
        let channels = narrow.messages().iter().map(|m| m.channel + 1).max().unwrap_or(1);
        let (ranks, chunks) = (self.collective.ranks, self.collective.chunks());
        let (in_place, out_of_place) = (u8::from(self.in_place), u8::from(!self.in_place));
        let mut xml = format!(
            "<algo name=\"{}_{coll}_{ranks}\" proto=\"Simple\" nchannels=\"{channels}\" \
             nchunksperloop=\"{chunks}\" ngpus=\"{ranks}\" coll=\"{coll}\" inplace=\"{in_place}\" \
             outofplace=\"{out_of_place}\" minBytes=\"0\" maxBytes=\"0\">\n",
            self.algorithm
        );
        for (rank, program) in narrow.programs.iter().enumerate() {
            let size = |buffer| narrow.labels(rank, buffer).len();
            let (i, o, s) = (size(Buffer::Input), size(Buffer::Output), size(Buffer::Scratch));
            let _ = writeln!(
                xml,
                "  <gpu id=\"{rank}\" i_chunks=\"{i}\" o_chunks=\"{o}\" s_chunks=\"{s}\">"
            );
            write_gpu(&mut xml, program)?;
            xml.push_str("  </gpu>\n");
        }
        xml.push_str("</algo>\n");
        Ok(xml)
    }
}

/// The thread blocks of one rank, one per lane of a narrowed program.
fn write_gpu(xml: &mut String, program: &Program) -> Result<(), Inexpressible> {
    // Where each op ends up: its position in its thread block, after the nops that carry all of its
    // dependencies but one.
    let mut lengths = vec![0; program.lanes];
    let positions: Vec<usize> = program
        .ops
        .iter()
        .map(|op| {
            let length = &mut lengths[op.lane];
            *length += op.deps.len().max(1);
            *length - 1
        })
        .collect();
    if let Some(&found) = lengths.iter().find(|&&length| length > MAX_STEPS) {
        return Err(Inexpressible::Steps(found));
    }
    let mut awaited = vec![false; program.ops.len()];
    program.ops.iter().flat_map(|op| &op.deps).for_each(|&dep| awaited[dep] = true);
    let mut crowd: HashMap<(bool, usize), usize> = HashMap::new();
    for lane in 0..program.lanes {
        let ops = || (0..program.ops.len()).filter(|&index| program.ops[index].lane == lane);
        let send = ops().find_map(|index| program.ops[index].action.to());
        let recv = ops().find_map(|index| program.ops[index].action.from());
        for (sends, peer) in [(true, send), (false, recv)] {
            let Some(peer) = peer else { continue };
            let found = crowd.entry((sends, peer.channel)).or_default();
            *found += 1;
            if *found > MAX_BLOCKS {
                return Err(Inexpressible::ThreadBlocks(*found));
            }
        }
        let name = |peer: Option<Peer>| peer.map_or("-1".to_string(), |p| p.rank.to_string());
        let channel = send.or(recv).map_or(0, |peer| peer.channel);
        let (send, recv) = (name(send), name(recv));
        let _ = writeln!(
            xml,
            "    <tb id=\"{lane}\" send=\"{send}\" recv=\"{recv}\" chan=\"{channel}\">"
        );
        for index in ops() {
            let op = &program.ops[index];
            let depends = |dep: &usize| (program.ops[*dep].lane, positions[*dep]);
            let (last, earlier) = match op.deps.split_last() {
                Some((last, earlier)) => (Some(depends(last)), earlier),
                None => (None, &[][..]),
            };
            let first = positions[index] - earlier.len();
            for (at, dep) in earlier.iter().enumerate() {
                write_step(xml, first + at, &Action::Nop, Some(depends(dep)), false)?;
            }
            write_step(xml, positions[index], &op.action, last, awaited[index])?;
        }
        xml.push_str("    </tb>\n");
    }
    Ok(())
}

/// One step; `dep` is a thread block and a step of it.
fn write_step(
    xml: &mut String,
    at: usize,
    action: &Action,
    dep: Option<(usize, usize)>,
    awaited: bool,
) -> Result<(), Inexpressible> {
    if action.count() > MAX_COUNT {
        return Err(Inexpressible::Count(action.count()));
    }
    let kind = match action {
        Action::Send { .. } => "s",
        Action::Recv { .. } => "r",
        Action::RecvCopySend { .. } => "rcs",
        Action::RecvReduce { .. } => "rrc",
        Action::RecvReduceSend { .. } => "rrs",
        Action::RecvReduceCopySend { .. } => "rrcs",
        Action::Copy { .. } => "cpy",
        Action::Reduce { .. } => "re",
        Action::Nop => "nop",
    };
    // A step that reads or writes nothing here names the same span twice, as MSCCL's own files do.
    let nothing = Span::new(Buffer::Input, 0, 0);
    let src = action.src().or(action.dst()).unwrap_or(nothing);
    let dst = action.dst().unwrap_or(src);
    let name = |span: Span| match span.buffer {
        Buffer::Input => 'i',
        Buffer::Output => 'o',
        Buffer::Scratch => 's',
    };
    let (depid, deps) = dep.map_or((-1, -1), |(block, step)| (block as i64, step as i64));
    let _ = writeln!(
        xml,
        "      <step s=\"{at}\" type=\"{kind}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" \
         dstoff=\"{}\" cnt=\"{}\" depid=\"{depid}\" deps=\"{deps}\" hasdep=\"{}\"/>",
        name(src),
        src.start,
        name(dst),
        dst.start,
        action.count(),
        u8::from(awaited)
    );
    Ok(())
}
