//! The list of keys.

use crate::ui::dialog::Dialog;
use crate::ui::text::Lang;
use crate::ui::text::track::TrackWords;
use yew::prelude::*;

/// The keys of the player, in a dialog.
pub fn help(lang: Lang, open: bool, on_close: Callback<()>) -> Html {
    let words = TrackWords::of(lang);
    let rows: [(&[&str], &str); 7] = [
        (&["Space"], words.key_play),
        (&["←", "→"], words.key_step),
        (&["Shift ←", "Shift →"], words.key_phase),
        (&[",", "."], words.key_fine),
        (&["Home", "End"], words.key_ends),
        (&["R"], words.key_restart),
        (&["?"], words.key_help),
    ];
    let row = |(keys, meaning): (&[&str], &str)| {
        html! {
            <>
                <dt class="row">
                { for keys.iter().map(|key| html! { <kbd class="kbd">{ *key }</kbd> }) }
            </dt>
                <dd>{ meaning.to_string() }</dd>
            </>
        }
    };
    html! {
        <Dialog title={words.keys} close={words.close} {open} {on_close}>
            <dl class="keys">{ for rows.into_iter().map(row) }</dl>
        </Dialog>
    }
}
