//! The reduction kernels, measured and shown.

use super::figure::{Figure, marker};
use super::ladder::{Entrant, OPERANDS, OPS, Operands, Rung};
use super::sketch::{Amount, Line, Sketch};
use crate::engine::reduce::{Dtype, ReduceOp};
use crate::runtime::clock::{Clock, time_origin_ms};
use crate::ui::part;
use crate::ui::shared::Shared;
use crate::ui::text::bench::BenchWords as Words;
use crate::ui::text::params::{Params as ParamWords, op_name};
use crate::ui::text::{Lang, fill, units};
use gloo::timers::callback::Timeout;
use js_sys::{Function, Promise};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Ticks of the clock that a batch spans at least.
const TICKS: f64 = 20.0;

/// What it lasts at least, in microseconds.
const BATCH_US: f64 = 4_000.0;

/// How often all entrants take turns; medians count.
const ROUNDS: usize = 5;

/// Properties of [`Ladder`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The language.
    pub lang: Lang,
    /// Whether the dark theme is on.
    pub dark: bool,
    /// Whether workers are being measured, who would be disturbed.
    pub busy: bool,
}

/// What has been measured, of which operator, and whether that goes on.
#[derive(Clone, PartialEq)]
struct Measured {
    op: ReduceOp,
    rungs: Vec<Rung>,
    running: bool,
}

/// The section.
#[component]
pub fn Ladder(props: &Props) -> Html {
    let Props { lang, dark, busy } = *props;
    let words = Words::of(lang);
    let measured =
        use_state_eq(|| Measured { op: ReduceOp::Sum, rungs: Vec::new(), running: false });
    let dtype = use_state_eq(|| Dtype::F32);
    // Whether the bench that runs is still wanted: another one has another flag.
    let wanted = use_mut_ref(|| Rc::new(Cell::new(false)));
    {
        let wanted = wanted.clone();
        use_effect_with((), move |()| move || wanted.borrow().set(false));
    }
    let op = measured.op;
    let onclick = {
        let (measured, wanted) = (measured.clone(), wanted.clone());
        Callback::from(move |_: MouseEvent| {
            if measured.running {
                return wanted.borrow().set(false);
            }
            if busy {
                return;
            }
            let goes_on = Rc::new(Cell::new(true));
            *wanted.borrow_mut() = goes_on.clone();
            let told = measured.clone();
            let tell = move |rungs: &[Rung], running| {
                told.set(Measured { op, rungs: rungs.to_vec(), running });
            };
            spawn_local(measure(op, goes_on, tell));
        })
    };
    let on_op = {
        let measured = measured.clone();
        Callback::from(move |op: ReduceOp| {
            measured.set(Measured { op, rungs: Vec::new(), running: false });
        })
    };
    let all = Dtype::ALL.len() * OPERANDS.len();
    let name = if measured.running { words.cancel } else { words.measure };
    let off = (busy && !measured.running).then_some("true");
    html! {
        <section class="panel chapter bench-kernels" aria-label={words.kernels}>
            <h2 class="heading">{ words.kernels }</h2>
            <p class="quiet">{ words.kernels_lede }</p>
            <div class="row">
                { operator(lang, op, measured.running, on_op) }
                <button type="button" class="button" aria-disabled={off} {onclick}>{ name }</button>
                if measured.running {
                    <progress value={measured.rungs.len().to_string()} max={all.to_string()}
                        aria-label={words.kernels} />
                    <span role="status">
                        { format!("{}/{all}", measured.rungs.len()) }
                    </span>
                }
            </div>
            if !measured.rungs.is_empty() {
                { types(lang, &measured.rungs, &dtype) }
                { chart(lang, dark, &measured.rungs, *dtype) }
                { table(lang, &measured.rungs) }
            }
        </section>
    }
}

fn operator(lang: Lang, op: ReduceOp, off: bool, on_op: Callback<ReduceOp>) -> Html {
    let onchange = on_op.reform(|event: Event| {
        let select = event.target_dyn_into::<HtmlSelectElement>();
        let at = select.and_then(|select| usize::try_from(select.selected_index()).ok());
        at.and_then(|at| OPS.get(at)).copied().unwrap_or(ReduceOp::Sum)
    });
    html! {
        <label class="param">
            <span>{ ParamWords::of(lang).reduce_with }</span>
            <select class="param-word" disabled={off} {onchange}>
                { for OPS.iter().map(|&other| html! {
                    <option selected={other == op}>{ op_name(lang, other) }</option>
                }) }
            </select>
        </label>
    }
}

/// Which type the chart is of.
fn types(lang: Lang, rungs: &[Rung], chosen: &UseStateHandle<Dtype>) -> Html {
    let words = Words::of(lang);
    let measured = |dtype: &Dtype| rungs.iter().any(|rung| rung.dtype == *dtype);
    let option = |dtype: Dtype| {
        let state = chosen.clone();
        let onclick = Callback::from(move |_: MouseEvent| state.set(dtype));
        let pressed = (dtype == **chosen).to_string();
        html! {
            <button type="button" class="segment" aria-pressed={pressed} {onclick}>
                { dtype.name() }
            </button>
        }
    };
    html! {
        <div class="segmented is-wrapping" role="group" aria-label={words.kernel_type}>
            { for Dtype::ALL.into_iter().filter(measured).map(option) }
        </div>
    }
}

fn entrant(lang: Lang, entrant: Entrant) -> &'static str {
    let words = Words::of(lang);
    match entrant {
        Entrant::Copy => words.copied,
        Entrant::Simd => words.simd,
        Entrant::Scalar => words.scalar,
        Entrant::JavaScript => words.javascript,
    }
}

