//! The oracle's negative controls: it must find what is wrong with a result.

use crate::common::Random;
use crate::{every_run, judge};
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::check;
use ringscope::engine::collective::{Buffer, Verb};
use ringscope::engine::oracle::Inputs;
use ringscope::engine::reduce::{Dtype, MeanKind, ReduceOp, Reduction, plain};
use ringscope::engine::schedule::{Action, Schedule, Span};
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::Tensor;

#[test]
fn one_flipped_bit_anywhere_is_found() {
    let (mut random, mut flipped) = (Random(7), 0);
    every_run(|case, schedule, proof, run| {
        let mut outputs = simulate(schedule, &run, 1).outputs;
        let rank = random.below(outputs.len());
        if outputs[rank].is_empty() {
            return;
        }
        let at = random.below(outputs[rank].len());
        outputs[rank][at] ^= 1 << random.below(8);
        let verdict = judge(schedule, proof, &run, &outputs);
        assert_eq!(verdict.wrong_bits, 1, "{case} {:?}: byte {at} of rank {rank}", run.reduction);
        flipped += 1;
    });
    println!("{flipped} flipped bits found");
    assert!(flipped > 5_000);
}

/// The verdict on what `mutant` computes, judged by the proof of the right schedule.
fn verdict_on(right: &Schedule, mutant: &Schedule, run: &Run) -> (u64, u64) {
    let proof = check(right).expect("the right schedule is right");
    let outputs = simulate(mutant, run, 0).outputs;
    let verdict = judge(right, &proof, run, &outputs);
    (verdict.wrong_bits, verdict.out_of_bound)
}

#[test]
fn a_contribution_dropped_or_doubled_breaks_both_verdicts() {
    let ring = find("ring").expect("it is in the registry");
    let right = ring.build(&Request::new(Verb::ReduceScatter, 4)).expect("it is not refused");
    let last = right.programs[2].ops.len() - 1;
    let mut dropped = right.clone();
    let Action::RecvReduce { from, dst, .. } = dropped.programs[2].ops[last].action else {
        panic!("a ring's last op receives and reduces");
    };
    dropped.programs[2].ops[last].action = Action::Recv { from, dst };
    let mut doubled = right.clone();
    let mut again = doubled.programs[2].ops[last].clone();
    again.action = Action::Reduce { src: Span::new(Buffer::Input, 2, 1), dst };
    again.marks.post = false;
    doubled.programs[2].ops.push(again);
    for dtype in Dtype::ALL {
        for op in [ReduceOp::Sum, ReduceOp::Product, ReduceOp::Mean(MeanKind::PostScale)] {
            let reduction = Reduction::new(op, dtype, 4);
            let (tensor, inputs) = (Tensor::flat(4000), Inputs::Seeded(3));
            let run = Run { tensor, reduction, inputs, slots: 1 };
            assert_eq!(verdict_on(&right, &right, &run), (0, 0));
            for mutant in [&dropped, &doubled] {
                let (bits, bound) = verdict_on(&right, mutant, &run);
                // All 1000 elements of rank 2; now and then a contribution is lost in a product.
                // Bytes have few values, and fp8 so coarse a bound that little lies outside it.
                let few = dtype.size_bytes() == 1;
                let least = if few { 800 } else { 900 };
                let coarse = few && dtype.format().is_some();
                assert!(bits > least, "{reduction:?}: {bits} and {bound}");
                assert!(coarse || bound > least, "{reduction:?}: {bits} and {bound}");
            }
        }
    }
}

/// One verdict on the result of `values`, one element per rank, reduced to rank 0.
fn reduced(values: &[f32], op: ReduceOp) -> (f32, bool) {
    let ranks = values.len();
    let linear = find("linear").expect("it is in the registry");
    let schedule = linear.build(&Request::new(Verb::Reduce, ranks)).expect("it is not refused");
    let proof = check(&schedule).expect("it is right");
    let inputs = Inputs::Typed(values.iter().map(|x| x.to_le_bytes().to_vec()).collect());
    let reduction = Reduction::new(op, Dtype::F32, ranks);
    let run = Run { tensor: Tensor::flat(1), reduction, inputs, slots: 1 };
    let outputs = simulate(&schedule, &run, 0).outputs;
    let result = outputs[0].as_chunks::<4>().0[0];
    (f32::from_le_bytes(result), judge(&schedule, &proof, &run, &outputs).passed())
}

#[test]
fn the_edges_of_the_range_are_judged_fairly() {
    let (pre, post) = (ReduceOp::Mean(MeanKind::PreScale), ReduceOp::Mean(MeanKind::PostScale));
    // Dividing last overflows on the way where dividing first does not.
    assert_eq!(reduced(&[3e38, 3e38], post), (f32::INFINITY, true));
    assert_eq!(reduced(&[3e38, 3e38], pre), (3e38, true));
    // Dividing first loses what dividing last keeps.
    let tiny = f32::from_bits(1);
    assert_eq!(reduced(&[tiny; 8], pre), (0.0, true));
    assert_eq!(reduced(&[tiny; 8], post), (tiny, true));
    // A product may leave the range and come back.
    assert!(reduced(&[1e30, 1e-30, 1e-30, 1e30], ReduceOp::Product).1);
    assert!(reduced(&[1e-30, 1e-30, 1e30, 1e30], ReduceOp::Product).1);
    // Any NaN equals any NaN, and signed zeros are told apart.
    assert!(reduced(&[f32::NAN, 1.0], ReduceOp::Max).0.is_nan());
    assert!(reduced(&[f32::NAN, 1.0], ReduceOp::Max).1);
    assert!(reduced(&[f32::INFINITY, f32::NEG_INFINITY], ReduceOp::Sum).1);
    assert_eq!(reduced(&[-0.0, 0.0], ReduceOp::Max).0.to_bits(), 0);
    assert_eq!(reduced(&[-0.0, 0.0], ReduceOp::Min).0.to_bits(), (-0.0f32).to_bits());
}

#[test]
#[should_panic(expected = "integers are never scaled before they are added")]
fn scaling_integers_first_is_a_programmer_error() {
    let reduction = Reduction::new(ReduceOp::Mean(MeanKind::PreScale), Dtype::I32, 2);
    reduction.pre(&plain::ARITHMETIC, &mut [0; 4]);
}
