//! From a scenario to something that can run: schedule, proof and inputs.

use super::{Data, Scenario};
use crate::engine::algorithm::Refusal;
use crate::engine::check::{Fault, Proof, check};
use crate::engine::collective::Verb;
use crate::engine::memory::{Lengths, SAMPLE_PER_CHUNK};
use crate::engine::oracle::Inputs;
use crate::engine::reduce::{Dtype, ReduceOp, Reduction};
use crate::engine::schedule::Schedule;
use crate::engine::simulate::Run;
use crate::engine::tensor::Tensor;

/// The seed of vectors that are not typed by hand: the same on every visit, so that runs compare.
const SEED: u64 = 2026;

/// A scenario, checked and ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// What will run.
    pub schedule: Schedule,
    /// Why it is right.
    pub proof: Proof,
    /// On what.
    pub run: Run,
    /// Lengths of all chunks.
    pub lengths: Lengths,
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
            samples.into_iter().flatten().flat_map(|value| encode(dtype, value)).collect()
        };
        let inputs = Inputs::Typed((0..c.ranks).map(first).collect());
        Run { tensor: Tensor::flat(few), inputs, ..self.run.clone() }
    }
}

impl Scenario {
    /// Builds and checks the schedule, and makes the inputs.
    pub fn prepare(&self) -> Result<Prepared, Unprepared> {
        let algorithm = self.algorithm();
        let schedule = algorithm
            .build(self.verb, self.ranks, self.root, self.pieces, self.in_place)
            .map_err(Unprepared::Refused)?;
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
        let inputs = match &self.data {
            _ if barrier => Inputs::Typed(vec![1i32.to_le_bytes().to_vec(); self.ranks]),
            Data::Numbers(rows) => Inputs::Typed(self.typed(rows)),
            Data::Bytes(_) => Inputs::Seeded(SEED),
        };
        let reduction = Reduction { op, dtype, ranks: self.ranks };
        let slots = proof.slots.max(2);
        let run = Run { tensor, reduction, inputs, slots };
        Ok(Prepared { schedule, proof, run, lengths })
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
            values.flat_map(|value| encode(self.dtype, value)).collect()
        };
        (0..self.ranks).map(row).collect()
    }
}

/// A number as an element of `dtype`; it was checked to fit when it was typed.
fn encode(dtype: Dtype, value: f64) -> [u8; 4] {
    match dtype {
        Dtype::F32 => (value as f32).to_le_bytes(),
        Dtype::I32 => (value as i32).to_le_bytes(),
    }
}
