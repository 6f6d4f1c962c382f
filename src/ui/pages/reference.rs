//! The reference page: every verb and every algorithm, in tables, on a phone in lists that unfold.

use crate::engine::algorithm::Choice;
use crate::engine::collective::Verb;
use crate::engine::reduce::ReduceOp;
use crate::ui::browser::use_narrow;
use crate::ui::glyph::glyph;
use crate::ui::text::calls::{Library, call};
use crate::ui::text::reference::ReferenceWords as Words;
use crate::ui::text::registry::{Row, algorithm_name, algorithm_note, rows};
use crate::ui::text::{Lang, fill, verbs};
use yew::prelude::*;

/// Properties of [`Reference`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
}

/// The reference page.
#[component]
pub fn Reference(props: &Props) -> Html {
    let (lang, narrow) = (props.lang, use_narrow());
    let words = Words::of(lang);
    let rows = rows(lang);
    let algorithms: Vec<&[Row]> = rows.chunk_by(|a, b| a.algorithm == b.algorithm).collect();
    html! {
        <>
            <h1 class="page-title">{ words.title }</h1>
            <p class="lede">{ words.lede }</p>
            if narrow {
                { verb_list(lang, words) }
                <h2 class="heading">{ words.algorithms }</h2>
                { algorithm_list(lang, words, &algorithms) }
            } else {
                { verb_table(lang, words) }
                <h2 class="heading">{ words.algorithms }</h2>
                { algorithm_table(lang, words, &algorithms) }
            }
        </>
    }
}

