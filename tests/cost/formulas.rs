//! The rounds model against the formulas that are printed with the algorithms, exactly: those in
//! the comments of MPICH and Open MPI, after Thakur, Rabenseifner and Gropp, and those of HCCL's
//! guide to its algorithms. T = rounds α + β-part S β + γ-part S γ, over p ranks.

use ringscope::engine::algorithm::{Fold, Request, find};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::{OfS, summary};

/// For which p a formula holds.
type For = fn(usize) -> bool;

const ANY: For = |_| true;
const POWER: For = usize::is_power_of_two;
const OTHER: For = |p| !p.is_power_of_two();
const EVEN: For = |p| p.is_multiple_of(2);

/// Rounds, the β-part and the γ-part as (numerator, denominator).
type Cost = (usize, (usize, usize), (usize, usize));

struct Row {
    source: &'static str,
    algorithm: &'static str,
    verb: Verb,
    holds: For,
    cost: fn(usize) -> Cost,
    change: fn(Request) -> Request,
}

const NOTHING: (usize, usize) = (0, 1);

/// ⌊log2 p⌋.
fn floor(p: usize) -> usize {
    p.ilog2() as usize
}

/// ⌈log2 p⌉.
fn ceil(p: usize) -> usize {
    p.next_power_of_two().ilog2() as usize
}

