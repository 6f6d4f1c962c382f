//! A call that is shown: what should run, and what did.

use super::scenario::Prepared;
use super::shared::Shared;
use crate::engine::cost::{Topology, event, rounds};
use crate::engine::replay::Replay;
use crate::engine::simulate::simulate;
use crate::engine::trace::{Clock, Trace};
use crate::runtime::outcome::RunResult;
use serde::{Deserialize, Serialize};

/// Where a run was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Name and version of the browser.
    pub browser: String,
    /// Cores that it admitted to.
    pub cores: usize,
    /// Whether the page was isolated from others, which makes timers finer.
    pub isolated: bool,
    /// The build of Ringscope.
    pub build: String,
}

/// A call, with the simulator's trace and, once workers have run it, theirs.
#[derive(Clone, PartialEq)]
pub struct Take {
    /// What should run.
    pub prepared: Shared<Prepared>,
    /// The simulator's trace: its order and values, without a clock.
    simulated: Shared<Trace>,
    /// What workers did, if they ran this very call.
    pub recorded: Option<Shared<RunResult>>,
    /// Where they did it, if not here.
    pub origin: Option<Shared<Origin>>,
}

impl Take {
    /// A call that only the page's own simulator has run.
    pub fn new(prepared: Prepared) -> Take {
        let simulated = simulate(&prepared.schedule, &prepared.preview(), 0).trace;
        let simulated = Shared::new(simulated);
        Take { prepared: Shared::new(prepared), simulated, recorded: None, origin: None }
    }

    /// The replay for a clock, and the clock that it is really on: rounds, where nothing has been
    /// measured. `topology` is what the modelled clock assumes.
    pub fn replay(&self, clock: Clock, topology: &Topology) -> (Shared<Replay>, Clock) {
        let prepared = &*self.prepared;
        let measured = self.recorded.as_ref().and_then(|recorded| recorded.trace.as_ref());
        let base = measured.unwrap_or(&self.simulated);
        let trace = match (clock, measured) {
            (Clock::Measured, Some(trace)) => trace.clone(),
            (Clock::Modelled, _) => {
                let size = prepared.run.reduction.wire().size_bytes();
                let timing = event::timing(&prepared.schedule, &prepared.lengths, size, topology);
                base.retimed(&prepared.schedule, Clock::Modelled, &timing)
            }
            _ => {
                let timing = rounds::in_chunks(&prepared.schedule).timing;
                base.retimed(&prepared.schedule, Clock::Rounds, &timing)
            }
        };
        let clock = trace.clock;
        (Shared::new(Replay::new(&prepared.schedule, &prepared.run, &trace)), clock)
    }
}
