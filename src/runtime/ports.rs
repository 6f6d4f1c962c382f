//! Links between workers: one `MessagePort` per pair of ranks, transferred buffers, credits.
//!
//! A message is a JS array `[kind, group, call, channel, seq, len, buffer]`; the buffer is
//! transferred, never cloned. The receiver empties it into its memory and answers with a credit,
//! which frees the slot: so a connection never has more than its slots' messages in flight. A
//! receiver that has no buffer for what it is going to send itself keeps this one, and the credit
//! has `null` in its place; any other goes back with the credit. So in a steady state nothing is
//! allocated, and where neighbours send each other as much as they get, each buffer travels only
//! full: in browsers that copy what they transfer, that is half the work.
//!
//! Messages of a call that this rank has not been told of yet are kept. Anything that has no known
//! shape, or is out of order, is ignored and counted.

use super::protocol::{Call, Task};
use super::worker::Transport;
use super::world::{Links, Message};
use crate::engine::Rank;
use crate::engine::region::Loan;
use crate::engine::schedule::Peer;
use js_sys::{Array, ArrayBuffer, Uint8Array};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, MessagePort};

/// A message with the bytes of a collective.
const BYTES: u32 = 1;
/// A message has been taken. With its buffer, unless that was kept.
const CREDIT: u32 = 2;
/// Fields of a message.
const FIELDS: u32 = 7;

/// Messages that are kept at most; honest neighbours have far fewer slots.
const KEPT_MAX: usize = 65_536;
/// Spare buffers larger than this are given back to the browser when a call ends.
const SPARE_BYTES_MAX: u32 = 64 * 1024;
/// Spare buffers that are kept at most.
const SPARES_MAX: usize = 64;

/// One end of a connection, as seen from this rank.
#[derive(Clone, Copy, PartialEq, Eq)]
struct End {
    call: Call,
    /// World rank of the other end.
    peer: usize,
    channel: u32,
}

/// Something for every end: a rank has so few that they are found by looking.
type Ends<T> = Vec<(End, T)>;

fn find<T>(ends: &mut Ends<T>, end: End) -> Option<&mut T> {
    ends.iter_mut().find(|(at, _)| *at == end).map(|(_, found)| found)
}

fn find_or_add<T: Default>(ends: &mut Ends<T>, end: End) -> &mut T {
    let known = ends.iter().position(|(at, _)| *at == end);
    let index = known.unwrap_or(ends.len());
    if known.is_none() {
        ends.push((end, T::default()));
    }
    &mut ends[index].1
}

/// What has arrived on a connection and is not taken yet.
#[derive(Default)]
struct Incoming {
    next_seq: u32,
    queue: VecDeque<(u32, u32, ArrayBuffer)>,
}

/// What has been sent on a connection.
#[derive(Default)]
struct Outgoing {
    next_seq: u32,
    next_credit: u32,
    /// The call has ended; only credits are still to come.
    closed: bool,
}

/// A port and the closure that listens to it.
struct Wire {
    port: MessagePort,
    _listener: Closure<dyn FnMut(MessageEvent)>,
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.port.set_onmessage(None);
        self.port.close();
    }
}

#[derive(Default)]
struct Switch {
    /// By world rank.
    wires: Vec<(usize, Wire)>,
    incoming: Ends<Incoming>,
    outgoing: Ends<Outgoing>,
    spares: Vec<ArrayBuffer>,
    /// Messages waiting in all queues.
    kept: usize,
    ignored: u64,
}

/// All ports of one rank.
#[derive(Clone, Default)]
pub(super) struct Ports(Rc<RefCell<Switch>>);

impl Transport for Ports {
    type Links = PortLinks;

    fn wire(&self, peer: usize, port: MessagePort, wake: Rc<dyn Fn()>) {
        let switch = Rc::downgrade(&self.0);
        let listener = Closure::new(move |event: MessageEvent| {
            let Some(switch) = switch.upgrade() else { return };
            switch.borrow_mut().arrived(peer, &event.data());
            wake();
        });
        port.set_onmessage(Some(AsRef::<JsValue>::as_ref(&listener).unchecked_ref()));
        let wires = &mut self.0.borrow_mut().wires;
        wires.retain(|(other, _)| *other != peer);
        wires.push((peer, Wire { port, _listener: listener }));
    }

    fn links(&self, task: &Task) -> PortLinks {
        PortLinks {
            ports: self.clone(),
            call: task.call,
            members: task.members.clone(),
            slots: task.slots.try_into().unwrap_or(u32::MAX),
        }
    }

