//! A rank's card.

use crate::engine::Rank;
use crate::engine::reduce::plain::Number;
use crate::engine::replay::{Cell, CellState, Replay};
use crate::ui::layout::{Detail, Frame, Measures, Point, hue};
use crate::ui::scenario::Prepared;
use crate::ui::shared::Shared;
use crate::ui::text::stage::Stage as Words;
use crate::ui::text::{Lang, actor, fill, units};
use web_sys::KeyboardEvent;
use yew::prelude::*;

/// Properties of [`Card`].
#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub prepared: Shared<Prepared>,
    pub replay: Shared<Replay>,
    /// How it is drawn.
    pub frame: Frame,
    /// Where its centre is.
    pub center: Point,
    pub rank: Rank,
    /// Since when it has looked as it does now.
    pub since: f64,
    pub selected: bool,
    /// What the rank is doing.
    pub note: AttrValue,
    /// The messages of the rank, if the card is a lens. A lens repeats a card, for eyes only.
    pub ports: Option<Vec<Port>>,
    pub on_select: Callback<Rank>,
}

/// A line of a lens about messages under way.
#[derive(Clone, PartialEq)]
pub struct Port {
    /// Whether it leaves the rank.
    pub leaving: bool,
    /// Which way, and which rank is at the other end.
    pub peer: String,
    /// The class of the hue of its chunks.
    pub hue: String,
    /// What is under way.
    pub text: String,
}

/// A card: a heading and a cell per chunk.
#[component]
pub fn Card(props: &Props) -> Html {
    let Props { lang, prepared, replay, frame, center, rank, selected, note, on_select, .. } =
        props;
    let (words, m) = (Words::of(*lang), &frame.measures);
    let (left, top) = (center.x - frame.width / 2.0, center.y - frame.height / 2.0);
    let cells = replay.cells_of(*rank).iter().map(|cell| (cell, cell.at(props.since)));
    let cells: Vec<(&Cell, &CellState)> = cells.collect();
    let ranks = prepared.schedule.collective.ranks;
    let title = actor::actor(*lang, ranks, *rank);
    let is_switch = prepared.schedule.is_switch(*rank);
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
    let lead = if is_switch { GLYPH } else { 0.0 };
    let note_fits = 2.0 * m.pad + lead + 58.0 + 6.4 * note.chars().count() as f64 <= frame.width;
    let baseline = if m.detail == Detail::Full { 20.0 } else { 13.0 };
    let is_lens = props.ports.is_some();
    let tiny = m.detail == Detail::Tiny && !is_lens;
    let class = classes!(
        if is_lens { "lens" } else { "card" },
        selected.then_some("is-selected"),
        is_switch.then_some("is-switch"),
    );
    let said = (!is_lens).then(|| spoken(words, &title, note, &cells, prepared));
    html! {
        <g {class}
            transform={format!("translate({left:.1} {top:.1})")} {onclick} {onkeydown}
            tabindex={said.is_some().then_some("0")} role={said.is_some().then_some("button")}
            aria-pressed={said.is_some().then_some(if *selected { "true" } else { "false" })}
            aria-hidden={is_lens.then_some("true")} aria-label={said}>
            <rect class="card-frame" width={frame.width.to_string()}
                height={frame.height.to_string()} rx={m.pad.to_string()} />
            if is_switch { { switch_glyph(m.pad, baseline) } }
            if !(tiny && is_switch) {
                <text class="card-title" x={(m.pad + lead).to_string()} y={baseline.to_string()}>
                    { if tiny { rank.to_string() } else { title } }
                </text>
            }
            if !tiny && note_fits {
                <text class="card-note" x={(frame.width - m.pad).to_string()}
                    y={baseline.to_string()}>{ note }</text>
            }
            { for cells.iter().map(|(cell, state)| draw(cell, state, frame, prepared)) }
            { for props.ports.iter().flatten().map(|port| draw_port(frame, port)) }
        </g>
    }
}

/// Room that the glyph of a switch takes before its name.
const GLYPH: f64 = 18.0;

/// What tells a switch from a rank: ways that cross.
fn switch_glyph(x: f64, baseline: f64) -> Html {
    let transform = format!("translate({x:.1} {:.1})", baseline - 11.0);
    let d = "M0 3h4l5 7h4M0 10h4l1.4-2M7.6 5L9 3h4M11 1l2 2-2 2M11 8l2 2-2 2";
    html! { <path class="switch-glyph" {transform} {d} /> }
}

