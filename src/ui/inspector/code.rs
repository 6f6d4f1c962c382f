//! The program of the selected rank, and the call that a library offers for all of it.

use crate::engine::Rank;
use crate::engine::replay::{Activity, Replay};
use crate::ui::scenario::Prepared;
use crate::ui::shared::Shared;
use crate::ui::text::calls::{Library, call};
use crate::ui::text::inspector::Inspector;
use crate::ui::text::inspector::code::{Does, Line, State, program, state, window};
use crate::ui::text::{Lang, actor, fill};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Properties of [`Code`].
#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub prepared: Shared<Prepared>,
    pub replay: Shared<Replay>,
    /// The moment that is shown, on the replay's clock.
    pub time: f64,
    pub selected: Rank,
    /// Asks to select another rank.
    pub on_select: Callback<Rank>,
}

/// The selected rank's program with the running op lit, and the library calls.
#[component]
pub fn Code(props: &Props) -> Html {
    let schedule = &props.prepared.schedule;
    // A selection that is out of date for one frame shows an empty program.
    let activity = match props.selected < schedule.programs.len() {
        true => props.replay.activity(schedule, props.selected, props.time),
        false => Vec::new(),
    };
    let about = (props.lang, props.prepared.clone());
    let calls = use_memo(about, |(lang, prepared)| calls(*lang, prepared));
    html! {
        <section class="section">
            <Program lang={props.lang} prepared={props.prepared.clone()} {activity}
                selected={props.selected} on_select={props.on_select.clone()} />
            { (*calls).clone() }
        </section>
    }
}

/// Properties of [`Program`].
#[derive(Properties, PartialEq)]
struct ProgramProps {
    lang: Lang,
    prepared: Shared<Prepared>,
    /// What each lane is doing.
    activity: Vec<Activity>,
    selected: Rank,
    on_select: Callback<Rank>,
}

#[component]
fn Program(props: &ProgramProps) -> Html {
    let words = Inspector::of(props.lang);
    let whole = use_state_eq(|| false);
    let about = (props.prepared.clone(), props.selected);
    let lanes = use_memo(about, |(prepared, rank)| program(prepared, *rank));
    let total: usize = lanes.iter().map(Vec::len).sum();
    let states = lanes.iter().zip(&props.activity).map(|(lines, &activity)| {
        lines.iter().map(|line| state(line, activity)).collect::<Vec<State>>()
    });
    let states: Vec<Vec<State>> = states.collect();
    let drawn = lanes.iter().zip(&states).enumerate().map(|(number, (lines, states))| {
        let range = if *whole { 0..lines.len() } else { window(states, total, lanes.len()) };
        let (before, after) = (range.start, lines.len() - range.end);
        let shown = lines.iter().zip(states).take(range.end).skip(range.start);
        html! {
            <>
                if lanes.len() > 1 {
                    <h3 class="lane-title">{ fill(words.lane, &[("lane", &number)]) }</h3>
                }
                <ol class="code-lane">
                    { hidden(words, before) }
                    { for shown.map(|(line, &state)| draw(props, line, state)) }
                    { hidden(words, after) }
                </ol>
            </>
        }
    });
    let toggle = {
        let whole = whole.clone();
        Callback::from(move |_: MouseEvent| whole.set(!*whole))
    };
    let all =
        lanes.iter().zip(&states).all(|(l, s)| window(s, total, lanes.len()).len() == l.len());
    html! {
        <>
            <div class="panel-head">
                <h2 class="section-title">{ title(props, words, total) }</h2>
                { chooser(props, words) }
            </div>
            <div class="code" tabindex="0" role="group" aria-label={words.program_of}>
                if total == 0 { <p class="quiet">{ words.nothing_line }</p> }
                { for drawn }
            </div>
            if !all {
                <button class="text-button" aria-expanded={whole.to_string()} onclick={toggle}>
                    if *whole { { words.few_lines } }
                    else { { fill(words.all_lines, &[("n", &total)]) } }
                </button>
            }
        </>
    }
}

fn title(props: &ProgramProps, words: &Inspector, total: usize) -> String {
    let working = props.activity.iter().any(|a| matches!(a, Activity::Working(_)));
    let waiting = props.activity.iter().any(|a| matches!(a, Activity::Waiting(_)));
    let template = match (total, working, waiting) {
        (0, ..) => words.nothing,
        (_, true, _) => words.running,
        (_, _, true) => words.waiting,
        _ => words.done,
    };
    let ranks = props.prepared.schedule.collective.ranks;
    fill(template, &[("actor", &actor::capital(props.lang, ranks, props.selected))])
}

/// Chooses the rank, by keyboard too.
fn chooser(props: &ProgramProps, words: &Inspector) -> Html {
    let onchange = {
        let on_select = props.on_select.clone();
        Callback::from(move |event: Event| {
            let select: Option<HtmlSelectElement> = event.target_dyn_into();
            if let Some(rank) = select.and_then(|select| select.value().parse().ok()) {
                on_select.emit(rank);
            }
        })
    };
    let option = |rank: Rank| {
        html! {
            <option value={rank.to_string()} selected={rank == props.selected}>
                { actor::actor(props.lang, props.prepared.schedule.collective.ranks, rank) }
            </option>
        }
    };
    html! {
        <select class="input" aria-label={words.program_of} {onchange}>
            { for (0..props.prepared.schedule.programs.len()).map(option) }
        </select>
    }
}

fn hidden(words: &Inspector, lines: usize) -> Html {
    html! {
        if lines > 0 { <li class="code-hidden">{ fill(words.hidden, &[("n", &lines)]) }</li> }
    }
}

fn draw(props: &ProgramProps, line: &Line, state: State) -> Html {
    let class = match state {
        State::Ahead => "code-op",
        State::Waiting => "code-op is-waiting",
        State::Running => "code-op is-running",
        State::Over => "code-op is-done",
    };
    let waiting = match (state, line.does) {
        (State::Waiting, Does::Receives(peer)) => {
            let peer = actor::actor(props.lang, props.prepared.schedule.collective.ranks, peer);
            Some(fill(Inspector::of(props.lang).waiting_for, &[("peer", &peer)]))
        }
        _ => None,
    };
    let current = matches!(state, State::Waiting | State::Running).then_some("step");
    html! {
        <li {class} aria-current={current}>
            <code>{ &line.text }</code>
            if let Some(waiting) = waiting { <span class="code-waits">{ waiting }</span> }
        </li>
    }
}

/// The same in four libraries.
fn calls(lang: Lang, prepared: &Prepared) -> Html {
    let verb = prepared.schedule.collective.verb;
    let op = prepared.run.reduction.op;
    let row = |library: Library| {
        let call = call(verb, library, op);
        let notes = call.notes.iter().map(|note| {
            html! { <span class="call-note">{ note.of(lang) }</span> }
        });
        html! {
            <>
                <dt>{ library.name() }</dt>
                <dd>
                    { for call.code.lines().map(|line| html! { <code>{ line }</code> }) }
                    { for notes }
                </dd>
            </>
        }
    };
    html! {
        <>
            <h3 class="section-title calls-title">
                { fill(Inspector::of(lang).calls, &[("verb", &verb.title())]) }
            </h3>
            <dl class="calls">{ for Library::ALL.into_iter().map(row) }</dl>
        </>
    }
}
