//! The few things that the page asks its browser.
//!
//! In an opaque origin (a sandboxed frame) storage and history may throw; then the page does
//! without.

use super::export::run_file::browser_name;
use super::scenario::{MAX_FRAGMENT, Theme, same_target};
use super::take::Origin;
use super::text::Lang;
use gloo::events::EventListener;
use gloo::render::{AnimationFrame, request_animation_frame};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use yew::prelude::*;

fn window() -> Option<web_sys::Window> {
    web_sys::window()
}

/// The root element: `static/boot.js` notes there what it finds out.
pub fn root() -> Option<web_sys::Element> {
    window()?.document()?.document_element()
}

/// The URL's fragment, without `#`. One that is far too long is cut, just behind what is still
/// read.
pub fn fragment() -> String {
    let hash = window().and_then(|w| w.location().hash().ok()).unwrap_or_default();
    let fragment = hash.strip_prefix('#').unwrap_or(&hash);
    let mut end = fragment.len().min(2 * MAX_FRAGMENT);
    while !fragment.is_char_boundary(end) {
        end -= 1;
    }
    fragment[..end].to_string()
}

/// Brings the URL up to date. Another verb is a new entry in the history, so that Back returns to
/// the one before; everything else replaces the entry, also another spelling of the same verb.
fn write_fragment(fragment: &str) {
    let Some(history) = window().and_then(|w| w.history().ok()) else { return };
    let url = format!("#{fragment}");
    // A browser limits how often this may be called, and a sandboxed frame may refuse; the next
    // change brings the URL up to date again.
    let _ = match same_target(&self::fragment(), fragment) {
        true => history.replace_state_with_url(&JsValue::NULL, "", Some(&url)),
        false => history.push_state_with_url(&JsValue::NULL, "", Some(&url)),
    };
}

/// Keeps the URL at `fragment`, if there is one.
#[hook]
pub fn use_written(fragment: Option<String>) {
    use_effect_with(fragment, |fragment| {
        if let Some(fragment) = fragment {
            write_fragment(fragment);
        }
    });
}

/// What was stored under `key`.
fn stored(key: &str) -> Option<String> {
    window()?.local_storage().ok()??.get_item(key).ok()?
}

/// Stores `value`, where that is possible.
fn store(key: &str, value: &str) {
    if let Some(Ok(Some(storage))) = window().map(|w| w.local_storage()) {
        let _ = storage.set_item(key, value);
    }
}

const LANG_KEY: &str = "ringscope.lang";
const THEME_KEY: &str = "ringscope.theme";

/// The language that was stored, or else the browser's.
pub fn preferred_lang() -> Lang {
    if let Some(lang) = stored(LANG_KEY).as_deref().and_then(Lang::parse) {
        return lang;
    }
    let tags: Vec<String> = window()
        .map(|w| w.navigator().languages().iter().filter_map(|tag| tag.as_string()).collect())
        .unwrap_or_default();
    Lang::preferred(tags.iter().map(String::as_str))
}

/// The theme that was stored; `None` follows the system.
pub fn preferred_theme() -> Option<Theme> {
    match stored(THEME_KEY)?.as_str() {
        "light" => Some(Theme::Light),
        "dark" => Some(Theme::Dark),
        _ => None,
    }
}

/// Remembers the language and tells the document.
pub fn show_lang(lang: Lang, title: &str, remember: bool) {
    if remember {
        store(LANG_KEY, lang.tag());
    }
    if let Some(document) = window().and_then(|w| w.document()) {
        document.set_title(title);
        if let Some(root) = document.document_element() {
            let _ = root.set_attribute("lang", lang.tag());
        }
    }
}

/// Remembers the theme and tells the document; `None` leaves it to the system.
pub fn show_theme(theme: Option<Theme>, remember: bool) {
    if remember {
        store(THEME_KEY, theme.map_or("system", Theme::name));
    }
    if let Some(root) = root() {
        let _ = match theme {
            Some(theme) => root.set_attribute("data-theme", theme.name()),
            None => root.remove_attribute("data-theme"),
        };
    }
}

