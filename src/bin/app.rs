//! The page's program: mounts the application.

#[cfg(target_arch = "wasm32")]
fn main() {
    ringscope::ui::start();
}

/// The self-check on workers of its own, for scripts that import this module:
/// `await (await import(appUrl)).self_check({ sizes: [2, 3] })`; see
/// [`sweep_for_scripts`](ringscope::runtime::sweep::sweep_for_scripts).
///
/// # Errors
/// A sentence, if the specification is none.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub async fn self_check(
    spec: wasm_bindgen::JsValue,
) -> Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue> {
    let pool = ringscope::runtime::pool::Pool::new(|| ());
    let answer = ringscope::runtime::sweep::sweep_for_scripts(&pool, &spec).await;
    pool.release();
    answer
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("Ringscope's page runs in a browser: start it with scripts/serve");
}
