//! A recorded run as a file, and back.
//!
//! The file is JSON: what it is and of which version, where the run was made, the scenario as its
//! link, and what workers did. A file of another build opens as long as its version is known. What
//! is read is held to the schedule of its own scenario, event by event, so that nothing that is
//! drawn from it can go wrong.

use crate::engine::memory::{Layout, Lengths, SAMPLE_PER_CHUNK};
use crate::engine::rank::Moment;
use crate::engine::schedule::{Action, Op, Schedule};
use crate::engine::trace::{Clock, Event, Trace};
use crate::runtime::outcome::RunResult;
use crate::ui::scenario::{Page, Prepared, Scenario, parse};
use crate::ui::take::Origin;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// What a file says it is.
const FORMAT: &str = "ringscope-run";

/// The version that is written, and the newest that is read.
pub const VERSION: u64 = 1;

/// The largest file that is read, in bytes: more than the largest run that is traced takes.
pub const MAX_FILE: usize = 96 << 20;

/// Longest text about where a run was made, in bytes.
const MAX_TEXT: usize = 200;

/// A file, field by field.
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    origin: Origin,
    scenario: String,
    run: RunResult,
}

/// What is looked at first.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u64>,
}

/// A run that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// What ran.
    pub scenario: Scenario,
    /// What workers did.
    pub run: RunResult,
    /// Where.
    pub origin: Origin,
}

/// Why a file cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It has more bytes than are read.
    TooLarge(usize),
    /// It is not JSON; where it ceases to be.
    NotJson {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// It ends too early, in this line.
    CutOff(usize),
    /// It is something else.
    Foreign,
    /// It is of a version that is not known here.
    Future(u64),
    /// A place in it is not as it should be.
    Damaged(String),
}

/// The run as the text of a file.
pub fn write(scenario: &Scenario, run: &RunResult, origin: &Origin) -> String {
    let mut run = run.clone();
    // JSON has no infinity; so large an error is as bad.
    run.verdict.worst = run.verdict.worst.min(f64::MAX);
    let file = File {
        format: FORMAT.to_string(),
        version: VERSION,
        origin: origin.clone(),
        scenario: scenario.fragment(),
        run,
    };
    // Maps with keys that are no texts are all that cannot be written, and there are none.
    serde_json::to_string(&file).unwrap_or_default()
}

/// Reads a file.
///
/// # Errors
/// Why it cannot be opened.
pub fn read(bytes: &[u8]) -> Result<Opened, Unreadable> {
    recognise(bytes, FORMAT, VERSION, MAX_FILE)?;
    let file: File =
        serde_json::from_slice(bytes).map_err(|error| Unreadable::Damaged(error.to_string()))?;
    let damaged = |place: String| Unreadable::Damaged(place);
    let Origin { browser, build, .. } = &file.origin;
    if browser.len() > MAX_TEXT || build.len() > MAX_TEXT {
        return Err(damaged("origin".into()));
    }
    let (page, scenario, notices) = parse(&file.scenario);
    let prepared = scenario.prepare().ok().filter(|_| page == Page::Player && notices.is_empty());
    let prepared = prepared.ok_or_else(|| damaged("scenario".into()))?;
    let run = checked(file.run, &prepared).map_err(damaged)?;
    Ok(Opened { scenario, run, origin: file.origin })
}

/// Whether a file says that it is of this format, of a version up to the newest, and has at most so
/// many bytes.
///
/// # Errors
/// Why it cannot be opened.
pub fn recognise(bytes: &[u8], format: &str, newest: u64, most: usize) -> Result<(), Unreadable> {
    if bytes.len() > most {
        return Err(Unreadable::TooLarge(bytes.len()));
    }
    let head: Head = serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => Unreadable::CutOff(error.line()),
        serde_json::error::Category::Data => Unreadable::Foreign,
        _ => Unreadable::NotJson { line: error.line(), column: error.column() },
    })?;
    match head.version.filter(|_| head.format.as_deref() == Some(format)) {
        None => Err(Unreadable::Foreign),
        Some(version) if version > newest => Err(Unreadable::Future(version)),
        Some(_) => Ok(()),
    }
}

/// A time, or another amount, that can be one.
fn sound(amount: f64) -> bool {
    (0.0..1e15).contains(&amount)
}

