//! What was measured: who is fastest, charts, the lines fitted, and the table behind them.

use super::figure::{Figure, marker};
use super::fit::{self, borders};
use super::record::{Curve, Point, Record};
use super::sketch::{self, Amount, Sketch};
use super::state::{Msg, Show};
use super::tables;
use crate::engine::cost::summary;
use crate::ui::browser::cores;
use crate::ui::scenario::Scenario;
use crate::ui::share::offer::{Offer, Write};
use crate::ui::shared::Shared;
use crate::ui::text::bench::{BenchWords as Words, context, fastest, group_names, groups, names};
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::{Lang, fill, units};
use std::fmt::Display;
use yew::prelude::*;

/// A curve, what it is called, its hue, and the context of its record if it is from elsewhere.
struct Shown {
    curve: Curve,
    name: String,
    hue: usize,
    from: Option<String>,
}

/// All curves of all records. What was measured elsewhere has the hue of the same curve here.
fn shown(lang: Lang, show: &Show) -> Vec<Shown> {
    let here = show.record.iter().flat_map(|record| record.curves()).map(|curve| (curve, None));
    let opened = show.opened.iter().flat_map(|opened| {
        let context = context(lang, &opened.record);
        opened.record.curves().into_iter().map(move |curve| (curve, Some(context.clone())))
    });
    let all: Vec<(Curve, Option<String>)> = here.chain(opened).collect();
    let scenarios: Vec<&Scenario> = all.iter().map(|(curve, _)| &curve.scenario).collect();
    let names = names(lang, &scenarios);
    let hue = |name: &String| names.iter().position(|other| other == name).unwrap_or_default();
    let hues: Vec<usize> = names.iter().map(hue).collect();
    let named = all.into_iter().zip(names.into_iter().zip(hues));
    named.map(|((curve, from), (name, hue))| Shown { curve, name, hue, from }).collect()
}

/// Everything about what was measured; nothing, where nothing was.
pub fn results(lang: Lang, dark: bool, show: &UseReducerHandle<Show>) -> Html {
    let words = Words::of(lang);
    let shown = shown(lang, show);
    if shown.is_empty() {
        return Html::default();
    }
    let curves: Vec<(&Curve, usize, bool)> =
        shown.iter().map(|s| (&s.curve, s.hue, s.from.is_some())).collect();
    let (sentences, marks) = answers(lang, &shown);
    let sketch = |amount| Shared::new(Sketch::measured(amount, &curves, marks.clone()));
    let figure = |title: &'static str, label: &'static str, amount| {
        html! {
            <Figure {title} kind={words.measured_here} {label} sketch={sketch(amount)} {dark} />
        }
    };
    html! {
        <section class="panel chapter" aria-label={words.results}>
            <h2 class="heading">
                { words.results }{ " " }<span class="kind">{ words.measured_here }</span>
            </h2>
            { for sentences.into_iter().map(|text| html! { <p class="sentence">{ text }</p> }) }
            <div class="figures">
                { figure(words.time, words.time_chart, Amount::Time) }
                { figure(words.busbw, words.busbw_chart, Amount::Rate) }
            </div>
            <p class="quiet small">{ words.points }</p>
            { fits(lang, &shown) }
            { places(lang, show) }
            <details>
                <summary>{ words.table }</summary>
                { table(lang, &shown) }
            </details>
            if let Some(record) = &show.record { <Offers {lang} record={record.clone()} /> }
        </section>
    }
}

