//! Isolating the page where its host sends no headers for that: the reader may have a service
//! worker add them. `static/boot.js` knows whether that is possible, and does it.

use super::browser::root;
use super::state::{Msg, Player};
use super::text::params::Params as Words;
use super::text::{Lang, faults, fill};
use crate::runtime::transport::Unshared;
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Adds the service worker or takes it away, and loads the page anew.
    #[wasm_bindgen(js_name = ringscopeIsolate)]
    fn isolate(on: bool) -> Promise;
}

/// Offers the service worker where a run here had to do without shared memory, and the way back
/// where there is one.
pub fn offer(lang: Lang, state: &UseReducerHandle<Player>) -> Html {
    let words = Words::of(lang);
    let (on, note, press) =
        match root().and_then(|root| root.get_attribute("data-isolation")).as_deref() {
            Some("possible") if is_refused(state) => {
                (true, words.isolation_possible, words.isolation_add)
            }
            Some("added") => (false, words.isolation_added, words.isolation_remove),
            _ => return Html::default(),
        };
    let dispatcher = state.dispatcher();
    let onclick = move |_: MouseEvent| {
        let dispatcher = dispatcher.clone();
        spawn_local(async move {
            if let Err(error) = JsFuture::from(isolate(on)).await {
                let message = faults::cut(&String::from(js_sys::Object::from(error).to_string()));
                let said = fill(words.isolation_failed, &[("message", &message)]);
                dispatcher.dispatch(Msg::Said(said));
            }
        });
    };
    html! {
        <>
            <p>{ note }</p>
            <button type="button" class="button" {onclick}>{ press }</button>
        </>
    }
}

/// Whether the browser gave the last run here no memory to be shared.
fn is_refused(state: &Player) -> bool {
    let recorded = state.take.recorded.as_ref().filter(|_| state.take.origin.is_none());
    recorded.is_some_and(|run| matches!(run.wiring.unshared, Some(Unshared::Refused(_))))
}
