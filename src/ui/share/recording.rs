//! Runs in files.

use crate::ui::export::run_file::{self, MAX_FILE, Unreadable};
use crate::ui::sharing::Recording;
use crate::ui::text::Lang;
use crate::ui::text::share::unreadable;
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

/// Reads a file: the scenario as its fragment, and a [`Recording`] as postcard.
///
/// # Errors
/// A sentence for the reader.
pub async fn read(file: &File, lang: &str) -> Result<(String, Vec<u8>), JsValue> {
    let lang = Lang::parse(lang).unwrap_or_default();
    let say = |why: Unreadable| JsValue::from(unreadable(lang, &file.name(), &why));
    // One that is too large is not even taken into memory.
    if file.size() > MAX_FILE as f64 {
        return Err(say(Unreadable::TooLarge(file.size() as usize)));
    }
    let buffer: ArrayBuffer = JsFuture::from(file.array_buffer()).await?.dyn_into()?;
    let opened = run_file::read(&Uint8Array::new(&buffer).to_vec()).map_err(say)?;
    let recording: Recording = (opened.run, Some(opened.origin));
    let bytes = postcard::to_allocvec(&recording).map_err(|error| error.to_string())?;
    Ok((opened.scenario.fragment(), bytes))
}
