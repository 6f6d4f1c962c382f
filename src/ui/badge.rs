//! Small words on a tint of their own colour: the phase that is under way, and the verdict.

use super::score::Act;
use super::text::{Lang, faults};
use crate::runtime::outcome::RunResult;
use yew::prelude::*;

/// Which phase is under way, and how far; nothing where nothing has to move.
pub fn phase(act: &Act, time: f64) -> Html {
    let Some(now) = act.step(time) else { return Html::default() };
    let class = classes!("pill", format!("v-{}", now.phase.name()));
    let round = if time > 0.0 { now.round } else { 0 };
    html! { <span {class}>{ format!("{} {round}/{}", now.phase.title(), now.rounds) }</span> }
}

/// Whether what workers put out is right.
pub fn verdict(lang: Lang, recorded: &RunResult) -> Html {
    let (short, long) = faults::verdict(lang, &recorded.verdict);
    let tone = if recorded.verdict.passed() { "is-verified" } else { "is-attention" };
    html! { <span class={classes!("verdict", tone)} title={long}>{ short }</span> }
}
