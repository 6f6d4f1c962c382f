//! The rank machine's world on real bytes, over whatever links a driver brings.
//!
//! A value stays where it is as long as it can: a received message is unloaded straight into the
//! span it is stored to, and a span is sent straight out of memory. Only a reduction needs room of
//! its own.

use super::clock::Clock;
use super::protocol::{Counters, ReduceTiming};
use crate::engine::Rank;
use crate::engine::memory::Memory;
use crate::engine::rank::{Moment, World};
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

    /// Sends a copy of `bytes`; only called after [`Links::can_send`] said yes.
    fn send(&mut self, to: Peer, bytes: &[u8]);
}

/// A message that has arrived and still occupies its slot.
pub trait Message {
    /// Size in bytes.
    fn size(&self) -> usize;

    /// Copies the message to `target`, which has its size, and frees the slot.
    fn unload(self, target: &mut [u8]);
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
    /// The world of group rank `rank`, whose program is `ops`.
    pub fn new(
        rank: Rank,
        ops: Vec<Op>,
        links: L,
        memory: Memory,
        clock: Clock,
        tick: f64,
    ) -> Self {
        RankWorld {
            rank,
            ops,
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
        let mut value = self.memory.load(span, Marks::default(), Vec::new());
        let mut batch = 1u32;
        loop {
            let begun = self.clock.now_us();
            for _ in 0..batch {
                self.memory.reduce(&mut value, span, Marks::default());
            }
            let elapsed = self.clock.now_us() - begun;
            if elapsed >= TICKS * self.resolution_us || batch >> DOUBLINGS_MAX != 0 {
                return elapsed / (f64::from(batch) * value.len() as f64);
            }
            batch *= 2;
        }
    }

    /// The content of `value` in room of its own.
    fn owned(&mut self, value: Value<L::Message>) -> Vec<u8> {
        let content = value.0.into_inner();
        let size = match &content {
            Content::Own(_) => 0,
            Content::Arrived(message) => message.size(),
            Content::InMemory(span) => self.memory.span(*span).len(),
        };
        let mut room = || {
            let mut bytes = self.spare.pop().unwrap_or_default();
            bytes.resize(size, 0);
            bytes
        };
        match content {
            Content::Own(bytes) => bytes,
            Content::Arrived(message) => {
                let mut bytes = room();
                message.unload(&mut bytes);
                bytes
            }
            Content::InMemory(span) => {
                let mut bytes = room();
                bytes.copy_from_slice(self.memory.span(span));
                bytes
            }
        }
    }
}

impl<L: Links> World for RankWorld<L> {
    type Value = Value<L::Message>;

    fn receive(&mut self, from: Peer) -> Option<Self::Value> {
        self.links.receive(from).map(|message| Content::Arrived(message).into())
    }

    fn can_send(&mut self, to: Peer) -> bool {
        self.links.can_send(to)
    }

    fn send(&mut self, to: Peer, value: Self::Value) {
        let sent = if let Content::InMemory(span) = *value.0.borrow() {
            let bytes = self.memory.span(span);
            self.links.send(to, bytes);
            Some(bytes.len())
        } else {
            None
        };
        let sent = sent.unwrap_or_else(|| {
            let bytes = self.owned(value);
            self.links.send(to, &bytes);
            let sent = bytes.len();
            self.spare.push(bytes);
            sent
        });
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
        let target = self.memory.layout.span(dst);
        match value.0.replace(Content::InMemory(dst)) {
            Content::Arrived(message) => message.unload(&mut self.memory.bytes[target]),
            Content::InMemory(src) => {
                let source = self.memory.layout.span(src);
                assert_eq!(source.len(), target.len(), "a copy between spans of different sizes");
                self.memory.bytes.copy_within(source, target.start);
            }
            Content::Own(bytes) => {
                self.memory.store(dst, &bytes);
                self.spare.push(bytes);
            }
        }
    }

    fn reduce(&mut self, value: Self::Value, src: Span, marks: Marks) -> Self::Value {
        let mut bytes = self.owned(value);
        if bytes.len() < TIMED_BYTES_MIN {
            self.memory.reduce(&mut bytes, src, marks);
        } else {
            let begun = self.clock.now_us();
            self.memory.reduce(&mut bytes, src, marks);
            let elapsed = self.clock.now_us() - begun;
            if elapsed >= TICKS * self.resolution_us {
                self.counters.reduce_us += elapsed;
                self.timed_bytes += bytes.len() as u64;
            }
        }
        self.counters.reduced_bytes += bytes.len() as u64;
        if self.largest.is_none_or(|span| self.memory.span(span).len() < bytes.len()) {
            self.largest = Some(src);
        }
        Content::Own(bytes).into()
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
