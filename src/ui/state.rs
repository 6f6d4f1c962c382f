//! What the player shows: one value, changed by one function.
//!
//! The scenario says what should run; the trace, simulated or recorded from workers, says what did;
//! the playhead says which moment of it is shown. Everything else follows.

use super::params::Edit;
use super::playhead::Playhead;
use super::scenario::{Notice, Prepared, Scenario, View};
use super::score::{Act, Score};
use super::shared::Shared;
use super::take::{Origin, Take};
use super::transport::Action;
use crate::engine::Rank;
use crate::engine::trace::Clock;
use crate::runtime::outcome::{Progress, RunFault, RunResult};
use std::rc::Rc;
use yew::Reducible;

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Running {
    /// Nothing runs.
    No,
    /// One run, to be recorded.
    Once,
    /// Over and over, to be measured.
    Repeating,
    /// No longer: the last run is ended, and its result checked, which may take seconds.
    Stopping,
}

/// The player.
#[derive(Clone, PartialEq)]
pub struct Player {
    /// What should run.
    pub scenario: Scenario,
    /// What was wrong with it when it was read.
    pub notices: Vec<Notice>,
    /// The scenario, checked, and what workers did, if they ran this very scenario.
    pub take: Take,
    /// What is shown.
    pub act: Act,
    /// Its steps.
    pub score: Shared<Score>,
    /// The clock that is shown: the chosen one, or rounds while nothing has been measured.
    pub clock: Clock,
    /// The moment that is shown, on that clock.
    pub head: Playhead,
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
    /// A part of the app has a sentence for the reader.
    Said(String),
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
    /// The runs that repeat are to end.
    Stopping,
    /// A run is under way.
    Progress(Shared<Prepared>, Progress),
    /// A run was read from a file.
    Opened(Box<(Scenario, RunResult, Option<Origin>)>),
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
        let take = Take::new(prepared);
        let (act, score, clock) = show(&take, &scenario);
        let mut player = Player {
            take,
            act,
            score,
            clock,
            head: Playhead::default(),
            running: Running::No,
            progress: None,
            fault: None,
            scenario,
            notices,
        };
        player.seek_step();
        player
    }

    /// Goes to the step that the scenario names.
    fn seek_step(&mut self) {
        self.head.jump(self.score.time(self.scenario.view.step));
    }

    /// Steps that are over.
    pub fn step(&self) -> usize {
        self.score.over(self.head.time)
    }

    /// Whether real workers ran what is shown.
    pub fn is_recorded(&self) -> bool {
        self.take.recorded.is_some()
    }

    /// Whether the recorded trace is too coarse for the measured clock: less than ten ticks a step.
    pub fn too_coarse(&self) -> Option<f64> {
        let recorded = self.take.recorded.as_ref()?;
        let steps = self.score.steps().max(1) as f64;
        let coarse = recorded.first_us / steps < 10.0 * recorded.resolution_us;
        (self.scenario.view.clock == Clock::Measured && coarse).then_some(recorded.resolution_us)
    }

    fn rescaled(&mut self) {
        let before = self.score.clone();
        (self.act, self.score, self.clock) = show(&self.take, &self.scenario);
        self.head.rescale(&before, &self.score);
    }

    fn change_scenario(&mut self, scenario: Scenario, notices: Vec<Notice>) {
        self.notices = notices;
        if self.scenario.runs_as(&scenario) {
            let moved = self.scenario.view.step != scenario.view.step;
            let rescaled = self.scenario.view.clock != scenario.view.clock
                || self.scenario.view.topology != scenario.view.topology;
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
        match action {
            Action::Speed(speed) => self.scenario.view.speed = speed,
            Action::Loop(looped) => self.scenario.view.looped = looped,
            _ => {}
        }
        if self.head.act(action, &self.score) {
            self.scenario.view.step = self.step();
        }
    }

    /// Shows a run that was read from a file, in the language and theme of now.
    fn open(&mut self, (scenario, run, origin): (Scenario, RunResult, Option<Origin>)) {
        let View { lang, theme, .. } = self.scenario.view;
        let running = self.running.clone();
        let scenario = Scenario { view: View { lang, theme, ..scenario.view }, ..scenario };
        *self = Player { running, ..Player::new(scenario, Vec::new()) };
        self.take.recorded = Some(Shared::new(run));
        self.take.origin = origin.map(Shared::new);
        self.rescaled();
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
                self.take.recorded = Some(Shared::new(result));
                self.take.origin = None;
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
            Msg::Said(sentence) => next.notices.push(Notice::Said(sentence)),
            Msg::Dismiss(index) if index < next.notices.len() => {
                next.notices.remove(index);
            }
            Msg::Dismiss(_) => next.fault = None,
            Msg::Transport(action) => next.transport(action),
            Msg::Tick { elapsed_ms, whole_steps } => {
                let View { speed, looped, .. } = next.scenario.view;
                next.head.tick(elapsed_ms, whole_steps, speed, looped, &next.score);
                next.scenario.view.step = next.step();
            }
            Msg::Seek(time) => {
                next.head.seek(time, &next.score);
                next.scenario.view.step = next.step();
            }
            Msg::Select(rank) => next.scenario.view.selected = rank,
            Msg::Started(running) => {
                next.running = running;
                next.fault = None;
                next.progress = None;
            }
            Msg::Stopping if next.running == Running::Repeating => {
                next.running = Running::Stopping;
            }
            Msg::Stopping => {}
            Msg::Progress(of, progress)
                if matches!(next.running, Running::Repeating | Running::Stopping)
                    && of == next.take.prepared =>
            {
                next.progress = Some(Shared::new(progress));
            }
            Msg::Progress(..) => {}
            Msg::Opened(opened) => next.open(*opened),
            Msg::Ended(of, result) => next.ended(of == next.take.prepared, *result),
        }
        Rc::new(next)
    }
}

/// What is shown on the chosen clock, its steps, and the clock that it is really on.
fn show(take: &Take, scenario: &Scenario) -> (Act, Shared<Score>, Clock) {
    let (replay, clock) = take.replay(scenario.view.clock, scenario.view.topology);
    let act = Act { prepared: take.prepared.clone(), replay, starts: 0.0 };
    let score = Score::new([std::slice::from_ref(&act)]);
    (act, Shared::new(score), clock)
}
