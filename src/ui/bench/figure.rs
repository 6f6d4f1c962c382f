//! A chart of curves over sizes.

use super::plot::{Colour, Plot, outline};
use super::sketch::{Palette, Sketch};
use crate::ui::part;
use crate::ui::shared::Shared;
use crate::ui::size::use_size;
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

/// Properties of [`Figure`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// What it shows.
    pub title: AttrValue,
    /// Where its numbers come from.
    pub kind: AttrValue,
    /// What it is, for those who do not see it; the table beside it has the numbers.
    pub label: AttrValue,
    /// The curves.
    pub sketch: Shared<Sketch>,
    /// Whether the dark theme is on.
    pub dark: bool,
}

/// The chart, drawn by the part `chart` at the size of its place.
#[component]
pub fn Figure(props: &Props) -> Html {
    let (place, canvas) = (use_node_ref(), use_node_ref());
    let size = use_size(&place);
    {
        let canvas = canvas.clone();
        let about = (props.sketch.clone(), size, props.dark);
        use_effect_with(about, move |(sketch, (width, height), _)| {
            let (sketch, width, height) = (sketch.clone(), *width, *height);
            spawn_local(async move {
                // A chart that cannot be had leaves the table below it.
                if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                    let _ = draw(&canvas, &sketch, width, height).await;
                }
            });
        });
    }
    html! {
        <figure class="figure">
            <figcaption>
                { &props.title }{ " " }<span class="kind">{ &props.kind }</span>
            </figcaption>
            <div class="figure-place" ref={place}>
                <canvas ref={canvas} role="img" aria-label={&props.label} />
            </div>
        </figure>
    }
}

/// Draws on a canvas of so many of the page's pixels.
async fn draw(canvas: &HtmlCanvasElement, sketch: &Sketch, width: f64, height: f64) -> Option<()> {
    let scale = web_sys::window()?.device_pixel_ratio();
    let plot = sketch.plot(width, scale, &palette()?)?;
    let bytes = postcard::to_allocvec::<Plot>(&plot).ok()?;
    let chart = part::chart().await.ok()?;
    canvas.set_width((width * scale) as u32);
    canvas.set_height((height * scale) as u32);
    chart.plot(canvas, &bytes).ok()
}

/// The page's colours, as its stylesheet has them.
fn palette() -> Option<Palette> {
    let window = web_sys::window()?;
    let root = window.document()?.document_element()?;
    let style = window.get_computed_style(&root).ok()??;
    let colour = |token: &str| hex(style.get_property_value(token).ok()?.trim());
    // The outline of the second hue stands out from the paper where the hue itself does not.
    let hues = ["--c0", "--c1-edge", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7"];
    let hues = hues.into_iter().map(colour).collect::<Option<_>>()?;
    Some(Palette { ground: (colour("--panel")?, colour("--secondary")?), hues })
}

/// `#0072b2` as a colour.
fn hex(text: &str) -> Option<Colour> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some((part(0)?, part(2)?, part(4)?))
}

/// The point of a curve, as its chart draws it.
pub fn marker(hue: usize, foreign: bool) -> Html {
    let corner = |(x, y): (f64, f64)| format!("{:.2},{:.2}", 8.0 + 5.0 * x, 8.0 - 5.0 * y);
    let points: Vec<String> = outline((hue % 8) as u8).into_iter().map(corner).collect();
    let foreign = foreign.then_some("is-foreign");
    html! {
        <svg class={classes!("marker", format!("h{}", hue % 8), foreign)} width="16" height="16"
            viewBox="0 0 16 16" aria-hidden="true">
            <polygon points={points.join(" ")} />
        </svg>
    }
}
