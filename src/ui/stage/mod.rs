//! The stage: ranks as cards, chunks as cells, messages as packets under way.
//!
//! Drawn from (replay, time) alone. A card redraws only when one of its cells changed, and what
//! moves lies in pictures of its own below and above the cards: where anything in a picture has
//! changed, a browser paints all of it. So an animation frame costs the packets and nothing else.

mod card;
mod link;
mod packet;
mod table;

use super::layout::{Cards, Frame, Layout, Point, Shape, layout, shape};
use super::scenario::Prepared;
use super::shared::Shared;
use super::size::use_size;
use super::text::actor::actor;
use super::text::stage::Stage as Words;
use super::text::{Lang, fill, units};
use crate::engine::replay::{Activity, Flight, Replay, card_rows};
use crate::engine::{Label, Rank, distinct};
use card::{Card, Port, fits};
use link::Links;
use packet::{hue_class, packets, parts};
pub use table::Table as StageTable;
use yew::prelude::*;

/// Properties of [`Stage`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
    /// What runs.
    pub prepared: Shared<Prepared>,
    /// What happened.
    pub replay: Shared<Replay>,
    /// The moment that is shown.
    pub time: f64,
    /// The selected rank.
    pub selected: Rank,
    /// Called with the rank that was chosen.
    pub on_select: Callback<Rank>,
}

/// One moment on the stage.
struct Scene<'a> {
    lang: Lang,
    words: &'a Words,
    prepared: &'a Prepared,
    replay: &'a Replay,
    layout: &'a Layout,
    selected: Rank,
    time: f64,
    /// The messages under way, or about to leave.
    flights: Vec<&'a Flight>,
}

/// So many ranks' lanes fit under the stage on a phone's screen. Where there are more, the reader
/// scrolls to them anyway, and the stage may be higher.
const FEW_RANKS: usize = 4;

/// The stage. The stylesheet decides how much room it has; it is drawn in pixels of that room, so
/// that text is never scaled.
#[component]
pub fn Stage(props: &Props) -> Html {
    let Props { lang, prepared, replay, time, selected, on_select } = props;
    let (words, time, selected) = (Words::of(*lang), *time, *selected);
    let place = use_node_ref();
    let size = use_size(&place);
    let layout = use_memo((prepared.clone(), size), |(prepared, size)| {
        Shared::new(arrange(prepared, *size))
    });
    let many = prepared.schedule.collective.ranks > FEW_RANKS;
    let class = classes!("stage-box", many.then_some("is-of-many"));
    if size.0 < 1.0 {
        return html! { <div {class} ref={place} /> };
    }
    let flights = replay.under_way(time).collect();
    let links =
        html! { <Links prepared={prepared.clone()} layout={(*layout).clone()} {selected} /> };
    let layout = &**layout;
    let scene = Scene { lang: *lang, words, prepared, replay, layout, selected, time, flights };
    let card = |rank: Rank, center: Point, frame: Frame, ports: Option<Vec<Port>>| {
        let key = ports.as_ref().map_or_else(|| rank.to_string(), |_| "lens".to_string());
        // What a rank sends or waits for is said by the lines of its lens.
        let note = match &ports {
            Some(lines) if !lines.is_empty() => AttrValue::default(),
            _ => note(&scene, rank),
        };
        html! {
            <Card {key} lang={*lang} prepared={prepared.clone()} replay={replay.clone()} {frame}
                {center} {rank} since={replay.card_since(rank, time)} selected={rank == selected}
                {note} {ports} on_select={on_select.clone()} />
        }
    };
    let lens = layout
        .lens
        .map(|lens| card(selected, lens.center, lens.frame, Some(ports(&scene, &lens.frame))));
    let cards = layout.centers.iter().enumerate();
    let cards = cards.map(|(rank, &center)| card(rank, center, layout.frame, None));
    let (back, front) = packets(&scene);
    let view_box = format!("0 0 {:.0} {:.0}", layout.width, layout.height);
    html! {
        <div {class} ref={place}>
            <div class="stage" role="group" aria-label={words.stage}>
                <svg class="stage-layer" viewBox={view_box.clone()} aria-hidden="true">
                    { links }{ nodes(words, layout) }{ back }
                </svg>
                <svg class="stage-layer" viewBox={view_box.clone()}>{ for cards }{ for lens }</svg>
                <svg class="stage-layer is-above" viewBox={view_box} aria-hidden="true">
                    { front }{ middle_note(&scene) }
                </svg>
            </div>
        </div>
    }
}

fn arrange(prepared: &Prepared, size: (f64, f64)) -> Layout {
    let c = &prepared.schedule.collective;
    let numbers = prepared.lengths.range(0).len();
    let shape = shape(&prepared.schedule, prepared.request.ranks_per_node);
    let cards = Cards {
        count: prepared.schedule.programs.len(),
        rows: card_rows(c.verb),
        chunks: c.chunks(),
        numbers,
    };
    layout(&shape, cards, (size.0.max(1.0), size.1.max(1.0)))
}

