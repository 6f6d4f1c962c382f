//! A run in the trace-event format, which Perfetto and Chromium's tracing page read.
//!
//! A rank is a process, a lane one of its threads, an op a slice in which the parts of the op that
//! the trace tells apart lie as slices of their own: waiting for a message, working on it, sending.
//! A message is a flow from the slice that sends it to the slice that receives it. Times are
//! microseconds; on the clock of rounds, which has none, a round is a millisecond. Processes and
//! threads count from 1: to many readers 0 is the idle process, which they do not show.
//!
//! Source: the document "Trace Event Format" of Chromium's tracing project.

use crate::engine::memory::Lengths;
use crate::engine::schedule::{Op, Schedule};
use crate::engine::trace::{Clock, OpTimes, Timing};
use serde_json::{Value, json};

/// Microseconds that stand for one round.
const ROUND_US: f64 = 1000.0;

/// A run, in words and in times.
pub struct Run<'a> {
    /// What ran.
    pub schedule: &'a Schedule,
    /// Elements of every chunk.
    pub lengths: &'a Lengths,
    /// Bytes of an element on the wire.
    pub element_bytes: usize,
    /// When each op happened.
    pub timing: &'a Timing,
    /// On which clock.
    pub clock: Clock,
    /// What else a reader of the file should know, by name.
    pub about: Value,
}

/// The run as the text of a trace file.
pub fn trace_events(run: &Run) -> String {
    let mut events = Vec::new();
    for (rank, program) in run.schedule.programs.iter().enumerate() {
        let actor = match run.schedule.is_switch(rank) {
            true => "switch".to_string(),
            false => format!("rank {rank}"),
        };
        events.push(metadata("process_name", rank, 0, json!({ "name": actor })));
        events.push(metadata("process_sort_index", rank, 0, json!({ "sort_index": rank })));
        for lane in 0..program.lanes {
            let called = json!({ "name": format!("lane {lane}") });
            events.push(metadata("thread_name", rank, lane, called));
        }
        for (op, times) in program.ops.iter().zip(&run.timing[rank]) {
            slices(run, rank, op, times, &mut events);
        }
    }
    for (id, message) in run.schedule.messages().iter().enumerate() {
        let end = |ph: &str, rank: usize, op: usize, at: f64| {
            let lane = run.schedule.programs[rank].ops[op].lane;
            json!({
                "ph": ph, "bp": "e", "id": id, "cat": "message", "name": "message",
                "pid": rank + 1, "tid": lane + 1, "ts": at,
            })
        };
        // A flow begins in the slice that sends and ends in the one that works on what came.
        let sent = &run.timing[message.from][message.send_op];
        let received = &run.timing[message.to][message.recv_op];
        events.push(end("s", message.from, message.send_op, run.at(parts(sent).sending.0)));
        let taken = received.received.unwrap_or(received.reached);
        events.push(end("f", message.to, message.recv_op, run.at(taken)));
    }
    let file = json!({
        "displayTimeUnit": "ns",
        "otherData": run.about,
        "traceEvents": events,
    });
    file.to_string()
}

impl Run<'_> {
    /// A time of the run's clock in microseconds.
    fn at(&self, time: f64) -> f64 {
        if self.clock == Clock::Rounds { time * ROUND_US } else { time }
    }
}

/// What a process or a thread is called, and where it stands.
fn metadata(what: &str, rank: usize, lane: usize, args: Value) -> Value {
    json!({
        "ph": "M", "cat": "__metadata", "name": what, "pid": rank + 1, "tid": lane + 1, "ts": 0,
        "args": args,
    })
}

/// From when to when.
type Stretch = (f64, f64);

/// The parts of an op, one after the other; what it does not do takes no time.
struct Parts {
    waiting: Stretch,
    working: Stretch,
    sending: Stretch,
}

fn parts(times: &OpTimes) -> Parts {
    let received = times.received.unwrap_or(times.reached);
    let applied = times.applied.unwrap_or(received);
    let sent = times.sent.unwrap_or(applied);
    Parts {
        waiting: (times.reached, received),
        working: (received, applied),
        sending: (applied, sent),
    }
}

/// The slice of an op, with its parts in it.
fn slices(run: &Run, rank: usize, op: &Op, times: &OpTimes, events: &mut Vec<Value>) {
    let slice = |name: &str, (from, to): Stretch, args: Value| {
        let (ts, dur) = (run.at(from), run.at(to) - run.at(from));
        json!({
            "ph": "X", "name": name, "cat": op.phase.title(), "pid": rank + 1, "tid": op.lane + 1,
            "ts": ts, "dur": dur, "args": args,
        })
    };
    let span = op.action.src().or(op.action.dst());
    let labels = span
        .map_or(Vec::new(), |span| run.schedule.labels(rank, span.buffer)[span.chunks()].to_vec());
    let elements: usize = labels.iter().map(|&label| run.lengths.range(label).len()).sum();
    let (from, to) = (op.action.from(), op.action.to());
    let about = json!({
        "what": op.action.to_string(), "phase": op.phase.title(), "round": op.round,
        "chunks": labels, "bytes": elements * run.element_bytes,
        "from": from.map(|peer| peer.rank), "to": to.map(|peer| peer.rank),
    });
    let Parts { waiting, working, sending } = parts(times);
    events.push(slice(op.action.name(), (times.reached, times.ended()), about));
    if let Some(from) = from {
        events.push(slice(&format!("wait for rank {}", from.rank), waiting, json!({})));
        events.push(slice("work", working, json!({})));
    }
    if let (Some(_), Some(to)) = (from, to) {
        events.push(slice(&format!("send to rank {}", to.rank), sending, json!({})));
    }
}
