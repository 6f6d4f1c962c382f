//! The parameters, read as a sentence: Algorithm *Ring*, Ranks *4*, Reduce with *sum*.
//!
//! Every word is a native control, so keyboards, phones and screen readers know it. What is typed
//! goes through the same rules as the URL.

use super::scenario::{Data, Field, MAX_PIECES, Scenario};
use super::text::Lang;
use super::text::notices::refusal;
use super::text::params::{self, Params as Words};
use super::text::{fill, units};
use crate::engine::Rank;
use crate::engine::algorithm;
use crate::engine::collective::Verb;
use crate::engine::cost::{TOPOLOGIES, Topology};
use crate::engine::reduce::{Dtype, ReduceOp};
use crate::engine::trace::Clock;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, HtmlDetailsElement, HtmlElement, HtmlInputElement, HtmlSelectElement, Node,
};
use yew::prelude::*;

/// Something the reader changed by hand.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// A field of the scenario, as typed.
    Field(Field, String),
    /// The numbers of one rank, as typed.
    Row(Rank, String),
}

/// Properties of [`Params`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
    /// What is chosen now.
    pub scenario: Scenario,
    /// Called with every change.
    pub on_edit: Callback<Edit>,
}

/// Sizes offered for a seeded buffer.
const SIZES: [&str; 6] = ["4KiB", "64KiB", "1MiB", "4MiB", "16MiB", "64MiB"];

/// The parameters.
#[component]
pub fn Params(props: &Props) -> Html {
    let Props { lang, scenario: s, on_edit } = props;
    let words = Words::of(*lang);
    let edit = |field: Field| on_edit.reform(move |raw: String| Edit::Field(field, raw));
    let number = |field, label, value: usize| number_word(label, value.to_string(), edit(field));
    let root = if s.verb == Verb::SendRecv { words.sender } else { words.root };
    html! {
        <div class="params">
            { algorithm_word(*lang, words, s, edit("algo")) }
            { number("n", words.ranks, s.ranks) }
            if s.verb.has_root() {
                { number("root", root, s.root) }
            }
            if s.verb.reduces() {
                { op_word(*lang, words, s, edit("op")) }
            }
            if s.verb != Verb::Barrier {
                { type_word(words, s, edit("type")) }
                { chunks_word(words, s, edit("chunks")) }
                { buffer_word(words, s, edit("size"), edit("len")) }
                { numbers(*lang, s, on_edit) }
                { place_word(*lang, words, s, edit("place")) }
            }
            { clock_word(*lang, words, s, edit("clock")) }
            if s.clock == Clock::Modelled { { links_word(*lang, words, s, edit("links")) } }
        </div>
    }
}

/// One option of a [`select_word`].
struct Choice {
    value: AttrValue,
    text: AttrValue,
    /// Why it cannot be had.
    reason: Option<AttrValue>,
}

impl Choice {
    fn new(value: impl Into<AttrValue>, text: impl Into<AttrValue>) -> Choice {
        Choice { value: value.into(), text: text.into(), reason: None }
    }
}

/// A word that is a choice. What cannot be had is greyed out and says why.
///
/// `hint` says in one line what the choice in force means.
fn select_word(
    label: &'static str,
    value: AttrValue,
    choices: Vec<Choice>,
    hint: Option<&'static str>,
    on_change: Callback<String>,
) -> Html {
    let onchange = on_change.reform(|event: Event| {
        event.target_dyn_into::<HtmlSelectElement>().map_or(String::new(), |select| select.value())
    });
    let option = |choice: &Choice| {
        let text = match &choice.reason {
            Some(reason) => format!("{} ({reason})", choice.text),
            None => choice.text.to_string(),
        };
        html! {
            <option value={choice.value.clone()} selected={choice.value == value}
                disabled={choice.reason.is_some()}>{ text }</option>
        }
    };
    html! {
        <label class="param">
            <span>{ label }</span>
            <select class="param-word" title={hint} {onchange}>
                { for choices.iter().map(option) }
            </select>
        </label>
    }
}

/// A word that is a number. Anything may be typed; what is wrong with it is said.
fn number_word(label: &'static str, value: String, on_change: Callback<String>) -> Html {
    let size = value.len().max(2).to_string();
    let onchange = {
        let value = value.clone();
        Callback::from(move |event: Event| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                let raw = input.value();
                // The number in force comes back into the field if the typed one is refused.
                input.set_value(&value);
                on_change.emit(raw);
            }
        })
    };
    html! {
        <label class="param">
            <span>{ label }</span>
            <input class="param-word param-number" inputmode="numeric" autocomplete="off" {size}
                {value} {onchange} />
        </label>
    }
}

fn algorithm_word(lang: Lang, words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choice = |a: &algorithm::Algorithm| {
        let reason = a.refusal(s.verb, s.ranks, s.root, s.in_place);
        Choice {
            reason: reason.map(|r| refusal(lang, &r).into()),
            ..Choice::new(a.name, params::algorithm_name(lang, a.name))
        }
    };
    let (fit, unfit): (Vec<_>, Vec<_>) =
        algorithm::ALL.iter().map(choice).partition(|choice| choice.reason.is_none());
    let choices: Vec<_> = fit.into_iter().chain(unfit).collect();
    let hint = params::algorithm_note(lang, s.algorithm);
    select_word(words.algorithm, (s.algorithm).into(), choices, Some(hint), on_change)
}

fn op_word(lang: Lang, words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choice = |&op: &ReduceOp| Choice {
        reason: (!op.supports(s.dtype)).then(|| words.not_for_integers.into()),
        ..Choice::new(op.name(), params::op_name(lang, op))
    };
    let choices: Vec<_> = ReduceOp::ALL.iter().map(choice).collect();
    select_word(words.reduce_with, (s.op.name()).into(), choices, None, on_change)
}

