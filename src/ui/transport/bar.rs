//! The bar of buttons; on a phone it sticks to the bottom of the screen.

use super::action::Action;
use super::repeat::Repeat;
use crate::engine::trace::Clock;
use crate::ui::playhead::Playhead;
use crate::ui::scenario::{SPEEDS, View};
use crate::ui::score::Score;
use crate::ui::text::track::TrackWords;
use crate::ui::text::{Lang, fill, units};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What [`transport`] shows and reports.
pub struct TransportProps<'a> {
    /// The language.
    pub lang: Lang,
    /// The steps that there are.
    pub score: &'a Score,
    /// Where in them the reader is.
    pub head: Playhead,
    /// The clock that the score is on.
    pub clock: Clock,
    /// Speed and loop.
    pub view: View,
    /// The reader wants something.
    pub on_action: Callback<Action>,
    /// Further controls at the end of the bar.
    pub children: Html,
}

/// Play, step, position, speed and loop.
pub fn transport(props: &TransportProps) -> Html {
    let TransportProps { lang, score, head, view, .. } = props;
    let words = TrackWords::of(*lang);
    let on_speed = {
        let on_action = props.on_action.clone();
        Callback::from(move |event: Event| {
            let select = event.target_dyn_into::<HtmlSelectElement>();
            let chosen = select.map(|select| select.value()).unwrap_or_default();
            if let Some(speed) = SPEEDS.into_iter().find(|speed| speed.to_string() == chosen) {
                on_action.emit(Action::Speed(speed));
            }
        })
    };
    let (play, play_name) = match head.playing {
        true => (Icon::Pause, words.pause),
        false => (Icon::Play, words.play),
    };
    let (step, steps) = (score.at(head.time), score.steps());
    let idle = steps == 0;
    let button = |icon, name, action, off, class| button(props, icon, name, action, off, class);
    let position = fill(words.position, &[("step", &step), ("steps", &steps)]);
    // On the clock of rounds the step says it all.
    let time = (props.clock != Clock::Rounds).then(|| units::time_us(head.time));
    html! {
        <div class="transport" role="group" aria-label={words.controls}>
            { button(Icon::Start, words.to_start, Action::Start, idle, "transport-start") }
            { button(Icon::Back, words.back, Action::Back, idle, "") }
            { button(play, play_name, Action::PlayPause, idle, "transport-play") }
            { button(Icon::Forward, words.forward, Action::Forward, idle, "") }
            <span class="transport-time">
                <span class="nowrap">{ position }</span>
                if let Some(time) = time {
                    <span class="transport-dot" aria-hidden="true">{ " · " }</span>
                    <span class="nowrap">{ time }</span>
                }
            </span>
            <div class="transport-end">
                <label class="transport-speed">
                    <span class="transport-word">{ words.speed }</span>
                    <select class="input" aria-label={words.speed} onchange={on_speed}>
                        { for SPEEDS.iter().map(|&speed| option(speed, view.speed)) }
                    </select>
                </label>
                <Repeat lang={*lang} {steps} phase={score.phase(score.over(head.time))}
                    looped={view.looped} on_action={props.on_action.clone()} />
                { button(Icon::Help, words.keys, Action::Help, false, "transport-help") }
                { props.children.clone() }
            </div>
        </div>
    }
}

fn option(speed: f64, current: f64) -> Html {
    let value = speed.to_string();
    html! { <option {value} selected={speed == current}>{ format!("{speed}×") }</option> }
}

fn button(
    props: &TransportProps,
    icon: Icon,
    name: &'static str,
    action: Action,
    off: bool,
    class: &'static str,
) -> Html {
    let on_action = props.on_action.clone();
    // A disabled button would lose the focus under the reader's finger; this one only stops acting.
    let onclick = Callback::from(move |_: MouseEvent| {
        if !off {
            on_action.emit(action);
        }
    });
    let disabled = off.then_some("true");
    html! {
        <button type="button" class={classes!("transport-button", class)} aria-label={name}
            title={name} aria-disabled={disabled} {onclick}>
            { icon.view() }
        </button>
    }
}

/// The pictures on the buttons, in a box of 16 by 16.
#[derive(Clone, Copy)]
pub(super) enum Icon {
    Start,
    Back,
    Play,
    Pause,
    Forward,
    Loop,
    Help,
}

impl Icon {
    pub(super) fn view(self) -> Html {
        let (solid, line) = match self {
            Icon::Start => ("M12.5 3.5v9L6 8z", "M3.5 3v10"),
            Icon::Back => ("", "M10 3.5L5.5 8l4.5 4.5"),
            Icon::Forward => ("", "M6 3.5L10.5 8L6 12.5"),
            Icon::Play => ("M4.5 2.5v11L13 8z", ""),
            Icon::Pause => ("M4 3h2.6v10H4zM9.4 3H12v10H9.4z", ""),
            Icon::Loop => (
                "",
                "M3 7.5v-1A2.5 2.5 0 0 1 5.5 4H13M11 2l2 2-2 2\
                    M13 8.5v1a2.5 2.5 0 0 1-2.5 2.5H3M5 10l-2 2 2 2",
            ),
            Icon::Help => ("", "M5.5 5.8a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.1.8-1.1 1.6M8 12.6v.1"),
        };
        html! {
            <svg viewBox="0 0 16 16" aria-hidden="true">
                if !solid.is_empty() { <path class="solid" d={solid} /> }
                if !line.is_empty() { <path d={line} /> }
            </svg>
        }
    }
}