/// Who is fastest where, of what was measured here, and the sizes at which that changes.
fn answers(lang: Lang, shown: &[Shown]) -> (Vec<String>, Vec<f64>) {
    let words = Words::of(lang);
    let here: Vec<&Shown> = shown.iter().filter(|shown| shown.from.is_none()).collect();
    let scenarios: Vec<&Scenario> = here.iter().map(|shown| &shown.curve.scenario).collect();
    let groups = groups(&scenarios);
    let (mut sentences, mut marks) = (Vec::new(), Vec::new());
    let called = group_names(lang, &scenarios, &groups);
    for (group, called) in groups.iter().zip(&called).filter(|(group, _)| group.len() > 1) {
        let times: Vec<_> = group.iter().map(|&at| here[at].curve.times()).collect();
        let (sizes, stretches) = fit::fastest(&times);
        if sizes.is_empty() {
            continue;
        }
        let names: Vec<&str> =
            group.iter().map(|&at| algorithm_name(lang, scenarios[at].algorithm)).collect();
        let of = (groups.len() > 1).then_some(called.as_str());
        let mut sentence = fastest(lang, of, &names, &sizes, &stretches);
        let ends = stretches.first().zip(stretches.last());
        let fits = |at: usize| sketch::fit(&here[group[at]].curve);
        if let Some(((first, _), (last, _))) = ends.filter(|(first, last)| first.0 != last.0)
            && let Some(bytes) = fits(*first).zip(fits(*last)).and_then(|(a, b)| a.crossing(&b))
        {
            let values: [(&str, &dyn Display); 3] = [
                ("first", &names[*first]),
                ("last", &names[*last]),
                ("size", &units::bytes(bytes as u64)),
            ];
            sentence += if lang == Lang::Zh { "" } else { " " };
            sentence += &fill(words.crossing, &values);
        }
        sentences.push(sentence);
        marks.extend(borders(&sizes, &stretches));
    }
    (sentences, marks)
}

