//! What the stages add up to: whether both sides are equal, what is proved, and the bill.

use super::bill::{Bill, Cost};
use super::compared::Comparison;
use super::link::Topic;
use super::record::REPEATS;
use super::state::Show;
use crate::engine::check::check;
use crate::ui::text::duet::DuetWords as Words;
use crate::ui::text::inspector::cost::measured_kind;
use crate::ui::text::links::links_name;
use crate::ui::text::{Lang, fill, units};
use std::fmt::Display;
use yew::prelude::*;

/// What was compared so far, and what comes.
pub fn compared(lang: Lang, show: &Show) -> Html {
    if show.comparisons.is_empty() {
        return Html::default();
    }
    let words = Words::of(lang);
    let line = |found: &Comparison| {
        let there = show.head.time >= found.at;
        let tone = match (there, found.different) {
            (false, _) => "is-quiet",
            (true, 0) => "is-verified",
            (true, _) => "is-attention",
        };
        let mark = match (there, found.different) {
            (false, _) => "…",
            (true, 0) => "=",
            (true, _) => "≠",
        };
        html! {
            <li class={classes!("compared", tone)}>
                <span class="compared-mark" aria-hidden="true">{ mark }</span>
                <span>{ sentence(words, found, there) }</span>
            </li>
        }
    };
    html! {
        <section class="section" aria-label={words.compared}>
            <div role="status"><ul>{ for show.comparisons.iter().map(line) }</ul></div>
        </section>
    }
}

fn sentence(words: &Words, found: &Comparison, there: bool) -> String {
    let verb = found.after.map(|verb| verb.title()).unwrap_or_default();
    let template = match (there, found.after, found.different) {
        (false, Some(_), _) => words.still_after,
        (false, None, _) => words.still_end,
        (true, Some(_), 0) => words.equal_after,
        (true, Some(_), _) => words.differ_after,
        (true, None, 0) => words.equal_end,
        (true, None, _) => words.differ_end,
    };
    let values: [(&str, &dyn Display); 3] =
        [("verb", &verb), ("n", &found.compared), ("off", &found.different)];
    fill(template, &values)
}

/// That the schedule which was turned round, or not, is right: the checker runs here and now.
pub fn proof(lang: Lang, show: &Show) -> Html {
    let (Topic::Reversal { .. }, Some(side)) = (&show.link.topic, show.sides.first()) else {
        return Html::default();
    };
    let (words, schedule) = (Words::of(lang), &side.takes[0].prepared.schedule);
    let (tone, text) = match check(schedule) {
        Ok(proof) => {
            let (n, verb) = (schedule.collective.ranks, schedule.collective.verb.title());
            let values: [(&str, &dyn Display); 3] =
                [("n", &n), ("verb", &verb), ("slots", &proof.slots)];
            ("is-verified", fill(words.proved, &values))
        }
        Err(fault) => ("is-attention", fill(words.not_proved, &[("fault", &fault)])),
    };
    html! {
        <section class="section" aria-label={words.compared}>
            <p class={classes!("compared", tone)} role="status">
                <span class="compared-mark" aria-hidden="true">{ "✓" }</span>
                <span>{ text }</span>
            </p>
        </section>
    }
}

/// A column of the bill.
struct Column {
    name: String,
    cost: Cost,
    /// Whether it adds up others.
    sum: bool,
}

/// The bill: every call's cost, both calls together, and the difference between both sides.
pub fn bill(lang: Lang, show: &Show) -> Html {
    let words = Words::of(lang);
    let topology = show.link.scenario.view.topology;
    let bills: Vec<Bill> = show.sides.iter().filter_map(|side| Bill::of(side, topology)).collect();
    let letters = [words.side_a, words.side_b];
    let mut columns: Vec<Column> = Vec::new();
    for (side, bill) in bills.iter().enumerate() {
        for (verb, cost) in &bill.calls {
            let name = match show.link.topic {
                Topic::Pair(_) => format!("{} · {}", letters[side], verb.title()),
                _ => verb.title().to_string(),
            };
            columns.push(Column { name, cost: *cost, sum: false });
        }
        if bill.calls.len() > 1 {
            let name = words.both.to_string();
            columns.push(Column { name, cost: bill.whole, sum: true });
        }
    }
    let both = match &bills[..] {
        [first, second] => Some((first.whole, second.whole)),
        _ => None,
    };
    let name = match show.link.topic {
        Topic::Halves => words.difference_of_calls,
        Topic::Pair(_) => words.difference_of,
        _ => words.difference,
    };
    let links = links_name(lang, topology);
    let modelled = fill(words.modelled_kind, &[("links", &links)]);
    let measured = measured_kind(lang, REPEATS.into());
    let none = String::new;
    let rows: [Row; 5] = [
        (words.rounds, none(), |_, c| c.rounds.to_string(), |c| Some(c.rounds as f64)),
        (words.sent, none(), |_, c| units::bytes(c.sent), |c| Some(c.sent as f64)),
        (words.messages, none(), |_, c| c.messages.to_string(), |c| Some(c.messages as f64)),
        (words.modelled, modelled, |_, c| units::time_us(c.modelled_us), |c| Some(c.modelled_us)),
        (words.measured, measured, measured_text, |c| c.measured_us),
    ];
    let row = |(name, kind, text, value): &Row| {
        html! {
            <tr>
                <th scope="row">
                    { *name }{ " " }<span class="kind">{ kind.clone() }</span>
                </th>
                { for columns.iter().map(|column| html! {
                    <td class={classes!("num", column.sum.then_some("is-sum"))}>
                        { text(words, &column.cost) }
                    </td>
                }) }
                if let Some((a, b)) = both {
                    <td class="num">{ difference(words, value(&a), value(&b)) }</td>
                }
            </tr>
        }
    };
    html! {
        <section class="panel bill">
            <h2 class="section-title">{ words.bill }</h2>
            <div class="table-wrap" tabindex="0" role="region" aria-label={words.bill}>
                <table class="table">
                    <thead><tr>
                        <th scope="col">{ words.quantity }</th>
                        { for columns.iter().map(|column| html! {
                            <th scope="col" class="num">{ breakable(&column.name) }</th>
                        }) }
                        if both.is_some() { <th scope="col" class="num">{ name }</th> }
                    </tr></thead>
                    <tbody>{ for rows.iter().map(row) }</tbody>
                </table>
            </div>
        </section>
    }
}

/// A name that may go on in a new line where one of its words begins: `Reduce` `Scatter`.
pub fn breakable(name: &str) -> Html {
    let inner = |at: usize| name[..at].ends_with(char::is_lowercase);
    let begins = name.match_indices(char::is_uppercase).map(|(at, _)| at).filter(|&at| inner(at));
    let mut html = Vec::new();
    let mut from = 0;
    for at in begins.chain([name.len()]) {
        html.push(html! { <>{ &name[from..at] }<wbr /></> });
        from = at;
    }
    html.into_iter().collect()
}

/// A line of the bill: what it is, of what kind, how it is written, and what is compared.
type Row = (&'static str, String, fn(&Words, &Cost) -> String, fn(&Cost) -> Option<f64>);

fn measured_text(words: &Words, cost: &Cost) -> String {
    cost.measured_us.map_or_else(|| words.not_measured.to_string(), units::time_us)
}

/// How many times as much the second is.
fn difference(words: &Words, a: Option<f64>, b: Option<f64>) -> String {
    match (a, b) {
        (Some(a), Some(b)) if a == b => words.same.to_string(),
        (Some(a), Some(b)) if a > 0.0 => format!("×\u{a0}{:.2}", b / a),
        _ => "–".to_string(),
    }
}
