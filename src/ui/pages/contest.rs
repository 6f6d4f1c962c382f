//! Which algorithm is fastest here, and from which size, by three models side by side.
//!
//! The player shows it in its inspector. One algorithm after the other is simulated, so that the
//! page stays responsive meanwhile.

use crate::engine::algorithm::{self, Algorithm, Choice};
use crate::engine::cost::contest::{Entrant, fastest, nccl, sizes, winners};
use crate::engine::cost::nccl::Algorithm as NcclAlgorithm;
use crate::ui::scenario::Scenario;
use crate::ui::text::contest::{ContestWords, stretches};
use crate::ui::text::links::links_of;
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::{Lang, fill, units};
use gloo::timers::callback::Timeout;
use std::fmt::Display;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Contest`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The language.
    pub lang: Lang,
    /// The verb, the ranks, the links, and what the algorithms are asked for.
    pub scenario: Rc<Scenario>,
}

/// How far the simulation of a scenario is.
#[derive(Clone, PartialEq)]
struct Progress {
    scenario: Rc<Scenario>,
    entrants: Vec<Entrant>,
}

/// The next algorithm of a scenario has been simulated.
struct Simulated(Rc<Scenario>, Entrant);

impl Reducible for Progress {
    type Action = Simulated;

    fn reduce(self: Rc<Self>, Simulated(scenario, entrant): Simulated) -> Rc<Self> {
        let mut entrants = match self.scenario == scenario {
            true => self.entrants.clone(),
            false => Vec::new(),
        };
        entrants.push(entrant);
        Rc::new(Progress { scenario, entrants })
    }
}

/// The panel.
#[component]
pub fn Contest(props: &Props) -> Html {
    let Props { lang, scenario } = props;
    let progress = {
        let scenario = scenario.clone();
        use_reducer_eq(|| Progress { scenario, entrants: Vec::new() })
    };
    let candidates = use_memo(scenario.clone(), |scenario| candidates(scenario));
    let done = match progress.scenario == *scenario {
        true => progress.entrants.len(),
        false => 0,
    };
    {
        let (candidates, dispatcher) = (candidates.clone(), progress.dispatcher());
        use_effect_with((scenario.clone(), done), move |(scenario, done)| {
            let (scenario, done) = (scenario.clone(), *done);
            let next = (done < candidates.len()).then(|| {
                Timeout::new(0, move || {
                    let entrant = simulate(&candidates[done]);
                    dispatcher.dispatch(Simulated(scenario, entrant));
                })
            });
            move || drop(next)
        });
    }
    let words = ContestWords::of(*lang);
    let links = links_of(*lang, scenario.view.topology, scenario.ranks);
    let (verb, dtype) = (scenario.verb.title(), scenario.dtype.name());
    let question: [(&str, &dyn Display); 3] =
        [("verb", &verb), ("links", &links), ("dtype", &dtype)];
    html! {
        <div class="contest">
            <p>{ fill(words.question, &question) }</p>
            if done < candidates.len() {
                <p class="loading" role="status">
                    { fill(words.computing, &[("n", &done), ("all", &candidates.len())]) }
                </p>
            } else {
                { answer(*lang, scenario, &progress.entrants) }
            }
            <p class="quiet">{ words.options }</p>
        </div>
    }
}

/// The same scenario with each algorithm that can be had for it.
fn candidates(scenario: &Scenario) -> Vec<Scenario> {
    let with = |a: &Algorithm| {
        let next = scenario.with_algorithm(a.name);
        let machine = scenario.view.topology.nodes_of(scenario.ranks).map(|nodes| nodes.ranks);
        match machine.filter(|size| scenario.ranks.is_multiple_of(*size)) {
            Some(ranks_per_node) if a.choices.contains(&Choice::Nodes) => {
                Scenario { ranks_per_node, ..next }
            }
            _ => next,
        }
    };
    let all = algorithm::serving(scenario.verb).map(with);
    let fits = |s: &Scenario| {
        let algorithm = s.algorithm();
        let switch = algorithm.switches == 0 || s.view.topology.adds(s.ranks);
        switch && algorithm.refusal(&s.request()).is_none()
    };
    all.filter(fits).collect()
}

/// What two models make of the algorithm of a scenario that is not refused.
fn simulate(scenario: &Scenario) -> Entrant {
    let (name, size) = (scenario.algorithm, scenario.wire().size_bytes());
    match scenario.algorithm().build(&scenario.request()) {
        Ok(schedule) => Entrant::new(name, &schedule, size, scenario.view.topology),
        Err(_) => {
            let never = vec![f64::INFINITY; sizes().len()];
            Entrant { name, rounds_us: never.clone(), event_us: never }
        }
    }
}

/// What one model says.
struct Model<'a> {
    title: &'static str,
    source: &'static str,
    /// Name and times of every algorithm; times in microseconds, by size.
    entrants: Vec<(String, Vec<f64>)>,
    /// What is said of an algorithm and a size beside the name.
    detail: Box<dyn Fn(usize, usize) -> String + 'a>,
    /// Where ring and tree stand among them.
    two: Option<[usize; 2]>,
}

impl Model<'_> {
    fn times(&self) -> Vec<&[f64]> {
        self.entrants.iter().map(|(_, times)| &times[..]).collect()
    }

    /// Heading and sentences.
    fn sentences(&self, lang: Lang) -> Html {
        let words = ContestWords::of(lang);
        let names: Vec<&str> = self.entrants.iter().map(|(name, _)| &name[..]).collect();
        let times = self.times();
        let sizes: Vec<u64> = sizes().collect();
        let all = stretches(lang, &names, &sizes, &winners(&times));
        let two = self.two.filter(|_| names.len() > 2).map(|two| {
            let (names, times) = (two.map(|at| names[at]), two.map(|at| times[at]));
            let stretches = stretches(lang, &names, &sizes, &winners(&times));
            fill(words.of_two, &[("stretches", &stretches)])
        });
        html! {
            <>
                <h3>{ self.title }{ " " }<span class="kind">{ self.source }</span></h3>
                <p>{ fill(words.fastest, &[("stretches", &all)]) }</p>
                if let Some(two) = two { <p>{ two }</p> }
            </>
        }
    }

    /// The fastest algorithm of one size, with what ring and tree take where they are not it.
    fn cell(&self, size: usize) -> Html {
        let line = |at: usize| {
            let (name, times) = &self.entrants[at];
            format!("{name}{} {}", (self.detail)(at, size), units::time_us(times[size]))
        };
        let Some(best) = fastest(&self.times(), size) else { return Html::default() };
        let two = self.two.into_iter().flatten();
        let is_one = two.clone().any(|at| at == best);
        html! {
            <td class={is_one.then_some("is-ring-or-tree")}>
                <span>{ line(best) }</span>
                { for two.filter(|at| *at != best).map(|at| html! {
                    <span class="quiet">{ line(at) }</span>
                }) }
            </td>
        }
    }
}

/// What all three models say, and the table behind it.
fn answer(lang: Lang, scenario: &Scenario, entrants: &[Entrant]) -> Html {
    let words = ContestWords::of(lang);
    let verb = scenario.verb;
    let place = |name| entrants.iter().position(|entrant| entrant.name == name);
    let two = place("ring").zip(place("tree")).map(|(ring, tree)| [ring, tree]);
    let model = |title, source, times: fn(&Entrant) -> &Vec<f64>| {
        let entrant = |e: &Entrant| (algorithm_name(lang, e.name).to_string(), times(e).clone());
        let entrants = entrants.iter().map(entrant).collect();
        Model { title, source, entrants, detail: Box::new(|_, _| String::new()), two }
    };
    let rounds = model(words.rounds, words.rounds_source, |e| &e.rounds_us);
    let event = model(words.event, words.event_source, |e| &e.event_us);
    let system = scenario.view.topology.nccl(scenario.ranks);
    let choices = system.map(|system| nccl(&system, verb));
    let considered = match &choices {
        None => Err(words.nccl_machine.to_string()),
        Some(choices) if choices.is_empty() => {
            Err(fill(words.nccl_verb, &[("verb", &verb.title())]))
        }
        Some(choices) => Ok(choices),
    };
    let third = considered.map(|choices| {
        let name = |algorithm: NcclAlgorithm| match algorithm {
            NcclAlgorithm::Tree => words.tree_over_nodes,
            other => algorithm_name(lang, other.name()),
        };
        let entrant = |(algorithm, choices): &(NcclAlgorithm, Vec<_>)| {
            let times =
                choices.iter().map(|choice: &crate::engine::cost::nccl::Choice| choice.time_us);
            (name(*algorithm).to_string(), times.collect())
        };
        let place = |wanted| choices.iter().position(|(algorithm, _)| *algorithm == wanted);
        let two = place(NcclAlgorithm::Ring).zip(place(NcclAlgorithm::Tree));
        Model {
            title: words.nccl,
            source: words.nccl_source,
            entrants: choices.iter().map(entrant).collect(),
            detail: Box::new(|at, size| format!(" {}", choices[at].1[size].protocol.name())),
            two: two.map(|(ring, tree)| [ring, tree]),
        }
    });
    let models: Vec<&Model> = [&rounds, &event].into_iter().chain(third.as_ref().ok()).collect();
    html! {
        <>
            { for models.iter().map(|model| model.sentences(lang)) }
            if let Err(why) = &third {
                <h3>{ words.nccl }</h3>
                <p>{ why }</p>
            }
            <details>
                <summary>{ words.table }</summary>
                <div class="table-scroll" tabindex="0" role="region" aria-label={words.table}>
                    <table>
                        <caption>{ words.caption }</caption>
                        <thead><tr>
                            <th scope="col">{ words.size }</th>
                            { for models.iter().map(|model| html! {
                                <th scope="col">{ model.title }</th>
                            }) }
                        </tr></thead>
                        <tbody>{ for sizes().enumerate().map(|(at, bytes)| html! {
                            <tr>
                                <th scope="row">{ units::bytes(bytes) }</th>
                                { for models.iter().map(|model| model.cell(at)) }
                            </tr>
                        }) }</tbody>
                    </table>
                </div>
            </details>
        </>
    }
}
