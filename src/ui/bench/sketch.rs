//! Curves over sizes, from measurements or models, ready to be drawn.

use super::fit::Fit;
use super::plot::{Axis, Colour, Plot, Scale, Stroke};
use super::record::Curve;
use crate::ui::text::units;

/// Places that a line is computed at.
const SAMPLES: usize = 64;

/// Pixels that a label of a horizontal axis takes.
const LABEL_WIDTH: f64 = 64.0;

/// Most labels of a vertical axis.
const LABELS: usize = 8;

/// What stands on the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Times, in microseconds.
    Time,
    /// Rates, in bytes per microsecond.
    Rate,
}

/// Curves of one chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// What they are of.
    pub amount: Amount,
    /// The curves.
    pub lines: Vec<Line>,
    /// Sizes that are marked.
    pub marks: Vec<f64>,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Hue and shape.
    pub hue: usize,
    /// Whether it is from elsewhere.
    pub foreign: bool,
    /// How much wider its line is than usual, so that it is seen below others.
    pub wide: u8,
    /// Bytes and amounts along the line, ascending.
    pub line: Vec<(f64, f64)>,
    /// Bytes, amounts, and the ends of their spread.
    pub points: Vec<(f64, f64, f64, f64)>,
}

/// Colours of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// Paper and ink.
    pub ground: (Colour, Colour),
    /// Eight hues.
    pub hues: Vec<Colour>,
}

impl Sketch {
    /// Measurements, over the lines fitted to them, each with its hue and whether it is from
    /// elsewhere.
    pub fn measured(amount: Amount, curves: &[(&Curve, usize, bool)], marks: Vec<f64>) -> Sketch {
        let line = |&(curve, hue, foreign): &(&Curve, usize, bool)| {
            let factor = curve.bus_factor();
            let value = |bytes: f64, us: f64| match amount {
                Amount::Time => us,
                Amount::Rate => bytes / us * factor,
            };
            let points = curve.points.iter().map(|point| {
                let bytes = point.bytes as f64;
                let (fastest, slowest) = point.range_us;
                (bytes, value(bytes, point.us), value(bytes, fastest), value(bytes, slowest))
            });
            let line = fit(curve).map_or(Vec::new(), |fit| {
                along(curve).map(|bytes| (bytes, value(bytes, fit.time_us(bytes)))).collect()
            });
            Line { hue, foreign, wide: 0, line, points: points.collect() }
        };
        Sketch { amount, lines: curves.iter().map(line).collect(), marks }
    }

    /// What is to be drawn on so many of the page's pixels; `None` of nothing.
    pub fn plot(&self, width: f64, scale: f64, palette: &Palette) -> Option<Plot> {
        let lines = || self.lines.iter();
        let xs = lines().flat_map(|l| {
            l.points.iter().map(|point| point.0).chain(l.line.iter().map(|place| place.0))
        });
        let ys = lines().flat_map(|l| {
            let spread = l.points.iter().flat_map(|point| [point.1, point.2, point.3]);
            spread.chain(l.line.iter().map(|place| place.1))
        });
        let (x, y) = (Scale::of(xs)?, Scale::of(ys)?);
        let label = |amount: f64| match self.amount {
            Amount::Time => units::time_us(amount),
            Amount::Rate => units::rate(amount),
        };
        let place = |&(bytes, amount): &(f64, f64)| (x.place(bytes), y.place(amount));
        // One rank alone has a rate of 0, which is nowhere on such an axis.
        let shown = |amount: f64| amount > 0.0;
        let stroke = |l: &Line| Stroke {
            colour: palette.hues.get(l.hue % 8).copied().unwrap_or(palette.ground.1),
            shape: (l.hue % 8) as u8,
            foreign: l.foreign,
            wide: l.wide,
            line: l.line.iter().filter(|at| shown(at.1)).map(place).collect(),
            points: l
                .points
                .iter()
                .filter(|point| shown(point.1))
                .map(|&(bytes, amount, low, high)| {
                    (x.place(bytes), y.place(amount), y.place(low), y.place(high))
                })
                .collect(),
        };
        Some(Plot {
            x: bytes_axis(&x, width),
            y: y.decades(LABELS, label),
            strokes: lines().map(stroke).collect(),
            marks: self.marks.iter().map(|&bytes| x.place(bytes)).collect(),
            ground: palette.ground,
            scale,
        })
    }
}

/// The sizes that a width has room for.
fn bytes_axis(x: &Scale, width: f64) -> Axis {
    let most = (width / LABEL_WIDTH).max(2.0) as usize;
    x.doublings(most, |bytes| units::bytes(bytes as u64))
}

/// The line through a curve.
pub fn fit(curve: &Curve) -> Option<Fit> {
    let points: Vec<_> = curve.points.iter().map(|point| (point.bytes as f64, point.us)).collect();
    Fit::of(&points)
}

/// Sizes from a curve's smallest to its largest, evenly on a logarithmic axis.
fn along(curve: &Curve) -> impl Iterator<Item = f64> {
    let ends = curve.points.first().zip(curve.points.last());
    let (low, high) = ends.map_or((1.0, 1.0), |(a, b)| (a.bytes as f64, b.bytes as f64));
    (0..SAMPLES).map(move |at| low * (high / low).powf(at as f64 / (SAMPLES - 1) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::measure::Timed;
    use crate::runtime::transport::Via;
    use crate::ui::bench::record::Record;
    use crate::ui::take::Origin;

    fn curve() -> Curve {
        let origin =
            Origin { browser: "here".into(), cores: 2, isolated: true, build: "dev".into() };
        let mut record = Record::new(origin);
        for at in 0..8 {
            let bytes = 1024 << at;
            let us = 10.0 + bytes as f64 / 1000.0;
            let timed = Timed {
                us: vec![us * 0.9, us, us * 1.1],
                repetitions: 1,
                via: Via::Shared,
                resolution_us: 5.0,
                verdict: Default::default(),
            };
            record.add(format!("/allreduce?size={bytes}"), bytes, &timed);
        }
        record.curves().remove(0)
    }

    #[test]
    fn points_lie_on_the_line_that_they_were_made_from() {
        let curve = curve();
        let palette = Palette { ground: ((0, 0, 0), (9, 9, 9)), hues: vec![(1, 2, 3); 8] };
        for amount in [Amount::Time, Amount::Rate] {
            let sketch = Sketch::measured(amount, &[(&curve, 2, true)], vec![4096.0]);
            let plot = sketch.plot(400.0, 2.0, &palette).expect("there are curves");
            let [stroke] = &plot.strokes[..] else { panic!("one curve") };
            assert_eq!((stroke.shape, stroke.foreign, plot.scale), (2, true, 2.0));
            assert_eq!((stroke.points.len(), stroke.line.len()), (8, SAMPLES));
            for (point, end) in [(0, 0), (7, SAMPLES - 1)] {
                assert!((stroke.points[point].1 - stroke.line[end].1).abs() < 0.02);
            }
            let inside = |place: &f64| (0.0..=1.0).contains(place);
            assert!(stroke.points.iter().all(|p| [p.0, p.1, p.2, p.3].iter().all(inside)));
            assert!(plot.marks.iter().all(inside));
            assert!(plot.x.ticks.len() >= 3 && plot.y.ticks.len() >= 2, "{plot:?}");
        }
        assert_eq!(
            Sketch::measured(Amount::Time, &[], Vec::new()).plot(400.0, 1.0, &palette),
            None
        );
    }
}