fn row(
    source: &'static str,
    (algorithm, verb): (&'static str, Verb),
    holds: For,
    cost: fn(usize) -> Cost,
) -> Row {
    Row { source, algorithm, verb, holds, cost, change: |request| request }
}

/// HCCL's mesh inside a server is one node of a hierarchy.
fn one_node(request: Request) -> Request {
    Request { ranks_per_node: request.ranks, ..request }
}

/// Of HCCL's guide. A mesh moves one message over each of its p-1 links at the same time.
fn hccl() -> Vec<Row> {
    use Verb::{AllGather, AllReduce, AllToAll, Broadcast, Gather, Reduce, ReduceScatter, Scatter};
    vec![
        row("mesh", ("direct", Scatter), ANY, |p| (1, (1, p), NOTHING)),
        row("mesh", ("direct", Gather), ANY, |p| (1, (1, p), NOTHING)),
        Row {
            change: one_node,
            ..row("mesh", ("hierarchical", Broadcast), ANY, |p| (2, (2, p), NOTHING))
        },
        Row {
            change: one_node,
            ..row("mesh", ("hierarchical", Reduce), ANY, |p| (2, (2, p), (p - 1, p)))
        },
        row("mesh", ("direct", ReduceScatter), ANY, |p| (1, (1, p), (p - 1, p))),
        row("mesh", ("direct", AllGather), ANY, |p| (1, (1, p), NOTHING)),
        row("mesh", ("direct", AllReduce), ANY, |p| (2, (2, p), (p - 1, p))),
        row("ring", ("ring", Scatter), ANY, |p| (p - 1, (p - 1, p), NOTHING)),
        row("ring", ("ring", Gather), ANY, |p| (p - 1, (p - 1, p), NOTHING)),
        row("ring", ("ring", Broadcast), ANY, |p| (p - 1, (p - 1, 1), NOTHING)),
        row("ring", ("ring", Reduce), ANY, |p| (p - 1, (p - 1, 1), (p - 1, 1))),
        row("ring", ("ring", ReduceScatter), ANY, |p| (p - 1, (p - 1, p), (p - 1, p))),
        row("ring", ("ring", AllGather), ANY, |p| (p - 1, (p - 1, p), NOTHING)),
        row("ring", ("ring", AllReduce), ANY, |p| (2 * (p - 1), (2 * (p - 1), p), (p - 1, p))),
        row("NHR", ("nhr", ReduceScatter), ANY, |p| (ceil(p), (p - 1, p), (p - 1, p))),
        row("NHR", ("nhr", AllGather), ANY, |p| (ceil(p), (p - 1, p), NOTHING)),
        row("pairwise", ("pairwise", AllToAll), ANY, |p| (p - 1, (p - 1, p), NOTHING)),
        row("H-D_R", ("rabenseifner", AllReduce), POWER, |p| {
            (2 * floor(p), (2 * (p - 1), p), (p - 1, p))
        }),
        row("H-D_R", ("rabenseifner", AllReduce), OTHER, |p| {
            let q = 1 << floor(p);
            (2 * floor(p) + 2, (2 * (q - 1) + 2 * q, q), (q - 1 + q, q))
        }),
        row("H-D_R", ("tree", Broadcast), ANY, |p| (ceil(p), (ceil(p), 1), NOTHING)),
    ]
}

/// Of MPICH's and Open MPI's sources.
fn mpi() -> Vec<Row> {
    use Verb::{
        AllGather, AllReduce, AllToAll, Barrier, Broadcast, Gather, Reduce, ReduceScatter, Scatter,
    };
    vec![
        row("MPICH", ("recursive-doubling", AllReduce), POWER, |p| {
            (floor(p), (floor(p), 1), (floor(p), 1))
        }),
        row("MPICH", ("recursive-doubling", AllReduce), OTHER, |p| {
            (floor(p) + 2, (floor(p) + 2, 1), (floor(p) + 1, 1))
        }),
        Row {
            change: |request| Request { fold: Fold::Ompi, ..request },
            ..row("Open MPI", ("rabenseifner", AllReduce), OTHER, |p| {
                let q = 1 << floor(p);
                (2 * floor(p) + 3, (2 * (q - 1) + 2 * q, q), (2 * (q - 1) + q, 2 * q))
            })
        },
        row("MPICH", ("recursive-doubling", AllGather), POWER, |p| (floor(p), (p - 1, p), NOTHING)),
        row("MPICH", ("bruck", AllGather), ANY, |p| (ceil(p), (p - 1, p), NOTHING)),
        row("Open MPI", ("neighbor-exchange", AllGather), EVEN, |p| (p / 2, (p - 1, p), NOTHING)),
        row("MPICH", ("recursive-halving", ReduceScatter), POWER, |p| {
            (floor(p), (p - 1, p), (p - 1, p))
        }),
        row("MPICH", ("pairwise", ReduceScatter), ANY, |p| (p - 1, (p - 1, p), (p - 1, p))),
        row("MPICH", ("tree", Broadcast), ANY, |p| (ceil(p), (ceil(p), 1), NOTHING)),
        row("MPICH", ("scatter-allgather", Broadcast), ANY, |p| {
            (ceil(p) + p - 1, (2 * (p - 1), p), NOTHING)
        }),
        Row {
            change: |request| Request { chunks: 4, ..request },
            ..row("Open MPI", ("chain", Broadcast), ANY, |p| (p + 2, (p + 2, 4), NOTHING))
        },
        row("MPICH", ("tree", Reduce), ANY, |p| (ceil(p), (ceil(p), 1), (ceil(p), 1))),
        row("MPICH", ("tree", Gather), ANY, |p| (ceil(p), (p - 1, p), NOTHING)),
        row("MPICH", ("tree", Scatter), ANY, |p| (ceil(p), (p - 1, p), NOTHING)),
        row("Open MPI", ("linear", Scatter), ANY, |p| (p - 1, (p - 1, p), NOTHING)),
        row("MPICH", ("bruck", AllToAll), POWER, |p| (floor(p), (floor(p), 2), NOTHING)),
        row("MPICH", ("dissemination", Barrier), ANY, |p| (ceil(p), (ceil(p), 1), (ceil(p), 1))),
    ]
}

#[test]
fn the_rounds_model_is_what_mpi_and_hccl_print() {
    let mut compared = 0;
    for row in hccl().into_iter().chain(mpi()) {
        let algorithm = find(row.algorithm).expect("it is in the registry");
        for p in (2..=17).filter(|&p| (row.holds)(p)) {
            let request = (row.change)(Request::new(row.verb, p));
            let found = summary(&algorithm.build(&request).expect("it is not refused"));
            let (rounds, beta, gamma) = (row.cost)(p);
            let expected = (rounds, OfS::new(beta.0, beta.1), OfS::new(gamma.0, gamma.1));
            let found = (found.rounds, found.beta, found.gamma);
            assert_eq!(found, expected, "{} {} {request}", row.source, row.algorithm);
            compared += 1;
        }
    }
    println!("{compared} formulas hold");
}
