//! A rank's program in plain words, one line for every thing an op does.

use super::{combine, completed};
use crate::engine::Rank;
use crate::engine::collective::Buffer;
use crate::engine::reduce::{MeanKind, ReduceOp};
use crate::engine::replay::Activity;
use crate::engine::schedule::{Action, Op, Span};
use crate::ui::scenario::Prepared;
use crate::ui::text::Lang;
use crate::ui::text::actor::actor;
use crate::ui::text::units::chunk_names;
use std::ops::Range;

/// A program of up to so many lines is shown whole.
const LINES: usize = 24;
/// So many lines of a lane are shown, however many lanes there are.
const LANE_LINES: usize = 3;

/// What a line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It waits until another lane has come so far.
    WaitsForLane,
    /// It waits for a message from this rank and takes it.
    Receives(Rank),
    /// It works in the rank's own memory.
    Works,
    /// It sends.
    Sends,
}

/// A line of a program. Lines of a fused op follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The op, by its place in the rank's program.
    pub op: usize,
    /// What it does.
    pub does: Does,
    /// The same in words: `recv c0 ← rank 1`.
    pub text: String,
}

/// How a line stands at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its turn has not come.
    Ahead,
    /// Its message has not come.
    Waiting,
    /// It is being executed.
    Running,
    /// It has been executed.
    Over,
}

/// How `line` stands while its lane does `activity`.
pub fn state(line: &Line, activity: Activity) -> State {
    let receives = matches!(line.does, Does::Receives(_));
    match activity {
        Activity::Waiting(op) if line.op == op && receives => State::Waiting,
        Activity::Working(op) if line.op == op => {
            // Its message has come, and with it whatever it had to wait for.
            if receives || line.does == Does::WaitsForLane { State::Over } else { State::Running }
        }
        Activity::Waiting(op) | Activity::Working(op) if line.op >= op => State::Ahead,
        _ => State::Over,
    }
}

/// Which lines of a lane are shown when not all of a program's `total` lines are: those around the
/// first one that is not over.
pub fn window(states: &[State], total: usize, lanes: usize) -> Range<usize> {
    if total <= LINES {
        return 0..states.len();
    }
    let most = (LINES / lanes.max(1)).max(LANE_LINES);
    let at = states.iter().position(|&state| state != State::Over).unwrap_or(states.len());
    let start = at.saturating_sub(most / 2).min(states.len().saturating_sub(most));
    start..(start + most).min(states.len())
}

/// `rank`'s program, lane by lane.
pub fn program(prepared: &Prepared, rank: Rank) -> Vec<Vec<Line>> {
    let Some(program) = prepared.schedule.programs.get(rank) else { return Vec::new() };
    let mut lanes = vec![Vec::new(); program.lanes];
    for (index, op) in program.ops.iter().enumerate() {
        if let Some(lane) = lanes.get_mut(op.lane) {
            let waits = op.deps.iter().filter_map(|&dep| program.ops.get(dep));
            let waits = waits.map(|dep| (Does::WaitsForLane, format!("wait lane {}", dep.lane)));
            let all = waits.chain(Words { prepared, rank, op }.lines());
            lane.extend(all.map(|(does, text)| Line { op: index, does, text }));
        }
    }
    lanes
}

struct Words<'a> {
    prepared: &'a Prepared,
    rank: Rank,
    op: &'a Op,
}

impl Words<'_> {
    fn lines(&self) -> Vec<(Does, String)> {
        let send = |what: &str, to: Rank| (Does::Sends, format!("send {what} → {}", self.peer(to)));
        let received = self.op.action.from().map(|from| {
            let span = self.op.action.dst().or(self.op.action.src());
            let text = format!("recv {} ← {}", self.chunks(span), self.peer(from.rank));
            (Does::Receives(from.rank), text)
        });
        let mut lines: Vec<(Does, String)> = received.into_iter().collect();
        match self.op.action {
            Action::Send { src, to } => lines.push(send(&self.own(src), to.rank)),
            Action::Recv { .. } => {}
            Action::RecvCopySend { dst, to, .. } => {
                lines.push(send(&self.chunks(Some(dst)), to.rank));
            }
            Action::RecvReduce { src, dst, .. } => lines.push(self.reduced(Some(dst), src)),
            Action::RecvReduceSend { src, to, .. } => {
                lines.push(self.reduced(None, src));
                lines.push(send("t", to.rank));
            }
            Action::RecvReduceCopySend { src, dst, to, .. } => {
                lines.push(self.reduced(Some(dst), src));
                lines.push(send(&self.chunks(Some(dst)), to.rank));
            }
            Action::Copy { src, dst } => {
                let (from, to) = (buffer(src.buffer), buffer(dst.buffer));
                let text = format!("copy {}: {from} → {to}", self.completed(self.own(src)));
                lines.push((Does::Works, text));
            }
            Action::Reduce { src, dst } => {
                let own = format!("{} {}", buffer(src.buffer), self.own(src));
                let into = self.chunks(Some(dst));
                let value = self.completed(combine(self.reduction(), &into, &own));
                lines.push((Does::Works, format!("{into} = {value}")));
            }
            Action::Nop => lines.push((Does::Works, "nop".into())),
        }
        lines
    }

    /// `c0 = c0 + received`; what is only passed on is called `t`.
    fn reduced(&self, dst: Option<Span>, src: Span) -> (Does, String) {
        let into = dst.map_or("t".into(), |dst| self.chunks(Some(dst)));
        let value = combine(self.reduction(), &self.own(src), "received");
        (Does::Works, format!("{into} = {}", self.completed(value)))
    }

    /// Programs are in English in every language.
    fn peer(&self, rank: Rank) -> String {
        actor(Lang::En, self.prepared.schedule.collective.ranks, rank)
    }

    fn reduction(&self) -> ReduceOp {
        self.prepared.run.reduction.op
    }

    fn chunks(&self, span: Option<Span>) -> String {
        let Some(span) = span else { return String::new() };
        let labels = self.prepared.schedule.labels(self.rank, span.buffer);
        let labels = labels.get(span.chunks()).unwrap_or_default();
        chunk_names(&self.prepared.schedule.collective, labels)
    }

    /// The operand that a mean may scale first.
    fn own(&self, src: Span) -> String {
        let chunks = self.chunks(Some(src));
        match self.reduction() {
            ReduceOp::Mean(MeanKind::PreScale) if self.op.marks.pre => {
                format!("{chunks} × 1/{}", self.prepared.run.reduction.ranks)
            }
            _ => chunks,
        }
    }

    fn completed(&self, value: String) -> String {
        let reduction = &self.prepared.run.reduction;
        if self.op.marks.post { completed(reduction, value) } else { value }
    }
}

fn buffer(buffer: Buffer) -> &'static str {
    match buffer {
        Buffer::Input => "input",
        Buffer::Output => "output",
        Buffer::Scratch => "scratch",
    }
}
