//! Where the cards of each structure stand. Everything that depends on the structure is here.

use super::{Point, Shape, Tree};
use crate::engine::Rank;

/// The part of the stage that cards may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    pub fn middle(&self) -> Point {
        Point { x: self.left + self.width / 2.0, y: self.top + self.height / 2.0 }
    }

    /// Whether a box of this size lies in it.
    pub fn holds(&self, center: Point, (width, height): (f64, f64)) -> bool {
        let middle = self.middle();
        (center.x - middle.x).abs() <= (self.width - width) / 2.0
            && (center.y - middle.y).abs() <= (self.height - height) / 2.0
    }

    /// Puts a box of this size at the longer end: where its centre is, and what is left beside it.
    pub fn beside(&self, (width, height): (f64, f64), gap: f64) -> Option<(Point, Area)> {
        let (mut center, mut rest) = (self.middle(), *self);
        if self.width > 1.3 * self.height {
            center.x = self.left + MARGIN + width / 2.0;
            rest.width -= MARGIN + width + gap;
            rest.left += MARGIN + width + gap;
        } else {
            center.y = self.top + self.height - MARGIN - height / 2.0;
            rest.height -= MARGIN + height + gap;
        }
        let holds = self.holds(center, (width, height)) && rest.width > 0.0 && rest.height > 0.0;
        holds.then_some((center, rest))
    }
}

/// Space between the cards and the edge of the stage.
const MARGIN: f64 = 8.0;

/// A node's outline keeps so far from its cards.
pub(super) const PAD: f64 = 4.0;
/// Height of a node's name above its cards.
pub(super) const NAME: f64 = 18.0;

impl Shape {
    /// Centres of `n` cards, each `card` large; `hub` says whether a star has its root
    /// in the middle. None at all if there is no room for what is drawn round or between them.
    pub(super) fn centers(&self, n: usize, card: (f64, f64), area: Area, hub: bool) -> Vec<Point> {
        match self {
            _ if n == 1 => vec![area.middle()],
            Shape::Tree(of) => tree(of.root, &of.children, card, area),
            Shape::TwoTrees(of) => two_trees(of, card, area),
            Shape::Nodes(size) => nodes(n, *size, card, area),
            Shape::Cube => cube(n, card, area),
            Shape::Star(root) if hub => {
                let mut centers = around(n - 1, card, area);
                centers.insert(*root, area.middle());
                centers
            }
            Shape::Switch => {
                let mut centers = around(n - 1, card, area);
                centers.push(area.middle());
                centers
            }
            Shape::Mesh if n == 4 => corners(card, area),
            Shape::Ring | Shape::Neighbors | Shape::Star(_) | Shape::Mesh => around(n, card, area),
        }
    }

    /// Whether the cards leave the middle of the stage free; if not, a card is magnified beside
    /// them.
    pub(super) fn is_hollow(&self) -> bool {
        matches!(self, Shape::Ring | Shape::Neighbors) || self.crosses()
    }

    /// Whether messages cross the middle of the stage. Then the magnified card stands in for its
    /// rank: there its messages begin and end.
    pub fn crosses(&self) -> bool {
        matches!(self, Shape::Star(_) | Shape::Mesh)
    }

    /// How messages travel among `n` ranks.
    pub(super) fn way(&self, n: usize) -> Way {
        match self {
            // The cards of many ranks stand along straight sides.
            Shape::Ring => Way::Round(if n == 2 {
                0.2
            } else if n <= ROUND {
                0.16
            } else {
                0.05
            }),
            Shape::Tree(_) | Shape::Star(_) => Way::Straight,
            _ => Way::Lanes,
        }
    }
}

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    /// Along the outside of a ring; the bulge is a share of the way's length.
    Round(f64),
    /// Straight.
    Straight,
    /// Straight, each direction on its own side, because both are in use at once.
    Lanes,
}

/// So many cards stand on an ellipse; more nearly on a rectangle.
const ROUND: usize = 6;

