//! One step in English.

use super::nouns::{aim, capital, count, finished, join, origin, partial, plural, reduced, word};
use crate::engine::Rank;
use crate::engine::collective::Verb;
use crate::engine::reduce::{MeanKind, ReduceOp};
use crate::ui::text::inspector::NAMED_PAIRS;
use crate::ui::text::inspector::scene::{Cargo, Count, Frame, Pair, Part, Shape, combines};
use crate::ui::text::units;

/// One phase of a step: what happens, and what it leads to.
pub(in crate::ui::text::inspector) fn part(
    frame: &Frame,
    part: &Part,
    landed: bool,
) -> (String, String) {
    if part.phase == Verb::Barrier {
        let heard = count(part.progress, "rank");
        let detail = match landed {
            false => format!("Then each rank has heard of {heard}."),
            true => format!("Each rank has now heard of {heard}."),
        };
        return (headline(frame, part), detail);
    }
    let lead = match (landed, several(frame, part)) {
        (false, false) => "When it lands,",
        (false, true) => "When they land,",
        (true, false) => "It has landed:",
        (true, true) => "They have landed:",
    };
    let mut detail = format!("{lead} {}.", outcome(frame, part, landed));
    let done = part.phase.reduces()
        && part.progress.least == part.progress.of
        && !matches!(part.shape, Shape::Down(_));
    if done && frame.op == ReduceOp::Mean(MeanKind::PostScale) {
        let n = word(frame.collective.ranks);
        join(&mut detail, &format!("The finished sum is then divided by {n}."));
    }
    (headline(frame, part), detail)
}

fn headline(frame: &Frame, part: &Part) -> String {
    let n = frame.collective.ranks;
    match (&part.shape, part.phase) {
        (Shape::Up(ranks), phase) => up(frame, part, ranks, combines(phase)),
        (Shape::Down(ranks), phase) => down(frame, part, ranks, combines(phase)),
        (Shape::Pairs(pairs), _) if pairs.len() > NAMED_PAIRS => crowd(frame, part, pairs),
        (Shape::Pairs(pairs), phase) if combines(phase) => gathering(frame, part, pairs),
        (Shape::Pairs(pairs), _) => format!("{}.", sends(frame, part, pairs)),
        (_, Verb::AllToAll) if n == 2 => {
            "Each rank sends the other the chunk that is meant for it.".into()
        }
        (Shape::Around(distance), Verb::AllToAll) if part.for_good => {
            format!("Each rank sends {} what is meant for it.", aim(n, *distance))
        }
        (Shape::Everyone, Verb::AllToAll) => {
            "Each rank sends every other rank the chunk that is meant for it.".into()
        }
        (Shape::Around(1), Verb::Barrier) if part.cargo == Cargo::Own => {
            "Each rank tells the next that it has come.".into()
        }
        (Shape::Around(distance), Verb::Barrier) => {
            format!("Each rank tells the rank {} further on whom it has heard of.", word(*distance))
        }
        (_, Verb::Shift) => {
            format!("Each rank sends {} to the next rank round the ring.", object(frame, part))
        }
        (Shape::Everyone, phase) if combines(phase) => {
            let merge = match frame.op {
                ReduceOp::Sum | ReduceOp::Mean(_) => "adds them all to its own",
                ReduceOp::Max => "keeps the largest values",
                ReduceOp::Min => "keeps the smallest values",
                ReduceOp::Product => "multiplies them all with its own",
            };
            let all = if phase == Verb::AllReduce { "all numbers" } else { "its chunk" };
            format!("Each rank receives {all} from everybody else and {merge}.")
        }
        (Shape::Around(distance), phase) if combines(phase) => {
            let obj = match part.cargo {
                Cargo::Own if part.each == 1 => "a chunk".into(),
                Cargo::Own => plural(part.each, "chunk"),
                Cargo::Mixed => "what has been reduced so far".into(),
                _ => partial(frame.op, part.each),
            };
            let merge = match frame.op {
                ReduceOp::Sum | ReduceOp::Mean(_) => "adds",
                ReduceOp::Max => "keeps the larger of that and",
                ReduceOp::Min => "keeps the smaller of that and",
                ReduceOp::Product => "multiplies it with",
            };
            let own = if part.with_own { "its own part" } else { "what it has so far" };
            format!("Each rank receives {obj} from {} and {merge} {own}.", origin(n, *distance))
        }
        (Shape::Everyone, _) => {
            let obj = if reduced(frame) { "its finished chunk" } else { "its own chunk" };
            format!("Each rank sends {obj} to everybody else.")
        }
        (Shape::Around(distance), _) => passing(frame, part, *distance),
    }
}

