//! What the transport can be asked for, and which keys ask for it.

/// A wish of the reader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Play, or pause.
    PlayPause,
    /// One step back.
    Back,
    /// One step forward.
    Forward,
    /// To the beginning of this phase or the one before.
    PhaseBack,
    /// To the beginning of the next phase.
    PhaseForward,
    /// A fraction of a step back.
    FineBack,
    /// A fraction of a step forward.
    FineForward,
    /// To the beginning.
    Start,
    /// To the end.
    End,
    /// Play from the beginning.
    Restart,
    /// Play at this speed, relative to normal.
    Speed(f64),
    /// Repeat the steps from the first of these to the last, counted from 1; or none.
    Loop(Option<(usize, usize)>),
    /// Show the keys.
    Help,
    /// Play, or pause, unless that is so already.
    Play(bool),
    /// To the moment when so many steps are over, or to the end.
    Step(usize),
}

/// The action of a key by its name in a keyboard event.
pub fn action_of(key: &str, shift: bool) -> Option<Action> {
    Some(match (key, shift) {
        (" ", false) => Action::PlayPause,
        ("ArrowLeft", false) => Action::Back,
        ("ArrowRight", false) => Action::Forward,
        ("ArrowLeft", true) => Action::PhaseBack,
        ("ArrowRight", true) => Action::PhaseForward,
        (",", _) => Action::FineBack,
        (".", _) => Action::FineForward,
        ("Home", false) => Action::Start,
        ("End", false) => Action::End,
        ("r" | "R", _) => Action::Restart,
        ("?" | "？", _) => Action::Help,
        _ => return None,
    })
}

/// Elements that need every key for themselves: text, choices, dialogs.
#[cfg(target_arch = "wasm32")]
const TAKES_ALL: &str = "input, select, textarea, dialog, [contenteditable], [role=radiogroup], \
    [role=listbox], [role=menu], [role=tablist]";

/// Elements that Space presses.
#[cfg(target_arch = "wasm32")]
const TAKES_SPACE: &str = "button, summary, [role=button]";

/// The action a key press asks for. `None` with Ctrl, Alt or Meta, when somebody has handled the
/// event, and on elements that need the key themselves.
#[cfg(target_arch = "wasm32")]
pub fn key_action(event: &web_sys::KeyboardEvent) -> Option<Action> {
    use wasm_bindgen::JsCast;
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.default_prevented() {
        return None;
    }
    let action = action_of(&event.key(), event.shift_key())?;
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let inside = |selector: &str| {
        target.as_ref().is_some_and(|element| matches!(element.closest(selector), Ok(Some(_))))
    };
    let taken = inside(TAKES_ALL) || (action == Action::PlayPause && inside(TAKES_SPACE));
    (!taken).then_some(action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_ask_for_what_the_help_says() {
        assert_eq!(action_of(" ", false), Some(Action::PlayPause));
        assert_eq!(action_of("ArrowLeft", false), Some(Action::Back));
        assert_eq!(action_of("ArrowLeft", true), Some(Action::PhaseBack));
        assert_eq!(action_of("ArrowRight", true), Some(Action::PhaseForward));
        assert_eq!(action_of("?", true), Some(Action::Help));
        assert_eq!(action_of("R", true), Some(Action::Restart));
        assert_eq!(action_of(" ", true), None);
        assert_eq!(action_of("ArrowUp", false), None);
        assert_eq!(action_of("a", false), None);
    }
}
