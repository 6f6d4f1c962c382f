//! The pages beside the player and a panel of it, as a part of the app that is loaded when one of
//! them is opened.

fn main() {}

/// Shows a page in `host`, or changes which page and language are shown there; see
/// [`ringscope::ui::pages::show`]. What it does not know it leaves as it is. The theme, which
/// callers name last, is none of its business.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn show(host: web_sys::Element, page: &str, lang: &str) {
    use ringscope::ui::{pages, scenario::Page, text::Lang};
    if let (Some(page), Some(lang)) = (Page::named(page), Lang::parse(lang)) {
        pages::show(host, pages::Props { page, lang });
    }
}

/// Takes the page off its host; see [`ringscope::ui::pages::close`].
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn close() {
    ringscope::ui::pages::close();
}

/// Shows which algorithm is fastest from which size in `host`, for the scenario that the link
/// `question` names; see [`ringscope::ui::pages::show_contest`].
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn contest(host: web_sys::Element, question: &str, lang: &str) {
    use ringscope::ui::{pages, text::Lang};
    if let Some(lang) = Lang::parse(lang) {
        pages::show_contest(host, question, lang);
    }
}

/// Takes it off its host; see [`ringscope::ui::pages::close_contest`].
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn close_contest() {
    ringscope::ui::pages::close_contest();
}
