//! "AllReduce costs about twice AllGather", on the reader's own machine.

use super::panels::breakable;
use super::ratio::{BATCHES, CALLS, SIZES, Sample, hides, latency_decides};
use crate::engine::cost::event;
use crate::engine::trace::OpTimes;
use crate::runtime::measure::{Meter, median};
use crate::runtime::outcome::RunFault;
use crate::runtime::pool::Pool;
use crate::ui::player::PoolHandle;
use crate::ui::scenario::{Data, Prepared, Scenario};
use crate::ui::shared::Shared;
use crate::ui::text::equation::EquationWords as Words;
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::{Lang, fill, units};
use std::fmt::Display;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// AllReduce's time over AllGather's, in every language.
const RATIO: &str = "AllReduce ÷ AllGather";

/// Properties of [`Measure`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
    /// Whose ranks, algorithm and type are measured.
    pub scenario: Scenario,
    /// The workers.
    pub pool: PoolHandle,
    /// Whether they are at work.
    pub busy: bool,
    /// Called when they are set to work, and when they have ended, with what went wrong.
    pub on_busy: Callback<Option<Option<RunFault>>>,
}

/// What has been measured, for which scenario, and how far it is.
#[derive(Clone, PartialEq)]
struct Measured {
    of: Scenario,
    samples: Vec<Sample>,
    /// Batches done, while it goes on.
    done: Option<usize>,
}

/// A call of one of the three verbs, on a seeded vector of some bytes.
fn prepared(s: &Scenario, verb: usize, bytes: u64) -> Option<Prepared> {
    let data = Data::Bytes(bytes);
    Scenario { verb: CALLS[verb], data, shape: None, ..s.clone() }.prepare().ok()
}

/// The button, how far it is, and the table.
#[component]
pub fn Measure(props: &Props) -> Html {
    let Props { lang, scenario, pool, busy, on_busy } = props;
    let words = Words::of(*lang);
    let found = use_state(|| None::<Shared<Measured>>);
    let fresh = found.as_ref().filter(|found| found.of.runs_as(scenario)).cloned();
    let running = fresh.as_ref().and_then(|found| found.done);
    let onclick = {
        let (found, pool, on_busy) = (found.clone(), pool.0.clone(), on_busy.clone());
        let (scenario, busy) = (scenario.clone(), *busy);
        Callback::from(move |_: MouseEvent| {
            if running.is_some() {
                return pool.cancel();
            }
            if busy {
                return;
            }
            on_busy.emit(None);
            let (found, pool, on_busy) = (found.clone(), pool.clone(), on_busy.clone());
            let scenario = scenario.clone();
            spawn_local(async move {
                let told = found.clone();
                let tell = move |now| told.set(Some(Shared::new(now)));
                let fault = measure(&pool, &scenario, tell).await.err();
                on_busy.emit(Some(fault));
            });
        })
    };
    let name = if running.is_some() { words.cancel } else { words.measure };
    let off = (*busy && running.is_none()).then_some("true");
    let algorithm = algorithm_name(*lang, scenario.algorithm);
    let about: [(&str, &dyn Display); 3] =
        [("n", &scenario.ranks), ("algorithm", &algorithm), ("batches", &BATCHES)];
    let all = SIZES.len() * BATCHES;
    html! {
        <section class="panel chapter">
            <h2 class="heading">{ words.twice }</h2>
            <p class="quiet">{ fill(words.twice_lede, &about) }</p>
            <p class="row">
                <button type="button" class="button" aria-disabled={off} {onclick}>{ name }</button>
                if let Some(done) = running {
                    <progress value={done.to_string()} max={all.to_string()}
                        aria-label={words.measure} />
                    <span role="status">
                        { fill(words.measuring, &[("done", &done), ("all", &all)]) }
                    </span>
                }
            </p>
            if let Some(found) = &fresh {
                if !found.samples.is_empty() { { table(*lang, scenario, &found.samples) } }
                if found.done.is_none() { { sentence(words, &found.samples) } }
            }
        </section>
    }
}

/// Measures size by size, and tells after every batch how far it is.
async fn measure(pool: &Pool, s: &Scenario, tell: impl Fn(Measured)) -> Result<(), RunFault> {
    let mut samples = Vec::new();
    let now =
        |samples: &[Sample], done| Measured { of: s.clone(), samples: samples.to_vec(), done };
    tell(now(&samples, Some(0)));
    let mut ended = Ok(());
    for (at, &bytes) in SIZES.iter().enumerate() {
        let done = |batch| tell(now(&samples, Some(at * BATCHES + batch)));
        match at_size(pool, s, bytes, done).await {
            Ok(sample) => samples.push(sample),
            Err(fault) => {
                ended = Err(fault);
                break;
            }
        }
    }
    tell(now(&samples, None));
    ended
}

