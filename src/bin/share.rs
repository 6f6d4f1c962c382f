//! The Share dialog, as a part of the page that is loaded when it is asked for.

fn main() {}

#[cfg(target_arch = "wasm32")]
use {ringscope::ui::share, wasm_bindgen::prelude::*};

/// Opens the dialog in `host`, about the moment `time` of the scenario that `fragment` names.
/// `recording` is what workers did, if they ran it; `on_file` gets the file that the reader wants
/// to open. See [`ringscope::ui::share`].
///
/// # Errors
/// A sentence for programmers, if the page and this part do not understand each other.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn show(
    host: web_sys::Element,
    lang: &str,
    fragment: &str,
    time: f64,
    recording: Option<Vec<u8>>,
    on_file: js_sys::Function,
) -> Result<(), JsValue> {
    share::show(&host, share::Moment::read(lang, fragment, time, recording)?, on_file);
    Ok(())
}

/// Reads a file that holds a run: `[fragment, recording]`, as [`show`] takes them.
///
/// # Errors
/// A sentence for the reader.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub async fn read(file: web_sys::File, lang: String) -> Result<js_sys::Array, JsValue> {
    let (fragment, recording) = share::read(&file, &lang).await?;
    Ok(js_sys::Array::of2(&fragment.into(), &js_sys::Uint8Array::from(&recording[..])))
}

/// In a worker: adds a picture to the film it makes. See [`ringscope::ui::share`].
///
/// # Errors
/// If it is not of the film's size.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn film(pixels: &[u8], width: u16, height: u16, delay: u16) -> Result<(), JsValue> {
    share::push(pixels, width, height, delay).map_err(|error| error.to_string().into())
}

/// In a worker: ends the film.
///
/// # Errors
/// None that a file in memory knows.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn filmed() -> Result<Vec<u8>, JsValue> {
    share::finish().map_err(|error| error.to_string().into())
}
