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

/// Draws curves that were described by postcard; see [`ringscope::ui::chart::plot`].
///
/// # Errors
/// A sentence, if the canvas cannot be drawn on, or that is no description.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn plot(
    canvas: web_sys::HtmlCanvasElement,
    description: &[u8],
) -> Result<(), wasm_bindgen::JsValue> {
    let plot = postcard::from_bytes(description).map_err(|error| error.to_string())?;
    ringscope::ui::chart::plot(canvas, &plot).map_err(|error| error.to_string().into())
}
