//! What was wrong, and what the reader should know about the numbers.

use super::state::{Msg, Player as State};
use super::text::params::Params as Words;
use super::text::{Lang, faults, fill, notices, units};
use crate::engine::trace::Clock;
use yew::prelude::*;

/// What was wrong, with a way to put it aside.
pub fn messages(lang: Lang, state: &UseReducerHandle<State>) -> Html {
    let words = Words::of(lang);
    let dismiss = |index: usize| {
        let state = state.clone();
        Callback::from(move |_: MouseEvent| state.dispatch(Msg::Dismiss(index)))
    };
    // What holds as long as the scenario does cannot be put aside.
    let past = state.notices.len() + usize::from(state.fault.is_some());
    let message = |(index, text): (usize, String)| {
        html! {
            <div class="notice is-attention" key={format!("{index}{text}")}>
                <p>{ text }</p>
                if index < past {
                    <button type="button" class="text-button" onclick={dismiss(index)}>
                        { words.dismiss }
                    </button>
                }
            </div>
        }
    };
    let fault = state.fault.as_ref().map(|fault| faults::fault(lang, fault));
    let mut texts: Vec<String> =
        state.notices.iter().map(|notice| notices::notice(lang, notice)).collect();
    texts.extend(fault);
    if let Some(tick_us) = state.too_coarse() {
        texts.push(fill(words.too_coarse, &[("tick", &units::time_us(tick_us))]));
    }
    if state.scenario.clock == Clock::Measured && !state.is_recorded() {
        texts.push(words.run_to_measure.to_string());
    }
    html! { <div role="alert">{ for texts.into_iter().enumerate().map(message) }</div> }
}