/// Evenly along a rounded rectangle, clockwise from the top; two stand side by side.
fn around(n: usize, card: (f64, f64), area: Area) -> Vec<Point> {
    let (middle, (rx, ry)) = (area.middle(), radii(n, card, area));
    // A superellipse: the way around a square that stands on its corner, pushed out to the curve.
    let radius = |x: f64, y: f64| match n {
        0..=ROUND => x.hypot(y),
        _ => (x.powi(4) + y.powi(4)).sqrt().sqrt(),
    };
    let wave = |turn: f64| 1.0 - 4.0 * (turn - turn.round()).abs();
    let at = |turn: f64| {
        let (x, y) = (wave(turn - 0.25), -wave(turn));
        let out = 1.0 / radius(x, y);
        Point { x: middle.x + rx * x * out, y: middle.y + ry * y * out }
    };
    if n == 2 {
        return vec![at(0.75), at(0.25)];
    }
    const SAMPLES: usize = 720;
    let points: Vec<Point> = (0..=SAMPLES).map(|i| at(i as f64 / SAMPLES as f64)).collect();
    let mut lengths = vec![0.0];
    let mut total = 0.0;
    for pair in points.windows(2) {
        total += pair[0].distance(pair[1]);
        lengths.push(total);
    }
    let position = |rank: usize| {
        let wanted = total * rank as f64 / n as f64;
        // A little less than wanted, so that rounding does not skip the point that is meant.
        points[lengths.partition_point(|&l| l < wanted - 1e-6 * total).min(SAMPLES)]
    };
    (0..n).map(position).collect()
}

/// Four that all talk to each other: clockwise from the upper left, so that every pair has a long
/// way.
fn corners(card: (f64, f64), area: Area) -> Vec<Point> {
    let (middle, (x, y)) = (area.middle(), radii(4, card, area));
    let at = |(i, j): (f64, f64)| Point { x: middle.x + i * x, y: middle.y + j * y };
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(at).to_vec()
}

/// How far from the middle the outermost cards stand; a few small ones do not spread over all of a
/// wide stage.
fn radii(n: usize, (card_w, card_h): (f64, f64), area: Area) -> (f64, f64) {
    let rx = ((area.width - card_w) / 2.0 - MARGIN).min((card_w + 90.0) * n as f64 / 2.0);
    let ry = (area.height - card_h) / 2.0 - MARGIN;
    (rx.max(1.0), ry.max(1.0))
}

/// The levels below each other or, on a wide stage, beside each other; every parent in the middle
/// of its children, so that no two links cross.
fn tree(root: Rank, children: &[Vec<Rank>], card: (f64, f64), area: Area) -> Vec<Point> {
    // Places are (leaf, level) first: leaves are counted from left to right.
    let mut places = vec![(0.0, 0.0); children.len()];
    let (mut leaves, mut levels) = (0.0, 0.0f64);
    let mut pending = vec![(root, 0.0, false)];
    while let Some((rank, level, placed)) = pending.pop() {
        let below = &children[rank];
        if let (Some(&first), Some(&last)) = (below.first(), below.last()) {
            if placed {
                places[rank] = ((places[first].0 + places[last].0) / 2.0, level);
            } else {
                pending.push((rank, level, true));
                pending.extend(below.iter().rev().map(|&child| (child, level + 1.0, false)));
            }
        } else {
            places[rank] = (leaves, level);
            (leaves, levels) = (leaves + 1.0, levels.max(level));
        }
    }
    let wide = area.width > 1.5 * area.height;
    let turned = |(x, y): (f64, f64)| if wide { (y, x) } else { (x, y) };
    // Few leaves and levels do not spread over all of the stage.
    let (room, size) = (turned((area.width, area.height)), turned(card));
    let pitch = |room: f64, size: f64, most: f64, count: f64| {
        ((room - size - 2.0 * MARGIN) / count.max(1.0)).min(most)
    };
    let (leaf, level) = (
        pitch(room.0, size.0, 2.4 * size.0, leaves - 1.0),
        pitch(room.1, size.1, size.1 + 200.0, levels),
    );
    let middle = area.middle();
    let stand = |place: (f64, f64)| {
        let at = ((place.0 - (leaves - 1.0) / 2.0) * leaf, (place.1 - levels / 2.0) * level);
        let (x, y) = turned(at);
        Point { x: middle.x + x, y: middle.y + y }
    };
    places.into_iter().map(stand).collect()
}

