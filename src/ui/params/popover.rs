//! What opens below a word of the parameters, and closes when it is left.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDetailsElement, HtmlElement, Node};
use yew::prelude::*;

/// A word that opens a popover with `content`.
pub(super) fn popover(class: &'static str, word: Html, content: Html) -> Html {
    html! {
        <details class={classes!("param", class)} onkeydown={close_on_escape}
            onfocusout={close_on_leaving}>
            <summary class="param-word">{ word }</summary>
            <div class="pop" tabindex="-1">
                <div class="pop-body">{ content }</div>
            </div>
        </details>
    }
}

/// The details element that an event was handled at.
fn details_of(event: &web_sys::Event) -> Option<HtmlDetailsElement> {
    event.target_dyn_into::<Element>()?.closest("details").ok()??.dyn_into().ok()
}

/// Escape closes the popover, and the focus returns to the word that opened it.
fn close_on_escape(event: KeyboardEvent) {
    let details = details_of(&event).filter(|details| event.key() == "Escape" && details.open());
    if let Some(details) = details {
        event.prevent_default();
        details.set_open(false);
        let summary = details.query_selector("summary").ok().flatten();
        if let Some(summary) = summary.and_then(|s| s.dyn_into::<HtmlElement>().ok()) {
            let _ = summary.focus();
        }
    }
}

/// Leaving the popover, by pointer or by key, closes it.
fn close_on_leaving(event: FocusEvent) {
    let next = event.related_target().and_then(|target| target.dyn_into::<Node>().ok());
    let left = details_of(&event).filter(|details| !details.contains(next.as_ref()));
    if let Some(details) = left {
        details.set_open(false);
    }
}