/// Measures one size.
async fn at_size(
    pool: &Pool,
    s: &Scenario,
    bytes: u64,
    done: impl Fn(usize),
) -> Result<Sample, RunFault> {
    let mut meters = meters(s, bytes)?;
    let mut batches = Vec::new();
    for batch in 1..=BATCHES {
        batches.push(take_turns(pool, &mut meters).await?);
        done(batch);
    }
    Ok(Sample::new(bytes, &batches))
}

/// What measures each call.
fn meters(s: &Scenario, bytes: u64) -> Result<[Option<Meter>; 3], RunFault> {
    let mut meters = [None, None, None];
    for (call, meter) in meters.iter_mut().enumerate() {
        let Some(prepared) = prepared(s, call, bytes) else { continue };
        *meter = Some(Meter::new(prepared.plan()?));
    }
    Ok(meters)
}

/// One batch: the mean time of each call, in microseconds.
async fn take_turns(pool: &Pool, meters: &mut [Option<Meter>; 3]) -> Result<[f64; 3], RunFault> {
    let mut us = [0.0; 3];
    for (us, meter) in us.iter_mut().zip(meters) {
        let Some(meter) = meter else { continue };
        *us = median(meter.run(pool, 1).await?.us);
    }
    Ok(us)
}

fn table(lang: Lang, s: &Scenario, samples: &[Sample]) -> Html {
    let words = Words::of(lang);
    let row = |sample: &Sample| {
        let decides = match latency_decides(samples, sample) {
            true => words.latency,
            false => words.bandwidth,
        };
        html! {
            <tr>
                <th scope="row" class="num">{ units::bytes(sample.bytes) }</th>
                { for sample.us.iter().map(|us| html! {
                    <td class="num">{ units::time_us(*us) }</td>
                }) }
                <td class="num">{ format!("{:.2}", sample.ratio()) }</td>
                <td class="num">{ modelled(s, sample.bytes) }</td>
                <td>{ decides }</td>
            </tr>
        }
    };
    html! {
        <div class="table-wrap" tabindex="0" role="region" aria-label={words.twice}>
            <table class="table">
                <thead><tr>
                    <th scope="col" class="num">{ words.size }</th>
                    { for CALLS.iter().map(|verb| html! {
                        <th scope="col" class="num">
                            { breakable(verb.title()) }{ " " }
                            <span class="kind">{ words.measured_here }</span>
                        </th>
                    }) }
                    <th scope="col" class="num">
                        { breakable(RATIO) }{ " " }<span class="kind">{ words.measured_here }</span>
                    </th>
                    <th scope="col" class="num">
                        { breakable(RATIO) }{ " " }<span class="kind">{ words.modelled }</span>
                    </th>
                    <th scope="col">{ words.decides }</th>
                </tr></thead>
                <tbody>{ for samples.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

/// AllReduce's time over AllGather's by event simulation.
fn modelled(s: &Scenario, bytes: u64) -> String {
    let time = |call| {
        let Prepared { schedule, lengths, run, .. } = prepared(s, call, bytes)?;
        let size = run.reduction.wire().size_bytes();
        let timing = event::timing(&schedule, &lengths, size, s.view.topology);
        Some(timing.iter().flatten().map(OpTimes::ended).fold(0.0, f64::max))
    };
    match (time(0), time(2)) {
        (Some(whole), Some(half)) if half > 0.0 => format!("{:.2}", whole / half),
        _ => "–".to_string(),
    }
}

/// What the table says, in words.
fn sentence(words: &Words, samples: &[Sample]) -> Html {
    let [first, .., last] = samples else { return Html::default() };
    let template = if hides(samples) { words.hidden } else { words.not_hidden };
    let (small, large) = (units::bytes(first.bytes), units::bytes(last.bytes));
    let [few, many] = [first, last].map(|sample| format!("{:.2}", sample.ratio()));
    let values: [(&str, &dyn Display); 4] =
        [("small", &small), ("large", &large), ("few", &few), ("many", &many)];
    html! {
        <>
            <p role="status">{ fill(template, &values) }</p>
            <p class="quiet small">{ words.latency_means }</p>
        </>
    }
}
