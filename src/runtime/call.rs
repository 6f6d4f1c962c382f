//! One collective call at one rank: run it, verify it, repeat it, stop it, report it.
//!
//! A driver calls [`CallInFlight::step`] until it says [`Turn::Finished`], and may do anything else
//! between two steps: other calls' steps, messages, cancelling.
//!
//! **Stopping.** Repetitions need no word from the page, so at any moment ranks are in different
//! ones, and all must end after the same. The page asks every rank to
//! [`hold`](CallInFlight::hold): the rank ends the repetition it is in, begins no other, and
//! answers with its number. The largest of these numbers is where everybody stops: nobody has begun
//! a later one, so nobody waits for a message that will not be sent, and every repetition up to it
//! is run by all ranks, as if it were the only one.
//!
//! Repetitions share their connections. That is safe with as many slots as one run needs: a rank
//! sends nothing of repetition k+1 before it has sent all of k, and connections are first in, first
//! out. So messages of k+1 only ever wait behind those of k, never before them.

use super::clock::Clock;
use super::protocol::{Counters, OUTPUT_BYTES_MAX, RankState, Repeat, Report, Task};
use super::world::{Links, RankWorld, Value};
use crate::engine::collective::Buffer;
use crate::engine::memory::{Lengths, Memory, Pass};
use crate::engine::oracle::{Verdict, verify};
use crate::engine::rank::{Blocked, Machine, Status};
use crate::engine::reduce::KERNELS;
use std::ops::Range;

/// Elements that one step verifies.
const VERIFY_ELEMENTS: usize = 8192;

/// What a step achieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Something; call again.
    Progressed,
    /// Nothing before a message, a slot or the page's word arrives.
    Blocked,
    /// The call has ended; take the report.
    Finished,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Prepared,
    Running,
    /// Verifying `expected[chunk]` from element `from` on; then the next run, or the end.
    Verifying {
        chunk: usize,
        from: usize,
    },
    /// Between two repetitions: begin the next, wait for the page, or end.
    Between,
    Finished,
}

/// A call at one rank.
pub struct CallInFlight<L: Links> {
    task: Task,
    machine: Machine<Value<L::Message>>,
    world: RankWorld<L>,
    clock: Clock,
    resolution_us: f64,
    stage: Stage,
    /// The last repetition begun; 0 is the first run.
    repetition: u64,
    /// The last repetition that may begin.
    limit: u64,
    /// Whether `limit` is only a pledge, and the page has still to say where to stop.
    holding: bool,
    /// Whether the last repetition's output is still to be verified.
    verify_last: bool,
    first_run: Range<f64>,
    warm_us: f64,
    /// Counters as they stood at the end of the last counted run.
    counted: Counters,
    /// How long each batch took.
    batches_us: Vec<f64>,
    verdict: Verdict,
    steps: u64,
    blocked: Vec<Blocked>,
    since_us: f64,
}

impl<L: Links> CallInFlight<L> {
    /// Allocates the rank's memory and makes its input. `resolution_us` is the clock's tick.
    ///
    /// # Panics
    /// If the task's program does not fit its layout or its group.
    pub fn new(mut task: Task, links: L, clock: Clock, resolution_us: f64) -> Self {
        let reduction = task.reduction;
        task.program.ops.iter_mut().for_each(|op| op.marks = reduction.heeded(op.marks));
        let lengths = Lengths::new(&task.collective, &task.tensor);
        let labels = task.collective.input(task.rank);
        let input = task.inputs.of(task.reduction, task.rank, &labels, &lengths);
        let memory = Memory::new(task.layout.clone(), task.reduction, &KERNELS, &input);
        let mut world = RankWorld::new(&task, links, memory, clock, resolution_us);
        world.trace(task.traced);
        let limit = match task.repeat {
            Repeat::Once => 0,
            Repeat::Batches { batches, of } => u64::from(batches) * u64::from(of) + 1,
            Repeat::UntilStopped => u64::MAX,
        };
        CallInFlight {
            machine: Machine::new(&task.program),
            world,
            clock,
            resolution_us,
            stage: Stage::Prepared,
            repetition: 0,
            limit,
            holding: false,
            // In place, a repetition works on the result of the last: only the first run's is
            // known.
            verify_last: limit > 0 && !shares_memory(&task),
            first_run: 0.0..0.0,
            warm_us: 0.0,
            counted: Counters::default(),
            batches_us: Vec::new(),
            verdict: Verdict::default(),
            steps: 0,
            blocked: Vec::new(),
            since_us: clock.now_us(),
            task,
        }
    }

    /// The task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Begins the first run.
    pub fn start(&mut self) {
        if self.stage == Stage::Prepared {
            self.begin_run();
            self.first_run.start = self.clock.now_us();
            self.since_us = self.first_run.start;
        }
    }

    /// Whether the first run has begun.
    pub fn has_started(&self) -> bool {
        self.stage != Stage::Prepared
    }

    /// Begins no repetition after the current one; returns its number.
    pub fn hold(&mut self) -> u64 {
        self.limit = self.limit.min(self.repetition);
        self.holding = true;
        self.limit
    }

    /// Runs up to `repetition`, and stops.
    ///
    /// # Panics
    /// If a later one has been begun.
    pub fn stop_after(&mut self, repetition: u64) {
        assert!(repetition >= self.repetition, "repetition {} has begun", self.repetition);
        self.limit = repetition;
        self.holding = false;
    }

    /// Where this rank stands.
    pub fn state(&self) -> RankState {
        let (steps, since_us) = (self.steps, self.since_us);
        RankState { steps, blocked: self.blocked.clone(), since_us }
    }

    /// What has been done so far.
    pub fn counters(&self) -> Counters {
        self.counted
    }

