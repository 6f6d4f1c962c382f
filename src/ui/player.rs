//! The player: verb picker, parameters, stage, track, and what it all means.

use super::browser::{cores, reduced_motion, use_frames, use_narrow, write_fragment};
use super::inspector::{Code, CostStrip, Log, Sentence};
use super::messages::messages;
use super::params::{Edit, Params};
use super::picker::verb_picker;
use super::result::result;
use super::scenario::{Notice, Scenario, Theme};
use super::shared::Shared;
use super::stage::{Stage, StageTable};
use super::state::{Msg, Player as State, Running};
use super::text::chrome::Chrome;
use super::text::inspector::cost::Measured;
use super::text::params::Params as Words;
use super::text::{Lang, faults, fill, units};
use super::throughput::Throughput;
use super::timeline::Timeline;
use super::timeline::geometry::step_at;
use super::transport::{Action, HelpDialog, TransportProps, key_action, transport};
use crate::engine::collective::Verb;
use crate::engine::trace::Clock;
use crate::runtime::outcome::{RunFault, RunResult};
use crate::runtime::plan::Plan;
use crate::runtime::pool::Pool;
use crate::runtime::protocol::Repeat;
use std::fmt::Display;
use wasm_bindgen_futures::spawn_local;
use web_sys::KeyboardEvent;
use yew::prelude::*;

/// Properties of [`Player`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Language of the words.
    pub lang: Lang,
    /// Whether the dark theme is on.
    pub dark: bool,
    /// What the URL asks for, with what was wrong with it.
    pub opened: Shared<(Scenario, Vec<Notice>)>,
    /// The workers.
    pub pool: PoolHandle,
}

/// The pool, as a property: there is only one.
#[derive(Clone)]
pub struct PoolHandle(pub Pool);

