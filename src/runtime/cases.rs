//! The grid of small runs: every verb, algorithm and group size, uneven lengths included.

use super::outcome::RunFault;
use super::plan::Plan;
use crate::engine::algorithm::{Algorithm, serving};
use crate::engine::check::{Fault, check};
use crate::engine::collective::Verb;
use crate::engine::oracle::Inputs;
use crate::engine::reduce::{Dtype, ReduceOp, Reduction};
use crate::engine::schedule::Schedule;
use crate::engine::simulate::Run;
use crate::engine::tensor::Tensor;
use std::fmt;

/// Group sizes at which every operator is tried; at the others only sums.
const ALL_OPERATORS_AT: [usize; 2] = [4, 5];

/// Elements of the whole vector: one element for few ranks, no multiple of most sizes, and an even
/// cut.
const LENGTHS: [usize; 3] = [1, 37, 720];

/// One run of the grid.
#[derive(Clone, Copy)]
pub struct Case {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// The verb.
    pub verb: Verb,
    /// Ranks.
    pub ranks: usize,
    /// Chunks per block.
    pub pieces: usize,
    /// Whether input and output share memory.
    pub in_place: bool,
    /// The operator.
    pub op: ReduceOp,
    /// The element type.
    pub dtype: Dtype,
    /// Elements of the whole vector.
    pub elements: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { ranks, pieces, elements, .. } = self;
        let place = if self.in_place { " in place" } else { "" };
        let (verb, algorithm) = (self.verb.name(), self.algorithm.name);
        let (op, dtype) = (self.op.name(), self.dtype.name());
        write!(f, "{verb} {algorithm} n={ranks} pieces={pieces} {op} {dtype} x {elements}{place}")
    }
}

impl Case {
    /// The schedule; every case of the grid has one.
    pub fn schedule(&self) -> Option<Schedule> {
        // The last rank, so that roots other than 0 are met.
        let root = if self.verb.has_root() { self.ranks - 1 } else { 0 };
        self.algorithm.build(self.verb, self.ranks, root, self.pieces, self.in_place).ok()
    }

    /// What it is run on, with `slots` slots per connection.
    pub fn run(&self, slots: usize) -> Run {
        Run {
            tensor: Tensor::flat(self.elements),
            reduction: Reduction { op: self.op, dtype: self.dtype, ranks: self.ranks },
            inputs: Inputs::Seeded(self.elements as u64),
            slots,
        }
    }

    /// The plan, checked; its text says why there is none.
    pub fn plan(&self) -> Result<Plan, String> {
        let schedule = self.schedule().ok_or("no schedule")?;
        let proof = check(&schedule).map_err(|fault: Fault| fault.to_string())?;
        let plan = Plan::new(&schedule, &proof, &self.run(proof.slots));
        plan.map_err(|fault: RunFault| format!("{fault:?}"))
    }
}

/// Every case for these group sizes.
pub fn grid(sizes: &[usize]) -> Vec<Case> {
    let mut cases = Vec::new();
    for &ranks in sizes {
        for verb in Verb::ALL {
            let root = if verb.has_root() { ranks.saturating_sub(1) } else { 0 };
            for algorithm in serving(verb) {
                for (pieces, in_place) in [(1, false), (1, true), (2, false)] {
                    if algorithm.refusal(verb, ranks, root, in_place).is_some() {
                        continue;
                    }
                    let plain = [(ReduceOp::Sum, Dtype::F32), (ReduceOp::Sum, Dtype::I32)];
                    let every = verb.reduces() && ALL_OPERATORS_AT.contains(&ranks);
                    for (op, dtype) in if every { operators() } else { plain.to_vec() } {
                        cases.extend(LENGTHS.map(|elements| Case {
                            algorithm,
                            verb,
                            ranks,
                            pieces,
                            in_place,
                            op,
                            dtype,
                            elements,
                        }));
                    }
                }
            }
        }
    }
    cases
}

fn operators() -> Vec<(ReduceOp, Dtype)> {
    let pairs = ReduceOp::ALL.into_iter().flat_map(|op| Dtype::ALL.map(|dtype| (op, dtype)));
    pairs.filter(|&(op, dtype)| op.supports(dtype)).collect()
}
