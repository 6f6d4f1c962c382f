//! A second opinion on schedules, which shares no code with the checker or the rank machine.
//!
//! It executes lanes in a random order over values that list whose contributions they hold, how
//! often each was scaled, and how often the whole was divided. A schedule is *equivalent* to a
//! right one if many random orders all end, with the required contents everywhere.

use crate::common::Random;
use ringscope::engine::collective::Buffer;
use ringscope::engine::schedule::{Action, Op, Peer, Schedule, Span};
use std::collections::{BTreeMap, VecDeque};

/// A chunk's value: its label, who contributed and how often that was scaled, and how often the
/// whole was divided.
#[derive(Clone, PartialEq)]
struct Value {
    label: usize,
    parts: Vec<(usize, usize)>,
    divided: usize,
}

#[derive(Default)]
struct State {
    memory: BTreeMap<(usize, Buffer, usize), Value>,
    queues: BTreeMap<(usize, usize, usize), VecDeque<Vec<Value>>>,
    /// Ops that have ended, as (rank, op).
    ended: BTreeMap<(usize, usize), bool>,
    /// Second halves still to do: what a lane has to send, as (rank, lane).
    holding: BTreeMap<(usize, usize), Vec<Value>>,
}

/// Whether `orders` random orders, with `slots` slots per connection, all do what the verb asks
/// for.
pub fn equivalent(schedule: &Schedule, slots: usize, orders: u64) -> Result<(), String> {
    (0..orders).try_for_each(|seed| run(schedule, slots, &mut Random(seed)))
}

fn run(schedule: &Schedule, slots: usize, random: &mut Random) -> Result<(), String> {
    let mut state = State::default();
    for rank in 0..schedule.collective.ranks {
        for (chunk, label) in schedule.collective.input(rank).into_iter().enumerate() {
            let (buffer, at) = schedule.place(rank, Buffer::Input, chunk);
            let value = Value { label, parts: vec![(rank, 0)], divided: 0 };
            state.memory.insert((rank, buffer, at), value);
        }
    }
    // Every lane as (rank, lane, its ops that are left).
    let mut lanes: Vec<(usize, usize, VecDeque<usize>)> = Vec::new();
    for (rank, program) in schedule.programs.iter().enumerate() {
        for lane in 0..program.lanes {
            let ops = (0..program.ops.len()).filter(|&op| program.ops[op].lane == lane);
            lanes.push((rank, lane, ops.collect()));
        }
    }
    lanes.retain(|(_, _, ops)| !ops.is_empty());
    while !lanes.is_empty() {
        let start = random.below(lanes.len());
        let mut moved = None;
        for turn in 0..lanes.len() {
            let index = (start + turn) % lanes.len();
            let (rank, lane, ref ops) = lanes[index];
            match step(schedule, &mut state, slots, rank, lane, ops[0])? {
                Step::Waits => continue,
                Step::Half => moved = Some((index, false)),
                Step::Ended => moved = Some((index, true)),
            }
            break;
        }
        let (index, ended) = moved.ok_or("everybody waits")?;
        if ended {
            let (rank, _, ops) = &mut lanes[index];
            state.ended.insert((*rank, ops.pop_front().expect("it was not empty")), true);
            if ops.is_empty() {
                lanes.swap_remove(index);
            }
        }
    }
    finish(schedule, &state)
}

enum Step {
    Waits,
    Half,
    Ended,
}

fn step(
    schedule: &Schedule,
    state: &mut State,
    slots: usize,
    rank: usize,
    lane: usize,
    index: usize,
) -> Result<Step, String> {
    let op = &schedule.programs[rank].ops[index];
    let free = |state: &State, to: Peer| {
        state.queues.get(&(rank, to.rank, to.channel)).map_or(0, VecDeque::len) < slots
    };
    if let Some(values) = state.holding.get(&(rank, lane)).cloned() {
        let to = op.action.to().expect("it holds what it has to send");
        if !free(state, to) {
            return Ok(Step::Waits);
        }
        state.holding.remove(&(rank, lane));
        state.queues.entry((rank, to.rank, to.channel)).or_default().push_back(values);
        return Ok(Step::Ended);
    }
    if op.deps.iter().any(|&dep| !state.ended.contains_key(&(rank, dep))) {
        return Ok(Step::Waits);
    }
    let mut received = None;
    if let Some(from) = op.action.from() {
        let queue = state.queues.get_mut(&(from.rank, rank, from.channel));
        received = queue.and_then(VecDeque::pop_front);
        if received.is_none() {
            return Ok(Step::Waits);
        }
    }
    let result = work(schedule, state, rank, op, received)?;
    Ok(if op.action.to().is_some() {
        state.holding.insert((rank, lane), result);
        Step::Half
    } else {
        Step::Ended
    })
}

