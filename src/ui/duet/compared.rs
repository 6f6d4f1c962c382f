//! Are both sides equal, bit for bit? Compared after every phase, element by element.

use super::link::Topic;
use super::side::Side;
use crate::engine::Rank;
use crate::engine::collective::Verb;
use crate::engine::reduce::plain::Number;
use crate::ui::score::Act;
use std::collections::BTreeMap;

/// What was compared, and what came out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The phase it comes after; none is the end.
    pub after: Option<Verb>,
    /// When both sides have what is compared, on their clock.
    pub at: f64,
    /// Elements compared, over all ranks.
    pub compared: usize,
    /// How many of them differ in a bit.
    pub different: usize,
}

/// All comparisons, in their order; none where the sides have nothing to do with each other.
pub fn comparisons(topic: &Topic, sides: &[Side], acts: &[Vec<Act>]) -> Vec<Comparison> {
    let ([left, right], [first, second]) = (sides, acts) else { return Vec::new() };
    match topic {
        Topic::Halves => {
            let halfway = halfway(&first[0], &second[0]);
            let end = end(left, right, acts);
            vec![halfway, end]
        }
        Topic::Neutral => vec![end(left, right, acts)],
        Topic::Reversal { .. } | Topic::Pair(_) => Vec::new(),
    }
}

/// The block that every rank owns after ReduceScatter, as AllReduce computes it on its way: the
/// elements that the trace tells of each chunk.
fn halfway(whole: &Act, half: &Act) -> Comparison {
    let mut found = Comparison {
        after: Some(half.prepared.schedule.collective.verb),
        at: half.ends(),
        compared: 0,
        different: 0,
    };
    for rank in 0..half.prepared.schedule.collective.ranks {
        let (whole, since) = finished(whole, rank);
        let (half, _) = finished(half, rank);
        let mut both = half.iter().filter_map(|(at, x)| Some((x, whole.get(at)?)));
        for (x, y) in both.by_ref() {
            found.compared += 1;
            found.different += usize::from(!same(*x, *y));
        }
        let owned = half.keys().filter_map(|at| since.get(at)).copied();
        found.at = owned.fold(found.at, f64::max);
    }
    found
}

/// The elements that `rank` holds finished at some time, by their place in the vector, and since
/// when.
fn finished(act: &Act, rank: Rank) -> (BTreeMap<usize, Number>, BTreeMap<usize, f64>) {
    let (mut values, mut since) = (BTreeMap::new(), BTreeMap::new());
    for cell in act.replay.cells_of(rank) {
        let start = act.prepared.lengths.range(cell.label).start;
        let state = cell.finished();
        for (at, &value) in
            state.iter().flat_map(|s| s.contents.iter()).flat_map(|c| &c.values).enumerate()
        {
            values.insert(start + at, value);
            since.insert(start + at, act.starts + state.map_or(0.0, |state| state.since));
        }
    }
    (values, since)
}

/// Whether two elements have the same bits.
fn same(x: Number, y: Number) -> bool {
    match (x, y) {
        (Number::Int(x), Number::Int(y)) => x == y,
        (Number::Single(x), Number::Single(y)) => x.to_bits() == y.to_bits(),
        (Number::Double(x), Number::Double(y)) => x.to_bits() == y.to_bits(),
        _ => false,
    }
}

/// The whole outputs of all ranks.
fn end(left: &Side, right: &Side, acts: &[Vec<Act>]) -> Comparison {
    let at = acts.iter().flatten().map(Act::ends).fold(0.0, f64::max);
    let mut found = Comparison { after: None, at, compared: 0, different: 0 };
    let dtype = left.takes[0].prepared.run.reduction.dtype;
    for (left, right) in left.outputs().iter().zip(&right.outputs()) {
        let size = dtype.size_bytes();
        let count = left.len().max(right.len()) / size;
        let equal = left.chunks(size).zip(right.chunks(size)).filter(|(a, b)| a == b).count();
        found.compared += count;
        found.different += count - equal;
    }
    found
}