/// The lines fitted, which are the legend as well.
fn fits(lang: Lang, shown: &[Shown]) -> Html {
    let words = Words::of(lang);
    let row = |shown: &Shown| {
        let s = &shown.curve.scenario;
        let cost = s.algorithm().build(&s.request()).map(|schedule| summary(&schedule));
        let (rounds, sent) = match &cost {
            Ok(cost) => (cost.rounds.to_string(), format!("{} S", cost.sent_most)),
            Err(_) => Default::default(),
        };
        let fit = sketch::fit(&shown.curve);
        let alpha = fit.map_or("–".into(), |fit| units::time_us(fit.alpha_us));
        let beta = fit.filter(|fit| fit.us_per_byte > 0.0);
        let beta = beta.map_or("–".into(), |fit| units::rate(1.0 / fit.us_per_byte));
        html! {
            <tr>
                <th scope="row">
                    <span class="legend-item">
                        { marker(shown.hue, shown.from.is_some()) }
                        <span>
                            { &shown.name }
                            if let Some(from) = &shown.from {
                                <span class="kind">{ " " }{ from }</span>
                            }
                        </span>
                    </span>
                </th>
                <td class="num">{ rounds }</td>
                <td class="num">{ sent }</td>
                <td class="num">{ alpha }</td>
                <td class="num">{ beta }</td>
            </tr>
        }
    };
    html! {
        <div class="table-wrap" tabindex="0" role="region" aria-label={words.fits}>
            <table class="table">
                <thead><tr>
                    <th scope="col">{ words.curve }</th>
                    <th scope="col" class="num">{ words.rounds }</th>
                    <th scope="col" class="num">{ words.sent }</th>
                    <th scope="col" class="num">{ words.alpha }</th>
                    <th scope="col" class="num">{ words.beta }</th>
                </tr></thead>
                <tbody>{ for shown.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

/// Where the records were made, and a way to put those away that were opened.
fn places(lang: Lang, show: &UseReducerHandle<Show>) -> Html {
    let words = Words::of(lang);
    let here = show.record.as_ref().map(|record| {
        let most = record.curves().iter().map(|curve| curve.scenario.ranks).max().unwrap_or(0);
        let counts: [(&str, &dyn Display); 2] = [("ranks", &most), ("cores", &cores())];
        let crowded = (most > cores()).then(|| fill(words.more_ranks_than_cores, &counts));
        html! {
            <p class="quiet small">
                { context(lang, record) }
                if let Some(crowded) = crowded { { " · " }{ crowded } }
            </p>
        }
    });
    let opened = show.opened.iter().enumerate().map(|(at, opened)| {
        let dispatcher = show.dispatcher();
        let onclick = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Msg::Remove(at)));
        let about = [
            ("file", &opened.name as &dyn Display),
            ("context", &context(lang, &opened.record) as &dyn Display),
        ];
        html! {
            <p class="row small" key={opened.name.clone()}>
                <span class="quiet">{ fill(words.opened, &about) }</span>
                <button type="button" class="text-button" {onclick}
                    aria-label={format!("{} {}", words.remove, opened.name)}>
                    { words.remove }
                </button>
            </p>
        }
    });
    html! { <>{ here }{ for opened }</> }
}

/// Every measurement, with the columns of nccl-tests and the spread.
fn table(lang: Lang, shown: &[Shown]) -> Html {
    let words = Words::of(lang);
    let row = |curve: &Curve, point: &Point| {
        let reduces = curve.scenario.verb.reduces();
        let (fastest, slowest) = point.range_us;
        let spread = format!("{} – {}", units::time_us(fastest), units::time_us(slowest));
        html! {
            <tr class={(point.wrong > 0).then_some("is-wrong")}>
                <th scope="row" class="num">{ units::bytes(point.bytes) }</th>
                <td class="num">{ curve.count(point) }</td>
                <td>{ curve.scenario.wire().name() }</td>
                <td>{ if reduces { curve.scenario.op.name() } else { "–" } }</td>
                <td class="num">{ units::time_us(point.us) }</td>
                <td class="num quiet">{ spread }</td>
                <td class="num">{ units::rate(curve.algbw(point) * 1000.0) }</td>
                <td class="num">{ units::rate(curve.busbw(point) * 1000.0) }</td>
                <td class="num">{ point.wrong }</td>
            </tr>
        }
    };
    let body = |shown: &Shown| {
        let kind = match &shown.from {
            None => words.measured_here.to_string(),
            Some(from) => format!("{}: {from}", words.measured_there),
        };
        html! {
            <tbody>
                <tr class="group">
                    <th scope="rowgroup" colspan="9">
                        { &shown.name }{ " " }<span class="kind">{ kind }</span>
                    </th>
                </tr>
                { for shown.curve.points.iter().map(|point| row(&shown.curve, point)) }
            </tbody>
        }
    };
    let head = |name: &'static str| html! { <th scope="col" class="num">{ name }</th> };
    html! {
        <div class="table-wrap" tabindex="0" role="region" aria-label={words.table}>
            <table class="table is-dense">
                <thead><tr>
                    { head(words.size) }
                    { head(words.count) }
                    <th scope="col">{ words.dtype }</th>
                    <th scope="col">{ words.redop }</th>
                    { head(words.time) }
                    { head(words.spread) }
                    { head(words.algbw) }
                    { head(words.busbw) }
                    { head(words.wrong) }
                </tr></thead>
                { for shown.iter().map(body) }
            </table>
        </div>
    }
}

/// Properties of [`Offers`].
#[derive(Clone, PartialEq, Properties)]
pub struct OffersProps {
    /// Language of the words.
    pub lang: Lang,
    /// What was measured here.
    pub record: Shared<Record>,
}

/// What was measured here, as texts and files.
#[component]
fn Offers(props: &OffersProps) -> Html {
    let OffersProps { lang, record } = props;
    let words = Words::of(*lang);
    let offer = |name, note: &'static str, file: &str, kind, write: fn(&Record) -> String| {
        let record = record.clone();
        let write: Write = Callback::from(move |()| Ok(write(&record)));
        html! { <Offer lang={*lang} {name} {note} {write} file={(file.to_string(), kind)} /> }
    };
    html! {
        <section class="bench-offers">
            <h3 class="section-title">{ words.export }</h3>
            { offer(words.as_text, "", "ringscope-bench.txt", "text/plain", tables::text) }
            { offer(words.as_csv, "", "ringscope-bench.csv", "text/csv", tables::csv) }
            { offer(words.as_json, words.as_json_note, "ringscope-bench.json",
                "application/json", Record::write) }
        </section>
    }
}
