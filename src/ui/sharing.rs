//! Hands what the player shows to the part that shares it, and takes runs from files; the part is
//! loaded when it is asked for.

use super::part;
use super::scenario::{Theme, parse};
use super::state::{Msg, Player as State};
use super::take::Origin;
use super::text::Lang;
use super::text::chrome::Chrome;
use crate::runtime::outcome::RunResult;
use js_sys::{Array, Uint8Array};
use std::cell::Cell;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::File;
use yew::prelude::*;

/// A run on its way between the page and the part: what workers did, and where, if not here.
pub type Recording = (RunResult, Option<Origin>);

thread_local! {
    /// Whether the dialog is about to open.
    static OPENING: Cell<bool> = const { Cell::new(false) };
}

/// Opens the Share dialog in `place`: the moment that is shown, and the recorded run, if any. A
/// part that cannot be loaded yields a sentence.
pub fn share(state: &UseReducerHandle<State>, place: &NodeRef, lang: Lang, theme: Theme) {
    // The part may take a while, and whoever presses again meanwhile wants one dialog.
    if OPENING.replace(true) {
        return;
    }
    let (state, place) = (state.clone(), place.clone());
    spawn_local(async move {
        let fragment = state.scenario.shown_in(lang, theme).fragment();
        let take = &state.take;
        let recording = take.recorded.as_deref().map(|run| (run, take.origin.as_deref()));
        let recording = recording.and_then(|recording| postcard::to_allocvec(&recording).ok());
        let on_file = {
            let state = state.clone();
            Closure::<dyn Fn(File)>::new(move |file| open(&state, file, lang)).into_js_value()
        };
        let part = part::share().await;
        OPENING.set(false);
        let shown = match (part, place.cast()) {
            (Ok(part), Some(host)) => {
                let time = state.head.time;
                part.show(&host, lang.code(), &fragment, time, recording, &on_file)
            }
            (Err(error), _) => Err(error),
            // The reader has left meanwhile.
            (_, None) => Ok(()),
        };
        if shown.is_err() {
            state.dispatch(Msg::Said(Chrome::of(lang).part_failed.to_string()));
        }
    });
}

/// Opens a file with a run. What is wrong with it is said in a sentence, and changes nothing.
pub fn open(state: &UseReducerHandle<State>, file: File, lang: Lang) {
    let state = state.dispatcher();
    spawn_local(async move {
        let opened = match part::share().await {
            Ok(part) => part.read(&file, lang.code()).await.and_then(unpack),
            Err(_) => Err(Chrome::of(lang).part_failed.into()),
        };
        state.dispatch(match opened {
            Ok((fragment, (run, origin))) => {
                let (_, scenario, _) = parse(&fragment);
                Msg::Opened(Box::new((scenario, run, origin)))
            }
            Err(sentence) => Msg::Said(sentence.as_string().unwrap_or_default()),
        });
    });
}

/// What the part hands over: the scenario as its fragment, and the recording.
fn unpack(pair: JsValue) -> Result<(String, Recording), JsValue> {
    let pair: Array = pair.dyn_into()?;
    let bytes: Uint8Array = pair.get(1).dyn_into()?;
    let recording = postcard::from_bytes(&bytes.to_vec()).map_err(|error| error.to_string())?;
    Ok((pair.get(0).as_string().unwrap_or_default(), recording))
}

/// For an element that takes files by drag and drop: what to do while one is over it, and when it
/// is dropped.
pub fn droppable(on_file: Callback<File>) -> (Callback<DragEvent>, Callback<DragEvent>) {
    let file = |event: &DragEvent| event.data_transfer()?.files()?.get(0);
    let over = Callback::from(|event: DragEvent| {
        let types = event.data_transfer().map(|data| data.types());
        if types.is_some_and(|types| types.includes(&"Files".into(), 0)) {
            event.prevent_default();
        }
    });
    let dropped = Callback::from(move |event: DragEvent| {
        if let Some(file) = file(&event) {
            event.prevent_default();
            on_file.emit(file);
        }
    });
    (over, dropped)
}
