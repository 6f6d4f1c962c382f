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
        let numbers = Numbers::new(replay);
        let later = |flight: &&Flight| flight.departs < time && numbers.of(flight.step) > step;
        Moment { step, stage, more: replay.under_way(time).filter(later).count() }
    }
}

/// The numbers of a replay's steps: messages name the round they arrive in, and rounds in which
/// nothing arrives are not steps.
pub struct Numbers(Vec<usize>);

impl Numbers {
    /// The numbers of this replay.
    pub fn new(replay: &Replay) -> Numbers {
        let mut rounds: Vec<usize> = replay.flights.iter().map(|flight| flight.step).collect();
        rounds.sort_unstable();
        rounds.dedup();
        Numbers(rounds)
    }

    /// The step, from 1, in which what arrives in `round` arrives; 0 for what was there before.
    pub fn of(&self, round: usize) -> usize {
        if round == 0 { 0 } else { self.0.partition_point(|&r| r < round) + 1 }
    }
}
