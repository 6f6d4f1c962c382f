//! The schedule as rounds of exchange and work.

use super::{lines, list};
use crate::engine::Rank;
use crate::engine::collective::Buffer;
use crate::engine::cost::rounds;
use crate::engine::memory::Layout;
use crate::engine::schedule::{Action, Marks, Op, Span};
use crate::engine::trace::OpTimes;
use crate::ui::scenario::Prepared;
use std::fmt::Write;

/// What a rank does in one round.
#[derive(Clone, Default)]
struct Round {
    /// `(op, to)`: the value of an op goes to a peer.
    sends: Vec<String>,
    /// `(op, from, count)`: the value of an op comes from a peer.
    receives: Vec<String>,
    /// Work on values and memory, afterwards.
    work: Vec<String>,
}

/// Writes where everything lies, and what every rank does when. In the rounds model nothing is sent
/// in the round in which it comes about, so every message of a round is ready when it begins; and
/// ops of one round, taken in the order of the program, find what they depend on.
pub(super) fn write(text: &mut String, prepared: &Prepared) {
    let (schedule, wire) = (&prepared.schedule, prepared.run.reduction.wire());
    let timing = rounds::in_chunks(schedule).timing;
    let end = timing.iter().flatten().map(OpTimes::ended).fold(0.0, f64::max) as usize;
    let mut programs = vec![vec![Round::default(); end + 1]; schedule.programs.len()];
    let layouts: Vec<Layout> = (0..schedule.programs.len())
        .map(|rank| Layout::new(schedule, rank, &prepared.lengths, wire))
        .collect();
    let place = |rank: Rank, span: Span| {
        let bytes = layouts[rank].span(span);
        (bytes.start / wire.size_bytes(), bytes.end / wire.size_bytes())
    };
    for message in schedule.messages() {
        let times = &timing[message.to][message.recv_op];
        let round = times.received.unwrap_or(times.reached) as usize;
        let op = &schedule.programs[message.to].ops[message.recv_op];
        let span = op.action.src().or(op.action.dst());
        let count = span.map(|span| place(message.to, span)).map_or(0, |(from, to)| to - from);
        let (send, receive) = (message.send_op, message.recv_op);
        programs[message.from][round].sends.push(format!("({send}, {})", message.to));
        let from = message.from;
        programs[message.to][round].receives.push(format!("({receive}, {from}, {count})"));
    }
    for (rank, program) in schedule.programs.iter().enumerate() {
        for (index, op) in program.ops.iter().enumerate() {
            let times = &timing[rank][index];
            // A value that is only sent is taken when it leaves; everything else is worked on.
            let round = times.applied.or(times.received).or(times.sent).unwrap_or(times.reached);
            let work = work(index, op, |span| place(rank, span));
            programs[rank][round as usize].work.extend(work);
        }
    }
    let element = |bytes: usize| bytes / wire.size_bytes();
    let memory = layouts.iter().map(|layout| element(layout.bytes));
    let places = layouts.iter().map(|layout| {
        let ends = [Buffer::Input, Buffer::Output].map(|buffer| {
            let bytes = layout.buffer(buffer);
            format!("({}, {})", element(bytes.start), element(bytes.end))
        });
        format!("({})", ends.join(", "))
    });
    let rank = |rounds: &Vec<Round>| {
        let round = |round: &Round| {
            let Round { sends, receives, work } = round;
            format!("        ({}, {}, {}),\n", list(sends), list(receives), list(work))
        };
        format!("[\n{}    ]", rounds.iter().map(round).collect::<String>())
    };
    let _ = write!(
        text,
        "\n\n# Elements that each rank needs room for, and where in them input and output lie.\n\
         MEMORY = {}\nPLACES = {}\n\
         # By rank and round: (sends, receives, work). Values are named by their ops.\n\
         PROGRAM = {}\n",
        list(memory),
        lines(places),
        lines(programs.iter().map(rank)),
    );
}

/// What an op does besides sending and receiving.
fn work(index: usize, op: &Op, place: impl Fn(Span) -> (usize, usize)) -> Vec<String> {
    let on = |what: &str, span: Span| {
        let (from, to) = place(span);
        format!("(\"{what}\", {index}, {from}, {to})")
    };
    let alone = |what: &str| format!("(\"{what}\", {index})");
    let Marks { pre, post } = op.marks;
    let add = |span| on(if pre { "add-own" } else { "add" }, span);
    let mut steps = Vec::new();
    match op.action {
        Action::Nop => {}
        Action::Send { src, .. } | Action::Copy { src, .. } => {
            steps.push(on("take", src));
            steps.extend(pre.then(|| alone("prepare")));
        }
        Action::Reduce { src, dst } => steps.extend([on("take", dst), add(src)]),
        Action::Recv { .. } | Action::RecvCopySend { .. } => {}
        Action::RecvReduce { src, .. }
        | Action::RecvReduceSend { src, .. }
        | Action::RecvReduceCopySend { src, .. } => steps.push(add(src)),
    }
    steps.extend(post.then(|| alone("finish")));
    steps.extend(op.action.dst().map(|dst| on("put", dst)));
    steps
}
