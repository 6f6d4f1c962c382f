//! The track on the page: the still layer, the lane names, the playhead, and the pointer.

use super::geometry::Track;
use super::layer::Layer;
use crate::engine::Rank;
use crate::engine::trace::Clock;
use crate::ui::score::{Act, Score};
use crate::ui::shared::Shared;
use crate::ui::size::use_size;
use crate::ui::text::actor::{actor, short};
use crate::ui::text::track::TrackWords;
use crate::ui::text::{Lang, fill};
use std::fmt::Display;
use web_sys::Element;
use yew::prelude::*;

/// What [`Timeline`] shows and reports. Times are in the unit of `clock`.
#[derive(Clone, PartialEq, Properties)]
pub struct TimelineProps {
    /// The language.
    pub lang: Lang,
    /// Whose timeline it is, where there are several.
    #[prop_or_default]
    pub of: AttrValue,
    /// The calls, one after the other.
    pub acts: Vec<Act>,
    /// All steps on the clock, also those of what is shown beside these calls.
    pub score: Shared<Score>,
    /// What is shown now.
    pub time: f64,
    /// Which clock it is on.
    pub clock: Clock,
    /// The first and the last step of the loop, counted from 1.
    pub looped: Option<(usize, usize)>,
    /// The selected rank.
    pub selected: Rank,
    /// Whether time moves by itself.
    pub playing: bool,
    /// The reader wants to see this time.
    pub on_seek: Callback<f64>,
    /// The reader chose a rank.
    pub on_select: Callback<Rank>,
}

/// A track that is higher than this leaves the stage no room in a frame of usual height.
const TALL: f64 = 200.0;

/// The scrubber: a slider in steps whose picture is the run. Arrow keys and the other keys of the
/// transport bubble from here to whoever listens with
/// [`key_action`](crate::ui::transport::key_action).
#[component]
pub fn Timeline(props: &TimelineProps) -> Html {
    let place = use_node_ref();
    let picture = use_node_ref();
    let slider = use_node_ref();
    let (width, _) = use_size(&place);
    let run = (props.acts.clone(), props.score.end, props.clock, width);
    let track = use_memo(run, |(acts, end, clock, width)| {
        Shared::new(Track::new(acts, *end, *clock, *width))
    });
    let words = TrackWords::of(props.lang);
    let scrub = use_scrub(&picture, &slider, (*track).clone(), props.on_seek.clone());
    let looped = props.looped.map(|(first, last)| {
        (track.x(props.score.time(first - 1)), track.x(props.score.time(last)))
    });
    let label = match props.of.as_str() {
        "" => words.label.to_string(),
        of => fill(words.label_of, &[("of", &of)]),
    };
    let (steps, step) = (props.score.steps(), props.score.at(props.time));
    let size = [width, track.height].map(|length| format!("{length:.1}"));
    let [wide, high] = size.clone();
    let view_box = format!("0 0 {}", size.join(" "));
    html! {
        <div class={classes!("timeline-box", (track.height > TALL).then_some("is-tall"),
            scrub.dragging.then_some("is-dragging"))}>
            <div class="timeline-place" ref={place}>
                if width > 0.0 {
                    <svg ref={picture} class="timeline" width={wide.clone()} height={high.clone()}
                        viewBox={view_box.clone()}>
                        <LaneNames lang={props.lang} track={(*track).clone()}
                            selected={props.selected} on_select={props.on_select.clone()} />
                        <g ref={slider} class="track" role="slider" tabindex="0"
                            aria-label={label} aria-valuemin="0"
                            aria-valuemax={steps.to_string()} aria-valuenow={step.to_string()}
                            aria-valuetext={value_text(words, props, step)}
                            onpointerdown={scrub.begin} onpointermove={scrub.drag}
                            onpointerup={scrub.end.clone()}
                            onpointercancel={scrub.end.clone()} onlostpointercapture={scrub.end}>
                            { ground(&track) }
                            <Layer track={(*track).clone()} selected={props.selected}
                                looped={looped} />
                        </g>
                    </svg>
                    // A picture of its own: the browser paints all of one that has changed.
                    <svg class="timeline is-above" width={wide} height={high} viewBox={view_box}
                        aria-hidden="true">
                        { playhead(&track, props.time) }
                    </svg>
                }
            </div>
        </div>
    }
}

/// The pointer on the track.
struct Scrub {
    dragging: bool,
    begin: Callback<PointerEvent>,
    drag: Callback<PointerEvent>,
    end: Callback<PointerEvent>,
}

