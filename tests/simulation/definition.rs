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
        Dtype::F32 => (value as f32).to_le_bytes(),
        Dtype::I32 => value.to_le_bytes(),
    };
    values.into_iter().flat_map(word).collect()
}

/// The elements of the whole vector that `rank` starts with.
fn held(case: &Case, rank: usize, length: usize) -> std::ops::Range<usize> {
    match case.verb {
        Verb::AllGather | Verb::Gather => balanced(length, case.ranks, rank),
        Verb::Scatter | Verb::Broadcast | Verb::SendRecv if rank != case.root => 0..0,
        _ => 0..length,
    }
}

/// What `rank` must end with, as (source, index) of every element that was moved; for verbs that
/// reduce, the source is everybody.
fn moved(case: &Case, rank: usize, length: usize) -> Vec<(usize, usize)> {
    let (n, root) = (case.ranks, case.root);
    let block = |owner| balanced(length, n, owner);
    let from = |source: usize, range: std::ops::Range<usize>| range.map(move |i| (source, i));
    match case.verb {
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

/// `⊕` over all ranks, exactly; a mean is what `divide` says of the sum.
fn reduced<T>(op: ReduceOp, ranks: usize, index: usize, divide: impl Fn(i32) -> T) -> T
where
    T: From<i16>,
{
    let all = (0..ranks).map(|rank| element(rank, index));
    let whole = |value: i32| T::from(i16::try_from(value).unwrap_or(i16::MAX));
    match op {
        ReduceOp::Sum => whole(all.sum()),
        ReduceOp::Product => unreachable!("products are compared as 32-bit numbers"),
        ReduceOp::Max => whole(all.max().unwrap_or(0)),
        ReduceOp::Min => whole(all.min().unwrap_or(0)),
        ReduceOp::Mean(_) => divide(all.sum()),
    }
}

/// Whether `got` is what the definition asks for. Scaling before adding rounds more than once.
fn right(reduction: Reduction, index: usize, got: [u8; 4]) -> bool {
    let Reduction { op, dtype, ranks } = reduction;
    let product: i32 = (0..ranks).map(|rank| element(rank, index)).product();
    match dtype {
        Dtype::I32 => {
            let want = match op {
                ReduceOp::Product => product,
                _ => reduced(op, ranks, index, |sum| sum / ranks as i32),
            };
            i32::from_le_bytes(got) == want
        }
        Dtype::F32 => {
            let want: f32 = match op {
                ReduceOp::Product => product as f32,
                _ => reduced(op, ranks, index, |sum| sum as f32 / ranks as f32),
            };
            let tolerance = if op == ReduceOp::Mean(MeanKind::PreScale) { 1e-5 } else { 0.0 };
            (f32::from_le_bytes(got) - want).abs() <= tolerance
        }
    }
}

#[test]
fn every_verb_does_what_it_is_defined_to_do() {
    let mut compared = 0;
    for case in grid([1, 2, 3, 5, 8], &[1, 2]) {
        let schedule = case.build();
        let proof = check(&schedule).unwrap_or_else(|fault| panic!("{case}: {fault}"));
        for length in lengths(case.ranks) {
            // A barrier has one token, whatever its length; it is the largest that arrived.
            for reduction in reductions(case.verb, case.ranks) {
                let input = |rank| {
                    let values = held(&case, rank, length).map(|i| element(rank, i));
                    encode(reduction.dtype, values)
                };
                let inputs = Inputs::Typed((0..case.ranks).map(input).collect());
                let tensor = Tensor::flat(length);
                let run = Run { tensor, reduction, inputs, slots: proof.slots };
                let simulation = simulate(&schedule, &run, 3);
                let verdict = judge(&schedule, &proof, &run, &simulation.outputs);
                assert!(verdict.passed(), "{case} {reduction:?}: {verdict:?}");
                for (rank, output) in simulation.outputs.iter().enumerate() {
                    let moved = moved(&case, rank, length);
                    let (words, rest) = output.as_chunks::<4>();
                    assert_eq!((words.len(), rest.len()), (moved.len(), 0), "{case} rank {rank}");
                    for (&(source, index), &got) in moved.iter().zip(words) {
                        let fine = match case.verb.reduces() || case.verb == Verb::Barrier {
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
        for length in lengths(case.ranks) {
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
