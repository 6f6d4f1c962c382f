//! A trace made ready to be looked at: what every chunk holds at any time, and what is under way.
//!
//! Everything on screen is a pure function of (replay, time). A [`Replay`] walks through the trace
//! once and keeps, for every cell of every card, the history of its states; [`Cell::at`] looks one
//! moment up. Stepping back is as cheap as stepping forward.

mod walk;

use super::collective::Verb;
use super::cost::rounds;
use super::memory::Lengths;
use super::reduce::plain::Number;
use super::schedule::{Message, Schedule};
use super::simulate::Run;
use super::trace::{Timing, Trace};
use super::{Label, Rank, distinct};
use walk::Walk;

/// What a chunk holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The first elements.
    pub values: Vec<Number>,
    /// Whose contributions it holds, ascending.
    pub from: Vec<Rank>,
}

/// A cell of a rank's card at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct CellState {
    /// Since when it has been so.
    pub since: f64,
    /// What it holds; `None` while it is empty.
    pub contents: Option<Contents>,
    /// Whether this is what the verb asks this rank to end with.
    pub is_final: bool,
}

/// A cell of a rank's card: one chunk and its history.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Whose card.
    pub rank: Rank,
    /// 0 is the card's first row; AllToAll and Shift have a second one for what has arrived.
    pub row: usize,
    /// The chunk's label.
    pub label: Label,
    /// Position within the row.
    pub column: usize,
    /// Number of elements.
    pub elements: usize,
    /// Contributions a finished chunk holds.
    pub complete: usize,
    /// All states, oldest first; never empty.
    history: Vec<CellState>,
}

impl Cell {
    /// The state at `time`.
    pub fn at(&self, time: f64) -> &CellState {
        let after = self.history.partition_point(|state| state.since <= time);
        &self.history[after.saturating_sub(1)]
    }

    /// The state in which it first holds what the verb asks for, if it ever does.
    pub fn finished(&self) -> Option<&CellState> {
        self.history.iter().find(|state| state.is_final)
    }
}

/// One message and its journey.
#[derive(Clone, Debug)]
pub struct Flight {
    /// Which message of the schedule.
    pub message: Message,
    /// The labels it carries.
    pub labels: Vec<Label>,
    /// What each of its chunks holds.
    pub contents: Vec<Contents>,
    /// Contributions a finished chunk holds.
    pub complete: usize,
    /// Number of elements.
    pub elements: usize,
    /// The verb it is a part of.
    pub phase: Verb,
    /// The step in which it arrives, from 1.
    pub step: usize,
    /// When it was sent.
    pub departs: f64,
    /// When it was taken.
    pub arrives: f64,
}

/// What an op did with a chunk: one line of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When.
    pub time: f64,
    /// Where it happened.
    pub rank: Rank,
    /// The op.
    pub op: usize,
    /// The sender, if the chunk was received.
    pub from: Option<Rank>,
    /// Which chunk.
    pub label: Label,
    /// What came in (or, for local work, was read first).
    pub incoming: Contents,
    /// The rank's own operand, if it was reduced.
    pub own: Option<Contents>,
    /// What came out.
    pub result: Contents,
    /// Contributions a finished chunk holds.
    pub complete: usize,
    /// The step it belongs to, from 1; 0 for what happens before any message arrives.
    pub step: usize,
}

/// A step: the messages that arrive in one round of the rounds model.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The verb these messages are a part of.
    pub phase: Verb,
    /// Which step of its phase, from 1.
    pub round: usize,
    /// Steps of its phase.
    pub rounds: usize,
    /// When the first of its messages was sent.
    pub starts: f64,
    /// When the last of its messages had arrived and been worked on.
    pub ends: f64,
}

/// A run, ready to be looked at.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Cells, by rank, row and column.
    pub cells: Vec<Cell>,
    /// Messages, by departure.
    pub flights: Vec<Flight>,
    /// The log, by time.
    pub entries: Vec<Entry>,
    /// The steps; a run without messages has none.
    pub steps: Vec<Step>,
    /// When each op happened.
    pub timing: Timing,
    /// When everything is over.
    pub end: f64,
}

/// Rows of a rank's card: two where what arrives must not cover what was there, because the labels
/// or ranks of both differ.
pub fn card_rows(verb: Verb) -> usize {
    if matches!(verb, Verb::AllToAll | Verb::Shift) { 2 } else { 1 }
}

/// What a rank's lane is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activity {
    /// It waits for the message of this op.
    Waiting(usize),
    /// It works on this op.
    Working(usize),
    /// All its ops have ended.
    Ended,
}

