//! The stage as a picture.

use super::caption::caption;
use super::film::film;
use super::photograph::photograph;
use super::raster::{data_address, pause, png};
use super::save::{may_save, save, save_blob};
use super::{Moment, file_name};
use crate::ui::export::svg::{Caption, picture};
use crate::ui::scenario::Theme;
use crate::ui::stage::Stage;
use crate::ui::text::share::ShareWords;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;
use yew::prelude::*;

/// The size of the stage in a picture, in pixels; the stylesheet says the same of `.darkroom`.
const SIZE: (usize, usize) = (960, 500);

/// Properties of [`Picture`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// What is shared.
    pub moment: Rc<Moment>,
}

/// A picture of the moment in the chosen theme, to look at and to save.
#[component]
pub fn Picture(props: &Props) -> Html {
    let moment = &props.moment;
    let (lang, words) = (moment.lang, ShareWords::of(moment.lang));
    let theme = use_state_eq(|| moment.theme);
    let svg = use_state_eq(|| None::<Rc<str>>);
    let said = use_state_eq(|| None::<(&'static str, bool)>);
    let room = use_node_ref();
    // What the stage shows, and while it is filmed how far that is.
    let time = use_state_eq(|| moment.time);
    let filming = use_state_eq(|| None::<(usize, usize)>);
    let filmed = use_mut_ref(|| Rc::new(Cell::new(false)));
    {
        let filmed = filmed.clone();
        use_effect_with((), move |()| move || filmed.borrow().set(false));
    }
    let about = use_memo((), |()| caption(moment, moment.time));
    {
        let (room, svg, about) = (room.clone(), svg.clone(), about.clone());
        use_effect_with(*theme, move |&theme| {
            let wanted = Rc::new(Cell::new(true));
            let still = wanted.clone();
            spawn_local(async move {
                // The stage draws itself once it knows how large it is, which takes a moment.
                while still.get() {
                    pause(0).await;
                    let picture = room.cast().and_then(|room| developed(&room, theme, &about));
                    if picture.is_some() {
                        svg.set(picture);
                        break;
                    }
                }
            });
            move || wanted.set(false)
        });
    }
    let choose = |chosen: Theme, name: &'static str| {
        let theme = theme.clone();
        let pressed = (*theme == chosen).to_string();
        let onclick = Callback::from(move |_: MouseEvent| theme.set(chosen));
        html! {
            <button type="button" class="segment" aria-pressed={pressed} {onclick}>{ name }</button>
        }
    };
    let on_svg = {
        let (svg, said, name) = (svg.clone(), said.clone(), file_name(moment, "svg"));
        Callback::from(move |_: MouseEvent| {
            let Some(svg) = &*svg else { return };
            let saved = may_save() && save(&name, "image/svg+xml", svg.as_bytes()).is_ok();
            said.set(Some(if saved { (words.saved, true) } else { (words.take_picture, false) }));
        })
    };
    let on_png = {
        let (svg, said, name) = (svg.clone(), said.clone(), file_name(moment, "png"));
        Callback::from(move |_: MouseEvent| {
            let Some(svg) = (*svg).clone() else { return };
            let (said, name) = (said.clone(), name.clone());
            said.set(None);
            spawn_local(async move {
                said.set(Some(match png(&svg).await {
                    Err(_) => (words.no_png, false),
                    Ok(blob) if may_save() && save_blob(&name, &blob).is_ok() => {
                        (words.saved, true)
                    }
                    Ok(_) => (words.take_picture, false),
                }));
            });
        })
    };
    let on_gif = {
        let (time, filming, said, room) =
            (time.clone(), filming.clone(), said.clone(), room.clone());
        let (moment, theme, filmed) = (moment.clone(), *theme, filmed.clone());
        Callback::from(move |_: MouseEvent| {
            let Some(room) = room.cast::<Element>() else { return };
            let (time, filming, said) = (time.clone(), filming.clone(), said.clone());
            let moment = moment.clone();
            let wanted = Rc::new(Cell::new(true));
            *filmed.borrow_mut() = wanted.clone();
            said.set(None);
            spawn_local(async move {
                let show = |moment: f64| time.set(moment);
                let tell = |done, all| filming.set(Some((done, all)));
                let bytes = film(&moment, &room, theme, &wanted, show, tell).await;
                time.set(moment.time);
                filming.set(None);
                let name = file_name(&moment, "gif");
                said.set(match bytes {
                    Ok(None) => None,
                    Err(_) => Some((words.no_gif, false)),
                    Ok(Some(bytes)) if may_save() && save(&name, "image/gif", &bytes).is_ok() => {
                        Some((words.saved, true))
                    }
                    Ok(Some(_)) => Some((words.take_picture, false)),
                });
            });
        })
    };
    let on_cancel = Callback::from(move |_: MouseEvent| filmed.borrow().set(false));
    let tone = format!("darkroom v-{}", moment.phase(moment.time).name());
    html! {
        <section class="share-part">
            <div class="panel-head">
                <h3>{ words.picture }</h3>
                <span class="segmented" role="group" aria-label={words.theme}>
                    { choose(Theme::Light, words.light) }
                    { choose(Theme::Dark, words.dark) }
                </span>
            </div>
            <div class="share-picture">
                if let Some(svg) = &*svg {
                    <img src={data_address(svg)} alt={about.sentence.clone()} width="960"
                        height="540" />
                }
            </div>
            <div class="offer-buttons" role="group" aria-label={words.picture}>
                <button type="button" class="button" onclick={on_svg}>{ "SVG" }</button>
                <button type="button" class="button" onclick={on_png}>{ "PNG" }</button>
                if let Some((done, all)) = *filming {
                    <button type="button" class="button" onclick={on_cancel}>
                        { words.cancel }
                    </button>
                    <progress value={done.to_string()} max={all.to_string()}
                        aria-label={words.filming} />
                } else {
                    <button type="button" class="button" onclick={on_gif}>{ "GIF" }</button>
                }
            </div>
            { said_line(*said) }
            <div class={tone} aria-hidden="true" ref={room}>
                <Stage {lang} prepared={moment.take.prepared.clone()}
                    replay={moment.replay.clone()} time={*time}
                    selected={moment.scenario.view.selected} on_select={Callback::noop()} />
            </div>
        </section>
    }
}

fn said_line(said: Option<(&'static str, bool)>) -> Html {
    let (text, fine) = said.unwrap_or(("", true));
    let class = classes!("offer-said", (!fine).then_some("is-attention"));
    html! { <span {class} role="status">{ text }</span> }
}

/// The picture of what is drawn in `room`.
pub fn developed(room: &Element, theme: Theme, caption: &Caption) -> Option<Rc<str>> {
    let (stage, colours) = photograph(room, theme).ok()??;
    let window = web_sys::window()?;
    let style = window.get_computed_style(room).ok()??;
    let font = style.get_property_value("font-family").ok()?;
    Some(picture(caption, &colours, &font, &stage, SIZE).into())
}
