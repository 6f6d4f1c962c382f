//! Running what is shown on workers.

use super::state::{Msg, Player as State, Running};
use super::text::Lang;
use super::text::chrome::Chrome;
use super::text::params::Params as Words;
use crate::runtime::outcome::{RunFault, RunResult};
use crate::runtime::plan;
use crate::runtime::pool::Pool;
use crate::runtime::protocol::Repeat;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// Whether no worker can run it: it is modelled only.
pub fn is_refused(state: &State) -> bool {
    plan::refusal(state.take.prepared.schedule.switches).is_some()
}

/// Starts the scenario on workers, once or over and over, if they can run it.
pub fn start(state: &UseReducerHandle<State>, pool: &Pool, repeating: bool) {
    if is_refused(state) {
        return;
    }
    let prepared = state.take.prepared.clone();
    let plan = prepared.plan();
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

/// Run or stop, and repeat. Both stay the same elements, so that the one that is pressed keeps the
/// focus.
pub fn run_buttons(
    lang: Lang,
    state: &UseReducerHandle<State>,
    start: &Callback<bool>,
    pool: &Pool,
    on_share: Callback<MouseEvent>,
) -> Html {
    let words = Words::of(lang);
    let idle = state.running == Running::No;
    // A disabled button would not say why; this one only stops acting.
    let why = is_refused(state).then_some(words.modelled_only);
    let off = why.map(|_| "true");
    let repeat = {
        let start = start.clone();
        Callback::from(move |_: MouseEvent| {
            if idle {
                start.emit(true);
            }
        })
    };
    let run_or_stop = {
        let (start, pool, running) = (start.clone(), pool.clone(), state.running.clone());
        let dispatcher = state.dispatcher();
        Callback::from(move |_: MouseEvent| match running {
            Running::No => start.emit(false),
            Running::Repeating => {
                dispatcher.dispatch(Msg::Stopping);
                pool.stop();
            }
            // Whoever does not want to wait for the check gives it up.
            Running::Once | Running::Stopping => pool.cancel(),
        })
    };
    html! {
        <div class="params-end">
            <button type="button" class={classes!("button", idle.then_some("is-primary"))}
                onclick={run_or_stop} title={why} aria-disabled={off}>
                { match state.running {
                    Running::No => words.run,
                    Running::Once | Running::Repeating => words.stop,
                    Running::Stopping => words.stopping,
                } }
            </button>
            <button type="button" class="button" onclick={repeat} title={why}
                aria-disabled={off.or((!idle).then_some("true"))}>
                { words.repeat }
            </button>
            <button type="button" class="button" onclick={on_share}>
                { Chrome::of(lang).share }
            </button>
        </div>
    }
}
