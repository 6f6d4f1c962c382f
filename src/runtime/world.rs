//! The rank machine's world on real bytes, over whatever links a driver brings.
//!
//! A value stays where it is as long as it can: a received message is read where it lies, a result
//! is made in the span it is stored to, and a span is sent straight out of memory, or only lent.
//! Room of its own is needed for a result that is stored nowhere, and for a message that cannot be
//! read where it lies.

use super::clock::Clock;
use super::protocol::{Counters, ReduceTiming, Task};
use crate::engine::Rank;
use crate::engine::memory::Memory;
use crate::engine::rank::{Blocked, Moment, Waiting, World};
use crate::engine::reduce::KERNELS;
use crate::engine::region::Loan;
use crate::engine::schedule::{Marks, Op, Peer, Span};
use crate::engine::trace::Event;
use std::cell::RefCell;

/// One rank's ends of all connections of one call.
pub trait Links {
    /// A message that has arrived.
    type Message: Message;

    /// Takes the next message from `from`, if one has arrived.
    fn receive(&mut self, from: Peer) -> Option<Self::Message>;

    /// Whether the connection to `to` has a free slot.
    fn can_send(&mut self, to: Peer) -> bool;

    /// Sends a copy of `bytes`; only called after [`Links::can_send`] said yes, as the others.
    fn send(&mut self, to: Peer, bytes: &[u8]);

    /// Sends `bytes` themselves, for others that have come back, or as long as there are none for
    /// an empty vector.
    fn give(&mut self, to: Peer, bytes: Vec<u8>) -> Vec<u8>;

    /// Sends bytes of memory that the receiver may read where they are.
    fn lend(&mut self, to: Peer, loan: Loan);

    /// A peer that has not yet consumed all it was sent, if what was sent may be lent.
    fn reader(&mut self) -> Option<Peer>;
}

/// A message that has arrived. It occupies its slot until it is dropped.
pub trait Message {
    /// Size in bytes.
    fn size(&self) -> usize;

    /// The bytes, if they can be read where they are.
    fn bytes(&self) -> Option<&[u8]>;

    /// Copies the message to `target`, which has its size.
    fn copy_to(&self, target: &mut [u8]);
}

/// What a message carries and a reduction works on.
pub struct Value<M>(RefCell<Content<M>>);

enum Content<M> {
    /// Still in the message it came in. It is stored or reduced within the same half of its op, so
    /// its slot is free again before anything can wait for it.
    Arrived(M),
    /// In memory. Nothing else writes this span before the op has ended: the checker proved it.
    InMemory(Span),
    /// In room of its own.
    Own(Vec<u8>),
}

impl<M> From<Content<M>> for Value<M> {
    fn from(content: Content<M>) -> Self {
        Value(RefCell::new(content))
    }
}

/// Reductions of fewer bytes are never timed one by one: they are shorter than any clock's ten
/// ticks.
const TIMED_BYTES_MIN: usize = 64 * 1024;

/// Ticks of the clock that make a duration worth keeping.
const TICKS: f64 = 10.0;

/// A calibration doubles its batch at most this often, whatever the clock says.
const DOUBLINGS_MAX: u32 = 24;

/// Memory, links and notes of one rank in one call.
pub struct RankWorld<L: Links> {
    rank: Rank,
    ops: Vec<Op>,
    /// Whether what each op sends may be lent.
    lends: Vec<bool>,
    /// The op that is being worked on.
    op: usize,
    links: L,
    clock: Clock,
    resolution_us: f64,
    /// The rank's bytes.
    pub memory: Memory,
    /// What has been done since the last reset.
    pub counters: Counters,
    /// Bytes of `counters.reduced_bytes` whose time is in `counters.reduce_us`.
    timed_bytes: u64,
    /// The kernel's time per byte, if it had to be found out.
    us_per_byte: Option<f64>,
    /// The largest span reduced so far.
    largest: Option<Span>,
    /// Events so far.
    events: Vec<Event>,
    tracing: bool,
    /// Room that is free for the next reduction.
    spare: Vec<Vec<u8>>,
}

impl<L: Links> RankWorld<L> {
    /// The world of a task's rank.
    pub fn new(task: &Task, links: L, memory: Memory, clock: Clock, tick: f64) -> Self {
        RankWorld {
            rank: task.rank,
            ops: task.program.ops.clone(),
            lends: task.lends.clone(),
            op: 0,
            links,
            clock,
            resolution_us: tick,
            memory,
            counters: Counters::default(),
            timed_bytes: 0,
            us_per_byte: None,
            largest: None,
            events: Vec::new(),
            tracing: false,
            spare: Vec::new(),
        }
    }

