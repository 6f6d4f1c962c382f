//! The player: verb picker, parameters, stage, track, and what it all means.

use super::badge;
use super::browser::{reduced_motion, reveal, use_frames, use_narrow, use_written};
use super::embed::{embedded, open_link, shows, use_host, use_told};
use super::inspector::Sentence;
use super::messages::messages;
use super::panels::panels;
use super::params::{Edit, Params, summary};
use super::picker::VerbPicker;
use super::run::{is_refused, run_buttons, start};
use super::scenario::{Notice, Scenario, Theme};
use super::shared::Shared;
use super::sharing::{droppable, open, share};
use super::sheet::{Sheet, use_sheet};
use super::stage::{Stage, StageTable};
use super::state::{Msg, Player as State, Running};
use super::text::chrome::Chrome;
use super::text::params::{Params as Words, recorded};
use super::text::{Lang, fill, verbs};
use super::timeline::{MessageTable, Timeline, legend};
use super::transport::{Action, TransportProps, help, key_action, transport};
use crate::engine::collective::Verb;
use crate::runtime::pool::Pool;
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
    let (keys, share_place) = (use_state(|| false), use_node_ref());
    let framed = embedded();
    // In a frame there is no sheet: what was asked for is shown.
    let narrow = use_narrow() && !framed;
    use_opened(&state, opened);
    use_animation(&state);
    let theme = if *dark { Theme::Dark } else { Theme::Light };
    let playing = state.head.playing;
    let fragment = (framed || !playing).then(|| state.scenario.shown_in(lang, theme).fragment());
    // While time goes on by itself the URL stays as it was.
    use_written(fragment.clone().filter(|_| !playing));
    let guest = fragment.filter(|_| framed);
    use_told(state.step(), state.score.steps(), playing, guest.clone());
    let on_wish = {
        let dispatcher = state.dispatcher();
        use_callback((), move |action, ()| dispatcher.dispatch(Msg::Transport(action)))
    };
    use_host(on_wish, &pool.0);

    let start = {
        let (state, pool) = (state.clone(), pool.0.clone());
        Callback::from(move |repeating: bool| start(&state, &pool, repeating))
    };
    let on_action = {
        let (state, keys, start) = (state.clone(), keys.clone(), start.clone());
        Callback::from(move |action: Action| match action {
            Action::Help => keys.set(true),
            action => {
                let starts = action == Action::PlayPause && !state.head.playing;
                if starts && !state.is_recorded() && state.running == Running::No {
                    start.emit(false);
                }
                state.dispatch(Msg::Transport(action));
            }
        })
    };
    let sheet = use_sheet();
    let onkeydown = {
        let (on_action, on_escape) = (on_action.clone(), sheet.onkeydown.clone());
        Callback::from(move |event: KeyboardEvent| {
            on_escape.emit(event.clone());
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
    // So does the link, which says all numbers.
    let compare = use_memo((lang, state.take.prepared.clone()), |_| {
        let href = format!("#{}", state.scenario.compare_fragment());
        html! { <a class="text-button" {href}>{ Chrome::of(lang).compare_with }</a> }
    });
    use_effect_with((lang, state.scenario.verb, narrow), |_| reveal(".verb[aria-pressed=true]"));
    // These reach every card, so they stay the same from frame to frame.
    let on_select = {
        let dispatcher = state.dispatcher();
        use_callback((), move |rank, ()| dispatcher.dispatch(Msg::Select(rank)))
    };
    let on_seek = {
        let dispatcher = state.dispatcher();
        use_callback((), move |time, ()| dispatcher.dispatch(Msg::Seek(time)))
    };
    let close_keys = {
        let keys = keys.clone();
        Callback::from(move |()| keys.set(false))
    };
    let on_share = {
        let (state, place) = (state.clone(), share_place.clone());
        Callback::from(move |_: MouseEvent| share(&state, &place, lang, theme))
    };
    let (ondragover, ondrop) = {
        let state = state.clone();
        droppable(Callback::from(move |file| open(&state, file, lang)))
    };
    let (s, words) = (&state.scenario, Chrome::of(lang));
    let bar = TransportProps {
        lang,
        score: &state.score,
        head: state.head,
        clock: state.clock,
        view: s.view,
        on_action,
        children: match guest {
            Some(fragment) => open_link(lang, &fragment),
            None => sheet_toggle(&sheet, "button sheet-toggle", words.details.into()),
        },
    };
    let scenario = html! {
        <div class="scenario">
            <Params {lang} scenario={s.clone()} {on_edit} />
            <p class="meaning">{ verbs::meaning(s.verb).of(lang) }</p>
            { (*compare).clone() }
            { run_buttons(lang, &state, &start, &pool.0, on_share) }
        </div>
    };
    html! {
        <main id="content" class="page" {ondragover} {ondrop}>
            // On a phone one line says what is chosen, and the sheet holds the choices.
            if shows("controls") {
                <VerbPicker {lang} chosen={s.verb} {on_verb} />
                if narrow {
                    { sheet_toggle(&sheet, "summary", summary(lang, s)) }
                } else {
                    { scenario.clone() }
                }
            }
            { messages(lang, &state) }
            <div class={classes!("player", playing.then_some("is-playing"))} {onkeydown}
                onfocusout={sheet.onfocusout}>
                <section class="panel stage-panel" aria-label={s.verb.title()}>
                    <div class="play-area">
                        { head(lang, &state) }
                        <Stage {lang} prepared={state.take.prepared.clone()}
                            replay={state.act.replay.clone()} time={state.head.time}
                            selected={s.view.selected} on_select={on_select.clone()} />
                        <Timeline {lang} acts={vec![state.act.clone()]}
                            score={state.score.clone()} time={state.head.time} clock={state.clock}
                            looped={s.view.looped} selected={s.view.selected}
                            playing={state.head.playing}
                            on_seek={on_seek.clone()} on_select={on_select.clone()} />
                        { transport(&bar) }
                    </div>
                    if shows("tables") {
                        <div class="tables">
                            { legend(lang) }
                            <MessageTable {lang} clock={state.clock}
                                prepared={state.take.prepared.clone()}
                                replay={state.act.replay.clone()} />
                            <StageTable {lang} prepared={state.take.prepared.clone()}
                                replay={state.act.replay.clone()} time={state.head.time} />
                        </div>
                    }
                </section>
                <aside class="panel side">
                    <Sentence {lang} prepared={state.take.prepared.clone()}
                        replay={state.act.replay.clone()} time={state.head.time}
                        live={!state.head.playing} />
                    <div class={classes!("sheet", sheet.open.then_some("is-open"))} id="sheet"
                        tabindex="-1" role="group" aria-label={words.details} ref={sheet.place}>
                        <button type="button" class="icon-button sheet-close"
                            aria-label={words.close} onclick={sheet.toggle}>{ "×" }</button>
                        if narrow { { scenario } }
                        { panels(lang, *dark, &state, on_seek, on_select) }
                    </div>
                </aside>
            </div>
            { help(lang, *keys, close_keys) }
            <div ref={share_place} />
        </main>
    }
}

/// A button that opens and closes the sheet.
fn sheet_toggle(sheet: &Sheet, class: &'static str, content: Html) -> Html {
    html! {
        <button type="button" {class} aria-expanded={sheet.open.to_string()} aria-controls="sheet"
            onclick={sheet.toggle.clone()}>{ content }</button>
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
    use_frames(state.head.playing, on_frame);
}

/// The line above the stage: phase, whose trace, verdict.
fn head(lang: Lang, state: &State) -> Html {
    let words = Words::of(lang);
    let source = match &state.take.recorded {
        None if state.running != Running::No => {
            fill(words.running, &[("n", &state.scenario.ranks)])
        }
        None if is_refused(state) => words.modelled_only.to_string(),
        None => words.simulated.to_string(),
        Some(run) => recorded(lang, run, state.take.origin.as_deref()),
    };
    html! {
        <div class="stage-head">
            { badge::phase(&state.act, state.head.time) }
            <span class="source">{ source }</span>
            { for state.take.recorded.as_ref().map(|recorded| badge::verdict(lang, recorded)) }
        </div>
    }
}
