//! Messages under way.

use crate::engine::replay::{Flight, Replay};
use crate::ui::layout::{Layout, eased, hue};
use crate::ui::scenario::Prepared;
use crate::ui::text::stage::Stage as Words;
use crate::ui::text::{Lang, fill, units};
use std::fmt::Display;
use yew::prelude::*;

/// More packets than this at once are drawn without words.
const MOST_WITH_WORDS: usize = 24;

/// All packets that are under way.
pub fn packets(
    lang: Lang,
    prepared: &Prepared,
    replay: &Replay,
    layout: &Layout,
    time: f64,
) -> Html {
    let flights: Vec<&Flight> = replay.under_way(time).collect();
    // At the very start of a journey a packet would only cover its card.
    let moving = flights.iter().filter(|flight| flight.departs < time);
    let crowded = flights.len() > MOST_WITH_WORDS;
    let packet = |flight: &&Flight| {
        let share = (time - flight.departs) / (flight.arrives - flight.departs).max(1e-9);
        let way = layout.path(flight.message.from, flight.message.to);
        let at = way.at(eased(share.clamp(0.0, 1.0)));
        let c = &prepared.schedule.collective;
        let label = flight.labels[0];
        let text = short(flight, prepared);
        // Between cards that stand close together words would only cover them.
        let plain = crowded || way.length() < 70.0;
        let width = if plain { 12.0 } else { 20.0 + 7.6 * text.chars().count() as f64 };
        let height = if plain { 12.0 } else { 28.0 };
        let class = classes!("packet", format!("h{}", hue(c, label)));
        let key =
            format!("{}-{}-{}", flight.message.from, flight.message.to, flight.message.recv_op);
        let rect = |class: &'static str| {
            html! {
                <rect {class} x={format!("{:.1}", -width / 2.0)} y={format!("{:.1}", -height / 2.0)}
                    width={width.to_string()} height={height.to_string()}
                    rx={(height / 2.0).to_string()} />
            }
        };
        html! {
            <g {key} {class} transform={format!("translate({:.1} {:.1})", at.x, at.y)}>
                <title>{ long(Words::of(lang), flight, prepared) }</title>
                { rect("packet-back") }
                { rect("packet-body") }
                if !plain { <text class="packet-text" y="4.5">{ text }</text> }
            </g>
        }
    };
    html! { <g class="packets" aria-hidden="true">{ for moving.map(packet) }</g> }
}

/// `c3 · 17` for a number, `c3 · 64 KiB` for more.
fn short(flight: &Flight, prepared: &Prepared) -> String {
    let name = units::chunk_names(&prepared.schedule.collective, &flight.labels);
    let numbers: Vec<f64> = flight.contents.iter().flat_map(|c| c.values.iter().copied()).collect();
    if flight.elements > 3 || numbers.is_empty() {
        let size = flight.elements * prepared.run.reduction.dtype.size_bytes();
        return format!("{name} · {}", units::bytes(size as u64));
    }
    let numbers: Vec<String> = numbers.iter().map(|&v| units::number(v)).collect();
    format!("{name} · {}", numbers.join(" "))
}

/// `c3 · 64 KiB · partial, 2 of 4`.
fn long(words: &Words, flight: &Flight, prepared: &Prepared) -> String {
    let c = &prepared.schedule.collective;
    let size = flight.elements * prepared.run.reduction.dtype.size_bytes();
    let held = flight.contents.first().map_or(0, |contents| contents.from.len());
    let values: [(&str, &dyn Display); 4] = [
        ("chunk", &units::chunk_names(c, &flight.labels)),
        ("bytes", &units::bytes(size as u64)),
        ("k", &held),
        ("n", &flight.complete),
    ];
    let template = if held < flight.complete { words.packet_partial } else { words.packet_final };
    fill(template, &values)
}
