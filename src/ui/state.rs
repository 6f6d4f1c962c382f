//! What the player shows: one value, changed by one function.
//!
//! The scenario says what should run; the trace, simulated or recorded from workers, says what did;
//! the playhead says which moment of it is shown. Everything else follows.

use super::params::Edit;
use super::scenario::{Notice, Prepared, Scenario};
use super::shared::Shared;
use super::transport::Action;
use crate::engine::Rank;
use crate::engine::cost::{event, rounds};
use crate::engine::replay::Replay;
use crate::engine::simulate::simulate;
use crate::engine::trace::{Clock, Trace};
use crate::runtime::outcome::{Progress, RunFault, RunResult};
use std::rc::Rc;
use yew::Reducible;

/// How long one step takes at normal speed, in milliseconds.
const STEP_MS: f64 = 620.0;

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Running {
    /// Nothing runs.
    No,
    /// One run, to be recorded.
    Once,
    /// Over and over, to be measured.
    Repeating,
}

/// The player.
#[derive(Clone, PartialEq)]
pub struct Player {
    /// What should run.
    pub scenario: Scenario,
    /// What was wrong with it when it was read.
    pub notices: Vec<Notice>,
    /// The scenario, checked.
    pub prepared: Shared<Prepared>,
    /// The simulator's trace: its order and values, without a clock.
    simulated: Shared<Trace>,
    /// What workers did, if they ran this very scenario.
    pub recorded: Option<Shared<RunResult>>,
    /// What is shown.
    pub replay: Shared<Replay>,
    /// The clock that is shown: the chosen one, or rounds while nothing has been measured.
    pub clock: Clock,
    /// The moment that is shown, on that clock.
    pub time: f64,
    /// Where time has got to while only whole steps are shown.
    ahead: f64,
    /// Whether time goes on by itself.
    pub playing: bool,
    /// Whether workers are at work.
    pub running: Running,
    /// How far the current or last repeated run is.
    pub progress: Option<Shared<Progress>>,
    /// Why the last run yielded nothing.
    pub fault: Option<RunFault>,
}

/// What can happen to the player.
pub enum Msg {
    /// Another scenario was opened by its URL.
    Scenario(Box<Scenario>, Vec<Notice>),
    /// Something was changed by hand.
    Edit(Edit),
    /// The reader has read a notice.
    Dismiss(usize),
    /// A button or key of the transport.
    Transport(Action),
    /// This many milliseconds went by while playing; with reduced motion time moves by whole steps.
    Tick {
        /// Milliseconds since the last tick.
        elapsed_ms: f64,
        /// Whether to show whole steps only.
        whole_steps: bool,
    },
    /// Show this moment.
    Seek(f64),
    /// Look at this rank.
    Select(Rank),
    /// A run was started.
    Started(Running),
    /// A run is under way.
    Progress(Shared<Prepared>, Progress),
    /// A run of this scenario has ended.
    Ended(Shared<Prepared>, Box<Result<RunResult, RunFault>>),
}

impl Player {
    /// The player for a scenario, paused at its step; a scenario that cannot be had is replaced by
    /// the first visit's.
    pub fn new(scenario: Scenario, notices: Vec<Notice>) -> Player {
        let (scenario, prepared) = match scenario.prepare() {
            Ok(prepared) => (scenario, prepared),
            Err(_) => {
                let fallback = Scenario::default();
                match fallback.prepare() {
                    Ok(prepared) => (fallback, prepared),
                    Err(_) => unreachable!("the first visit's scenario can be had"),
                }
            }
        };
        let simulated = Shared::new(simulated(&prepared));
        let (replay, clock) = show(&prepared, &simulated, None, &scenario);
        let mut player = Player {
            prepared: Shared::new(prepared),
            simulated,
            recorded: None,
            replay,
            clock,
            time: 0.0,
            ahead: 0.0,
            playing: false,
            running: Running::No,
            progress: None,
            fault: None,
            scenario,
            notices,
        };
        player.seek_step();
        player
    }

    /// Goes to the step that the scenario names; a step or loop beyond the end is said so.
    fn seek_step(&mut self) {
        let (scenario, notices) = self.scenario.within(self.replay.steps.len());
        self.scenario = scenario;
        self.notices.extend(notices);
        self.time = self.replay.step_time(self.scenario.step);
        self.ahead = self.time;
    }

    /// Steps that are over.
    pub fn step(&self) -> usize {
        self.replay.steps_over(self.time)
    }

