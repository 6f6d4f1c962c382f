//! Yew apps inside the page's own.

use std::cell::{Cell, RefCell};
use std::thread::LocalKey;
use web_sys::Element;
use yew::prelude::*;
use yew::{AppHandle, Renderer};

thread_local! {
    static FIRST: Cell<bool> = const { Cell::new(true) };
}

#[component]
fn Nothing() -> Html {
    Html::default()
}

/// Shows a component of a part of the app in `host`, an element that the app gives it.
///
/// Yew numbers the roots of every program from 1, and hands an event to the root whose number the
/// element bears. The page's own root is number 1 of the app; a part is another program, and must
/// not use that number, or its clicks would be taken for clicks on the app. So the first root of
/// every part is one that shows nothing.
pub fn render<C>(host: Element, props: C::Properties) -> AppHandle<C>
where
    C: BaseComponent,
    C::Properties: 'static,
{
    if FIRST.replace(false) {
        let document = web_sys::window().and_then(|window| window.document());
        if let Some(aside) = document.and_then(|document| document.create_element("div").ok()) {
            Renderer::<Nothing>::with_root(aside).render().destroy();
        }
    }
    Renderer::with_root_and_props(host, props).render()
}

/// What is shown in a host that the app has given, if anything is.
pub type Open<C> = RefCell<Option<AppHandle<C>>>;

/// Shows a component in `host`, or what is open already with other properties.
pub fn put<C>(place: &'static LocalKey<Open<C>>, host: Element, props: C::Properties)
where
    C: BaseComponent,
    C::Properties: 'static,
{
    place.with_borrow_mut(|open| match open {
        Some(shown) => shown.update(props),
        None => *open = Some(render(host, props)),
    });
}

/// Takes a component off its host.
pub fn take<C: BaseComponent>(place: &'static LocalKey<Open<C>>) {
    if let Some(shown) = place.take() {
        shown.destroy();
    }
}
