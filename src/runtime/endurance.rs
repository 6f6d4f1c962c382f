//! Run after run on the same workers, of mixed sizes, as in a page that stays open for long: who
//! looks on sees whether anything grows.

use super::cases::{Case, grid};
use super::plan::Plan;
use super::pool::Pool;
use super::transport::Via;
use crate::engine::check::check;
use std::cell::Cell;

/// So many different runs there are: all of them are a round.
pub const ROUND: usize = 50;

/// Group sizes that are mixed.
const RANKS: [usize; 3] = [2, 3, 4];

/// Bytes of the whole vector, from a few numbers to a mebibyte.
const BYTES: [usize; 10] = [1 << 20, 16, 4_000, 240, 65_536, 60, 16_384, 1_000, 4_096, 262_144];

/// Every round has its runs in another order: these have no divisor in common with [`ROUND`].
const STRIDES: [usize; 10] = [1, 7, 23, 11, 3, 19, 13, 17, 9, 21];

/// Runs on workers of its own.
pub struct Endurance {
    pool: Pool,
    plans: Vec<(Case, Plan)>,
    done: Cell<usize>,
}

impl Endurance {
    /// Runs whose messages go `via` if they can.
    ///
    /// # Errors
    /// A sentence, if one of them cannot be had.
    pub fn new(via: Via) -> Result<Self, String> {
        let all = grid(&RANKS).concat();
        let planned = |number: usize| {
            let case = all[number * all.len() / ROUND];
            let size = case.reduction.dtype.size_bytes();
            let case = Case { elements: BYTES[number % BYTES.len()] / size, ..case };
            Ok((case, plan(&case).ok_or_else(|| format!("{case}: no plan"))?.via(via)))
        };
        let plans = (0..ROUND).map(planned).collect::<Result<_, String>>()?;
        Ok(Endurance { pool: Pool::new(|| ()), plans, done: Cell::new(0) })
    }

    /// Goes on with so many runs.
    ///
    /// # Errors
    /// A sentence about the first that failed.
    pub async fn go_on(&self, runs: usize) -> Result<(), String> {
        for _ in 0..runs {
            let done = self.done.replace(self.done.get() + 1);
            let stride = STRIDES[done / ROUND % STRIDES.len()];
            let (case, plan) = &self.plans[done * stride % ROUND];
            let result = self.pool.run(plan.clone(), |_| ()).await;
            let result = result.map_err(|fault| format!("{case}: {fault:?}"))?;
            if !result.verdict.passed() || result.ignored > 0 {
                return Err(format!("{case}: {:?}, {} ignored", result.verdict, result.ignored));
            }
        }
        Ok(())
    }

    /// Its workers.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }
}

fn plan(case: &Case) -> Option<Plan> {
    let schedule = case.schedule()?;
    let proof = check(&schedule).ok()?;
    Plan::new(&schedule, &proof, &case.run(proof.slots)).ok()
}
