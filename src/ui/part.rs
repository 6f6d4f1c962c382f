//! Parts of the app: programs of their own, which are loaded when they are needed.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, File, HtmlCanvasElement};

#[wasm_bindgen]
extern "C" {
    /// Loads a part by name, once; `static/boot.js` knows the addresses.
    #[wasm_bindgen(js_name = ringscopePart)]
    fn load(name: &str) -> Promise;

    /// What `src/bin/chart.rs` exports.
    pub type Chart;

    #[wasm_bindgen(method, catch)]
    pub fn draw(
        this: &Chart,
        canvas: &HtmlCanvasElement,
        gigabytes: &[f64],
        dark: bool,
    ) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    pub fn plot(
        this: &Chart,
        canvas: &HtmlCanvasElement,
        description: &[u8],
    ) -> Result<(), JsValue>;

    /// What `src/bin/pages.rs`, `src/bin/duet.rs` and `src/bin/bench.rs` export.
    pub type Pages;

    #[wasm_bindgen(method, catch)]
    pub fn show(
        this: &Pages,
        host: &Element,
        page: &str,
        lang: &str,
        dark: bool,
    ) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    pub fn close(this: &Pages) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    pub fn contest(this: &Pages, host: &Element, question: &str, lang: &str)
    -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    pub fn close_contest(this: &Pages) -> Result<(), JsValue>;

    /// What `static/loops.js` exports.
    pub type Loops;

    #[wasm_bindgen(method, catch, js_name = loop)]
    pub async fn find(this: &Loops, op: &str, dtype: &str, most: f64) -> Result<JsValue, JsValue>;

    /// What `src/bin/share.rs` exports.
    pub type Share;

    #[wasm_bindgen(method, catch)]
    pub fn show(
        this: &Share,
        host: &Element,
        lang: &str,
        fragment: &str,
        time: f64,
        recording: Option<Vec<u8>>,
        on_file: &JsValue,
    ) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    pub async fn read(this: &Share, file: &File, lang: &str) -> Result<JsValue, JsValue>;
}

/// The part that draws charts.
pub async fn chart() -> Result<Chart, JsValue> {
    Ok(JsFuture::from(load("chart")).await?.unchecked_into())
}

/// Loops in JavaScript, to be measured.
pub async fn loops() -> Result<Loops, JsValue> {
    Ok(JsFuture::from(load("loops")).await?.unchecked_into())
}

/// The part that shares what the player shows.
pub async fn share() -> Result<Share, JsValue> {
    Ok(JsFuture::from(load("share")).await?.unchecked_into())
}

/// A part that holds pages beside the player.
pub async fn pages(name: &str) -> Result<Pages, JsValue> {
    Ok(JsFuture::from(load(name)).await?.unchecked_into())
}