/// A fact with its name.
type Fact = (&'static str, Html);

/// What there is to say about a verb.
fn verb_facts(lang: Lang, words: &Words, verb: Verb) -> [Fact; 5] {
    let about = verbs::facts(verb);
    let same = match verb {
        _ if verb.same_on_all() => words.same_yes,
        Verb::SendRecv => words.same_receiver,
        Verb::Reduce | Verb::Gather => words.same_root,
        _ => words.same_no,
    };
    [
        (words.does, about.does.of(lang).into()),
        (words.holds, about.holds.of(lang).into()),
        (words.same, same.into()),
        (words.used, about.used.of(lang).into()),
        (words.calls, calls(lang, verb)),
    ]
}

fn calls(lang: Lang, verb: Verb) -> Html {
    let entry = |library: &Library| {
        let call = call(verb, *library, ReduceOp::Sum);
        html! {
            <>
                <dt>{ library.name() }</dt>
                <dd>
                    { for call.code.lines().map(|line| html! {
                        <code translate="no">{ line.to_string() }</code>
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

/// What there is to say about verbs that an algorithm serves alike; needs and options only where
/// there are any.
fn row_facts(lang: Lang, words: &Words, row: &Row) -> [(&'static str, Option<Html>); 6] {
    let link = |verb: &Verb| {
        let href = format!("#/{}?algo={}", verb.name(), row.algorithm);
        let title = fill(words.open, &[("verb", &verb.title())]);
        html! { <a {href} {title}>{ verb.title() }</a> }
    };
    let option = |option: &Choice| html! { <code class="nowrap">{ option.name() }</code> };
    let options = html! { <span class="row">{ for row.options.iter().map(option) }</span> };
    let needs = row.needs.join(lang.semicolon());
    [
        (words.verb, Some(html! { <span class="row">{ for row.verbs.iter().map(link) }</span> })),
        (words.rounds, Some(html! { &row.rounds })),
        (words.sent, Some(html! { <span class="nowrap">{ row.sent }</span> })),
        (words.needs, (!needs.is_empty()).then(|| needs.into())),
        (words.options, (!row.options.is_empty()).then_some(options)),
        (words.source, Some(html! { <span class="quiet" lang="en">{ row.source }</span> })),
    ]
}

/// A table, in a region of its own that scrolls.
fn table(
    name: &'static str,
    class: &'static str,
    caption: &'static str,
    labels: impl IntoIterator<Item = &'static str>,
    rows: Html,
) -> Html {
    html! {
        <div class="panel table-wrap" tabindex="0" role="region" aria-label={name}>
            <table class={classes!("table", class)}>
                <caption>{ caption }</caption>
                <thead><tr>
                    { for labels.into_iter().map(|label| html! { <th scope="col">{ label }</th> }) }
                </tr></thead>
                <tbody>{ rows }</tbody>
            </table>
        </div>
    }
}

fn verb_table(lang: Lang, words: &Words) -> Html {
    let row = |verb: &Verb| {
        let facts = verb_facts(lang, words, *verb).map(|(_, fact)| html! { <td>{ fact }</td> });
        html! {
            <tr id={verb.name()}>
                <th scope="row">
                    <a class="ref-verb" href={format!("#/{}", verb.name())}
                        title={fill(words.open, &[("verb", &verb.title())])}>
                        { glyph(*verb) }
                        <span>{ verb.title() }</span>
                    </a>
                    <span class="kind">{ verbs::family(verb.family()).of(lang) }</span>
                </th>
                { for facts }
            </tr>
        }
    };
    let labels = [words.verb, words.does, words.holds, words.same, words.used, words.calls];
    let rows = Verb::ALL.iter().map(row).collect();
    table(words.verbs, "is-verbs", words.glyph_key, labels, rows)
}

fn algorithm_table(lang: Lang, words: &Words, algorithms: &[&[Row]]) -> Html {
    let nothing = || html! { <span class="quiet">{ "–" }</span> };
    // The name of an algorithm stands in the first of its rows.
    let row = |(at, row): (usize, &Row), count: usize| {
        let facts = row_facts(lang, words, row).map(|(_, fact)| {
            html! { <td>{ fact.unwrap_or_else(nothing) }</td> }
        });
        html! {
            <tr class={(at > 0).then_some("is-again")}>
                if at == 0 {
                    <th scope="rowgroup" rowspan={count.to_string()}>
                        <span>{ algorithm_name(lang, row.algorithm) }</span>
                        <code class="kind" translate="no">{ row.algorithm }</code>
                    </th>
                }
                { for facts }
            </tr>
        }
    };
    let rows = algorithms
        .iter()
        .flat_map(|rows| rows.iter().enumerate().map(move |indexed| row(indexed, rows.len())));
    let labels = [
        words.algorithm,
        words.verb,
        words.rounds,
        words.sent,
        words.needs,
        words.options,
        words.source,
    ];
    table(words.algorithms, "is-algorithms", words.algorithms_caption, labels, rows.collect())
}

/// Facts below each other.
fn listed(facts: impl IntoIterator<Item = Fact>) -> Html {
    let fact = |(name, fact): Fact| html! { <div><dt>{ name }</dt><dd>{ fact }</dd></div> };
    html! { <dl class="facts">{ for facts.into_iter().map(fact) }</dl> }
}

/// What unfolds to more about it.
fn entry(name: Html, line: &'static str, more: Html) -> Html {
    html! {
        <li>
            <details class="entry">
                <summary>{ name }<span class="quiet">{ line }</span></summary>
                { more }
            </details>
        </li>
    }
}

fn verb_list(lang: Lang, words: &Words) -> Html {
    let verb = |verb: &Verb| {
        let name = html! { <b class="entry-name">{ glyph(*verb) }{ verb.title() }</b> };
        let more = html! {
            <>
                { listed(verb_facts(lang, words, *verb)) }
                <a href={format!("#/{}", verb.name())}>
                    { fill(words.open, &[("verb", &verb.title())]) }
                </a>
            </>
        };
        entry(name, verbs::meaning(*verb).of(lang), more)
    };
    html! {
        <>
            <ul class="panel entries" aria-label={words.verbs}>
                { for Verb::ALL.iter().map(verb) }
            </ul>
            <p class="quiet small">{ words.glyph_key }</p>
        </>
    }
}

fn algorithm_list(lang: Lang, words: &Words, algorithms: &[&[Row]]) -> Html {
    let algorithm = |rows: &&[Row]| {
        let [first, ..] = rows else { return Html::default() };
        let facts = |row: &Row| {
            let facts = row_facts(lang, words, row).into_iter();
            listed(facts.filter_map(|(name, fact)| Some((name, fact?))))
        };
        let name = html! { <b class="entry-name">{ algorithm_name(lang, first.algorithm) }</b> };
        let more = rows.iter().map(facts).collect();
        entry(name, algorithm_note(lang, first.algorithm), more)
    };
    html! {
        <>
            <ul class="panel entries" aria-label={words.algorithms}>
                { for algorithms.iter().map(algorithm) }
            </ul>
            <p class="quiet small">{ words.algorithms_caption }</p>
        </>
    }
}