/// Ranks send to the switch.
fn up(frame: &Frame, part: &Part, ranks: &[Rank], combines: bool) -> String {
    let what = match part.each < part.labels.len() {
        true if reduced(frame) => format!("its {}", finished(frame.op, false)),
        true => "its own chunk".into(),
        false => units::chunk_names(frame.collective, &part.labels),
    };
    let sent = match ranks {
        [rank] => format!("Rank {rank} sends {what} to the switch"),
        all if all.len() == frame.collective.ranks => {
            format!("Every rank sends {what} to the switch")
        }
        some => format!("{} ranks send {what} to the switch", capital(&word(some.len()))),
    };
    let merge = match frame.op {
        _ if !combines => "which is to hand it to all",
        ReduceOp::Sum | ReduceOp::Mean(_) => "which adds what comes",
        ReduceOp::Max => "which keeps the largest values",
        ReduceOp::Min => "which keeps the smallest values",
        ReduceOp::Product => "which multiplies what comes",
    };
    format!("{sent}, {merge}.")
}

/// The switch sends to ranks.
fn down(frame: &Frame, part: &Part, ranks: &[Rank], combines: bool) -> String {
    let named = units::chunk_names(frame.collective, &part.labels);
    let what =
        if combines { format!("the {} of {named}", finished(frame.op, false)) } else { named };
    match ranks {
        [rank] => format!("The switch sends {what} to rank {rank}."),
        all if all.len() == frame.collective.ranks && !combines => {
            format!("The switch copies {what} to every rank.")
        }
        all if all.len() == frame.collective.ranks => {
            format!("The switch sends every rank its {}.", finished(frame.op, false))
        }
        some => format!("The switch sends {what} to {}.", plural(some.len(), "rank")),
    }
}

/// An AllGather round the ring, or over larger distances.
fn passing(frame: &Frame, part: &Part, distance: usize) -> String {
    let finished = if reduced(frame) { "finished chunk" } else { "chunk" };
    let just = if frame.collective.pieces == 1 { "just " } else { "" };
    if distance > 1 || part.each > 1 {
        let what = match part.cargo {
            _ if part.each > 1 => plural(part.each, finished),
            Cargo::Own => "its own chunk".into(),
            Cargo::Completed => format!("the {finished} that it has {just}completed"),
            Cargo::PassedOn => format!("the {finished} that it has {just}received"),
            Cargo::Partial | Cargo::Mixed => format!("a {finished}"),
        };
        return format!("Each rank sends {what} to {}.", aim(frame.collective.ranks, distance));
    }
    match part.cargo {
        Cargo::Own => "Each rank sends its own chunk to the next.".into(),
        Cargo::Completed => {
            format!("Each rank passes on the {finished} that it has {just}completed.")
        }
        Cargo::PassedOn => {
            format!("Each rank passes on the {finished} that it has {just}received.")
        }
        _ => format!("Each rank passes a {finished} on to the next."),
    }
}

/// `Rank 1 sends its numbers to rank 0, 3 to 2`, or, where chunks have to be told apart, `Rank 0
/// sends c2–c3 to rank 2, 4 sends c6 to 6`.
fn sends(frame: &Frame, part: &Part, pairs: &[Pair]) -> String {
    let mut text = String::new();
    for (at, Pair { from, to, labels }) in pairs.iter().enumerate() {
        let named = units::chunk_names(frame.collective, labels);
        text += &match (at, frame.collective.chunks()) {
            (0, 1) => format!("Rank {from} sends {} to rank {to}", object(frame, part)),
            (0, _) => format!("Rank {from} sends {named} to rank {to}"),
            (_, 1) => format!(", {from} to {to}"),
            (_, _) => format!(", {from} sends {named} to {to}"),
        };
    }
    text
}

/// Whether what is sent is *they*: several messages, chunks or numbers.
fn several(frame: &Frame, part: &Part) -> bool {
    let numbers = frame.collective.chunks() == 1 && object(frame, part).ends_with("numbers");
    part.messages > 1 || part.labels.len() > 1 || numbers
}

/// What is sent when there is only one chunk, or the chunk that everybody sends.
fn object(frame: &Frame, part: &Part) -> String {
    match part.cargo {
        _ if frame.collective.chunks() > 1 => units::chunk_names(frame.collective, &part.labels),
        Cargo::Partial => format!("its {}", &partial(frame.op, 1)[2..]),
        Cargo::Mixed if combines(part.phase) => "what it has so far".into(),
        _ if reduced(frame) && !combines(part.phase) => {
            format!("the {}", finished(frame.op, false))
        }
        Cargo::Own => "its numbers".into(),
        _ => "the numbers".into(),
    }
}

