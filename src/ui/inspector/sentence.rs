//! The largest text on the page: what is happening now.

use crate::engine::replay::Replay;
use crate::ui::scenario::Prepared;
use crate::ui::shared::Shared;
use crate::ui::text::Lang;
use crate::ui::text::inspector::{Inspector, Moment, say};
use yew::prelude::*;

/// Properties of [`Sentence`].
#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub prepared: Shared<Prepared>,
    pub replay: Shared<Replay>,
    /// The moment that is shown, on the replay's clock.
    pub time: f64,
    /// Whether changes are spoken: while stepping, not while playing.
    pub live: bool,
}

/// What is happening, and what it leads to.
#[component]
pub fn Sentence(props: &Props) -> Html {
    let moment = Moment::at(&props.replay, props.time);
    let about = (props.lang, props.prepared.clone(), props.replay.clone(), moment);
    let said =
        use_memo(about, |(lang, prepared, replay, moment)| say(*lang, prepared, replay, *moment));
    let (headline, detail) = &*said;
    let live = if props.live { "polite" } else { "off" };
    html! {
        <section class="section" aria-label={Inspector::of(props.lang).now}>
            <div role="status" aria-live={live} aria-atomic="true">
                <p class="sentence">{ headline }</p>
                <p class="sentence-more">{ detail }</p>
            </div>
        </section>
    }
}
