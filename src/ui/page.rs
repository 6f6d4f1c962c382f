//! The place of a page beside the player, whose part is loaded when it is opened.

use super::part;
use super::scenario::Page;
use super::text::Lang;
use super::text::chrome::Chrome as Words;
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
            spawn_local(async move {
                let shown = show(&host, page, lang, dark).await;
                state.set(if shown.is_ok() { State::Shown } else { State::Failed });
            });
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

/// Shows a page in `host`, unless the reader has left meanwhile.
async fn show(host: &NodeRef, page: Page, lang: Lang, dark: bool) -> Result<(), JsValue> {
    let pages = part::pages(page.part()).await?;
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