impl Replay {
    /// Walks through `trace`, a run of `schedule` on `run`.
    pub fn new(schedule: &Schedule, run: &Run, trace: &Trace) -> Replay {
        let lengths = Lengths::new(&schedule.collective, &run.tensor);
        let timing = trace.timing(schedule);
        let arrivals = rounds::in_chunks(schedule).timing;
        let mut walk = Walk::new(schedule, run, &lengths, &arrivals);
        for event in &trace.events {
            walk.event(event);
        }
        let mut flights = walk.flights(trace, &timing, &lengths);
        let end = trace.end();
        let (cells, mut entries) = (walk.cells, walk.entries);
        number_steps(&arrival_rounds(schedule, &arrivals), &mut flights, &mut entries);
        let steps = steps(&flights, &timing, end);
        Replay { cells, flights, entries, steps, timing, end }
    }

    /// The time at which `step` steps are over; 0 is the beginning.
    pub fn step_time(&self, step: usize) -> f64 {
        match step.checked_sub(1) {
            None => 0.0,
            Some(index) => self.steps.get(index).map_or(self.end, |s| s.ends),
        }
    }

    /// How many steps are over at `time`.
    pub fn steps_over(&self, time: f64) -> usize {
        self.steps.iter().take_while(|step| step.ends <= time).count()
    }

    /// The cells of one rank's card, by row and column.
    pub fn cells_of(&self, rank: Rank) -> &[Cell] {
        let first = self.cells.partition_point(|cell| cell.rank < rank);
        let rest = &self.cells[first..];
        &rest[..rest.partition_point(|cell| cell.rank == rank)]
    }

    /// Since when `rank`'s card has looked as it does at `time`: it changes only when a cell does.
    pub fn card_since(&self, rank: Rank, time: f64) -> f64 {
        self.cells_of(rank).iter().map(|cell| cell.at(time).since).fold(0.0, f64::max)
    }

    /// The messages under way at `time`.
    pub fn under_way(&self, time: f64) -> impl Iterator<Item = &Flight> {
        let sent = self.flights.iter().take_while(move |f| f.departs <= time);
        sent.filter(move |f| time < f.arrives)
    }

    /// What each lane of `rank` is doing at `time`.
    pub fn activity(&self, schedule: &Schedule, rank: Rank, time: f64) -> Vec<Activity> {
        let program = &schedule.programs[rank];
        let lane = |lane: usize| {
            let mut ops = program.ops.iter().enumerate().filter(|(_, op)| op.lane == lane);
            // At the very beginning nothing has happened, not even what takes no time.
            let begun = time > 0.0 || self.end <= 0.0;
            let open = |index: usize| !begun || self.timing[rank][index].ended() > time;
            match ops.find(|&(index, _)| open(index)) {
                None => Activity::Ended,
                Some((index, op)) => {
                    let received = self.timing[rank][index].received;
                    let waits = op.action.from().is_some() && received.is_none_or(|t| t > time);
                    if waits { Activity::Waiting(index) } else { Activity::Working(index) }
                }
            }
        };
        (0..program.lanes).map(lane).collect()
    }
}

/// How many steps the replay of any complete run of `schedule` has.
pub fn steps_of(schedule: &Schedule) -> usize {
    arrival_rounds(schedule, &rounds::in_chunks(schedule).timing).len()
}

/// The rounds in which messages arrive, ascending; a round in which nothing arrives is no step.
fn arrival_rounds(schedule: &Schedule, arrivals: &Timing) -> Vec<usize> {
    let arrival = |message: Message| arrivals[message.to][message.recv_op].received;
    let rounds = schedule.messages().into_iter().filter_map(arrival);
    distinct(rounds.map(|round| round as usize).collect())
}

/// The walk names steps by the round they end in, one of `rounds`.
fn number_steps(rounds: &[usize], flights: &mut [Flight], entries: &mut [Entry]) {
    let number = |round| if round == 0 { 0 } else { rounds.partition_point(|&r| r < round) + 1 };
    flights.iter_mut().for_each(|flight| flight.step = number(flight.step));
    entries.iter_mut().for_each(|entry| entry.step = number(entry.step));
}

/// Groups flights into steps.
fn steps(flights: &[Flight], timing: &Timing, end: f64) -> Vec<Step> {
    let count = flights.iter().map(|f| f.step).max().unwrap_or(0);
    let mut steps: Vec<Step> = Vec::with_capacity(count);
    let mut over = 0.0f64;
    for number in 1..=count {
        let arriving = || flights.iter().filter(move |f| f.step == number);
        let Some(first) = arriving().next() else { continue };
        let landed = |f: &Flight| timing[f.message.to][f.message.recv_op].applied;
        let ends = arriving().map(|f| landed(f).unwrap_or(f.arrives)).fold(over, f64::max);
        let starts = arriving().map(|f| f.departs).fold(f64::INFINITY, f64::min);
        let before = steps.iter().filter(|s| s.phase == first.phase).count();
        let (phase, round) = (first.phase, before + 1);
        steps.push(Step { phase, round, rounds: 0, starts, ends });
        over = ends;
    }
    for index in 0..steps.len() {
        let phase = steps[index].phase;
        steps[index].rounds = steps.iter().filter(|s| s.phase == phase).count();
    }
    if let Some(last) = steps.last_mut() {
        last.ends = end;
    }
    steps
}
