//! The width of an element, kept up to date.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

/// The width of the element in CSS pixels, rounded down; 0 until it is on the page.
#[hook]
pub fn use_width(node: &NodeRef) -> f64 {
    let width = use_state_eq(|| 0.0);
    let handle = width.clone();
    use_effect_with(node.clone(), move |node| {
        let observation =
            node.cast::<Element>().and_then(|element| Observation::new(element, handle));
        move || drop(observation)
    });
    *width
}

/// An observer that lives as long as this value.
struct Observation {
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut()>,
}

impl Observation {
    fn new(element: Element, width: UseStateHandle<f64>) -> Option<Observation> {
        let measured = element.clone();
        let measure = move || width.set(measured.get_bounding_client_rect().width().floor());
        // The observer reports a first time later; the first picture should not wait for that.
        measure();
        let callback = Closure::<dyn FnMut()>::new(measure);
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        observer.observe(&element);
        Some(Observation { observer, _callback: callback })
    }
}

impl Drop for Observation {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
