//! Gives the reader a file.

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// Whether this page may save files: a sandboxed frame, whose origin is opaque, mostly may not,
/// and nobody tells it so.
pub fn may_save() -> bool {
    let origin = Reflect::get(&js_sys::global(), &"origin".into());
    origin.ok().and_then(|origin| origin.as_string()).is_none_or(|origin| origin != "null")
}

/// Saves `bytes` as a file of that name, where the browser puts downloads.
///
/// # Errors
/// What the browser says.
pub fn save(name: &str, kind: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = Array::of1(&Uint8Array::from(bytes));
    save_blob(name, &Blob::new_with_u8_array_sequence_and_options(&parts, &options)?)
}

/// The same with a file that the browser has made.
///
/// # Errors
/// What the browser says.
pub fn save_blob(name: &str, blob: &Blob) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let address = Url::create_object_url_with_blob(blob)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The browser reads the blob after this; how long after, nobody says.
    gloo::timers::callback::Timeout::new(60_000, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
    Ok(())
}
