//! The simulator: all rank machines in one thread, on real numbers, in any order.
//!
//! It is the page's first picture before any worker has started, and the reference that the real
//! runtimes are compared with: it computes with the plain arithmetic, they with kernels. Its events
//! have no clock of their own: give them one with [`Trace::retimed`](super::trace::Trace::retimed).

use super::Rank;
use super::collective::Buffer;
use super::memory::{Layout, Lengths, Memory};
use super::oracle::Inputs;
use super::rank::{Machine, Moment, Status, World};
use super::reduce::{Reduction, plain};
use super::schedule::{Marks, Peer, Schedule, Span};
use super::tensor::Tensor;
use super::trace::{Clock, Event, Trace};
use std::collections::{HashMap, VecDeque};

/// Everything a run is a function of, beside the schedule.
#[derive(Clone, Debug)]
pub struct Run {
    /// The whole vector.
    pub tensor: Tensor,
    /// What `⊕` means.
    pub reduction: Reduction,
    /// What the ranks start with.
    pub inputs: Inputs,
    /// Slots per connection.
    pub slots: usize,
}

/// What a simulation yields.
pub struct Simulation {
    /// The events; time counts them.
    pub trace: Trace,
    /// Each rank's output in the wire type, blocks one after the other.
    pub outputs: Vec<Vec<u8>>,
    /// The whole memory of each rank and switch.
    pub memories: Vec<Memory>,
    /// Ranks that could not go on, with the op they stand at; empty unless the run deadlocked.
    pub stuck: Vec<(Rank, usize)>,
}

/// Runs `schedule`, one half-op at a time, choosing the next rank by `seed`.
pub fn simulate(schedule: &Schedule, run: &Run, seed: u64) -> Simulation {
    let lengths = Lengths::new(&schedule.collective, &run.tensor);
    let memories = (0..schedule.programs.len()).map(|rank| {
        let layout = Layout::new(schedule, rank, &lengths, run.reduction.wire());
        let input = run.inputs.of(run.reduction, rank, &schedule.collective.input(rank), &lengths);
        Memory::new(layout, run.reduction, &plain::ARITHMETIC, &input)
    });
    let mut state = State {
        schedule,
        slots: run.slots,
        memories: memories.collect(),
        queues: HashMap::new(),
        events: Vec::new(),
        seqs: vec![0; schedule.programs.len()],
    };
    let mut machines: Vec<Machine<Vec<u8>>> = schedule.programs.iter().map(Machine::new).collect();
    let mut ready: Vec<Rank> = (0..machines.len()).collect();
    let mut waiting: Vec<(Rank, usize)> = Vec::new();
    let mut random = seed;
    while !ready.is_empty() {
        // A linear congruential generator is enough to shuffle; seed 0 gives ranks in turn.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed);
        let index = (random >> 33) as usize % ready.len();
        let rank = ready.remove(index);
        match machines[rank].advance(&mut RankWorld { rank, state: &mut state }) {
            Status::Progressed => {
                // Whatever happened may be what the others wait for.
                ready.push(rank);
                ready.extend(waiting.drain(..).map(|(rank, _)| rank));
            }
            Status::Blocked(on) => waiting.push((rank, on.first().map_or(0, |b| b.op))),
            Status::Done => {}
        }
    }
    let outputs = state.memories.iter().take(schedule.collective.ranks);
    let outputs = outputs.map(|m| m.bytes[m.layout.buffer(Buffer::Output)].to_vec()).collect();
    let trace = Trace::new(schedule, Clock::Rounds, 0.0, state.events);
    Simulation { trace, outputs, memories: state.memories, stuck: waiting }
}

struct State<'a> {
    schedule: &'a Schedule,
    slots: usize,
    memories: Vec<Memory>,
    queues: HashMap<(Rank, Rank, usize), VecDeque<Vec<u8>>>,
    events: Vec<Event>,
    seqs: Vec<u32>,
}

struct RankWorld<'a, 'b> {
    rank: Rank,
    state: &'b mut State<'a>,
}

impl World for RankWorld<'_, '_> {
    type Value = Vec<u8>;

    fn receive(&mut self, from: Peer) -> Option<Vec<u8>> {
        self.state.queues.get_mut(&(from.rank, self.rank, from.channel))?.pop_front()
    }

    fn can_send(&mut self, to: Peer) -> bool {
        let queue = self.state.queues.get(&(self.rank, to.rank, to.channel));
        queue.map_or(0, VecDeque::len) < self.state.slots
    }

    fn send(&mut self, to: Peer, value: Vec<u8>) {
        self.state.queues.entry((self.rank, to.rank, to.channel)).or_default().push_back(value);
    }

    fn load(&mut self, src: Span, marks: Marks) -> Vec<u8> {
        self.state.memories[self.rank].load(src, marks, Vec::new())
    }

    fn store(&mut self, dst: Span, value: &Vec<u8>) {
        self.state.memories[self.rank].store(dst, value);
    }

    fn reduce(&mut self, value: Vec<u8>, src: Span, dst: Option<Span>, marks: Marks) -> Vec<u8> {
        let memory = &mut self.state.memories[self.rank];
        let value = memory.reduce(value, src, marks);
        if let Some(dst) = dst {
            memory.store(dst, &value);
        }
        value
    }

    fn note(&mut self, op: usize, what: Moment, value: Option<&Vec<u8>>) {
        let state = &mut *self.state;
        let instruction = &state.schedule.programs[self.rank].ops[op];
        let values = value
            .map_or(Vec::new(), |value| state.memories[self.rank].sample(instruction, what, value));
        let seq = state.seqs[self.rank];
        state.seqs[self.rank] += 1;
        let time = state.events.len() as f64;
        state.events.push(Event { rank: self.rank, seq, op, what, time, values });
    }
}
