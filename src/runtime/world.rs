//! The rank machine's world on real bytes, over whatever links a driver brings.
//!
//! A value stays where it is as long as it can: a received message is read where it lies, a result
//! is made in the span it is stored to, and a span is sent straight out of memory, or only lent.
//! Room of its own is needed for a result that is stored nowhere, and for a message that cannot be
//! read where it lies.
//!
//! What is added to one span again and again is added up in one pass: a reduction of a message that
//! can be read where it lies is put off, and others to the same span join it, until the rank does
//! anything else, or would wait. So nobody ever waits for a message that is held.

use super::clock::Clock;
use super::protocol::{Counters, Task};
use super::stopwatch::Stopwatch;
use crate::engine::Rank;
use crate::engine::memory::Memory;
use crate::engine::rank::{Blocked, Moment, Waiting, World};
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

    /// A peer that has not yet consumed all it was lent.
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
    /// The rank's bytes.
    pub memory: Memory,
    /// What has been done since the last reset.
    pub counters: Counters,
    stopwatch: Stopwatch,
    /// The largest span reduced so far.
    largest: Option<Span>,
    /// Events so far.
    events: Vec<Event>,
    tracing: bool,
    /// Room that is free for the next reduction.
    spare: Vec<Vec<u8>>,
    put_off: Option<PutOff<L::Message>>,
}

/// `dst = x ⊕ src` for the first message, then `dst = x ⊕ dst` for the others.
struct PutOff<M> {
    dst: Span,
    src: Span,
    messages: Vec<(M, Marks)>,
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
            memory,
            counters: Counters::default(),
            stopwatch: Stopwatch::new(clock, tick),
            largest: None,
            events: Vec::new(),
            tracing: false,
            spare: Vec::new(),
            put_off: None,
        }
    }

    /// Keeps events from here on, or no longer.
    pub fn trace(&mut self, tracing: bool) {
        self.tracing = tracing;
    }

    /// Whether events are kept.
    pub fn is_tracing(&self) -> bool {
        self.tracing
    }

    /// The events kept so far.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Counts from zero again.
    pub fn reset_counters(&mut self) {
        self.counters = Counters::default();
        self.stopwatch.reset();
    }

    /// Finds out, once, how fast the kernel is on the largest span, unless every reduction so far
    /// was long enough to be timed as it ran. It may take ten ticks of the clock.
    pub fn time_kernel(&mut self) {
        if let Some(span) = self.largest {
            let (reduction, operand) = (self.memory.reduction, self.memory.span(span));
            self.stopwatch.calibrate(&self.counters, reduction, operand);
        }
    }

    /// Fills in the kernel's time in `counters`, which this world has counted, as far as it is
    /// known.
    pub fn tell_kernel_time(&self, counters: &mut Counters) {
        self.stopwatch.tell(&self.counters, counters);
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

    /// `dst = message ⊕ src`, at once or later.
    fn reduce_into(&mut self, dst: Span, message: L::Message, src: Span, marks: Marks) {
        if message.bytes().is_some() {
            match &mut self.put_off {
                Some(put_off) if put_off.dst == dst && dst == src => {
                    put_off.messages.push((message, marks));
                }
                _ => {
                    self.catch_up();
                    self.put_off = Some(PutOff { dst, src, messages: vec![(message, marks)] });
                }
            }
            // A trace shows what each of them makes of the span.
            if self.tracing {
                self.catch_up();
            }
            return;
        }
        self.catch_up();
        if self.memory.apart(dst, src) {
            message.copy_to(self.memory.span_mut(dst));
            drop(message);
            self.kernel(src, 1, |memory| memory.reduce_here(dst, src, marks));
        } else {
            let x = self.owned(Content::Arrived(message).into());
            self.kernel(src, 1, |memory| memory.reduce_into(dst, &[(&x, marks)], src));
            self.spare.push(x);
        }
    }

    /// `message ⊕ src` in room of its own.
    fn reduced(&mut self, message: L::Message, src: Span, marks: Marks) -> Vec<u8> {
        self.catch_up();
        let Some(x) = message.bytes() else {
            let x = self.owned(Content::Arrived(message).into());
            return self.kernel(src, 1, |memory| memory.reduce(x, src, marks));
        };
        let mut room = self.room(x.len());
        self.kernel(src, 1, |memory| memory.reduce_to(&mut room, x, src, marks));
        room
    }

    /// Lets the kernel add so many operands to `src`, and counts that.
    fn kernel<R>(&mut self, src: Span, operands: usize, work: impl FnOnce(&mut Memory) -> R) -> R {
        let bytes = self.memory.span(src).len();
        if self.largest.is_none_or(|span| self.memory.span(span).len() < bytes) {
            self.largest = Some(src);
        }
        let memory = &mut self.memory;
        self.stopwatch.time(&mut self.counters, bytes * operands, || work(memory))
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
        self.catch_up();
        let sent = match value.0.into_inner() {
            Content::InMemory(span) => {
                let range = self.memory.place(span);
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
        self.catch_up();
        if marks == Marks::default() {
            return Content::InMemory(src).into();
        }
        let room = self.spare.pop().unwrap_or_default();
        Content::Own(self.memory.load(src, marks, room)).into()
    }

    fn store(&mut self, dst: Span, value: &Self::Value) {
        self.catch_up();
        match value.0.replace(Content::InMemory(dst)) {
            Content::Arrived(message) => message.copy_to(self.memory.span_mut(dst)),
            Content::InMemory(src) => {
                let (source, target) = (self.memory.place(src), self.memory.place(dst));
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
            let sum = self.kernel(src, 1, |memory| memory.reduce(x, src, marks));
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
                self.kernel(src, 1, |memory| memory.reduce_here(dst, src, marks));
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

    fn catch_up(&mut self) -> bool {
        let Some(PutOff { dst, src, messages }) = self.put_off.take() else { return false };
        let readable = messages.iter().filter_map(|(x, marks)| Some((x.bytes()?, *marks)));
        let operands: Vec<_> = readable.collect();
        self.kernel(src, operands.len(), |memory| memory.reduce_into(dst, &operands, src));
        true
    }
}