    /// Does a small piece of work, if there is one to do.
    pub fn step(&mut self) -> Turn {
        let turn = match self.stage {
            Stage::Prepared => Turn::Blocked,
            Stage::Running => self.run(),
            Stage::Verifying { chunk, from } => self.verify(chunk, from),
            Stage::Between => self.go_on(),
            Stage::Finished => Turn::Finished,
        };
        if turn == Turn::Progressed {
            self.steps += 1;
            self.blocked.clear();
        }
        turn
    }

    fn run(&mut self) -> Turn {
        match self.machine.advance(&mut self.world) {
            Status::Progressed => Turn::Progressed,
            // What others still read is not in it.
            Status::Done if self.next_pass() => Turn::Progressed,
            // What others still read must not change: neither in the next run, nor by its end.
            Status::Done => match self.world.reader() {
                Some(reader) => self.block(vec![reader]),
                None => {
                    self.end_run();
                    Turn::Progressed
                }
            },
            Status::Blocked(blocked) => self.block(blocked),
        }
    }

    /// Begins the next pass over the buffers, unless this was the last.
    fn next_pass(&mut self) -> bool {
        let Pass { number, of } = self.world.memory.pass;
        let more = number + 1 < of;
        if more {
            self.begin_pass(Pass { number: number + 1, of });
        }
        more
    }

    /// Begins a run with its first pass.
    fn begin_run(&mut self) {
        let of = if self.world.is_tracing() { 1 } else { self.task.passes };
        self.begin_pass(Pass { number: 0, of });
        self.stage = Stage::Running;
    }

    fn begin_pass(&mut self, pass: Pass) {
        self.world.memory.pass = pass;
        self.machine.restart();
    }

    fn block(&mut self, blocked: Vec<Blocked>) -> Turn {
        if self.blocked != blocked {
            self.since_us = self.clock.now_us();
            self.blocked = blocked;
        }
        Turn::Blocked
    }

    fn end_run(&mut self) {
        let now = self.clock.now_us();
        if self.repetition == 0 {
            self.first_run.end = now;
            self.counted = self.world.counters;
            self.counted.runs = 1;
            self.counted.elapsed_us = now - self.first_run.start;
            self.stage = Stage::Verifying { chunk: 0, from: 0 };
            return;
        }
        if self.repetition == 1 {
            // Batches are timed from here on, at all ranks at the same time; who looks on wants to
            // know at once.
            if self.task.repeat == Repeat::UntilStopped {
                self.world.time_kernel();
            }
            self.world.reset_counters();
            self.warm_us = self.clock.now_us();
        } else if !self.holding {
            self.counted = self.world.counters;
            self.world.tell_kernel_time(&mut self.counted);
            self.counted.runs = self.repetition - 1;
            self.end_batch(now);
            self.counted.elapsed_us = now - self.warm_us;
        }
        self.stage = Stage::Between;
    }

    /// Takes the time of a batch, if the repetition that ended `now` was its last.
    fn end_batch(&mut self, now: f64) {
        if let Repeat::Batches { of, .. } = self.task.repeat
            && self.counted.runs.is_multiple_of(u64::from(of))
        {
            let before: f64 = self.batches_us.iter().sum();
            self.batches_us.push(now - self.warm_us - before);
        }
    }

    fn go_on(&mut self) -> Turn {
        if self.repetition < self.limit {
            self.repetition += 1;
            self.world.trace(false);
            self.begin_run();
        } else if self.holding {
            return Turn::Blocked;
        } else if self.verify_last && self.repetition > 0 {
            self.verify_last = false;
            self.stage = Stage::Verifying { chunk: 0, from: 0 };
        } else {
            self.stage = Stage::Finished;
        }
        Turn::Progressed
    }

    fn verify(&mut self, chunk: usize, from: usize) -> Turn {
        let Some(expected) = self.task.expected.get(chunk) else {
            self.stage = Stage::Between;
            return Turn::Progressed;
        };
        let end = (from + VERIFY_ELEMENTS).min(expected.range.len());
        let bytes = &self.world.memory.bytes[self.task.layout.chunk(Buffer::Output, chunk)];
        let (inputs, reduction) = (&self.task.inputs, self.task.reduction);
        self.verdict = self.verdict.and(verify(inputs, reduction, expected, from..end, bytes));
        self.stage = if end == expected.range.len() {
            Stage::Verifying { chunk: chunk + 1, from: 0 }
        } else {
            Stage::Verifying { chunk, from: end }
        };
        Turn::Progressed
    }

    /// What came of the call, once it has finished. If it has repeated, it may take ten ticks of
    /// the clock to find out how fast the reduction is.
    pub fn report(mut self, memory_bytes: u64, ignored: u64) -> Report {
        let mut counters = self.counted;
        if self.task.repeat != Repeat::Once {
            self.world.time_kernel();
        }
        self.world.tell_kernel_time(&mut counters);
        let (memory, layout) = (&self.world.memory, &self.task.layout);
        let output = layout.buffer(Buffer::Output);
        let small = output.len() <= OUTPUT_BYTES_MAX;
        let output = small.then(|| memory.bytes[output].to_vec());
        Report {
            rank: self.task.rank,
            events: self.world.take_events(),
            output,
            verdict: self.verdict,
            counters,
            batches_us: self.batches_us,
            begun_us: self.first_run.start,
            ended_us: self.first_run.end,
            resolution_us: self.resolution_us,
            memory_bytes,
            ignored,
        }
    }
}

/// Whether input and output overlap.
fn shares_memory(task: &Task) -> bool {
    let (a, b) = (task.layout.buffer(Buffer::Input), task.layout.buffer(Buffer::Output));
    a.start < b.end && b.start < a.end
}
