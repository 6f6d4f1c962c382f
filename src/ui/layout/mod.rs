//! Where cards stand and how messages travel between them.
//!
//! Pure geometry, in pixels of the stage. The arrangement follows from the messages of the
//! schedule, not from the algorithm's name: if everybody only talks to the next rank it is a ring,
//! if one rank is at one end of every message it is a star, and so on.

mod shape;

pub use shape::{Shape, shape};

use crate::engine::collective::Collective;
use crate::engine::{Label, Rank};
use std::f64::consts::TAU;

/// How many hues there are for chunks; beyond these the name decides.
const HUES: usize = 8;

/// The hue of a chunk, the same everywhere on the page: by its place in the vector.
pub fn hue(collective: &Collective, label: Label) -> usize {
    collective.place(label) % HUES
}

/// A point of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// How much of a cell there is room to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Name, value, fill and dots.
    Full,
    /// Value and fill.
    Compact,
    /// Fill only.
    Tiny,
}

/// The measures of one level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// What is drawn in a cell.
    pub detail: Detail,
    /// Cell width.
    pub cell_w: f64,
    /// Cell height.
    pub cell_h: f64,
    /// Gap between cells.
    pub gap: f64,
    /// Height of the card's heading.
    pub head: f64,
    /// Space round the cells.
    pub pad: f64,
}

const LEVELS: [Measures; 4] = [
    Measures { detail: Detail::Full, cell_w: 56.0, cell_h: 54.0, gap: 6.0, head: 32.0, pad: 14.0 },
    Measures { detail: Detail::Full, cell_w: 46.0, cell_h: 46.0, gap: 4.0, head: 26.0, pad: 9.0 },
    Measures {
        detail: Detail::Compact,
        cell_w: 30.0,
        cell_h: 24.0,
        gap: 3.0,
        head: 22.0,
        pad: 6.0,
    },
    Measures { detail: Detail::Tiny, cell_w: 13.0, cell_h: 13.0, gap: 2.0, head: 18.0, pad: 5.0 },
];

/// Where everything stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Width of the stage.
    pub width: f64,
    /// Height of the stage.
    pub height: f64,
    /// Cell measures.
    pub measures: Measures,
    /// Cells next to each other in a card.
    pub columns: usize,
    /// Lines that one row of a card takes.
    pub lines: usize,
    /// Card width.
    pub card_w: f64,
    /// Card height.
    pub card_h: f64,
    /// Centre of each rank's card.
    pub centers: Vec<Point>,
    /// How the cards are arranged.
    pub shape: Shape,
}

/// What the cards have to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cards {
    /// How many cards.
    pub ranks: usize,
    /// Rows of chunks in each card.
    pub rows: usize,
    /// Chunks in each row.
    pub chunks: usize,
    /// Numbers in each chunk.
    pub numbers: usize,
}

/// Lays out cards on a stage of this size.
///
/// Takes the most detail that fits; cells wrap into several lines where that helps, and few cells
/// of several numbers are wider. If nothing fits, the stage grows, and the page scales it down.
pub fn layout(shape: &Shape, cards: Cards, size: (f64, f64)) -> Layout {
    let Cards { ranks, rows, chunks, numbers } = cards;
    let (width, height) = size;
    for level in LEVELS {
        for wide in [2.6, 1.6, 1.0] {
            if wide > 1.0 && (numbers < 2 || chunks > 2 || level.detail == Detail::Tiny) {
                continue;
            }
            let measures = Measures { cell_w: level.cell_w * wide, ..level };
            for lines in 1..=chunks.div_ceil(2).max(1) {
                let grid = (rows, chunks.div_ceil(lines).max(1), lines);
                let candidate = place(shape, ranks, grid, measures, (width, height));
                if candidate.fits() {
                    return candidate;
                }
            }
        }
    }
    let columns = chunks.clamp(1, 8);
    let grid = (rows, columns, chunks.div_ceil(columns).max(1));
    let (mut width, mut height) = (width, height);
    loop {
        (width, height) = (width * 1.1, height * 1.1);
        let candidate = place(shape, ranks, grid, LEVELS[3], (width, height));
        if candidate.fits() || width > 10_000.0 {
            return candidate;
        }
    }
}

fn place(
    shape: &Shape,
    ranks: usize,
    (rows, columns, lines): (usize, usize, usize),
    m: Measures,
    (width, height): (f64, f64),
) -> Layout {
    let stretch = |count: usize, size: f64| count as f64 * (size + m.gap) - m.gap;
    // A heading needs room for a rank and what it is doing, where there is room at all.
    let least = if m.detail == Detail::Tiny { 56.0 } else { 76.0 };
    let card_w = (stretch(columns, m.cell_w) + 2.0 * m.pad).max(least);
    let between_rows = (rows - 1) as f64 * m.gap;
    let card_h = m.head + stretch(rows * lines, m.cell_h) + between_rows + m.pad;
    let centers = centers(shape, ranks, (card_w, card_h), (width, height));
    let shape = shape.clone();
    Layout { width, height, measures: m, columns, lines, card_w, card_h, centers, shape }
}

