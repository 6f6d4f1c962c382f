//! The best layout that fits.

use super::arrange::Area;
use super::frame::{LEVELS, frames};
use super::{Cards, Detail, Frame, Layout, Lens, Point, Shape};
use std::ops::Range;

/// Least widths of a lens, the most comfortable first.
const LENS_LEAST: [f64; 3] = [336.0, 250.0, 172.0];
/// Space between a lens and the cards, and where messages go through it.
const LENS_GAP: [f64; 2] = [16.0, 30.0];
/// Levels of a lens with the levels of cards beside it, the best pair first.
const MAGNIFIED: [(Range<usize>, Range<usize>); 5] =
    [(0..2, 3..5), (0..2, 5..6), (2..3, 3..6), (0..3, 6..7), (3..6, 4..7)];

/// Lays out cards on a stage of this size.
///
/// Takes the most detail that fits; cells wrap into several lines where that helps. Where that is
/// not everything, smaller cards make room for a lens if there is any to be had. If nothing fits,
/// the stage grows, and the page scales it down.
pub fn layout(shape: &Shape, cards: Cards, (width, height): (f64, f64)) -> Layout {
    let mut area = Area { left: 0.0, top: 0.0, width, height };
    // Many that all talk to each other leave no room for messages between cards that say all.
    let full = if *shape == Shape::Mesh && cards.count > 6 { 0..0 } else { 0..3 };
    let found = plain(shape, cards, full, area).or_else(|| magnified(shape, cards, area));
    let mut found = found.or_else(|| plain(shape, cards, 0..LEVELS.len(), area));
    loop {
        if let Some((frame, centers, lens)) = found {
            let Area { width, height, .. } = area;
            return Layout { width, height, frame, centers, lens, shape: shape.clone() };
        }
        (area.width, area.height) = (area.width * 1.1, area.height * 1.1);
        found = plain(shape, cards, LEVELS.len() - 1..LEVELS.len(), area);
    }
}

/// The cards, where they stand, and the lens.
type Found = (Frame, Vec<Point>, Option<Lens>);

/// Cards that say all themselves. One line of cells is easier to read than a block of larger ones.
fn plain(shape: &Shape, cards: Cards, levels: Range<usize>, area: Area) -> Option<Found> {
    let frames = frames(cards, levels, None);
    for lines in 1..=cards.chunks.max(1) {
        for frame in frames.iter().filter(|frame| frame.lines == lines) {
            if let Some(centers) = stand(shape, cards.count, frame, area, true) {
                return Some((*frame, centers, None));
            }
        }
    }
    None
}

/// Small cards, one of them magnified.
fn magnified(shape: &Shape, cards: Cards, area: Area) -> Option<Found> {
    if cards.count < 3 {
        return None;
    }
    let (hollow, gap) = (shape.is_hollow(), LENS_GAP[usize::from(shape.crosses())]);
    let stand = |frame: &Frame, area| stand(shape, cards.count, frame, area, false);
    for (large, small) in MAGNIFIED {
        let small = frames(cards, small, None);
        // Round a lens the cards stand as they would without it.
        let round: Vec<_> =
            small.iter().map(|f| if hollow { stand(f, area) } else { None }).collect();
        for (level, least) in large.flat_map(|level| LENS_LEAST.map(|least| (level, least))) {
            for lens in frames(cards, level..level + 1, Some(least)) {
                let size = (lens.width, lens.height);
                let beside =
                    if hollow { Some((area.middle(), area)) } else { area.beside(size, gap) };
                let Some((center, rest)) = beside.filter(|b| area.holds(b.0, size)) else {
                    continue;
                };
                for (frame, round) in small.iter().zip(&round) {
                    let clear = |c: &Point| apart((*c, frame), (center, &lens), gap);
                    let centers = match round {
                        Some(round) if round.iter().all(clear) => Some(round.clone()),
                        None if !hollow => stand(frame, rest),
                        _ => None,
                    };
                    if let Some(centers) = centers {
                        return Some((*frame, centers, Some(Lens { center, frame: lens })));
                    }
                }
            }
        }
    }
    None
}

/// Where the cards stand; `None` if they do not, touch each other or leave the area.
fn stand(shape: &Shape, count: usize, frame: &Frame, area: Area, hub: bool) -> Option<Vec<Point>> {
    // Cheaper than to stand the cards only to see that they overlap.
    let taken = count as f64 * frame.width * frame.height;
    if taken > area.width * area.height {
        return None;
    }
    let size = (frame.width, frame.height);
    let gap = if frame.measures.detail == Detail::Tiny { 6.0 } else { 12.0 };
    let centers = shape.centers(count, size, area, hub);
    for (rank, &own) in centers.iter().enumerate() {
        let clear = |&other: &Point| apart((own, frame), (other, frame), gap);
        if !area.holds(own, size) || !centers[..rank].iter().all(clear) {
            return None;
        }
    }
    (!centers.is_empty()).then_some(centers)
}

/// Whether two boxes, each a centre and its size, keep `gap` between them.
fn apart((a, size_a): (Point, &Frame), (b, size_b): (Point, &Frame), gap: f64) -> bool {
    (a.x - b.x).abs() >= (size_a.width + size_b.width) / 2.0 + gap
        || (a.y - b.y).abs() >= (size_a.height + size_b.height) / 2.0 + gap
}