/// Whether the system is set to dark.
pub fn system_is_dark() -> bool {
    matches("(prefers-color-scheme: dark)")
}

/// Whether the reader wants less motion.
pub fn reduced_motion() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

fn matches(query: &str) -> bool {
    let list = window().and_then(|w| w.match_media(query).ok().flatten());
    list.is_some_and(|list| list.matches())
}

/// Cores that the browser admits to.
pub fn cores() -> usize {
    window().map_or(1, |w| w.navigator().hardware_concurrency() as usize)
}

/// Where a run is made that is made here.
pub fn origin() -> Origin {
    let window = window();
    let agent = window.as_ref().and_then(|window| window.navigator().user_agent().ok());
    let isolated = js_sys::Reflect::get(&js_sys::global(), &"crossOriginIsolated".into());
    let meta = window.and_then(|window| window.document()).and_then(|document| {
        document.query_selector(r#"meta[name="ringscope-build"]"#).ok().flatten()
    });
    Origin {
        browser: browser_name(&agent.unwrap_or_default()),
        cores: cores(),
        isolated: isolated.is_ok_and(|isolated| isolated.is_truthy()),
        build: meta.and_then(|meta| meta.get_attribute("content")).unwrap_or_default(),
    }
}

/// Scrolls the row of an element sideways so that the element is in its middle.
pub fn reveal(selector: &str) {
    let element = window().and_then(|w| w.document()?.query_selector(selector).ok()?);
    let row = element.as_ref().and_then(|element| element.closest(".verbs").ok()?);
    if let (Some(element), Some(row)) = (element, row) {
        let middle = |element: &web_sys::Element| {
            let place = element.get_bounding_client_rect();
            place.left() + place.width() / 2.0
        };
        row.set_scroll_left(row.scroll_left() + (middle(&element) - middle(&row)) as i32);
    }
}

/// Whether the page is a phone's width wide; follows the window.
#[hook]
pub fn use_narrow() -> bool {
    const QUERY: &str = "(max-width: 720px)";
    let narrow = use_state_eq(|| matches(QUERY));
    {
        let narrow = narrow.clone();
        use_effect_with((), move |()| {
            let listener = window().map(|window| {
                EventListener::new(&window, "resize", move |_| narrow.set(matches(QUERY)))
            });
            move || drop(listener)
        });
    }
    *narrow
}

/// Calls `on_change` with the fragment whenever it changes by a link, by hand, or by going back.
#[hook]
pub fn use_fragment(on_change: Callback<String>) {
    use_effect_with(on_change, |on_change| {
        let on_change = on_change.clone();
        let listener = window().map(|window| {
            EventListener::new(&window, "hashchange", move |_| on_change.emit(fragment()))
        });
        move || drop(listener)
    });
}

/// Calls `on_frame` before every repaint while `active`, with the milliseconds since the last call.
#[hook]
pub fn use_frames(active: bool, on_frame: Callback<f64>) {
    use_effect_with((active, on_frame), |(active, on_frame)| {
        let frames = active.then(|| Frames::start(on_frame.clone()));
        move || drop(frames)
    });
}

/// A chain of animation frames; dropping it ends the chain.
struct Frames {
    next: Rc<RefCell<Option<AnimationFrame>>>,
}

impl Frames {
    fn start(on_frame: Callback<f64>) -> Frames {
        let next = Rc::new(RefCell::new(None));
        Self::request(&next, on_frame, None);
        Frames { next }
    }

    fn request(
        next: &Rc<RefCell<Option<AnimationFrame>>>,
        on_frame: Callback<f64>,
        last: Option<f64>,
    ) {
        let again = Rc::downgrade(next);
        let frame = request_animation_frame(move |now| {
            // A tab that was hidden comes back with a long frame; it must not jump.
            let elapsed = last.map_or(0.0, |last| (now - last).clamp(0.0, 100.0));
            on_frame.emit(elapsed);
            if let Some(next) = again.upgrade() {
                Self::request(&next, on_frame, Some(now));
            }
        });
        next.borrow_mut().replace(frame);
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.next.borrow_mut().take();
    }
}