fn type_word(words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choices: Vec<_> = Dtype::ALL.iter().map(|t| Choice::new(t.name(), t.name())).collect();
    select_word(words.dtype, (s.dtype.name()).into(), choices, None, on_change)
}

fn chunks_word(words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let label = if s.collective().blocks > 1 { words.chunks_per_block } else { words.chunks };
    let mut offered = vec![1, 2, 3, 4, 8, MAX_PIECES];
    if !offered.contains(&s.pieces) {
        offered.push(s.pieces);
        offered.sort_unstable();
    }
    let choice = |pieces: usize| Choice::new(pieces.to_string(), pieces.to_string());
    let choices: Vec<_> = offered.into_iter().map(choice).collect();
    select_word(label, s.pieces.to_string().into(), choices, None, on_change)
}

/// "A few numbers", or a seeded buffer of some size.
fn buffer_word(
    words: &Words,
    s: &Scenario,
    on_size: Callback<String>,
    on_len: Callback<String>,
) -> Html {
    let mut choices = vec![Choice::new("numbers", words.few_numbers)];
    choices.extend(SIZES.iter().map(|&size| Choice::new(size, spaced(size))));
    let value = match s.data {
        Data::Numbers(_) => AttrValue::Static("numbers"),
        Data::Bytes(bytes) => {
            let text = units::bytes(bytes).replace(char::is_whitespace, "");
            if !SIZES.contains(&text.as_str()) {
                choices.push(Choice::new(text.clone(), units::bytes(bytes)));
            }
            text.into()
        }
    };
    let ranks = s.ranks;
    let on_change = Callback::from(move |raw: String| match raw.as_str() {
        "numbers" => on_len.emit(ranks.to_string()),
        _ => on_size.emit(raw),
    });
    select_word(words.buffer, value, choices, None, on_change)
}

/// `64KiB` as people write it.
fn spaced(size: &str) -> String {
    let digits = size.trim_end_matches(|c: char| !c.is_ascii_digit());
    format!("{digits} {}", &size[digits.len()..])
}

fn place_word(lang: Lang, words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let refused = algorithm::Refusal::InPlace(s.verb);
    let in_place = Choice {
        reason: (!s.verb.runs_in_place()).then(|| refusal(lang, &refused).into()),
        ..Choice::new("in", words.in_place)
    };
    let choices = vec![Choice::new("out", words.out_of_place), in_place];
    let value = if s.in_place { "in" } else { "out" };
    select_word(words.place, value.into(), choices, None, on_change)
}

fn clock_word(lang: Lang, words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choices = vec![
        Choice::new("rounds", words.clock_rounds),
        Choice::new("measured", words.clock_measured),
        Choice::new("modelled", words.clock_modelled),
    ];
    let value = match s.clock {
        Clock::Rounds => "rounds",
        Clock::Measured => "measured",
        Clock::Modelled => "modelled",
    };
    let hint = params::clock_note(lang, s.clock);
    select_word(words.clock, value.into(), choices, Some(hint), on_change)
}

fn links_word(lang: Lang, words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choice = |t: &Topology| Choice::new(t.name, params::links_name(lang, t));
    let choices: Vec<_> = TOPOLOGIES.iter().map(choice).collect();
    select_word(words.links, (s.topology.name).into(), choices, None, on_change)
}

/// The numbers that every rank starts with, typed by hand; with them the tensor's shape.
fn numbers(lang: Lang, s: &Scenario, on_edit: &Callback<Edit>) -> Html {
    let words = Words::of(lang);
    if !matches!(s.data, Data::Numbers(_)) {
        return Html::default();
    }
    let edit = |field: Field| on_edit.reform(move |raw: String| Edit::Field(field, raw));
    let dim = s.tensor().dim;
    let shape = s.tensor().shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
    html! {
        <details class="param numbers" onkeydown={close_on_escape} onfocusout={close_on_leaving}>
            <summary class="param-word">{ words.type_numbers }</summary>
            <div class="pop" tabindex="-1">
                <div class="pop-body">
                    { number_word(words.length, s.elements().to_string(), edit("len")) }
                    if s.verb.has_dimension() {
                        { number_word(words.shape, shape, edit("shape")) }
                        if s.tensor().shape.len() > 1 {
                            { number_word(words.dimension, dim.to_string(), edit("dim")) }
                            <p class="quiet">{ params::dimension_note(lang, s.verb, dim) }</p>
                        }
                    }
                    { for (0..s.ranks).map(|rank| row(words, s, rank, on_edit)) }
                </div>
            </div>
        </details>
    }
}

/// The details element that an event was handled at.
fn details_of(event: &web_sys::Event) -> Option<HtmlDetailsElement> {
    event.target_dyn_into::<Element>()?.closest("details").ok()??.dyn_into().ok()
}

/// Escape closes the popover, and the focus returns to the word that opened it.
fn close_on_escape(event: KeyboardEvent) {
    let details = details_of(&event).filter(|details| event.key() == "Escape" && details.open());
    if let Some(details) = details {
        details.set_open(false);
        let summary = details.query_selector("summary").ok().flatten();
        if let Some(summary) = summary.and_then(|s| s.dyn_into::<HtmlElement>().ok()) {
            let _ = summary.focus();
        }
    }
}

/// Leaving the popover, by pointer or by key, closes it.
fn close_on_leaving(event: FocusEvent) {
    let next = event.related_target().and_then(|target| target.dyn_into::<Node>().ok());
    let left = details_of(&event).filter(|details| !details.contains(next.as_ref()));
    if let Some(details) = left {
        details.set_open(false);
    }
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
    let value = numbers.map(units::number).collect::<Vec<_>>().join(" ");
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
