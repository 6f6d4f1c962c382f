//! The rules of every field: what it may be, and what becomes of a value that it may not be.

mod data;
mod run;

use super::notice::short;
use super::*;

/// Every field of the URL, in the order in which they depend on each other.
pub(super) const FIELDS: [Field; 20] = [
    "n", "root", "type", "op", "place", "algo", "chunks", "size", "shape", "len", "dim", "data",
    "clock", "links", "step", "loop", "speed", "rank", "lang", "theme",
];

/// The names of the three clocks.
pub(super) const CLOCKS: [(&str, Clock); 3] =
    [("rounds", Clock::Rounds), ("measured", Clock::Measured), ("modelled", Clock::Modelled)];

/// The names of [`SPEEDS`].
const SPEED_NAMES: [&str; 7] = ["0.1", "0.25", "0.5", "1", "2", "4", "10"];

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
            "place" => self.place(raw),
            "algo" => self.algo(raw),
            "chunks" => self.chunks(raw),
            "size" => self.size(raw),
            "shape" => self.shape(raw),
            "len" => self.len(raw),
            "dim" => self.dim(raw),
            "data" => self.data(raw),
            "loop" => self.looped(raw),
            "lang" | "theme" => self.preference(field, raw),
            _ => self.view(field, raw),
        }
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
        let found = choices.iter().find(|(name, _)| *name == raw.trim());
        if found.is_none() {
            let allowed = choices.iter().map(|(name, _)| *name).collect();
            let used = choices.iter().find(|(_, choice)| *choice == current).map_or("", |c| c.0);
            self.notices.push(Notice::NotOneOf { field, value: short(raw), allowed, used });
        }
        found.map(|(_, choice)| *choice)
    }

    fn looped(&mut self, raw: &str) {
        let step = |text: &str| text.trim().parse().ok().filter(|&step: &usize| step <= MAX_STEP);
        let ends = raw.split_once(['-', '–']).and_then(|(a, b)| Some((step(a)?, step(b)?)));
        match ends {
            Some((from, to)) if from < to => self.scenario.looped = Some((from, to)),
            _ if raw.trim() == "off" => self.scenario.looped = None,
            _ => self.notices.push(Notice::BadLoop { value: short(raw) }),
        }
    }

    /// Fields that change what is shown of a run, and not the run.
    fn view(&mut self, field: Field, raw: &str) {
        let s = self.scenario.clone();
        match field {
            "clock" => {
                self.scenario.clock = self.choice(field, raw, &CLOCKS, s.clock).unwrap_or(s.clock);
            }
            "links" => {
                let links: Vec<_> = TOPOLOGIES.iter().map(|t| (t.name, t)).collect();
                let found = self.choice(field, raw, &links, s.topology);
                self.scenario.topology = found.unwrap_or(s.topology);
            }
            "speed" => {
                let speeds: Vec<_> = SPEED_NAMES.into_iter().zip(SPEEDS).collect();
                self.scenario.speed = self.choice(field, raw, &speeds, s.speed).unwrap_or(s.speed);
            }
            "step" => {
                let found = self.number(field, raw, (0, MAX_STEP), s.step);
                self.scenario.step = found.unwrap_or(s.step);
            }
            "rank" => {
                let found = self.number(field, raw, (0, s.ranks - 1), s.selected);
                self.scenario.selected = found.unwrap_or(s.selected);
            }
            _ => self.notices.push(Notice::UnknownField { name: short(field), more: 0 }),
        }
    }

    /// Fields that belong to the reader and not to the scenario.
    fn preference(&mut self, field: Field, raw: &str) {
        let (lang, theme) = (self.scenario.lang, self.scenario.theme);
        if field == "lang" {
            let langs = [("en", Some(Lang::En)), ("zh", Some(Lang::Zh)), ("auto", None)];
            self.scenario.lang = self.choice(field, raw, &langs, lang).unwrap_or(lang);
        } else {
            let themes =
                [("light", Some(Theme::Light)), ("dark", Some(Theme::Dark)), ("auto", None)];
            self.scenario.theme = self.choice(field, raw, &themes, theme).unwrap_or(theme);
        }
    }
}
