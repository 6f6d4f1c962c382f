//! The list of keys, as a modal dialog.

use crate::ui::text::Lang;
use crate::ui::text::track::TrackWords;
use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// What [`HelpDialog`] shows and reports.
#[derive(Clone, PartialEq, Properties)]
pub struct HelpProps {
    /// The language.
    pub lang: Lang,
    /// Whether it is shown.
    pub open: bool,
    /// The reader has closed it.
    pub on_close: Callback<()>,
}

/// The keys of the player. The browser keeps the focus inside while it is open, closes it on
/// Escape, and gives the focus back.
#[component]
pub fn HelpDialog(props: &HelpProps) -> Html {
    let dialog = use_node_ref();
    let words = TrackWords::of(props.lang);
    use_effect_with((dialog.clone(), props.open), |(dialog, open)| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            match (*open, dialog.open()) {
                // Refused only to a dialog that has left the page.
                (true, false) => drop(dialog.show_modal()),
                (false, true) => dialog.close(),
                _ => {}
            }
        }
    });
    let onclose = props.on_close.reform(|_: Event| ());
    let onclick = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    let rows: [(&[&str], &str); 7] = [
        (&["Space"], words.key_play),
        (&["←", "→"], words.key_step),
        (&["Shift ←", "Shift →"], words.key_phase),
        (&[",", "."], words.key_fine),
        (&["Home", "End"], words.key_ends),
        (&["R"], words.key_restart),
        (&["?"], words.key_help),
    ];
    let row = |(keys, meaning): (&[&str], &str)| {
        html! {
            <>
                <dt class="row">
                { for keys.iter().map(|key| html! { <kbd class="kbd">{ *key }</kbd> }) }
            </dt>
                <dd>{ meaning.to_string() }</dd>
            </>
        }
    };
    html! {
        <dialog class="dialog" ref={dialog} aria-labelledby="keys-title" {onclose}>
            <div class="dialog-head">
                <h2 id="keys-title">{ words.keys }</h2>
                <button type="button" class="icon-button" aria-label={words.close}
                    title={words.close} {onclick}>
                    <svg viewBox="0 0 16 16" aria-hidden="true">
                        <path d="M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z" />
                    </svg>
                </button>
            </div>
            <dl class="keys">{ for rows.into_iter().map(row) }</dl>
        </dialog>
    }
}
