//! Where cards stand and how messages travel between them.
//!
//! Pure geometry, in pixels of the stage. The arrangement follows from the messages of the
//! schedule, not from the algorithm's name: if everybody only talks to the next rank it is a ring,
//! if one rank is at one end of every message it is a star, and so on. [`Shape`] says how to add a
//! structure.
//!
//! Where the cards are too small to tell their values, one of them is magnified: the [`Lens`].

mod arrange;
mod frame;
mod path;
mod search;
mod shape;
#[cfg(test)]
mod tests;

pub use frame::{Cards, Detail, Frame, Measures};
pub use path::{Path, eased};
pub use search::layout;
pub use shape::{Shape, Tree, shape};

use crate::engine::collective::Collective;
use crate::engine::{Label, Rank};
use arrange::{NAME, PAD, Way};

/// How many hues there are for chunks; beyond these the name decides.
const HUES: usize = 8;

/// The hue of a chunk and all its segments, the same everywhere on the page: by its place in the
/// vector.
pub fn hue(collective: &Collective, label: Label) -> usize {
    collective.place(label) / collective.segments % HUES
}

/// A point of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

impl Point {
    /// The straight line to `other`.
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The point half way to `other`.
    fn between(self, other: Point) -> Point {
        Point { x: (self.x + other.x) / 2.0, y: (self.y + other.y) / 2.0 }
    }
}

/// Where the selected rank's card is drawn a second time, larger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Its centre.
    pub center: Point,
    /// How it is drawn.
    pub frame: Frame,
}

/// Where everything stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Width of the stage.
    pub width: f64,
    /// Height of the stage.
    pub height: f64,
    /// How every card is drawn.
    pub frame: Frame,
    /// Centre of each rank's card.
    pub centers: Vec<Point>,
    /// Where one card is magnified, if the cards are small.
    pub lens: Option<Lens>,
    /// The structure of the messages.
    pub shape: Shape,
}

impl Layout {
    /// Whether more goes on at once than can be told apart: then only what the selected rank sends
    /// and receives is distinct.
    pub fn is_busy(&self) -> bool {
        self.lens.is_some() || (self.shape == Shape::Mesh && self.centers.len() > 4)
    }

    /// Where the messages of `rank` begin and end: at its card, or where messages would go through
    /// the lens, at the lens that magnifies it.
    fn body(&self, rank: Rank, selected: Rank) -> (Point, &Frame) {
        match &self.lens {
            Some(lens) if rank == selected && self.shape.crosses() => (lens.center, &lens.frame),
            _ => (self.centers[rank], &self.frame),
        }
    }

    /// The outline of each node, if the ranks stand in nodes: left, top, width, height.
    pub fn nodes(&self) -> Vec<[f64; 4]> {
        let &Shape::Nodes(size) = &self.shape else { return Vec::new() };
        let Frame { width, height, .. } = self.frame;
        let outline = |node: &[Point]| {
            let (first, last) = (node[0], node[size - 1]);
            let (x, y) = (first.x - width / 2.0 - PAD, first.y - height / 2.0 - NAME);
            let (across, down) = (last.x - first.x, last.y - first.y);
            [x, y, across + width + 2.0 * PAD, down + height + NAME + PAD]
        };
        self.centers.chunks_exact(size).map(outline).collect()
    }

    /// Whether the straight line between two cards meets another, where they are to be passed.
    fn is_barred(&self, (from, to): (Rank, Rank), normal: Point) -> bool {
        let (a, b) = (self.centers[from], self.centers[to]);
        let (middle, Frame { width, height, .. }) = (a.between(b), self.frame);
        let meets = |center: Point| {
            let (x, y) = (center.x - middle.x, center.y - middle.y);
            let half = (normal.x.abs() * width + normal.y.abs() * height) / 2.0;
            x.abs() < (width + (a.x - b.x).abs()) / 2.0
                && y.abs() < (height + (a.y - b.y).abs()) / 2.0
                && (x * normal.x + y * normal.y).abs() < half
        };
        let others = self.centers.iter().enumerate().filter(|(r, _)| *r != from && *r != to);
        !self.shape.crosses() && others.into_iter().any(|(_, &center)| meets(center))
    }

