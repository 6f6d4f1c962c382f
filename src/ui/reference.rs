//! The reference page: every verb and every algorithm in a table.

use super::glyph::glyph;
use super::text::calls::{Library, call};
use super::text::reference::ReferenceWords;
use super::text::{Lang, fill, verbs};
use crate::engine::algorithm::{self, Algorithm, Closed};
use crate::engine::collective::Verb;
use crate::engine::reduce::ReduceOp;
use yew::prelude::*;

/// The reference page.
pub fn reference(lang: Lang) -> Html {
    let words = ReferenceWords::of(lang);
    html! {
        <main id="content" class="page">
            <h1 class="page-title">{ words.title }</h1>
            <p class="lede">{ words.lede }</p>
            { verb_table(lang, words) }
            <h2 class="heading" id="algorithms">{ words.algorithms }</h2>
            { algorithm_table(words) }
        </main>
    }
}

/// Tables carry their roles explicitly: on a phone their rows are laid out as cards, and browsers
/// then forget that they are tables.
fn header(labels: &[&'static str]) -> Html {
    html! {
        <thead role="rowgroup">
            <tr role="row">
                { for labels.iter().map(|label| html! {
                    <th role="columnheader" scope="col">{ *label }</th>
                }) }
            </tr>
        </thead>
    }
}

fn cell(label: &'static str, content: Html) -> Html {
    html! { <td role="cell" data-label={label}>{ content }</td> }
}

fn verb_table(lang: Lang, words: &'static ReferenceWords) -> Html {
    let labels = [words.verb, words.does, words.holds, words.same, words.used, words.calls];
    html! {
        <div class="panel table-wrap" tabindex="0" role="region" aria-label={words.verbs}>
            <table class="table is-cards is-verbs" role="table">
                <caption>{ words.glyph_key }</caption>
                { header(&labels) }
                <tbody role="rowgroup">
                    { for Verb::ALL.iter().map(|verb| verb_row(lang, words, *verb)) }
                </tbody>
            </table>
        </div>
    }
}

fn verb_row(lang: Lang, words: &'static ReferenceWords, verb: Verb) -> Html {
    let about = verbs::facts(verb);
    let same = match verb {
        _ if verb.same_on_all() => words.same_yes,
        Verb::SendRecv => words.same_receiver,
        Verb::Reduce | Verb::Gather => words.same_root,
        _ => words.same_no,
    };
    html! {
        <tr role="row" id={verb.name()}>
            <th role="rowheader" scope="row">
                <a class="ref-verb" href={format!("#/{}", verb.name())}
                    title={fill(words.open, &[("verb", &verb.title())])}>
                    { glyph(verb) }
                    <span>{ verb.title() }</span>
                </a>
                <span class="kind">{ verbs::family(verb.family()).of(lang) }</span>
            </th>
            { cell(words.does, html! { about.does.of(lang) }) }
            { cell(words.holds, html! { about.holds.of(lang) }) }
            { cell(words.same, html! { same }) }
            { cell(words.used, html! { about.used.of(lang) }) }
            { cell(words.calls, calls(lang, verb)) }
        </tr>
    }
}

fn calls(lang: Lang, verb: Verb) -> Html {
    let entry = |library: &Library| {
        let call = call(verb, *library, ReduceOp::Sum);
        html! {
            <>
                <dt>{ library.name() }</dt>
                <dd>
                    { for call.code.lines().map(|line| html! {
                        <code class="call-line" translate="no">{ line.to_string() }</code>
                    }) }
                    { for call.notes.iter().map(|note| html! {
                        <span class="call-note">{ note.of(lang) }</span>
                    }) }
                </dd>
            </>
        }
    };
    html! { <dl class="calls">{ for Library::ALL.iter().map(entry) }</dl> }
}

fn algorithm_table(words: &'static ReferenceWords) -> Html {
    let labels = [words.algorithm, words.verbs, words.rounds, words.sent, words.source];
    html! {
        <div class="panel table-wrap" tabindex="0" role="region" aria-label={words.algorithms}>
            <table class="table is-cards" role="table">
                <caption>{ words.algorithms_caption }</caption>
                { header(&labels) }
                <tbody role="rowgroup">
                    { for algorithm::ALL.iter().flat_map(|a| algorithm_rows(words, a)) }
                </tbody>
            </table>
        </div>
    }
}

/// One row for each distinct pair of formulas, so that verbs with equal costs share one.
fn algorithm_rows(words: &'static ReferenceWords, algorithm: &'static Algorithm) -> Vec<Html> {
    let mut costs: Vec<(Closed, Vec<Verb>)> = Vec::new();
    for &verb in algorithm.verbs {
        let closed = algorithm.closed(verb, 4);
        let same = |c: &Closed| {
            (c.rounds_formula, c.sent_formula) == (closed.rounds_formula, closed.sent_formula)
        };
        match costs.iter_mut().find(|(c, _)| same(c)) {
            Some((_, verbs)) => verbs.push(verb),
            None => costs.push((closed, vec![verb])),
        }
    }
    let row = |(closed, verbs): &(Closed, Vec<Verb>)| {
        let link = |verb: &Verb| {
            let href = format!("#/{}?algo={}", verb.name(), algorithm.name);
            html! { <a {href}>{ verb.title() }</a> }
        };
        let formula = |text: &'static str| html! { <span class="nowrap">{ text }</span> };
        let source = html! { <span class="quiet" lang="en">{ algorithm.source }</span> };
        html! {
            <tr role="row">
                <th role="rowheader" scope="row" translate="no">{ algorithm.name }</th>
                { cell(words.verbs, html! {
                    <span class="row">{ for verbs.iter().map(link) }</span>
                }) }
                { cell(words.rounds, formula(closed.rounds_formula)) }
                { cell(words.sent, formula(closed.sent_formula)) }
                { cell(words.source, source) }
            </tr>
        }
    };
    costs.iter().map(row).collect()
}
