//! What a chart with logarithmic axes shows, in shares of its area: a pure description, which the
//! part `chart` draws.

use serde::{Deserialize, Serialize};

/// A colour: red, green, blue.
pub type Colour = (u8, u8, u8);

/// A chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first at the back.
    pub strokes: Vec<Stroke>,
    /// Places on the horizontal axis that a line goes up from.
    pub marks: Vec<f64>,
    /// Paper and ink.
    pub ground: (Colour, Colour),
    /// Pixels of the canvas for one of the page.
    pub scale: f64,
}

/// Labels of an axis, by their place from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Places and labels.
    pub ticks: Vec<(f64, String)>,
}

/// A line, and points with their spread; places are shares of the area from the lower left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// The shape of its points, for eyes that cannot tell the colours: 0 to 7.
    pub shape: u8,
    /// Whether points are hollow and the line is broken: it comes from elsewhere.
    pub foreign: bool,
    /// How much wider its line is than usual, so that it is seen below others.
    pub wide: u8,
    /// The line.
    pub line: Vec<(f64, f64)>,
    /// Points: place, median, and the ends of the spread.
    pub points: Vec<(f64, f64, f64, f64)>,
}

/// The outline of a point's shape, by the number of the curve, about 2 wide round its middle.
pub fn outline(shape: u8) -> Vec<(f64, f64)> {
    let regular = |corners: usize, turned: f64| -> Vec<(f64, f64)> {
        let corner = |at: usize| (at as f64 + turned) / corners as f64 * std::f64::consts::TAU;
        (0..corners).map(corner).map(|angle| (angle.sin(), angle.cos())).collect()
    };
    match shape % 8 {
        0 => regular(20, 0.0),
        1 => regular(4, 0.5).into_iter().map(|(x, y)| (x * 1.2, y * 1.2)).collect(),
        2 => regular(3, 0.0).into_iter().map(|(x, y)| (x * 1.25, y * 1.25)).collect(),
        3 => regular(4, 0.0).into_iter().map(|(x, y)| (x * 1.25, y * 1.25)).collect(),
        4 => regular(3, 0.5).into_iter().map(|(x, y)| (x * 1.25, y * 1.25)).collect(),
        5 => regular(6, 0.0),
        6 => regular(20, 0.0).into_iter().map(|(x, y)| (x * 0.55, y * 1.35)).collect(),
        _ => regular(20, 0.0).into_iter().map(|(x, y)| (x * 1.35, y * 0.55)).collect(),
    }
}

/// A logarithmic scale from the least to the largest of some amounts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// The scale that shows all of these amounts, which are positive, with some room round them.
    pub fn of(amounts: impl Iterator<Item = f64>) -> Option<Scale> {
        let sound = amounts.filter(|amount| amount.is_finite() && *amount > 0.0);
        let (low, high) = sound.fold((f64::INFINITY, 0.0), |(low, high), amount| {
            (f64::min(low, amount), f64::max(high, amount))
        });
        let room = f64::powf(high / low, 0.04).max(1.1);
        (high > 0.0).then(|| Scale { low: low / room, high: high * room })
    }

    /// Where an amount is, from 0 to 1.
    pub fn place(&self, amount: f64) -> f64 {
        (amount / self.low).ln() / (self.high / self.low).ln()
    }

    /// The amount at a place.
    pub fn amount(&self, place: f64) -> f64 {
        self.low * (self.high / self.low).powf(place)
    }

    /// Labels at powers of two, at most `most` of them.
    pub fn doublings(&self, most: usize, label: impl Fn(f64) -> String) -> Axis {
        let (first, last) = (self.low.log2().ceil() as i32, self.high.log2().floor() as i32);
        let steps = (last - first + 1).max(1) as usize;
        let stride = steps.div_ceil(most.max(1)).max(1);
        // Where every one is not labelled, those that people know are: 1, 4, 16 KiB.
        let first = if stride > 1 { first + first.rem_euclid(2) } else { first };
        let tick = |power: i32| {
            let amount = f64::powi(2.0, power);
            (self.place(amount), label(amount))
        };
        Axis { ticks: (first..=last).step_by(stride).map(tick).collect() }
    }

    /// Labels at round numbers, at most `most` of them: as many of each decade as there is room
    /// for.
    pub fn decades(&self, most: usize, label: impl Fn(f64) -> String) -> Axis {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let at = |steps: &[f64]| -> Vec<f64> {
            let powers = (first..=last).map(|power| f64::powi(10.0, power));
            let all = powers.flat_map(|power| steps.iter().map(move |step| step * power));
            all.filter(|amount| (self.low..=self.high).contains(amount)).collect()
        };
        let choices: [&[f64]; 5] = [
            &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
            &[1.0, 2.0, 3.0, 5.0],
            &[1.0, 2.0, 5.0],
            &[1.0, 3.0],
            &[1.0],
        ];
        let fits = |steps: &&&[f64]| at(steps).len() <= most;
        let amounts = at(choices.iter().find(fits).copied().unwrap_or(&[1.0]));
        let stride = amounts.len().div_ceil(most.max(1)).max(1);
        let tick = |amount: f64| (self.place(amount), label(amount));
        Axis { ticks: amounts.into_iter().step_by(stride).map(tick).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn a_scale_leaves_room_and_reads_back() {
        let scale = Scale::of([1024.0, 4096.0, 0.0, f64::NAN].into_iter()).expect("two are sound");
        let (first, last) = (scale.place(1024.0), scale.place(4096.0));
        assert!(first > 0.0 && last < 1.0 && (first + last - 1.0).abs() < 1e-9);
        assert!((scale.amount(last) - 4096.0).abs() < 1e-6);
        assert_eq!(Scale::of([0.0].into_iter()), None);
        let single = Scale::of([7.0].into_iter()).expect("one is sound");
        assert!((single.place(7.0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn sizes_are_labelled_at_powers_of_two() {
        let scale = Scale::of([1024.0, 16_384.0].into_iter()).expect("they are sound");
        let label = |amount: f64| amount.to_string();
        assert_eq!(labels(&scale.doublings(9, label)), ["1024", "2048", "4096", "8192", "16384"]);
        assert_eq!(labels(&scale.doublings(3, label)), ["1024", "4096", "16384"]);
    }

    #[test]
    fn times_are_labelled_at_round_numbers() {
        let label = |amount: f64| format!("{amount:.0}");
        let narrow = Scale::of([9.0, 60.0].into_iter()).expect("they are sound");
        assert_eq!(labels(&narrow.decades(8, label)), ["10", "15", "20", "30", "40", "50", "60"]);
        assert_eq!(labels(&narrow.decades(4, label)), ["10", "20", "30", "50"]);
        let wide = Scale::of([1.0, 1e4].into_iter()).expect("they are sound");
        assert_eq!(
            labels(&wide.decades(10, label)),
            ["1", "3", "10", "30", "100", "300", "1000", "3000", "10000"]
        );
        assert_eq!(labels(&wide.decades(5, label)), ["1", "10", "100", "1000", "10000"]);
        assert_eq!(labels(&wide.decades(3, label)), ["1", "100", "10000"]);
    }
}
