//! What is to be measured, to choose.

use super::choice::{Choice, PLACES, SIZES, VERBS, algorithms, size};
use crate::engine::algorithm;
use crate::engine::reduce::{Dtype, ReduceOp};
use crate::runtime::transport::Via;
use crate::ui::text::bench::{BenchWords as Words, place, via};
use crate::ui::text::params::{Params as ParamWords, op_name};
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::{Lang, units};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Numbers of ranks that are offered; a link may ask for others.
const RANKS: [usize; 7] = [2, 3, 4, 6, 8, 12, 16];

/// The choices; `off` while something is measured.
pub fn form(lang: Lang, choice: &Choice, off: bool, on_choice: &Callback<Choice>) -> Html {
    let words = Words::of(lang);
    let reduces = choice.verbs.iter().any(|verb| verb.reduces());
    let verbs = VERBS.iter().map(|verb| (*verb, verb.title().to_string()));
    let served = |a: &&algorithm::Algorithm| {
        let serves = choice.verbs.iter().any(|&verb| algorithms(verb).any(|b| b.name == a.name));
        serves || choice.algorithms.contains(&a.name)
    };
    let algorithms = algorithm::ALL.iter().filter(served);
    let algorithms = algorithms.map(|a| (a.name, algorithm_name(lang, a.name).to_string()));
    let mut ranks: Vec<usize> = RANKS.into_iter().chain(choice.ranks.iter().copied()).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let ranks = ranks.into_iter().map(|ranks| (ranks, ranks.to_string()));
    let dtypes = Dtype::ALL.iter().map(|dtype| (*dtype, dtype.name().to_string()));
    let vias = Via::ALL.iter().map(|way| (*way, via(lang, *way).to_string()));
    let places = PLACES.iter().map(|(_, is)| (*is, place(lang, *is).to_string()));
    let ops = ReduceOp::ALL.iter().map(|op| (*op, op_name(lang, *op).to_string()));
    html! {
        <fieldset class="bench-form" disabled={off}>
            { many(words.verbs, verbs, &choice.verbs, with(choice, on_choice, |c, verbs| {
                Choice { verbs, ..c }
            })) }
            { many(words.algorithms, algorithms, &choice.algorithms,
                with(choice, on_choice, |c, algorithms| Choice { algorithms, ..c })) }
            { many(words.ranks, ranks, &choice.ranks, with(choice, on_choice, |c, ranks| {
                Choice { ranks, ..c }
            })) }
            { many(words.types, dtypes, &choice.dtypes, with(choice, on_choice, |c, dtypes| {
                Choice { dtypes, ..c }
            })) }
            { many(ParamWords::of(lang).via, vias, &choice.vias, with(choice, on_choice, |c, vias| {
                Choice { vias, ..c }
            })) }
            { many(ParamWords::of(lang).place, places, &choice.places,
                with(choice, on_choice, |c, places| Choice { places, ..c })) }
            <div class="params">
                if reduces {
                    { one(ParamWords::of(lang).reduce_with, ops, choice.op,
                        with(choice, on_choice, |c, op| Choice { op, ..c })) }
                }
                { one(words.from, sizes(), choice.from, with(choice, on_choice, |c, from| {
                    Choice { from, to: c.to.max(from), ..c }
                })) }
                { one(words.to, sizes(), choice.to, with(choice, on_choice, |c, to| {
                    Choice { to, from: c.from.min(to), ..c }
                })) }
            </div>
        </fieldset>
    }
}

/// The sizes, by their places.
fn sizes() -> impl Iterator<Item = (usize, String)> {
    (0..SIZES.len()).map(|at| (at, units::bytes(size(at))))
}

/// What becomes of a choice when something is chosen.
fn with<T: 'static>(
    choice: &Choice,
    on_choice: &Callback<Choice>,
    change: fn(Choice, T) -> Choice,
) -> Callback<T> {
    let choice = choice.clone();
    on_choice.reform(move |chosen| change(choice.clone(), chosen))
}

/// Several of these may be chosen; one is always.
fn many<T: Copy + PartialEq + 'static>(
    label: &'static str,
    options: impl Iterator<Item = (T, String)>,
    chosen: &[T],
    on_change: Callback<Vec<T>>,
) -> Html {
    let options: Vec<(T, String)> = options.collect();
    let order: Vec<T> = options.iter().map(|(value, _)| *value).collect();
    let option = |(value, name): (T, String)| {
        let is = chosen.contains(&value);
        let kept = |other: &T| if *other == value { !is } else { chosen.contains(other) };
        let next: Vec<T> = order.iter().copied().filter(kept).collect();
        let on_change = on_change.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            if !next.is_empty() {
                on_change.emit(next.clone());
            }
        });
        html! {
            <button type="button" class="segment" aria-pressed={is.to_string()} {onclick}>
                { name }
            </button>
        }
    };
    html! {
        <div class="bench-row">
            <span class="bench-label">{ label }</span>
            <div class="segmented is-wrapping" role="group" aria-label={label}>
                { for options.into_iter().map(option) }
            </div>
        </div>
    }
}

/// A word that is a choice.
fn one<T: Copy + PartialEq + 'static>(
    label: &'static str,
    options: impl Iterator<Item = (T, String)>,
    chosen: T,
    on_change: Callback<T>,
) -> Html {
    let options: Vec<(T, String)> = options.collect();
    let values: Vec<T> = options.iter().map(|(value, _)| *value).collect();
    let onchange = Callback::from(move |event: Event| {
        let select = event.target_dyn_into::<HtmlSelectElement>();
        let at = select.and_then(|select| usize::try_from(select.selected_index()).ok());
        if let Some(&value) = at.and_then(|at| values.get(at)) {
            on_change.emit(value);
        }
    });
    html! {
        <label class="param">
            <span>{ label }</span>
            <select class="param-word" {onchange}>
                { for options.into_iter().map(|(value, name)| html! {
                    <option selected={value == chosen}>{ name }</option>
                }) }
            </select>
        </label>
    }
}
