//! The run, or the part that is looped, as a picture that moves. The page draws its pictures; a
//! worker, in which this part runs a second time, compresses them.

use super::Moment;
use super::caption::caption;
use super::picture::developed;
use super::raster::{decoded, drawn, pause};
use crate::runtime::aside::Aside;
use crate::ui::export::gif::Film;
use crate::ui::playhead::STEP_MS;
use crate::ui::scenario::Theme;
use js_sys::{Array, Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

/// Hundredths of a second that a picture is shown, if there are not too many.
const DELAY: f64 = 6.0;
/// How long the last picture is shown.
const LAST: u16 = 120;
/// Most pictures; of a longer run each is shown longer.
const PICTURES: f64 = 240.0;

/// Films the stage in `room`. `show` makes it show a moment, `tell` says how far the film is: so
/// many pictures of so many. While the worker compresses one picture, the page draws the next;
/// `None` once the film is no longer `wanted`.
///
/// # Errors
/// What the browser says, for instance that it does not give pictures back to pages.
pub async fn film(
    moment: &Moment,
    room: &Element,
    theme: Theme,
    wanted: &Cell<bool>,
    show: impl Fn(f64),
    tell: impl Fn(usize, usize),
) -> Result<Option<Vec<u8>>, JsValue> {
    let replay = &moment.replay;
    let (from, to) = match moment.scenario.view.looped {
        Some((first, last)) => (replay.step_time(first - 1), replay.step_time(last)),
        None => (0.0, replay.end),
    };
    let whole_ms = replay.steps.len() as f64 * STEP_MS;
    let ms = if replay.end > 0.0 { (to - from) / replay.end * whole_ms } else { 0.0 };
    let delay = (ms / 10.0 / PICTURES).ceil().max(DELAY);
    let count = (ms / 10.0 / delay).ceil() as usize;
    let aside = Aside::start("share").await?;
    let mut before = None;
    for index in 0..=count {
        tell(index, count + 1);
        let time = from + (to - from) * index as f64 / count.max(1) as f64;
        show(time);
        pause(0).await;
        let Some(svg) = developed(room, theme, &caption(moment, time)) else {
            return Err("nothing is drawn".into());
        };
        let image = decoded(&svg).await?;
        if !wanted.get() {
            return Ok(None);
        }
        let (canvas, context) = drawn(&image, 1)?;
        let [width, height] = [canvas.width(), canvas.height()].map(f64::from);
        let pixels = context.get_image_data(0.0, 0.0, width, height)?;
        // As it is in the page: bytes that a program has are copied, these are given away.
        let pixels = Reflect::get(&pixels, &"data".into())?;
        let buffers = Array::of1(&Reflect::get(&pixels, &"buffer".into())?);
        if let Some(before) = before.take() {
            before.await?;
        }
        let delay = if index == count { f64::from(LAST) } else { delay };
        let given = [pixels, width.into(), height.into(), delay.into()];
        before = Some(aside.call("film", &given, &buffers)?);
    }
    if let Some(before) = before {
        before.await?;
    }
    let file = aside.call("filmed", &[], &Array::new())?.await?;
    Ok(Some(file.unchecked_into::<Uint8Array>().to_vec()))
}

thread_local! {
    /// The film that this worker makes.
    static FILM: RefCell<Option<Film>> = const { RefCell::new(None) };
}

/// Adds a picture to the film of this worker; the first one begins it.
///
/// # Errors
/// If it is not of the film's size.
pub fn push(pixels: &[u8], width: u16, height: u16, delay: u16) -> Result<(), gif::EncodingError> {
    FILM.with_borrow_mut(|film| {
        let film = match film {
            Some(film) => film,
            None => film.insert(Film::new(width, height)?),
        };
        film.push(pixels, delay)
    })
}

/// Ends the film of this worker: the file, empty without pictures.
///
/// # Errors
/// None that a file in memory knows.
pub fn finish() -> Result<Vec<u8>, gif::EncodingError> {
    FILM.take().map_or(Ok(Vec::new()), Film::finish)
}
