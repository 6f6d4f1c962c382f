//! How a scenario is shown; none of it changes what is run.

use super::Theme;
use crate::engine::Rank;
use crate::engine::cost::{TOPOLOGIES, Topology};
use crate::engine::trace::Clock;
use crate::ui::text::Lang;

/// How a scenario is shown: two that differ only here run the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Which clock drives the picture.
    pub clock: Clock,
    /// Which links the modelled clock assumes.
    pub topology: &'static Topology,
    /// Steps that are over in what is shown.
    pub step: usize,
    /// First and last step of a loop, counted from 1.
    pub looped: Option<(usize, usize)>,
    /// Playback speed, relative to normal.
    pub speed: f64,
    /// The selected rank, or a switch of the algorithm.
    pub selected: Rank,
    /// The language, if chosen.
    pub lang: Option<Lang>,
    /// The theme, if chosen.
    pub theme: Option<Theme>,
}

impl Default for View {
    /// Rounds, paused at the beginning.
    fn default() -> Self {
        View {
            clock: Clock::Rounds,
            topology: &TOPOLOGIES[0],
            step: 0,
            looped: None,
            speed: 1.0,
            selected: 0,
            lang: None,
            theme: None,
        }
    }
}
