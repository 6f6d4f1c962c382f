//! From a checked schedule to tasks, within the memory budget.

use super::outcome::RunFault;
use super::protocol::{Call, Repeat, Task};
use super::transport::Via;
use crate::engine::check::{Lending, Proof, admits, lending};
use crate::engine::collective::Buffer;
use crate::engine::memory::{Layout, Lengths};
use crate::engine::oracle::{Inputs, expected};
use crate::engine::schedule::{Op, Schedule};
use crate::engine::simulate::Run;
use crate::engine::{Rank, distinct};
use std::collections::HashMap;

/// What all ranks of all runs together may allocate: one number. Every browser gives a page that
/// much.
pub const MEMORY_BUDGET_BYTES: u64 = 2 << 30;

/// A first run with more events than this is not traced: nobody could look at them.
pub const TRACE_EVENTS_MAX: usize = 200_000;

/// Longer messages travel in pieces: what is sent is still in a cache when it is read. Smaller
/// pieces would stay nearer to it, but ranks that share cores wait for each other in every pass.
const PIECE_BYTES: usize = 1 << 20;

/// A run that can be started: its schedule, and a task for every rank.
#[derive(Clone, Debug)]
pub struct Plan {
    schedule: Schedule,
    tasks: Vec<Task>,
    memory_bytes: u64,
    via: Via,
}

/// Why a schedule with so many switches cannot be run, if it cannot: no worker is a switch.
pub fn refusal(switches: usize) -> Option<RunFault> {
    (switches > 0).then_some(RunFault::NeedsSwitch)
}

impl Plan {
    /// The plan to run `schedule`, which `proof` is about, once, with a trace, on the world ranks
    /// `0..n` as group 0.
    ///
    /// # Errors
    /// [`RunFault::NeedsSwitch`], [`RunFault::OverBudget`], [`RunFault::TooFewSlots`] and
    /// [`RunFault::PartialSumsTravel`], before anything is allocated.
    pub fn new(schedule: &Schedule, proof: &Proof, run: &Run) -> Result<Plan, RunFault> {
        if let Some(fault) = refusal(schedule.switches) {
            return Err(fault);
        }
        if run.slots < proof.slots {
            return Err(RunFault::TooFewSlots { needed: proof.slots, given: run.slots });
        }
        if !admits(schedule, run.reduction.accumulate) {
            return Err(RunFault::PartialSumsTravel);
        }
        let memory_bytes = memory_bytes(schedule, run)?;
        let lengths = Lengths::new(&schedule.collective, &run.tensor);
        let traced = events(schedule) <= TRACE_EVENTS_MAX;
        let passes = passes(schedule, &lengths, run);
        let lending = lending(schedule);
        let lends = |kind: &Option<Lending>| matches!(kind, Some(Lending::Lend(_)));
        let task = |rank: Rank| Task {
            call: Call { group: 0, call: 0 },
            members: (0..schedule.collective.ranks).collect(),
            rank,
            program: schedule.programs[rank].clone(),
            lends: lending[rank].iter().map(lends).collect(),
            layout: Layout::new(schedule, rank, &lengths, run.reduction.wire()),
            reduction: run.reduction,
            collective: schedule.collective,
            tensor: run.tensor.clone(),
            inputs: run.inputs.clone(),
            expected: expected(schedule, proof, rank, &lengths),
            slots: run.slots,
            traced,
            passes,
            repeat: Repeat::Once,
        };
        let tasks = (0..schedule.collective.ranks).map(task).collect();
        Ok(Plan { schedule: schedule.clone(), tasks, memory_bytes, via: Via::Shared })
    }

    /// The same for group `group`, whose ranks are these world ranks, all different.
    pub fn on(mut self, group: u32, members: &[usize]) -> Plan {
        let different = distinct(members.to_vec()).len();
        assert_eq!((members.len(), different), (self.tasks.len(), self.tasks.len()));
        for task in &mut self.tasks {
            task.call.group = group;
            task.members = members.to_vec();
        }
        self
    }

    /// The same, repeated.
    pub fn repeated(mut self, repeat: Repeat) -> Plan {
        self.tasks.iter_mut().for_each(|task| task.repeat = repeat);
        self
    }

    /// The same with messages that go this way, if workers run it and can; without being told they
    /// share memory.
    pub fn via(mut self, via: Via) -> Plan {
        self.via = via;
        self
    }

    /// The same without a trace.
    pub fn untraced(mut self) -> Plan {
        self.tasks.iter_mut().for_each(|task| task.traced = false);
        self
    }

    /// The same as call number `call`.
    pub(super) fn numbered(mut self, call: u32) -> Plan {
        self.tasks.iter_mut().for_each(|task| task.call.call = call);
        self
    }