fn centers(shape: &Shape, n: usize, card: (f64, f64), size: (f64, f64)) -> Vec<Point> {
    let (width, height) = size;
    let middle = Point { x: width / 2.0, y: height / 2.0 };
    match shape {
        _ if n == 1 => vec![middle],
        Shape::Tree(levels) => tree_centers(levels, n, card, size),
        Shape::Star(root) => {
            let mut others = around(n - 1, card, size).into_iter();
            let center =
                |rank| if rank == *root { middle } else { others.next().unwrap_or(middle) };
            (0..n).map(center).collect()
        }
        Shape::Ring | Shape::Mesh => around(n, card, size),
    }
}

/// Evenly along a rounded rectangle, clockwise from the top; two stand side by side.
fn around(n: usize, (card_w, card_h): (f64, f64), (width, height): (f64, f64)) -> Vec<Point> {
    let margin = 10.0;
    let (rx, ry) = ((width - card_w) / 2.0 - margin, (height - card_h) / 2.0 - margin);
    let (rx, ry) = (rx.max(1.0), ry.max(1.0));
    // A superellipse: round for few cards, nearly a rectangle for many.
    let power = if n <= 6 { 1.0 } else { 0.5 };
    let bent = |v: f64| v.signum() * v.abs().powf(power);
    let at = |turn: f64| {
        let angle = turn * TAU - TAU / 4.0;
        Point { x: width / 2.0 + rx * bent(angle.cos()), y: height / 2.0 + ry * bent(angle.sin()) }
    };
    if n == 2 {
        return vec![at(0.75), at(0.25)];
    }
    const SAMPLES: usize = 720;
    let points: Vec<Point> = (0..=SAMPLES).map(|i| at(i as f64 / SAMPLES as f64)).collect();
    let mut lengths = vec![0.0];
    for pair in points.windows(2) {
        let so_far = lengths.last().copied().unwrap_or(0.0);
        lengths.push(so_far + distance(pair[0], pair[1]));
    }
    let total = lengths.last().copied().unwrap_or(0.0);
    let position = |rank: usize| {
        let wanted = total * rank as f64 / n as f64;
        // A little less than wanted, so that rounding does not skip the point that is meant.
        points[lengths.partition_point(|&l| l < wanted - 1e-6 * total).min(SAMPLES)]
    };
    (0..n).map(position).collect()
}

/// A row per level, the root on top; children stand in the order of their parents.
fn tree_centers(levels: &[Vec<Rank>], n: usize, card: (f64, f64), size: (f64, f64)) -> Vec<Point> {
    let (width, height) = size;
    let mut centers = vec![Point { x: width / 2.0, y: height / 2.0 }; n];
    let usable = height - card.1 - 20.0;
    for (depth, level) in levels.iter().enumerate() {
        let down = depth as f64 / (levels.len() - 1).max(1) as f64;
        for (index, &rank) in level.iter().enumerate() {
            let across = (index as f64 + 0.5) / level.len() as f64;
            centers[rank] = Point { x: width * across, y: 10.0 + card.1 / 2.0 + usable * down };
        }
    }
    centers
}

fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

impl Layout {
    /// Whether no two cards touch and all lie on the stage.
    pub fn fits(&self) -> bool {
        let gap = if self.measures.detail == Detail::Tiny { 6.0 } else { 12.0 };
        let inside = self.centers.iter().all(|c| {
            c.x - self.card_w / 2.0 >= 0.0
                && c.x + self.card_w / 2.0 <= self.width
                && c.y - self.card_h / 2.0 >= 0.0
                && c.y + self.card_h / 2.0 <= self.height
        });
        let apart = |a: Point, b: Point| {
            (a.x - b.x).abs() >= self.card_w + gap || (a.y - b.y).abs() >= self.card_h + gap
        };
        inside
            && self
                .centers
                .iter()
                .enumerate()
                .all(|(i, &a)| self.centers[i + 1..].iter().all(|&b| apart(a, b)))
    }

