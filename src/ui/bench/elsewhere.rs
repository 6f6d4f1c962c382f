//! The same curves on the machines of the models.

use super::choice::{Choice, MAX_CURVES};
use super::figure::{Figure, marker};
use super::fit::{Took, borders, fastest};
use super::sketch::{Amount, Line, Sketch};
use crate::engine::cost::contest::{Entrant, sizes};
use crate::engine::cost::{TOPOLOGIES, Topology};
use crate::runtime::transport::Via;
use crate::ui::scenario::Scenario;
use crate::ui::shared::Shared;
use crate::ui::text::bench::{self, BenchWords as Words, group_names, groups, names};
use crate::ui::text::links::{family_name, links_name};
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::{Lang, units};
use gloo::timers::callback::Timeout;
use std::rc::Rc;
use web_sys::{HtmlDetailsElement, HtmlSelectElement};
use yew::prelude::*;

/// Properties of [`Elsewhere`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The language.
    pub lang: Lang,
    /// Whether the dark theme is on.
    pub dark: bool,
    /// The curves, and the links that are shown.
    pub choice: Choice,
    /// Called when other links are chosen.
    pub on_choice: Callback<Choice>,
    /// Whether workers are being measured, who would be disturbed by computing.
    pub busy: bool,
}

/// Charts for the links that are chosen, and who is fastest on all of them.
#[component]
pub fn Elsewhere(props: &Props) -> Html {
    let Props { lang, dark, choice, on_choice, busy } = props;
    let words = Words::of(*lang);
    let curves = use_memo(curves_of(choice), Clone::clone);
    let computed = use_times(&curves, std::slice::from_ref(choice.topology), *busy);
    if curves.is_empty() {
        return Html::default();
    }
    html! {
        <section
            class="panel chapter"
            aria-label={words.elsewhere}
            aria-busy={computed.is_empty().to_string()}
        >
            <h2 class="heading">
                { words.elsewhere }{ " " }<span class="kind">{ words.modelled }</span>
            </h2>
            <p class="quiet">{ words.elsewhere_lede }</p>
            <p class="params">{ links(*lang, choice, on_choice) }</p>
            if let Some(times) = computed.first() { { charts(*lang, *dark, &curves, times) } }
            <Everywhere lang={*lang} {curves} busy={*busy} />
        </section>
    }
}

/// Times of curves at every size, in microseconds, machine by machine, as far as they have been
/// computed.
#[derive(Clone, PartialEq)]
struct Modelled {
    curves: Rc<Vec<Scenario>>,
    machines: &'static [Topology],
    times: Vec<Vec<f64>>,
}

