//! From the messages of one rank to the bars of one row.
//!
//! Messages that overlap share the row's height, a stripe for each chunk under way. When stripes
//! would become too thin, those of one step merge, then all that overlap; when a row still has more
//! bars than it may, neighbours merge. A merged bar keeps its hue only if all its chunks have that
//! hue.

use crate::engine::{Label, Rank, distinct};

/// Thinnest stripe that is still seen as one.
const THINNEST: f64 = 2.0;
/// Narrowest bar: a message that took no time at all can still be seen.
const NARROWEST: f64 = 2.0;
/// Lowest bar with text, and what each letter of it needs.
const TEXT_HEIGHT: f64 = 12.0;
const LETTER: f64 = 6.6;
const TEXT_MARGIN: f64 = 10.0;
/// Positions closer than this are the same: steps that meet do not overlap.
const SAME: f64 = 0.01;

/// What a bar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Messages this rank sent.
    Leaving,
    /// Messages that come to this rank.
    Arriving,
    /// The rank waits for a message that has not been sent.
    Waiting,
}

/// A rectangle of a lane, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Whose lane.
    pub rank: Rank,
    /// What it shows.
    pub kind: Kind,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// The hue of its chunks, if they have one in common.
    pub hue: Option<usize>,
    /// The names of its chunks; empty when they do not fit.
    pub text: String,
}

/// A chunk on its way, from one x to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    pub from: f64,
    pub to: f64,
    pub step: usize,
    pub label: Label,
}

/// A row of a lane.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub rank: Rank,
    pub kind: Kind,
    pub y: f64,
    pub height: f64,
}

/// What holds for all rows of a track.
pub(super) struct Rules<'a> {
    /// The first and the last x a bar may cover.
    pub bounds: (f64, f64),
    /// Most bars of a row.
    pub most: usize,
    /// What chunks are called.
    pub name: &'a dyn Fn(&[Label]) -> String,
    /// The hue of a chunk.
    pub hue: &'a dyn Fn(Label) -> usize,
}

/// Pieces that are drawn as one.
#[derive(Clone, Debug)]
struct Group {
    from: f64,
    to: f64,
    step: usize,
    labels: Vec<Label>,
}

impl Group {
    fn of(piece: &Piece) -> Group {
        Group { from: piece.from, to: piece.to, step: piece.step, labels: vec![piece.label] }
    }

    fn absorb(&mut self, other: Group) {
        self.from = self.from.min(other.from);
        self.to = self.to.max(other.to);
        self.labels.extend(other.labels);
    }
}

/// Appends the bars of `pieces`, which are ordered by `from`, to `bars`.
pub(super) fn messages(pieces: &[Piece], row: Row, rules: &Rules, bars: &mut Vec<Bar>) {
    let mut stripes = Vec::new();
    for cluster in clusters(pieces.iter().map(Group::of).collect()) {
        stripes.extend(stack(cluster, row.height));
    }
    if stripes.len() > rules.most {
        // One bar for all that begin in the same part of the track.
        let parts = rules.most.max(1) as f64;
        let (left, right) = rules.bounds;
        let part =
            |group: &Group| ((group.from - left) / (right - left) * parts).floor().min(parts - 1.0);
        let groups = stripes.into_iter().map(|stripe| stripe.group).collect();
        let merged = merge_by(groups, |a, b| part(a) == part(b));
        stripes = merged.into_iter().map(|group| Stripe { group, index: 0, of: 1 }).collect();
    }
    bars.extend(stripes.into_iter().map(|stripe| stripe.bar(row, rules)));
}

/// From one x to another.
pub(super) type Interval = (f64, f64);

/// Appends `waits` as bars, the longest `most` of them.
pub(super) fn waits(mut waits: Vec<Interval>, row: Row, most: usize, bars: &mut Vec<Bar>) {
    while waits.len() > most
        && let Some(shortest) = shortest(&waits)
    {
        waits.remove(shortest);
    }
    bars.extend(waits.into_iter().map(|(from, to)| Bar {
        rank: row.rank,
        kind: row.kind,
        x: from,
        y: row.y,
        width: to - from,
        height: row.height,
        hue: None,
        text: String::new(),
    }));
}

/// The index of the shortest.
fn shortest(waits: &[Interval]) -> Option<usize> {
    let long = |wait: usize| waits[wait].1 - waits[wait].0;
    (0..waits.len()).min_by(|&a, &b| long(a).total_cmp(&long(b)))
}