    /// First and last step of the phase that is shown, from 1.
    pub fn phase(&self) -> Option<(usize, usize)> {
        let at = self.step().min(self.replay.steps.len().checked_sub(1)?);
        let phase = self.replay.steps.get(at)?.phase;
        let mut of = self.replay.steps.iter().enumerate().filter(|(_, step)| step.phase == phase);
        let first = of.next()?.0 + 1;
        Some((first, of.next_back().map_or(first, |(last, _)| last + 1)))
    }

    /// How much of the clock's time goes by in a millisecond of playing.
    pub fn rate(&self) -> f64 {
        let steps = self.replay.steps.len().max(1) as f64;
        self.replay.end / (steps * STEP_MS) * self.scenario.speed
    }

    /// Whether real workers ran what is shown.
    pub fn is_recorded(&self) -> bool {
        self.recorded.is_some()
    }

    /// Whether the recorded trace is too coarse for the measured clock: less than ten ticks a step.
    pub fn too_coarse(&self) -> Option<f64> {
        let recorded = self.recorded.as_ref()?;
        let steps = self.replay.steps.len().max(1) as f64;
        let coarse = recorded.first_us / steps < 10.0 * recorded.resolution_us;
        (self.scenario.clock == Clock::Measured && coarse).then_some(recorded.resolution_us)
    }

    fn rescaled(&mut self) {
        let step = self.step();
        let between = match self.replay.steps.get(step) {
            Some(next) => {
                let start = self.replay.step_time(step);
                ((self.time - start) / (next.ends - start).max(1e-9)).clamp(0.0, 1.0)
            }
            None => 0.0,
        };
        let recorded = self.recorded.as_deref();
        (self.replay, self.clock) = show(&self.prepared, &self.simulated, recorded, &self.scenario);
        let (start, end) = (self.replay.step_time(step), self.replay.step_time(step + 1));
        self.time = if between == 0.0 { start } else { start + (end - start) * between };
    }

    fn change_scenario(&mut self, scenario: Scenario, notices: Vec<Notice>) {
        self.notices = notices;
        if same_run(&self.scenario, &scenario) {
            let moved = self.scenario.step != scenario.step;
            let rescaled = self.scenario.clock != scenario.clock
                || self.scenario.topology != scenario.topology;
            self.scenario = scenario;
            if rescaled {
                self.rescaled();
            }
            if moved {
                self.seek_step();
            }
        } else {
            let notices = std::mem::take(&mut self.notices);
            let running = self.running.clone();
            *self = Player { running, ..Player::new(scenario, notices) };
        }
    }

    fn transport(&mut self, action: Action) {
        let (step, steps) = (self.step(), self.replay.steps.len());
        let phase_start = |at: usize| {
            let phase = self.replay.steps.get(at).map(|s| s.phase);
            (0..=at)
                .rev()
                .take_while(|&i| self.replay.steps.get(i).map(|s| s.phase) == phase)
                .last()
        };
        let fine = self.replay.end / (10 * steps.max(1)) as f64;
        let between = self.time > self.replay.step_time(step);
        let target = match action {
            Action::PlayPause => {
                let at_end = self.time >= self.replay.end;
                self.playing = !self.playing && steps > 0;
                if self.playing && at_end { Some(0.0) } else { None }
            }
            Action::Back if between => Some(self.replay.step_time(step)),
            Action::Back => Some(self.replay.step_time(step.saturating_sub(1))),
            Action::Forward => Some(self.replay.step_time((step + 1).min(steps))),
            Action::PhaseBack => {
                let before = phase_start(step.saturating_sub(1)).unwrap_or(0);
                Some(self.replay.step_time(before))
            }
            Action::PhaseForward => {
                let phase = self.replay.steps.get(step).map(|s| s.phase);
                let same = |i: &usize| self.replay.steps.get(*i).map(|s| s.phase) == phase;
                let end = (step..steps).take_while(same).last().map_or(steps, |last| last + 1);
                Some(self.replay.step_time(end))
            }
            Action::FineBack => Some((self.time - fine).max(0.0)),
            Action::FineForward => Some((self.time + fine).min(self.replay.end)),
            Action::Start | Action::Restart => Some(0.0),
            Action::End => Some(self.replay.end),
            Action::Speed(speed) => {
                self.scenario.speed = speed;
                None
            }
            Action::Loop(looped) => {
                self.scenario.looped = looped;
                None
            }
            Action::Help => None,
        };
        if let Some(time) = target {
            (self.time, self.ahead) = (time, time);
            self.playing &= matches!(action, Action::PlayPause | Action::Restart);
            self.scenario.step = self.step();
        }
    }

