//! What was wrong, and what the reader should know about the numbers.

use super::state::{Msg, Player as State, Running};
use super::text::params::Params as Words;
use super::text::{Lang, faults, fill, notices, units};
use crate::engine::trace::Clock;
use crate::runtime::plan;
use yew::prelude::*;

/// What was wrong, with a way to put it aside.
pub fn messages(lang: Lang, state: &UseReducerHandle<State>) -> Html {
    let words = Words::of(lang);
    let fault = state.fault.as_ref().map(|fault| faults::fault(lang, fault));
    let mut texts: Vec<String> =
        state.notices.iter().map(|notice| notices::notice(lang, notice)).collect();
    texts.extend(fault);
    let past = texts.len();
    if let Some(tick_us) = state.too_coarse() {
        texts.push(fill(words.too_coarse, &[("tick", &units::time_us(tick_us))]));
    }
    let nothing = !state.is_recorded() && state.running == Running::No;
    if state.scenario.view.clock == Clock::Measured && nothing {
        let text = match plan::refusal(state.act.prepared.schedule.switches) {
            Some(fault) => faults::fault(lang, &fault),
            None => words.run_to_measure.to_string(),
        };
        texts.push(text);
    }
    let dispatcher = state.dispatcher();
    let on_dismiss = Callback::from(move |index| dispatcher.dispatch(Msg::Dismiss(index)));
    listed(lang, texts, past, on_dismiss)
}

/// These sentences. The first `past` of them can be put aside; what holds as long as the scenario
/// does cannot.
pub fn listed(lang: Lang, texts: Vec<String>, past: usize, on_dismiss: Callback<usize>) -> Html {
    let message = |(index, text): (usize, String)| {
        let onclick = on_dismiss.reform(move |_: MouseEvent| index);
        html! {
            <div class="notice is-attention" key={format!("{index}{text}")}>
                <p>{ text }</p>
                if index < past {
                    <button type="button" class="text-button" {onclick}>
                        { Words::of(lang).dismiss }
                    </button>
                }
            </div>
        }
    };
    html! { <div role="alert">{ for texts.into_iter().enumerate().map(message) }</div> }
}
