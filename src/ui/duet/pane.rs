//! One side: what is happening there, its stage and its track.

use super::side::Side;
use crate::engine::Rank;
use crate::engine::trace::Clock;
use crate::ui::badge;
use crate::ui::embed::shows;
use crate::ui::inspector::Sentence;
use crate::ui::score::{Act, Score};
use crate::ui::shared::Shared;
use crate::ui::stage::{Stage, StageTable};
use crate::ui::text::duet::DuetWords as Words;
use crate::ui::text::{Lang, fill};
use crate::ui::timeline::{MessageTable, Timeline};
use yew::prelude::*;

/// Properties of [`Pane`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
    /// What the side is called.
    pub title: AttrValue,
    /// What can be chosen for it.
    #[prop_or_default]
    pub children: Html,
    /// What runs there.
    pub side: Side,
    /// Its calls, at least one.
    pub acts: Vec<Act>,
    /// All steps on the clock.
    pub score: Shared<Score>,
    /// The clock.
    pub clock: Clock,
    /// The moment that is shown.
    pub time: f64,
    /// Whether time moves by itself.
    pub playing: bool,
    /// Whether workers are at work.
    pub running: bool,
    /// First and last step of the loop.
    pub looped: Option<(usize, usize)>,
    /// The selected rank.
    pub selected: Rank,
    /// Show this moment.
    pub on_seek: Callback<f64>,
    /// Look at this rank.
    pub on_select: Callback<Rank>,
}

/// The call that is shown at `time`: where one ends and the next begins, the one that ends.
fn current(acts: &[Act], time: f64) -> Option<&Act> {
    acts.iter().rev().find(|act| act.starts < time).or(acts.first())
}

/// A side with its sentence, stage, track and tables.
#[component]
pub fn Pane(props: &Props) -> Html {
    let Props { lang, title, side, acts, score, clock, time, playing, looped, .. } = props;
    let (lang, time) = (*lang, *time);
    let Some(act) = current(acts, time) else { return Html::default() };
    let (prepared, replay, local) = (&act.prepared, &act.replay, time - act.starts);
    let ranks = prepared.schedule.collective.ranks;
    let selected = props.selected.min(ranks - 1);
    let index = acts.iter().position(|other| other == act).unwrap_or(0);
    let recorded = side.takes.get(index).and_then(|take| take.recorded.as_ref());
    let words = Words::of(lang);
    let source = if props.running { words.running } else { words.simulated };
    let holds = fill(words.what_ranks_hold, &[("side", title)]);
    html! {
        <section class="pane" aria-label={title.clone()}>
            { props.children.clone() }
            <div class="stage-head">
                <h2 class="pane-title">{ title }</h2>
                { badge::phase(act, time) }
                // A verdict is about what workers did.
                if let Some(recorded) = recorded {
                    <span class="sr-only">{ words.recorded }</span>
                    { badge::verdict(lang, recorded) }
                } else {
                    <span class="source">{ source }</span>
                }
            </div>
            <Sentence {lang} prepared={prepared.clone()} replay={replay.clone()} time={local}
                live={!playing} />
            <Stage {lang} prepared={prepared.clone()} replay={replay.clone()} time={local}
                {selected} on_select={props.on_select.clone()} />
            <Timeline {lang} of={title.clone()} acts={acts.clone()} score={score.clone()} {time}
                clock={*clock} looped={*looped} {selected} playing={*playing}
                on_seek={props.on_seek.clone()} on_select={props.on_select.clone()} />
            if shows("tables") {
                <div class="tables" role="group" aria-label={holds}>
                    { for acts.iter().map(|act| html! {
                        <MessageTable {lang} clock={*clock} prepared={act.prepared.clone()}
                            replay={act.replay.clone()}
                            of={act.prepared.schedule.collective.verb.title()} />
                    }) }
                    <StageTable {lang} prepared={prepared.clone()} replay={replay.clone()}
                        time={local} />
                </div>
            }
        </section>
    }
}
