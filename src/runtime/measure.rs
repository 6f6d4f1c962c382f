//! Timing a collective: repetitions in batches, each long enough for the clock to tell.

use super::outcome::RunResult;
use super::plan::Plan;
use super::protocol::Repeat;
use super::transport::Via;
use crate::engine::oracle::Verdict;

/// Ticks of the coarsest rank's clock that a batch spans at least: it is wrong by two at most.
const TICKS: f64 = 20.0;

/// What a batch lasts at least, in microseconds: it must not be one moment of a busy machine.
const BATCH_US: f64 = 10_000.0;

/// A batch is planned for so much more than it needs, because the next one may be faster.
const MARGIN: f64 = 1.5;

/// A batch that was too short becomes at most so many times as long: it may have been too short to
/// tell how much is needed.
const GROWTH_MAX: f64 = 64.0;

/// Most repetitions of a batch.
const REPETITIONS_MAX: f64 = 1e6;

/// Measures one plan, as often as it is asked to, and remembers how many repetitions a batch needs.
///
/// A driver runs what [`Meter::plan`] says until [`Meter::read`] is content.
pub struct Meter {
    plan: Plan,
    repetitions: u32,
}

/// What batches took.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// Mean time of one repetition at the slowest rank, batch by batch, in microseconds.
    pub us: Vec<f64>,
    /// Repetitions of each batch.
    pub repetitions: u32,
    /// How messages travelled.
    pub via: Via,
    /// How coarse the coarsest rank's clock is.
    pub resolution_us: f64,
    /// Whether the results are right.
    pub verdict: Verdict,
}

impl Meter {
    /// Measures `plan`; how often that one is repeated is of no account.
    pub fn new(plan: Plan) -> Self {
        Meter { plan: plan.untraced(), repetitions: 1 }
    }

    /// What is to be run for so many batches, after a warm-up.
    pub fn plan(&self, batches: u32) -> Plan {
        self.plan.clone().repeated(Repeat::Batches { batches, of: self.repetitions })
    }

    /// What came of that; `None` if a batch was too short, and longer ones are to be run.
    pub fn read(&mut self, result: &RunResult) -> Option<Timed> {
        let shortest = result.batches_us.iter().copied().fold(f64::INFINITY, f64::min);
        match longer(self.repetitions, shortest, result.resolution_us) {
            Some(repetitions) => {
                self.repetitions = repetitions;
                None
            }
            None => Some(Timed {
                us: result.batches_us.iter().map(|us| us / f64::from(self.repetitions)).collect(),
                repetitions: self.repetitions,
                via: result.wiring.via,
                resolution_us: result.resolution_us,
                verdict: result.verdict,
            }),
        }
    }
}

/// The value in the middle, or between the two in the middle; 0 of none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}

/// How many repetitions a batch needs if one of `repetitions` took `us`, unless that was enough.
fn longer(repetitions: u32, us: f64, resolution_us: f64) -> Option<u32> {
    let needed = BATCH_US.max(TICKS * resolution_us);
    let repetitions = f64::from(repetitions);
    if us >= needed || repetitions >= REPETITIONS_MAX {
        return None;
    }
    let factor = (MARGIN * needed / us.max(resolution_us)).min(GROWTH_MAX);
    Some((repetitions * factor).ceil().min(REPETITIONS_MAX) as u32)
}

#[cfg(target_arch = "wasm32")]
mod workers {
    use super::{Meter, Timed};
    use crate::runtime::outcome::RunFault;
    use crate::runtime::pool::Pool;

    impl Meter {
        /// Runs so many batches on workers.
        ///
        /// # Errors
        /// [`RunFault`], as [`Pool::run`] has it.
        pub async fn run(&mut self, pool: &Pool, batches: u32) -> Result<Timed, RunFault> {
            loop {
                let result = pool.run(self.plan(batches), |_| ()).await?;
                if let Some(timed) = self.read(&result) {
                    return Ok(timed);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_until_the_clock_can_tell() {
        // Long enough, in time and in ticks.
        assert_eq!(longer(1, 10_000.0, 5.0), None);
        // Half of what is needed: three times as long, for the margin.
        assert_eq!(longer(10, 5_000.0, 5.0), Some(30));
        // A coarse clock asks for more.
        assert_eq!(longer(10, 10_000.0, 1_000.0), Some(30));
        // Less than a tick says nothing, and is not believed.
        assert_eq!(longer(1, 0.0, 5.0), Some(64));
        // Nothing is repeated for ever.
        assert_eq!(longer(900_000, 1_000.0, 5.0), Some(1_000_000));
        assert_eq!(longer(1_000_000, 0.0, 5.0), None);
        // Without a batch there is nothing to make longer.
        assert_eq!(longer(1, f64::INFINITY, 5.0), None);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 100.0]), 3.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(Vec::new()), 0.0);
    }
}
