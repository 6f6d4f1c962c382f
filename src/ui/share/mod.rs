//! The Share dialog: links and files of the moment that the player shows.
//!
//! It is a part of its own, `src/bin/share.rs`, with a memory of its own. The player hands over the
//! scenario as its link, the moment, and the recorded run as bytes; the same schedule is prepared
//! here once more.

mod caption;
mod elsewhere;
mod embedding;
mod files;
mod film;
mod moment;
pub(in crate::ui) mod offer;
mod photograph;
mod picture;
mod raster;
mod recording;
mod save;

use super::dialog::Dialog;
use super::root::{Open, put, take};
use super::text::Lang;
use super::text::share::ShareWords;
use elsewhere::Elsewhere;
use embedding::embedding;
use files::{runs, schedules};
pub use film::{finish, push};
use js_sys::Function;
pub use moment::Moment;
use offer::Offer;
use picture::Picture;
pub use recording::read;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::{Element, File};
use yew::prelude::*;

/// Properties of [`Share`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// What is shared.
    pub moment: Rc<Moment>,
    /// Gets the file that the reader wants to open.
    pub on_file: Callback<File>,
}

/// The dialog.
#[component]
pub fn Share(props: &Props) -> Html {
    let moment = &props.moment;
    let words = ShareWords::of(moment.lang);
    let on_close = Callback::from(|()| close());
    html! {
        <Dialog title={words.title} close={words.close} open=true {on_close}>
            <Picture moment={moment.clone()} />
            { link(moment.lang, moment) }
            { embedding(moment) }
            { runs(moment, &props.on_file) }
            { schedules(moment) }
            <Elsewhere moment={moment.clone()} />
        </Dialog>
    }
}

/// The link to this very step.
fn link(lang: Lang, moment: &Moment) -> Html {
    let words = ShareWords::of(lang);
    let link = moment.link.clone();
    let write = Callback::from(move |()| Ok(link.to_string()));
    html! {
        <section class="share-part">
            <h3>{ words.link }</h3>
            <Offer {lang} name={words.link} {write} shown=true />
            if moment.is_local() { <p class="kind share-local">{ words.local }</p> }
        </section>
    }
}

/// What a file about the moment is called: `allreduce-ring-4.ending`.
fn file_name(moment: &Moment, ending: &str) -> String {
    let s = &moment.scenario;
    format!("{}-{}-{}.{ending}", s.verb.name(), s.algorithm, s.ranks)
}

thread_local! {
    static OPEN: Open<Share> = const { RefCell::new(None) };
}

/// Opens the dialog in `host`, until its reader closes it.
pub fn show(host: &Element, moment: Moment, on_file: Function) {
    close();
    let on_file = Callback::from(move |file: File| {
        close();
        // It is the app's own, which does not throw.
        let _ = on_file.call1(&JsValue::NULL, &file);
    });
    let props = Props { moment: Rc::new(moment), on_file };
    put(&OPEN, host.clone(), props);
}

fn close() {
    take(&OPEN);
}
