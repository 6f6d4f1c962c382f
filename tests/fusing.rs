//! Sums that their owners keep in `f32`: which schedules can do so, and what comes of it.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::grid;
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::{check, fusable};
use ringscope::engine::collective::{Buffer, Verb};
use ringscope::engine::oracle::Inputs;
use ringscope::engine::rank::Moment;
use ringscope::engine::reduce::plain::{Number, Values, numbers};
use ringscope::engine::reduce::{Accumulate, Dtype, ReduceOp, Reduction};
use ringscope::engine::schedule::{Action, Peer, Schedule, Span};
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::Tensor;
use ringscope::runtime::outcome::RunFault;
use ringscope::runtime::plan::Plan;

fn build(algorithm: &str, verb: Verb, ranks: usize) -> Schedule {
    let found = find(algorithm).expect("it is in the registry");
    found.build(&Request::new(verb, ranks)).expect("it is not refused")
}

/// A run of `schedule` on typed elements, the same at every rank.
fn run(schedule: &Schedule, reduction: Reduction, inputs: Inputs, elements: usize) -> Run {
    let slots = check(schedule).expect("it is right").slots;
    Run { tensor: Tensor::flat(elements), reduction, inputs, slots }
}

/// Whether some message of a real run carries a partial sum: every rank gives ones, so that a
/// message says how many contributions it is made of.
fn partial_sums_travel(schedule: &Schedule) -> bool {
    let (ranks, chunks) = (schedule.collective.ranks, schedule.collective.chunks());
    let ones = Values::Integers(vec![1; chunks]).bytes(Dtype::I32);
    let reduction = Reduction::new(ReduceOp::Sum, Dtype::I32, ranks);
    let run = run(schedule, reduction, Inputs::Typed(vec![ones; ranks]), chunks);
    let mut applied = Vec::new();
    for event in simulate(schedule, &run, 0).trace.events {
        let op = &schedule.programs[event.rank].ops[event.op];
        let told = match event.what {
            Moment::Applied => op.action.to().is_some(),
            Moment::Sent => op.action.from().is_none(),
            _ => false,
        };
        if told {
            applied.extend(event.values.iter().flat_map(|bytes| numbers(Dtype::I32, bytes)));
        }
    }
    applied.iter().any(|count| *count != Number::Int(1) && *count != Number::Int(ranks as i64))
}

/// Whether something is added to a copy of an input, which cannot be told from a sum.
fn adds_to_a_copy(schedule: &Schedule) -> bool {
    schedule.programs.iter().any(|program| {
        program.ops.iter().enumerate().any(|(at, op)| {
            let Some(src) = op.action.src().filter(|_| op.action.reduces() && !op.marks.pre) else {
                return false;
            };
            let before = program.ops[..at].iter().rev();
            let mut written = before.filter(|op| op.action.dst() == Some(src));
            written.next().is_some_and(|op| !op.action.reduces())
        })
    })
}

#[test]
fn sums_stay_where_no_message_carries_one() {
    let (mut yes, mut no) = (0, 0);
    for case in grid([1, 2, 3, 4, 5, 8], &[1, 2]).into_iter().filter(|c| c.request.verb.reduces()) {
        let schedule = case.build();
        let found = fusable(&schedule);
        let expected = !partial_sums_travel(&schedule) && !adds_to_a_copy(&schedule);
        assert_eq!(found, expected, "{case}\n{schedule}");
        *(if found { &mut yes } else { &mut no }) += 1;
    }
    assert!(yes > 100 && no > 100, "{yes} of {}", yes + no);
}

#[test]
fn the_known_ones() {
    for (algorithm, verb) in [
        ("direct", Verb::ReduceScatter),
        ("direct", Verb::AllReduce),
        ("one-shot", Verb::AllReduce),
        ("pairwise", Verb::ReduceScatter),
        ("linear", Verb::Reduce),
    ] {
        assert!(fusable(&build(algorithm, verb, 4)), "{algorithm}");
    }
    for algorithm in ["ring", "tree", "double-tree", "rabenseifner", "recursive-doubling"] {
        assert!(!fusable(&build(algorithm, Verb::AllReduce, 4)), "{algorithm}");
    }
    // Of two ranks nobody is left to pass a sum on to.
    assert!(fusable(&build("ring", Verb::AllReduce, 2)));
    // What is not reduced has no sums.
    assert!(!fusable(&build("direct", Verb::AllGather, 4)));
}

#[test]
fn a_sum_that_is_moved_does_not_stay() {
    let direct = build("direct", Verb::ReduceScatter, 4);
    let out = Span::new(Buffer::Output, 0, 1);
    let partial = |op: &ringscope::engine::schedule::Op| op.makes_partial_sum();
    let at = direct.programs[0].ops.iter().position(partial).expect("it adds");
    let to = Peer { rank: 1, channel: 7 };
    let actions = [
        Action::Send { src: out, to },
        Action::Copy { src: out, dst: Span::new(Buffer::Scratch, 0, 1) },
        Action::Reduce { src: out, dst: Span::new(Buffer::Scratch, 0, 1) },
    ];
    for action in actions {
        let mut changed = direct.clone();
        let program = &mut changed.programs[0];
        program.scratch = vec![0];
        let mut op = program.ops[at].clone();
        op.action = action;
        program.ops.insert(at + 1, op);
        assert!(!fusable(&changed), "{action:?}");
        // After the last addition it is no partial sum any more.
        let op = changed.programs[0].ops.remove(at + 1);
        changed.programs[0].ops.push(op);
        let harmless = !matches!(action, Action::Reduce { .. });
        assert_eq!(fusable(&changed), harmless, "{action:?}");
    }
}

#[test]
fn what_cannot_be_had_is_refused_before_it_runs() {
    let reduction = Reduction {
        accumulate: Accumulate::OwnerF32,
        ..Reduction::new(ReduceOp::Sum, Dtype::Bf16, 4)
    };
    for (algorithm, refused) in [("ring", true), ("direct", false)] {
        let schedule = build(algorithm, Verb::AllReduce, 4);
        let proof = check(&schedule).expect("it is right");
        let plan = Plan::new(&schedule, &proof, &run(&schedule, reduction, Inputs::Seeded(1), 9));
        assert_eq!(plan.err(), refused.then_some(RunFault::PartialSumsTravel), "{algorithm}");
    }
}

#[test]
fn the_owner_and_the_wire_add_the_same_numbers() {
    // The same sums in the same order, rounded once: only what travels differs.
    for case in grid([2, 4, 5], &[1, 2]).into_iter().filter(|c| c.request.verb.reduces()) {
        let schedule = case.build();
        if !fusable(&schedule) {
            continue;
        }
        for dtype in Dtype::ALL.into_iter().filter(|dtype| dtype.is_small_float()) {
            let outputs = [Accumulate::OwnerF32, Accumulate::WireF32].map(|accumulate| {
                let sum = Reduction::new(ReduceOp::Sum, dtype, case.request.ranks);
                let reduction = Reduction { accumulate, ..sum };
                let run = run(&schedule, reduction, Inputs::Seeded(3), 37);
                let outputs = simulate(&schedule, &run, 5).outputs;
                let values = outputs.iter().map(|bytes| numbers(reduction.wire(), bytes));
                values.collect::<Vec<_>>()
            });
            assert_eq!(outputs[0], outputs[1], "{case} {dtype:?}");
        }
    }
}
