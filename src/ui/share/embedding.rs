//! The code by which other pages show this very step.

use super::Moment;
use super::offer::Offer;
use crate::ui::embed_code::{element, frame};
use crate::ui::text::share::ShareWords;
use yew::prelude::*;

/// The element, and a frame for where scripts are not allowed.
pub fn embedding(moment: &Moment) -> Html {
    let (lang, words) = (moment.lang, ShareWords::of(moment.lang));
    let title = format!("Ringscope: {}", moment.scenario.verb.title());
    let codes =
        [(words.element, element(&moment.link)), (words.frame, frame(&moment.link, &title))];
    let code = |(name, text): (&'static str, String)| {
        let write = Callback::from(move |()| Ok(text.clone()));
        html! {
            <>
                <p class="share-name">{ name }</p>
                <Offer {lang} {name} {write} shown=true />
            </>
        }
    };
    html! {
        <section class="share-part">
            <h3>{ words.embedding }</h3>
            { for codes.into_iter().map(code) }
        </section>
    }
}