    /// The way from one rank's card to another's.
    pub fn path(&self, from: Rank, to: Rank) -> Path {
        let (a, b) = (self.centers[from], self.centers[to]);
        let middle = Point { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0 };
        let length = distance(a, b).max(1.0);
        // To the left of the direction of travel, so that both directions are told apart; round a
        // ring to the outside.
        let normal = Point { x: (b.y - a.y) / length, y: -(b.x - a.x) / length };
        let outward = Point { x: middle.x - self.width / 2.0, y: middle.y - self.height / 2.0 };
        let outside = normal.x * outward.x + normal.y * outward.y;
        let bulge = match self.shape {
            Shape::Ring if outside.abs() > 1.0 => 0.16 * length * outside.signum(),
            Shape::Ring => 0.2 * length,
            Shape::Tree(_) => 0.05 * length,
            Shape::Star(_) | Shape::Mesh => 0.1 * length,
        };
        let control = Point { x: middle.x + normal.x * bulge, y: middle.y + normal.y * bulge };
        Path { start: self.edge(a, control), control, end: self.edge(b, control) }
    }

    /// Where the line from a card's centre towards `target` leaves the card.
    fn edge(&self, center: Point, target: Point) -> Point {
        let (dx, dy) = (target.x - center.x, target.y - center.y);
        let (half_w, half_h) = (self.card_w / 2.0 + 5.0, self.card_h / 2.0 + 5.0);
        let reach = (half_w / dx.abs().max(1e-9)).min(half_h / dy.abs().max(1e-9)).min(1.0);
        Point { x: center.x + dx * reach, y: center.y + dy * reach }
    }
}

/// A quadratic curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// At the sender's card.
    pub start: Point,
    /// The control point.
    pub control: Point,
    /// At the receiver's card.
    pub end: Point,
}

impl Path {
    /// The point after the share `t` of the way.
    pub fn at(&self, t: f64) -> Point {
        let blend = |a: f64, b: f64, c: f64| {
            (1.0 - t) * (1.0 - t) * a + 2.0 * (1.0 - t) * t * b + t * t * c
        };
        Point {
            x: blend(self.start.x, self.control.x, self.end.x),
            y: blend(self.start.y, self.control.y, self.end.y),
        }
    }

    /// The distance between its ends.
    pub fn length(&self) -> f64 {
        distance(self.start, self.end)
    }

    /// The curve as SVG path data.
    pub fn data(&self) -> String {
        let Path { start, control, end } = self;
        format!(
            "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            start.x, start.y, control.x, control.y, end.x, end.y
        )
    }

    /// An arrow head at the end, as SVG path data.
    pub fn head(&self, size: f64) -> String {
        let (dx, dy) = (self.end.x - self.control.x, self.end.y - self.control.y);
        let length = dx.hypot(dy).max(1e-9);
        let (ux, uy) = (dx / length, dy / length);
        let wing = |side: f64| {
            let x = self.end.x - size * (ux - side * uy * 0.6);
            let y = self.end.y - size * (uy + side * ux * 0.6);
            format!("{x:.1} {y:.1}")
        };
        format!("M{}L{:.1} {:.1}L{}", wing(1.0), self.end.x, self.end.y, wing(-1.0))
    }
}

/// Slow, fast, slow: a packet leaves, travels and lands.
pub fn eased(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::algorithm::ALL;

    #[test]
    fn every_arrangement_keeps_its_cards_apart_on_a_desktop_and_on_a_phone() {
        for algorithm in &ALL {
            for &verb in algorithm.verbs {
                for n in 1..=16 {
                    let Ok(schedule) = algorithm.build(verb, n, 0, 1, false) else { continue };
                    let shape = shape(&schedule);
                    for size in [(960.0, 480.0), (360.0, 460.0)] {
                        for chunks in [1, schedule.collective.chunks(), 16] {
                            let cards = Cards { ranks: n, rows: 1, chunks, numbers: 4 };
                            let found = layout(&shape, cards, size);
                            let what = format!("{} {verb:?} n={n} {size:?}", algorithm.name);
                            assert!(found.fits(), "{what}: {found:?}");
                            assert!(found.width < 2.5 * size.0, "{what}: grew to {}", found.width);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn four_cards_with_four_chunks_are_drawn_in_full() {
        let cards = Cards { ranks: 4, rows: 1, chunks: 4, numbers: 1 };
        let found = layout(&Shape::Ring, cards, (960.0, 360.0));
        assert_eq!((found.measures, found.lines), (LEVELS[0], 1));
        // Opposite cards mirror each other.
        let xs: Vec<f64> = found.centers.iter().map(|c| c.x).collect();
        assert_eq!((xs[0], xs[1] + xs[3]), (xs[2], 960.0));
    }

    #[test]
    fn opposite_directions_take_different_ways() {
        let cards = Cards { ranks: 5, rows: 1, chunks: 5, numbers: 1 };
        let found = layout(&Shape::Mesh, cards, (960.0, 480.0));
        let (there, back) = (found.path(1, 3).at(0.5), found.path(3, 1).at(0.5));
        assert!(distance(there, back) > 10.0);
    }
}