/// Messages to be combined with what their receivers hold.
fn gathering(frame: &Frame, part: &Part, pairs: &[Pair]) -> String {
    let sent = sends(frame, part, pairs);
    if let [_] = pairs {
        let numbers = part.cargo == Cargo::Own && frame.collective.chunks() == 1;
        let many = numbers || part.labels.len() > 1;
        let it = if many { "them" } else { "it" };
        let merge = match frame.op {
            ReduceOp::Sum | ReduceOp::Mean(_) => format!("adds {it} to its own"),
            ReduceOp::Max => "keeps the larger values".into(),
            ReduceOp::Min => "keeps the smaller values".into(),
            ReduceOp::Product => format!("multiplies {it} with its own"),
        };
        return format!("{sent}, which {merge}.");
    }
    let merge = match frame.op {
        ReduceOp::Sum | ReduceOp::Mean(_) => "adds what comes to its own",
        ReduceOp::Max => "keeps the larger values",
        ReduceOp::Min => "keeps the smaller values",
        ReduceOp::Product => "multiplies what comes with its own",
    };
    format!("{sent}. Each receiver {merge}.")
}

/// More messages than one can name.
fn crowd(frame: &Frame, part: &Part, pairs: &[Pair]) -> String {
    let named = sends(frame, part, &pairs[..2]);
    format!("{named}, and so on: {} at once.", plural(pairs.len(), "message"))
}

fn outcome(frame: &Frame, part: &Part, landed: bool) -> String {
    let c = frame.collective;
    let Count { most, .. } = part.progress;
    let ranks_hold = |what: &str, its: &str, their: &str| match most {
        1 => format!("{} holds {its}{what}", count(part.progress, "rank")),
        _ => format!("{} hold {their}{what}", count(part.progress, "rank")),
    };
    let contributions = count(part.progress, "contribution");
    let names = || units::chunk_names(c, &part.labels);
    let hold = if part.labels.len() == 1 { "holds" } else { "hold" };
    match part.phase {
        phase if !combines(phase) && matches!(part.shape, Shape::Up(_)) => {
            format!("the switch holds {}", names())
        }
        phase if phase.reduces() => match &part.shape {
            Shape::Pairs(pairs) if c.chunks() == 1 => match &pairs[..] {
                [pair] => format!("rank {} holds {contributions}", pair.to),
                _ => format!("each receiver holds {contributions}"),
            },
            Shape::Pairs(_) | Shape::Up(_) | Shape::Down(_) => {
                format!("{} {hold} {contributions}", names())
            }
            Shape::Everyone => format!("each chunk holds {contributions}"),
            Shape::Around(_) if landed => format!("each of these chunks holds {contributions}"),
            Shape::Around(_) => format!("each travelling chunk holds {contributions}"),
        },
        Verb::Broadcast if part.labels.len() > 1 => {
            let names = units::chunk_names(c, &part.labels);
            format!("{names} are each held by {}", count(part.progress, "rank"))
        }
        Verb::Broadcast => {
            let what = match c.chunks() {
                1 if reduced(frame) => format!("the {}", finished(frame.op, false)),
                1 => format!("rank {}'s numbers", c.root),
                _ => units::chunk_names(c, &part.labels),
            };
            ranks_hold(&what, "", "")
        }
        Verb::Scatter => ranks_hold("block", "its ", "their "),
        Verb::Gather => format!("rank {} holds {}", c.root, count(part.progress, "chunk")),
        Verb::SendRecv if c.chunks() == 1 => {
            format!("rank {} holds rank {}'s numbers", c.receiver(), c.root)
        }
        Verb::SendRecv => format!("rank {} holds {}", c.receiver(), count(part.progress, "chunk")),
        Verb::Shift if c.chunks() == 1 => {
            "each rank holds the numbers of the rank before it".into()
        }
        Verb::Shift => {
            format!("each rank holds {} of the rank before it", count(part.progress, "chunk"))
        }
        Verb::AllToAll => format!("each rank holds {} meant for it", count(part.progress, "chunk")),
        _ if reduced(frame) => {
            format!("each rank holds {}", count(part.progress, "finished chunk"))
        }
        _ => format!("each rank holds {}", count(part.progress, "chunk")),
    }
}
