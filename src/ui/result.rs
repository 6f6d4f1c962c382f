//! What the selected rank really ended with, as the tensor that its caller gets, and whether all
//! ranks computed the same.

use super::state::Player as State;
use super::text::params::Params as Words;
use super::text::rounding::{self, RoundingWords};
use super::text::{Lang, fill, units};
use crate::engine::collective::{Verb, balanced};
use crate::engine::reduce::plain;
use crate::engine::tensor::{Tensor, concat};
use yew::prelude::*;

/// The output of the selected rank, row by row; nothing before workers have run, or where the rank
/// ends with nothing, or with more than fits into a panel.
pub fn result(lang: Lang, state: &State) -> Html {
    let (s, words) = (&state.scenario, Words::of(lang));
    let output =
        state.take.recorded.as_ref().and_then(|run| run.outputs.get(s.view.selected)?.clone());
    let Some(bytes) = output.filter(|bytes| !bytes.is_empty() && s.verb != Verb::Barrier) else {
        return Html::default();
    };
    let (tensor, wire) = (s.tensor(), state.take.prepared.run.reduction.wire());
    let (bytes, columns) = match s.verb {
        // The blocks arrived one after the other; a local Concat makes them a tensor again.
        Verb::AllGather | Verb::Gather => {
            let columns = tensor.shape.last().copied();
            (concat(&tensor, s.ranks, wire.size_bytes(), &bytes), columns)
        }
        Verb::ReduceScatter | Verb::Scatter => {
            (bytes, block_columns(&tensor, s.ranks, s.view.selected))
        }
        _ => (bytes, None),
    };
    let numbers: Vec<String> =
        plain::numbers(wire, &bytes).into_iter().map(units::number).collect();
    if numbers.len() > super::scenario::MAX_NUMBERS {
        return Html::default();
    }
    let columns = columns.filter(|_| tensor.shape.len() > 1).unwrap_or(numbers.len()).max(1);
    let cell = |number: &String| html! { <td class="number">{ number.clone() }</td> };
    let row = |row: &[String]| html! { <tr>{ for row.iter().map(cell) }</tr> };
    html! {
        <section class="section">
            <h2>
                { fill(words.output, &[("rank", &s.view.selected)]) }{ " " }
                <span class="kind">{ words.measured_here }</span>
            </h2>
            <div class="table-scroll">
                <table class="tensor">
                    <tbody>{ for numbers.chunks(columns).map(row) }</tbody>
                </table>
            </div>
        </section>
    }
}

/// The last extent of one rank's block.
fn block_columns(tensor: &Tensor, ranks: usize, rank: usize) -> Option<usize> {
    let last = tensor.shape.len().checked_sub(1)?;
    let extent = tensor.shape.get(last).copied()?;
    Some(if tensor.dim == last { balanced(extent, ranks, rank).len() } else { extent })
}

/// Whether all ranks computed the same: what the checker says, and what a run shows.
pub fn order(lang: Lang, state: &State) -> Html {
    let prepared = &state.take.prepared;
    let Some(order) = rounding::order(lang, prepared) else { return Html::default() };
    let recorded = state.take.recorded.as_ref();
    let shown = recorded.and_then(|run| rounding::outcome(lang, prepared, &run.outputs));
    html! {
        <section class="section">
            <h2>{ RoundingWords::of(lang).title }</h2>
            <p>{ order }</p>
            if let Some(shown) = shown { <p>{ shown }</p> }
        </section>
    }
}
