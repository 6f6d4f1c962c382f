//! The page: what it is about, both sides over one clock, and what they cost.

use super::blocks::Blocks;
use super::head::{Choices, experiments, heading, messages, reversal, run_button};
use super::link::Topic;
use super::measure::Measure;
use super::pane::Pane;
use super::panels::{bill, compared, proof};
use super::record::record;
use super::state::{Msg, Show};
use super::zero::Zero;
use crate::engine::trace::Clock;
use crate::runtime::pool::Pool;
use crate::ui::app::status;
use crate::ui::browser::{fragment, reduced_motion, use_fragment, use_frames, use_written};
use crate::ui::embed::{embedded, open_link, shows, use_host, use_told};
use crate::ui::messages::listed;
use crate::ui::params::Edit;
use crate::ui::player::PoolHandle;
use crate::ui::root::{Open, put, take};
use crate::ui::scenario::{Page, Theme};
use crate::ui::text::chrome::Chrome;
use crate::ui::text::duet::DuetWords as Words;
use crate::ui::text::params::Params as ParamWords;
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::{Lang, faults, fill, notices};
use crate::ui::timeline::legend;
use crate::ui::transport::{Action, TransportProps, help, key_action, transport};
use std::cell::RefCell;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;
use yew::prelude::*;

/// Which page, in which language and theme.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The page.
    pub page: Page,
    /// The language.
    pub lang: Lang,
    /// Whether the dark theme is on.
    pub dark: bool,
}

thread_local! {
    static OPEN: Open<Root> = const { RefCell::new(None) };
}

/// Shows a page in `host`, until [`close`].
pub fn show(host: Element, props: Props) {
    put(&OPEN, host, props);
}

/// Takes the page off its host, and ends its workers.
pub fn close() {
    take(&OPEN);
}

/// The page that is open; another one starts afresh.
#[component]
fn Root(props: &Props) -> Html {
    let Props { page, lang, dark } = props.clone();
    html! { <Duet key={page.name()} {page} {lang} {dark} /> }
}

