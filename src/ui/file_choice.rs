//! A way to choose a file.

use web_sys::{Event, File, HtmlInputElement};
use yew::prelude::*;

/// A line about what can be opened, and `word` as a button that lets the reader choose it. The
/// browser's own button would speak the browser's language; here it is there, but not seen.
pub fn file_choice(
    name: &'static str,
    note: &'static str,
    word: &'static str,
    on_file: Callback<File>,
) -> Html {
    let onchange = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                on_file.emit(file);
            }
            // The same file can be chosen again.
            input.set_value("");
        }
    });
    html! {
        <label class="offer">
            <span class="offer-name">{ name }<span class="kind">{ note }</span></span>
            <input type="file" class="sr-only" accept=".json,application/json" {onchange} />
            <span class="button">{ word }</span>
        </label>
    }
}
