//! Pictures in pixels, drawn by the browser from the picture in lines.

use gloo::timers::callback::Timeout;
use js_sys::{Promise, encode_uri_component};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

/// Pixels of a PNG for each pixel of the picture.
const SCALE: u32 = 2;

/// The picture as an address. Pictures from such addresses never taint a canvas, not even where the
/// page's origin is opaque.
pub fn data_address(svg: &str) -> String {
    format!("data:image/svg+xml,{}", String::from(encode_uri_component(svg)))
}

/// The picture, decoded and ready to be drawn.
///
/// # Errors
/// What the browser says.
pub async fn decoded(svg: &str) -> Result<HtmlImageElement, JsValue> {
    let image = HtmlImageElement::new()?;
    image.set_src(&data_address(svg));
    JsFuture::from(image.decode()).await?;
    Ok(image)
}

/// A canvas with the picture on it.
///
/// # Errors
/// What the browser says.
pub fn drawn(
    image: &HtmlImageElement,
    scale: u32,
) -> Result<(HtmlCanvasElement, CanvasRenderingContext2d), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.unchecked_into();
    let (width, height) = (image.natural_width() * scale, image.natural_height() * scale);
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.unchecked_into();
    let (width, height) = (f64::from(width), f64::from(height));
    context.draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, width, height)?;
    Ok((canvas, context))
}

/// The picture as a PNG.
///
/// # Errors
/// What the browser says, for instance that it does not give pictures back to pages.
pub async fn png(svg: &str) -> Result<Blob, JsValue> {
    let (canvas, _) = drawn(&decoded(svg).await?, SCALE)?;
    let mut asked = Ok(());
    let answer = Promise::new(&mut |resolve, _| {
        let give = Closure::once_into_js(move |blob: JsValue| resolve.call1(&JsValue::NULL, &blob));
        asked = canvas.to_blob(give.unchecked_ref());
    });
    asked?;
    JsFuture::from(answer).await?.dyn_into()
}

/// Lets the page do everything else that it has to do.
pub async fn pause(ms: u32) {
    let mut timer = None;
    let over = Promise::new(&mut |resolve, _| {
        timer = Some(Timeout::new(ms, move || drop(resolve.call0(&JsValue::NULL))));
    });
    // A promise that is only ever resolved.
    let _ = JsFuture::from(over).await;
    drop(timer);
}
