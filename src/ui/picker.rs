//! The verb picker: the verbs in their families, each with its glyph.

use super::glyph::glyph;
use super::text::Lang;
use super::text::verbs::{self, Verbs};
use crate::engine::collective::{Family, Verb};
use yew::prelude::*;

/// The verbs in their families, each with its glyph.
///
/// `chosen` is the verb in force; `on_verb` is called with the one that was picked.
pub fn verb_picker(lang: Lang, chosen: Verb, on_verb: &Callback<Verb>) -> Html {
    let families = [
        Family::Combine,
        Family::CombineAndHandOut,
        Family::CollectAndHandOut,
        Family::PointToPoint,
    ];
    let button = |verb: Verb| {
        let onclick = on_verb.reform(move |_| verb);
        html! {
            <button type="button" class="verb" {onclick}
                aria-pressed={(verb == chosen).to_string()}>
                { glyph(verb) }
                <span>{ verb.title() }</span>
            </button>
        }
    };
    let group = |family: Family| {
        let name = verbs::family(family).of(lang);
        let members = Verb::ALL.into_iter().filter(|verb| verb.family() == family);
        html! {
            <div class="family" role="group" aria-label={name}>
                <span class="family-name" aria-hidden="true">{ name }</span>
                <div class="family-verbs">{ for members.map(button) }</div>
            </div>
        }
    };
    html! {
        <section class="verbs" aria-label={Verbs::of(lang).pick}>
            { for families.into_iter().map(group) }
        </section>
    }
}