/// Every node's outline and name.
fn nodes(words: &Words, layout: &Layout) -> Html {
    let node = |(node, [x, y, width, height]): (usize, [f64; 4])| {
        let [left, top, width, height] = [x, y, width, height].map(|v| format!("{v:.1}"));
        let name = fill(words.node, &[("node", &node)]);
        html! {
            <>
                <rect class="node" x={left} y={top} {width} {height} rx="10" />
                <text class="node-name" x={(x + 5.0).to_string()} y={(y + 13.0).to_string()}>
                    { name }
                </text>
            </>
        }
    };
    layout.nodes().into_iter().enumerate().map(node).collect()
}

/// What a rank is doing, in a few words.
fn note(scene: &Scene, rank: Rank) -> AttrValue {
    let Scene { lang, words, prepared, replay, time, .. } = scene;
    let program = &prepared.schedule.programs[rank];
    let c = &prepared.schedule.collective;
    let (departing, peers) = messages_of(scene, rank, true);
    if let [to] = peers[..] {
        let chunk = units::chunk_names(c, &labels_of(&departing));
        let to = actor(*lang, c.ranks, to);
        let sent = [("chunk", &chunk as &dyn std::fmt::Display), ("peer", &to)];
        return fill(words.sends, &sent).into();
    }
    if !peers.is_empty() {
        return fill(words.sends_to, &[("n", &peers.len())]).into();
    }
    let activities = replay.activity(&prepared.schedule, rank, *time);
    if activities.iter().all(|a| *a == Activity::Ended) {
        return if program.ops.is_empty() { words.idle.into() } else { words.done.into() };
    }
    let waiting = activities.iter().find_map(|activity| match activity {
        Activity::Waiting(op) => program.ops[*op].action.from(),
        _ => None,
    });
    match waiting {
        Some(peer) if *time > 0.0 => {
            fill(words.waits, &[("peer", &actor(*lang, c.ranks, peer.rank))]).into()
        }
        _ => AttrValue::Static(""),
    }
}

/// The messages under way that leave a rank, or come to it, and the ranks at their other ends.
fn messages_of<'a>(scene: &Scene<'a>, rank: Rank, leaving: bool) -> (Vec<&'a Flight>, Vec<Rank>) {
    let ends = |flight: &Flight| match leaving {
        true => (flight.message.from, flight.message.to),
        false => (flight.message.to, flight.message.from),
    };
    let own = scene.flights.iter().filter(|flight| ends(flight).0 == rank);
    let flights: Vec<&Flight> = own.copied().collect();
    let peers = distinct(flights.iter().map(|flight| ends(flight).1).collect());
    (flights, peers)
}

/// All that these messages carry.
fn labels_of(flights: &[&Flight]) -> Vec<Label> {
    flights.iter().flat_map(|flight| flight.labels.clone()).collect()
}

/// The messages of the selected rank: a line for those that leave it, one for those that come.
fn ports(scene: &Scene, frame: &Frame) -> Vec<Port> {
    let Scene { lang, words, prepared, selected, .. } = scene;
    let ranks = prepared.schedule.collective.ranks;
    let port = |leaving: bool| {
        let (flights, peers) = messages_of(scene, *selected, leaving);
        let first = *flights.first()?;
        let peer = match peers[..] {
            [peer] => actor(*lang, ranks, peer),
            _ => fill(words.ranks, &[("n", &peers.len())]),
        };
        let text = if flights.len() == 1 {
            let [name, amount, kind] = parts(scene, first);
            let short = format!("{name} · {amount}");
            let texts = [format!("{short}{kind}"), short, name];
            texts.into_iter().find(|text| fits(frame, text)).unwrap_or(amount)
        } else {
            let elements: usize = flights.iter().map(|flight| flight.elements).sum();
            units::bytes((elements * prepared.run.reduction.wire().size_bytes()) as u64)
        };
        let arrow = if leaving { "→" } else { "←" };
        let hue = hue_class(&prepared.schedule.collective, &labels_of(&flights));
        Some(Port { leaving, peer: format!("{arrow} {peer}"), hue, text })
    };
    [port(true), port(false)].into_iter().flatten().collect()
}

/// What travels in this step, said once in the middle of a ring.
fn middle_note(scene: &Scene) -> Html {
    let Scene { words, prepared, layout, .. } = scene;
    let room = layout.shape == Shape::Ring
        && layout.lens.is_none()
        && (3..=6).contains(&layout.centers.len())
        && layout.height - 2.0 * layout.frame.height > 60.0
        && layout.width - 2.0 * layout.frame.width > 240.0;
    let sizes = || scene.flights.iter().map(|flight| flight.elements);
    let (Some(least), Some(most)) = (sizes().min(), sizes().max()) else {
        return Html::default();
    };
    if !room || most == 0 {
        return Html::default();
    }
    let size =
        |elements| units::bytes((elements * prepared.run.reduction.wire().size_bytes()) as u64);
    let range = format!("{}–{}", size(least), size(most));
    let amount = if least == most { size(most) } else { range };
    let (x, y) = (layout.width / 2.0, layout.height / 2.0);
    let each = fill(words.per_link, &[("bytes", &amount)]);
    html! { <text class="stage-note" x={x.to_string()} y={(y + 4.0).to_string()}>{ each }</text> }
}