    /// Lets time go on. With `whole_steps` the picture changes only where a step is over.
    fn tick(&mut self, elapsed_ms: f64, whole_steps: bool) {
        let base = if whole_steps { self.ahead.max(self.time) } else { self.time };
        let mut now = base + elapsed_ms * self.rate();
        let (from, to) = match self.scenario.looped {
            Some((from, to)) => (self.replay.step_time(from), self.replay.step_time(to)),
            None => (0.0, self.replay.end),
        };
        if now >= to {
            let again = self.scenario.looped.is_some() && from < to;
            now = if again { from + (now - to) % (to - from) } else { to };
            self.playing = again;
        }
        self.ahead = now;
        self.time =
            if whole_steps { self.replay.step_time(self.replay.steps_over(now)) } else { now };
        self.scenario.step = self.step();
    }

    /// A run has ended; `current` says whether it was of the scenario that is still shown.
    fn ended(&mut self, current: bool, result: Result<RunResult, RunFault>) {
        self.running = Running::No;
        match result {
            Ok(_) if !current => {}
            Ok(result) => {
                // Some rates are known only now.
                if let Some(progress) = &self.progress {
                    let counters = result.counters.clone();
                    self.progress =
                        Some(Shared::new(Progress { counters, ..(**progress).clone() }));
                }
                self.recorded = Some(Shared::new(result));
                self.rescaled();
            }
            Err(RunFault::Cancelled) => {}
            Err(fault) => self.fault = Some(fault),
        }
    }
}

impl Reducible for Player {
    type Action = Msg;

    fn reduce(self: Rc<Self>, msg: Msg) -> Rc<Self> {
        let mut next = Rc::unwrap_or_clone(self);
        match msg {
            Msg::Scenario(scenario, notices) => next.change_scenario(*scenario, notices),
            Msg::Edit(edit) => {
                let (scenario, notices) = match edit {
                    Edit::Field(field, raw) => next.scenario.edit(field, &raw),
                    Edit::Row(rank, raw) => next.scenario.edit_row(rank, &raw),
                };
                next.change_scenario(scenario, notices);
            }
            Msg::Dismiss(index) if index < next.notices.len() => {
                next.notices.remove(index);
            }
            Msg::Dismiss(_) => next.fault = None,
            Msg::Transport(action) => next.transport(action),
            Msg::Tick { elapsed_ms, whole_steps } => next.tick(elapsed_ms, whole_steps),
            Msg::Seek(time) => {
                next.time = time.clamp(0.0, next.replay.end);
                next.ahead = next.time;
                next.playing = false;
                next.scenario.step = next.step();
            }
            Msg::Select(rank) => next.scenario.selected = rank,
            Msg::Started(running) => {
                next.running = running;
                next.fault = None;
                next.progress = None;
            }
            Msg::Progress(of, progress)
                if next.running == Running::Repeating && of == next.prepared =>
            {
                next.progress = Some(Shared::new(progress));
            }
            Msg::Progress(..) => {}
            Msg::Ended(of, result) => next.ended(of == next.prepared, *result),
        }
        Rc::new(next)
    }
}

/// Whether both scenarios run the same: they differ at most in how it is shown.
fn same_run(a: &Scenario, b: &Scenario) -> bool {
    let core = |s: &Scenario| Scenario {
        clock: Clock::Rounds,
        topology: Scenario::default().topology,
        step: 0,
        looped: None,
        speed: 1.0,
        selected: 0,
        lang: None,
        theme: None,
        ..s.clone()
    };
    core(a) == core(b)
}

/// The trace of the page's own simulator.
fn simulated(prepared: &Prepared) -> Trace {
    simulate(&prepared.schedule, &prepared.preview(), 0).trace
}

/// The replay for the chosen clock, and the clock that it is really on.
fn show(
    prepared: &Prepared,
    simulated: &Trace,
    recorded: Option<&RunResult>,
    scenario: &Scenario,
) -> (Shared<Replay>, Clock) {
    let measured = recorded.and_then(|r| r.trace.as_ref());
    let base = measured.unwrap_or(simulated);
    let trace = match (scenario.clock, measured) {
        (Clock::Measured, Some(trace)) => trace.clone(),
        (Clock::Modelled, _) => {
            let size = prepared.run.reduction.dtype.size_bytes();
            let timing =
                event::timing(&prepared.schedule, &prepared.lengths, size, scenario.topology);
            base.retimed(&prepared.schedule, Clock::Modelled, &timing)
        }
        _ => {
            let timing = rounds::in_chunks(&prepared.schedule).timing;
            base.retimed(&prepared.schedule, Clock::Rounds, &timing)
        }
    };
    let clock = trace.clock;
    (Shared::new(Replay::new(&prepared.schedule, &prepared.run, &trace)), clock)
}