/// The ranks from left to right. Whoever has children in the first tree stands above the middle,
/// its root on top; whoever has some in the second below, its root at the bottom.
fn two_trees(trees: &[Tree; 2], card: (f64, f64), area: Area) -> Vec<Point> {
    let (n, middle) = (trees[0].children.len(), area.middle());
    let pitch = ((area.width - card.0 - 2.0 * MARGIN) / (n - 1) as f64).min(card.0 + 60.0);
    // Siblings are two ranks apart at least, and the links between them are to be seen.
    if card.0 > 1.5 * pitch {
        return Vec::new();
    }
    let reach = (area.height - card.1) / 2.0 - MARGIN;
    let heights = trees.each_ref().map(|tree| {
        let depths = tree.depths();
        let inner = |rank: Rank| !tree.children[rank].is_empty();
        let levels = 1 + (0..n).filter(|&r| inner(r)).map(|r| depths[r]).max().unwrap_or(0);
        let height = |rank| match inner(rank) {
            true => reach * (1.0 - depths[rank] as f64 / levels as f64),
            false => 0.0,
        };
        (0..n).map(height).collect::<Vec<f64>>()
    });
    let stand = |rank: Rank| Point {
        x: middle.x + (rank as f64 - (n - 1) as f64 / 2.0) * pitch,
        // Of an odd number one rank has children in both.
        y: match heights[0][rank] {
            0.0 => middle.y + heights[1][rank],
            up => middle.y - up,
        },
    };
    (0..n).map(stand).collect()
}

/// Every bit of the ranks' numbers has a direction: a square, a cube seen from one side, and two
/// cubes seen from a corner, where no link runs along another.
fn cube(n: usize, card: (f64, f64), area: Area) -> Vec<Point> {
    let steps: &[(f64, f64)] = match n {
        4 => &[(1.0, 0.0), (0.0, 1.0)],
        8 => &[(2.0, 0.0), (0.0, 2.0), (1.0, 1.0)],
        _ => &[(2.0, -2.0), (0.0, 4.0), (1.0, 1.0), (4.0, 0.0)],
    };
    let (middle, (x, y)) = (area.middle(), radii(n / 2, card, area));
    let (mut across, mut down) = (0.0, 0.0f64);
    for step in steps {
        (across, down) = (across + step.0, down + step.1.abs());
    }
    // A link keeps one unit from the middle of any card that it goes by.
    let (x, y) = (x / across, y / down);
    if 4.0 * x < card.0 + 8.0 || 4.0 * y < card.1 + 8.0 {
        return Vec::new();
    }
    let stand = |rank: Rank| {
        let mut at = middle;
        for (bit, step) in steps.iter().enumerate() {
            let side = if rank >> bit & 1 == 1 { 1.0 } else { -1.0 };
            (at.x, at.y) = (at.x + side * step.0 * x, at.y + side * step.1 * y);
        }
        at
    };
    (0..n).map(stand).collect()
}

/// The nodes beside each other and the ranks of each below each other, or the other way round where
/// that leaves a card more room.
fn nodes(n: usize, size: usize, card: (f64, f64), area: Area) -> Vec<Point> {
    let count = n / size;
    let (width, height) = (area.width - 2.0 * MARGIN, area.height - 2.0 * MARGIN);
    let slot = |across: usize, down: usize, names: usize| {
        (width / across as f64, (height - names as f64 * NAME) / down as f64)
    };
    let room = |(width, height): (f64, f64)| (width / card.0).min(height / card.1);
    let (beside, below) = (slot(count, size, 1), slot(size, count, count));
    let rows = room(below) > room(beside);
    let (width, height) = if rows { below } else { beside };
    let width = width.min(card.0 + 200.0);
    let between = if rows { height - card.1 } else { width - card.0 };
    if between < 2.0 * PAD + 2.0 {
        return Vec::new();
    }
    let left = area.middle().x - (if rows { size } else { count } - 1) as f64 * width / 2.0;
    let stand = |rank: Rank| {
        let (node, rail) = (rank / size, rank % size);
        let (column, row, names) = if rows { (rail, node, node + 1) } else { (node, rail, 1) };
        Point {
            x: left + column as f64 * width,
            y: area.top + MARGIN + names as f64 * NAME + (row as f64 + 0.5) * height,
        }
    };
    (0..n).map(stand).collect()
}
