//! The sentence in English.

mod nouns;
mod step;

pub(super) use step::part;

use super::NUMBERS_SPELLED;
use super::scene::{Count, Frame};
use crate::engine::collective::Verb;
use crate::engine::reduce::{MeanKind, ReduceOp};
use crate::ui::text::registry::algorithm_name;
use crate::ui::text::{Lang, units};
use nouns::{capital, count, count_noun, every, finished, join, lower, plural, word};

/// A group of one.
pub(super) fn alone(frame: &Frame) -> (String, String) {
    let detail = match frame.collective.verb {
        Verb::Barrier => "It waits for nobody.".into(),
        verb => format!("Over one rank, {} ends with what it began with.", verb.title()),
    };
    ("A single rank has nobody to talk to.".into(), detail)
}

/// Before the first step: who holds what, and what is going to happen.
pub(super) fn start(frame: &Frame, phases: &[(Verb, usize)]) -> (String, String) {
    let c = frame.collective;
    let steps = phases.iter().map(|(_, steps)| steps).sum();
    let who = match frame.algorithm {
        "ring" => "A ring",
        "tree" => "A binomial tree",
        "direct" => "A direct exchange",
        "double-tree" => "A double binary tree",
        "chain" => "A chain",
        "binary-tree" => "A binary tree",
        "bidirectional-ring" => "A ring in both directions",
        "hierarchical" => "A hierarchy of nodes",
        "linear" => &format!("A star around rank {}", c.root),
        "nvls" => "The switch",
        "pair" => "One Send and one Recv",
        "dissemination" => "Spreading the news",
        other => algorithm_name(Lang::En, other),
    };
    let headline =
        format!("{}. {who} {} in {}.", holdings(frame), aim(frame), plural(steps, "step"));
    let mut detail = String::new();
    if phases.len() > 1 {
        let spent = |(phase, steps): &(Verb, usize)| {
            format!("{}, {}", phase.title(), plural(*steps, "step"))
        };
        let phases: Vec<String> = phases.iter().map(spent).collect();
        detail = format!("First {}.", phases.join("; then "));
    }
    if c.verb.reduces() && frame.op == ReduceOp::Mean(MeanKind::PreScale) {
        join(
            &mut detail,
            &format!("Every rank first multiplies its own numbers by 1/{}.", c.ranks),
        );
    }
    if frame.sums != frame.dtype {
        let (sums, dtype) = (frame.sums.name(), frame.dtype.name());
        let said = if frame.wire == frame.dtype {
            format!("Sums are kept in {sums} where they are made and become {dtype} at the end.")
        } else {
            format!("Numbers are widened to {sums} first and travel so; results become {dtype}.")
        };
        join(&mut detail, &said);
    }
    join(&mut detail, &goal(frame));
    (headline, detail)
}

fn holdings(frame: &Frame) -> String {
    let c = frame.collective;
    let everybody = capital(&plural(c.ranks, "rank"));
    match c.verb {
        Verb::Barrier => format!("{everybody} meet at a barrier"),
        Verb::Scatter | Verb::Broadcast | Verb::SendRecv => {
            format!("Rank {} holds {}", c.root, amount(frame, frame.held_elements(c.root)))
        }
        _ => {
            let first = frame.held_elements(0);
            if (1..c.ranks).all(|rank| frame.held_elements(rank) == first) {
                return format!("{everybody} hold {} each", amount(frame, first));
            }
            let total = (0..c.ranks).map(|rank| frame.held_elements(rank)).sum();
            format!("{everybody} hold a part each, {} in all", amount(frame, total))
        }
    }
}

fn amount(frame: &Frame, elements: usize) -> String {
    match elements {
        0 => "no numbers".into(),
        1..=NUMBERS_SPELLED => plural(elements, "number"),
        _ => format!("a vector of {}", units::bytes((elements * frame.dtype.size_bytes()) as u64)),
    }
}

