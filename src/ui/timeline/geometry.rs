//! Where everything on the track goes: a pure function of calls and a width in pixels.
//!
//! From the top: phase bands, one lane per rank, the axis with a dot at the end of every step, and
//! its labels. A lane has two rows: above what leaves the rank, below what arrives at it, and where
//! nothing arrives although the rank waits, the wait. Time runs from [`Track::left`] to
//! [`Track::right`].

use super::rows::{self, Interval, Piece, Row, Rules};
use crate::engine::collective::Verb;
use crate::engine::replay::Replay;
use crate::engine::trace::Clock;
use crate::engine::{Label, Rank};
use crate::ui::layout::hue;
use crate::ui::score::Act;
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
/// Width of a digit on the axis, and what is free between two numbers; least distance of two times.
const DIGIT: f64 = 6.6;
const NUMBER_GAP: f64 = 9.0;
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
    /// How many of the lanes are ranks; the others are switches.
    pub ranks: usize,
    /// One per rank and switch.
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
    /// Lays out calls that follow each other on `clock`, over `width` pixels. All of them have the
    /// ranks and the chunks of the first; the axis goes on to `end`, or to where they end.
    pub fn new(acts: &[Act], end: f64, clock: Clock, width: f64) -> Track {
        let first = acts.first().map(|act| &act.prepared.schedule);
        let actors = first.map_or(0, |schedule| schedule.programs.len());
        let ranks = first.map_or(0, |schedule| schedule.collective.ranks);
        let narrow = width < NARROW;
        // Left of the lanes are their names; a switch has no number to be named by.
        let (left, margin) = match narrow {
            true if actors == ranks => (34.0, 10.0),
            true => (60.0, 10.0),
            false => (64.0, 12.0),
        };
        let pitch = (LANES / actors.max(1) as f64).clamp(LANE.1, LANE.0);
        let top = BAND + BAND_GAP;
        let height = pitch - if pitch < LANE.0 { 2.0 + (pitch / 20.0).floor() } else { 6.0 };
        let lane = |rank: Rank| Lane { top: top + rank as f64 * pitch, height };
        let axis = top + actors as f64 * pitch + AXIS_GAP;
        let mut track = Track {
            width,
            height: axis + AXIS_LABELS,
            left,
            right: (width - margin).max(left + 1.0),
            end: acts.iter().map(Act::ends).fold(end, f64::max),
            narrow,
            top,
            axis,
            ranks,
            lanes: (0..actors).map(lane).collect(),
            bands: Vec::new(),
            bars: Vec::new(),
            dots: Vec::new(),
            marks: Vec::new(),
        };
        track.bands = track.bands(acts);
        track.bars = track.bars(acts);
        let steps = step_times(acts);
        track.dots = track.dots(&steps);
        track.marks = match clock {
            Clock::Rounds => track.numbers(&steps),
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

    fn bands(&self, acts: &[Act]) -> Vec<Band> {
        let band = |act: &Act, phase: Phase| {
            let x = self.x(act.starts + act.replay.step_time(phase.first - 1));
            let end = self.x(act.starts + act.replay.step_time(phase.last));
            let width = (end - x - 2.0).max(1.0);
            let text = fitting(phase.verb.title(), width - 14.0, 6.8);
            Band { verb: phase.verb, x, width, text }
        };
        let phases = |act: &Act| phases(&act.replay);
        acts.iter().flat_map(|act| phases(act).into_iter().map(|p| band(act, p))).collect()
    }

    fn dots(&self, steps: &[f64]) -> Vec<f64> {
        let all = steps.len() - 1;
        let every = all.div_ceil(MOST_DOTS).max(1);
        let shown = (0..=all).filter(|step| step % every == 0 || *step == all);
        shown.map(|step| self.x(steps[step])).collect()
    }

    /// Step numbers: all of them, or round ones where there are too many.
    fn numbers(&self, steps: &[f64]) -> Vec<(f64, Mark)> {
        let all = steps.len() - 1;
        let space = DIGIT * all.to_string().len() as f64 + NUMBER_GAP;
        let most = ((self.right - self.left) / space).floor().max(1.0);
        let every = nice(all as f64 / most).map_or(1, |every| (every as usize).max(1));
        let mut marks = Vec::new();
        let mut free = f64::NEG_INFINITY;
        for step in (every..=all).step_by(every) {
            let x = (self.x(steps[step - 1]) + self.x(steps[step])) / 2.0;
            if x >= free {
                marks.push((x, Mark::Step(step)));
                free = x + space;
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

    fn bars(&self, acts: &[Act]) -> Vec<Bar> {
        let Some(collective) = acts.first().map(|act| act.prepared.schedule.collective) else {
            return Vec::new();
        };
        let ranks = self.lanes.len();
        let mut leaving: Vec<Vec<Piece>> = vec![Vec::new(); ranks];
        let mut arriving: Vec<Vec<Piece>> = vec![Vec::new(); ranks];
        let mut before = 0;
        for act in acts {
            // Flights are ordered by departure, and so are every rank's pieces.
            for flight in &act.replay.flights {
                let at = |time: f64| self.x(act.starts + time);
                let (from, to) = (at(flight.departs), at(flight.arrives));
                for &label in &flight.labels {
                    let piece = Piece { from, to, step: before + flight.step, label };
                    leaving[flight.message.from].push(piece);
                    arriving[flight.message.to].push(piece);
                }
            }
            before += act.replay.steps.len();
        }
        let name = |labels: &[Label]| units::chunk_names(&collective, labels);
        let bounds = (self.left, self.right);
        let hue = |label: Label| hue(&collective, label);
        let most = MOST_BARS / (2 * ranks.max(1));
        let rules = Rules { bounds, most, name: &name, hue: &hue };
        let mut bars = Vec::new();
        for (rank, lane) in self.lanes.iter().enumerate() {
            let (upper, gap) =
                ((lane.height * 0.63).round(), if lane.height > 12.0 { 1.0 } else { 0.5 });
            let above = Row { rank, kind: Kind::Leaving, y: lane.top, height: upper };
            let (y, height) = (lane.top + upper + gap, lane.height - upper - gap);
            let below = Row { rank, kind: Kind::Arriving, y, height };
            rows::messages(&leaving[rank], above, &rules, &mut bars);
            let waits = self.waits(acts, rank, &arriving[rank]);
            let waiting = Row { kind: Kind::Waiting, ..below };
            rows::waits(waits, waiting, MOST_WAITS / ranks.max(1), &mut bars);
            rows::messages(&arriving[rank], below, &rules, &mut bars);
        }
        bars
    }

    /// When a lane of `rank` waits and nothing is on its way to the rank: the message is not even
    /// sent.
    fn waits(&self, acts: &[Act], rank: Rank, arriving: &[Piece]) -> Vec<Interval> {
        let mut waits = Vec::new();
        for Act { prepared, replay, starts } in acts {
            let ops = prepared.schedule.programs[rank].ops.iter();
            for (op, times) in ops.zip(&replay.timing[rank]) {
                if let (Some(_), Some(received)) = (op.action.from(), times.received) {
                    waits.push((self.x(starts + times.reached), self.x(starts + received)));
                }
            }
        }
        let arriving = rows::union(arriving.iter().map(|p| (p.from, p.to)));
        let mut shown = rows::minus(&rows::union(waits.into_iter()), &arriving);
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

/// The beginning, and when each step of the calls is over.
fn step_times(acts: &[Act]) -> Vec<f64> {
    let ends = acts.iter().flat_map(|a| a.replay.steps.iter().map(|step| a.starts + step.ends));
    std::iter::once(0.0).chain(ends).collect()
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
    let power = 10f64.powi(units::magnitude(least));
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&step| step >= least * (1.0 - 1e-9))
}
