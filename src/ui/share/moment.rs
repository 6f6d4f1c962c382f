//! The moment that is shared.

use crate::engine::collective::Verb;
use crate::engine::replay::{Replay, Step};
use crate::engine::trace::Clock;
use crate::ui::browser::system_is_dark;
use crate::ui::scenario::{Scenario, Theme, parse};
use crate::ui::shared::Shared;
use crate::ui::sharing::Recording;
use crate::ui::take::Take;
use crate::ui::text::Lang;
use std::rc::Rc;

/// What the player showed when it was asked to share.
pub struct Moment {
    /// Language of the words.
    pub lang: Lang,
    /// The address of this very step.
    pub link: Rc<str>,
    /// What is shared.
    pub scenario: Scenario,
    /// What runs, and what workers did if they ran it.
    pub take: Take,
    /// What happened.
    pub replay: Shared<Replay>,
    /// The clock that is shown.
    pub clock: Clock,
    /// The moment, on that clock.
    pub time: f64,
    /// The theme that the page is shown in.
    pub theme: Theme,
}

impl PartialEq for Moment {
    /// A dialog is about one moment, for as long as it is open.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Moment {
    /// The moment that the player hands over; `recording` is a [`Recording`] as postcard.
    ///
    /// # Errors
    /// What cannot be read. Page and part are of one build, so that is never the reader's mistake.
    pub fn read(
        lang: &str,
        fragment: &str,
        time: f64,
        recording: Option<Vec<u8>>,
    ) -> Result<Moment, String> {
        let lang = Lang::parse(lang).ok_or("an unknown language")?;
        let (_, scenario, _) = parse(fragment);
        let prepared = scenario.prepare().map_err(|refused| format!("{refused:?}"))?;
        let recording = recording.map(|bytes| postcard::from_bytes::<Recording>(&bytes));
        let mut take = Take::new(prepared);
        if let Some((run, origin)) = recording.transpose().map_err(|error| error.to_string())? {
            take.recorded = Some(Shared::new(run));
            take.origin = origin.map(Shared::new);
        }
        let (replay, clock) = take.replay(scenario.view.clock, scenario.view.topology);
        Ok(Moment {
            lang,
            link: format!("{}#{fragment}", page_address()).into(),
            scenario,
            take,
            replay,
            clock,
            time,
            theme: shown_theme(),
        })
    }

    /// The step that is under way at `time`, or has just ended; at the beginning the first.
    pub fn step(&self, time: f64) -> Option<&Step> {
        let over = self.replay.steps_over(time);
        let between = time > self.replay.step_time(over);
        self.replay.steps.get(if between { over } else { over.saturating_sub(1) })
    }

    /// The verb that is a part of at `time`.
    pub fn phase(&self, time: f64) -> Verb {
        self.step(time).map_or(self.scenario.verb, |step| step.phase)
    }

    /// Whether nobody but this machine can follow the link.
    pub fn is_local(&self) -> bool {
        ["http://127.0.0.1", "http://localhost", "http://[::1]", "file:"]
            .iter()
            .any(|local| self.link.starts_with(local))
    }
}

/// The theme that the document is shown in.
fn shown_theme() -> Theme {
    let document = web_sys::window().and_then(|window| window.document());
    let root = document.and_then(|document| document.document_element());
    let dark = match root.and_then(|root| root.get_attribute("data-theme")) {
        Some(theme) => theme == Theme::Dark.name(),
        None => system_is_dark(),
    };
    if dark { Theme::Dark } else { Theme::Light }
}

/// The page's address, without what it shows.
fn page_address() -> String {
    let location = web_sys::window().map(|window| window.location());
    let href = location.and_then(|location| location.href().ok()).unwrap_or_default();
    href.split(['?', '#']).next().unwrap_or_default().to_string()
}
