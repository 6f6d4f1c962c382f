//! The parameters, read as a sentence: Algorithm *Ring*, Ranks *4*, Reduce with *sum*.
//!
//! Every word is a native control, so keyboards, phones and screen readers know it. What is typed
//! goes through the same rules as the URL. What is rarely changed is folded into one word that says
//! how much of it was.

mod numbers;
mod popover;

use super::scenario::{Data, Field, MAX_CHANNELS, MAX_PIECES, MAX_SEGMENTS, Scenario};
use super::text::notices::refusal;
use super::text::params::{self, Params as Words};
use super::text::{Lang, fill, links, registry, units};
use crate::engine::Rank;
use crate::engine::algorithm::{self, Fold, Variant};
use crate::engine::collective::Verb;
use crate::engine::cost::{TOPOLOGIES, Topology};
use crate::engine::reduce::{Accumulate, Dtype, ReduceOp};
use crate::engine::trace::Clock;
use crate::runtime::plan;
use crate::runtime::transport::Via;
use numbers::numbers;
use popover::popover;
use web_sys::{HtmlInputElement, HtmlSelectElement};
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
                { buffer_word(words, s, edit("size"), edit("len")) }
                { numbers(*lang, s, on_edit) }
            }
            { clock_word(*lang, words, s, edit("clock")) }
            if s.view.clock == Clock::Modelled { { links_word(*lang, words, s, edit("links")) } }
            { more(*lang, words, s, edit) }
        </div>
    }
}

/// The fields that [`more`] holds.
const FOLDED: [Field; 9] =
    ["channels", "ranks-per-node", "fold", "variant", "acc", "chunks", "segments", "place", "via"];

/// What is rarely changed, behind a word that says how many are not what they are by themselves.
fn more(lang: Lang, words: &Words, s: &Scenario, edit: impl Fn(Field) -> Callback<String>) -> Html {
    let content = html! {
        <>
            { for choices(words, s, &edit) }
            if s.verb != Verb::Barrier {
                { chunks_word(words, s, edit("chunks")) }
                { segments_word(words, s, edit("segments")) }
                { accumulate_word(words, s, edit("acc")) }
                { place_word(lang, words, s, edit("place")) }
            }
            { via_word(words, s, edit("via")) }
        </>
    };
    let changed = s.fields_of_run().iter().filter(|(field, _)| FOLDED.contains(field)).count();
    let word = match changed {
        0 => words.more.to_string(),
        n => fill(words.more_changed, &[("n", &n)]),
    };
    popover("more", word.into(), content)
}

/// The choices that matter most, in a line.
pub fn summary(lang: Lang, s: &Scenario) -> Html {
    let words = Words::of(lang);
    let op = s.verb.reduces().then(|| (words.reduce_with, params::op_name(lang, s.op).into()));
    let chosen = [
        (words.algorithm, registry::algorithm_name(lang, s.algorithm).to_string()),
        (words.ranks, s.ranks.to_string()),
    ];
    let word = |(label, value): (&'static str, String)| {
        html! { <span>{ label }{ " " }<b>{ value }</b></span> }
    };
    chosen.into_iter().chain(op).map(word).collect()
}

/// One option of a [`select_word`].
struct Choice {
    value: AttrValue,
    text: AttrValue,
    /// Why it cannot be had.
    reason: Option<AttrValue>,
    /// The heading that it stands under, with those beside it that have the same.
    group: Option<&'static str>,
}

impl Choice {
    fn new(value: impl Into<AttrValue>, text: impl Into<AttrValue>) -> Choice {
        Choice { value: value.into(), text: text.into(), reason: None, group: None }
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
                { for choices.chunk_by(|a, b| a.group == b.group).map(|together| {
                    let options = together.iter().map(option);
                    match together[0].group {
                        Some(label) => html! { <optgroup {label}>{ for options }</optgroup> },
                        None => options.collect(),
                    }
                }) }
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
        let reason = a.refusal(&s.request());
        Choice {
            reason: reason.map(|r| refusal(lang, &r).into()),
            ..Choice::new(a.name, registry::algorithm_name(lang, a.name))
        }
    };
    let (fit, unfit): (Vec<_>, Vec<_>) =
        algorithm::ALL.iter().map(choice).partition(|choice| choice.reason.is_none());
    let choices: Vec<_> = fit.into_iter().chain(unfit).collect();
    let hint = registry::algorithm_note(lang, s.algorithm);
    select_word(words.algorithm, (s.algorithm).into(), choices, Some(hint), on_change)
}

