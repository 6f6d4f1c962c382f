//! Outputs equal what each verb is defined to give, as a formula of (rank, index).

use crate::common::{Case, grid};
use crate::{judge, lengths, reductions};
use ringscope::engine::check::check;
use ringscope::engine::collective::{Verb, balanced};
use ringscope::engine::memory::Lengths;
use ringscope::engine::oracle::Inputs;
use ringscope::engine::reduce::{Dtype, MeanKind, ReduceOp, Reduction};
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::Tensor;

/// Element `index` of the whole vector at `rank`: small whole numbers, so that sums and products
/// are exact in every type.
fn element(rank: usize, index: usize) -> i32 {
    ((rank * 7 + index * 3 + rank * index) % 11) as i32 - 5
}

fn encode(dtype: Dtype, values: impl IntoIterator<Item = i32>) -> Vec<u8> {
    let word = |value: i32| match dtype {
        Dtype::F32 => (value as f32).to_le_bytes().to_vec(),
        Dtype::F64 => f64::from(value).to_le_bytes().to_vec(),
        Dtype::I32 => value.to_le_bytes().to_vec(),
        Dtype::I64 => i64::from(value).to_le_bytes().to_vec(),
        other => unreachable!("{} does not hold every product exactly", other.name()),
    };
    values.into_iter().flat_map(word).collect()
}

/// The elements of the whole vector that `rank` starts with.
fn held(case: &Case, rank: usize, length: usize) -> std::ops::Range<usize> {
    match case.request.verb {
        Verb::AllGather | Verb::Gather => balanced(length, case.request.ranks, rank),
        Verb::Scatter | Verb::Broadcast | Verb::SendRecv if rank != case.request.root => 0..0,
        _ => 0..length,
    }
}

/// What `rank` must end with, as (source, index) of every element that was moved; for verbs that
/// reduce, the source is everybody.
fn moved(case: &Case, rank: usize, length: usize) -> Vec<(usize, usize)> {
    let (n, root) = (case.request.ranks, case.request.root);
    let block = |owner| balanced(length, n, owner);
    let from = |source: usize, range: std::ops::Range<usize>| range.map(move |i| (source, i));
    match case.request.verb {
        Verb::Reduce | Verb::Gather if rank != root => Vec::new(),
        Verb::SendRecv if rank != (root + 1) % n => Vec::new(),
        Verb::AllReduce | Verb::Reduce | Verb::Barrier => from(0, 0..length).collect(),
        Verb::ReduceScatter => from(0, block(rank)).collect(),
        Verb::AllGather | Verb::Gather => (0..n).flat_map(|r| from(r, block(r))).collect(),
        Verb::Scatter => from(root, block(rank)).collect(),
        Verb::Broadcast | Verb::SendRecv => from(root, 0..length).collect(),
        Verb::Shift => from((rank + n - 1) % n, 0..length).collect(),
        Verb::AllToAll => (0..n).flat_map(|r| from(r, block(rank))).collect(),
    }
}

/// Types in which sums and products of these elements are exact.
const EXACT: [Dtype; 4] = [Dtype::F32, Dtype::F64, Dtype::I32, Dtype::I64];

fn decode(dtype: Dtype, bytes: &[u8]) -> f64 {
    let four = || bytes.as_chunks().0[0];
    let eight = || bytes.as_chunks().0[0];
    match dtype {
        Dtype::F32 => f32::from_le_bytes(four()).into(),
        Dtype::I32 => i32::from_le_bytes(four()).into(),
        Dtype::F64 => f64::from_le_bytes(eight()),
        _ => i64::from_le_bytes(eight()) as f64,
    }
}

/// Whether `got` is what the definition asks for. Scaling before adding rounds more than once.
fn right(reduction: Reduction, index: usize, got: &[u8]) -> bool {
    let Reduction { op, dtype, ranks, .. } = reduction;
    let all = || (0..ranks).map(|rank| element(rank, index));
    let exact = match op {
        ReduceOp::Sum => all().sum::<i32>().into(),
        ReduceOp::Product => all().product::<i32>().into(),
        ReduceOp::Max => all().max().unwrap_or(0).into(),
        ReduceOp::Min => all().min().unwrap_or(0).into(),
        ReduceOp::Mean(_) => f64::from(all().sum::<i32>()) / ranks as f64,
    };
    let want = match dtype {
        Dtype::F64 => exact,
        Dtype::F32 => f64::from(exact as f32),
        _ => exact.trunc(),
    };
    let tolerance = if op == ReduceOp::Mean(MeanKind::PreScale) { 1e-5 } else { 0.0 };
    (decode(dtype, got) - want).abs() <= tolerance
}

#[test]
fn every_verb_does_what_it_is_defined_to_do() {
    let mut compared = 0;
    for case in grid([1, 2, 3, 5, 8], &[1, 2]) {
        let schedule = case.build();
        let proof = check(&schedule).unwrap_or_else(|fault| panic!("{case}: {fault}"));
        for length in lengths(case.request.ranks) {
            // A barrier has one token, whatever its length; it is the largest that arrived.
            let reductions = reductions(&case, &schedule, length);
            for reduction in reductions.into_iter().filter(|r| EXACT.contains(&r.dtype)) {
                let input = |rank| {
                    let values = held(&case, rank, length).map(|i| element(rank, i));
                    encode(reduction.dtype, values)
                };
                let inputs = Inputs::Typed((0..case.request.ranks).map(input).collect());
                let tensor = Tensor::flat(length);
                let run = Run { tensor, reduction, inputs, slots: proof.slots };
                let simulation = simulate(&schedule, &run, 3);
                let verdict = judge(&schedule, &proof, &run, &simulation.outputs);
                assert!(verdict.passed(), "{case} {reduction:?}: {verdict:?}");
                for (rank, output) in simulation.outputs.iter().enumerate() {
                    let moved = moved(&case, rank, length);
                    let size = reduction.dtype.size_bytes();
                    assert_eq!(output.len(), moved.len() * size, "{case} rank {rank}");
                    for (&(source, index), got) in moved.iter().zip(output.chunks_exact(size)) {
                        let verb = case.request.verb;
                        let fine = match verb.reduces() || verb == Verb::Barrier {
                            true => right(reduction, index, got),
                            false => encode(reduction.dtype, [element(source, index)]) == got,
                        };
                        assert!(fine, "{case} {reduction:?} rank {rank} element {index}: {got:?}");
                        compared += 1;
                    }
                }
            }
        }
    }
    println!("{compared} elements compared");
    assert!(compared > 1_000_000);
}

#[test]
fn a_vector_is_cut_into_as_many_lengths_as_the_verb_has_labels() {
    for case in grid([1, 3, 4], &[1, 2, 5]) {
        let schedule = case.build();
        for length in lengths(case.request.ranks) {
            let lengths = Lengths::new(&schedule.collective, &Tensor::flat(length));
            let ranges = (0..schedule.collective.chunks()).map(|label| lengths.range(label));
            let end = ranges.fold(0, |at, range| {
                assert_eq!(range.start, at, "{case}");
                range.end
            });
            assert_eq!((end, lengths.total()), (length, length), "{case}");
        }
    }
}
