//! The same run in words: every message in a table, made only when it is opened.

use crate::engine::reduce::plain::Number;
use crate::engine::replay::{Flight, Replay};
use crate::engine::trace::Clock;
use crate::ui::scenario::Prepared;
use crate::ui::shared::Shared;
use crate::ui::text::actor::short;
use crate::ui::text::track::TrackWords;
use crate::ui::text::{Lang, fill, units};
use web_sys::HtmlDetailsElement;
use yew::prelude::*;

/// What [`Table`] lists.
#[derive(Clone, PartialEq, Properties)]
pub struct TableProps {
    /// The language.
    pub lang: Lang,
    /// The clock of `replay`.
    pub clock: Clock,
    /// What ran.
    pub prepared: Shared<Prepared>,
    /// How it went.
    pub replay: Shared<Replay>,
    /// Which call that is, where there are several.
    #[prop_or_default]
    pub of: AttrValue,
}

/// All messages, by departure.
#[component]
pub fn Table(props: &TableProps) -> Html {
    let open = use_state_eq(|| false);
    let words = TrackWords::of(props.lang);
    let name = match props.of.as_str() {
        "" => words.table.to_string(),
        of => fill(words.table_of, &[("of", &of)]),
    };
    let ontoggle = {
        let open = open.clone();
        Callback::from(move |event: Event| {
            if let Some(details) = event.target_dyn_into::<HtmlDetailsElement>() {
                open.set(details.open());
            }
        })
    };
    let columns = [words.step, words.from, words.to, words.chunks, words.departs, words.arrives_at];
    html! {
        <details class="timeline-table" {ontoggle}>
            <summary>{ name.clone() }</summary>
            if *open {
                <div class="table-wrap" tabindex="0" role="region" aria-label={name}>
                    <table class="table">
                        <caption>{ words.table_caption }</caption>
                        <thead><tr>
                            { for columns.map(|name| html! { <th scope="col">{ name }</th> }) }
                        </tr></thead>
                        <tbody>
                            { for props.replay.flights.iter().map(|flight| row(props, flight)) }
                        </tbody>
                    </table>
                </div>
            }
        </details>
    }
}

fn row(props: &TableProps, flight: &Flight) -> Html {
    let collective = &props.prepared.schedule.collective;
    let time = |time: f64| match props.clock {
        Clock::Rounds => units::number(Number::Double(time)),
        Clock::Measured | Clock::Modelled => units::time_us(time),
    };
    html! {
        <tr>
            <td>{ flight.step }</td>
            <td>{ short(props.lang, collective.ranks, flight.message.from) }</td>
            <td>{ short(props.lang, collective.ranks, flight.message.to) }</td>
            <td>{ units::chunk_names(collective, &flight.labels) }</td>
            <td>{ time(flight.departs) }</td>
            <td>{ time(flight.arrives) }</td>
        </tr>
    }
}
