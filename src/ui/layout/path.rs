//! The way of a message.

use super::Point;

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

    /// Whether it leads from the sender to the receiver at all: between cards that stand too close
    /// together for what travels, its ends pass each other.
    pub fn has_room(&self) -> bool {
        let Path { start, control, end } = self;
        let onwards = (control.x - start.x) * (end.x - control.x)
            + (control.y - start.y) * (end.y - control.y);
        onwards > 1.0 && start.distance(*end) >= 16.0
    }

    /// The curve as SVG path data.
    pub fn data(&self) -> String {
        let Path { start, control, end } = self;
        format!(
            "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            start.x, start.y, control.x, control.y, end.x, end.y
        )
    }

    /// An arrow head at the end, as SVG path data; smaller where the way is short.
    pub fn head(&self) -> String {
        let size = (0.3 * self.start.distance(self.end)).clamp(5.0, 9.0);
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