fn aim(frame: &Frame) -> String {
    let c = frame.collective;
    let combine = match frame.op {
        ReduceOp::Sum => "adds them up",
        ReduceOp::Max => "finds the largest",
        ReduceOp::Min => "finds the smallest",
        ReduceOp::Product => "multiplies them",
        ReduceOp::Mean(_) => "averages them",
    };
    let it =
        if (2..=NUMBERS_SPELLED).contains(&frame.held_elements(c.root)) { "them" } else { "it" };
    match c.verb {
        Verb::AllReduce | Verb::Reduce | Verb::ReduceScatter => combine.into(),
        Verb::AllGather => "brings everything to everybody".into(),
        Verb::Gather => format!("brings everything to rank {}", c.root),
        Verb::Scatter => format!("deals {it} out, a block to each rank,"),
        Verb::Broadcast => format!("takes {it} to everybody"),
        Verb::AllToAll => "hands block r of everything to rank r".into(),
        Verb::SendRecv => format!("take {it} to rank {}", c.receiver()),
        Verb::Shift => "hands everything to the next rank".into(),
        Verb::Barrier => "lets nobody go before all have come,".into(),
    }
}

fn goal(frame: &Frame) -> String {
    let c = frame.collective;
    let results = finished(frame.op, true);
    match c.verb {
        Verb::AllReduce if frame.agrees => {
            format!("At the end every rank holds the same {results}.")
        }
        Verb::AllReduce => {
            format!("At the end every rank holds the {results}, put together in its own order.")
        }
        Verb::Reduce => format!("At the end rank {}, the root, holds the {results}.", c.root),
        Verb::ReduceScatter => format!("At the end rank r holds the {results} of block r."),
        Verb::AllGather => "At the end every rank holds every block.".into(),
        Verb::Gather => format!("At the end rank {}, the root, holds every block.", c.root),
        Verb::Scatter => "At the end rank r holds block r.".into(),
        Verb::Broadcast => format!("At the end every rank holds what rank {} holds.", c.root),
        Verb::AllToAll => "At the end rank r holds block r of everybody's numbers.".into(),
        Verb::SendRecv => match c.ranks {
            2 => String::new(),
            n => format!("The other {} no part.", count_noun(n - 2, "rank takes", "ranks take")),
        },
        Verb::Shift => "At the end every rank holds what the rank before it held.".into(),
        Verb::Barrier => "Nothing but news moves: who has come.".into(),
    }
}

/// Messages of later steps that have left already.
pub(super) fn more(messages: usize) -> String {
    match messages {
        1 => "One more message is on its way.".into(),
        n => format!("{} more messages are on their way.", capital(&word(n))),
    }
}

/// Everything is over: who holds what now.
pub(super) fn over(frame: &Frame, steps: usize) -> (String, String) {
    let c = frame.collective;
    let n = word(c.ranks);
    let all = if c.ranks == 2 { "Both ranks".into() } else { format!("All {n} ranks") };
    let results = finished(frame.op, c.chunks() > 1 || frame.lengths.total() > 1);
    let headline = match c.verb {
        Verb::AllReduce if frame.agrees => format!("{all} hold the same {results}."),
        Verb::AllReduce => format!("{all} hold the {results}, each put together in its own order."),
        Verb::Reduce => format!("Rank {}, the root, holds the {results} of all {n} ranks.", c.root),
        Verb::ReduceScatter => {
            format!("Rank r holds block r of the {}.", finished(frame.op, true))
        }
        Verb::AllGather => format!("{all} hold {} blocks.", every(c.ranks)),
        Verb::Gather => format!("Rank {}, the root, holds {} blocks.", c.root, every(c.ranks)),
        Verb::Scatter => format!("Rank r holds block r of what rank {} held.", c.root),
        Verb::Broadcast => format!("{all} hold rank {}'s numbers.", c.root),
        Verb::AllToAll => "Rank r holds block r of everybody's numbers.".into(),
        Verb::SendRecv => format!("Rank {} holds rank {}'s numbers.", c.receiver(), c.root),
        Verb::Shift => "Every rank holds the numbers of the rank before it.".into(),
        Verb::Barrier => format!("Everybody has heard of everybody: {} may go on.", lower(&all)),
    };
    let mut detail = format!("It took {}.", plural(steps, "step"));
    if c.verb.reduces() {
        detail =
            format!("Each number is made of {n} contributions; it took {}.", plural(steps, "step"));
    }
    (headline, detail)
}

/// The replay ends before everybody has a result.
pub(super) fn cut_off(frame: &Frame, complete: usize) -> (String, String) {
    let done = Count { least: complete, most: complete, of: frame.collective.ranks };
    let have = if complete == 1 { "has" } else { "have" };
    let detail = format!("{} {have} a complete result.", capital(&count(done, "rank")));
    ("The run stopped before it was over.".into(), detail)
}
