//! Both sides on real workers, one call after the other: side by side they would share the cores,
//! and tell each other's time.

use super::side::{Side, on, outputs};
use crate::runtime::outcome::RunFault;
use crate::runtime::pool::Pool;
use crate::runtime::protocol::Repeat;
use crate::ui::shared::Shared;

/// How often a call is repeated under the clock, after the run that is recorded.
pub const REPEATS: u32 = 10;

/// Runs all calls of all sides; each on what the one before it on its side really put out.
pub async fn record(pool: &Pool, sides: Vec<Side>) -> Result<Vec<Side>, RunFault> {
    let mut recorded = sides;
    for side in &mut recorded {
        let mut before = None;
        for take in &mut side.takes {
            if let Some(inputs) = before {
                *take = on(take, inputs);
            }
            let prepared = take.prepared.clone();
            let plan = prepared.plan()?;
            let plan = plan.repeated(Repeat::Batches { batches: 1, of: REPEATS });
            let result = pool.run(plan, |_| ()).await?;
            take.recorded = Some(Shared::new(result));
            before = Some(outputs(take));
        }
    }
    Ok(recorded)
}
