//! The bench, as a part of the app that is loaded when its page is opened or a script asks for it.

fn main() {}

/// Measures collectives on workers of its own, for scripts:
/// `await (await ringscopePart("bench")).measure({ links: ["allreduce?n=4&size=16MiB"] })`; see
/// [`measure_for_scripts`](ringscope::ui::bench::measure_for_scripts).
///
/// # Errors
/// A sentence, if that cannot be measured.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub async fn measure(
    spec: wasm_bindgen::JsValue,
) -> Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue> {
    let pool = ringscope::runtime::pool::Pool::new(|| ());
    let answer = ringscope::ui::bench::measure_for_scripts(&pool, &spec).await;
    pool.release();
    answer
}

/// Shows the page in `host`, or changes in which language and theme it is shown there; see
/// [`ringscope::ui::bench::show`]. It is this part's only page.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn show(host: web_sys::Element, _page: &str, lang: &str, dark: bool) {
    use ringscope::ui::{bench, text::Lang};
    if let Some(lang) = Lang::parse(lang) {
        bench::show(host, bench::Props { lang, dark });
    }
}

/// Takes the page off its host; see [`ringscope::ui::bench::close`].
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn close() {
    ringscope::ui::bench::close();
}
