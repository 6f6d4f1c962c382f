//! The numbers that ranks start with, typed by hand, in a popover of their own.

use super::popover::popover;
use super::{Edit, number_word};
use crate::engine::Rank;
use crate::ui::scenario::{Data, Field, Scenario, number_text};
use crate::ui::text::params::{self, Params as Words};
use crate::ui::text::{Lang, fill};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The numbers that every rank starts with, typed by hand; with them the tensor's shape.
pub(super) fn numbers(lang: Lang, s: &Scenario, on_edit: &Callback<Edit>) -> Html {
    let words = Words::of(lang);
    if !matches!(s.data, Data::Numbers(_)) {
        return Html::default();
    }
    let edit = |field: Field| on_edit.reform(move |raw: String| Edit::Field(field, raw));
    let dim = s.tensor().dim;
    let shape = s.tensor().shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
    let content = html! {
        <>
            { number_word(words.length, s.elements().to_string(), edit("len")) }
            if s.verb.has_dimension() {
                { number_word(words.shape, shape, edit("shape")) }
                if s.tensor().shape.len() > 1 {
                    { number_word(words.dimension, dim.to_string(), edit("dim")) }
                    <p class="quiet">{ params::dimension_note(lang, s.verb, dim) }</p>
                }
            }
            { for (0..s.ranks).map(|rank| row(words, s, rank, on_edit)) }
        </>
    };
    popover("numbers", words.type_numbers.into(), content)
}

/// One rank's numbers.
fn row(words: &Words, s: &Scenario, rank: Rank, on_edit: &Callback<Edit>) -> Html {
    let Data::Numbers(rows) = &s.data else { return Html::default() };
    let held = s.held(rank);
    let label = fill(words.rank_numbers, &[("rank", &rank)]);
    if held.is_empty() {
        let text = format!("{label} {}", words.holds_nothing);
        return html! { <p class="row quiet" key={rank}>{ text }</p> };
    }
    let numbers = held.iter().filter_map(|&at| rows.get(rank)?.get(at).copied());
    let value = numbers.map(number_text).collect::<Vec<_>>().join(" ");
    let onchange = {
        let (on_edit, value) = (on_edit.clone(), value.clone());
        Callback::from(move |event: Event| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                let raw = input.value();
                if raw != value {
                    on_edit.emit(Edit::Row(rank, raw));
                }
            }
        })
    };
    html! {
        <label class="row" key={rank}>
            <span>{ label }</span>
            <input class="numbers-input" inputmode="text" autocomplete="off" {value} {onchange} />
        </label>
    }
}
