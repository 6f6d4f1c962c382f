//! Which step a moment of a replay belongs to.

use crate::engine::replay::{Flight, Replay};

/// A moment, as far as words can tell moments apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The step under way, or the last one that is over; 0 before the first.
    pub step: usize,
    /// How far it is.
    pub stage: Stage,
    /// Messages of later steps that are already on their way.
    pub more: usize,
}

/// How far the step of a [`Moment`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// No step has begun.
    Start,
    /// Its messages are on their way.
    UnderWay,
    /// Its messages have landed.
    Landed,
    /// It was the last one, and everything is over.
    Over,
}

impl Moment {
    /// The moment at `time`, on the replay's clock.
    pub fn at(replay: &Replay, time: f64) -> Moment {
        let over = replay.steps_over(time);
        let rests = over > 0 && replay.steps.get(over - 1).is_some_and(|last| last.ends == time);
        let begun = !rests && replay.steps.get(over).is_some_and(|next| next.starts < time);
        let (step, stage) = match (begun, over) {
            (true, _) => (over + 1, Stage::UnderWay),
            (false, 0) => (0, Stage::Start),
            (false, _) if over == replay.steps.len() => (over, Stage::Over),
            (false, _) => (over, Stage::Landed),
        };
        let later = |flight: &&Flight| flight.departs < time && flight.step > step;
        Moment { step, stage, more: replay.under_way(time).filter(later).count() }
    }
}
