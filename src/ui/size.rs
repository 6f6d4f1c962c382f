//! The size of an element, kept up to date.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

/// Width and height of the element in CSS pixels, rounded down; 0 until it is on the page.
#[hook]
pub fn use_size(node: &NodeRef) -> (f64, f64) {
    let size = use_state_eq(|| (0.0, 0.0));
    let handle = size.clone();
    use_effect_with(node.clone(), move |node| {
        let observation =
            node.cast::<Element>().and_then(|element| Observation::new(element, handle));
        move || drop(observation)
    });
    *size
}

/// An observer that lives as long as this value.
struct Observation {
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut()>,
}

impl Observation {
    fn new(element: Element, size: UseStateHandle<(f64, f64)>) -> Option<Observation> {
        let measured = element.clone();
        let measure = move || {
            let found = measured.get_bounding_client_rect();
            size.set((found.width().floor(), found.height().floor()));
        };
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
