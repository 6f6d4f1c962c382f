//! Whether a schedule's partial sums stay where they are made.
//!
//! Where they do, the rank that owns a sum can keep it wider than what travels: several sources are
//! fused at the owner, and the result is rounded once. Where a partial sum travels, it has to be
//! rounded for the journey, or the message must be wider, too.
//!
//! Worked example, ReduceScatter over 4 ranks. Direct: rank 0 receives three inputs of block 0 and
//! adds each to what it has; nothing that is sent was added to before. Ring: rank 0 sends block 3
//! to rank 1, which adds its own and passes the sum on: there is no owner yet.

use crate::engine::Rank;
use crate::engine::collective::Buffer;
use crate::engine::reduce::Accumulate;
use crate::engine::schedule::{Program, Schedule, Span};
use std::collections::HashSet;

/// Whether `schedule` can add up as `accumulate` says.
pub fn admits(schedule: &Schedule, accumulate: Accumulate) -> bool {
    accumulate != Accumulate::OwnerF32 || fusable(schedule)
}

/// Whether every partial sum of `schedule`, which must have passed the check, stays where it is
/// made until it is complete: the owner's own input, to which messages are added.
pub fn fusable(schedule: &Schedule) -> bool {
    let mut programs = schedule.programs.iter().enumerate();
    schedule.collective.verb.reduces()
        && programs.all(|(rank, program)| sums_stay(schedule, rank, program))
}

/// Whether `rank` keeps its partial sums to itself, and in one place each.
///
/// If all ranks do, messages carry inputs and finished results only, whatever is done with them.
fn sums_stay(schedule: &Schedule, rank: Rank, program: &Program) -> bool {
    let mut partial: HashSet<(Buffer, usize)> = HashSet::new();
    program.ops.iter().all(|op| {
        let (action, makes_partial) = (op.action, op.makes_partial_sum());
        let places =
            |span: Span| span.chunks().map(move |chunk| schedule.place(rank, span.buffer, chunk));
        let sources: Vec<_> = action.src().into_iter().flat_map(places).collect();
        let targets: Vec<_> = action.dst().into_iter().flat_map(places).collect();
        let fine = if action.reduces() {
            // What comes meets the rank's own input, or the sum that the result replaces.
            let onto_itself = sources.iter().all(|place| partial.contains(place))
                && (!makes_partial || sources == targets);
            action.from().is_some() && (op.marks.pre || onto_itself)
        } else {
            sources.iter().all(|place| !partial.contains(place))
        };
        if makes_partial {
            partial.extend(targets);
        } else {
            targets.iter().for_each(|place| _ = partial.remove(place));
        }
        fine && !(makes_partial && (action.to().is_some() || action.dst().is_none()))
    })
}
