//! Schedules on real numbers: the same bits in every order, right by definition and by the oracle.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/mod.rs"]
mod common;
mod definition;
mod dimensions;
mod judged;

use common::{Case, grid};
use ringscope::engine::algorithm::find;
use ringscope::engine::check::{Proof, check};
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

/// The reductions that make a difference to `verb`.
fn reductions(verb: Verb, ranks: usize) -> Vec<Reduction> {
    let all = Dtype::ALL.iter().flat_map(|&dtype| ReduceOp::ALL.map(|op| (op, dtype)));
    all.filter(|(op, dtype)| op.supports(*dtype))
        .filter(|(op, _)| verb.reduces() || *op == ReduceOp::Max)
        .map(|(op, dtype)| Reduction { op, dtype, ranks })
        .collect()
}

/// What the oracle says of all outputs.
fn judge(schedule: &Schedule, proof: &Proof, run: &Run, outputs: &[Vec<u8>]) -> Verdict {
    let lengths = Lengths::new(&schedule.collective, &run.tensor);
    let mut verdict = Verdict::default();
    for (rank, output) in outputs.iter().enumerate() {
        let mut at = 0;
        for chunk in expected(schedule, proof, rank, &lengths) {
            let bytes = &output[at..at + chunk.range.len() * run.reduction.dtype.size_bytes()];
            at += bytes.len();
            let part = 0..chunk.range.len();
            verdict = verdict.and(verify(&run.inputs, run.reduction, &chunk, part, bytes));
        }
        assert_eq!(at, output.len(), "the oracle saw every byte");
    }
    verdict
}

/// Calls `test` with every case, the proof of its schedule, and every length and reduction.
fn every_run(mut test: impl FnMut(&Case, &Schedule, &Proof, Run)) {
    for case in grid([1, 2, 3, 5], &[1, 3]) {
        let schedule = case.build();
        let proof = check(&schedule).unwrap_or_else(|fault| panic!("{case}: {fault}"));
        for length in lengths(case.ranks) {
            for reduction in reductions(case.verb, case.ranks) {
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
    let reduction = Reduction { op: ReduceOp::Sum, dtype: Dtype::F32, ranks: 4 };
    let (tensor, inputs) = (Tensor::flat(8), Inputs::Seeded(1));
    let run = Run { tensor, reduction, inputs, slots: 1 };
    let stuck = |schedule: &Schedule| {
        let mut stuck = simulate(schedule, &run, 5).stuck;
        stuck.sort_unstable();
        stuck
    };
    let build = |name, verb| {
        let algorithm = find(name).expect("it is in the registry");
        algorithm.build(verb, 4, 0, 1, false).expect("it is not refused")
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
        let reduction = Reduction { op: ReduceOp::Max, dtype: Dtype::I32, ranks: case.ranks };
        for seed in 0..8 {
            let (tensor, inputs) = (Tensor::flat(20), Inputs::Seeded(seed));
            let run = Run { tensor, reduction, inputs, slots };
            assert_eq!(simulate(&schedule, &run, seed).stuck, [], "{case} seed {seed}");
        }
    }
}
