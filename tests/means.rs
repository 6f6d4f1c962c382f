//! What types do to means, sums and maxima, on real runs: one thread per rank, a ring (or, where
//! owners keep the sums, everybody with everybody), the kernels. The expected values of the
//! averages were computed apart from this project, by NCCL's rule: the factor 1/n is rounded to the
//! type, and so is every product and every sum.
#![cfg(not(target_arch = "wasm32"))]

use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::check;
use ringscope::engine::collective::Verb;
use ringscope::engine::oracle::Inputs;
use ringscope::engine::reduce::plain::{Number, Values, numbers};
use ringscope::engine::reduce::{Accumulate, Dtype, MeanKind, ReduceOp, Reduction};
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::Tensor;
use ringscope::runtime::outcome::RunResult;
use ringscope::runtime::plan::Plan;
use ringscope::runtime::threads;

const PRE: ReduceOp = ReduceOp::Mean(MeanKind::PreScale);
const POST: ReduceOp = ReduceOp::Mean(MeanKind::PostScale);

/// One AllReduce of one element per rank, given as bytes.
fn run(reduction: Reduction, inputs: Vec<Vec<u8>>) -> RunResult {
    let name = if reduction.accumulate == Accumulate::OwnerF32 { "direct" } else { "ring" };
    let algorithm = find(name).expect("it is in the registry");
    let request = Request::new(Verb::AllReduce, reduction.ranks);
    let schedule = algorithm.build(&request).expect("it is not refused");
    let proof = check(&schedule).expect("it is right");
    let inputs = Inputs::Typed(inputs);
    let run = Run { tensor: Tensor::flat(1), reduction, inputs, slots: proof.slots };
    let plan = Plan::new(&schedule, &proof, &run).expect("it fits");
    let result = threads::run(&[plan]).expect("it runs").remove(0);
    assert!(result.verdict.passed(), "{reduction:?}: {:?}", result.verdict);
    let simulated = simulate(&schedule, &run, 0).outputs;
    for (found, simulated) in result.outputs.iter().zip(&simulated) {
        let found = found.as_ref().expect("it is small");
        // Any NaN equals any NaN: its sign and payload are the hardware's.
        let nan = |bytes| numbers(reduction.wire(), bytes)[0].to_f64().is_nan();
        assert!(found == simulated || nan(found) && nan(simulated), "{found:?} {simulated:?}");
    }
    result
}

/// What every rank ends with.
fn outcome(reduction: Reduction, result: &RunResult) -> Number {
    let first = result.outputs[0].as_ref().expect("it is small");
    assert!(result.outputs.iter().all(|output| output.as_ref() == Some(first)));
    numbers(reduction.wire(), first)[0]
}

/// The result of typed numbers, one per rank.
fn reduced(op: ReduceOp, dtype: Dtype, accumulate: Accumulate, values: &[f64]) -> f64 {
    let reduction = Reduction { op, dtype, accumulate, ranks: values.len() };
    let input = |&value: &f64| Values::typed(dtype, [value].into_iter()).bytes(dtype);
    let result = run(reduction, values.iter().map(input).collect());
    outcome(reduction, &result).to_f64()
}

fn in_type(op: ReduceOp, dtype: Dtype, values: &[f64]) -> f64 {
    reduced(op, dtype, Accumulate::InType, values)
}

fn in_f32(op: ReduceOp, dtype: Dtype, values: &[f64]) -> f64 {
    reduced(op, dtype, Accumulate::WireF32, values)
}

fn at_owner(op: ReduceOp, dtype: Dtype, values: &[f64]) -> f64 {
    reduced(op, dtype, Accumulate::OwnerF32, values)
}

#[test]
fn the_mean_of_ones_is_not_always_one() {
    for (n, f16_pre, bf16_pre) in [
        (2, 1.0, 1.0),
        (3, 1.0, 1.0),
        (4, 1.0, 1.0),
        (6, 0.999_511_718_75, 1.0),
        (7, 0.999_023_437_5, 0.992_187_5),
        (8, 1.0, 1.0),
        (12, 1.0, 0.992_187_5),
        (16, 1.0, 1.0),
    ] {
        let ones = vec![1.0; n];
        assert_eq!(in_type(PRE, Dtype::F16, &ones), f16_pre, "binary16, n = {n}");
        assert_eq!(in_type(PRE, Dtype::Bf16, &ones), bf16_pre, "bfloat16, n = {n}");
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::E4m3, Dtype::E5m2] {
            // Dividing last, and both ways through f32, make one of ones, as far as the type counts
            // to n.
            let exact = dtype.format().is_some_and(|f| n <= 2 << f.fraction);
            assert!(!exact || in_type(POST, dtype, &ones) == 1.0, "{dtype:?}, n = {n}");
            assert_eq!(in_f32(PRE, dtype, &ones), 1.0, "{dtype:?} through f32, n = {n}");
            assert_eq!(in_f32(POST, dtype, &ones), 1.0, "{dtype:?} through f32, n = {n}");
            assert_eq!(at_owner(POST, dtype, &ones), 1.0, "{dtype:?} at the owner, n = {n}");
        }
        // 1/n is still rounded to the type, but the sums of it no longer are: what is left of the
        // error is half a step of the last place or less, and rounds to 1.
        assert_eq!(at_owner(PRE, Dtype::F16, &ones), 1.0, "binary16 at the owner, n = {n}");
        assert_eq!(at_owner(PRE, Dtype::Bf16, &ones), 1.0, "bfloat16 at the owner, n = {n}");
        for dtype in [Dtype::E4m3, Dtype::E5m2] {
            assert!(at_owner(PRE, dtype, &ones) > 0.0, "{dtype:?} at the owner, n = {n}");
        }
    }
}

