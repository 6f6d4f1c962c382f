//! The page as a guest in another page's frame.
//!
//! `static/boot.js` marks the root with `data-embed` before anything is drawn: the names of the
//! panels to show beside stage, track and sentence, which may be none. `static/frame.js` speaks
//! with the page around. What that one wants arrives here as an event of the window; what the
//! reader sees is told by another attribute of the root, so that neither side waits for the other.

use super::browser::root;
use super::text::Lang;
use super::text::chrome::Chrome as Words;
use super::transport::Action;
use crate::runtime::pool::Pool;
use gloo::events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::CustomEvent;
use yew::prelude::*;

/// An action in the words of `static/frame.js`: `seek 3`.
fn action(text: &str) -> Option<Action> {
    Some(match text {
        "play" => Action::Play(true),
        "pause" => Action::Play(false),
        _ => Action::Step(text.strip_prefix("seek ")?.parse().ok()?),
    })
}

/// The panels to show, if the page is embedded.
fn panels() -> Option<String> {
    root()?.get_attribute("data-embed")
}

/// Whether the page is embedded.
pub fn embedded() -> bool {
    panels().is_some()
}

/// Whether to show this panel: always, or if embedded when it was asked for.
pub fn shows(panel: &str) -> bool {
    panels().is_none_or(|panels| panels.split(' ').any(|name| name == panel))
}

/// Does what is asked of an embedded page: what the page around wants of the transport, and, when
/// nobody sees the frame, the end of all that works for it. Play plays what is there: workers start
/// when the reader presses something.
#[hook]
pub fn use_host(on_action: Callback<Action>, pool: &Pool) {
    let pool = pool.clone();
    use_effect_with(on_action, move |on_action| {
        let on_action = on_action.clone();
        let listener = web_sys::window().map(|window| {
            EventListener::new(&window, "ringscope", move |event| {
                let event = event.dyn_ref::<CustomEvent>();
                let text = event.and_then(|event| event.detail().as_string());
                match text.as_deref() {
                    Some("rest") => pool.cancel(),
                    Some(text) => action(text).into_iter().for_each(|a| on_action.emit(a)),
                    None => {}
                }
            })
        });
        move || drop(listener)
    });
}

/// Tells the page around, if there is one, what the reader sees: steps that are over and all steps,
/// whether time goes on by itself, and the fragment of a link that leads there.
#[hook]
pub fn use_told(step: usize, steps: usize, playing: bool, fragment: Option<String>) {
    let said = fragment.map(|fragment| format!("{step} {steps} {playing} {fragment}"));
    use_effect_with(said, |said| {
        if let (Some(said), Some(root)) = (said, root()) {
            // An attribute can have any value.
            let _ = root.set_attribute("data-told", said);
        }
    });
}

/// The way out of the frame: the same scenario on a page of its own.
pub fn open_link(lang: Lang, fragment: &str) -> Html {
    html! {
        <a class="embed-open" href={format!("./#{fragment}")} target="_blank" rel="noopener">
            { Words::of(lang).open_outside }
        </a>
    }
}