    /// What is run.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// How messages shall go.
    pub fn wanted(&self) -> Via {
        self.via
    }

    /// One task per group rank.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Whether the first run is traced.
    pub fn traced(&self) -> bool {
        self.tasks.iter().all(|task| task.traced)
    }

    /// What all ranks and the messages between them will allocate at most.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    /// The pairs of world ranks that exchange messages, the smaller first.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for task in &self.tasks {
            for to in task.program.ops.iter().filter_map(|op| op.action.to()) {
                let (a, b) = (task.members[task.rank], task.members[to.rank]);
                pairs.push((a.min(b), a.max(b)));
            }
        }
        distinct(pairs)
    }
}

/// In how many passes a run goes over its buffers: so many that no message is longer than
/// [`PIECE_BYTES`]. Only one if some op works on several chunks, whose parts do not lie together.
fn passes(schedule: &Schedule, lengths: &Lengths, run: &Run) -> usize {
    let mut ops = schedule.programs.iter().flat_map(|program| &program.ops);
    if ops.any(|op| op.action.count() > 1) {
        return 1;
    }
    let chunks = schedule.collective.blocks * schedule.collective.pieces;
    let bytes = lengths.total() * run.reduction.wire().size_bytes();
    bytes.div_ceil(chunks).div_ceil(PIECE_BYTES).max(1)
}

/// The number of events of one traced run.
fn events(schedule: &Schedule) -> usize {
    let moments = |op: &Op| {
        2 + usize::from(op.action.from().is_some() && op.action.to().is_some())
            + usize::from(op.action.from().is_some())
    };
    schedule.programs.iter().flat_map(|p| &p.ops).map(moments).sum()
}

/// What a run of `schedule` allocates at most, or why it must not.
fn memory_bytes(schedule: &Schedule, run: &Run) -> Result<u64, RunFault> {
    let limit = MEMORY_BUDGET_BYTES;
    let check = |needed: u64| {
        if needed > limit { Err(RunFault::OverBudget { needed, limit }) } else { Ok(needed) }
    };
    let size = run.reduction.wire().size_bytes() as u64;
    let narrow = run.reduction.dtype.size_bytes() as u64;
    let wide = run.reduction.sums().size_bytes() as u64;
    let extents = run.tensor.shape.iter().map(|&extent| extent as u64);
    // Only a vector within the budget has lengths that can be computed without overflow.
    check(extents.fold(size, u64::saturating_mul))?;
    let lengths = Lengths::new(&schedule.collective, &run.tensor);
    let chunk = |label| lengths.range(label).len() as u64 * size;
    let typed = match &run.inputs {
        Inputs::Typed(ranks) => ranks.iter().map(|bytes| bytes.len() as u64).sum(),
        Inputs::Seeded(_) => 0,
    };
    let mut total = 0u64;
    for (rank, program) in schedule.programs.iter().enumerate() {
        let sizes = [Buffer::Input, Buffer::Output, Buffer::Scratch].map(|buffer| {
            schedule.labels(rank, buffer).into_iter().map(chunk).collect::<Vec<u64>>()
        });
        let [input, output, scratch] = [0, 1, 2].map(|b: usize| sizes[b].iter().sum::<u64>());
        let shared = if schedule.in_place { input.max(output) } else { input + output };
        // Per connection its slots full of the largest message, and per lane room for a reduction.
        let mut connections: HashMap<_, (u64, u64)> = HashMap::new();
        let mut rooms = vec![0u64; program.lanes];
        for op in &program.ops {
            let span = op.action.src().or(op.action.dst());
            let bytes = span.map_or(0, |s| sizes[s.buffer as usize][s.chunks()].iter().sum());
            if let Some(to) = op.action.to() {
                let (count, largest) = connections.entry(to).or_default();
                (*count, *largest) = (*count + 1, bytes.max(*largest));
            }
            rooms[op.lane] = rooms[op.lane].max(bytes);
        }
        let in_flight = connections
            .values()
            .map(|&(count, largest)| count.min(run.slots as u64).saturating_mul(largest));
        // While the input is made, it exists twice, and once more before it is widened.
        let made = input + if size == narrow { 0 } else { input / size * narrow };
        // A wider sum is made beside what is added to it.
        let room = rooms.iter().sum::<u64>();
        let room = room + if size == wide { 0 } else { room / size * wide };
        let sums = Layout::new(schedule, rank, &lengths, run.reduction.wire());
        let sums = sums.sums_bytes(&run.reduction) as u64;
        let working = made.max(room);
        let parts = [shared, scratch, sums, working, typed].into_iter().chain(in_flight);
        total = parts.fold(total, u64::saturating_add);
    }
    check(total)
}
