//! How one card is drawn: how large its cells are, and how they are arranged.

use super::Point;
use std::ops::Range;

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

const fn level(detail: Detail, cell: (f64, f64), gap: f64, head: f64, pad: f64) -> Measures {
    Measures { detail, cell_w: cell.0, cell_h: cell.1, gap, head, pad }
}

/// The levels of detail, most first.
pub(super) static LEVELS: [Measures; 7] = [
    level(Detail::Full, (56.0, 54.0), 6.0, 32.0, 14.0),
    level(Detail::Full, (46.0, 46.0), 4.0, 26.0, 9.0),
    level(Detail::Full, (36.0, 38.0), 3.0, 24.0, 8.0),
    level(Detail::Compact, (30.0, 24.0), 3.0, 22.0, 6.0),
    level(Detail::Tiny, (13.0, 13.0), 2.0, 18.0, 5.0),
    level(Detail::Tiny, (8.0, 8.0), 2.0, 17.0, 4.0),
    level(Detail::Tiny, (4.0, 4.0), 1.0, 16.0, 4.0),
];

/// What the cards have to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cards {
    /// How many cards.
    pub count: usize,
    /// Rows of chunks in each card.
    pub rows: usize,
    /// Chunks in each row.
    pub chunks: usize,
    /// Numbers in each chunk.
    pub numbers: usize,
}

/// The measures of a card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Cell measures.
    pub measures: Measures,
    /// Cells next to each other.
    pub columns: usize,
    /// Lines that one row of chunks takes.
    pub lines: usize,
    /// Card width.
    pub width: f64,
    /// Card height.
    pub height: f64,
    /// Where the first column begins.
    pub left: f64,
    /// Height of what is below the cells.
    pub foot: f64,
}

impl Frame {
    /// The upper left corner of a cell, in the card.
    pub fn cell(&self, row: usize, column: usize) -> Point {
        let m = &self.measures;
        let line = row * self.lines + column / self.columns;
        Point {
            x: self.left + (column % self.columns) as f64 * (m.cell_w + m.gap),
            y: m.head + line as f64 * (m.cell_h + m.gap) + row as f64 * m.gap,
        }
    }

    /// How wide a lens' lines about messages are.
    pub fn port_width(&self) -> f64 {
        let lines = if self.width >= SIDE_BY_SIDE { 2.0 } else { 1.0 };
        self.width / lines - 2.0 * self.measures.pad
    }

    /// Where a lens' lines about messages begin: what leaves the rank first, then what arrives.
    pub fn ports(&self) -> [Point; 2] {
        let pad = self.measures.pad;
        let first = Point { x: pad, y: self.height - self.foot + 11.0 };
        let second = match self.width >= SIDE_BY_SIDE {
            true => Point { x: pad + self.width / 2.0, ..first },
            false => Point { y: first.y + PORT, ..first },
        };
        [first, second]
    }
}

/// Height of a line about messages below the cells of a lens, and the width from which on both
/// lines stand side by side.
const PORT: f64 = 25.0;
const SIDE_BY_SIDE: f64 = 590.0;

/// Least width of a card by its detail: its heading says the rank and, where there is room at all,
/// what it is doing.
const LEAST: [f64; 3] = [76.0, 76.0, 30.0];

/// Every way to draw a card at `levels`, most detail first, and of one level the one with fewest
/// lines first. A lens, of a least width, has lines about messages below its cells.
///
/// Few cells of several numbers are wider where there is room.
pub(super) fn frames(cards: Cards, levels: Range<usize>, lens: Option<f64>) -> Vec<Frame> {
    let Cards { rows, chunks, numbers, .. } = cards;
    let mut frames: Vec<Frame> = Vec::new();
    for level in &LEVELS[levels] {
        let least = lens.unwrap_or(LEAST[level.detail as usize]);
        for wide in [2.6, 1.6, 1.0] {
            if wide > 1.0 && (numbers < 2 || chunks > 2) {
                continue;
            }
            let base = Measures { cell_w: level.cell_w * wide, ..*level };
            let stretch = |count: usize, size: f64| count as f64 * (size + base.gap) - base.gap;
            let mut before = 0;
            for lines in 1..=chunks.div_ceil(2).max(1) {
                let columns = chunks.div_ceil(lines).max(1);
                if std::mem::replace(&mut before, columns) == columns {
                    continue;
                }
                let room = least - 2.0 * base.pad - stretch(columns, base.cell_w);
                // What a heading needs beyond the cells is good for more numbers.
                let more = if numbers > 1 { room.max(0.0) / columns as f64 } else { 0.0 };
                let measures = Measures { cell_w: base.cell_w + more, ..base };
                let inner = stretch(columns, measures.cell_w);
                let width = (inner + 2.0 * base.pad).max(least);
                let cells = stretch(rows * lines, base.cell_h) + (rows - 1) as f64 * base.gap;
                let foot = match lens {
                    Some(_) if width >= SIDE_BY_SIDE => PORT + 2.0,
                    Some(_) => 2.0 * PORT + 2.0,
                    None => 0.0,
                };
                let height = base.head + cells + base.pad + foot;
                let left = (width - inner) / 2.0;
                frames.push(Frame { measures, columns, lines, width, height, left, foot });
            }
        }
    }
    frames
}