/// The run, if it can be one of the schedule; else the place where it cannot.
fn checked(mut run: RunResult, prepared: &Prepared) -> Result<RunResult, String> {
    let Prepared { schedule, lengths, run: asked, .. } = prepared;
    let ranks = schedule.collective.ranks;
    let wrong = |fine: bool, place: &str| if fine { Ok(()) } else { Err(place.to_string()) };
    wrong(sound(run.first_us), "run.first_us")?;
    wrong(sound(run.resolution_us), "run.resolution_us")?;
    wrong(run.verdict.worst >= 0.0, "run.verdict")?;
    wrong(run.counters.len() == ranks, "run.counters")?;
    for (rank, counters) in run.counters.iter().enumerate() {
        let fine = sound(counters.elapsed_us) && sound(counters.reduce_us);
        wrong(fine, &format!("run.counters[{rank}]"))?;
    }
    wrong(run.outputs.len() == ranks, "run.outputs")?;
    for (rank, output) in run.outputs.iter().enumerate() {
        let layout = Layout::new(schedule, rank, lengths, asked.reduction.wire());
        let len = layout.buffer(crate::engine::collective::Buffer::Output).len();
        let fine = output.as_ref().is_none_or(|output| output.len() == len);
        wrong(fine, &format!("run.outputs[{rank}]"))?;
    }
    if let Some(trace) = run.trace.take() {
        let fine = trace.clock == Clock::Measured && sound(trace.resolution);
        wrong(fine, "run.trace")?;
        let size = asked.reduction.sums().size_bytes();
        run.trace = Some(checked_trace(trace, schedule, lengths, size)?);
    }
    Ok(run)
}

/// The moments of an op, in the order in which they come.
fn moments(op: &Op) -> Vec<Moment> {
    let (receives, sends) = (op.action.from().is_some(), op.action.to().is_some());
    let works = !matches!(op.action, Action::Send { .. } | Action::Nop);
    [
        (true, Moment::Reached),
        (receives, Moment::Received),
        (works, Moment::Applied),
        (sends, Moment::Sent),
    ]
    .into_iter()
    .filter_map(|(has, moment)| has.then_some(moment))
    .collect()
}

/// The trace, if every moment of every op is there once, in an order that can be, with as many
/// values as it has; `size` bytes each.
fn checked_trace(
    trace: Trace,
    schedule: &Schedule,
    lengths: &Lengths,
    size: usize,
) -> Result<Trace, String> {
    let mut wanted: Vec<Vec<Vec<Moment>>> =
        schedule.programs.iter().map(|p| p.ops.iter().map(moments).collect()).collect();
    let place = |index: usize| format!("run.trace.events[{index}]");
    let mut numbered = HashSet::new();
    for (index, event) in trace.events.iter().enumerate() {
        let op = schedule.programs.get(event.rank).and_then(|p| p.ops.get(event.op));
        let op = op.ok_or_else(|| place(index))?;
        let moments = &mut wanted[event.rank][event.op];
        // Events of one op stand in their order, because they happened in it.
        let next = moments.first() == Some(&event.what);
        let fresh = numbered.insert((event.rank, event.seq));
        if !next || !fresh || !sound(event.time) || !fits(event, op, schedule, lengths, size) {
            return Err(place(index));
        }
        moments.remove(0);
    }
    if wanted.iter().flatten().any(|left| !left.is_empty()) {
        return Err("run.trace.events".into());
    }
    let Trace { clock, resolution, events, reordered } = trace;
    let ordered = Trace::new(schedule, clock, resolution, events);
    in_order(&ordered, schedule)?;
    Ok(Trace { reordered, ..ordered })
}

/// Whether an event has the values that its moment tells.
fn fits(event: &Event, op: &Op, schedule: &Schedule, lengths: &Lengths, size: usize) -> bool {
    let tells = match event.what {
        Moment::Applied => true,
        Moment::Sent => op.action.from().is_none(),
        Moment::Reached | Moment::Received => false,
    };
    let span = op.action.src().or(op.action.dst()).filter(|_| tells);
    let labels = span.map_or(Vec::new(), |span| {
        schedule.labels(event.rank, span.buffer)[span.chunks()].to_vec()
    });
    let bytes = |&label: &usize| lengths.range(label).len().min(SAMPLE_PER_CHUNK) * size;
    event.values.iter().map(Vec::len).eq(labels.iter().map(bytes))
}

/// Whether no message comes before it is sent.
fn in_order(trace: &Trace, schedule: &Schedule) -> Result<(), String> {
    let senders = schedule.senders();
    let mut sent = HashSet::new();
    for event in &trace.events {
        match (event.what, senders[event.rank][event.op]) {
            (Moment::Sent, _) => drop(sent.insert((event.rank, event.op))),
            (Moment::Received, Some(sender)) if !sent.contains(&sender) => {
                return Err("run.trace.events".into());
            }
            _ => {}
        }
    }
    Ok(())
}

/// A browser by the name and version that its users know, from what it calls itself.
pub fn browser_name(user_agent: &str) -> String {
    // Later ones also name those before, for compatibility.
    let known =
        [("Edg/", "Edge"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Version/", "Safari")];
    let found = known.into_iter().find_map(|(mark, name)| {
        let version = user_agent.split(mark).nth(1)?;
        let major: String = version.chars().take_while(char::is_ascii_digit).collect();
        (!major.is_empty()).then(|| format!("{name} {major}"))
    });
    found.unwrap_or_else(|| user_agent.chars().take(40).collect())
}
