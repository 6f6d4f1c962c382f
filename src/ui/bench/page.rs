//! The page: what is to be measured, what came of it, and what models say.

use super::choice::{Choice, MAX_CURVES};
use super::elsewhere::Elsewhere;
use super::files::{droppable, open_file};
use super::form::form;
use super::kernels::Ladder;
use super::measure::{BATCHES, sweep};
use super::results::results;
use super::state::{Msg, Progress, Remark, Show};
use crate::runtime::pool::Pool;
use crate::ui::app::status;
use crate::ui::browser::{fragment, use_fragment, use_written};
use crate::ui::embed::{embedded, use_told};
use crate::ui::messages::listed;
use crate::ui::root::{Open, put, take};
use crate::ui::scenario::{Page, Scenario, Theme, parse};
use crate::ui::text::bench::{BenchWords as Words, place, unreadable};
use crate::ui::text::chrome::Chrome;
use crate::ui::text::params::Params as ParamWords;
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::{Lang, faults, fill, notices, units};
use std::cell::RefCell;
use std::fmt::Display;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;
use yew::prelude::*;

/// In which language and theme.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The language.
    pub lang: Lang,
    /// Whether the dark theme is on.
    pub dark: bool,
}

thread_local! {
    static OPEN: Open<Bench> = const { RefCell::new(None) };
}

/// Shows the page in `host`, until [`close`].
pub fn show(host: Element, props: Props) {
    put(&OPEN, host, props);
}

/// Takes the page off its host, and ends its workers.
pub fn close() {
    take(&OPEN);
}

/// The bench.
#[component]
pub fn Bench(props: &Props) -> Html {
    let Props { lang, dark } = props.clone();
    let words = Words::of(lang);
    let show = use_reducer(|| Show::open(&fragment()));
    let pool = use_pool();
    use_address(&show, lang, dark);
    let on_choice = {
        let dispatcher = show.dispatcher();
        use_callback((), move |choice: Choice, ()| dispatcher.dispatch(Msg::Choose(choice)))
    };
    let running = show.progress.is_some();
    let (on_over, on_drop) = droppable(&show);
    html! {
        <div class="bench-page" ondragover={on_over} ondrop={on_drop}>
            <h1 class="page-title">{ words.title }</h1>
            <p class="lede">{ words.lede }</p>
            { remarks(lang, &show) }
            <section class="panel chapter" aria-label={words.what}>
                <h2 class="heading">{ words.what }</h2>
                { form(lang, &show.choice, running, &on_choice) }
                { plan(lang, &show, &pool) }
            </section>
            { results(lang, dark, &show) }
            { open_file(lang, &show) }
            <Elsewhere {lang} {dark} choice={show.choice.clone()} {on_choice} busy={running} />
            <Ladder {lang} {dark} busy={running} />
        </div>
    }
}

/// What will be measured, and the button that does so; while it runs, how far it is.
fn plan(lang: Lang, show: &UseReducerHandle<Show>, pool: &Pool) -> Html {
    let words = Words::of(lang);
    let (curves, left_out) = show.choice.curves();
    let sizes: Vec<u64> = show.choice.sizes().collect();
    let why = match curves.len() {
        0 => Some(words.nothing.to_string()),
        n if n > MAX_CURVES => Some(fill(words.too_many, &[("chosen", &n), ("most", &MAX_CURVES)])),
        _ => None,
    };
    let (n, all) = (curves.len(), curves.len() * sizes.len());
    let values: [(&str, &dyn Display); 4] =
        [("n", &n), ("sizes", &sizes.len()), ("all", &all), ("batches", &BATCHES)];
    let left = |left: &super::choice::LeftOut| {
        let why = left.refusal.as_ref().map(|refusal| notices::refusal(lang, refusal));
        let why = why.unwrap_or_else(|| ParamWords::of(lang).not_for_integers.to_string());
        let values: [(&str, &dyn Display); 2] =
            [("name", &whole_name(lang, &left.scenario)), ("why", &why)];
        html! { <p class="quiet small">{ fill(words.left_out, &values) }</p> }
    };
    let running = show.progress.is_some();
    let off = why.is_some() && !running;
    let onclick = {
        let (show, pool) = (show.clone(), pool.clone());
        Callback::from(move |_: MouseEvent| match running {
            true => pool.cancel(),
            false if off => {}
            false => start(&show, &pool, curves.clone(), sizes.clone()),
        })
    };
    html! {
        <>
            <p class="quiet">{ why.clone().unwrap_or_else(|| fill(words.plan, &values)) }</p>
            { for left_out.iter().map(left) }
            <div class="row bench-run">
                <button type="button" class={classes!("button", (!running).then_some("is-primary"))}
                    aria-disabled={off.then_some("true")} title={why} {onclick}>
                    { if running { words.cancel } else { words.run } }
                </button>
                if let Some(now) = &show.progress { { progress(lang, now) } }
                <span class="grow" />
                { status(Chrome::of(lang), &pool.status()) }
            </div>
        </>
    }
}