/// Seeks where the pointer is pressed and follows it until it is let go, also outside the track.
#[hook]
fn use_scrub(
    picture: &NodeRef,
    slider: &NodeRef,
    track: Shared<Track>,
    on_seek: Callback<f64>,
) -> Scrub {
    let dragging = use_state_eq(|| false);
    let seek = {
        let picture = picture.clone();
        move |event: &PointerEvent| {
            if let Some(picture) = picture.cast::<Element>() {
                let left = picture.get_bounding_client_rect().left();
                on_seek.emit(track.time_at(f64::from(event.client_x()) - left));
            }
        }
    };
    let begin = {
        let (seek, dragging, slider) = (seek.clone(), dragging.clone(), slider.clone());
        Callback::from(move |event: PointerEvent| {
            if event.button() != 0 || !event.is_primary() {
                return;
            }
            if let Some(slider) = slider.cast::<Element>() {
                // Without capture a drag simply ends where the pointer leaves the track.
                let _ = slider.set_pointer_capture(event.pointer_id());
            }
            dragging.set(true);
            seek(&event);
        })
    };
    let drag = {
        let dragging = dragging.clone();
        Callback::from(move |event: PointerEvent| {
            if *dragging {
                seek(&event);
            }
        })
    };
    let end = {
        let dragging = dragging.clone();
        Callback::from(move |_: PointerEvent| dragging.set(false))
    };
    Scrub { dragging: *dragging, begin, drag, end }
}

/// What a screen reader says of the position. While time moves by itself only the phase is told, so
/// that a focused slider does not speak at every step.
fn value_text(words: &TrackWords, props: &TimelineProps, step: usize) -> String {
    let steps = props.score.steps();
    let begun = |act: &&Act| act.starts < props.time || act.starts == 0.0;
    let current = props.acts.iter().rev().find(begun).and_then(|act| act.step(props.time));
    let Some(current) = current.filter(|_| step > 0) else {
        let template = if steps == 0 { words.no_steps } else { words.at_start };
        return fill(template, &[("steps", &steps)]);
    };
    let phase = current.phase.title();
    if props.playing {
        return fill(words.playing, &[("phase", &phase)]);
    }
    let values: [(&str, &dyn Display); 5] = [
        ("step", &step),
        ("steps", &steps),
        ("phase", &phase),
        ("round", &current.round),
        ("rounds", &current.rounds),
    ];
    fill(words.at_step, &values)
}

/// The whole area takes the pointer, also where nothing is drawn.
fn ground(track: &Track) -> Html {
    let reach = 12.0;
    html! {
        <rect class="track-ground" x={format!("{:.1}", track.left - reach)} y="0"
            width={format!("{:.1}", track.width - track.left + reach)}
            height={format!("{:.1}", track.height)} />
    }
}

fn playhead(track: &Track, time: f64) -> Html {
    let (x, axis) = (format!("{:.2}", track.x(time)), format!("{:.1}", track.axis));
    // It begins below the bands, whose names it would cross out.
    let top = format!("{:.1}", track.top - 7.0);
    html! {
        <>
            <line class="playhead" x1={x.clone()} x2={x.clone()} y1={top} y2={axis.clone()} />
            <circle class="playhead-knob" cx={x} cy={axis} r="6.5" />
        </>
    }
}

/// Properties of [`LaneNames`].
#[derive(Properties, PartialEq)]
struct LaneNamesProps {
    lang: Lang,
    track: Shared<Track>,
    selected: Rank,
    on_select: Callback<Rank>,
}

/// The names of the lanes. A click selects the rank; the keyboard does the same on the stage's
/// cards, so names are no stops of their own for it.
#[component]
fn LaneNames(props: &LaneNamesProps) -> Html {
    let LaneNamesProps { lang, track, selected, on_select } = props;
    let (lang, selected) = (*lang, *selected);
    let words = TrackWords::of(lang);
    let pitch = track.lanes.get(1).map_or(30.0, |second| second.top - track.top);
    let small = (pitch < 14.0).then_some("is-small");
    let name = |rank: Rank| {
        let lane = track.lanes[rank];
        let onclick = on_select.reform(move |_: MouseEvent| rank);
        let chosen = (rank == selected).then_some("is-selected");
        let full = actor(lang, track.ranks, rank);
        let name = if track.narrow { short(lang, track.ranks, rank) } else { full.clone() };
        let baseline = lane.top + lane.height / 2.0 + if small.is_some() { 3.4 } else { 4.2 };
        html! {
            <g class="lane" {onclick}>
                <title>{ fill(words.select, &[("actor", &full)]) }</title>
                <rect class="track-ground" x="0" y={format!("{:.1}", lane.top)}
                    width={format!("{:.1}", track.left - 12.0)} height={format!("{pitch:.1}")} />
                <text class={classes!("lane-name", small, chosen)}
                    x={format!("{:.1}", track.left - 14.0)} y={format!("{baseline:.1}")}>
                    { name }
                </text>
            </g>
        }
    };
    html! { <g aria-hidden="true">{ for (0..track.lanes.len()).map(name) }</g> }
}
