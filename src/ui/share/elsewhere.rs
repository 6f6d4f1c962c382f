//! The scenario for a cluster.

use super::offer::{Offer, Write};
use super::{Moment, file_name};
use crate::ui::export::nccl_tests::command;
use crate::ui::export::torch::{Backend, Way, script};
use crate::ui::text::share::{ShareWords, no_program};
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Elsewhere`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// What is shared.
    pub moment: Rc<Moment>,
}

/// A program for `torchrun` and a command for nccl-tests.
#[component]
pub fn Elsewhere(props: &Props) -> Html {
    let moment = &props.moment;
    let (lang, words) = (moment.lang, ShareWords::of(moment.lang));
    let backend = use_state_eq(|| Backend::Gloo);
    let way = use_state_eq(|| Way::Library);
    let write: Write = {
        let (moment, backend, way) = (moment.clone(), *backend, *way);
        use_callback((backend, way), move |(), &(backend, way)| {
            let Moment { lang, scenario, take, link, .. } = &*moment;
            let text = script(scenario, &take.prepared, link, backend, way);
            text.map_err(|why| no_program(*lang, &why))
        })
    };
    let measure: Write = {
        let moment = moment.clone();
        use_callback((), move |(), ()| {
            let Moment { lang, scenario, take, .. } = &*moment;
            let none = || ShareWords::of(*lang).no_nccl_test.to_string();
            command(scenario, &take.prepared).ok_or_else(none)
        })
    };
    html! {
        <section class="share-part">
            <h3>{ words.elsewhere }</h3>
            <div class="row share-choices">
                { choices(words.way, &way, [
                    (Way::Library, words.way_library), (Way::Schedule, words.way_schedule),
                ]) }
                { choices(words.backend, &backend, [
                    (Backend::Gloo, "gloo"), (Backend::Nccl, "NCCL"),
                ]) }
            </div>
            <Offer {lang} name={words.torch} note={words.torch_note} {write}
                file={(file_name(moment, "py"), "text/x-python")} />
            <Offer {lang} name={words.nccl_tests} note={words.nccl_tests_note} write={measure} />
        </section>
    }
}

/// Buttons of which one is pressed.
fn choices<T: Copy + PartialEq + 'static, const N: usize>(
    label: &'static str,
    state: &UseStateHandle<T>,
    options: [(T, &'static str); N],
) -> Html {
    let option = |(value, name): (T, &'static str)| {
        let state = state.clone();
        let pressed = (*state == value).to_string();
        let onclick = Callback::from(move |_: MouseEvent| state.set(value));
        html! {
            <button type="button" class="segment" aria-pressed={pressed} {onclick}>{ name }</button>
        }
    };
    html! {
        <span class="segmented" role="group" aria-label={label}>
            { for options.into_iter().map(option) }
        </span>
    }
}
