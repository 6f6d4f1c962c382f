//! Where in a score the reader is.

use super::score::Score;
use super::transport::Action;

/// How long one step takes at normal speed, in milliseconds.
pub const STEP_MS: f64 = 620.0;

/// The moment that is shown, and whether it moves by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playhead {
    /// The moment, on the score's clock.
    pub time: f64,
    /// Where time has got to while only whole steps are shown.
    ahead: f64,
    /// Whether time goes on by itself.
    pub playing: bool,
}

impl Playhead {
    /// Shows this moment, and leaves alone whether time goes on.
    pub fn jump(&mut self, time: f64) {
        (self.time, self.ahead) = (time, time);
    }

    /// Shows this moment and stays there.
    pub fn seek(&mut self, time: f64, score: &Score) {
        self.jump(time.clamp(0.0, score.end));
        self.playing = false;
    }

    /// Does what a button or key of the transport asks for; says whether the moment is another.
    pub fn act(&mut self, action: Action, score: &Score) -> bool {
        let (step, steps) = (score.over(self.time), score.steps());
        let fine = score.end / (10 * steps.max(1)) as f64;
        let between = self.time > score.time(step);
        let target = match action {
            Action::PlayPause => return self.act(Action::Play(!self.playing), score),
            Action::Play(play) => {
                let again = play && !self.playing && self.time >= score.end;
                self.playing = play && steps > 0;
                again.then_some(0.0)
            }
            Action::Step(step) => Some(score.time(step.min(steps))),
            Action::Back if between => Some(score.time(step)),
            Action::Back => Some(score.time(step.saturating_sub(1))),
            Action::Forward => Some(score.time((step + 1).min(steps))),
            Action::PhaseBack => Some(score.time(score.phase_start(step))),
            Action::PhaseForward => Some(score.time(score.phase_end(step))),
            Action::FineBack => Some((self.time - fine).max(0.0)),
            Action::FineForward => Some((self.time + fine).min(score.end)),
            Action::Start | Action::Restart => Some(0.0),
            Action::End => Some(score.end),
            Action::Speed(_) | Action::Loop(_) | Action::Help => None,
        };
        if let Some(time) = target {
            self.jump(time);
            self.playing &= matches!(action, Action::Play(_) | Action::Restart);
        }
        target.is_some()
    }

    /// Lets time go on by some milliseconds at this speed, round and round in `looped` (first and
    /// last step, from 1). With `whole_steps` the picture changes only where a step is over.
    pub fn tick(
        &mut self,
        elapsed_ms: f64,
        whole_steps: bool,
        speed: f64,
        looped: Option<(usize, usize)>,
        score: &Score,
    ) {
        let rate = score.end / (score.steps().max(1) as f64 * STEP_MS) * speed;
        let base = if whole_steps { self.ahead.max(self.time) } else { self.time };
        let mut now = base + elapsed_ms * rate;
        let (from, to) = match looped {
            Some((first, last)) => (score.time(first - 1), score.time(last)),
            None => (0.0, score.end),
        };
        if now >= to {
            let again = looped.is_some() && from < to;
            now = if again { from + (now - to) % (to - from) } else { to };
            self.playing = again;
        }
        self.ahead = now;
        self.time = if whole_steps { score.time(score.over(now)) } else { now };
    }

    /// Moves from one clock to another: to the same share of the same step.
    pub fn rescale(&mut self, from: &Score, to: &Score) {
        let step = from.over(self.time);
        let (start, end) = (from.time(step), from.time(step + 1));
        let between = ((self.time - start) / (end - start).max(1e-9)).clamp(0.0, 1.0);
        let (start, end) = (to.time(step), to.time(step + 1));
        self.jump(start + (end - start) * between);
    }
}
