//! The loop control: off, this phase, or chosen steps.

use super::action::Action;
use super::bar::Icon;
use super::range::read;
use crate::ui::text::track::TrackWords;
use crate::ui::text::{Lang, fill};
use web_sys::{HtmlElement, HtmlInputElement, Node};
use yew::prelude::*;

/// What [`Repeat`] shows and reports.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct RepeatProps {
    pub lang: Lang,
    pub steps: usize,
    pub phase: Option<(usize, usize)>,
    pub looped: Option<(usize, usize)>,
    pub on_action: Callback<Action>,
}

/// A button that says what is repeated and opens the choices.
#[component]
pub(super) fn Repeat(props: &RepeatProps) -> Html {
    let open = use_state_eq(|| false);
    let (whole, opener) = (use_node_ref(), use_node_ref());
    let words = TrackWords::of(props.lang);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let close = {
        let (open, opener) = (open.clone(), opener.clone());
        Callback::from(move |()| {
            open.set(false);
            if let Some(opener) = opener.cast::<HtmlElement>() {
                // A button that cannot take the focus back leaves it where it is.
                let _ = opener.focus();
            }
        })
    };
    let onkeydown = {
        let (open, close) = (open.clone(), close.clone());
        Callback::from(move |event: KeyboardEvent| {
            if *open && event.key() == "Escape" {
                event.prevent_default();
                close.emit(());
            }
        })
    };
    let onfocusout = {
        let (open, whole) = (open.clone(), whole.clone());
        Callback::from(move |event: FocusEvent| {
            let next = event.related_target().and_then(as_node);
            let inside = |next: &Node| whole.get().is_some_and(|whole| whole.contains(Some(next)));
            // Without a next element the page itself was clicked, or lost the focus to another
            // window.
            if !next.as_ref().is_some_and(inside) {
                open.set(false);
            }
        })
    };
    let choose = {
        let (on_action, close) = (props.on_action.clone(), close.clone());
        Callback::from(move |range: Option<(usize, usize)>| {
            on_action.emit(Action::Loop(range));
            close.emit(());
        })
    };
    let name = match props.looped {
        None => words.loop_off.to_string(),
        Some((from, to)) => fill(words.loop_on, &[("from", &from), ("to", &to)]),
    };
    let on = props.looped.map(|_| "is-on");
    let class = classes!("transport-button", "transport-loop", on);
    html! {
        <div class="param" tabindex="-1" ref={whole} {onkeydown} {onfocusout}>
            <button type="button" ref={opener} {class}
                aria-expanded={open.to_string()} aria-label={name.clone()}
                aria-disabled={(props.steps == 0).then_some("true")} onclick={toggle}>
                { Icon::Loop.view() }
                <span class="transport-word">{ name }</span>
            </button>
            if *open && props.steps > 0 {
                <Choices lang={props.lang} steps={props.steps} phase={props.phase}
                    looped={props.looped} {choose} />
            }
        </div>
    }
}

fn as_node(target: web_sys::EventTarget) -> Option<Node> {
    wasm_bindgen::JsCast::dyn_into(target).ok()
}

#[derive(Clone, PartialEq, Properties)]
struct ChoicesProps {
    lang: Lang,
    steps: usize,
    phase: Option<(usize, usize)>,
    looped: Option<(usize, usize)>,
    choose: Callback<Option<(usize, usize)>>,
}

/// The opened choices.
#[component]
fn Choices(props: &ChoicesProps) -> Html {
    let words = TrackWords::of(props.lang);
    let panel = use_node_ref();
    let (from, to) = props.looped.unwrap_or((1, props.steps));
    let first = use_state(|| from.to_string());
    let last = use_state(|| to.to_string());
    let fault = use_state_eq(|| None::<String>);
    {
        let panel = panel.clone();
        use_effect_with((), move |()| {
            if let Some(panel) = panel.cast::<HtmlElement>() {
                // Focus moves into what has just opened, so that leaving it closes it.
                let _ = panel.focus();
            }
        });
    }
    let onsubmit = {
        let (first, last, fault) = (first.clone(), last.clone(), fault.clone());
        let (choose, steps) = (props.choose.clone(), props.steps);
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            match read(&first, &last, steps) {
                Ok(range) => choose.emit(Some(range)),
                Err(error) => fault.set(Some(error.sentence(words, steps))),
            }
        })
    };
    let option = |name: String, range: Option<(usize, usize)>| {
        let choose = props.choose.clone();
        let onclick = Callback::from(move |_: MouseEvent| choose.emit(range));
        let pressed = (range == props.looped).to_string();
        html! {
            <button type="button" class="option" aria-pressed={pressed} {onclick}>{ name }</button>
        }
    };
    let phase = props.phase.map(|(from, to)| {
        let name = fill(words.loop_phase, &[("from", &from), ("to", &to)]);
        option(name, Some((from, to)))
    });
    let invalid = fault.is_some().then_some("true");
    let described = fault.is_some().then_some("loop-fault");
    let field = |name: &'static str, typed: &UseStateHandle<String>| {
        let value = (**typed).clone();
        let typed = typed.clone();
        let oninput = Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                typed.set(input.value());
            }
        });
        html! {
            <label class="field">
                { name }
                <input class="input" inputmode="numeric" autocomplete="off" size="4" {value}
                    aria-invalid={invalid} aria-describedby={described} {oninput} />
            </label>
        }
    };
    html! {
        <div class="pop pop-end pop-up" role="group" tabindex="-1" ref={panel}
            aria-label={words.loop_title}>
            { option(words.loop_none.to_string(), None) }
            { phase }
            <form class="loop-form" novalidate={true} {onsubmit}>
                { field(words.loop_first, &first) }
                { field(words.loop_last, &last) }
                <button class="button">{ words.loop_set }</button>
            </form>
            <p class="field-error" id="loop-fault" role="alert">{ (*fault).clone() }</p>
        </div>
    }
}
