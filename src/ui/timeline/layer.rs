//! What stands still on the track: bands, bars, axis and lane names. It is drawn again only when
//! the run, the width or the selection changes, never because time moves.

use super::geometry::{Band, Bar, Kind, Mark, Track};
use crate::engine::Rank;
use crate::ui::shared::Shared;
use crate::ui::text::track::TrackWords;
use crate::ui::text::{Lang, units};
use yew::prelude::*;

/// What [`Layer`] shows.
#[derive(Clone, PartialEq, Properties)]
pub struct LayerProps {
    /// Where everything goes.
    pub track: Shared<Track>,
    /// The selected rank.
    pub selected: Rank,
    /// Where the part that is repeated begins and ends, in pixels.
    pub looped: Option<(f64, f64)>,
}

/// Bands, bars and axis.
#[component]
pub fn Layer(props: &LayerProps) -> Html {
    let track = &*props.track;
    html! {
        <>
            <defs>
                <pattern id="track-wait" width="5" height="5" patternUnits="userSpaceOnUse"
                    patternTransform="rotate(45)">
                    <path class="wait-stroke" d="M1 0V5" />
                </pattern>
            </defs>
            { for (0..track.lanes.len()).map(|rank| ground(track, rank, rank == props.selected)) }
            if let Some((from, to)) = props.looped {
                <rect class="loop-range" x={px(from)} y={px(track.top - 4.0)}
                    width={px((to - from).max(0.0))} height={px(track.axis - track.top + 4.0)} />
            }
            { for track.bands.iter().map(band) }
            { for track.bars.iter().map(bar) }
            <path class="axis"
                d={format!("M{:.1} {:.1}H{:.1}", track.left, track.axis, track.right)} />
            { for track.dots.iter().map(|x| dot(track, *x)) }
            { for props.looped.map(|range| bracket(track, range)) }
            { for track.marks.iter().map(|(x, mark)| label(track, *x, *mark)) }
        </>
    }
}

/// A number as an SVG attribute.
fn px(value: f64) -> String {
    format!("{value:.2}")
}

fn ground(track: &Track, rank: Rank, selected: bool) -> Html {
    let lane = track.lanes[rank];
    let class = classes!("lane-ground", selected.then_some("is-selected"));
    html! {
        <rect {class} x={px(track.left)} y={px(lane.top - 1.0)} height={px(lane.height + 2.0)}
            width={px(track.right - track.left)} />
    }
}

fn band(band: &Band) -> Html {
    let verb = format!("v-{}", band.verb.name());
    html! {
        <g class={verb}>
            <title>{ band.verb.title() }</title>
            <rect class="phase-band" x={px(band.x)} y="0" width={px(band.width)} height="16" />
            if !band.text.is_empty() {
                <text class="phase-name" x={px(band.x + 7.0)} y="12">{ &band.text }</text>
            }
        </g>
    }
}

fn bar(bar: &Bar) -> Html {
    let kind = match bar.kind {
        Kind::Leaving => "is-send",
        Kind::Arriving => "is-receive",
        Kind::Waiting => "is-idle",
    };
    // The edge is drawn inside the bar, where there is room for one.
    let edged = bar.kind == Kind::Leaving && bar.width > 4.0 && bar.height > 4.0;
    let edge = if edged { 0.5 } else { 0.0 };
    let hue = match bar.hue {
        Some(hue) => format!("h{hue}"),
        None => "is-mixed".to_string(),
    };
    let thin = (bar.height < 9.0).then_some("is-thin");
    let class = classes!("bar", kind, edged.then_some("is-edged"), thin, hue);
    html! {
        <>
            <rect {class} x={px(bar.x + edge)} y={px(bar.y + edge)}
                width={px(bar.width - 2.0 * edge)} height={px(bar.height - 2.0 * edge)} />
            if !bar.text.is_empty() {
                <text class="bar-text" x={px(bar.x + 6.0)} y={px(bar.y + bar.height / 2.0 + 3.8)}>
                    { &bar.text }
                </text>
            }
        </>
    }
}

/// Both ends of the part that is repeated.
fn bracket(track: &Track, (from, to): (f64, f64)) -> Html {
    let (top, axis) = (track.top - 4.0, track.axis);
    let left = format!("M{:.1} {top:.1}H{from:.1}V{axis:.1}H{:.1}", from + 6.0, from + 6.0);
    let right = format!("M{:.1} {top:.1}H{to:.1}V{axis:.1}H{:.1}", to - 6.0, to - 6.0);
    html! { <path class="loop-bracket" d={left + &right} /> }
}

fn dot(track: &Track, x: f64) -> Html {
    html! { <circle class="tick" cx={px(x)} cy={px(track.axis)} r="2.5" /> }
}

fn label(track: &Track, x: f64, mark: Mark) -> Html {
    let y = px(track.axis + 19.0);
    match mark {
        Mark::Step(step) => html! { <text class="tick-text" x={px(x)} {y}>{ step }</text> },
        Mark::Time(time) => {
            // The first and the last label stay inside the picture.
            let class = match x {
                _ if x < track.left + 16.0 => "tick-text is-first",
                _ if x > track.right - 24.0 => "tick-text is-last",
                _ => "tick-text",
            };
            html! {
                <>
                    <path class="time-tick" d={format!("M{x:.1} {:.1}v5", track.axis + 2.0)} />
                    <text {class} x={px(x)} {y}>{ units::time_us(time) }</text>
                </>
            }
        }
    }
}

/// What the three kinds of bars mean.
pub fn legend(lang: Lang) -> Html {
    let words = TrackWords::of(lang);
    let item = |class: &'static str, name: &'static str| {
        html! {
            <span class="legend-item">
                <svg width="16" height="8" aria-hidden="true">
                    <rect class={classes!("bar", "is-thin", "is-mixed", class)}
                        width="16" height="8" />
                </svg>
                { name }
            </span>
        }
    };
    html! {
        <div class="legend">
            { item("is-send", words.sent) }
            { item("is-receive", words.arriving) }
            { item("is-idle", words.waiting) }
        </div>
    }
}
