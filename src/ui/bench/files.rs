//! Records from files.

use super::record::{MAX_FILE, Record};
use super::state::{Msg, Opened, Remark, Show};
use crate::ui::export::run_file::Unreadable;
use crate::ui::file_choice::file_choice;
use crate::ui::text::Lang;
use crate::ui::text::bench::BenchWords as Words;
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;
use yew::prelude::*;

/// A way to open a record.
pub fn open_file(lang: Lang, show: &UseReducerHandle<Show>) -> Html {
    let words = Words::of(lang);
    let show = show.clone();
    let on_file = Callback::from(move |file| open(&show, file));
    html! {
        <div class="panel bench-open">
            { file_choice(words.open, words.open_note, words.choose, on_file) }
        </div>
    }
}

/// Opens a file. What is wrong with it is said in a sentence, and changes nothing.
fn open(show: &UseReducerHandle<Show>, file: File) {
    let show = show.dispatcher();
    spawn_local(async move {
        let name = file.name();
        show.dispatch(match read(&file).await {
            Ok(record) => Msg::Open(Opened { name, record }),
            Err(why) => Msg::Remark(Remark::File(name, why)),
        });
    });
}

async fn read(file: &File) -> Result<Record, Unreadable> {
    // One that is too large is not even taken into memory.
    if file.size() > MAX_FILE as f64 {
        return Err(Unreadable::TooLarge(file.size() as usize));
    }
    let buffer = JsFuture::from(file.array_buffer()).await;
    let buffer = buffer.ok().and_then(|buffer| buffer.dyn_into::<ArrayBuffer>().ok());
    let buffer = buffer.ok_or(Unreadable::CutOff(1))?;
    Record::read(&Uint8Array::new(&buffer).to_vec())
}

/// For an element that takes files by drag and drop: what to do while one is over it, and when it
/// is dropped.
pub fn droppable(show: &UseReducerHandle<Show>) -> (Callback<DragEvent>, Callback<DragEvent>) {
    let show = show.clone();
    crate::ui::sharing::droppable(Callback::from(move |file| open(&show, file)))
}
