//! The rules by which messages become bars, and how the axis and the bands are labelled.

use super::geometry::{Bar, Kind, fitting, nice};
use super::rows::{Piece, Row, Rules, messages, minus, union, waits};
use crate::engine::Label;

fn piece(from: f64, to: f64, step: usize, label: Label) -> Piece {
    Piece { from, to, step, label }
}

fn draw(pieces: &[Piece], height: f64, most: usize) -> Vec<Bar> {
    let mut bars = Vec::new();
    let name = |labels: &[usize]| format!("{labels:?}");
    let rules = Rules { bounds: (0.0, 100.0), most, name: &name, hue: &|label| label % 8 };
    messages(pieces, Row { rank: 0, kind: Kind::Leaving, y: 0.0, height }, &rules, &mut bars);
    bars
}

#[test]
fn messages_that_meet_keep_the_whole_height() {
    let bars = draw(&[piece(0.0, 50.0, 1, 3), piece(50.0, 100.0, 2, 4)], 14.0, 9);
    let shown: Vec<_> = bars.iter().map(|b| (b.height, b.hue, b.text.as_str())).collect();
    assert_eq!(shown, [(14.0, Some(3), "[3]"), (14.0, Some(4), "[4]")]);
}

#[test]
fn messages_that_overlap_are_stacked_while_stripes_are_thick_enough() {
    let three: Vec<_> = (0..3).map(|label| piece(0.0, 90.0, 1, label)).collect();
    let stacked = draw(&three, 15.0, 9);
    assert_eq!(stacked.iter().map(|b| b.y).collect::<Vec<_>>(), [0.0, 5.0, 10.0]);
    let many: Vec<_> = (0..7).map(|label| piece(0.0, 90.0, 1, label)).collect();
    let merged = draw(&many, 13.0, 9);
    assert_eq!(merged.len(), 1);
    assert_eq!((merged[0].hue, merged[0].height), (None, 13.0));
    let same: Vec<_> = (0..7).map(|_| piece(0.0, 90.0, 1, 2)).collect();
    assert_eq!(draw(&same, 13.0, 9)[0].hue, Some(2));
}

#[test]
fn a_row_keeps_to_its_number_of_bars() {
    let pieces: Vec<_> = (0..100).map(|k| piece(k as f64, k as f64 + 1.0, k, k)).collect();
    assert_eq!(draw(&pieces, 9.0, 100).len(), 100);
    let bars = draw(&pieces, 9.0, 10);
    assert_eq!(bars.len(), 10);
    assert!(bars.iter().all(|bar| bar.hue.is_none()));
}

#[test]
fn a_row_keeps_its_longest_waits() {
    let row = Row { rank: 0, kind: Kind::Waiting, y: 0.0, height: 9.0 };
    let mut bars = Vec::new();
    waits(vec![(0.0, 9.0), (10.0, 12.0), (20.0, 30.0), (40.0, 41.0)], row, 2, &mut bars);
    assert_eq!(
        bars.iter().map(|bar| (bar.x, bar.width)).collect::<Vec<_>>(),
        [(0.0, 9.0), (20.0, 10.0)]
    );
}

#[test]
fn intervals_are_united_and_cut() {
    let joined = union([(5.0, 7.0), (0.0, 2.0), (1.0, 3.0)].into_iter());
    assert_eq!(joined, [(0.0, 3.0), (5.0, 7.0)]);
    assert_eq!(minus(&joined, &[(1.0, 2.0), (6.0, 9.0)]), [(0.0, 1.0), (2.0, 3.0), (5.0, 6.0)]);
    assert_eq!(minus(&joined, &[(-1.0, 8.0)]), []);
}

#[test]
fn steps_of_the_time_axis_are_round() {
    for (least, step) in [(1.0, 1.0), (1.2, 2.0), (3.4, 5.0), (7.0, 10.0), (0.03, 0.05)] {
        let found = nice(least).unwrap_or(f64::NAN);
        assert!((found - step).abs() < 1e-9, "{least}: {found}");
    }
    assert_eq!(nice(0.0), None);
    assert_eq!(nice(f64::NAN), None);
}

#[test]
fn titles_are_cut_to_their_band() {
    assert_eq!(fitting("ReduceScatter", 100.0, 7.0), "ReduceScatter");
    assert_eq!(fitting("ReduceScatter", 50.0, 7.0), "Reduce…");
    assert_eq!(fitting("ReduceScatter", 15.0, 7.0), "");
    assert_eq!(fitting("ReduceScatter", -4.0, 7.0), "");
}
