//! One rank: a Web Worker that runs its part of every collective call.

/// Nothing: of all ranks that share a memory, it is called in the first one only.
fn main() {}

/// Makes the worker a rank.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn begin() {
    ringscope::runtime::worker::start();
}
