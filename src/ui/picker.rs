//! The verb picker: the verbs in their families, each with its glyph.

use super::glyph::glyph;
use super::text::Lang;
use super::text::verbs::{self, Verbs};
use crate::engine::collective::{Family, Verb};
use yew::prelude::*;

/// Properties of [`VerbPicker`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
    /// The verb in force.
    pub chosen: Verb,
    /// Called with the verb that was picked.
    pub on_verb: Callback<Verb>,
}

/// The verbs in their families, each with its glyph.
#[component]
pub fn VerbPicker(props: &Props) -> Html {
    let Props { lang, chosen, on_verb } = props;
    let (lang, chosen) = (*lang, *chosen);
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
