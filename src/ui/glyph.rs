//! The glyph of a verb and the mark of the page, as inline SVG. Both are decoration beside a name,
//! so they are hidden from assistive technology.

use crate::engine::collective::Verb;
use std::fmt::Write;
use yew::prelude::*;

use super::picture::{Grid, Square, picture};

/// Size of a square and distance from one to the next, in pixels: whole numbers keep edges crisp.
const SQUARE: usize = 4;
const PITCH: usize = 5;
/// Where the picture after starts: the picture before is 19 wide, the arrow takes 8.
const AFTER: usize = 27;

/// The 4 x 4 picture of a verb, before and after. 46 x 19 pixels unless a class says otherwise.
pub fn glyph(verb: Verb) -> Html {
    let (before, after) = picture(verb);
    html! {
        <svg class="glyph" viewBox="0 0 46 19" width="46" height="19" aria-hidden="true"
            focusable="false">
            { for squares(&before, 0) }
            <path class="glyph-arrow" d="M20.5 9.5h5m-2-2l2 2l-2 2" />
            { for squares(&after, AFTER) }
        </svg>
    }
}

/// One path for each kind of square in the grid: a few nodes instead of sixteen.
fn squares(grid: &Grid, left: usize) -> Vec<Html> {
    let mut paths: Vec<(Square, String)> = Vec::new();
    for (row, squares) in grid.iter().enumerate() {
        for (column, square) in squares.iter().enumerate() {
            let known = paths.iter().position(|(kind, _)| kind == square);
            let index = known.unwrap_or_else(|| {
                paths.push((*square, String::new()));
                paths.len() - 1
            });
            let (x, y) = (left + column * PITCH, row * PITCH);
            // A square with its corners rounded by one pixel. Writing to a string cannot fail.
            let side = SQUARE - 2;
            let _ = write!(
                paths[index].1,
                "M{} {y}h{side}q1 0 1 1v{side}q0 1-1 1h-{side}q-1 0-1-1v-{side}q0-1 1-1z",
                x + 1
            );
        }
    }
    let draw = |(kind, d): (Square, String)| {
        let class = match kind {
            Square::Empty => classes!("glyph-empty"),
            Square::Chunk(hue) => classes!("glyph-chunk", format!("h{}", hue % 8)),
            Square::Reduced => classes!("glyph-reduced"),
        };
        html! { <path {class} {d} /> }
    };
    paths.into_iter().map(draw).collect()
}

/// The mark of the page: four ranks on a ring, and in the middle what they made together.
pub fn brand() -> Html {
    let dots = [(12, 3), (21, 12), (12, 21), (3, 12)];
    html! {
        <svg class="brand-mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"
            focusable="false">
            <circle class="brand-ring" cx="12" cy="12" r="9" />
            <circle class="brand-sum" cx="12" cy="12" r="2.5" />
            { for dots.iter().enumerate().map(|(hue, (x, y))| html! {
                <circle class={classes!("brand-dot", format!("h{hue}"))} cx={x.to_string()}
                    cy={y.to_string()} r="3" />
            }) }
        </svg>
    }
}
