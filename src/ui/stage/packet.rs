//! Messages under way.

use super::Scene;
use crate::engine::collective::Collective;
use crate::engine::replay::Flight;
use crate::engine::{Label, Rank};
use crate::ui::layout::{Shape, eased, hue};
use crate::ui::text::{fill, units};
use std::collections::BTreeSet;
use yew::prelude::*;

/// More packets than this at once are drawn without words.
const MOST_WITH_WORDS: usize = 24;

/// How large a packet with these words is.
fn size(text: &str) -> (f64, f64) {
    (20.0 + 7.6 * text.chars().count() as f64, 28.0)
}

/// All packets that are under way: (those that cards may cover, those that are in front).
///
/// On a busy stage only the messages of the selected rank have names. Where there are no names, a
/// dot tells that a link is in use, however many messages it carries.
pub(super) fn packets(scene: &Scene) -> (Html, Html) {
    let Scene { prepared, layout, selected, time, .. } = *scene;
    let named = |flight: &&Flight| !layout.is_busy() || touches(flight, selected);
    let (front, back): (Vec<&Flight>, Vec<&Flight>) =
        scene.flights.iter().copied().partition(named);
    let place = |flight: &Flight, size| {
        let way = layout.path(ends(flight), selected, size);
        let share = (time - flight.departs) / (flight.arrives - flight.departs).max(1e-9);
        (way.has_room(), layout.inside(way.at(eased(share.clamp(0.0, 1.0))), size))
    };
    // At the very start of a journey a packet would only crowd its card.
    let moving = |flight: &&&Flight| flight.departs < time;
    let class = |flight: &Flight| {
        classes!("packet", hue_class(&prepared.schedule.collective, &flight.labels))
    };
    let dots = |flights: &[&Flight], size: f64| -> Html {
        let dot = |flight: &&Flight| {
            let (_, at) = place(flight, (size, size));
            html! {
                <circle key={key(flight)} class={class(flight)} r={(size / 2.0).to_string()}
                    cx={format!("{:.1}", at.x)} cy={format!("{:.1}", at.y)} />
            }
        };
        per_link(flights).iter().filter(moving).map(dot).collect()
    };
    let packet = |flight: &&Flight| {
        let [name, amount, kind] = parts(scene, flight);
        let short = format!("{name} · {amount}");
        let long = format!("{short}{kind}");
        let texts = match layout.is_busy() {
            // The lens or the cards say the rest.
            true => vec![name],
            // Numbers are shown with their dots; of a large buffer words say how far it is.
            false if flight.elements > MOST_NUMBERS && touches(flight, selected) => {
                vec![long.clone(), short, name]
            }
            false => vec![short, name],
        };
        let fits = |text: &String| place(flight, size(text)).0;
        let text = texts.into_iter().find(fits).unwrap_or_default();
        let (width, height) = if text.is_empty() { (12.0, 12.0) } else { size(&text) };
        let (_, at) = place(flight, (width, height));
        html! {
            <g key={key(flight)} class={class(flight)}
                transform={format!("translate({:.1} {:.1})", at.x, at.y)}>
                <title>{ long }</title>
                { for pill(width, height) }
                if !text.is_empty() { <text class="packet-text" y="4.5">{ text }</text> }
            </g>
        }
    };
    // A ring's arrows never change; elsewhere they show what is under way, or about to leave.
    let arrow = |flight: &&Flight| {
        let way = layout.path(ends(flight), selected, (0.0, 0.0));
        html! { <path key={key(flight)} class="arrow is-active" d={way.head()} /> }
    };
    let arrows = if layout.shape == Shape::Ring { Vec::new() } else { per_link(&front) };
    let distinct: Html = match front.len() > MOST_WITH_WORDS {
        true => dots(&front, 11.0),
        false => front.iter().filter(moving).map(packet).collect(),
    };
    let back = html! { <g class="packets is-quiet">{ dots(&back, 7.0) }</g> };
    let front = html! {
        <>
            <g>{ for arrows.iter().map(arrow) }</g>
            <g class="packets">{ distinct }</g>
        </>
    };
    (back, front)
}

/// Of the messages on one link the one that left first.
fn per_link<'a>(flights: &[&'a Flight]) -> Vec<&'a Flight> {
    let mut seen = BTreeSet::new();
    flights.iter().copied().filter(|flight| seen.insert(ends(flight))).collect()
}

/// The class of the hue that chunks have in common.
pub fn hue_class(collective: &Collective, labels: &[Label]) -> String {
    let mut hues = labels.iter().map(|&label| hue(collective, label));
    match hues.next() {
        Some(first) if hues.all(|hue| hue == first) => format!("h{first}"),
        _ => "is-mixed".into(),
    }
}

/// Ground and body of a packet, round its centre.
fn pill(width: f64, height: f64) -> [Html; 2] {
    ["packet-back", "packet-body"].map(|class| {
        html! {
            <rect {class} x={format!("{:.1}", -width / 2.0)} y={format!("{:.1}", -height / 2.0)}
                width={width.to_string()} height={height.to_string()}
                rx={(height / 2.0).to_string()} />
        }
    })
}

fn ends(flight: &Flight) -> (Rank, Rank) {
    (flight.message.from, flight.message.to)
}

fn touches(flight: &Flight, rank: Rank) -> bool {
    flight.message.from == rank || flight.message.to == rank
}

fn key(flight: &Flight) -> String {
    format!("{}-{}-{}", flight.message.from, flight.message.to, flight.message.recv_op)
}

/// So many numbers are shown themselves; of more the amount.
const MOST_NUMBERS: usize = 3;

/// The words on a packet: `c3`; `17`, or `64 KiB` of many numbers; and where contributions are
/// combined, ` · partial 2/4`.
pub(super) fn parts(scene: &Scene, flight: &Flight) -> [String; 3] {
    let Scene { words, prepared, .. } = scene;
    let name = units::chunk_names(&prepared.schedule.collective, &flight.labels);
    let numbers = flight.contents.iter().flat_map(|contents| &contents.values);
    let numbers: Vec<String> = numbers.map(|&value| units::number(value)).collect();
    let amount = if flight.elements > MOST_NUMBERS || numbers.is_empty() {
        units::bytes((flight.elements * prepared.run.reduction.wire().size_bytes()) as u64)
    } else {
        numbers.join(" ")
    };
    let held = flight.contents.first().map_or(0, |contents| contents.from.len());
    let kind = match flight.complete {
        0 | 1 => String::new(),
        n if held < n => format!(" · {}", fill(words.partial, &[("k", &held), ("n", &n)])),
        _ => format!(" · {}", words.complete),
    };
    [name, amount, kind]
}
