//! The stage as a table: for screen readers, and for whoever wants the numbers.

use crate::engine::replay::Replay;
use crate::ui::scenario::Prepared;
use crate::ui::shared::Shared;
use crate::ui::text::actor::actor;
use crate::ui::text::stage::Stage as Words;
use crate::ui::text::{Lang, units};
use yew::prelude::*;

/// Properties of [`Table`].
#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub prepared: Shared<Prepared>,
    pub replay: Shared<Replay>,
    pub time: f64,
}

/// What every rank holds now; rendered only while it is open.
#[component]
pub fn Table(props: &Props) -> Html {
    let open = use_state(|| false);
    let words = Words::of(props.lang);
    let ontoggle = {
        let open = open.clone();
        Callback::from(move |event: Event| {
            let details = event.target_dyn_into::<web_sys::HtmlDetailsElement>();
            open.set(details.is_some_and(|details| details.open()));
        })
    };
    html! {
        <details class="stage-table" {ontoggle}>
            <summary>{ words.as_table }</summary>
            if *open { { table(words, props) } }
        </details>
    }
}

fn table(words: &Words, props: &Props) -> Html {
    let c = &props.prepared.schedule.collective;
    let row = |cell: &crate::engine::replay::Cell| {
        let state = cell.at(props.time);
        let (held, value) = match &state.contents {
            None => (0, String::from("–")),
            Some(contents) => {
                let numbers: Vec<_> = contents.values.iter().map(|&v| units::number(v)).collect();
                let more = if cell.elements > numbers.len() { " …" } else { "" };
                (contents.from.len(), format!("{}{more}", numbers.join(" ")))
            }
        };
        html! {
            <tr key={format!("{}-{}-{}", cell.rank, cell.row, cell.label)}>
                <th scope="row">{ actor(props.lang, c.ranks, cell.rank) }</th>
                <td>{ units::chunk_name(c, cell.label) }</td>
                <td>{ value }</td>
                <td>{ format!("{held}/{}", cell.complete) }</td>
                <td>{ if state.is_final { words.yes } else { "" } }</td>
            </tr>
        }
    };
    html! {
        <div class="table-scroll" tabindex="0" role="region" aria-label={words.as_table}>
            <table>
                <thead><tr>
                    <th scope="col">{ words.col_rank }</th>
                    <th scope="col">{ words.col_chunk }</th>
                    <th scope="col">{ words.col_value }</th>
                    <th scope="col">{ words.col_held }</th>
                    <th scope="col">{ words.col_final }</th>
                </tr></thead>
                <tbody>{ for props.replay.cells.iter().map(row) }</tbody>
            </table>
        </div>
    }
}
