//! Texts to copy, and files to save.

use super::save::{may_save, save};
use crate::ui::text::Lang;
use crate::ui::text::share::ShareWords;
use js_sys::{Promise, Reflect};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Clipboard, HtmlTextAreaElement};
use yew::prelude::*;

/// Writes a text when it is asked for, or says in a sentence why there is none.
pub type Write = Callback<(), Result<String, String>>;

/// What is at hand as a text, and perhaps as a file.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
    /// What the text is.
    pub name: AttrValue,
    /// The text.
    pub write: Write,
    /// What the reader should know about it.
    #[prop_or_default]
    pub note: AttrValue,
    /// The name of its file, and the kind: `application/json`.
    #[prop_or_default]
    pub file: Option<(String, &'static str)>,
    /// Whether the text is there to see from the beginning; else where the page cannot copy or save
    /// it.
    #[prop_or_default]
    pub shown: bool,
}

#[derive(Clone, PartialEq)]
enum State {
    Fresh,
    /// It went well.
    Done(&'static str),
    /// The text is shown for the reader to take, and why.
    ByHand(Rc<str>, &'static str),
    /// There is no such text, and why.
    Refused(String),
}

/// A text with a button that copies it, and one that saves it as a file. Where the page may do
/// neither, the text is shown and selected, so that a key or a long press copies it.
#[component]
pub fn Offer(props: &Props) -> Html {
    let Props { lang, name, write, note, file, shown } = props;
    let words = ShareWords::of(*lang);
    let state = use_state_eq(|| State::Fresh);
    let field = use_node_ref();
    {
        let field = field.clone();
        use_effect_with((*state).clone(), move |state| {
            if let (Some(field), State::ByHand(..)) = (field.cast::<HtmlTextAreaElement>(), state) {
                let _ = field.focus();
                field.select();
            }
        });
    }
    {
        let state = state.clone();
        use_effect_with(write.clone(), move |_| state.set(State::Fresh));
    }
    let on_copy = {
        let (state, write) = (state.clone(), write.clone());
        Callback::from(move |_: MouseEvent| {
            let text: Rc<str> = match write.emit(()) {
                Ok(text) => text.into(),
                Err(sentence) => return state.set(State::Refused(sentence)),
            };
            let state = state.clone();
            state.set(State::Fresh);
            spawn_local(async move {
                let copied = copy(&text).await.is_ok();
                state.set(match copied {
                    true => State::Done(words.copied),
                    false => State::ByHand(text, words.copy_by_hand),
                });
            });
        })
    };
    let on_save = file.as_ref().map(|(name, kind)| {
        let (state, write, name, kind) = (state.clone(), write.clone(), name.clone(), *kind);
        Callback::from(move |_: MouseEvent| {
            state.set(match write.emit(()) {
                Err(sentence) => State::Refused(sentence),
                Ok(text) if may_save() && save(&name, kind, text.as_bytes()).is_ok() => {
                    State::Done(words.saved)
                }
                Ok(text) => State::ByHand(text.into(), words.save_by_hand),
            });
        })
    });
    let (text, said, class) = match &*state {
        State::Fresh => (None, "", "offer-said"),
        State::Done(said) => (None, *said, "offer-said"),
        State::ByHand(text, why) => (Some(text.to_string()), *why, "offer-said is-attention"),
        State::Refused(why) => (None, why.as_str(), "offer-said is-attention"),
    };
    let text = text.or_else(|| write.emit(()).ok().filter(|_| *shown));
    let rows = text.as_ref().map_or(1, |text| text.lines().count().clamp(1, 10)).to_string();
    html! {
        <div class="offer" role="group" aria-label={name}>
            if !*shown {
                <p class="offer-name">
                    { name }
                    if !note.is_empty() { <span class="kind">{ note }</span> }
                </p>
            }
            if let Some(text) = text {
                <textarea class="input offer-text" readonly=true spellcheck="false" {rows}
                    aria-label={name} ref={field} value={text} />
            }
            <div class="offer-buttons">
                <button type="button" class="button" onclick={on_copy}>{ words.copy }</button>
                if let Some(onclick) = on_save {
                    <button type="button" class="button" {onclick}>{ words.save }</button>
                }
            </div>
            <span {class} role="status">{ said.to_string() }</span>
        </div>
    }
}

/// Writes `text` to the clipboard.
///
/// # Errors
/// Where there is no clipboard (an insecure page) or the page may not use it (a frame without that
/// permission).
async fn copy(text: &str) -> Result<(), JsValue> {
    let navigator = web_sys::window().ok_or(JsValue::NULL)?.navigator();
    let clipboard = Reflect::get(&navigator, &"clipboard".into())?;
    let written: Promise = clipboard.dyn_into::<Clipboard>()?.write_text(text);
    JsFuture::from(written).await.map(drop)
}
