//! The rules of every field: what it may be, and what becomes of a value that it may not be.

mod choices;
mod data;
mod run;

use super::notice::short;
use super::*;
use crate::engine::cost::TOPOLOGIES;
use crate::engine::trace::Clock;
use crate::ui::text::Lang;

/// Every field of the URL, in the order in which they depend on each other.
pub(super) const FIELDS: [Field; 27] = [
    "n",
    "root",
    "type",
    "op",
    "place",
    "algo",
    "channels",
    "ranks-per-node",
    "fold",
    "variant",
    "chunks",
    "segments",
    "acc",
    "size",
    "shape",
    "len",
    "dim",
    "data",
    "via",
    "clock",
    "links",
    "step",
    "loop",
    "speed",
    "rank",
    "lang",
    "theme",
];

/// The names of the three clocks.
pub(super) const CLOCKS: [(&str, Clock); 3] =
    [("rounds", Clock::Rounds), ("measured", Clock::Measured), ("modelled", Clock::Modelled)];

/// The names of [`SPEEDS`].
const SPEED_NAMES: [&str; 7] = ["0.1", "0.25", "0.5", "1", "2", "4", "10"];

/// The step that a link names, where there are `steps` of them, and what is wrong with it.
pub fn read_step(raw: &str, steps: usize) -> (usize, Vec<Notice>) {
    let mut editor = Editor::by_link(Scenario::default());
    let step = editor.number("step", raw, (0, steps), 0);
    (step.unwrap_or(0), editor.notices)
}

/// The loop that a link names, where there are `steps` steps, and what is wrong with it.
pub fn read_loop(raw: &str, steps: usize) -> (Option<(usize, usize)>, Vec<Notice>) {
    let mut editor = Editor::by_link(Scenario::default());
    editor.looped(raw, steps);
    (editor.scenario.view.looped, editor.notices)
}

/// Changes a scenario field by field.
pub(super) struct Editor {
    /// The scenario so far.
    pub scenario: Scenario,
    /// What was wrong so far.
    pub notices: Vec<Notice>,
    /// Whether a number outside its range becomes the nearest one inside; else the field stays.
    nearest: bool,
}

impl Editor {
    /// For a link, which has no value to fall back to but the default.
    pub(super) fn by_link(scenario: Scenario) -> Editor {
        Editor { scenario, notices: Vec::new(), nearest: true }
    }

    /// For a reader, who sees the value that stays.
    pub(super) fn by_hand(scenario: Scenario) -> Editor {
        Editor { scenario, notices: Vec::new(), nearest: false }
    }

    /// Sets one field of [`FIELDS`], or the verb.
    pub(super) fn set(&mut self, field: Field, raw: &str) {
        match field {
            "verb" => self.verb(raw),
            "n" => self.ranks(raw),
            "root" => self.root(raw),
            "type" => self.dtype(raw),
            "op" => self.op(raw),
            "acc" => self.accumulate(raw),
            "place" => self.place(raw),
            "algo" => self.algo(raw),
            "channels" => self.channels(raw),
            "ranks-per-node" => self.ranks_per_node(raw),
            "fold" => self.fold(raw),
            "variant" => self.variant(raw),
            "chunks" => self.chunks(raw),
            "segments" => self.segments(raw),
            "size" => self.size(raw),
            "shape" => self.shape(raw),
            "len" => self.len(raw),
            "dim" => self.dim(raw),
            "data" => self.data(raw),
            "loop" => self.looped(raw, self.scenario.steps()),
            "lang" | "theme" => self.preference(field, raw),
            _ => self.view(field, raw),
        }
        self.settle_owner();
    }

