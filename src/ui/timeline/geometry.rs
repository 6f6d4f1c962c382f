//! Where everything on the track goes: a pure function of a replay and a width in pixels.
//!
//! From the top: phase bands, one lane per rank, the axis with a dot at the end of every step, and
//! its labels. A lane has two rows: above what leaves the rank, below what arrives at it, and where
//! nothing arrives although the rank waits, the wait. Time runs from [`Track::left`] to
//! [`Track::right`].

use super::rows::{self, Piece, Row, Rules};
use crate::engine::collective::Verb;
use crate::engine::replay::Replay;
use crate::engine::schedule::Schedule;
use crate::engine::trace::Clock;
use crate::engine::{Label, Rank};
use crate::ui::layout::hue;
use crate::ui::text::units;

pub use super::rows::{Bar, Kind};

/// Narrower than this the track is a phone's: lanes are named by bare numbers.
const NARROW: f64 = 520.0;
/// Height of the phase bands, and what is free below them.
const BAND: f64 = 16.0;
const BAND_GAP: f64 = 8.0;
/// Room for all lanes when there are many.
const LANES: f64 = 186.0;
/// Tallest and lowest lane, the gap to the next included.
const LANE: (f64, f64) = (30.0, 11.0);
/// From the last lane to the axis, and from the axis to the bottom edge.
const AXIS_GAP: f64 = 10.0;
const AXIS_LABELS: f64 = 24.0;
/// Least distance between two labels of the axis.
const NUMBER_SPACE: f64 = 20.0;
const TIME_SPACE: f64 = 76.0;
/// What can be told apart and drawn at 60 frames a second: most bars, and most waits, of all lanes.
const MOST_BARS: usize = 1000;
const MOST_WAITS: usize = 160;
/// Most steps that still get a dot each.
const MOST_DOTS: usize = 120;
/// A wait shorter than this is not worth a pattern.
const LEAST_WAIT: f64 = 5.0;

/// Consecutive steps of one phase; `first` and `last` count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The verb these steps are a part of.
    pub verb: Verb,
    /// Its first step.
    pub first: usize,
    /// Its last step.
    pub last: usize,
}

/// The phases of a run, in order.
pub fn phases(replay: &Replay) -> Vec<Phase> {
    let mut phases: Vec<Phase> = Vec::new();
    for (index, step) in replay.steps.iter().enumerate() {
        match phases.last_mut() {
            Some(last) if last.verb == step.phase => last.last = index + 1,
            _ => phases.push(Phase { verb: step.phase, first: index + 1, last: index + 1 }),
        }
    }
    phases
}

/// The step that runs at `time`, or has just ended; 0 at the beginning.
pub fn step_at(replay: &Replay, time: f64) -> usize {
    let over = replay.steps_over(time);
    let begun = over < replay.steps.len() && time > replay.step_time(over);
    over + usize::from(begun)
}

/// A phase's band.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Its verb.
    pub verb: Verb,
    /// Left edge.
    pub x: f64,
    /// Width.
    pub width: f64,
    /// The verb's title, cut to the width; empty when not even two letters fit.
    pub text: String,
}

/// A rank's lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lane {
    /// Top of what leaves.
    pub top: f64,
    /// Height of both rows.
    pub height: f64,
}

/// A label of the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// A step's number, in the middle of the step.
    Step(usize),
    /// A time in microseconds.
    Time(f64),
}

/// The geometry of a track, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
    /// Where time 0 is.
    pub left: f64,
    /// Where the end is.
    pub right: f64,
    /// The end, in the clock's unit; 0 when nothing happens.
    pub end: f64,
    /// Whether lanes are named by bare numbers.
    pub narrow: bool,
    /// Where the lanes begin.
    pub top: f64,
    /// Where the axis is.
    pub axis: f64,
    /// One per rank.
    pub lanes: Vec<Lane>,
    /// One per phase.
    pub bands: Vec<Band>,
    /// Messages and waits, rank by rank.
    pub bars: Vec<Bar>,
    /// The dots of the axis: the beginning and the end of every step.
    pub dots: Vec<f64>,
    /// Its labels.
    pub marks: Vec<(f64, Mark)>,
}