/// Groups that overlap, directly or through others. `groups` are ordered by `from`.
fn clusters(groups: Vec<Group>) -> Vec<Vec<Group>> {
    let mut clusters: Vec<Vec<Group>> = Vec::new();
    let mut end = f64::NEG_INFINITY;
    for group in groups {
        let overlaps = group.from < end - SAME;
        end = end.max(group.to);
        match clusters.last_mut() {
            Some(last) if overlaps => last.push(group),
            _ => clusters.push(vec![group]),
        }
    }
    clusters
}

/// A group's place in its row: the `index`-th of `of` stripes.
struct Stripe {
    group: Group,
    index: usize,
    of: usize,
}

/// Gives a cluster stripes that are thick enough, merging as little as possible.
fn stack(cluster: Vec<Group>, height: f64) -> Vec<Stripe> {
    let most = ((height / THINNEST).floor() as usize).max(1);
    let whole = |groups: Vec<Group>| merge_by(groups, |_, _| true);
    let by_step = |groups: Vec<Group>| merge_by(groups, |a, b| a.step == b.step);
    for merge in [&|groups| groups, &by_step, &whole] as [&dyn Fn(Vec<Group>) -> Vec<Group>; 3] {
        let stripes = stripes(merge(cluster.clone()));
        if stripes.first().is_none_or(|stripe| stripe.of <= most) {
            return stripes;
        }
    }
    Vec::new()
}

/// Puts each group into the first stripe that is free.
fn stripes(groups: Vec<Group>) -> Vec<Stripe> {
    let mut free: Vec<f64> = Vec::new();
    let mut placed = Vec::with_capacity(groups.len());
    for group in groups {
        let index = free.iter().position(|&end| end <= group.from + SAME).unwrap_or(free.len());
        if index == free.len() {
            free.push(group.to);
        }
        free[index] = group.to;
        placed.push((group, index));
    }
    let of = free.len();
    placed.into_iter().map(|(group, index)| Stripe { group, index, of }).collect()
}

/// Merges each group into the latest one it belongs with.
fn merge_by(groups: Vec<Group>, together: impl Fn(&Group, &Group) -> bool) -> Vec<Group> {
    let mut merged: Vec<Group> = Vec::new();
    for group in groups {
        match merged.iter_mut().rev().find(|other| together(other, &group)) {
            Some(other) => other.absorb(group),
            None => merged.push(group),
        }
    }
    merged
}

impl Stripe {
    fn bar(self, row: Row, rules: &Rules) -> Bar {
        let (left, right) = rules.bounds;
        let labels = &distinct(self.group.labels);
        let hue = labels.first().map(|&label| (rules.hue)(label));
        let hue = hue.filter(|hue| labels.iter().all(|&label| (rules.hue)(label) == *hue));
        let long = (self.group.to - self.group.from).max(NARROWEST);
        let x = self.group.from.min(right - NARROWEST).max(left);
        // A pixel of air, so that messages that follow each other are seen as several.
        let width = (if long > 5.0 { long - 1.0 } else { long }).min(right - x);
        let pitch = row.height / self.of as f64;
        let air = if self.of > 1 { 0.6 } else { 0.0 };
        let (y, height) = (row.y + self.index as f64 * pitch, pitch - air);
        let mut text = String::new();
        if row.kind == Kind::Leaving && height >= TEXT_HEIGHT {
            let name = (rules.name)(labels);
            if name.chars().count() as f64 * LETTER + TEXT_MARGIN <= width {
                text = name;
            }
        }
        Bar { rank: row.rank, kind: row.kind, x, y, width, height, hue, text }
    }
}

/// The same points as disjoint intervals in order.
pub(super) fn union(intervals: impl Iterator<Item = Interval>) -> Vec<Interval> {
    let mut ordered: Vec<Interval> = Vec::new();
    for interval in intervals {
        // They come nearly in order, so that there is little to move.
        let at = ordered.partition_point(|other| other.0 <= interval.0);
        ordered.insert(at, interval);
    }
    let mut out: Vec<Interval> = Vec::new();
    for (from, to) in ordered {
        match out.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => out.push((from, to)),
        }
    }
    out
}

/// The parts of `intervals` outside `holes`; both are disjoint and in order.
pub(super) fn minus(intervals: &[Interval], holes: &[Interval]) -> Vec<Interval> {
    let mut out = Vec::new();
    for &(from, to) in intervals {
        let mut at = from;
        for &(start, end) in holes.iter().filter(|hole| hole.1 > from && hole.0 < to) {
            if start > at {
                out.push((at, start));
            }
            at = at.max(end);
        }
        if at < to {
            out.push((at, to));
        }
    }
    out
}
