//! The log: what every op did with every chunk, `6 + 5 = 11`.

use super::{Inspector, combine, completed};
use crate::engine::collective::Verb;
use crate::engine::reduce::{MeanKind, ReduceOp};
use crate::engine::replay::{Contents, Entry, Replay};
use crate::engine::schedule::{Action, Marks};
use crate::engine::{Label, Rank};
use crate::ui::scenario::Prepared;
use crate::ui::text::actor::short;
use crate::ui::text::units::{chunk_name, number};
use crate::ui::text::{Lang, fill};
use std::cmp::Reverse;

/// Up to this many numbers of a chunk are written out.
const WRITTEN: usize = 2;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where: `0→1`, or `0` for local work; a switch by its name.
    pub place: String,
    /// The chunk's label.
    pub label: Label,
    /// The chunk's name.
    pub chunk: String,
    /// What happened: `6 + 5 = 11`, or `= 17`; empty where values mean nothing (a barrier).
    pub equation: String,
    /// How many contributions it holds now; empty for what is not reduced.
    pub contributions: String,
}

/// The lines of one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The step, from 1; 0 for local work before any message.
    pub step: usize,
    /// Indices into the replay's entries, in order.
    pub entries: Vec<usize>,
}

/// The first `shown` entries of the replay by step, newest step first; of all ranks or those that
/// `only` has sent or worked on.
pub fn groups(replay: &Replay, shown: usize, only: Option<Rank>) -> Vec<Group> {
    let ranks = replay.cells.iter().map(|cell| cell.rank + 1).max().unwrap_or(0);
    // Local work belongs to the last step its rank has taken part in.
    let mut last = vec![0; ranks];
    let mut groups: Vec<Group> = Vec::new();
    for (index, entry) in replay.entries.iter().take(shown).enumerate() {
        let Some(step) = last.get_mut(entry.rank) else { continue };
        *step = entry.step.max(*step);
        if only.is_some_and(|rank| entry.rank != rank && entry.from != Some(rank)) {
            continue;
        }
        match groups.binary_search_by_key(&Reverse(*step), |group| Reverse(group.step)) {
            Ok(at) => groups[at].entries.push(index),
            Err(at) => groups.insert(at, Group { step: *step, entries: vec![index] }),
        }
    }
    groups
}

/// One entry in words.
pub fn line(lang: Lang, prepared: &Prepared, entry: &Entry) -> Line {
    let collective = &prepared.schedule.collective;
    let name = |actor| short(lang, collective.ranks, actor);
    let place = match entry.from {
        Some(from) => format!("{}→{}", name(from), name(entry.rank)),
        None => name(entry.rank),
    };
    let counted = entry.complete > 1;
    let values: [(&str, &dyn std::fmt::Display); 2] =
        [("k", &entry.result.from.len()), ("n", &entry.complete)];
    Line {
        place,
        label: entry.label,
        chunk: chunk_name(collective, entry.label),
        equation: match collective.verb {
            Verb::Barrier => String::new(),
            _ => equation(lang, prepared, entry),
        },
        contributions: match counted {
            true => fill(Inspector::of(lang).contributions, &values),
            false => String::new(),
        },
    }
}

fn equation(lang: Lang, prepared: &Prepared, entry: &Entry) -> String {
    let reduction = &prepared.run.reduction;
    let (op, n) = (reduction.op, reduction.ranks);
    let program = prepared.schedule.programs.get(entry.rank);
    let instruction = program.and_then(|program| program.ops.get(entry.op));
    let marks = instruction.map_or(Marks::default(), |instruction| instruction.marks);
    let local = instruction.is_some_and(|i| matches!(i.action, Action::Reduce { .. }));
    let length = prepared.lengths.range(entry.label).len();
    let text = |contents: &Contents| values(contents, length);
    let scaled = |text: String, is_source: bool| match op {
        ReduceOp::Mean(MeanKind::PreScale) if marks.pre && is_source => format!("{text} × 1/{n}"),
        _ => text,
    };
    // A scaled operand is what the op reads from the rank's own input: in a local reduction that is
    // what comes in, elsewhere the rank's own operand.
    let received = entry.from.is_some();
    let incoming = scaled(text(&entry.incoming), !received);
    let result = text(&entry.result);
    let completed = |text: String| if marks.post { completed(reduction, text) } else { text };
    match &entry.own {
        Some(own) => {
            let own = scaled(text(own), !local);
            let whole = format!("{} = {result}", completed(combine(op, &incoming, &own)));
            let divides = marks.post && op == ReduceOp::Mean(MeanKind::PostScale);
            match reduction.dtype.range() {
                Some(_) if divides => fill(Inspector::of(lang).truncated, &[("equation", &whole)]),
                _ => whole,
            }
        }
        None if incoming != text(&entry.incoming) => format!("{incoming} = {result}"),
        None => format!("= {result}"),
    }
}

/// The numbers of a chunk: `6`, `[6 2]`, or the first ones, `[6 2 …]`.
fn values(contents: &Contents, length: usize) -> String {
    let shown = contents.values.iter().take(WRITTEN);
    let written: Vec<String> = shown.map(|&value| number(value)).collect();
    match (&written[..], length) {
        ([], _) => "[]".into(),
        ([only], 1) => only.clone(),
        (some, length) if some.len() == length => format!("[{}]", some.join(" ")),
        (some, _) => format!("[{} …]", some.join(" ")),
    }
}