/// Where the packet begins on a line of a lens, and how wide it is.
const PEER: f64 = 78.0;

fn packet_width(text: &str) -> f64 {
    18.0 + 6.6 * text.chars().count() as f64
}

/// Whether these words fit on a line of a lens.
pub fn fits(frame: &Frame, text: &str) -> bool {
    PEER + packet_width(text) <= frame.port_width()
}

fn draw_port(frame: &Frame, port: &Port) -> Html {
    let Point { x, y } = frame.ports()[usize::from(!port.leaving)];
    let width = packet_width(&port.text);
    html! {
        <g class={classes!("port", port.hue.clone())}
            transform={format!("translate({x:.1} {y:.1})")}>
            <text class="port-peer" y="4">{ &port.peer }</text>
            <rect class="packet-body" x={PEER.to_string()} y="-11" width={format!("{width:.1}")}
                height="22" rx="11" />
            <text class="port-text" x={format!("{:.1}", PEER + width / 2.0)} y="4">
                { &port.text }
            </text>
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
fn value_text(values: &[Number], most: usize) -> String {
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

fn draw(cell: &Cell, state: &CellState, frame: &Frame, prepared: &Prepared) -> Html {
    let m = &frame.measures;
    let Point { x, y } = frame.cell(cell.row, cell.column);
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
                <text class={classes!("cell-name", dense(m).then_some("is-dense"))}
                    x={if dense(m) { "4" } else { "7" }} y={if dense(m) { "11" } else { "14" }}>
                    { name }
                </text>
                { dots(held, cell.complete, m) }
            }
            if let Some(contents) = &state.contents {
                { value(&contents.values, cell.elements, m) }
            }
        </g>
    }
}

/// Whether there is only just room for a name above the value.
fn dense(m: &Measures) -> bool {
    m.cell_h < 40.0
}

/// The fill from below: k of n contributions.
fn level(held: usize, complete: usize, m: &Measures, radius: f64) -> Html {
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
fn dots(held: usize, complete: usize, m: &Measures) -> Html {
    let step = 5.5;
    if complete < 2 || dense(m) || complete as f64 * step > m.cell_w - 8.0 {
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

fn value(values: &[Number], elements: usize, m: &Measures) -> Html {
    if m.detail == Detail::Tiny {
        return Html::default();
    }
    let most = (m.cell_w / 7.5) as usize;
    let text = fitting(values, elements, most);
    // In little room the beginning of a long vector says nothing.
    if m.cell_w < 40.0 && text.ends_with('…') {
        return Html::default();
    }
    let long = text.chars().count() > 3 || dense(m);
    let tight = text.chars().count() as f64 * 9.5 > m.cell_w || m.detail == Detail::Compact;
    // In a lower cell it keeps off the name above it.
    let low = m.cell_h < 50.0;
    let class = classes!(
        "cell-value",
        low.then_some("is-low"),
        long.then_some("is-long"),
        tight.then_some("is-small"),
    );
    let below = match m.detail {
        Detail::Full if low => 9.5,
        Detail::Full => 8.0,
        _ => 4.5,
    };
    let y = m.cell_h / 2.0 + below;
    html! { <text {class} x={(m.cell_w / 2.0).to_string()} y={y.to_string()}>{ text }</text> }
}

/// As many numbers as fit into `most` characters; if not even one does, it is rounded.
fn fitting(values: &[Number], elements: usize, most: usize) -> String {
    let mut text = value_text(values, most);
    if elements > values.len() && !text.ends_with('…') {
        text.push_str(" …");
    }
    let Some(&first) = values.first().filter(|_| text.chars().count() > most) else { return text };
    let more = if elements > 1 { "…" } else { "" };
    let exact = format!("{}{more}", units::number(first));
    let first = first.to_f64();
    let rounded = (0..4).rev().map(|digits| format!("{first:.digits$}{more}"));
    let mut shorter = std::iter::once(exact).chain(rounded);
    shorter
        .find(|text| text.chars().count() <= most)
        .unwrap_or_else(|| format!("{first:.0e}{more}"))
}