/// The next curve on a machine has been computed.
struct Computed(Rc<Vec<Scenario>>, &'static [Topology], Vec<f64>);

impl Reducible for Modelled {
    type Action = Computed;

    fn reduce(self: Rc<Self>, Computed(curves, machines, of_curve): Computed) -> Rc<Self> {
        let mut times = match self.curves == curves && self.machines == machines {
            true => self.times.clone(),
            false => Vec::new(),
        };
        times.push(of_curve);
        Rc::new(Modelled { curves, machines, times })
    }
}

/// Computes all curves on these machines, one after the other, so that the page stays responsive
/// meanwhile; `paused` lets that wait. Those machines are returned that are complete.
#[hook]
fn use_times(
    curves: &Rc<Vec<Scenario>>,
    machines: &'static [Topology],
    paused: bool,
) -> Vec<Vec<Vec<f64>>> {
    let modelled = {
        let curves = curves.clone();
        use_reducer_eq(|| Modelled { curves, machines, times: Vec::new() })
    };
    let current = modelled.curves == *curves && modelled.machines == machines;
    let done = if current { modelled.times.len() } else { 0 };
    let dispatcher = modelled.dispatcher();
    use_effect_with((curves.clone(), machines, done, paused), move |about| {
        let (curves, machines, done, paused) = about.clone();
        let of = curves.len().max(1);
        let next = curves.get(done % of).cloned().zip(machines.get(done / of));
        let next = next.filter(|_| !paused).map(|(curve, machine)| {
            Timeout::new(0, move || {
                dispatcher.dispatch(Computed(curves, machines, times(&curve, machine)));
            })
        });
        move || drop(next)
    });
    let complete = modelled.times[..done].chunks_exact(curves.len().max(1));
    complete.map(<[Vec<f64>]>::to_vec).collect()
}

/// What is modelled: the curves that a chart tells apart. How messages travel here, and where
/// results lie, is of no account there.
fn curves_of(choice: &Choice) -> Vec<Scenario> {
    let of_account = Choice { vias: vec![Via::Shared], places: vec![false], ..choice.clone() };
    let (mut curves, _) = of_account.curves();
    curves.truncate(MAX_CURVES);
    curves
}

/// Event simulation of a curve on a machine.
fn times(curve: &Scenario, machine: &Topology) -> Vec<f64> {
    let size = curve.wire().size_bytes();
    match curve.algorithm().build(&curve.request()) {
        Ok(schedule) => Entrant::new(curve.algorithm, &schedule, size, machine).event_us,
        Err(_) => Vec::new(),
    }
}

fn links(lang: Lang, choice: &Choice, on_choice: &Callback<Choice>) -> Html {
    let words = Words::of(lang);
    let onchange = {
        let choice = choice.clone();
        on_choice.reform(move |event: Event| {
            let select = event.target_dyn_into::<HtmlSelectElement>();
            let found = select.and_then(|select| Topology::find(&select.value()));
            Choice { topology: found.unwrap_or(choice.topology), ..choice.clone() }
        })
    };
    let families = TOPOLOGIES.chunk_by(|a, b| a.family == b.family).map(|family| {
        let option = |links: &Topology| {
            html! {
                <option value={links.name} selected={links.name == choice.topology.name}>
                    { links_name(lang, links) }
                </option>
            }
        };
        html! {
            <optgroup label={family_name(lang, family[0].family)}>
                { for family.iter().map(option) }
            </optgroup>
        }
    });
    html! {
        <label class="param">
            <span>{ words.links }</span>
            <select class="param-word" {onchange}>{ for families }</select>
        </label>
    }
}

/// Bytes and times of a curve.
fn sized(times: &[f64]) -> Vec<(u64, f64)> {
    sizes().zip(times.iter().copied()).collect()
}

/// Who is fastest on a machine, group by group, and the sizes at which that changes.
fn answers(lang: Lang, curves: &[Scenario], times: &[Vec<f64>]) -> (Vec<String>, Vec<f64>) {
    let scenarios: Vec<&Scenario> = curves.iter().collect();
    let groups = groups(&scenarios);
    let (mut sentences, mut marks) = (Vec::new(), Vec::new());
    let called = group_names(lang, &scenarios, &groups);
    for (group, called) in groups.iter().zip(&called) {
        let exact = |(bytes, us): (u64, f64)| (bytes, us, us);
        let took = |&at: &usize| sized(&times[at]).into_iter().map(exact).collect::<Vec<Took>>();
        let of_group: Vec<_> = group.iter().map(took).collect();
        let (sizes, stretches) = fastest(&of_group);
        let names: Vec<&str> =
            group.iter().map(|&at| algorithm_name(lang, curves[at].algorithm)).collect();
        let of = (groups.len() > 1).then_some(called.as_str());
        sentences.push(bench::fastest(lang, of, &names, &sizes, &stretches));
        marks.extend(borders(&sizes, &stretches));
    }
    (sentences, marks)
}

/// Time and busbw on one machine.
fn charts(lang: Lang, dark: bool, curves: &[Scenario], times: &[Vec<f64>]) -> Html {
    let words = Words::of(lang);
    let (sentences, marks) = answers(lang, curves, times);
    let sketch = |amount| {
        let line = |(hue, (curve, times)): (usize, (&Scenario, &Vec<f64>))| {
            let (over, under) = curve.verb.bus_factor(curve.ranks);
            let value = |(bytes, us): (u64, f64)| match amount {
                Amount::Time => (bytes as f64, us),
                Amount::Rate => (bytes as f64, bytes as f64 / us * over as f64 / under as f64),
            };
            let line = sized(times).into_iter().map(value).collect();
            // Models often agree to the last digit: the first curves are seen behind the others.
            let wide = (curves.len() - 1 - hue).min(3) as u8;
            Line { hue, foreign: false, wide, line, points: Vec::new() }
        };
        let lines = curves.iter().zip(times).enumerate().map(line).collect();
        Shared::new(Sketch { amount, lines, marks: marks.clone() })
    };
    let figure = |title: &'static str, label: &'static str, amount| {
        html! { <Figure {title} kind={words.modelled} {label} sketch={sketch(amount)} {dark} /> }
    };
    let names = names(lang, &curves.iter().collect::<Vec<_>>());
    html! {
        <>
            { for sentences.into_iter().map(|text| html! { <p class="sentence">{ text }</p> }) }
            <div class="figures">
                { figure(words.time, words.time_chart, Amount::Time) }
                { figure(words.busbw, words.busbw_chart, Amount::Rate) }
            </div>
            <p class="legend">
                { for names.iter().enumerate().map(|(hue, name)| html! {
                    <span class="legend-item">{ marker(hue, false) }{ name }</span>
                }) }
            </p>
            <p class="quiet small">{ words.lines }</p>
            <details>
                <summary>{ words.model_table }</summary>
                { table(lang, &names, times) }
            </details>
        </>
    }
}

/// The numbers behind the charts.
fn table(lang: Lang, names: &[String], times: &[Vec<f64>]) -> Html {
    let words = Words::of(lang);
    let row = |(at, bytes): (usize, u64)| {
        let time = |times: &Vec<f64>| times.get(at).map_or("–".into(), |us| units::time_us(*us));
        html! {
            <tr>
                <th scope="row" class="num">{ units::bytes(bytes) }</th>
                { for times.iter().map(|times| html! { <td class="num">{ time(times) }</td> }) }
            </tr>
        }
    };
    html! {
        <div class="table-wrap" tabindex="0" role="region" aria-label={words.model_table}>
            <table class="table is-dense">
                <thead><tr>
                    <th scope="col" class="num">{ words.size }</th>
                    { for names.iter().map(|name| html! {
                        <th scope="col" class="num">{ name }</th>
                    }) }
                </tr></thead>
                <tbody>{ for sizes().enumerate().map(row) }</tbody>
            </table>
        </div>
    }
}

/// Properties of [`Everywhere`].
#[derive(Clone, PartialEq, Properties)]
struct EverywhereProps {
    lang: Lang,
    curves: Rc<Vec<Scenario>>,
    busy: bool,
}

/// Who is fastest on which machine; computed when it is opened.
#[component]
fn Everywhere(props: &EverywhereProps) -> Html {
    let EverywhereProps { lang, curves, busy } = props;
    let words = Words::of(*lang);
    let open = use_state_eq(|| false);
    let machines: &[Topology] = if *open { &TOPOLOGIES } else { &[] };
    let computed = use_times(curves, machines, *busy);
    let ontoggle = {
        let open = open.clone();
        Callback::from(move |event: Event| {
            let details = event.target_dyn_into::<HtmlDetailsElement>();
            open.set(details.is_some_and(|details| details.open()));
        })
    };
    let row = |(links, times): (&Topology, &Vec<Vec<f64>>)| {
        let (sentences, _) = answers(*lang, curves, times);
        html! {
            <tr>
                <th scope="row">{ links_name(*lang, links) }</th>
                <td>{ for sentences.into_iter().map(|text| html! { <p>{ text }</p> }) }</td>
            </tr>
        }
    };
    html! {
        <details {ontoggle}>
            <summary>{ words.everywhere }</summary>
            <div class="table-wrap" tabindex="0" role="region" aria-label={words.everywhere}>
                <table class="table is-everywhere">
                    <thead><tr>
                        <th scope="col">{ words.links }</th>
                        <th scope="col">{ words.everywhere }</th>
                    </tr></thead>
                    <tbody>{ for machines.iter().zip(&computed).map(row) }</tbody>
                </table>
            </div>
        </details>
    }
}
