//! Writes the stage down as the browser draws it; see [`crate::ui::export::svg`].

use crate::ui::export::svg::{Colours, PROPERTIES, escaped, plain};
use crate::ui::scenario::Theme;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CssStyleDeclaration, Element, Node, Window};

/// Geometry and structure; everything else about an element is for scripts, the stylesheet or
/// screen readers.
const KEPT: [&str; 12] =
    ["transform", "x", "y", "width", "height", "rx", "r", "cx", "cy", "d", "dx", "dy"];

/// The stage in `room` as an `<svg>`, with the colours of `theme`, and what goes round it.
///
/// # Errors
/// What the browser says, or `None` while nothing is drawn.
pub fn photograph(room: &Element, theme: Theme) -> Result<Option<(String, Colours)>, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let root = window.document().and_then(|document| document.document_element());
    let (Some(root), Some(stage)) = (root, room.query_selector(".stage")?) else {
        return Ok(None);
    };
    // Nothing is painted before this function returns, so nobody sees the other theme.
    let shown = root.get_attribute("data-theme");
    root.set_attribute("data-theme", theme.name())?;
    let written = write_all(&window, &root, room, &stage);
    match shown {
        Some(shown) => root.set_attribute("data-theme", &shown)?,
        None => root.remove_attribute("data-theme")?,
    }
    written.map(Some)
}

fn write_all(
    window: &Window,
    root: &Element,
    room: &Element,
    stage: &Element,
) -> Result<(String, Colours), JsValue> {
    let mut svg = String::new();
    write(window, stage, None, &mut svg)?;
    let token = |element: &Element, name: &str| -> Result<String, JsValue> {
        Ok(style(window, element)?.get_property_value(name)?.trim().to_string())
    };
    let colours = Colours {
        ground: token(root, "--panel")?,
        ink: token(root, "--ink")?,
        secondary: token(root, "--secondary")?,
        tone: token(room, "--tone")?,
    };
    Ok((svg, colours))
}

fn style(window: &Window, element: &Element) -> Result<CssStyleDeclaration, JsValue> {
    window.get_computed_style(element)?.ok_or(JsValue::NULL)
}

/// Writes `element`; `around` is what the element around it has of [`PROPERTIES`].
fn write(
    window: &Window,
    element: &Element,
    around: Option<&[String]>,
    out: &mut String,
) -> Result<(), JsValue> {
    // The stage is the picture, and what lies one over the other in it are its groups.
    let tag = match (element.local_name().as_str(), around) {
        (_, None) => "svg".to_string(),
        ("svg", _) => "g".to_string(),
        (name, _) => name.to_string(),
    };
    let style = style(window, element)?;
    let own = PROPERTIES.map(|(name, _)| style.get_property_value(name).map(|v| plain(&v)));
    let own = own.into_iter().collect::<Result<Vec<String>, JsValue>>()?;
    out.push('<');
    out.push_str(&tag);
    for name in KEPT {
        if let Some(value) = element.get_attribute(name) {
            attribute(out, name, &value);
        }
    }
    if around.is_none() {
        // The size of the stage is that of its box.
        let place = element.get_bounding_client_rect();
        let view_box = element.query_selector("svg")?.and_then(|svg| svg.get_attribute("viewBox"));
        attribute(out, "viewBox", &view_box.unwrap_or_default());
        attribute(out, "width", &place.width().floor().to_string());
        attribute(out, "height", &place.height().floor().to_string());
    }
    for (index, (name, inherits)) in PROPERTIES.into_iter().enumerate() {
        let before = match around {
            Some(around) if inherits => around[index].as_str(),
            None if inherits => "",
            _ => "1",
        };
        if own[index] != before {
            attribute(out, name, &own[index]);
        }
    }
    out.push('>');
    let children = element.child_nodes();
    for index in 0..children.length() {
        let Some(child) = children.get(index) else { continue };
        match child.node_type() {
            Node::TEXT_NODE => out.push_str(&escaped(&child.text_content().unwrap_or_default())),
            Node::ELEMENT_NODE => write(window, child.unchecked_ref(), Some(&own), out)?,
            _ => {}
        }
    }
    out.push_str("</");
    out.push_str(&tag);
    out.push('>');
    Ok(())
}

fn attribute(out: &mut String, name: &str, value: &str) {
    for part in [" ", name, "=\"", &escaped(value), "\""] {
        out.push_str(part);
    }
}
