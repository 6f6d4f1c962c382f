//! What these pages show: one value, changed by one function.

use super::compared::{Comparison, comparisons};
use super::link::{Link, Moment, Remark, Topic};
use super::side::{Side, sides};
use crate::engine::Rank;
use crate::engine::collective::Verb;
use crate::engine::trace::Clock;
use crate::runtime::outcome::RunFault;
use crate::ui::params::Edit;
use crate::ui::playhead::Playhead;
use crate::ui::scenario::{Page, Scenario, View, read_loop, read_step};
use crate::ui::score::{Act, Score};
use crate::ui::shared::Shared;
use crate::ui::transport::Action;
use std::rc::Rc;
use yew::Reducible;

/// What is shown.
#[derive(Clone, PartialEq)]
pub struct Show {
    /// What the address says.
    pub link: Link,
    /// What was wrong with it.
    pub remarks: Vec<Remark>,
    /// What stands side by side.
    pub sides: Vec<Side>,
    /// The calls of each side on the clock.
    pub acts: Vec<Vec<Act>>,
    /// The steps of all of them.
    pub score: Shared<Score>,
    /// The clock that is shown.
    pub clock: Clock,
    /// The moment that is shown.
    pub head: Playhead,
    /// Whether both sides are equal.
    pub comparisons: Shared<Vec<Comparison>>,
    /// Whether workers are at work.
    pub running: bool,
    /// Why the last run yielded nothing.
    pub fault: Option<RunFault>,
}

/// What can happen.
pub enum Msg {
    /// Another address was opened.
    Open(String),
    /// A field was changed by hand, of one of a pair, or of the one scenario there is.
    Edit(usize, Edit),
    /// Another experiment was chosen, on this verb.
    Choose(Topic, Verb),
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
    /// Workers have been set to work.
    Started,
    /// They have ended, without anything that is shown here; or with a fault.
    Stopped(Option<RunFault>),
    /// Workers have run these sides, and now they hold what was recorded.
    Ended(Vec<Side>, Box<Result<Vec<Side>, RunFault>>),
}

impl Show {
    /// What a fragment of `page` shows, paused at its step.
    pub fn open(page: Page, fragment: &str) -> Show {
        let (link, moment, remarks) = Link::parse(page, fragment);
        let mut show = Show::new(link, remarks);
        show.go_to(&moment);
        show
    }

    /// What a link shows, at the beginning.
    fn new(link: Link, remarks: Vec<Remark>) -> Show {
        let (link, sides) = match sides(&link) {
            Ok(sides) => (link, sides),
            Err(_) => {
                let first = Link { topic: Topic::Halves, scenario: Scenario::default() };
                let sides = sides(&first).unwrap_or_else(|_| unreachable!("a ring can be had"));
                (first, sides)
            }
        };
        let mut show = Show {
            link,
            remarks,
            sides,
            acts: Vec::new(),
            score: Shared::new(Score::default()),
            clock: Clock::Rounds,
            head: Playhead::default(),
            comparisons: Shared::new(Vec::new()),
            running: false,
            fault: None,
        };
        show.lay_out();
        show
    }

    /// Puts the sides on the clock that is chosen, or on rounds if one of them is not measured yet.
    fn lay_out(&mut self) {
        let View { clock, topology, .. } = self.link.scenario.view;
        let clock =
            if clock == Clock::Measured && !self.is_recorded() { Clock::Rounds } else { clock };
        let laid = self.sides.iter().map(|side| side.acts(clock, topology));
        let (acts, clocks): (Vec<_>, Vec<_>) = laid.unzip();
        self.clock = clocks.into_iter().next().unwrap_or(clock);
        let before = self.score.clone();
        self.score = Shared::new(Score::new(acts.iter().map(Vec::as_slice)));
        self.head.rescale(&before, &self.score);
        self.comparisons = Shared::new(comparisons(&self.link.topic, &self.sides, &acts));
        self.acts = acts;
    }

    /// Goes to the step, and into the loop, that a link names.
    fn go_to(&mut self, moment: &Moment) {
        let steps = self.score.steps();
        let mut say = |found: Vec<_>| self.remarks.extend(found.into_iter().map(|n| (None, n)));
        if let Some(raw) = &moment.step {
            let (step, found) = read_step(raw, steps);
            say(found);
            self.link.scenario.view.step = step;
            self.head.jump(self.score.time(step));
        }
        if let Some(raw) = &moment.looped {
            let (looped, found) = read_loop(raw, steps);
            say(found);
            self.link.scenario.view.looped = looped;
        }
    }

    /// Whether workers ran all that is shown.
    pub fn is_recorded(&self) -> bool {
        self.sides.iter().all(Side::is_recorded)
    }

    /// Steps that are over.
    pub fn step(&self) -> usize {
        self.score.over(self.head.time)
    }

