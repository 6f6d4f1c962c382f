//! Collectives along any dimension of a tensor: blocks travel, Split and Concat do the rest.

use ringscope::engine::algorithm::{Request, serving};
use ringscope::engine::collective::{Verb, balanced};
use ringscope::engine::oracle::Inputs;
use ringscope::engine::reduce::{Dtype, ReduceOp, Reduction};
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::{Tensor, concat, split};

/// 2-d and 3-d shapes, some with extents that no number of ranks here divides, some below it.
const SHAPES: [&[usize]; 5] = [&[4, 6], &[5, 7], &[2, 3, 4], &[3, 5, 2], &[1, 2, 9]];

fn bytes(values: impl IntoIterator<Item = i32>) -> Vec<u8> {
    values.into_iter().flat_map(i32::to_le_bytes).collect()
}

/// Element `at` (row-major) of the whole tensor at `rank`.
fn element(rank: usize, at: usize) -> i32 {
    (at * 5 + rank * 1000) as i32
}

/// The row-major positions in the whole tensor of the shard of `rank`: those whose index along the
/// cut dimension falls to it.
fn shard(tensor: &Tensor, ranks: usize, rank: usize) -> Vec<usize> {
    let part = balanced(tensor.shape[tensor.dim], ranks, rank);
    let below: usize = tensor.shape[tensor.dim + 1..].iter().product();
    let total: usize = tensor.shape.iter().product();
    let index = |at: usize| at / below % tensor.shape[tensor.dim];
    (0..total).filter(|&at| part.contains(&index(at))).collect()
}

#[test]
fn blocks_along_every_dimension_are_shards() {
    let mut cases = 0;
    for shape in SHAPES {
        let total: usize = shape.iter().product();
        for dim in 0..shape.len() {
            let tensor = Tensor { shape: shape.to_vec(), dim };
            for ranks in 1..=5 {
                for verb in [Verb::AllGather, Verb::Gather, Verb::Scatter, Verb::ReduceScatter] {
                    for algorithm in serving(verb) {
                        let root = if verb.has_root() { ranks / 2 } else { 0 };
                        for in_place in [false, true] {
                            let schedule = algorithm.build(&Request {
                                root,
                                chunks: 2,
                                in_place,
                                ..Request::new(verb, ranks)
                            });
                            // Some need a power of two, or an even number.
                            let Ok(schedule) = schedule else { continue };
                            let input = |rank: usize| match verb {
                                Verb::AllGather | Verb::Gather => {
                                    let shard = shard(&tensor, ranks, rank);
                                    bytes(shard.into_iter().map(|at| element(0, at)))
                                }
                                Verb::Scatter if rank != root => Vec::new(),
                                _ => {
                                    let whole = bytes((0..total).map(|at| element(rank, at)));
                                    split(&tensor, ranks, 4, &whole)
                                }
                            };
                            let inputs = Inputs::Typed((0..ranks).map(input).collect());
                            let reduction = Reduction::new(ReduceOp::Sum, Dtype::I32, ranks);
                            let tensor = tensor.clone();
                            let run = Run { tensor, reduction, inputs, slots: 2 };
                            let outputs = simulate(&schedule, &run, 9).outputs;
                            compare(&run.tensor, verb, ranks, root, &outputs);
                            cases += 1;
                        }
                    }
                }
            }
        }
    }
    println!("{cases} collectives along a dimension");
    assert!(cases > 500);
}

fn compare(tensor: &Tensor, verb: Verb, ranks: usize, root: usize, outputs: &[Vec<u8>]) {
    let total: usize = tensor.shape.iter().product();
    let sum = |at| (0..ranks).map(|rank| element(rank, at)).sum();
    for (rank, output) in outputs.iter().enumerate() {
        let shard = shard(tensor, ranks, rank).into_iter();
        let (got, want) = match verb {
            Verb::Gather if rank != root => (output.clone(), Vec::new()),
            // Gathering along a dimension is the concatenation of the shards along it.
            Verb::AllGather | Verb::Gather => {
                (concat(tensor, ranks, 4, output), bytes((0..total).map(|at| element(0, at))))
            }
            Verb::Scatter => (output.clone(), bytes(shard.map(|at| element(root, at)))),
            _ => (output.clone(), bytes(shard.map(sum))),
        };
        assert_eq!(got, want, "{} over {ranks} of {tensor:?}, rank {rank}", verb.name());
    }
}
