//! The place of the panel that compares algorithms over sizes; its part is loaded when it is
//! opened.

use crate::engine::algorithm;
use crate::engine::collective::Verb;
use crate::ui::part;
use crate::ui::scenario::{Page, Scenario};
use crate::ui::text::Lang;
use crate::ui::text::chrome::Chrome;
use crate::ui::text::inspector::Inspector;
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlDetailsElement;
use yew::prelude::*;

/// Properties of [`Contest`].
#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    /// What the algorithms compete in, as a link.
    pub question: AttrValue,
    /// Whether there is a choice of ring and tree among them.
    pub ring_or_tree: bool,
}

/// The panel for a scenario, where there is something to choose and to measure.
pub fn contest(lang: Lang, scenario: &Scenario) -> Html {
    let verb = scenario.verb;
    if verb == Verb::Barrier || scenario.ranks == 1 || algorithm::serving(verb).count() < 2 {
        return Html::default();
    }
    let both = ["ring", "tree"];
    let serving = |name: &&str| algorithm::serving(verb).any(|a| a.name == *name);
    let ring_or_tree = both.iter().all(serving);
    html! { <Contest {lang} question={scenario.question()} {ring_or_tree} /> }
}

/// The panel, closed at first.
#[component]
pub fn Contest(props: &Props) -> Html {
    let Props { lang, question, ring_or_tree } = props;
    let (open, failed) = (use_state_eq(|| false), use_state_eq(|| false));
    let host = use_node_ref();
    let ontoggle = {
        let open = open.clone();
        Callback::from(move |event: Event| {
            if let Some(details) = event.target_dyn_into::<HtmlDetailsElement>() {
                open.set(details.open());
            }
        })
    };
    {
        let (host, failed) = (host.clone(), failed.clone());
        use_effect_with((*open, *lang, question.clone()), move |(open, lang, question)| {
            let (open, lang, question) = (*open, *lang, question.clone());
            if open {
                spawn_local(async move {
                    let shown = match (part::pages(Page::Reference.part()).await, host.cast()) {
                        (Ok(part), Some(host)) => part.contest(&host, &question, lang.code()),
                        (Err(error), _) => Err(error),
                        // The reader has left meanwhile.
                        (_, None) => Ok(()),
                    };
                    failed.set(shown.is_err());
                });
            }
        });
    }
    use_effect_with(*open, |&open| {
        move || {
            if open {
                spawn_local(async {
                    if let Ok(part) = part::pages(Page::Reference.part()).await {
                        let _ = part.close_contest();
                    }
                });
            }
        }
    });
    let words = Inspector::of(*lang);
    html! {
        <section class="section">
            <details class="contest-fold" {ontoggle}>
                <summary>{ if *ring_or_tree { words.ring_or_tree } else { words.which } }</summary>
                if *failed { <p role="alert">{ Chrome::of(*lang).part_failed }</p> }
                if *open { <div ref={host} /> }
            </details>
        </section>
    }
}