    /// Keeps events from here on, or no longer.
    pub fn trace(&mut self, tracing: bool) {
        self.tracing = tracing;
    }

    /// The events kept so far.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Counts from zero again.
    pub fn reset_counters(&mut self) {
        self.counters = Counters::default();
        self.timed_bytes = 0;
    }

    /// Finds out, once, how fast the kernel is on the largest span, unless every reduction so far
    /// was long enough to be timed as it ran. It may take ten ticks of the clock.
    pub fn time_kernel(&mut self) {
        let untimed = self.timed_bytes != self.counters.reduced_bytes;
        if let Some(span) = self.largest.filter(|_| untimed && self.us_per_byte.is_none()) {
            self.us_per_byte = Some(self.calibrate(span));
        }
    }

    /// Fills in the kernel's time in `counters`, which this world has counted, as far as it is
    /// known.
    pub fn tell_kernel_time(&self, counters: &mut Counters) {
        if counters.reduced_bytes == 0 {
            return;
        }
        if self.timed_bytes == self.counters.reduced_bytes {
            counters.reduce_timing = Some(ReduceTiming::InRun);
        } else if let Some(us_per_byte) = self.us_per_byte {
            counters.reduce_timing = Some(ReduceTiming::Calibrated);
            counters.reduce_us = counters.reduced_bytes as f64 * us_per_byte;
        }
    }

    /// Microseconds per byte of the kernel on `span`.
    fn calibrate(&mut self, span: Span) -> f64 {
        let (reduction, other) = (self.memory.reduction, self.memory.span(span));
        let mut sum = reduction.sum_of(&KERNELS, other.to_vec());
        let mut batch = 1u32;
        loop {
            let begun = self.clock.now_us();
            for _ in 0..batch {
                reduction.combine(&KERNELS, &mut sum, other);
            }
            let elapsed = self.clock.now_us() - begun;
            if elapsed >= TICKS * self.resolution_us || batch >> DOUBLINGS_MAX != 0 {
                return elapsed / (f64::from(batch) * other.len() as f64);
            }
            batch *= 2;
        }
    }

    /// Whoever still reads what this rank has sent, and the last op that sent it something.
    pub fn reader(&mut self) -> Option<Blocked> {
        let to = self.links.reader()?;
        let op = self.ops.iter().rposition(|op| op.action.to() == Some(to))?;
        Some(Blocked { lane: self.ops[op].lane, op, on: Waiting::Slot(to) })
    }

    /// Room of its own, with anything in it.
    fn room(&mut self, size: usize) -> Vec<u8> {
        let mut room = self.spare.pop().unwrap_or_default();
        room.resize(size, 0);
        room
    }

    /// The content of `value` in room of its own.
    fn owned(&mut self, value: Value<L::Message>) -> Vec<u8> {
        match value.0.into_inner() {
            Content::Own(bytes) => bytes,
            Content::Arrived(message) => {
                let mut room = self.room(message.size());
                message.copy_to(&mut room);
                room
            }
            Content::InMemory(span) => {
                let mut room = self.room(self.memory.span(span).len());
                room.copy_from_slice(self.memory.span(span));
                room
            }
        }
    }

    /// `dst = message ⊕ src`.
    fn reduce_into(&mut self, dst: Span, message: L::Message, src: Span, marks: Marks) {
        if let Some(x) = message.bytes() {
            self.kernel(src, |memory| memory.reduce_into(dst, x, src, marks));
        } else if self.memory.apart(dst, src) {
            message.copy_to(self.memory.span_mut(dst));
            drop(message);
            self.kernel(src, |memory| memory.reduce_here(dst, src, marks));
        } else {
            let x = self.owned(Content::Arrived(message).into());
            self.kernel(src, |memory| memory.reduce_into(dst, &x, src, marks));
            self.spare.push(x);
        }
    }

    /// `message ⊕ src` in room of its own.
    fn reduced(&mut self, message: L::Message, src: Span, marks: Marks) -> Vec<u8> {
        let Some(x) = message.bytes() else {
            let x = self.owned(Content::Arrived(message).into());
            return self.kernel(src, |memory| memory.reduce(x, src, marks));
        };
        let mut room = self.room(x.len());
        self.kernel(src, |memory| memory.reduce_to(&mut room, x, src, marks));
        room
    }

