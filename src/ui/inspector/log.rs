//! What happened: every op's work on every chunk, step by step.

use crate::engine::Rank;
use crate::engine::replay::Replay;
use crate::ui::layout::hue;
use crate::ui::scenario::Prepared;
use crate::ui::shared::Shared;
use crate::ui::text::actor::actor;
use crate::ui::text::inspector::Inspector;
use crate::ui::text::inspector::log::{Group, groups, line};
use crate::ui::text::{Lang, fill};
use yew::prelude::*;

/// So many lines are drawn at first, and with each click on "more".
const PAGE: usize = 60;

/// Properties of [`Log`].
#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub prepared: Shared<Prepared>,
    pub replay: Shared<Replay>,
    /// The moment that is shown, on the replay's clock.
    pub time: f64,
    pub selected: Rank,
    /// Asks to show another moment.
    pub on_seek: Callback<f64>,
}

/// The log up to the moment that is shown.
#[component]
pub fn Log(props: &Props) -> Html {
    let shown = props.replay.entries.partition_point(|entry| entry.time <= props.time);
    html! {
        <section class="section">
            <Entries lang={props.lang} prepared={props.prepared.clone()}
                replay={props.replay.clone()} {shown} selected={props.selected}
                on_seek={props.on_seek.clone()} />
        </section>
    }
}

/// Properties of [`Entries`].
#[derive(Properties, PartialEq)]
struct EntriesProps {
    lang: Lang,
    prepared: Shared<Prepared>,
    replay: Shared<Replay>,
    /// How many of the replay's entries have happened.
    shown: usize,
    selected: Rank,
    on_seek: Callback<f64>,
}

#[component]
fn Entries(props: &EntriesProps) -> Html {
    let words = Inspector::of(props.lang);
    let ranks = props.prepared.schedule.collective.ranks;
    let filtered = use_state_eq(|| false);
    let limit = use_state_eq(|| PAGE);
    let only = filtered.then_some(props.selected);
    let groups = groups(&props.replay, props.shown, only);
    let lines: usize = groups.iter().map(|group| group.entries.len()).sum();
    let mut room = *limit;
    let drawn = groups.iter().map_while(|group| {
        let most = room.min(group.entries.len());
        room -= most;
        (most > 0).then(|| draw(props, group, most))
    });
    let drawn: Vec<Html> = drawn.collect();
    let choose = |to: bool| {
        let filtered = filtered.clone();
        Callback::from(move |_: MouseEvent| filtered.set(to))
    };
    let more = {
        let limit = limit.clone();
        Callback::from(move |_: MouseEvent| limit.set(*limit + PAGE))
    };
    let rest = lines.saturating_sub(*limit).min(PAGE);
    html! {
        <>
            <div class="panel-head">
                <h2 class="section-title">{ words.log }</h2>
                <div class="segmented" role="group" aria-label={words.show_log_of}>
                    <button class="segment" aria-pressed={(!*filtered).to_string()}
                        onclick={choose(false)}>{ words.all_ranks }</button>
                    <button class="segment" aria-pressed={filtered.to_string()}
                        onclick={choose(true)}>
                        { actor(props.lang, ranks, props.selected) }
                    </button>
                </div>
            </div>
            if groups.is_empty() {
                <p class="quiet">{ words.log_empty }</p>
            } else {
                <ol class="log" tabindex="0" aria-label={words.log}>{ for drawn }</ol>
            }
            if rest > 0 {
                <button class="text-button" onclick={more}>
                    { fill(words.more_rows, &[("n", &rest)]) }
                </button>
            }
        </>
    }
}

/// A step: a button that goes to its end, and the first `most` of its lines.
fn draw(props: &EntriesProps, group: &Group, most: usize) -> Html {
    let words = Inspector::of(props.lang);
    let step = props.replay.steps.get(group.step.wrapping_sub(1));
    let (title, hint) = match step {
        None => (words.before.to_string(), words.go_to_start.to_string()),
        Some(step) => (
            format!(
                "{} · {} {}/{}",
                fill(words.step, &[("step", &group.step)]),
                step.phase.title(),
                step.round,
                step.rounds
            ),
            fill(words.go_to, &[("step", &group.step)]),
        ),
    };
    let seek = {
        let (on_seek, replay, step) = (props.on_seek.clone(), props.replay.clone(), group.step);
        Callback::from(move |_: MouseEvent| on_seek.emit(replay.step_time(step)))
    };
    let entries = group.entries.iter().take(most).filter_map(|&at| props.replay.entries.get(at));
    let rows = entries.map(|entry| {
        let line = line(props.lang, &props.prepared, entry);
        let hue = hue(&props.prepared.schedule.collective, line.label);
        let dot = classes!("hue-dot", format!("h{hue}"));
        html! {
            <li class="log-row">
                <span class={dot} />
                <span>{ line.place }</span>
                <span class="quiet">{ line.chunk }</span>
                <span>{ line.equation }</span>
                <span class="quiet">{ line.contributions }</span>
            </li>
        }
    });
    let count = fill(words.rows, &[("n", &group.entries.len())]);
    html! {
        <li key={group.step}>
            <button class="log-row log-step" title={hint} onclick={seek}>
                <span>{ title }</span><span class="quiet">{ count }</span>
            </button>
            <ol>{ for rows }</ol>
        </li>
    }
}
