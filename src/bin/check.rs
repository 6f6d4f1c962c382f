//! The self-check, as a part of the page that is loaded when it is asked for.

fn main() {}

/// Runs the grid of small collectives on workers of its own:
/// `await (await ringscopePart("check")).self_check({ sizes: [2, 3] })`; see
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