#[test]
fn dividing_last_overflows_and_scaling_first_underflows() {
    let large = [60_000.0; 2];
    assert_eq!(in_type(PRE, Dtype::F16, &large), 60_000.0);
    assert_eq!(in_type(POST, Dtype::F16, &large), f64::INFINITY);
    assert_eq!(in_f32(POST, Dtype::F16, &large), 60_000.0);
    assert_eq!(at_owner(POST, Dtype::F16, &large), 60_000.0);
    let tiny = [2f64.powi(-24); 8];
    assert_eq!(in_type(PRE, Dtype::F16, &tiny), 0.0);
    assert_eq!(in_type(POST, Dtype::F16, &tiny), tiny[0]);
    assert_eq!(in_f32(PRE, Dtype::F16, &tiny), tiny[0]);
    // What is scaled before it travels is lost all the same.
    assert_eq!(at_owner(PRE, Dtype::F16, &tiny), 0.0);
    assert_eq!(at_owner(POST, Dtype::F16, &tiny), tiny[0]);
    // fp8 saturates where a half overflows.
    assert_eq!(in_type(ReduceOp::Sum, Dtype::E4m3, &[400.0; 2]), 448.0);
    assert_eq!(in_type(ReduceOp::Sum, Dtype::E5m2, &[-40_960.0; 2]), -57_344.0);
    // In the type a sum stands still; through f32 it goes on.
    let steps = [&[1.0, 256.0][..], &[1.0; 8]].concat();
    assert_eq!(in_type(ReduceOp::Sum, Dtype::Bf16, &steps), 256.0);
    assert_eq!(in_f32(ReduceOp::Sum, Dtype::Bf16, &steps), 264.0);
    assert_eq!(at_owner(ReduceOp::Sum, Dtype::Bf16, &steps), 264.0);
}

#[test]
fn integers_wrap_and_truncate_toward_zero() {
    for dtype in [Dtype::I8, Dtype::I32, Dtype::I64] {
        assert_eq!(in_type(POST, dtype, &[-3.0, -4.0]), -3.0, "{dtype:?}");
        assert_eq!(in_type(POST, dtype, &[3.0, 4.0]), 3.0, "{dtype:?}");
    }
    assert_eq!(in_type(POST, Dtype::U8, &[200.0, 101.0]), 22.0);
    assert_eq!(in_type(ReduceOp::Sum, Dtype::I8, &[100.0, 100.0]), -56.0);
    assert_eq!(in_type(ReduceOp::Max, Dtype::U8, &[200.0, 100.0]), 200.0);
    // Beyond 2^53, where an f64 would round.
    let reduction = Reduction::new(ReduceOp::Sum, Dtype::I64, 2);
    let odd = (1i64 << 53) + 1;
    let result = run(reduction, vec![odd.to_le_bytes().to_vec(), 2i64.to_le_bytes().to_vec()]);
    assert_eq!(outcome(reduction, &result), Number::Int(odd + 2));
    let result =
        run(reduction, vec![i64::MAX.to_le_bytes().to_vec(), vec![1, 0, 0, 0, 0, 0, 0, 0]]);
    assert_eq!(outcome(reduction, &result), Number::Int(i64::MIN));
}

#[test]
fn nan_at_one_rank_is_nan_at_all() {
    for dtype in Dtype::ALL.into_iter().filter(|dtype| dtype.format().is_some()) {
        for op in [ReduceOp::Max, ReduceOp::Min, ReduceOp::Sum, PRE] {
            let nan = in_type(op, dtype, &[1.0, f64::NAN, 2.0]);
            assert!(nan.is_nan(), "{op:?} of {dtype:?}: {nan}");
        }
    }
}

#[test]
fn f32_on_the_wire_makes_messages_larger() {
    let sent = |accumulate, dtype| {
        let reduction = Reduction { op: ReduceOp::Sum, dtype, accumulate, ranks: 2 };
        let input = Values::typed(dtype, [1.0].into_iter()).bytes(dtype);
        let result = run(reduction, vec![input.clone(), input]);
        result.counters.iter().map(|counters| counters.bytes_sent).sum::<u64>()
    };
    assert_eq!(sent(Accumulate::InType, Dtype::Bf16), 4);
    assert_eq!(sent(Accumulate::WireF32, Dtype::Bf16), 8);
    assert_eq!(sent(Accumulate::OwnerF32, Dtype::Bf16), 4);
    assert_eq!(sent(Accumulate::InType, Dtype::E4m3), 2);
    assert_eq!(sent(Accumulate::WireF32, Dtype::E4m3), 8);
    assert_eq!(sent(Accumulate::OwnerF32, Dtype::E4m3), 2);
}