impl Track {
    /// Lays out `replay`, a run of `schedule` on `clock`, over `width` pixels.
    pub fn new(schedule: &Schedule, replay: &Replay, clock: Clock, width: f64) -> Track {
        let ranks = schedule.programs.len();
        let narrow = width < NARROW;
        let (left, margin) = if narrow { (34.0, 10.0) } else { (64.0, 12.0) };
        let pitch = (LANES / ranks.max(1) as f64).clamp(LANE.1, LANE.0);
        let top = BAND + BAND_GAP;
        let height = pitch - if pitch < LANE.0 { 2.0 + (pitch / 20.0).floor() } else { 6.0 };
        let lane = |rank: Rank| Lane { top: top + rank as f64 * pitch, height };
        let axis = top + ranks as f64 * pitch + AXIS_GAP;
        let mut track = Track {
            width,
            height: axis + AXIS_LABELS,
            left,
            right: (width - margin).max(left + 1.0),
            end: replay.end.max(0.0),
            narrow,
            top,
            axis,
            lanes: (0..ranks).map(lane).collect(),
            bands: Vec::new(),
            bars: Vec::new(),
            dots: Vec::new(),
            marks: Vec::new(),
        };
        track.bands = track.bands(replay);
        track.bars = track.bars(schedule, replay);
        track.dots = track.dots(replay);
        track.marks = match clock {
            Clock::Rounds => track.numbers(replay),
            Clock::Measured | Clock::Modelled => track.times(),
        };
        track
    }

    /// Where `time` is.
    pub fn x(&self, time: f64) -> f64 {
        let share = if self.end > 0.0 { (time / self.end).clamp(0.0, 1.0) } else { 0.0 };
        self.left + share * (self.right - self.left)
    }

    /// The time at `x`; outside the track its nearest end.
    pub fn time_at(&self, x: f64) -> f64 {
        let share = (x - self.left) / (self.right - self.left);
        self.end * share.clamp(0.0, 1.0)
    }

    fn bands(&self, replay: &Replay) -> Vec<Band> {
        let band = |phase: Phase| {
            let x = self.x(replay.step_time(phase.first - 1));
            let end = self.x(replay.step_time(phase.last));
            let width = (end - x - 2.0).max(1.0);
            let text = fitting(phase.verb.title(), width - 14.0, 6.8);
            Band { verb: phase.verb, x, width, text }
        };
        phases(replay).into_iter().map(band).collect()
    }

    fn dots(&self, replay: &Replay) -> Vec<f64> {
        let all = replay.steps.len();
        let every = all.div_ceil(MOST_DOTS).max(1);
        let shown = (0..=all).filter(|step| step % every == 0 || *step == all);
        shown.map(|step| self.x(replay.step_time(step))).collect()
    }

    /// Step numbers, where there is room for them.
    fn numbers(&self, replay: &Replay) -> Vec<(f64, Mark)> {
        let mut marks = Vec::new();
        let mut free = f64::NEG_INFINITY;
        for step in 1..=replay.steps.len() {
            let (from, to) = (replay.step_time(step - 1), replay.step_time(step));
            let x = (self.x(from) + self.x(to)) / 2.0;
            if x >= free {
                marks.push((x, Mark::Step(step)));
                free = x + NUMBER_SPACE;
            }
        }
        marks
    }

    /// Round times.
    fn times(&self) -> Vec<(f64, Mark)> {
        let most = ((self.right - self.left) / TIME_SPACE).floor().max(1.0);
        let Some(step) = nice(self.end / most) else { return Vec::new() };
        let count = (self.end / step).floor() as usize;
        // Multiplied rather than added up: 3 x 0.1 is printed as 0.3.
        (0..=count).map(|k| k as f64 * step).map(|t| (self.x(t), Mark::Time(t))).collect()
    }

