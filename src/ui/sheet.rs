//! The pull-up sheet of a phone: what a desktop shows beside the stage.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// The sheet, closed at first.
pub struct Sheet {
    /// Whether it is open.
    pub open: bool,
    /// The sheet itself; it has the focus when it has just been opened.
    pub place: NodeRef,
    /// Opens it, or closes it and gives the focus back to what opened it.
    pub toggle: Callback<MouseEvent>,
    /// Closes it on Escape. This and the next are for an element that holds all that is at hand
    /// while the sheet is open.
    pub onkeydown: Callback<KeyboardEvent>,
    /// Closes it when the focus moves to something that it covers.
    pub onfocusout: Callback<FocusEvent>,
}

/// A sheet of its own.
#[hook]
pub fn use_sheet() -> Sheet {
    let open = use_state_eq(|| false);
    let place = use_node_ref();
    let opener = use_mut_ref(|| None::<HtmlElement>);
    use_effect_with((*open, place.clone()), |(open, place)| {
        if let Some(sheet) = place.cast::<HtmlElement>().filter(|_| *open) {
            // What cannot take the focus leaves it where it is.
            let _ = sheet.focus();
        }
    });
    let close = {
        let (open, opener) = (open.clone(), opener.clone());
        move || {
            open.set(false);
            if let Some(opener) = opener.take() {
                let _ = opener.focus();
            }
        }
    };
    let toggle = {
        let (open, close) = (open.clone(), close.clone());
        Callback::from(move |event: MouseEvent| {
            if *open {
                return close();
            }
            // The target may be a part of the button.
            let target = event.target_dyn_into::<Element>();
            let button = target.and_then(|target| target.closest("button").ok()?);
            *opener.borrow_mut() = button.and_then(|button| button.dyn_into().ok());
            open.set(true);
        })
    };
    let onkeydown = {
        let open = open.clone();
        Callback::from(move |event: KeyboardEvent| {
            if *open && event.key() == "Escape" && !event.default_prevented() {
                event.prevent_default();
                close();
            }
        })
    };
    let onfocusout = {
        let open = open.clone();
        Callback::from(move |event: FocusEvent| {
            let next = event.related_target().and_then(|next| next.dyn_into::<Element>().ok());
            let covered =
                |next: &Element| matches!(next.closest(".sheet, .transport, dialog"), Ok(None));
            if next.as_ref().is_some_and(covered) {
                open.set(false);
            }
        })
    };
    Sheet { open: *open, place, toggle, onkeydown, onfocusout }
}