    /// A whole number within `least..=most`; `None` if the field stays at `current`.
    fn number(
        &mut self,
        field: Field,
        raw: &str,
        range: (usize, usize),
        current: usize,
    ) -> Option<usize> {
        let (least, most) = range;
        let (digits, negative) = match raw.trim().strip_prefix(['-', '−']) {
            Some(rest) => (rest, true),
            None => (raw.trim(), false),
        };
        let value = short(raw);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            self.notices.push(Notice::NotWhole { field, value, used: current as u64 });
            return None;
        }
        let nearest = match (negative, digits.parse::<usize>()) {
            (true, _) => least,
            (false, Ok(number)) if (least..=most).contains(&number) => return Some(number),
            (false, Ok(number)) => number.clamp(least, most),
            (false, Err(_)) => most,
        };
        let used = if self.nearest { nearest } else { current } as u64;
        let (least, most) = (least as u64, most as u64);
        self.notices.push(Notice::OutOfRange { field, value, least, most, used });
        self.nearest.then_some(nearest)
    }

    /// One of `choices`; `None` if the field stays at `current`.
    fn choice<T: Copy + PartialEq>(
        &mut self,
        field: Field,
        raw: &str,
        choices: &[(&'static str, T)],
        current: T,
    ) -> Option<T> {
        let found = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(raw.trim()));
        if found.is_none() {
            let allowed = choices.iter().map(|(name, _)| *name).collect();
            let used = choices.iter().find(|(_, choice)| *choice == current).map_or("", |c| c.0);
            self.notices.push(Notice::NotOneOf { field, value: short(raw), allowed, used });
        }
        found.map(|(_, choice)| *choice)
    }

    /// The first and the last of `steps` steps, counted from 1.
    fn looped(&mut self, raw: &str, steps: usize) {
        if raw.trim().eq_ignore_ascii_case("off") {
            self.scenario.view.looped = None;
            return;
        }
        let step = |text: &str| text.trim().parse::<usize>().ok();
        let ends = raw.split_once(['-', '–']).and_then(|(a, b)| Some((step(a)?, step(b)?)));
        match ends {
            Some((first, last))
                if (1..=last.min(steps)).contains(&first) && (last <= steps || self.nearest) =>
            {
                if last > steps {
                    let (least, most) = (first as u64, steps as u64);
                    let value = last.to_string();
                    let field = "loop";
                    self.notices.push(Notice::OutOfRange { field, value, least, most, used: most });
                }
                self.scenario.view.looped = Some((first, last.min(steps)));
            }
            _ => self.notices.push(Notice::BadLoop { value: short(raw), steps }),
        }
    }

    /// Fields that change what is shown of a run, or how it is run, and not what is run.
    fn view(&mut self, field: Field, raw: &str) {
        let mut view = self.scenario.view;
        match field {
            "clock" => {
                view.clock = self.choice(field, raw, &CLOCKS, view.clock).unwrap_or(view.clock);
            }
            "via" => {
                let ways = Via::ALL.map(|via| (via.name(), via));
                let via = self.scenario.via;
                self.scenario.via = self.choice(field, raw, &ways, via).unwrap_or(via);
            }
            "links" => {
                let links: Vec<_> = TOPOLOGIES.iter().map(|t| (t.name, t)).collect();
                let found = self.choice(field, raw, &links, view.topology);
                view.topology = found.unwrap_or(view.topology);
            }
            "speed" => {
                let speeds: Vec<_> = SPEED_NAMES.into_iter().zip(SPEEDS).collect();
                view.speed = self.choice(field, raw, &speeds, view.speed).unwrap_or(view.speed);
            }
            "step" => {
                let steps = self.scenario.steps();
                view.step = self.number(field, raw, (0, steps), view.step).unwrap_or(view.step);
            }
            "rank" => {
                let last = self.scenario.actors() - 1;
                let found = self.number(field, raw, (0, last), view.selected);
                view.selected = found.unwrap_or(view.selected);
            }
            _ => self.notices.push(Notice::UnknownField { name: short(field), more: 0 }),
        }
        self.scenario.view = view;
    }

    /// Fields that belong to the reader and not to the scenario.
    fn preference(&mut self, field: Field, raw: &str) {
        let View { lang, theme, .. } = self.scenario.view;
        if field == "lang" {
            let langs = [("en", Some(Lang::En)), ("zh", Some(Lang::Zh)), ("auto", None)];
            // Pages call their language `zh-CN` as often as `zh`.
            let spoken = Lang::parse(raw).map(Some);
            let chosen = spoken.or_else(|| self.choice(field, raw, &langs, lang));
            self.scenario.view.lang = chosen.unwrap_or(lang);
        } else {
            let themes =
                [("light", Some(Theme::Light)), ("dark", Some(Theme::Dark)), ("auto", None)];
            self.scenario.view.theme = self.choice(field, raw, &themes, theme).unwrap_or(theme);
        }
    }
}