#[component]
fn Duet(props: &Props) -> Html {
    let Props { page, lang, dark } = props.clone();
    let show = use_reducer(|| Show::open(page, &fragment()));
    let pool = use_pool();
    let keys = use_state(|| false);
    let guest = use_address(&show, page, lang, dark);
    use_animation(&show);
    let start = {
        let (show, pool) = (show.clone(), pool.clone());
        Callback::from(move |()| start(&show, &pool))
    };
    let stop = {
        let pool = pool.clone();
        Callback::from(move |()| pool.cancel())
    };
    let on_action = {
        let (show, keys, start) = (show.clone(), keys.clone(), start.clone());
        Callback::from(move |action: Action| match action {
            Action::Help => keys.set(true),
            action => {
                let starts = action == Action::PlayPause && !show.head.playing;
                if starts && !show.running && !show.is_recorded() {
                    start.emit(());
                }
                show.dispatch(Msg::Transport(action));
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
    let on_edit = {
        let dispatcher = show.dispatcher();
        use_callback((), move |(side, edit): (usize, Edit), ()| {
            dispatcher.dispatch(Msg::Edit(side, edit));
        })
    };
    let on_wish = {
        let dispatcher = show.dispatcher();
        use_callback((), move |action, ()| dispatcher.dispatch(Msg::Transport(action)))
    };
    use_host(on_wish, &pool);
    let close_keys = {
        let keys = keys.clone();
        Callback::from(move |()| keys.set(false))
    };
    let (on_dismiss, on_choose) = messages(&show);
    let s = &show.link.scenario;
    let bar = TransportProps {
        lang,
        score: &show.score,
        head: show.head,
        clock: show.clock,
        view: s.view,
        on_action,
        children: guest.map(|fragment| open_link(lang, &fragment)).unwrap_or_default(),
    };
    let pair = page == Page::Compare;
    let choices = |side: usize| {
        html! {
            <Choices {lang} {side} scenario={show.scenario(side)} any_verb={pair}
                on_edit={on_edit.clone()} />
        }
    };
    html! {
        <div class="duet-page">
            if shows("controls") {
                { heading(lang, &show) }
                <div class="scenario">
                    if !pair {
                        { experiments(lang, &show, &on_choose) }
                        { reversal(lang, &show, &on_choose) }
                    }
                    { status(Chrome::of(lang), &pool.status()) }
                    { run_button(lang, show.running, &start, &stop) }
                    if !pair { { choices(0) } }
                </div>
            }
            { listed(lang, remarks(lang, &show), dismissible(&show), on_dismiss) }
            <div class={classes!("panel", "duet", show.head.playing.then_some("is-playing"))}
                {onkeydown}>
                { panes(lang, &show, pair, &choices) }
                { compared(lang, &show) }
                { proof(lang, &show) }
                { transport(&bar) }
            </div>
            if shows("tables") { { legend(lang) } }
            if shows("cost") {
                { bill(lang, &show) }
                { consequences(lang, &show, &pool) }
            }
            { help(lang, *keys, close_keys) }
        </div>
    }
}

/// What follows from the equation, below it.
fn consequences(lang: Lang, show: &UseReducerHandle<Show>, pool: &Pool) -> Html {
    if show.link.topic != Topic::Halves {
        return Html::default();
    }
    let dispatcher = show.dispatcher();
    let on_busy = Callback::from(move |ended: Option<_>| {
        dispatcher.dispatch(ended.map_or(Msg::Started, Msg::Stopped));
    });
    let scenario = &show.link.scenario;
    html! {
        <>
            <Measure {lang} scenario={scenario.clone()} pool={PoolHandle(pool.clone())}
                busy={show.running} {on_busy} />
            <Zero {lang} scenario={scenario.clone()} />
            <Blocks {lang} />
        </>
    }
}

/// Both sides.
fn panes(
    lang: Lang,
    show: &UseReducerHandle<Show>,
    pair: bool,
    choices: &impl Fn(usize) -> Html,
) -> Html {
    let (seek, select) = (show.dispatcher(), show.dispatcher());
    let on_seek = Callback::from(move |time| seek.dispatch(Msg::Seek(time)));
    let on_select = Callback::from(move |rank| select.dispatch(Msg::Select(rank)));
    let pane = |(side, acts): (usize, &Vec<_>)| {
        html! {
            <Pane key={side} {lang} title={title(lang, show, side)} side={show.sides[side].clone()}
                acts={acts.clone()} score={show.score.clone()} clock={show.clock}
                time={show.head.time} playing={show.head.playing} running={show.running}
                looped={show.link.scenario.view.looped} selected={show.link.scenario.view.selected}
                on_seek={on_seek.clone()} on_select={on_select.clone()}>
                if pair && shows("controls") { { choices(side) } }
            </Pane>
        }
    };
    html! { <div class="panes">{ for show.acts.iter().enumerate().map(pane) }</div> }
}

/// What a side is called.
pub fn title(lang: Lang, show: &Show, side: usize) -> String {
    let words = Words::of(lang);
    let verbs = show.sides[side].takes.iter();
    let verbs: Vec<_> = verbs.map(|take| take.prepared.schedule.collective.verb.title()).collect();
    let calls = match verbs[..] {
        [first, second] => fill(words.then, &[("first", &first), ("second", &second)]),
        _ => verbs.join(" "),
    };
    match &show.link.topic {
        Topic::Pair(pair) => {
            let letter = [words.side_a, words.side_b][side];
            format!("{letter} · {calls} · {}", algorithm_name(lang, pair[side].algorithm))
        }
        _ => calls,
    }
}

/// What was wrong, and what the reader should know about the clock.
fn remarks(lang: Lang, show: &Show) -> Vec<String> {
    let words = Words::of(lang);
    let remark = |(side, notice): &super::link::Remark| {
        let notice = notices::notice(lang, notice);
        match side {
            None => notice,
            Some(side) => {
                let side = [words.side_a, words.side_b][*side];
                fill(words.remark, &[("side", &side), ("notice", &notice)])
            }
        }
    };
    let mut texts: Vec<String> = show.remarks.iter().map(remark).collect();
    texts.extend(show.fault.as_ref().map(|fault| faults::fault(lang, fault)));
    if show.link.scenario.view.clock == Clock::Measured && !show.is_recorded() {
        texts.push(ParamWords::of(lang).run_to_measure.to_string());
    }
    texts
}

fn dismissible(show: &Show) -> usize {
    show.remarks.len() + usize::from(show.fault.is_some())
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

/// Keeps the address and what is shown the same. While time goes on by itself the address stays. In
/// a frame, the page around is told, and this is the fragment that leads here.
#[hook]
fn use_address(
    show: &UseReducerHandle<Show>,
    page: Page,
    lang: Lang,
    dark: bool,
) -> Option<String> {
    let dispatcher = show.dispatcher();
    let on_change = use_callback(page, move |fragment: String, page| {
        let path = fragment.split('?').next().unwrap_or_default();
        if Page::named(path.trim_matches('/')) == Some(*page) {
            dispatcher.dispatch(Msg::Open(fragment));
        }
    });
    use_fragment(on_change);
    let theme = if dark { Theme::Dark } else { Theme::Light };
    let (framed, playing) = (embedded(), show.head.playing);
    let fragment = (framed || !playing).then(|| {
        let scenario = show.link.scenario.shown_in(lang, theme);
        super::link::Link { scenario, ..show.link.clone() }.fragment()
    });
    use_written(fragment.clone().filter(|_| !playing));
    let guest = fragment.filter(|_| framed);
    use_told(show.step(), show.score.steps(), playing, guest.clone());
    guest
}

/// Lets time go on while playing.
#[hook]
fn use_animation(show: &UseReducerHandle<Show>) {
    let dispatcher = show.dispatcher();
    let on_frame = use_callback((), move |elapsed_ms: f64, ()| {
        dispatcher.dispatch(Msg::Tick { elapsed_ms, whole_steps: reduced_motion() });
    });
    use_frames(show.head.playing, on_frame);
}

/// Runs both sides on workers.
fn start(show: &UseReducerHandle<Show>, pool: &Pool) {
    let (of, dispatcher, pool) = (show.sides.clone(), show.dispatcher(), pool.clone());
    dispatcher.dispatch(Msg::Started);
    spawn_local(async move {
        let result = record(&pool, of.clone()).await;
        dispatcher.dispatch(Msg::Ended(of, Box::new(result)));
    });
}
