//! The chart, as a part of the page that is loaded when it is needed.

fn main() {}

/// Draws the chart; see [`ringscope::ui::chart::draw`].
///
/// # Errors
/// A sentence, if the canvas cannot be drawn on.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn draw(
    canvas: web_sys::HtmlCanvasElement,
    gigabytes: Vec<f64>,
    dark: bool,
) -> Result<(), wasm_bindgen::JsValue> {
    ringscope::ui::chart::draw(canvas, &gigabytes, dark).map_err(|error| error.to_string().into())
}