impl PartialEq for PoolHandle {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The player.
#[component]
pub fn Player(props: &Props) -> Html {
    let Props { lang, dark, opened, pool } = props;
    let lang = *lang;
    let state = use_reducer(|| {
        let (scenario, notices) = (**opened).clone();
        State::new(scenario, notices)
    });
    let help = use_state(|| false);
    let narrow = use_narrow();
    use_opened(&state, opened);
    use_animation(&state);
    use_written_url(&state, lang, *dark);

    let start = {
        let (state, pool) = (state.clone(), pool.0.clone());
        Callback::from(move |repeating: bool| start(&state, &pool, repeating))
    };
    let on_action = {
        let (state, help, start) = (state.clone(), help.clone(), start.clone());
        Callback::from(move |action: Action| match action {
            Action::Help => help.set(true),
            action => {
                let starts = action == Action::PlayPause && !state.playing;
                if starts && !state.is_recorded() && state.running == Running::No {
                    start.emit(false);
                }
                state.dispatch(Msg::Transport(action));
            }
        })
    };
    let onkeydown = {
        let on_action = on_action.clone();
        Callback::from(move |event: KeyboardEvent| {
            if let Some(action) = key_action(&event) {
                event.prevent_default();
                on_action.emit(action);
            }
        })
    };
    // The parameters and the picker redraw only when the scenario changes: a field that is being
    // typed into must not be drawn over because a run tells how far it is.
    let on_edit = {
        let dispatcher = state.dispatcher();
        use_callback((), move |edit: Edit, ()| dispatcher.dispatch(Msg::Edit(edit)))
    };
    let on_verb = {
        let on_edit = on_edit.clone();
        use_callback((), move |verb: Verb, ()| {
            on_edit.emit(Edit::Field("verb", verb.name().to_string()));
        })
    };
    let picked = (lang, state.scenario.verb, on_verb);
    let picker = use_memo(picked, |(lang, verb, on_verb)| verb_picker(*lang, *verb, on_verb));
    // These reach every card, so they stay the same from frame to frame.
    let on_select = {
        let dispatcher = state.dispatcher();
        use_callback((), move |rank, ()| dispatcher.dispatch(Msg::Select(rank)))
    };
    let on_seek = {
        let dispatcher = state.dispatcher();
        use_callback((), move |time, ()| dispatcher.dispatch(Msg::Seek(time)))
    };
    let sheet = use_state(|| false);
    let toggle_sheet = {
        let sheet = sheet.clone();
        Callback::from(move |_: MouseEvent| sheet.set(!*sheet))
    };
    let close_help = {
        let help = help.clone();
        Callback::from(move |()| help.set(false))
    };
    let (s, words) = (&state.scenario, Chrome::of(lang));
    let bar = TransportProps {
        lang,
        playing: state.playing,
        can_play: !state.replay.steps.is_empty(),
        step: step_at(&state.replay, state.time),
        steps: state.replay.steps.len(),
        phase: state.phase(),
        time_text: time_text(&state).into(),
        speed: s.speed,
        looped: s.looped,
        on_action,
        children: html! {
            <button type="button" class="button sheet-toggle"
                aria-expanded={sheet.to_string()} onclick={toggle_sheet.clone()}>
                { words.details }
            </button>
        },
    };
    html! {
        <main id="content" class="page">
            { (*picker).clone() }
            <div class="scenario">
                <Params {lang} scenario={s.clone()} {on_edit} />
                { run_buttons(lang, &state, &start, &pool.0) }
            </div>
            { messages(lang, &state) }
            <div class="player" {onkeydown}>
                <section class="panel stage-panel" aria-label={s.verb.title()}>
                    { head(lang, &state) }
                    <div class="stage-box">
                        <Stage {lang} prepared={state.prepared.clone()}
                            replay={state.replay.clone()} time={state.time}
                            selected={s.selected} {narrow}
                            on_select={on_select.clone()} />
                    </div>
                    <Timeline {lang} prepared={state.prepared.clone()}
                        replay={state.replay.clone()} time={state.time} clock={state.clock}
                        looped={s.looped} selected={s.selected} playing={state.playing}
                        on_seek={on_seek.clone()} on_select={on_select.clone()} />
                    { transport(&bar) }
                    <StageTable {lang} prepared={state.prepared.clone()}
                        replay={state.replay.clone()} time={state.time} />
                </section>
                <aside class="panel side">
                    <Sentence {lang} prepared={state.prepared.clone()}
                        replay={state.replay.clone()} time={state.time} live={!state.playing} />
                    <div class={classes!("sheet", sheet.then_some("is-open"))}>
                        <button type="button" class="icon-button sheet-close"
                            aria-label={words.close} onclick={toggle_sheet}>{ "×" }</button>
                        { panels(lang, *dark, &state, on_seek, on_select) }
                    </div>
                </aside>
            </div>
            <HelpDialog {lang} open={*help} on_close={close_help} />
        </main>
    }
}

/// Opens what the URL says when it changes under the player.
#[hook]
fn use_opened(state: &UseReducerHandle<State>, opened: &Shared<(Scenario, Vec<Notice>)>) {
    let first = use_mut_ref(|| true);
    let state = state.clone();
    use_effect_with(opened.clone(), move |opened| {
        if !std::mem::replace(&mut *first.borrow_mut(), false) {
            let (scenario, notices) = (**opened).clone();
            state.dispatch(Msg::Scenario(Box::new(scenario), notices));
        }
    });
}

/// Lets time go on while playing.
#[hook]
fn use_animation(state: &UseReducerHandle<State>) {
    let dispatcher = state.dispatcher();
    let on_frame = use_callback((), move |elapsed_ms: f64, ()| {
        dispatcher.dispatch(Msg::Tick { elapsed_ms, whole_steps: reduced_motion() });
    });
    use_frames(state.playing, on_frame);
}

/// Keeps the URL up to date, except while time goes on by itself. A link that names language or
/// theme then names the ones that are shown.
#[hook]
fn use_written_url(state: &UseReducerHandle<State>, lang: Lang, dark: bool) {
    let fragment = (!state.playing).then(|| {
        let (s, shown) = (&state.scenario, if dark { Theme::Dark } else { Theme::Light });
        let (lang, theme) = (s.lang.map(|_| lang), s.theme.map(|_| shown));
        Scenario { lang, theme, ..s.clone() }.fragment()
    });
    use_effect_with(fragment, |fragment| {
        if let Some(fragment) = fragment {
            write_fragment(fragment);
        }
    });
}

/// Starts the scenario on workers, once or over and over.
fn start(state: &UseReducerHandle<State>, pool: &Pool, repeating: bool) {
    let prepared = state.prepared.clone();
    let plan = Plan::new(&prepared.schedule, &prepared.proof, &prepared.run);
    let (running, repeat) = match repeating {
        true => (Running::Repeating, Repeat::UntilStopped),
        false => (Running::Once, Repeat::Once),
    };
    let (dispatcher, progress) = (state.dispatcher(), state.dispatcher());
    match plan {
        Err(fault) => dispatcher.dispatch(Msg::Ended(prepared, Box::new(Err(fault)))),
        Ok(plan) => {
            dispatcher.dispatch(Msg::Started(running));
            let pool = pool.clone();
            spawn_local(async move {
                let of = prepared.clone();
                let on_progress = move |now| progress.dispatch(Msg::Progress(of.clone(), now));
                let result: Result<RunResult, RunFault> =
                    pool.run(plan.repeated(repeat), on_progress).await;
                dispatcher.dispatch(Msg::Ended(prepared, Box::new(result)));
            });
        }
    }
}

/// Run or stop, and repeat. The first button stays the same element, so that it keeps the focus.
fn run_buttons(lang: Lang, state: &State, start: &Callback<bool>, pool: &Pool) -> Html {
    let words = Words::of(lang);
    let idle = state.running == Running::No;
    let repeat = start.reform(|_: MouseEvent| true);
    let run_or_stop = {
        let (start, pool, running) = (start.clone(), pool.clone(), state.running.clone());
        Callback::from(move |_: MouseEvent| match running {
            Running::No => start.emit(false),
            Running::Repeating => pool.stop(),
            Running::Once => pool.cancel(),
        })
    };
    html! {
        <div class="params-end">
            <button type="button" class={classes!("button", idle.then_some("is-primary"))}
                onclick={run_or_stop}>
                { if idle { words.run } else { words.stop } }
            </button>
            if idle {
                <button type="button" class="button" onclick={repeat}>{ words.repeat }</button>
            }
        </div>
    }
}

/// The line above the stage: phase, whose trace, verdict.
fn head(lang: Lang, state: &State) -> Html {
    let words = Words::of(lang);
    let step = state.step();
    let at = if state.time > state.replay.step_time(step) { step } else { step.saturating_sub(1) };
    let phase = state.replay.steps.get(at).filter(|_| state.time > 0.0).map(|now| {
        let class = classes!("pill", format!("v-{}", now.phase.name()));
        let text = format!("{} {}/{}", now.phase.title(), now.round, now.rounds);
        html! { <span {class}>{ text }</span> }
    });
    let source = match &state.recorded {
        None if state.running != Running::No => {
            fill(words.running, &[("n", &state.scenario.ranks)])
        }
        None => words.simulated.to_string(),
        Some(_) => fill(words.recorded, &[("n", &state.scenario.ranks)]),
    };
    let verdict = state.recorded.as_ref().map(|recorded| {
        let (short, long) = faults::verdict(lang, &recorded.verdict);
        let tone = if recorded.verdict.passed() { "is-verified" } else { "is-attention" };
        html! { <span class={classes!("verdict", tone)} title={long}>{ short }</span> }
    });
    html! {
        <div class="stage-head">
            { for phase }
            <span class="source">{ source }</span>
            { for verdict }
        </div>
    }
}

/// The moment that is shown, in the clock's own unit.
fn time_text(state: &State) -> String {
    match state.clock {
        Clock::Rounds => String::new(),
        Clock::Measured | Clock::Modelled => units::time_us(state.time),
    }
}

/// Throughput, cost, verdict, log and code.
fn panels(
    lang: Lang,
    dark: bool,
    state: &UseReducerHandle<State>,
    on_seek: Callback<f64>,
    on_select: Callback<usize>,
) -> Html {
    let s = &state.scenario;
    let measured = state.recorded.as_ref().map(|recorded| Measured {
        // One run is timed from the first rank's begin to the last rank's end, as the track shows
        // it; many are averaged.
        time_us: recorded.mean_us().filter(|_| recorded.repeated()).unwrap_or(recorded.first_us),
        resolution_us: recorded.resolution_us,
    });
    let crowded = state.recorded.is_some() && s.ranks > cores();
    let crowded = crowded.then(|| {
        let counts: [(&str, &dyn Display); 2] = [("ranks", &s.ranks), ("cores", &cores())];
        fill(Words::of(lang).more_ranks_than_cores, &counts)
    });
    let (prepared, replay) = (state.prepared.clone(), state.replay.clone());
    let bytes = prepared.lengths.total() * prepared.run.reduction.dtype.size_bytes();
    let verdict = state.recorded.as_ref().map(|recorded| match s.verb {
        Verb::Barrier if recorded.verdict.passed() => Words::of(lang).barrier_held.to_string(),
        _ => faults::verdict(lang, &recorded.verdict).1,
    });
    html! {
        <>
            if let Some(progress) = &state.progress {
                <Throughput {lang} collective={prepared.schedule.collective} bytes={bytes as u64}
                    progress={progress.clone()} {dark} />
            }
            <CostStrip {lang} prepared={prepared.clone()} topology={s.topology} {measured} />
            <div class="section quiet notes">
                <p>
                    { Words::of(lang).links_source }{ " " }
                    <span lang="en">{ s.topology.source }</span>
                </p>
                if let Some(crowded) = crowded { <p>{ crowded }</p> }
            </div>
            if let Some(verdict) = verdict {
                <section class="section">
                    <h2>{ Words::of(lang).checked }</h2>
                    <p>{ verdict }</p>
                </section>
            }
            { result(lang, state) }
            <Log {lang} prepared={prepared.clone()} replay={replay.clone()} time={state.time}
                selected={s.selected} {on_seek} />
            <Code {lang} {prepared} {replay} time={state.time} selected={s.selected} {on_select} />
        </>
    }
}
