//! What is written above a picture of the stage.

use super::Moment;
use crate::ui::export::svg::Caption;
use crate::ui::text::fill;
use crate::ui::text::inspector::words;
use crate::ui::text::params::recorded;
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::share::ShareWords;
use crate::ui::text::stage::Stage;

/// The caption of the stage at `time`.
pub fn caption(moment: &Moment, time: f64) -> Caption {
    let Moment { lang, scenario, take, replay, .. } = moment;
    let ranks = fill(Stage::of(*lang).ranks, &[("n", &scenario.ranks)]);
    let algorithm = algorithm_name(*lang, scenario.algorithm);
    let (headline, detail) = words(*lang, &take.prepared, replay, time);
    let source = match &take.recorded {
        None => ShareWords::of(*lang).simulated.to_string(),
        Some(run) => recorded(*lang, run, take.origin.as_deref()),
    };
    Caption {
        title: format!("{} · {algorithm} · {ranks}", scenario.verb.title()),
        step: step(moment, time),
        source: format!("{source} · Ringscope"),
        sentence: format!("{headline} {detail}"),
    }
}

/// The step under way, or just ended: `ReduceScatter 2/3`.
fn step(moment: &Moment, time: f64) -> String {
    moment.step(time).map_or_else(String::new, |step| {
        let round = if time > 0.0 { step.round } else { 0 };
        format!("{} {round}/{}", step.phase.title(), step.rounds)
    })
}
