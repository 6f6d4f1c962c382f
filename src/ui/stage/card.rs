//! A rank's card.

use crate::engine::Rank;
use crate::engine::replay::{Cell, CellState, Replay};
use crate::ui::layout::{Detail, Layout, Measures, hue};
use crate::ui::scenario::Prepared;
use crate::ui::shared::Shared;
use crate::ui::text::stage::Stage as Words;
use crate::ui::text::{Lang, fill, units};
use web_sys::KeyboardEvent;
use yew::prelude::*;

/// Properties of [`Card`].
#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub prepared: Shared<Prepared>,
    pub replay: Shared<Replay>,
    pub layout: Shared<Layout>,
    pub rank: Rank,
    /// Since when each cell has been as it is: all that decides what the card looks like.
    pub stamps: Vec<f64>,
    pub selected: bool,
    /// What the rank is doing.
    pub note: AttrValue,
    pub on_select: Callback<Rank>,
}

/// A card: a heading and a cell per chunk.
#[component]
pub fn Card(props: &Props) -> Html {
    let Props { lang, prepared, replay, layout, rank, stamps, selected, note, on_select } = props;
    let (words, m) = (Words::of(*lang), layout.measures);
    let center = layout.centers[*rank];
    let (left, top) = (center.x - layout.card_w / 2.0, center.y - layout.card_h / 2.0);
    let cells: Vec<(&Cell, &CellState)> = replay
        .cells
        .iter()
        .filter(|cell| cell.rank == *rank)
        .zip(stamps)
        .map(|(cell, &stamp)| (cell, cell.at(stamp)))
        .collect();
    let title = fill(words.rank, &[("rank", rank)]);
    let select = {
        let (on_select, rank) = (on_select.clone(), *rank);
        Callback::from(move |()| on_select.emit(rank))
    };
    let onclick = select.reform(|_: MouseEvent| ());
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" {
            event.prevent_default();
            select.emit(());
        }
    });
    let note_fits = 2.0 * m.pad + 58.0 + 6.4 * note.chars().count() as f64 <= layout.card_w;
    let baseline = if m.detail == Detail::Full { 20.0 } else { 14.0 };
    let drawn = cells.iter().map(|(cell, state)| draw(cell, state, layout, prepared));
    html! {
        <g class={classes!("card", selected.then_some("is-selected"))}
            transform={format!("translate({left:.1} {top:.1})")} tabindex="0" role="button"
            aria-pressed={selected.to_string()} {onclick} {onkeydown}
            aria-label={spoken(words, &title, note, &cells, prepared)}>
            <rect class="card-frame" width={layout.card_w.to_string()}
                height={layout.card_h.to_string()} rx={m.pad.to_string()} />
            <text class="card-title" x={m.pad.to_string()} y={baseline.to_string()}>
                { if m.detail == Detail::Tiny { rank.to_string() } else { title } }
            </text>
            if m.detail != Detail::Tiny && note_fits {
                <text class="card-note" x={(layout.card_w - m.pad).to_string()}
                    y={baseline.to_string()}>{ note }</text>
            }
            { for drawn }
        </g>
    }
}

/// The card in words, for those who do not see it.
fn spoken(
    words: &Words,
    title: &str,
    note: &str,
    cells: &[(&Cell, &CellState)],
    prepared: &Prepared,
) -> String {
    let mut text = title.to_string();
    if !note.is_empty() {
        text.push_str(", ");
        text.push_str(note);
    }
    for (cell, state) in cells {
        let name = units::chunk_name(&prepared.schedule.collective, cell.label);
        text.push_str("; ");
        match &state.contents {
            None => text.push_str(&fill(words.cell_empty, &[("chunk", &name)])),
            Some(contents) => {
                let value = value_text(&contents.values, usize::MAX);
                let values: [(&str, &dyn std::fmt::Display); 4] = [
                    ("chunk", &name),
                    ("value", &value),
                    ("k", &contents.from.len()),
                    ("n", &cell.complete),
                ];
                text.push_str(&fill(words.cell_holds, &values));
            }
        }
    }
    text
}

/// The numbers of a chunk, as many as `most` characters hold; an ellipsis says that there are more.
fn value_text(values: &[f64], most: usize) -> String {
    let mut text = String::new();
    for (index, value) in values.iter().enumerate() {
        let next = units::number(*value);
        let room = if index + 1 < values.len() { 2 } else { 0 };
        if index > 0 && text.chars().count() + 1 + next.chars().count() + room > most {
            text.push_str(" …");
            break;
        }
        if index > 0 {
            text.push(' ');
        }
        text.push_str(&next);
    }
    text
}

