//! The stage: ranks as cards, chunks as cells, messages as packets under way.
//!
//! Drawn from (replay, time) alone. A card redraws only when one of its cells changed, so that an
//! animation frame costs the packets and nothing else.

mod card;
mod packet;
mod table;

use super::layout::{Cards, Layout, layout, shape};
use super::scenario::Prepared;
use super::shared::Shared;
use super::text::stage::Stage as Words;
use super::text::{Lang, fill, units};
use crate::engine::Rank;
use crate::engine::replay::{Activity, Replay, card_rows};
use card::Card;
use packet::packets;
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
    /// Whether there is only a phone's width.
    pub narrow: bool,
    /// Called with the rank that was chosen.
    pub on_select: Callback<Rank>,
}

/// The stage.
#[component]
pub fn Stage(props: &Props) -> Html {
    let Props { lang, prepared, replay, time, selected, narrow, on_select } = props;
    let (lang, time) = (*lang, *time);
    let arrangement = use_memo((prepared.clone(), *narrow), |(prepared, narrow)| {
        let layout = arrange(prepared, *narrow);
        let links = links(prepared, &layout);
        (Shared::new(layout), links)
    });
    let layout = &arrangement.0;
    let words = Words::of(lang);
    let ranks = prepared.schedule.collective.ranks;
    let cards = (0..ranks).map(|rank| {
        let cells = replay.cells.iter().filter(|cell| cell.rank == rank);
        let stamps: Vec<f64> = cells.map(|cell| cell.at(time).since).collect();
        html! {
            <Card key={rank} {lang} prepared={prepared.clone()} replay={replay.clone()}
                layout={layout.clone()} {rank} {stamps} selected={rank == *selected}
                note={note(words, prepared, replay, rank, time)} on_select={on_select.clone()} />
        }
    });
    let view_box = format!("0 0 {:.0} {:.0}", layout.width, layout.height);
    html! {
        <svg class="stage" viewBox={view_box} role="group" aria-label={words.stage}>
            { arrangement.1.clone() }
            { for cards }
            { packets(lang, prepared, replay, layout, time) }
            { middle_note(words, layout, prepared, replay, time) }
        </svg>
    }
}

/// Chooses the stage's size by its contents: more ranks, more room.
fn arrange(prepared: &Prepared, narrow: bool) -> Layout {
    let c = &prepared.schedule.collective;
    let rows = card_rows(c.verb);
    let size = match (narrow, c.ranks) {
        (true, 0..=4) => (360.0, 380.0),
        (true, 5..=8) => (360.0, 480.0),
        (true, _) => (360.0, 560.0),
        (false, 0..=4) if rows == 1 => (960.0, 364.0),
        (false, 0..=4) => (960.0, 440.0),
        (false, 5..=8) => (960.0, 400.0),
        (false, _) => (960.0, 420.0),
    };
    let numbers = prepared.lengths.range(0).len();
    let cards = Cards { ranks: c.ranks, rows, chunks: c.chunks(), numbers };
    layout(&shape(&prepared.schedule), cards, size)
}

/// What a rank is doing, in a few words.
fn note(words: &Words, prepared: &Prepared, replay: &Replay, rank: Rank, time: f64) -> AttrValue {
    let program = &prepared.schedule.programs[rank];
    let c = &prepared.schedule.collective;
    let departing = replay.under_way(time).find(|flight| flight.message.from == rank);
    if let Some(flight) = departing {
        let chunk = units::chunk_name(c, flight.labels[0]);
        let sent = [("chunk", &chunk as &dyn std::fmt::Display), ("rank", &flight.message.to)];
        return fill(words.sends, &sent).into();
    }
    let activities = replay.activity(&prepared.schedule, rank, time);
    if activities.iter().all(|a| *a == Activity::Ended) {
        return if program.ops.is_empty() { words.idle.into() } else { words.done.into() };
    }
    let waiting = activities.iter().find_map(|activity| match activity {
        Activity::Waiting(op) => program.ops[*op].action.from(),
        _ => None,
    });
    match waiting {
        Some(peer) if time > 0.0 => fill(words.waits, &[("rank", &peer.rank)]).into(),
        _ => AttrValue::Static(""),
    }
}

/// What travels in this step, said once in the middle of a ring.
fn middle_note(
    words: &Words,
    layout: &Layout,
    prepared: &Prepared,
    replay: &Replay,
    time: f64,
) -> Html {
    let step = replay.steps.iter().find(|step| step.starts <= time && time < step.ends);
    let room = layout.shape == super::layout::Shape::Ring
        && (3..=6).contains(&layout.centers.len())
        && layout.height - 2.0 * layout.card_h > 60.0
        && layout.width - 2.0 * layout.card_w > 240.0;
    let sizes: Vec<usize> = replay.under_way(time).map(|flight| flight.elements).collect();
    let (Some(&least), Some(&most)) = (sizes.iter().min(), sizes.iter().max()) else {
        return Html::default();
    };
    if step.is_none() || !room || most == 0 {
        return Html::default();
    }
    let size =
        |elements| units::bytes((elements * prepared.run.reduction.dtype.size_bytes()) as u64);
    let range = format!("{}–{}", size(least), size(most));
    let amount = if least == most { size(most) } else { range };
    let (x, y) = (layout.width / 2.0, layout.height / 2.0);
    let each = fill(words.per_link, &[("bytes", &amount)]);
    html! { <text class="stage-note" x={x.to_string()} y={(y + 4.0).to_string()}>{ each }</text> }
}

/// The connections that the schedule uses, drawn quietly.
fn links(prepared: &Prepared, layout: &Layout) -> Html {
    let mut pairs: Vec<(Rank, Rank)> =
        prepared.schedule.messages().iter().map(|m| (m.from, m.to)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    // A full mesh of many ranks would be a grey blanket; there the packets show the way.
    let quiet = pairs.len() > 60;
    let link = |&(from, to): &(Rank, Rank)| {
        let path = layout.path(from, to);
        html! {
            <g key={format!("{from}-{to}")}>
                <path class="link" d={path.data()} />
                if !quiet { <path class="arrow" d={path.head(9.0)} /> }
            </g>
        }
    };
    if quiet {
        Html::default()
    } else {
        html! { <g aria-hidden="true">{ for pairs.iter().map(link) }</g> }
    }
}
