//! Calls over one clock, and the steps they make.

use super::scenario::Prepared;
use super::shared::Shared;
use crate::engine::replay::{Replay, Step};

/// One call of what is shown: what runs, how it went, and when it begins on the common clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    /// What runs.
    pub prepared: Shared<Prepared>,
    /// How it went, from 0.
    pub replay: Shared<Replay>,
    /// When it begins, in the unit of the clock.
    pub starts: f64,
}

impl Act {
    /// When it is over.
    pub fn ends(&self) -> f64 {
        self.starts + self.replay.end
    }

    /// The step that is under way or has just ended at `time` of the common clock; before it
    /// begins the first, and afterwards the last.
    pub fn step(&self, time: f64) -> Option<&Step> {
        let (replay, time) = (&self.replay, time - self.starts);
        let over = replay.steps_over(time);
        let runs = time > replay.step_time(over);
        let at = if runs { over } else { over.saturating_sub(1) };
        replay.steps.get(at).or(replay.steps.last())
    }
}

/// When the steps and phases of what is shown are over, whoever's they are. Step k of the score is
/// over when k of its times have passed.
///
/// Example, on the clock of rounds: a ring AllReduce over 4 ranks beside a ReduceScatter and an
/// AllGather that follow each other. All six steps end together, so the score has six, and both a
/// phase and a call end with the third.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// When each step is over, ascending.
    ends: Vec<f64>,
    /// How many steps are over where a phase is, ascending; the last is the number of steps.
    phases: Vec<usize>,
    /// When everything is over.
    pub end: f64,
}

impl Score {
    /// The score of several sides over one clock, each a list of calls that follow each other.
    pub fn new<'a>(sides: impl IntoIterator<Item = &'a [Act]>) -> Score {
        let mut score = Score::default();
        let mut turns: Vec<f64> = Vec::new();
        for side in sides {
            let mut ends: Vec<f64> = Vec::new();
            for act in side {
                let steps = &act.replay.steps;
                for (at, step) in steps.iter().enumerate() {
                    ends.push(act.starts + step.ends);
                    if steps.get(at + 1).is_none_or(|next| next.phase != step.phase) {
                        turns.push(act.starts + step.ends);
                    }
                }
                score.end = score.end.max(act.ends());
            }
            // Steps of two sides that end together are one; those of one side stay apart.
            ends.retain(|end| !score.ends.contains(end));
            score.ends.append(&mut ends);
        }
        score.ends.sort_by(f64::total_cmp);
        score.phases = turns.into_iter().map(|turn| score.over(turn)).collect();
        score.phases.sort_unstable();
        score.phases.dedup();
        score
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.ends.len()
    }

    /// The time at which `step` steps are over; 0 is the beginning.
    pub fn time(&self, step: usize) -> f64 {
        match step.checked_sub(1) {
            None => 0.0,
            Some(index) => self.ends.get(index).copied().unwrap_or(self.end),
        }
    }

    /// How many steps are over at `time`.
    pub fn over(&self, time: f64) -> usize {
        self.ends.partition_point(|&end| end <= time)
    }

    /// The step that runs at `time`, or has just ended; 0 at the beginning.
    pub fn at(&self, time: f64) -> usize {
        let over = self.over(time);
        over + usize::from(over < self.steps() && time > self.time(over))
    }

    /// Steps that are over where the phase begins that comes to its end with `step`, or later.
    pub fn phase_start(&self, step: usize) -> usize {
        let before = self.phases.partition_point(|&end| end < step);
        before.checked_sub(1).map_or(0, |index| self.phases[index])
    }

    /// Steps that are over where the phase ends that is under way when `step` steps are over.
    pub fn phase_end(&self, step: usize) -> usize {
        let after = self.phases.partition_point(|&end| end <= step);
        self.phases.get(after).copied().unwrap_or(self.steps())
    }

    /// First and last step, from 1, of the phase that is under way when `step` steps are over.
    pub fn phase(&self, step: usize) -> Option<(usize, usize)> {
        let step = step.min(self.steps().checked_sub(1)?);
        Some((self.phase_start(step + 1) + 1, self.phase_end(step)))
    }
}