    fn bars(&self, schedule: &Schedule, replay: &Replay) -> Vec<Bar> {
        let ranks = self.lanes.len();
        let mut leaving: Vec<Vec<Piece>> = vec![Vec::new(); ranks];
        let mut arriving: Vec<Vec<Piece>> = vec![Vec::new(); ranks];
        for flight in &replay.flights {
            let (from, to) = (self.x(flight.departs), self.x(flight.arrives));
            for &label in &flight.labels {
                let piece = Piece { from, to, step: flight.step, label };
                leaving[flight.message.from].push(piece);
                arriving[flight.message.to].push(piece);
            }
        }
        let name = |labels: &[Label]| units::chunk_names(&schedule.collective, labels);
        let bounds = (self.left, self.right);
        let hue = |label: Label| hue(&schedule.collective, label);
        let most = MOST_BARS / (2 * ranks.max(1));
        let rules = Rules { bounds, most, name: &name, hue: &hue };
        let mut bars = Vec::new();
        for (rank, lane) in self.lanes.iter().enumerate() {
            let (upper, gap) =
                ((lane.height * 0.63).round(), if lane.height > 12.0 { 1.0 } else { 0.5 });
            let above = Row { rank, kind: Kind::Leaving, y: lane.top, height: upper };
            let (y, height) = (lane.top + upper + gap, lane.height - upper - gap);
            let below = Row { rank, kind: Kind::Arriving, y, height };
            rows::messages(&mut leaving[rank], above, &rules, &mut bars);
            let waits = self.waits(schedule, replay, rank, &arriving[rank]);
            let waiting = Row { kind: Kind::Waiting, ..below };
            rows::waits(waits, waiting, MOST_WAITS / ranks.max(1), &mut bars);
            rows::messages(&mut arriving[rank], below, &rules, &mut bars);
        }
        bars
    }

    /// When a lane of `rank` waits and nothing is on its way to the rank: the message is not even
    /// sent.
    fn waits(
        &self,
        schedule: &Schedule,
        replay: &Replay,
        rank: Rank,
        arriving: &[Piece],
    ) -> Vec<(f64, f64)> {
        let mut waits = Vec::new();
        for (op, times) in schedule.programs[rank].ops.iter().zip(&replay.timing[rank]) {
            if let (Some(_), Some(received)) = (op.action.from(), times.received) {
                waits.push((self.x(times.reached), self.x(received)));
            }
        }
        let arriving = rows::union(arriving.iter().map(|p| (p.from, p.to)).collect());
        let mut shown = rows::minus(&rows::union(waits), &arriving);
        shown.retain(|(from, to)| to - from >= LEAST_WAIT);
        shown
    }

    /// SVG elements the picture needs beside the playhead.
    pub fn nodes(&self) -> usize {
        let texts = self.bars.iter().filter(|bar| !bar.text.is_empty()).count();
        let bars = self.bars.len() + texts;
        // A band is a group of title, ground and text; a lane of ground, title, target and name.
        let rest = self.bands.len() * 4 + self.lanes.len() * 5;
        bars + rest + self.dots.len() + self.marks.len() * 2
    }
}

/// `text`, cut with an ellipsis to `room` pixels at `per_letter` pixels each.
pub(super) fn fitting(text: &str, room: f64, per_letter: f64) -> String {
    let letters = (room / per_letter).floor().max(0.0) as usize;
    let count = text.chars().count();
    match letters {
        _ if count <= letters => text.to_string(),
        0..=2 => String::new(),
        _ => text.chars().take(letters - 1).chain("…".chars()).collect(),
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`; `None` for 0.
pub(super) fn nice(least: f64) -> Option<f64> {
    if !(least.is_finite() && least > 0.0) {
        return None;
    }
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&step| step >= least * (1.0 - 1e-9))
}
