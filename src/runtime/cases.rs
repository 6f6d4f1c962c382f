//! The grid of small runs: every verb, algorithm that workers can run, and group size, uneven
//! lengths included.

use super::plan;
use crate::engine::algorithm::{Algorithm, Request, serving};
use crate::engine::check::admits;
use crate::engine::collective::Verb;
use crate::engine::oracle::Inputs;
use crate::engine::reduce::{Dtype, ReduceOp, Reduction};
use crate::engine::schedule::Schedule;
use crate::engine::simulate::Run;
use crate::engine::tensor::Tensor;
use std::fmt;

/// Group sizes at which every type and operator is tried, on every variation of an algorithm that
/// neither runs in place nor in chunks: of these two the kernels know nothing. All else is tried
/// with sums.
const EVERY_REDUCTION_AT: [usize; 2] = [4, 5];

/// The length that every type and operator is tried on.
const UNEVEN: usize = 37;

/// Elements of the whole vector: one element for few ranks, no multiple of most sizes, and an even
/// cut.
const LENGTHS: [usize; 3] = [1, UNEVEN, 720];

/// One run of the grid.
#[derive(Clone, Copy)]
pub struct Case {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// What is asked of it.
    pub request: Request,
    /// What is computed.
    pub reduction: Reduction,
    /// Elements of the whole vector.
    pub elements: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (algorithm, request, elements) = (self.algorithm.name, self.request, self.elements);
        let Reduction { op, dtype, accumulate, .. } = self.reduction;
        let (op, dtype, accumulate) = (op.name(), dtype.name(), accumulate.name());
        write!(f, "{algorithm} {request} {op} of {elements} {dtype} in {accumulate}")
    }
}

impl Case {
    /// The schedule; every case of the grid has one.
    pub fn schedule(&self) -> Option<Schedule> {
        self.algorithm.build(&self.request).ok()
    }

    /// What it is run on, with `slots` slots per connection.
    pub fn run(&self, slots: usize) -> Run {
        Run {
            tensor: Tensor::flat(self.elements),
            reduction: self.reduction,
            inputs: Inputs::Seeded(self.elements as u64),
            slots,
        }
    }
}

/// Every case for these group sizes. Those of one schedule are together: it need be built and
/// proven only once.
pub fn grid(sizes: &[usize]) -> Vec<Vec<Case>> {
    let mut grid = Vec::new();
    for &ranks in sizes {
        for verb in Verb::ALL {
            let runs = |a: &&Algorithm| plan::refusal(a.switches).is_none();
            for algorithm in serving(verb).filter(runs) {
                for request in requests(algorithm, verb, ranks) {
                    let case =
                        |reduction, elements| Case { algorithm, request, reduction, elements };
                    let mut cases = Vec::new();
                    for dtype in [Dtype::F32, Dtype::I32] {
                        let sum = Reduction::new(ReduceOp::Sum, dtype, ranks);
                        cases.extend(LENGTHS.map(|elements| case(sum, elements)));
                    }
                    let whole = !request.in_place && request.chunks == 1;
                    if whole && verb.reduces() && EVERY_REDUCTION_AT.contains(&ranks) {
                        let schedule = algorithm.build(&request).ok();
                        let admitted = |r: &Reduction| {
                            schedule.as_ref().is_some_and(|s| admits(s, r.accumulate))
                        };
                        let all = Reduction::all(ranks).filter(admitted);
                        cases.extend(all.map(|reduction| case(reduction, UNEVEN)));
                    }
                    grid.push(cases);
                }
            }
        }
    }
    grid
}

/// Every variation, in place as well, and with two chunks per block in two segments each.
fn requests(algorithm: &Algorithm, verb: Verb, ranks: usize) -> Vec<Request> {
    // The last rank, so that roots other than 0 are met.
    let root = if verb.has_root() { ranks.saturating_sub(1) } else { 0 };
    let mut requests = algorithm.variations(verb, ranks);
    let plain = requests[0];
    requests
        .extend([Request { in_place: true, ..plain }, Request { chunks: 2, segments: 2, ..plain }]);
    requests.iter_mut().for_each(|request| request.root = root);
    requests.retain(|request| algorithm.refusal(request).is_none());
    requests
}