/// The local work of an op: what it computes, stored where it is to be stored.
fn work(
    schedule: &Schedule,
    state: &mut State,
    rank: usize,
    op: &Op,
    received: Option<Vec<Value>>,
) -> Result<Vec<Value>, String> {
    let (pre, post) = (usize::from(op.marks.pre), usize::from(op.marks.post));
    let load = |state: &State, span: Span, pre: usize| -> Result<Vec<Value>, String> {
        let one = |chunk| {
            let (buffer, at) = schedule.place(rank, span.buffer, chunk);
            let mut value = state.memory.get(&(rank, buffer, at)).cloned().ok_or("undefined")?;
            value.parts.iter_mut().for_each(|part| part.1 += pre);
            Ok(value)
        };
        span.chunks().map(one).collect()
    };
    let divide = |mut values: Vec<Value>| {
        values.iter_mut().for_each(|value| value.divided += post);
        values
    };
    let sum = |x: Vec<Value>, local: Vec<Value>| -> Result<Vec<Value>, String> {
        if x.len() != local.len() {
            return Err("lengths differ".into());
        }
        let pair = |(mut x, y): (Value, Value)| {
            if x.label != y.label || x.divided + y.divided > 0 {
                return Err("labels differ, or it was divided too early".to_string());
            }
            x.parts.extend(y.parts);
            x.parts.sort_unstable();
            Ok(x)
        };
        x.into_iter().zip(local).map(pair).collect::<Result<_, _>>().map(divide)
    };
    let x = received.unwrap_or_default();
    let result = match op.action {
        Action::Nop => Vec::new(),
        Action::Send { src, .. } | Action::Copy { src, .. } => divide(load(state, src, pre)?),
        Action::Recv { .. } | Action::RecvCopySend { .. } => x,
        Action::Reduce { src, dst } => sum(load(state, dst, 0)?, load(state, src, pre)?)?,
        Action::RecvReduce { src, .. }
        | Action::RecvReduceSend { src, .. }
        | Action::RecvReduceCopySend { src, .. } => sum(x, load(state, src, pre)?)?,
    };
    if let Some(dst) = op.action.dst() {
        if dst.count != result.len() {
            return Err("lengths differ".into());
        }
        let room = schedule.labels(rank, dst.buffer);
        for (chunk, value) in dst.chunks().zip(&result) {
            if room[chunk] != value.label {
                return Err("no room for this label".into());
            }
            let (buffer, at) = schedule.place(rank, dst.buffer, chunk);
            state.memory.insert((rank, buffer, at), value.clone());
        }
    }
    Ok(result)
}

/// Whether everything is received, and every output is what the verb asks for.
fn finish(schedule: &Schedule, state: &State) -> Result<(), String> {
    if state.queues.values().any(|queue| !queue.is_empty()) {
        return Err("a message is left over".into());
    }
    let scales = schedule.collective.verb.reduces();
    let barrier = schedule.collective.verb == ringscope::engine::collective::Verb::Barrier;
    for rank in 0..schedule.collective.ranks {
        for (chunk, required) in schedule.collective.required(rank).into_iter().enumerate() {
            let (buffer, at) = schedule.place(rank, Buffer::Output, chunk);
            let value = state.memory.get(&(rank, buffer, at)).ok_or("an output is missing")?;
            let mut from: Vec<usize> = value.parts.iter().map(|part| part.0).collect();
            if barrier {
                from.dedup();
            }
            let once = usize::from(scales);
            let scaled = value.parts.iter().all(|part| part.1 == once) && value.divided == once;
            if value.label != required.label || from != required.from || !scaled {
                return Err(format!("rank {rank} chunk {chunk} is wrong"));
            }
        }
    }
    Ok(())
}