    /// Lets the kernel work on `src`, and counts that.
    fn kernel<R>(&mut self, src: Span, work: impl FnOnce(&mut Memory) -> R) -> R {
        let bytes = self.memory.span(src).len();
        self.counters.reduced_bytes += bytes as u64;
        if self.largest.is_none_or(|span| self.memory.span(span).len() < bytes) {
            self.largest = Some(src);
        }
        if bytes < TIMED_BYTES_MIN {
            return work(&mut self.memory);
        }
        let begun = self.clock.now_us();
        let result = work(&mut self.memory);
        let elapsed = self.clock.now_us() - begun;
        if elapsed >= TICKS * self.resolution_us {
            self.counters.reduce_us += elapsed;
            self.timed_bytes += bytes as u64;
        }
        result
    }
}

impl<L: Links> World for RankWorld<L> {
    type Value = Value<L::Message>;

    fn enter(&mut self, op: usize) {
        self.op = op;
    }

    fn receive(&mut self, from: Peer) -> Option<Self::Value> {
        self.links.receive(from).map(|message| Content::Arrived(message).into())
    }

    fn can_send(&mut self, to: Peer) -> bool {
        self.links.can_send(to)
    }

    fn send(&mut self, to: Peer, value: Self::Value) {
        let sent = match value.0.into_inner() {
            Content::InMemory(span) => {
                let range = self.memory.layout.span(span);
                let size = range.len();
                if self.lends[self.op] {
                    // SAFETY: the task says that nothing writes this span before the message is
                    // consumed, and before that the run does not end (`reader`).
                    let loan = unsafe { self.memory.bytes.lend(range) };
                    self.links.lend(to, loan);
                } else {
                    self.links.send(to, &self.memory.bytes[range]);
                }
                size
            }
            content => {
                let bytes = self.owned(content.into());
                let size = bytes.len();
                let back = self.links.give(to, bytes);
                self.spare.push(back);
                size
            }
        };
        self.counters.messages += 1;
        self.counters.bytes_sent += sent as u64;
    }

    fn load(&mut self, src: Span, marks: Marks) -> Self::Value {
        if marks == Marks::default() {
            return Content::InMemory(src).into();
        }
        let room = self.spare.pop().unwrap_or_default();
        Content::Own(self.memory.load(src, marks, room)).into()
    }

    fn store(&mut self, dst: Span, value: &Self::Value) {
        match value.0.replace(Content::InMemory(dst)) {
            Content::Arrived(message) => message.copy_to(self.memory.span_mut(dst)),
            Content::InMemory(src) => {
                let layout = &self.memory.layout;
                let (source, target) = (layout.span(src), layout.span(dst));
                assert_eq!(source.len(), target.len(), "a copy between spans of different sizes");
                self.memory.bytes.copy_within(source, target.start);
            }
            Content::Own(bytes) => {
                self.memory.store(dst, &bytes);
                if self.memory.is_wider(dst, &bytes) {
                    // The span does not hold it, and it has still to be noted.
                    value.0.replace(Content::Own(bytes));
                } else {
                    self.spare.push(bytes);
                }
            }
        }
    }

    fn reduce(
        &mut self,
        value: Self::Value,
        src: Span,
        dst: Option<Span>,
        marks: Marks,
    ) -> Self::Value {
        if self.memory.reduction.widens() {
            let x = self.owned(value);
            let sum = self.kernel(src, |memory| memory.reduce(x, src, marks));
            let sum = Content::Own(sum).into();
            if let Some(dst) = dst {
                self.store(dst, &sum);
            }
            return sum;
        }
        let content = match (value.0.into_inner(), dst) {
            (Content::Arrived(message), Some(dst)) => {
                self.reduce_into(dst, message, src, marks);
                Content::InMemory(dst)
            }
            (Content::Arrived(message), None) => Content::Own(self.reduced(message, src, marks)),
            (Content::InMemory(dst), _) => {
                self.kernel(src, |memory| memory.reduce_here(dst, src, marks));
                Content::InMemory(dst)
            }
            (Content::Own(_), _) => unreachable!("what is reduced is received, or loaded as it is"),
        };
        content.into()
    }

    fn note(&mut self, op: usize, what: Moment, value: Option<&Self::Value>) {
        if !self.tracing {
            return;
        }
        let values = value.map_or(Vec::new(), |value| match &*value.0.borrow() {
            Content::Own(bytes) => self.memory.sample(&self.ops[op], what, bytes),
            Content::InMemory(span) => {
                self.memory.sample(&self.ops[op], what, self.memory.span(*span))
            }
            Content::Arrived(_) => Vec::new(),
        });
        let (seq, time) = (self.events.len() as u32, self.clock.now_us());
        self.events.push(Event { rank: self.rank, seq, op, what, time, values });
    }
}
