//! Schedules on real numbers: the same bits in every order, right by definition and by the oracle.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/mod.rs"]
mod common;
mod definition;
mod dimensions;
mod judged;

use common::{Case, grid};
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::{Proof, admits, check};
use ringscope::engine::collective::Verb;
use ringscope::engine::memory::Lengths;
use ringscope::engine::oracle::{Inputs, Verdict, expected, verify};
use ringscope::engine::reduce::{Dtype, ReduceOp, Reduction};
use ringscope::engine::schedule::Schedule;
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::Tensor;

/// Lengths around the number of ranks, where chunks are empty or uneven, and an ordinary one.
fn lengths(ranks: usize) -> [usize; 6] {
    [0, 1, ranks - 1, ranks, ranks + 1, 1000]
}

/// What a case is tried with: two types at every length, and all reductions that make a difference
/// to the verb at one that leaves uneven chunks, where no option is chosen.
fn reductions(case: &Case, schedule: &Schedule, length: usize) -> Vec<Reduction> {
    let Request { verb, ranks, .. } = case.request;
    // A verb that only moves data does so for any operator; a barrier's token is the largest.
    let usual = if verb.reduces() { ReduceOp::Sum } else { ReduceOp::Max };
    let plain = case.request.choices().next().is_none() && !case.request.in_place;
    let few = |r: &Reduction| matches!(r.dtype, Dtype::F32 | Dtype::I32) && r.op == usual;
    let every = |r: &Reduction| plain && length == ranks + 1 && (verb.reduces() || r.op == usual);
    let admitted = |r: &Reduction| admits(schedule, r.accumulate);
    Reduction::all(ranks).filter(|r| (few(r) || every(r)) && admitted(r)).collect()
}

/// What the oracle says of all outputs.
fn judge(schedule: &Schedule, proof: &Proof, run: &Run, outputs: &[Vec<u8>]) -> Verdict {
    let lengths = Lengths::new(&schedule.collective, &run.tensor);
    let mut verdict = Verdict::default();
    for (rank, output) in outputs.iter().enumerate() {
        let mut at = 0;
        for chunk in expected(schedule, proof, rank, &lengths) {
            let bytes = &output[at..at + chunk.range.len() * run.reduction.wire().size_bytes()];
            at += bytes.len();
            let part = 0..chunk.range.len();
            verdict = verdict.and(verify(&run.inputs, run.reduction, &chunk, part, bytes));
        }
        assert_eq!(at, output.len(), "the oracle saw every byte");
    }
    verdict
}

/// Calls `test` with every case, the proof of its schedule, every length, and every reduction: of
/// all types at one length, of two at the others.
fn every_run(mut test: impl FnMut(&Case, &Schedule, &Proof, Run)) {
    for case in grid([1, 2, 3, 5], &[1, 3]) {
        let schedule = case.build();
        let proof = check(&schedule).unwrap_or_else(|fault| panic!("{case}: {fault}"));
        for length in lengths(case.request.ranks) {
            for reduction in reductions(&case, &schedule, length) {
                let inputs = Inputs::Seeded(length as u64);
                let tensor = Tensor::flat(length);
                test(
                    &case,
                    &schedule,
                    &proof,
                    Run { tensor, reduction, inputs, slots: proof.slots },
                );
            }
        }
    }
}

#[test]
fn every_order_gives_the_same_bits_and_the_oracle_agrees() {
    let (mut runs, mut elements) = (0, 0);
    every_run(|case, schedule, proof, mut run| {
        let first = simulate(schedule, &run, 0);
        assert_eq!(first.stuck, [], "{case}");
        let verdict = judge(schedule, proof, &run, &first.outputs);
        assert!(verdict.passed(), "{case} {:?}: {verdict:?}", run.reduction);
        run.slots += 3;
        for seed in [1, 2] {
            let again = simulate(schedule, &run, seed);
            assert_eq!(again.stuck, [], "{case}");
            assert_eq!(first.outputs, again.outputs, "{case} {:?} seed {seed}", run.reduction);
            run.slots = proof.slots;
        }
        runs += 3;
        elements += verdict.checked;
    });
    println!("{runs} simulations, {elements} elements judged");
    assert!(runs > 10_000);
}

#[test]
fn a_deadlock_names_everybody_who_is_stuck() {
    let reduction = Reduction::new(ReduceOp::Sum, Dtype::F32, 4);
    let (tensor, inputs) = (Tensor::flat(8), Inputs::Seeded(1));
    let run = Run { tensor, reduction, inputs, slots: 1 };
    let stuck = |schedule: &Schedule| {
        let mut stuck = simulate(schedule, &run, 5).stuck;
        stuck.sort_unstable();
        stuck
    };
    let build = |name, verb| {
        let algorithm = find(name).expect("it is in the registry");
        algorithm.build(&Request::new(verb, 4)).expect("it is not refused")
    };
    // Everybody receives before anybody has sent.
    let mut ring = build("ring", Verb::AllReduce);
    ring.programs.iter_mut().for_each(|program| program.ops.rotate_left(1));
    assert_eq!(stuck(&ring), [(0, 0), (1, 0), (2, 0), (3, 0)]);
    // The root forgets its last message: only rank 3 waits.
    let mut linear = build("linear", Verb::Broadcast);
    linear.programs[0].ops.pop();
    assert_eq!(stuck(&linear), [(3, 0)]);
}

#[test]
fn the_fewest_slots_are_enough_in_any_order() {
    // Senders find their slots taken until a neighbour, itself waiting to send, takes a message.
    for case in grid([2, 3, 4, 5], &[2, 3]) {
        let schedule = case.build();
        let slots = check(&schedule).unwrap_or_else(|fault| panic!("{case}: {fault}")).slots;
        let reduction = Reduction::new(ReduceOp::Max, Dtype::I32, case.request.ranks);
        for seed in 0..8 {
            let (tensor, inputs) = (Tensor::flat(20), Inputs::Seeded(seed));
            let run = Run { tensor, reduction, inputs, slots };
            assert_eq!(simulate(&schedule, &run, seed).stuck, [], "{case} seed {seed}");
        }
    }
}
