//! What stands above the stages: what this is about, which experiment, and its parameters.

use super::link::{REVERSIBLE, Topic};
use super::state::{Msg, Show};
use crate::engine::collective::Verb;
use crate::engine::reduce::plain::numbers;
use crate::ui::browser::use_narrow;
use crate::ui::params::{Edit, Params, summary};
use crate::ui::text::duet::DuetWords as Words;
use crate::ui::text::params::{Params as ParamWords, op_name};
use crate::ui::text::{Lang, fill, units};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The title, and what the reader looks at.
pub fn heading(lang: Lang, show: &Show) -> Html {
    let words = Words::of(lang);
    let (title, lede) = match show.link.topic {
        Topic::Halves => (words.halves_title, words.halves_lede.to_string()),
        Topic::Reversal { .. } => (words.reverse_title, words.reverse_lede.to_string()),
        Topic::Neutral => (words.neutral_title, fill_neutral(lang, words, show)),
        Topic::Pair(_) => (words.compare_title, words.compare_lede.to_string()),
    };
    html! {
        <>
            <h1 class="page-title">{ title }</h1>
            <p class="lede">{ lede }</p>
        </>
    }
}

fn fill_neutral(lang: Lang, words: &Words, show: &Show) -> String {
    let s = &show.link.scenario;
    let element = s.op.neutral(s.dtype).map(|element| numbers(s.dtype, &element.bytes(s.dtype)));
    let element = element.and_then(|elements| elements.first().copied().map(units::number));
    let op = op_name(lang, s.op);
    fill(words.neutral_lede, &[("element", &element.unwrap_or_default()), ("op", &op)])
}

/// Which experiment with the equation.
pub fn experiments(lang: Lang, show: &Show, on_choose: &Callback<(Topic, Verb)>) -> Html {
    let words = Words::of(lang);
    let verb = match show.link.topic {
        Topic::Reversal { .. } => show.link.scenario.verb,
        _ => Verb::AllGather,
    };
    let topics = [
        (words.halves, Topic::Halves, Verb::AllReduce),
        (words.reverse, Topic::Reversal { turned: false }, verb),
        (words.neutral, Topic::Neutral, Verb::AllReduce),
    ];
    let chosen = std::mem::discriminant(&show.link.topic);
    let option = |(name, topic, verb): (&'static str, Topic, Verb)| {
        let pressed = (std::mem::discriminant(&topic) == chosen).to_string();
        let onclick = on_choose.reform(move |_: MouseEvent| (topic.clone(), verb));
        html! {
            <button type="button" class="segment" aria-pressed={pressed} {onclick}>{ name }</button>
        }
    };
    html! {
        <div class="segmented" role="group" aria-label={words.experiments}>
            { for topics.into_iter().map(option) }
        </div>
    }
}

/// Which schedule is turned round, and the button that does it.
pub fn reversal(lang: Lang, show: &Show, on_choose: &Callback<(Topic, Verb)>) -> Html {
    let Topic::Reversal { turned } = show.link.topic else { return Html::default() };
    let words = Words::of(lang);
    let chosen = show.link.scenario.verb;
    let choose = on_choose.reform(move |verb: Verb| (Topic::Reversal { turned }, verb));
    let turn = on_choose.reform(move |_: MouseEvent| (Topic::Reversal { turned: !turned }, chosen));
    html! {
        <>
            { verb_word(words.of, &REVERSIBLE, chosen, choose) }
            <button type="button" class="button" aria-pressed={turned.to_string()} onclick={turn}>
                { "⇄ " }{ if turned { words.turn_back } else { words.turn } }
            </button>
        </>
    }
}

/// A verb as a word that is a choice.
pub fn verb_word(
    label: &'static str,
    verbs: &'static [Verb],
    chosen: Verb,
    on_verb: Callback<Verb>,
) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
        let verb = verbs.iter().find(|verb| value.as_deref() == Some(verb.name()));
        if let Some(&verb) = verb {
            on_verb.emit(verb);
        }
    });
    let option = |verb: &Verb| {
        html! {
            <option value={verb.name()} selected={*verb == chosen}>{ verb.title() }</option>
        }
    };
    html! {
        <label class="param">
            <span>{ label }</span>
            <select class="param-word" {onchange}>{ for verbs.iter().map(option) }</select>
        </label>
    }
}

/// Properties of [`Choices`].
#[derive(Properties, PartialEq)]
pub struct ChoicesProps {
    /// Language of the words.
    pub lang: Lang,
    /// Which side the choices are for.
    pub side: usize,
    /// What is chosen.
    pub scenario: crate::ui::scenario::Scenario,
    /// Whether the verb is a choice as well.
    pub any_verb: bool,
    /// Called with every change.
    pub on_edit: Callback<(usize, Edit)>,
}

/// The parameters of a side; on a phone they are folded into a line that says what is chosen.
#[component]
pub fn Choices(props: &ChoicesProps) -> Html {
    let ChoicesProps { lang, side, scenario, any_verb, on_edit } = props;
    let narrow = use_narrow();
    let on_edit = {
        let side = *side;
        use_callback(on_edit.clone(), move |edit: Edit, on_edit| on_edit.emit((side, edit)))
    };
    let on_verb = on_edit.reform(|verb: Verb| Edit::Field("verb", verb.name().to_string()));
    let choices = html! {
        <>
            if *any_verb {
                { verb_word(ParamWords::of(*lang).verb, &Verb::ALL, scenario.verb, on_verb) }
            }
            <Params lang={*lang} scenario={scenario.clone()} {on_edit} />
        </>
    };
    html! {
        if narrow {
            <details class="choices">
                <summary aria-label={Words::of(*lang).parameters}>
                    <span class="summary">
                        if *any_verb { <b>{ scenario.verb.title() }</b> }
                        { summary(*lang, scenario) }
                    </span>
                </summary>
                { choices }
            </details>
        } else {
            <div class="choices">{ choices }</div>
        }
    }
}

/// Sets workers to work.
pub fn run_button(lang: Lang, running: bool, start: &Callback<()>, stop: &Callback<()>) -> Html {
    let words = ParamWords::of(lang);
    let onclick = if running { stop } else { start }.reform(|_: MouseEvent| ());
    let class = classes!("button", (!running).then_some("is-primary"));
    html! {
        <div class="params-end">
            <button type="button" {class} {onclick}>
                { if running { words.stop } else { words.run } }
            </button>
        </div>
    }
}

/// A notice's dismissal and edits as messages.
pub fn messages(show: &UseReducerHandle<Show>) -> (Callback<usize>, Callback<(Topic, Verb)>) {
    let (dismiss, choose) = (show.dispatcher(), show.dispatcher());
    let on_dismiss = Callback::from(move |index| dismiss.dispatch(Msg::Dismiss(index)));
    let on_choose = Callback::from(move |(topic, verb)| choose.dispatch(Msg::Choose(topic, verb)));
    (on_dismiss, on_choose)
}