    /// The scenario of a side that the reader can change.
    pub fn scenario(&self, side: usize) -> Scenario {
        match &self.link.topic {
            Topic::Pair(pair) => {
                let View { clock, topology, .. } = self.link.scenario.view;
                let own = &pair[side.min(1)];
                Scenario { view: View { clock, topology, ..own.view }, ..own.clone() }
            }
            _ => self.link.scenario.clone(),
        }
    }

    /// Shows something else, unless it runs the same.
    fn change(&mut self, link: Link, remarks: Vec<Remark>) {
        let same = |a: &Link, b: &Link| a.topic == b.topic && a.scenario.runs_as(&b.scenario);
        let running = self.running;
        if same(&self.link, &link) {
            (self.link, self.remarks) = (link, remarks);
            self.lay_out();
        } else {
            *self = Show { running, ..Show::new(link, remarks) };
            self.head.jump(self.score.time(self.link.scenario.view.step));
            self.link.scenario.view.step = self.step();
        }
    }

    fn edit(&mut self, side: usize, edit: Edit) {
        let edited = |s: &Scenario| match &edit {
            Edit::Field(field, raw) => s.edit(field, raw),
            Edit::Row(rank, raw) => s.edit_row(*rank, raw),
        };
        let mut link = self.link.clone();
        let mut remarks: Vec<Remark> = Vec::new();
        match &mut link.topic {
            Topic::Pair(pair) if !matches!(edit, Edit::Field("clock" | "links", _)) => {
                let (scenario, found) = edited(&pair[side]);
                pair[side] = scenario;
                // Other steps, other loop.
                link.scenario.view = View { step: 0, looped: None, ..link.scenario.view };
                remarks.extend(found.into_iter().map(|notice| (Some(side), notice)));
            }
            _ => {
                let (scenario, found) = edited(&link.scenario);
                link.scenario = scenario;
                remarks.extend(found.into_iter().map(|notice| (None, notice)));
            }
        }
        let (link, settled) = link.settled();
        remarks.extend(settled);
        self.change(link, remarks);
    }

    /// Chooses an experiment. A schedule that is turned round stays where it is: its messages fly
    /// back from there.
    fn choose(&mut self, topic: Topic, verb: Verb) {
        let turns =
            matches!((&self.link.topic, &topic), (Topic::Reversal { .. }, Topic::Reversal { .. }))
                && self.link.scenario.verb == verb
                && self.link.topic != topic;
        let share = if turns { 1.0 - self.head.time / self.score.end.max(1e-9) } else { 0.0 };
        let (link, remarks) = self.link.about(topic, verb);
        self.change(link, remarks);
        if turns {
            self.head.jump(share * self.score.end);
            self.link.scenario.view.step = self.step();
        }
    }
}

impl Reducible for Show {
    type Action = Msg;

    fn reduce(self: Rc<Self>, msg: Msg) -> Rc<Self> {
        let mut next = Rc::unwrap_or_clone(self);
        match msg {
            Msg::Open(fragment) => {
                let (link, moment, remarks) = Link::parse(next.link.page(), &fragment);
                next.change(link, remarks);
                next.head.seek(0.0, &next.score);
                next.go_to(&moment);
            }
            Msg::Edit(side, edit) => next.edit(side, edit),
            Msg::Choose(topic, verb) => next.choose(topic, verb),
            Msg::Dismiss(index) if index < next.remarks.len() => drop(next.remarks.remove(index)),
            Msg::Dismiss(_) => next.fault = None,
            Msg::Transport(action) => {
                match action {
                    Action::Speed(speed) => next.link.scenario.view.speed = speed,
                    Action::Loop(looped) => next.link.scenario.view.looped = looped,
                    _ => {}
                }
                if next.head.act(action, &next.score) {
                    next.link.scenario.view.step = next.step();
                }
            }
            Msg::Tick { elapsed_ms, whole_steps } => {
                let View { speed, looped, .. } = next.link.scenario.view;
                next.head.tick(elapsed_ms, whole_steps, speed, looped, &next.score);
                next.link.scenario.view.step = next.step();
            }
            Msg::Seek(time) => {
                next.head.seek(time, &next.score);
                next.link.scenario.view.step = next.step();
            }
            Msg::Select(rank) => next.link.scenario.view.selected = rank,
            Msg::Started => (next.running, next.fault) = (true, None),
            Msg::Stopped(fault) => {
                next.running = false;
                next.fault = fault.filter(|fault| *fault != RunFault::Cancelled);
            }
            Msg::Ended(of, result) => {
                next.running = false;
                match *result {
                    Ok(recorded) if of == next.sides => {
                        next.sides = recorded;
                        next.lay_out();
                    }
                    Ok(_) | Err(RunFault::Cancelled) => {}
                    Err(fault) => next.fault = Some(fault),
                }
            }
        }
        Rc::new(next)
    }
}
