//! The connections that a schedule uses, drawn quietly.

use crate::engine::{Rank, distinct};
use crate::ui::layout::{Layout, Shape};
use crate::ui::scenario::Prepared;
use crate::ui::shared::Shared;
use yew::prelude::*;

/// Properties of [`Links`].
#[derive(Properties, PartialEq)]
pub struct Props {
    pub prepared: Shared<Prepared>,
    pub layout: Shared<Layout>,
    pub selected: Rank,
}

/// All connections. Where a rank is magnified among connections that cross each other, only its own
/// are distinct.
#[component]
pub fn Links(props: &Props) -> Html {
    let Props { prepared, layout, selected } = props;
    let selected = *selected;
    let messages = prepared.schedule.messages();
    let pairs = distinct(messages.iter().map(|m| (m.from, m.to)).collect());
    let (mut faint, mut drawn) = (String::new(), Vec::new());
    for &(from, to) in &pairs {
        let path = |ends| layout.path(ends, selected, (0.0, 0.0));
        let way = path((from, to));
        let both = layout.shape != Shape::Ring && pairs.contains(&(to, from));
        // The way back may be another.
        if both && from > to && path((to, from)).end.distance(way.start) < 1.0 {
            continue;
        }
        let own = from == selected || to == selected;
        if layout.is_busy() && layout.shape.crosses() && !own {
            faint += &way.data();
            continue;
        }
        let [first, second] = match &layout.shape {
            Shape::TwoTrees(trees) => trees.each_ref().map(|tree| tree.has((from, to))),
            _ => [true, false],
        };
        drawn.push(html! {
            <g>
                if first { <path class="link" d={way.data()} /> }
                if second { <path class="link is-second" d={way.data()} /> }
                if !both { <path class="arrow" d={way.head()} /> }
            </g>
        });
    }
    html! {
        <>
            if !faint.is_empty() { <path class="link is-faint" d={faint} /> }
            { for drawn }
        </>
    }
}
