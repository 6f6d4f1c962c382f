//! What a run that repeats measures: the reduction kernel, and the collective as nccl-tests counts
//! it.

use super::part;
use super::shared::Shared;
use super::text::Lang;
use super::text::params::Params as Words;
use super::text::{fill, units};
use crate::engine::collective::Collective;
use crate::runtime::outcome::{Progress, mean_us};
use crate::runtime::protocol::{Counters, ReduceTiming};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// Properties of [`Throughput`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
    /// What runs.
    pub collective: Collective,
    /// Bytes of the whole vector.
    pub bytes: u64,
    /// What the busiest rank sends, if all messages go whole.
    pub messages: u64,
    /// What was counted.
    pub progress: Shared<Progress>,
    /// Whether the dark theme is on; a canvas cannot ask the stylesheet.
    pub dark: bool,
}

/// Rates of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rates {
    /// Inside the kernel, in bytes per microsecond of the accumulator.
    kernel: Option<f64>,
    /// S over the time of one run.
    algbw: f64,
    /// algbw times the verb's factor.
    busbw: f64,
}

fn rates(props: &Props) -> Option<Rates> {
    let counters = &props.progress.counters;
    let mean = mean_us(counters).filter(|mean| *mean > 0.0)?;
    let algbw = props.bytes as f64 / mean;
    let (over, under) = props.collective.verb.bus_factor(props.collective.ranks);
    let timed = counters.iter().filter(|c| c.reduce_timing.is_some() && c.reduce_us > 0.0);
    let (reduced, us) =
        timed.fold((0.0, 0.0), |(b, t), c| (b + c.reduced_bytes as f64, t + c.reduce_us));
    let kernel = (us > 0.0).then(|| reduced / us);
    Some(Rates { kernel, algbw, busbw: algbw * over as f64 / under as f64 })
}

/// Most points that the chart keeps.
const POINTS: usize = 240;

/// Counters that change while a run repeats, with the recent past as a chart.
#[component]
pub fn Throughput(props: &Props) -> Html {
    let words = Words::of(props.lang);
    let history = use_mut_ref(Vec::<Rates>::new);
    let canvas = use_node_ref();
    let rates = rates(props);
    remember(&history, props, rates);
    {
        let (history, canvas) = (history.clone(), canvas.clone());
        use_effect_with((props.progress.clone(), props.dark), move |(_, dark)| {
            if let Some(canvas) = canvas.cast::<web_sys::HtmlCanvasElement>() {
                let gigabytes: Vec<f64> = history.borrow().iter().map(|r| r.busbw / 1e3).collect();
                let dark = *dark;
                spawn_local(async move {
                    // A chart that cannot be had leaves the table beside it.
                    if let Ok(chart) = part::chart().await {
                        let _ = chart.draw(&canvas, &gigabytes, dark);
                    }
                });
            }
        });
    }
    let most =
        |value: fn(&Counters) -> u64| props.progress.counters.iter().map(value).max().unwrap_or(0);
    let runs = props.progress.counters.iter().map(|c| c.runs).min().unwrap_or(0);
    let per_run = |value| most(value).checked_div(most(|c| c.runs).max(1)).unwrap_or(0);
    let rate = |value: Option<f64>| value.map_or(String::from("–"), units::rate);
    let (over, under) = props.collective.verb.bus_factor(props.collective.ranks);
    let calibrated = props.progress.counters.iter();
    let calibrated =
        calibrated.filter_map(|c| c.reduce_timing).any(|t| t == ReduceTiming::Calibrated);
    let row = |name: String, value: String| {
        html! { <tr><th scope="row">{ name }</th><td class="number">{ value }</td></tr> }
    };
    html! {
        <section class="section throughput" aria-label={words.counters}>
            <h2>{ words.counters }{ " " }<span class="kind">{ words.measured_here }</span></h2>
            <table class="cost">
                <tbody>
                    { row(words.repetitions.into(), runs.to_string()) }
                    { row(words.sent_per_rank.into(), units::bytes(per_run(|c| c.bytes_sent))) }
                    { row(words.messages_per_rank.into(), per_run(|c| c.messages).to_string()) }
                    if props.collective.verb.reduces() {
                        { row(words.kernel.into(), rate(rates.and_then(|r| r.kernel))) }
                    }
                    { row(words.algbw.into(), rate(rates.map(|r| r.algbw))) }
                    { row(fill(words.busbw, &[("over", &over), ("under", &under)]),
                        rate(rates.map(|r| r.busbw))) }
                </tbody>
            </table>
            if per_run(|c| c.messages) > props.messages {
                <p class="quiet">{ words.in_pieces }</p>
            }
            if calibrated { <p class="quiet">{ words.calibrated }</p> }
            <div class="chart">
                <canvas ref={canvas} width="640" height="180" role="img" aria-label={words.chart} />
            </div>
        </section>
    }
}

/// Keeps the recent past; a new run begins anew.
fn remember(history: &Rc<RefCell<Vec<Rates>>>, props: &Props, rates: Option<Rates>) {
    let mut past = history.borrow_mut();
    let runs: u64 = props.progress.counters.iter().map(|c| c.runs).sum();
    if runs == 0 {
        past.clear();
    }
    if let Some(rates) = rates
        && past.last() != Some(&rates)
    {
        past.push(rates);
        let excess = past.len().saturating_sub(POINTS);
        past.drain(..excess);
    }
}