/// The options that the algorithm has.
fn choices(
    words: &Words,
    s: &Scenario,
    edit: impl Fn(Field) -> Callback<String>,
) -> impl Iterator<Item = Html> {
    let number = |value: usize| Choice::new(value.to_string(), value.to_string());
    s.algorithm().choices.iter().map(move |choice| {
        let (label, value, choices) = match choice {
            algorithm::Choice::Channels => {
                let choices = (1..=MAX_CHANNELS).map(number).collect();
                (words.channels, s.channels.to_string(), choices)
            }
            algorithm::Choice::Nodes => {
                let sizes = (1..=s.ranks).filter(|size| s.ranks.is_multiple_of(*size));
                (words.ranks_per_node, s.ranks_per_node.to_string(), sizes.map(number).collect())
            }
            algorithm::Choice::Fold => {
                let choices = vec![
                    Choice::new(Fold::Mpich.name(), words.fold_mpich),
                    Choice::new(Fold::Ompi.name(), words.fold_ompi),
                ];
                (words.fold, s.fold.name().to_string(), choices)
            }
            algorithm::Choice::Variant => {
                let choices = vec![
                    Choice::new(Variant::Shift.name(), words.variant_shift),
                    Choice::new(Variant::Xor.name(), words.variant_xor),
                ];
                (words.variant, s.variant.name().to_string(), choices)
            }
        };
        select_word(label, value.into(), choices, None, edit(choice.name()))
    })
}

fn op_word(lang: Lang, words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choice = |&op: &ReduceOp| Choice {
        reason: (!op.supports(s.dtype)).then(|| words.not_for_integers.into()),
        ..Choice::new(op.name(), params::op_name(lang, op))
    };
    let choices: Vec<_> = ReduceOp::ALL.iter().map(choice).collect();
    let hint = params::op_note(lang, s.op, s.dtype);
    select_word(words.reduce_with, (s.op.name()).into(), choices, hint, on_change)
}

fn type_word(words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choices: Vec<_> = Dtype::ALL.iter().map(|t| Choice::new(t.name(), t.name())).collect();
    select_word(words.dtype, (s.dtype.name()).into(), choices, None, on_change)
}

/// Where the reduction rounds, if that makes a difference.
fn accumulate_word(words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    if !s.verb.reduces() || !Accumulate::WireF32.supports(s.op, s.dtype) {
        return Html::default();
    }
    let text = |accumulate| match accumulate {
        Accumulate::InType => s.dtype.name(),
        Accumulate::WireF32 => words.in_f32,
        Accumulate::OwnerF32 => words.in_f32_at_owner,
    };
    let choice = |a: Accumulate| Choice {
        reason: (!s.admits(a)).then(|| words.sums_travel.into()),
        ..Choice::new(a.name(), text(a))
    };
    let choices = Accumulate::ALL.map(choice);
    let value = s.accumulate.name();
    select_word(words.accumulate, value.into(), choices.into(), None, on_change)
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

fn segments_word(words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let number = |value: usize| Choice::new(value.to_string(), value.to_string());
    let choices = (1..=MAX_SEGMENTS).map(number).collect();
    select_word(words.segments, s.segments.to_string().into(), choices, None, on_change)
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

fn via_word(words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choice = |via: Via| match via {
        Via::Shared => Choice::new(via.name(), words.via_shared),
        Via::Ports => Choice::new(via.name(), words.via_ports),
    };
    let choices = Via::ALL.map(choice).into();
    select_word(words.via, s.via.name().into(), choices, Some(words.via_note), on_change)
}

fn clock_word(lang: Lang, words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choices = vec![
        Choice::new("rounds", words.clock_rounds),
        Choice {
            reason: plan::refusal(s.algorithm().switches).map(|_| words.modelled_only.into()),
            ..Choice::new("measured", words.clock_measured)
        },
        Choice::new("modelled", words.clock_modelled),
    ];
    let value = match s.view.clock {
        Clock::Rounds => "rounds",
        Clock::Measured => "measured",
        Clock::Modelled => "modelled",
    };
    let hint = params::clock_note(lang, s.view.clock);
    select_word(words.clock, value.into(), choices, Some(hint), on_change)
}

fn links_word(lang: Lang, words: &Words, s: &Scenario, on_change: Callback<String>) -> Html {
    let choice = |t: &Topology| Choice {
        group: Some(links::family_name(lang, t.family)),
        ..Choice::new(t.name, links::links_name(lang, t))
    };
    let choices: Vec<_> = TOPOLOGIES.iter().map(choice).collect();
    select_word(words.links, (s.view.topology.name).into(), choices, None, on_change)
}