fn draw(cell: &Cell, state: &CellState, layout: &Layout, prepared: &Prepared) -> Html {
    let m = layout.measures;
    let line = cell.row * layout.lines + cell.column / layout.columns;
    let x = m.pad + (cell.column % layout.columns) as f64 * (m.cell_w + m.gap);
    let y = m.head + line as f64 * (m.cell_h + m.gap) + cell.row as f64 * m.gap;
    let hue = format!("h{}", hue(&prepared.schedule.collective, cell.label));
    let held = state.contents.as_ref().map_or(0, |c| c.from.len().min(cell.complete));
    let class = classes!(
        "cell",
        hue,
        state.contents.is_none().then_some("is-empty"),
        state.is_final.then_some("is-final"),
    );
    let name = units::chunk_name(&prepared.schedule.collective, cell.label);
    let (w, h) = (m.cell_w.to_string(), m.cell_h.to_string());
    let radius = (m.cell_w / 7.0).min(8.0);
    html! {
        <g {class} transform={format!("translate({x:.1} {y:.1})")}>
            <rect class="cell-ground" width={w.clone()} height={h.clone()}
                rx={radius.to_string()} />
            { level(held, cell.complete, m, radius) }
            <rect class="cell-outline" width={w} height={h} rx={radius.to_string()} />
            if m.detail == Detail::Full {
                <text class="cell-name" x="7" y="14">{ name }</text>
                { dots(held, cell.complete, m) }
            }
            if let Some(contents) = &state.contents {
                { value(&contents.values, cell.elements, m) }
            }
        </g>
    }
}

/// The fill from below: k of n contributions.
fn level(held: usize, complete: usize, m: Measures, radius: f64) -> Html {
    if held == 0 {
        return Html::default();
    }
    let height = m.cell_h * held as f64 / complete as f64;
    let top = m.cell_h - height;
    // Square on top, round below like the cell itself; a full cell is round everywhere.
    let r = radius.min(height / 2.0);
    let upper = if held == complete { r } else { 0.0 };
    let (w, straight) = (m.cell_w, height - r - upper);
    let d = format!(
        "M0 {:.1}v{straight:.1}a{r} {r} 0 0 0 {r} {r}h{:.1}a{r} {r} 0 0 0 {r} -{r}v-{straight:.1}\
         a{upper} {upper} 0 0 0 -{upper} -{upper}h-{:.1}a{upper} {upper} 0 0 0 -{upper} {upper}z",
        top + upper,
        w - 2.0 * r,
        w - 2.0 * upper,
    );
    html! { <path class="cell-fill" {d} /> }
}

/// A dot per contribution, the ones that are there filled; none for chunks that are only moved.
fn dots(held: usize, complete: usize, m: Measures) -> Html {
    let step = 5.5;
    if complete < 2 || complete as f64 * step > m.cell_w - 8.0 {
        return Html::default();
    }
    let first = m.cell_w - 7.0 - (complete - 1) as f64 * step;
    let dot = |index: usize| {
        let x = first + index as f64 * step;
        let class = classes!("dot", (index < held).then_some("is-on"));
        html! {
            <circle {class} cx={format!("{x:.1}")} cy={format!("{:.1}", m.cell_h - 7.0)} r="1.7" />
        }
    };
    html! { { for (0..complete).map(dot) } }
}

fn value(values: &[f64], elements: usize, m: Measures) -> Html {
    if m.detail == Detail::Tiny {
        return Html::default();
    }
    let most = (m.cell_w / 7.5) as usize;
    let text = fitting(values, elements, most);
    // In little room the beginning of a long vector says nothing.
    if m.detail == Detail::Compact && text.ends_with('…') {
        return Html::default();
    }
    let long = text.chars().count() > 3 || m.detail == Detail::Compact;
    let tight = text.chars().count() as f64 * 9.5 > m.cell_w || m.detail == Detail::Compact;
    let class = classes!("cell-value", long.then_some("is-long"), tight.then_some("is-small"));
    let y = m.cell_h / 2.0 + if m.detail == Detail::Full { 8.0 } else { 4.5 };
    html! { <text {class} x={(m.cell_w / 2.0).to_string()} y={y.to_string()}>{ text }</text> }
}

/// As many numbers as fit into `most` characters; if not even one does, it is rounded.
fn fitting(values: &[f64], elements: usize, most: usize) -> String {
    let mut text = value_text(values, most);
    if elements > values.len() && !text.ends_with('…') {
        text.push_str(" …");
    }
    let Some(&first) = values.first().filter(|_| text.chars().count() > most) else { return text };
    let more = if elements > 1 { "…" } else { "" };
    let exact = format!("{}{more}", units::number(first));
    let rounded = (0..4).rev().map(|digits| format!("{first:.digits$}{more}"));
    let mut shorter = std::iter::once(exact).chain(rounded);
    shorter
        .find(|text| text.chars().count() <= most)
        .unwrap_or_else(|| format!("{first:.0e}{more}"))
}
