//! What the collective costs.

use crate::engine::cost::Topology;
use crate::ui::scenario::Prepared;
use crate::ui::shared::Shared;
use crate::ui::text::inspector::Inspector;
use crate::ui::text::inspector::cost::{Measured, Row, rows};
use crate::ui::text::{Lang, fill};
use yew::prelude::*;

/// Properties of [`CostStrip`].
#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub prepared: Shared<Prepared>,
    /// The links that modelled times are for.
    pub topology: &'static Topology,
    /// What workers took, if they have run.
    #[prop_or_default]
    pub measured: Option<Measured>,
}

/// A line a number: what it is, how it comes about, of what kind it is.
#[component]
pub fn CostStrip(props: &Props) -> Html {
    let words = Inspector::of(props.lang);
    let about = (props.lang, props.prepared.clone(), props.topology, props.measured);
    let rows = use_memo(about, |(lang, prepared, topology, measured)| {
        rows(*lang, topology, prepared, *measured)
    });
    let verb = props.prepared.schedule.collective.verb.title();
    html! {
        <section class="section">
            <h2 class="section-title">{ fill(words.cost, &[("verb", &verb)]) }</h2>
            <table class="cost">
                <tbody>{ for rows.iter().map(line) }</tbody>
            </table>
        </section>
    }
}

fn line(row: &Row) -> Html {
    html! {
        <tr>
            <th scope="row">
                <span>{ &row.name }</span>
                if !row.formula.is_empty() { <span class="formula">{ &row.formula }</span> }
                if !row.kind.is_empty() { <span class="kind">{ &row.kind }</span> }
                if !row.note.is_empty() { <span class="cost-note">{ &row.note }</span> }
            </th>
            <td>{ &row.value }</td>
        </tr>
    }
}
