//! The pages beside the player, and a panel of it that compares algorithms. They are a part of
//! their own, `src/bin/pages.rs`, which is loaded when one of them is opened: nobody waits for them
//! who only wants to play.

mod contest;
mod reference;

use super::root::{Open, put, take};
use super::scenario::{Page, parse};
use super::text::Lang;
use contest::Contest;
use reference::Reference;
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Which page, in which language.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The page.
    pub page: Page,
    /// The language.
    pub lang: Lang,
}

/// The page that is open.
#[component]
pub fn Pages(props: &Props) -> Html {
    match props.page {
        Page::Reference => html! { <Reference lang={props.lang} /> },
        // Other parts hold them.
        Page::Player | Page::Equation | Page::Compare | Page::Bench => Html::default(),
    }
}

thread_local! {
    static PAGE: Open<Pages> = const { RefCell::new(None) };
    static CONTEST: Open<Contest> = const { RefCell::new(None) };
}

/// Shows a page in `host`, until [`close`].
pub fn show(host: Element, props: Props) {
    put(&PAGE, host, props);
}

/// Takes the page off its host.
pub fn close() {
    take(&PAGE);
}

/// Shows in `host` which algorithm is fastest for the scenario that a link names, until
/// [`close_contest`].
pub fn show_contest(host: Element, link: &str, lang: Lang) {
    let scenario = Rc::new(parse(link).1);
    put(&CONTEST, host, contest::Props { lang, scenario });
}

/// Takes it off its host.
pub fn close_contest() {
    take(&CONTEST);
}
