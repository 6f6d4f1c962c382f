//! Pages with two stages over one clock, as a part of the app that is loaded when one of them is
//! opened.

fn main() {}

/// Shows a page in `host`, or changes which page, language and theme are shown there; see
/// [`ringscope::ui::duet::show`]. What it does not know it leaves as it is.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn show(host: web_sys::Element, page: &str, lang: &str, dark: bool) {
    use ringscope::ui::{duet, scenario::Page, text::Lang};
    if let (Some(page), Some(lang)) = (Page::named(page), Lang::parse(lang)) {
        duet::show(host, duet::Props { page, lang, dark });
    }
}

/// Takes the page off its host; see [`ringscope::ui::duet::close`].
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn close() {
    ringscope::ui::duet::close();
}