    /// Also gives the call's large buffers back.
    fn end(&self, call: Call) {
        let switch = &mut *self.0.borrow_mut();
        let left = switch.incoming.iter().filter(|(end, _)| end.call == call);
        switch.kept -= left.map(|(_, incoming)| incoming.queue.len()).sum::<usize>();
        switch.incoming.retain(|(end, _)| end.call != call);
        for (_, outgoing) in switch.outgoing.iter_mut().filter(|(end, _)| end.call == call) {
            outgoing.closed = true;
        }
        switch.outgoing.retain(|(_, out)| !(out.closed && out.next_credit == out.next_seq));
        switch.spares.retain(|buffer| buffer.byte_length() <= SPARE_BYTES_MAX);
    }

    fn ignored(&self) -> u64 {
        self.0.borrow().ignored
    }

    fn rings(&self) -> u32 {
        0
    }

    fn wait(&self, _: u32, _: f64) -> bool {
        false
    }
}

impl Switch {
    fn arrived(&mut self, peer: usize, data: &JsValue) {
        if Envelope::open(data).and_then(|envelope| self.accept(peer, envelope)).is_none() {
            self.ignored += 1;
        }
    }

    /// `None` if the message does not fit.
    fn accept(&mut self, peer: usize, message: Envelope) -> Option<()> {
        let end = End { call: message.call, peer, channel: message.channel };
        if message.kind == CREDIT {
            let outgoing = find(&mut self.outgoing, end)?;
            if message.seq != outgoing.next_credit || message.seq == outgoing.next_seq {
                return None;
            }
            outgoing.next_credit = outgoing.next_credit.wrapping_add(1);
            let closed = outgoing.closed;
            if closed && outgoing.next_credit == outgoing.next_seq {
                self.outgoing.retain(|(other, _)| *other != end);
            }
            if let Some(buffer) = message.buffer
                && (!closed || buffer.byte_length() <= SPARE_BYTES_MAX)
                && self.spares.len() < SPARES_MAX
            {
                self.spares.push(buffer);
            }
            return Some(());
        }
        if self.kept >= KEPT_MAX || message.kind != BYTES {
            return None;
        }
        let buffer = message.buffer?;
        let incoming = find_or_add(&mut self.incoming, end);
        if message.seq != incoming.next_seq {
            return None;
        }
        incoming.next_seq = incoming.next_seq.wrapping_add(1);
        incoming.queue.push_back((message.seq, message.len, buffer));
        self.kept += 1;
        Some(())
    }

    /// What goes back of an emptied buffer: nothing, if it is the only one to send as much in.
    fn returned(&mut self, buffer: ArrayBuffer) -> Option<ArrayBuffer> {
        let size = buffer.byte_length();
        if self.spares.iter().any(|spare| spare.byte_length() >= size) {
            return Some(buffer);
        }
        self.spares.push(buffer);
        None
    }

    /// The smallest spare buffer with room for `len` bytes, or a new one.
    fn buffer(&mut self, len: u32) -> ArrayBuffer {
        let fitting = self.spares.iter().enumerate();
        let fitting = fitting.map(|(index, buffer)| (buffer.byte_length(), index));
        match fitting.filter(|(size, _)| *size >= len).min() {
            Some((_, index)) => self.spares.swap_remove(index),
            None => ArrayBuffer::new(len),
        }
    }
}

/// A message on a port.
struct Envelope {
    kind: u32,
    call: Call,
    channel: u32,
    seq: u32,
    len: u32,
    buffer: Option<ArrayBuffer>,
}

impl Envelope {
    /// `None` if `data` is anything else than a message of this protocol.
    fn open(data: &JsValue) -> Option<Self> {
        let fields: &Array = data.dyn_ref()?;
        if fields.length() != FIELDS {
            return None;
        }
        let number = |index| {
            let number = fields.get(index).as_f64()?;
            (number >= 0.0 && number <= f64::from(u32::MAX) && number.fract() == 0.0)
                .then_some(number as u32)
        };
        let buffer = match fields.get(6) {
            none if none.is_null() => None,
            some => Some(some.dyn_into::<ArrayBuffer>().ok()?),
        };
        let call = Call { group: number(1)?, call: number(2)? };
        let (kind, channel, seq, len) = (number(0)?, number(3)?, number(4)?, number(5)?);
        let room = buffer.as_ref().map_or(0, ArrayBuffer::byte_length);
        (len <= room).then_some(Envelope { kind, call, channel, seq, len, buffer })
    }

