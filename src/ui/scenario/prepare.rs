//! From a scenario to something that can run: schedule, proof and inputs.

use super::{Data, Scenario};
use crate::engine::algorithm::{Refusal, Request};
use crate::engine::check::{Fault, Proof, Rounding, check, rounding};
use crate::engine::collective::Verb;
use crate::engine::cost::rounds::{self, Rounds};
use crate::engine::memory::{Lengths, SAMPLE_PER_CHUNK};
use crate::engine::oracle::Inputs;
use crate::engine::reduce::plain::Values;
use crate::engine::reduce::{Accumulate, Dtype, ReduceOp, Reduction};
use crate::engine::replay::steps_of;
use crate::engine::schedule::Schedule;
use crate::engine::simulate::Run;
use crate::engine::tensor::Tensor;
use crate::runtime::outcome::RunFault;
use crate::runtime::plan::Plan;
use crate::runtime::transport::Via;

/// The seed of vectors that are not typed by hand: the same on every visit, so that runs compare.
const SEED: u64 = 2026;

/// A scenario, checked and ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// What was asked of the algorithm.
    pub request: Request,
    /// What will run.
    pub schedule: Schedule,
    /// Why it is right.
    pub proof: Proof,
    /// How results are rounded.
    pub rounding: Rounding,
    /// On what.
    pub run: Run,
    /// Lengths of all chunks.
    pub lengths: Lengths,
    /// What it costs, in elements.
    pub rounds: Rounds,
    /// How messages shall go.
    pub via: Via,
}

/// Why a scenario cannot run.
#[derive(Clone, Debug, PartialEq)]
pub enum Unprepared {
    /// The algorithm refuses.
    Refused(Refusal),
    /// The checker found a fault: a mistake of ours, never of the reader.
    Wrong(Fault),
}

impl Prepared {
    /// Whether several ranks end with the same chunk.
    pub fn is_replicated(&self) -> bool {
        self.schedule.collective.verb == Verb::AllReduce
    }

    /// Whether all ranks that end with a chunk hold the same bits, whatever the inputs are.
    pub fn agrees(&self) -> bool {
        let exact = self.run.reduction.dtype.format().is_none() || self.run.reduction.op.selects();
        exact || self.rounding.differs.is_none()
    }

    /// What workers are told to run it.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn plan(&self) -> Result<Plan, RunFault> {
        Plan::new(&self.schedule, &self.proof, &self.run).map(|plan| plan.via(self.via))
    }

    /// The run that the page simulates by itself before any worker exists: this one if it is small,
    /// else one on the first elements of each chunk. Order of events and values shown are the same.
    pub fn preview(&self) -> Run {
        let c = &self.schedule.collective;
        let few = c.chunks() * SAMPLE_PER_CHUNK;
        if matches!(self.run.inputs, Inputs::Typed(_)) || self.lengths.total() <= few {
            return self.run.clone();
        }
        let dtype = self.run.reduction.dtype;
        let first = |rank: usize| {
            let samples = self.run.inputs.sample(dtype, rank, &c.input(rank), &self.lengths);
            samples.concat()
        };
        let inputs = Inputs::Typed((0..c.ranks).map(first).collect());
        Run { tensor: Tensor::flat(few), inputs, ..self.run.clone() }
    }
}

impl Scenario {
    /// The number of steps that a run has; only its schedule knows.
    pub fn steps(&self) -> usize {
        let schedule = self.algorithm().build(&self.request());
        schedule.map_or(0, |schedule| steps_of(&schedule))
    }

    /// Builds and checks the schedule, and makes the inputs.
    pub fn prepare(&self) -> Result<Prepared, Unprepared> {
        let schedule = self.algorithm().build(&self.request()).map_err(Unprepared::Refused)?;
        self.prepare_as(schedule)
    }

    /// Checks a schedule for this scenario that was come by in another way, and makes the inputs.
    pub fn prepare_as(&self, schedule: Schedule) -> Result<Prepared, Unprepared> {
        let request = self.request();
        let proof = check(&schedule).map_err(Unprepared::Wrong)?;
        let barrier = self.verb == Verb::Barrier;
        // A barrier's token is one integer that is never added up.
        let (op, dtype) = match barrier {
            true => (ReduceOp::Max, Dtype::I32),
            false => (self.op, self.dtype),
        };
        let tensor = match barrier {
            true => Tensor::flat(1),
            false => self.tensor(),
        };
        let lengths = Lengths::new(&schedule.collective, &tensor);
        let rounding = rounding(&schedule.collective, &proof);
        let inputs = match &self.data {
            _ if barrier => Inputs::Typed(vec![1i32.to_le_bytes().to_vec(); self.ranks]),
            Data::Numbers(rows) => Inputs::Typed(self.typed(rows)),
            Data::Bytes(_) => Inputs::Seeded(SEED),
        };
        let accumulate = self.accumulate();
        let reduction = Reduction { op, dtype, accumulate, ranks: self.ranks };
        let slots = proof.slots.max(2);
        let run = Run { tensor, reduction, inputs, slots };
        let rounds = rounds::in_elements(&schedule, &lengths);
        Ok(Prepared { request, schedule, proof, rounding, run, lengths, rounds, via: self.via })
    }

    /// Where the reduction rounds, if there is one.
    fn accumulate(&self) -> Accumulate {
        if self.verb.reduces() { self.accumulate } else { Accumulate::InType }
    }

    /// The type that travels.
    pub fn wire(&self) -> Dtype {
        let (op, dtype, accumulate) = (self.op, self.dtype, self.accumulate());
        Reduction { op, dtype, accumulate, ranks: self.ranks }.wire()
    }

    /// Each rank's typed numbers as bytes, blocks one after the other.
    fn typed(&self, rows: &[Vec<f64>]) -> Vec<Vec<u8>> {
        let tensor = self.tensor();
        let row = |rank: usize| {
            let held = self.held(rank);
            let positions = match self.verb {
                // The blocks of a whole tensor are brought together first: a local Split.
                Verb::ReduceScatter | Verb::Scatter if !held.is_empty() => (0..self.ranks)
                    .flat_map(|block| tensor.stretches(self.ranks, block).flatten())
                    .collect(),
                _ => held,
            };
            let values = positions.iter().filter_map(|&at| rows.get(rank)?.get(at).copied());
            Values::typed(self.dtype, values).bytes(self.dtype)
        };
        (0..self.ranks).map(row).collect()
    }
}
