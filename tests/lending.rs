//! Lending: what the analysis allows is right in the worst order of events, and what it forbids is
//! wrong in some.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{Random, grid};
use ringscope::engine::check::{Lending, lending};
use ringscope::engine::collective::Buffer;
use ringscope::engine::rank::{Machine, Moment, Status, World};
use ringscope::engine::schedule::{Marks, Peer, Schedule, Span};
use std::collections::{HashMap, VecDeque};

/// What a message carries: values of its own, or a span of its sender, read when it is consumed.
enum Value {
    Own(Vec<u64>),
    Lent(usize, Span),
}

/// All ranks over one memory, with as many slots as anybody likes.
struct Shared<'a> {
    schedule: &'a Schedule,
    lent: &'a [Vec<Option<Lending>>],
    memory: Vec<HashMap<(Buffer, usize), u64>>,
    queues: HashMap<(usize, usize, usize), VecDeque<Value>>,
}

impl Shared<'_> {
    fn read(&self, value: &Value) -> Vec<u64> {
        match value {
            Value::Own(values) => values.clone(),
            Value::Lent(rank, span) => self.span(*rank, *span),
        }
    }

    fn span(&self, rank: usize, span: Span) -> Vec<u64> {
        let at = |chunk| self.memory[rank][&self.schedule.place(rank, span.buffer, chunk)];
        span.chunks().map(at).collect()
    }
}

struct RankWorld<'a, 'b> {
    rank: usize,
    op: usize,
    all: &'b mut Shared<'a>,
}

impl World for RankWorld<'_, '_> {
    type Value = Value;

    fn enter(&mut self, op: usize) {
        self.op = op;
    }

    fn receive(&mut self, from: Peer) -> Option<Value> {
        self.all.queues.get_mut(&(from.rank, self.rank, from.channel))?.pop_front()
    }

    fn can_send(&mut self, _: Peer) -> bool {
        true
    }

    fn send(&mut self, to: Peer, value: Value) {
        let value = match self.all.lent[self.rank][self.op] {
            Some(Lending::Lend(span)) => Value::Lent(self.rank, span),
            _ => Value::Own(self.all.read(&value)),
        };
        self.all.queues.entry((self.rank, to.rank, to.channel)).or_default().push_back(value);
    }

    fn load(&mut self, src: Span, _: Marks) -> Value {
        Value::Own(self.all.span(self.rank, src))
    }

    fn store(&mut self, dst: Span, value: &Value) {
        for (chunk, value) in dst.chunks().zip(self.all.read(value)) {
            let place = self.all.schedule.place(self.rank, dst.buffer, chunk);
            self.all.memory[self.rank].insert(place, value);
        }
    }

    fn reduce(&mut self, value: Value, src: Span, dst: Option<Span>, _: Marks) -> Value {
        let local = self.all.span(self.rank, src);
        let sum = |(a, b): (u64, u64)| a.wrapping_add(b);
        let sum = Value::Own(self.all.read(&value).into_iter().zip(local).map(sum).collect());
        if let Some(dst) = dst {
            self.store(dst, &sum);
        }
        sum
    }

    fn note(&mut self, _: usize, _: Moment, _: Option<&Value>) {}
}

/// What all outputs hold after a run in which `next` chooses who goes on, among those who can.
fn outputs(
    schedule: &Schedule,
    lent: &[Vec<Option<Lending>>],
    mut next: impl FnMut(&[usize]) -> usize,
) -> Vec<Vec<u64>> {
    let actors = schedule.programs.len();
    let mut all =
        Shared { schedule, lent, memory: vec![HashMap::new(); actors], queues: HashMap::new() };
    for rank in 0..actors {
        for (chunk, label) in schedule.labels(rank, Buffer::Input).into_iter().enumerate() {
            let place = schedule.place(rank, Buffer::Input, chunk);
            all.memory[rank].insert(place, (label as u64 + 1) << (4 * rank));
        }
    }
    let mut machines: Vec<Machine<Value>> = schedule.programs.iter().map(Machine::new).collect();
    let mut able: Vec<usize> = (0..actors).collect();
    while !able.is_empty() {
        let rank = next(&able);
        match machines[rank].advance(&mut RankWorld { rank, op: 0, all: &mut all }) {
            // Whoever was waiting may be able to go on now.
            Status::Progressed => able = (0..actors).collect(),
            Status::Blocked(_) | Status::Done => able.retain(|&other| other != rank),
        }
    }
    let output = |rank| {
        let chunks = 0..schedule.labels(rank, Buffer::Output).len();
        let at = |chunk| all.memory[rank][&schedule.place(rank, Buffer::Output, chunk)];
        chunks.map(at).collect()
    };
    (0..actors).map(output).collect()
}

/// Whether some order of events, among those in which one rank is as slow as can be and a few at
/// random, gives another result than copying does.
fn goes_wrong(schedule: &Schedule, lent: &[Vec<Option<Lending>>]) -> bool {
    let copies: Vec<Vec<_>> =
        schedule.programs.iter().map(|program| vec![None; program.ops.len()]).collect();
    let right = outputs(schedule, &copies, |able| able[0]);
    let slow = (0..schedule.programs.len()).map(|slow| {
        outputs(schedule, lent, |able| *able.iter().find(|&&r| r != slow).unwrap_or(&slow))
    });
    let random = (0..3).map(|seed| {
        let mut random = Random(seed);
        outputs(schedule, lent, move |able| random.pick(able))
    });
    slow.chain(random).any(|found| found != right)
}

#[test]
fn what_may_be_lent_is_right_however_slow_its_reader_is() {
    let (mut lent, mut copied) = (0, 0);
    for case in grid([1, 2, 3, 4, 5, 8], &[1, 3]) {
        let schedule = case.build();
        let lending = lending(&schedule);
        for kind in lending.iter().flatten().flatten() {
            match kind {
                Lending::Lend(_) => lent += 1,
                Lending::Copy(_) => copied += 1,
                Lending::Own => {}
            }
        }
        assert!(!goes_wrong(&schedule, &lending), "{case}: a lent span was written too early");
    }
    println!("{lent} messages may be lent, {copied} must be copied");
    assert!(lent > 10 * copied && copied > 0);
}

#[test]
fn what_must_be_copied_is_wrong_when_it_is_lent() {
    let mut dared = 0;
    for case in grid([2, 3, 4, 5, 8], &[1]) {
        let schedule = case.build();
        let cautious = lending(&schedule);
        for (rank, ops) in cautious.iter().enumerate() {
            for (op, kind) in ops.iter().enumerate() {
                let Some(Lending::Copy(span)) = *kind else { continue };
                let mut daring = cautious.clone();
                daring[rank][op] = Some(Lending::Lend(span));
                assert!(
                    goes_wrong(&schedule, &daring),
                    "{case}: rank {rank} op {op} could be lent"
                );
                dared += 1;
            }
        }
    }
    println!("{dared} forbidden loans went wrong");
    assert!(dared > 20);
}
