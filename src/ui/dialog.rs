//! A modal dialog: the browser keeps the focus inside while it is open, closes it on Escape, and
//! gives the focus back.

use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// Properties of [`Dialog`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Its heading.
    pub title: AttrValue,
    /// The name of the button that closes it.
    pub close: AttrValue,
    /// Whether it is shown.
    pub open: bool,
    /// The reader has closed it.
    pub on_close: Callback<()>,
    /// What it holds.
    pub children: Html,
}

/// A dialog with a heading.
#[component]
pub fn Dialog(props: &Props) -> Html {
    let dialog = use_node_ref();
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
    html! {
        <dialog class="dialog" ref={dialog} aria-labelledby="dialog-title" {onclose}>
            <div class="dialog-head">
                <h2 id="dialog-title">{ &props.title }</h2>
                <button type="button" class="icon-button" aria-label={&props.close}
                    title={&props.close} {onclick}>
                    <svg viewBox="0 0 16 16" aria-hidden="true">
                        <path d="M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z" />
                    </svg>
                </button>
            </div>
            { props.children.clone() }
        </dialog>
    }
}