    /// Posts the message and its buffer.
    fn post(&self, port: &MessagePort) {
        let numbers =
            [self.kind, self.call.group, self.call.call, self.channel, self.seq, self.len];
        let fields = Array::new_with_length(FIELDS);
        for (index, number) in numbers.into_iter().enumerate() {
            fields.set(index as u32, number.into());
        }
        fields.set(6, self.buffer.as_ref().map_or(JsValue::NULL, JsValue::from));
        let transfer: Array = self.buffer.iter().collect();
        let posted = port.post_message_with_transferable(&fields, &transfer);
        assert!(posted.is_ok(), "a port took no message: {posted:?}");
    }
}

/// One rank's ends of all connections of one call.
pub(super) struct PortLinks {
    ports: Ports,
    call: Call,
    members: Vec<usize>,
    slots: u32,
}

impl PortLinks {
    fn end(&self, peer: Rank, channel: usize) -> End {
        End { call: self.call, peer: self.members[peer], channel: channel as u32 }
    }
}

/// The port to `peer`.
///
/// # Panics
/// If there is none: the page wires every pair that a schedule needs.
fn port(switch: &Switch, peer: usize) -> &MessagePort {
    let wire = switch.wires.iter().find(|(other, _)| *other == peer);
    let Some((_, wire)) = wire else { panic!("no port to rank {peer}") };
    &wire.port
}

impl Links for PortLinks {
    type Message = PortMessage;

    fn receive(&mut self, from: Peer) -> Option<PortMessage> {
        let end = self.end(from.rank, from.channel);
        let switch = &mut *self.ports.0.borrow_mut();
        let (seq, len, buffer) = find(&mut switch.incoming, end)?.queue.pop_front()?;
        switch.kept -= 1;
        Some(PortMessage { ports: self.ports.clone(), end, seq, len, buffer })
    }

    fn can_send(&mut self, to: Peer) -> bool {
        let end = self.end(to.rank, to.channel);
        let switch = &mut *self.ports.0.borrow_mut();
        let out = find(&mut switch.outgoing, end);
        out.is_none_or(|out| out.next_seq.wrapping_sub(out.next_credit) < self.slots)
    }

    fn send(&mut self, to: Peer, bytes: &[u8]) {
        let end = self.end(to.rank, to.channel);
        let switch = &mut *self.ports.0.borrow_mut();
        let len = bytes.len() as u32;
        let buffer = switch.buffer(len);
        Uint8Array::new_with_byte_offset_and_length(&buffer, 0, len).copy_from(bytes);
        let (buffer, outgoing) = (Some(buffer), find_or_add(&mut switch.outgoing, end));
        let seq = outgoing.next_seq;
        outgoing.next_seq = seq.wrapping_add(1);
        let message =
            Envelope { kind: BYTES, call: end.call, channel: end.channel, seq, len, buffer };
        message.post(port(switch, end.peer));
    }

    fn give(&mut self, to: Peer, bytes: Vec<u8>) -> Vec<u8> {
        self.send(to, &bytes);
        bytes
    }

    fn lend(&mut self, to: Peer, loan: Loan) {
        self.send(to, loan.bytes());
    }

    fn reader(&mut self) -> Option<Peer> {
        None
    }
}

/// A buffer that has arrived and still occupies its slot.
pub(super) struct PortMessage {
    ports: Ports,
    end: End,
    seq: u32,
    len: u32,
    buffer: ArrayBuffer,
}

impl Message for PortMessage {
    fn size(&self) -> usize {
        self.len as usize
    }

    fn bytes(&self) -> Option<&[u8]> {
        None
    }

    fn copy_to(&self, target: &mut [u8]) {
        assert_eq!(target.len(), self.len as usize, "a message of an unexpected size");
        Uint8Array::new_with_byte_offset_and_length(&self.buffer, 0, self.len).copy_to(target);
    }
}

impl Drop for PortMessage {
    fn drop(&mut self) {
        let End { call, peer, channel } = self.end;
        let switch = &mut *self.ports.0.borrow_mut();
        let buffer = switch.returned(self.buffer.clone());
        let credit = Envelope { kind: CREDIT, call, channel, seq: self.seq, len: 0, buffer };
        credit.post(port(switch, peer));
    }
}