fn progress(lang: Lang, now: &Progress) -> Html {
    let words = Words::of(lang);
    let text = now.now.as_ref().map(|(scenario, bytes)| {
        let (name, size) = (whole_name(lang, scenario), units::bytes(*bytes));
        let values: [(&str, &dyn Display); 4] =
            [("done", &now.done), ("all", &now.all), ("name", &name), ("size", &size)];
        fill(words.progress, &values)
    });
    html! {
        <>
            <progress value={now.done.to_string()} max={now.all.to_string()}
                aria-label={words.title} />
            <span role="status">{ text.unwrap_or_default() }</span>
        </>
    }
}

/// A scenario by its verb, algorithm and ranks.
fn whole_name(lang: Lang, s: &Scenario) -> String {
    let (verb, algorithm) = (s.verb.title(), algorithm_name(lang, s.algorithm));
    let in_place = if s.in_place { format!(" · {}", place(lang, true)) } else { String::new() };
    format!("{verb} · {algorithm} · n = {} · {}{in_place}", s.ranks, s.dtype.name())
}

/// What was wrong.
fn remarks(lang: Lang, show: &UseReducerHandle<Show>) -> Html {
    let words = Words::of(lang);
    let say = |remark: &Remark| match remark {
        Remark::Address(notice) => notices::notice(lang, notice),
        Remark::Unmeasured(scenario, bytes, fault) => {
            let (name, size) = (whole_name(lang, scenario), units::bytes(*bytes));
            let why = faults::fault(lang, fault);
            let values: [(&str, &dyn Display); 3] =
                [("name", &name), ("size", &size), ("why", &why)];
            fill(words.unmeasured, &values)
        }
        Remark::Ended(fault) => faults::fault(lang, fault),
        Remark::File(name, why) => unreadable(lang, name, why),
    };
    let texts: Vec<String> = show.remarks.iter().map(say).collect();
    let (past, dispatcher) = (texts.len(), show.dispatcher());
    listed(lang, texts, past, Callback::from(move |at| dispatcher.dispatch(Msg::Dismiss(at))))
}

/// Measures everything.
fn start(show: &UseReducerHandle<Show>, pool: &Pool, curves: Vec<Scenario>, sizes: Vec<u64>) {
    let (told, ended, pool) = (show.dispatcher(), show.dispatcher(), pool.clone());
    spawn_local(async move {
        let result = sweep(&pool, curves, sizes, |msg| told.dispatch(msg)).await;
        ended.dispatch(Msg::Ended(result));
    });
}

/// Workers of this page, which end with it.
#[hook]
fn use_pool() -> Pool {
    let changes = use_force_update();
    let pool = use_memo((), move |()| Pool::new(move || changes.force_update()));
    let leaving = pool.clone();
    use_effect_with((), move |()| move || leaving.cancel());
    (*pool).clone()
}

/// Keeps the address and what is chosen the same.
#[hook]
fn use_address(show: &UseReducerHandle<Show>, lang: Lang, dark: bool) {
    let dispatcher = show.dispatcher();
    let on_change = use_callback((), move |fragment: String, ()| {
        let path = fragment.split('?').next().unwrap_or_default();
        if Page::named(path.trim_matches('/')) == Some(Page::Bench) {
            dispatcher.dispatch(Msg::Address(fragment));
        }
    });
    use_fragment(on_change);
    let theme = if dark { Theme::Dark } else { Theme::Light };
    // The reader's fields are those of every page.
    let reader = use_memo((), |()| parse(&fragment()).1);
    let reader = reader.shown_in(lang, theme).fields_of_reader();
    let fragment = show.choice.fragment(&reader);
    let guest = embedded().then(|| fragment.clone());
    use_written(Some(fragment));
    use_told(0, 0, false, guest);
}