/// The rates of one type over sizes.
fn chart(lang: Lang, dark: bool, rungs: &[Rung], dtype: Dtype) -> Html {
    let words = Words::of(lang);
    let line = |(hue, of): (usize, Entrant)| {
        let of_type = rungs.iter().filter(|rung| rung.dtype == dtype);
        let point = |rung: &Rung| Some((rung.bytes as f64, rung.rate(of)?));
        let line: Vec<_> = of_type.filter_map(point).collect();
        let points = line.iter().map(|&(bytes, rate)| (bytes, rate, rate, rate)).collect();
        Line { hue, foreign: false, wide: 0, line, points }
    };
    let lines = Entrant::ALL.into_iter().enumerate().map(line).collect();
    let sketch = Shared::new(Sketch { amount: Amount::Rate, lines, marks: Vec::new() });
    let title = fill(words.kernel_chart, &[("dtype", &dtype.name())]);
    html! {
        <>
            <Figure title={title.clone()} kind={words.measured_here} label={title} {sketch}
                {dark} />
            <p class="legend">
                { for Entrant::ALL.into_iter().enumerate().map(|(hue, of)| html! {
                    <span class="legend-item">
                        { marker(hue, false) }{ entrant(lang, of) }
                    </span>
                }) }
            </p>
        </>
    }
}

/// All rates.
fn table(lang: Lang, rungs: &[Rung]) -> Html {
    let words = Words::of(lang);
    let rate = |rung: &Rung, of| rung.rate(of).map_or("–".into(), units::rate);
    let row = |rung: &Rung| {
        let share = rung.ratio(Entrant::Simd, Entrant::Copy);
        let times = rung.ratio(Entrant::Simd, Entrant::JavaScript);
        html! {
            <tr>
                <th scope="row">{ rung.dtype.name() }</th>
                <td class="num">{ units::bytes(rung.bytes as u64) }</td>
                { for Entrant::ALL.into_iter().map(|of| html! {
                    <td class="num">{ rate(rung, of) }</td>
                }) }
                <td class="num">
                    { share.map_or("–".into(), |share| format!("{:.0} %", share * 100.0)) }
                </td>
                <td class="num">
                    { times.map_or("–".into(), |times| format!("{times:.1} ×")) }
                </td>
            </tr>
        }
    };
    html! {
        <details>
            <summary>{ words.table }</summary>
            <div class="table-wrap" tabindex="0" role="region" aria-label={words.kernels}>
                <table class="table is-dense">
                    <thead><tr>
                        <th scope="col">{ words.dtype }</th>
                        <th scope="col" class="num">{ words.operand }</th>
                        { for Entrant::ALL.into_iter().map(|of| html! {
                            <th scope="col" class="num">{ entrant(lang, of) }</th>
                        }) }
                        <th scope="col" class="num">{ words.of_copy }</th>
                        <th scope="col" class="num">{ words.of_javascript }</th>
                    </tr></thead>
                    <tbody>{ for rungs.iter().map(row) }</tbody>
                </table>
            </div>
        </details>
    }
}

/// Measures an operator on all types and sizes, and tells what it has after each.
async fn measure(op: ReduceOp, wanted: Rc<Cell<bool>>, tell: impl Fn(&[Rung], bool)) {
    let clock = Clock::since(time_origin_ms());
    let batch_us = BATCH_US.max(TICKS * clock.resolution_us());
    let most = OPERANDS[OPERANDS.len() - 1];
    let mut rungs = Vec::new();
    tell(&rungs, true);
    for dtype in Dtype::ALL {
        let mut operands = Operands::new(dtype, most);
        let javascript = javascript(op, dtype, most).await;
        for bytes in OPERANDS {
            let mut rates: [Vec<f64>; 4] = Default::default();
            let mut times = [1u32; 4];
            for _ in 0..ROUNDS {
                for entrant in Entrant::ALL {
                    let at = entrant as usize;
                    loop {
                        pause().await;
                        if !wanted.get() {
                            return tell(&rungs, false);
                        }
                        let us = match (entrant, &javascript) {
                            (Entrant::JavaScript, None) => None,
                            (Entrant::JavaScript, Some(run)) => {
                                in_javascript(run, bytes, times[at])
                            }
                            _ => {
                                let begun = clock.now_us();
                                operands.work(entrant, op, bytes, times[at]);
                                Some(clock.now_us() - begun)
                            }
                        };
                        let Some(us) = us else { break };
                        if us >= batch_us || times[at] >= 1 << 24 {
                            rates[at].push(bytes as f64 * f64::from(times[at]) / us);
                            break;
                        }
                        times[at] *= 2;
                    }
                }
            }
            rungs.push(Rung { dtype, bytes, rates });
            tell(&rungs, true);
        }
    }
    tell(&rungs, false);
}

/// The loop in JavaScript, if the browser has arrays of the type.
async fn javascript(op: ReduceOp, dtype: Dtype, most: usize) -> Option<Function> {
    let loops = part::loops().await.ok()?;
    let found = loops.find(op.name(), dtype.name(), most as f64).await.ok()?;
    found.dyn_into().ok()
}

/// A batch of it, in microseconds.
fn in_javascript(run: &Function, bytes: usize, times: u32) -> Option<f64> {
    let ms = run.call2(&JsValue::UNDEFINED, &(bytes as f64).into(), &times.into());
    Some(ms.ok()?.as_f64()? * 1000.0)
}

/// Lets the page do something else.
async fn pause() {
    let over = Promise::new(&mut |resolve, _| {
        Timeout::new(0, move || drop(resolve.call0(&JsValue::UNDEFINED))).forget();
    });
    // It is always resolved.
    let _ = JsFuture::from(over).await;
}
