//! Split and Concat beside Scatter and AllGather: what moves, and what merely looks like it.

use crate::engine::algorithm::{self, Request};
use crate::engine::collective::Verb;
use crate::engine::cost::rounds;
use crate::engine::memory::Lengths;
use crate::engine::tensor::{Tensor, concat, split};
use crate::ui::text::equation::EquationWords as Words;
use crate::ui::text::{Lang, fill, units};
use std::fmt::Display;
use yew::prelude::*;

/// A tensor small enough to be seen whole: two rows of four numbers of four bytes, for two ranks.
const SHAPE: [usize; 2] = [2, 4];
const RANKS: usize = 2;
const ELEMENT_BYTES: usize = 4;

/// Properties of [`Blocks`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
}

/// The tensor cut along a dimension.
struct Cut {
    tensor: Tensor,
    /// Its elements in order, each its own number from 1.
    whole: Vec<u8>,
    /// Block after block, as AllGather leaves them in memory.
    blocks: Vec<u8>,
}

impl Cut {
    fn along(dim: usize) -> Cut {
        let tensor = Tensor { shape: SHAPE.to_vec(), dim };
        let whole: Vec<u8> = (1..=SHAPE.iter().product::<usize>() as u8).collect();
        let blocks = split(&tensor, RANKS, 1, &whole);
        Cut { tensor, whole, blocks }
    }

    /// Whose part an element is.
    fn rank_of(&self, element: u8) -> usize {
        let at = usize::from(element) - 1;
        let holds = |rank: &usize| self.tensor.stretches(RANKS, *rank).any(|s| s.contains(&at));
        (0..RANKS).find(holds).unwrap_or(0)
    }

    /// Bytes that Split or Concat copy: all, unless blocks lie together already.
    fn copied(&self) -> u64 {
        let bytes = self.whole.len() * ELEMENT_BYTES;
        if self.tensor.contiguous() { 0 } else { bytes as u64 }
    }

    /// Bytes that the busiest rank sends in a collective over the blocks.
    fn sent(&self, verb: Verb) -> u64 {
        let request = Request::new(verb, RANKS);
        let schedule = algorithm::serving(verb).find_map(|a| a.build(&request).ok());
        let sent = schedule.map_or(0, |schedule| {
            let lengths = Lengths::new(&schedule.collective, &self.tensor);
            rounds::in_elements(&schedule, &lengths).sent.into_iter().max().unwrap_or(0)
        });
        (sent * ELEMENT_BYTES) as u64
    }
}

/// The panel.
#[component]
pub fn Blocks(props: &Props) -> Html {
    let lang = props.lang;
    let words = Words::of(lang);
    let dim = use_state_eq(|| 1);
    let cut = Cut::along(*dim);
    let option = |other: usize| {
        let dim = dim.clone();
        let pressed = (*dim == other).to_string();
        let onclick = Callback::from(move |_: MouseEvent| dim.set(other));
        html! {
            <button type="button" class="segment" aria-pressed={pressed} {onclick}>
                { fill(words.dimension, &[("dim", &other)]) }
            </button>
        }
    };
    let joined = concat(&cut.tensor, RANKS, 1, &cut.blocks);
    let misplaced = cut.blocks.iter().zip(&cut.whole).filter(|(a, b)| a != b).count();
    let numbers: [(&str, &dyn Display); 2] = [("n", &misplaced), ("all", &cut.whole.len())];
    let read = if misplaced == 0 { words.lucky.into() } else { fill(words.wrong, &numbers) };
    html! {
        <section class="panel chapter">
            <h2 class="heading">{ words.local }</h2>
            <p class="quiet">{ words.local_lede }</p>
            <div class="row">
                <span>{ words.along }</span>
                <div class="segmented" role="group" aria-label={words.along}>
                    { for (0..SHAPE.len()).map(option) }
                </div>
            </div>
            <div class="matrices">
                { matrix(words, &cut, words.whole.into(), &cut.whole, SHAPE[1]) }
                { matrix(words, &cut, words.memory.into(), &cut.blocks, cut.blocks.len()) }
                { matrix(words, &cut, fill(words.right, &[("dim", &*dim)]), &joined, SHAPE[1]) }
                { matrix(words, &cut, read, &cut.blocks, SHAPE[1]) }
            </div>
            { bytes_moved(words, &cut) }
        </section>
    }
}

/// Numbers in rows, coloured by the rank that holds them; where one stands that does not belong
/// there, it is marked.
fn matrix(words: &Words, cut: &Cut, title: String, data: &[u8], columns: usize) -> Html {
    let cell = |at: usize, element: u8| {
        let rank = cut.rank_of(element);
        let misplaced = columns == SHAPE[1] && cut.whole[at] != element;
        let class = classes!(format!("h{rank}"), misplaced.then_some("is-misplaced"));
        let holder = fill(words.rank_of, &[("rank", &rank)]);
        html! { <td {class} title={holder}>{ element }{ if misplaced { " ≠" } else { "" } }</td> }
    };
    let row = |(row, elements): (usize, &[u8])| {
        let cells = elements.iter().enumerate();
        html! { <tr>{ for cells.map(|(at, &x)| cell(row * columns + at, x)) }</tr> }
    };
    html! {
        <figure class="matrix">
            <figcaption>{ title }</figcaption>
            <table><tbody>{ for data.chunks(columns).enumerate().map(row) }</tbody></table>
        </figure>
    }
}

fn bytes_moved(words: &Words, cut: &Cut) -> Html {
    let local = |name: &'static str| (name, 0, cut.copied());
    let collective = |verb: Verb| (verb.title(), cut.sent(verb), 0);
    let rows =
        [local("Split"), collective(Verb::Scatter), local("Concat"), collective(Verb::AllGather)];
    let row = |(name, between, within): &(&'static str, u64, u64)| {
        html! {
            <tr>
                <th scope="row">{ *name }</th>
                <td class="num">{ units::bytes(*between) }</td>
                <td class="num">{ units::bytes(*within) }</td>
            </tr>
        }
    };
    html! {
        <div class="table-wrap" tabindex="0" role="region" aria-label={words.local}>
            <table class="table">
                <caption>{ words.counted }</caption>
                <thead><tr>
                    <th scope="col">{ words.operation }</th>
                    <th scope="col" class="num">{ words.between }</th>
                    <th scope="col" class="num">{ words.within }</th>
                </tr></thead>
                <tbody>{ for rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}