    /// The nearest place to `point` where something of this size lies on the stage.
    pub fn inside(&self, point: Point, (width, height): (f64, f64)) -> Point {
        let within = |x: f64, half: f64, most: f64| x.min(most - half).max(half);
        Point {
            x: within(point.x, width / 2.0, self.width),
            y: within(point.y, height / 2.0, self.height),
        }
    }

    /// The way from one rank to another, for something that is `size` large and stays clear of both
    /// cards.
    pub fn path(&self, (from, to): (Rank, Rank), selected: Rank, size: (f64, f64)) -> Path {
        let (a, b) = (self.body(from, selected), self.body(to, selected));
        let (middle, length) = (a.0.between(b.0), a.0.distance(b.0).max(1.0));
        // To the left of the direction of travel, and from the middle of the stage.
        let normal = Point { x: (b.0.y - a.0.y) / length, y: -(b.0.x - a.0.x) / length };
        let outward = Point { x: middle.x - self.width / 2.0, y: middle.y - self.height / 2.0 };
        let outside = normal.x * outward.x + normal.y * outward.y;
        let across = normal.x.abs() * size.0 + normal.y.abs() * size.1;
        let aside = |point: Point, by: f64| Point {
            x: point.x + normal.x * by,
            y: point.y + normal.y * by,
        };
        // Where something of this size gets clear of a card on its way, which runs `lane` beside
        // the line between the centres.
        let clear = |(center, frame): (Point, &Frame), target, size, lane| {
            edge(center, (frame.width, frame.height), aside(center, lane), target, size)
        };
        match self.shape.way(self.centers.len()) {
            Way::Round(bulge) => {
                // Two ranks have a way on either side; any other way bulges outwards.
                let outwards = if outside.abs() > 1.0 { outside.signum() } else { 1.0 };
                let control = aside(middle, bulge * length * outwards);
                let (start, end) = (clear(a, control, size, 0.0), clear(b, control, size, 0.0));
                Path { start, control, end }
            }
            way => {
                // The middle between the cards: one of them may be a lens, much larger than the
                // other.
                let none = (0.0, 0.0);
                let middle = clear(a, b.0, none, 0.0).between(clear(b, a.0, none, 0.0));
                let free = |x: f64, most: f64, size: f64| x.min(most - x) - size / 2.0;
                let edges = [a.0, b.0].map(|Point { x, y }| {
                    let (x, y) = (free(x, self.width, size.0), free(y, self.height, size.1));
                    (x / normal.x.abs().max(1e-9)).min(y / normal.y.abs().max(1e-9))
                });
                let edge = edges.into_iter().fold(f64::INFINITY, f64::min);
                // Whatever is in the way is passed beside the cards, in a bow. Along the edge of
                // the stage there is little room to keep to one side.
                let (lane, bow) = match way {
                    Way::Lanes if self.is_barred((from, to), normal) => {
                        let frame = &self.frame;
                        let card = normal.x.abs() * frame.width + normal.y.abs() * frame.height;
                        ((card + across) / 2.0 + 6.0, 0.1 * length)
                    }
                    Way::Lanes => (0.6 * across, 0.0),
                    _ => (0.0, 0.0),
                };
                let within = |lane: f64| lane.min(edge).max(0.0);
                let (lane, control) = (within(lane), aside(middle, within(lane + bow)));
                // The way back sees the lane on its other side.
                let (start, end) = (clear(a, control, size, lane), clear(b, control, size, lane));
                Path { start, control, end }
            }
        }
    }
}

/// Where something of this size is clear of a card that it leaves from `from` towards `target`; at
/// the target if it never is.
fn edge(center: Point, card: (f64, f64), from: Point, target: Point, size: (f64, f64)) -> Point {
    let (dx, dy) = (target.x - from.x, target.y - from.y);
    let share = |off: f64, d: f64, card: f64, size: f64| {
        ((card + size) / 2.0 + 5.0 - off * d.signum()) / d.abs().max(1e-9)
    };
    let share_x = share(from.x - center.x, dx, card.0, size.0);
    let share_y = share(from.y - center.y, dy, card.1, size.1);
    let reach = share_x.min(share_y).clamp(0.0, 1.0);
    Point { x: from.x + dx * reach, y: from.y + dy * reach }
}
