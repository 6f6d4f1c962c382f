//! What ZeRO does with the equation, added up by the reader.

use crate::engine::algorithm::Algorithm;
use crate::engine::cost::OfS;
use crate::engine::training::zero::{Cargo, Strategy, Transfer, without_factor};
use crate::ui::scenario::Scenario;
use crate::ui::text::equation::{EquationWords as Words, cargo, moment, strategy};
use crate::ui::text::{Lang, fill};
use std::fmt::Display;
use yew::prelude::*;

/// Properties of [`Zero`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
    /// Whose ranks and algorithm.
    pub scenario: Scenario,
}

/// Shares of Ψ, exactly and as papers count them.
struct Count {
    algorithm: &'static Algorithm,
    ranks: usize,
}

impl Count {
    /// What the transfers of a strategy send, of one cargo or of all.
    fn total(&self, strategy: Strategy, only: Option<Cargo>) -> OfS {
        let counted = strategy.transfers().into_iter();
        let counted = counted.filter(|t| only.is_none_or(|cargo| t.cargo == cargo));
        counted.map(|t| self.sent(t)).fold(OfS::new(0, 1), OfS::plus)
    }

    /// The algorithm serves AllReduce and both its halves, or nothing is shown of it.
    fn sent(&self, transfer: Transfer) -> OfS {
        transfer.sent(self.algorithm, self.ranks).unwrap_or(OfS::new(0, 1))
    }

    /// A share as papers write it, and as it is.
    fn exactly(&self, words: &Words, share: OfS) -> Html {
        match without_factor(share, self.ranks) {
            Some(psi) => {
                let exact = fill(words.exactly, &[("exact", &share)]);
                html! { <>{ format!("{psi}\u{a0}Ψ ") }<span class="kind">{ exact }</span></> }
            }
            None => html! { format!("{share}\u{a0}Ψ") },
        }
    }
}

/// The strategies, the calls of the chosen one, and their sum.
#[component]
pub fn Zero(props: &Props) -> Html {
    let Props { lang, scenario } = props;
    let words = Words::of(*lang);
    let chosen = use_state_eq(|| Strategy::Zero1);
    let ticked = use_state_eq(Vec::<usize>::new);
    let count = Count { algorithm: scenario.algorithm(), ranks: scenario.ranks };
    let option = |other: Strategy| {
        let (chosen, ticked) = (chosen.clone(), ticked.clone());
        let pressed = (*chosen == other).to_string();
        let onclick = Callback::from(move |_: MouseEvent| {
            chosen.set(other);
            ticked.set(Vec::new());
        });
        html! {
            <button type="button" class="segment" aria-pressed={pressed} {onclick}>
                { strategy(other).of(*lang) }
            </button>
        }
    };
    let transfers = chosen.transfers();
    let line = |(at, transfer): (usize, &Transfer)| {
        let on = ticked.contains(&at);
        let onchange = {
            let ticked = ticked.clone();
            Callback::from(move |_: Event| {
                let mut next = (*ticked).clone();
                match next.iter().position(|other| *other == at) {
                    Some(there) => drop(next.remove(there)),
                    None => next.push(at),
                }
                ticked.set(next);
            })
        };
        let name = fill(cargo(words, transfer.cargo), &[("verb", &transfer.verb.title())]);
        let share = format!("{} Ψ", count.sent(*transfer));
        html! {
            <li>
                <label class="check">
                    <input type="checkbox" checked={on} {onchange} />
                    <span>{ name }</span>
                    <span class="quiet">{ moment(transfer.moment, *chosen).of(*lang) }</span>
                    <b>{ share }</b>
                </label>
            </li>
        }
    };
    let counted = transfers.iter().enumerate().filter(|(at, _)| ticked.contains(at));
    let sum = counted.map(|(_, t)| count.sent(*t)).fold(OfS::new(0, 1), OfS::plus);
    let added = match without_factor(sum, count.ranks) {
        Some(psi) => fill(words.added, &[("exact", &sum), ("psi", &psi)]),
        None => words.nothing_sent.to_string(),
    };
    html! {
        <section class="panel chapter">
            <h2 class="heading">{ words.zero }</h2>
            <p class="quiet">{ fill(words.zero_lede, &[("n", &count.ranks)]) }</p>
            <div class="segmented is-wrapping" role="group" aria-label={words.strategy}>
                { for Strategy::ALL.into_iter().map(option) }
            </div>
            <ul class="transfers">{ for transfers.iter().enumerate().map(line) }</ul>
            <p class="sentence" role="status">{ added }</p>
            { table(*lang, &count) }
            { halved(words, &count) }
        </section>
    }
}

fn table(lang: Lang, count: &Count) -> Html {
    let words = Words::of(lang);
    let row = |other: Strategy| {
        let cells = [Some(Cargo::Gradients), Some(Cargo::Parameters), None];
        let cell = |only| {
            html! {
                <td class="num">{ count.exactly(words, count.total(other, only)) }</td>
            }
        };
        html! {
            <tr>
                <th scope="row">{ strategy(other).of(lang) }</th>
                { for cells.into_iter().map(cell) }
            </tr>
        }
    };
    html! {
        <div class="table-wrap" tabindex="0" role="region" aria-label={words.zero}>
            <table class="table">
                <caption>{ words.counted }</caption>
                <thead><tr>
                    <th scope="col">{ words.strategy }</th>
                    <th scope="col" class="num">{ words.gradients }</th>
                    <th scope="col" class="num">{ words.parameters }</th>
                    <th scope="col" class="num">{ words.step }</th>
                </tr></thead>
                <tbody>{ for Strategy::ALL.into_iter().map(row) }</tbody>
            </table>
        </div>
    }
}

/// What is halved and what is not.
fn halved(words: &Words, count: &Count) -> Html {
    let gradients = |strategy| {
        let share = count.total(strategy, Some(Cargo::Gradients));
        without_factor(share, count.ranks)
    };
    let (Some(whole), Some(half)) = (gradients(Strategy::DataParallel), gradients(Strategy::Zero1))
    else {
        return Html::default();
    };
    if whole != half.plus(half) {
        // A switch that computes, or a hierarchy, has another bill.
        return Html::default();
    }
    let values: [(&str, &dyn Display); 2] = [("whole", &whole), ("half", &half)];
    html! {
        <>
            <p>{ fill(words.halved, &values) }</p>
            <p class="quiet small">{ words.theory }</p>
        </>
    }
}
