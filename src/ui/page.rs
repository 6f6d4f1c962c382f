//! The place of a page beside the player, whose part is loaded when it is opened.

use super::part;
use super::scenario::Page;
use super::text::Lang;
use super::text::chrome::Chrome as Words;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// Properties of [`OtherPage`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Which page.
    pub page: Page,
    /// Language of the words.
    pub lang: Lang,
    /// Whether the dark theme is on.
    pub dark: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Loading,
    Shown,
    Failed,
}

/// A page beside the player. Until it is there, the reader is told so; also if it cannot be had.
#[component]
pub fn OtherPage(props: &Props) -> Html {
    let host = use_node_ref();
    let state = use_state_eq(|| State::Loading);
    {
        let (host, state) = (host.clone(), state.clone());
        let about = (props.page, props.lang, props.dark);
        use_effect_with(about, move |&(page, lang, dark)| {
            // While a part loads, another page may be asked for: then this one is not shown any
            // more, for it would write its own address over that one's.
            let wanted = Rc::new(Cell::new(true));
            let left = wanted.clone();
            spawn_local(async move {
                let shown = match part::pages(page.part()).await {
                    _ if !wanted.get() => return,
                    Ok(pages) => show(&pages, &host, page, lang, dark),
                    Err(error) => Err(error),
                };
                state.set(if shown.is_ok() { State::Shown } else { State::Failed });
            });
            move || left.set(false)
        });
    }
    use_effect_with(props.page.part(), |&part| move || spawn_local(close(part)));
    let words = Words::of(props.lang);
    html! {
        <main id="content" class="page" aria-busy={(*state == State::Loading).to_string()}>
            if *state == State::Loading { <p class="loading" role="status">{ words.loading }</p> }
            if *state == State::Failed {
                <p class="notice is-attention" role="alert">{ words.page_failed }</p>
            }
            <div ref={host} />
        </main>
    }
}

/// Shows a page in `host`, if that is still there.
fn show(
    pages: &part::Pages,
    host: &NodeRef,
    page: Page,
    lang: Lang,
    dark: bool,
) -> Result<(), JsValue> {
    match host.cast() {
        Some(host) => pages.show(&host, page.name(), lang.code(), dark),
        None => Ok(()),
    }
}

async fn close(part: &str) {
    // A part that was never had shows nothing.
    if let Ok(pages) = part::pages(part).await {
        let _ = pages.close();
    }
}
