//! The rank machine: interprets one rank's program.
//!
//! It owns no memory and no links. A [`World`] has both, so the same machine runs in the checker
//! (values are expressions), in the simulator (values are numbers, time is modelled), on native
//! threads and in a Web Worker (values are buffers, time is real).
//!
//! A fused op runs in two halves: first its message is received and worked on, then the result is
//! sent as soon as the connection has a free slot. So a receive never waits for a send's slot, and
//! one slot per connection is enough for every algorithm here; the checker proves it for each
//! schedule.

use super::schedule::{Action, Marks, Op, Peer, Program, Span};
use serde::{Deserialize, Serialize};

/// What a machine needs from its surroundings: messages, memory and a place for its notes.
pub trait World {
    /// What a message carries and a reduction works on.
    type Value;

    /// Announces that the calls to come are for op `op`, which may have been waiting.
    fn enter(&mut self, _op: usize) {}

    /// Takes the next message from `from`, if one has arrived.
    fn receive(&mut self, from: Peer) -> Option<Self::Value>;

    /// Whether the connection to `to` has a free slot.
    fn can_send(&mut self, to: Peer) -> bool;

    /// Sends `value`; only called after [`World::can_send`] said yes.
    fn send(&mut self, to: Peer, value: Self::Value);

    /// Reads `src`, applying what `marks` says.
    fn load(&mut self, src: Span, marks: Marks) -> Self::Value;

    /// Writes `value` to `dst`.
    fn store(&mut self, dst: Span, value: &Self::Value);

    /// `value ⊕ src`, applying what `marks` says; written to `dst`, if the op stores it.
    fn reduce(
        &mut self,
        value: Self::Value,
        src: Span,
        dst: Option<Span>,
        marks: Marks,
    ) -> Self::Value;

    /// Something happened at op `op`. `value` is what was applied or sent.
    fn note(&mut self, op: usize, what: Moment, value: Option<&Self::Value>);

    /// Does what was put off, before the rank waits or ends; says whether there was anything.
    fn catch_up(&mut self) -> bool {
        false
    }
}

/// A moment in the life of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Moment {
    /// Its lane has come to it; from here on it may be waiting.
    Reached,
    /// Its message has been taken from the connection.
    Received,
    /// The local work (reduce, copy, store) is done.
    Applied,
    /// Its message has been put into the connection.
    Sent,
}

/// Why a lane stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Waiting {
    /// No message has come from this peer.
    Message(Peer),
    /// The connection to this peer has no free slot.
    Slot(Peer),
    /// Another lane has not ended this op yet.
    Op(usize),
}

/// A lane that cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// The lane.
    pub lane: usize,
    /// The op it stands at.
    pub op: usize,
    /// What it waits for.
    pub on: Waiting,
}

/// What [`Machine::advance`] achieved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every op has ended.
    Done,
    /// One half of one op was executed; call again.
    Progressed,
    /// No lane can go on before something arrives.
    Blocked(Vec<Blocked>),
}

/// One rank's program and how far it has come.
pub struct Machine<V> {
    ops: Vec<Op>,
    lanes: Vec<Lane<V>>,
    ended: Vec<bool>,
    next_lane: usize,
}

struct Lane<V> {
    /// Indices of its ops.
    ops: Vec<usize>,
    /// Position in `ops`.
    at: usize,
    /// Whether `Reached` has been noted for the current op.
    reached: bool,
    /// The value that the second half of the current op has to send.
    holding: Option<V>,
}

impl<V> Machine<V> {
    /// A machine at the start of `program`.
    pub fn new(program: &Program) -> Self {
        let mut lanes: Vec<Lane<V>> = (0..program.lanes)
            .map(|_| Lane { ops: Vec::new(), at: 0, reached: false, holding: None })
            .collect();
        for (index, op) in program.ops.iter().enumerate() {
            lanes[op.lane].ops.push(index);
        }
        let ended = vec![false; program.ops.len()];
        Machine { ops: program.ops.clone(), lanes, ended, next_lane: 0 }
    }

    /// Goes back to the start of the program.
    pub fn restart(&mut self) {
        for lane in &mut self.lanes {
            (lane.at, lane.reached, lane.holding) = (0, false, None);
        }
        self.ended.fill(false);
        self.next_lane = 0;
    }

    /// Executes one half of one op, in the first lane that can, taking lanes in turn.
    pub fn advance(&mut self, world: &mut impl World<Value = V>) -> Status {
        let mut blocked = Vec::new();
        for step in 0..self.lanes.len() {
            let lane = (self.next_lane + step) % self.lanes.len();
            match self.advance_lane(lane, world) {
                None => {}
                Some(Ok(())) => {
                    self.next_lane = (lane + 1) % self.lanes.len();
                    return Status::Progressed;
                }
                Some(Err(why)) => blocked.push(why),
            }
        }
        match blocked.is_empty() {
            _ if world.catch_up() => Status::Progressed,
            true => Status::Done,
            false => Status::Blocked(blocked),
        }
    }

    /// `None` if the lane has ended, else whether it went on.
    fn advance_lane(
        &mut self,
        lane_index: usize,
        world: &mut impl World<Value = V>,
    ) -> Option<Result<(), Blocked>> {
        let lane = &mut self.lanes[lane_index];
        let &index = lane.ops.get(lane.at)?;
        let op = &self.ops[index];
        world.enter(index);
        let blocked = |on| Some(Err(Blocked { lane: lane_index, op: index, on }));
        if !lane.reached {
            lane.reached = true;
            world.note(index, Moment::Reached, None);
        }
        let held = lane.holding.is_some();
        let sending = match lane.holding.take() {
            Some(value) => Some(value),
            None => {
                if let Some(&dep) = op.deps.iter().find(|&&dep| !self.ended[dep]) {
                    return blocked(Waiting::Op(dep));
                }
                if let Action::Send { to, .. } = op.action
                    && !world.can_send(to)
                {
                    return blocked(Waiting::Slot(to));
                }
                match first_half(index, op, world) {
                    Err(from) => return blocked(Waiting::Message(from)),
                    Ok(value) => value,
                }
            }
        };
        if let (Some(value), Some(to)) = (sending, op.action.to()) {
            if !world.can_send(to) {
                lane.holding = Some(value);
                // Taking a message is progress, for it frees the slot its sender may be waiting
                // for.
                return if held { blocked(Waiting::Slot(to)) } else { Some(Ok(())) };
            }
            world.note(index, Moment::Sent, Some(&value));
            world.send(to, value);
        }
        lane.at += 1;
        lane.reached = false;
        self.ended[index] = true;
        Some(Ok(()))
    }
}

/// Receives and works; returns the value to send on, if the op sends. `Err` names the peer waited
/// for.
fn first_half<W: World>(index: usize, op: &Op, world: &mut W) -> Result<Option<W::Value>, Peer> {
    let received = match op.action.from() {
        None => None,
        Some(from) => {
            let value = world.receive(from).ok_or(from)?;
            world.note(index, Moment::Received, None);
            Some(value)
        }
    };
    let value = match (op.action, received) {
        (Action::Nop, _) => return Ok(None),
        (Action::Send { src, .. }, _) => return Ok(Some(world.load(src, op.marks))),
        (Action::Copy { src, dst }, _) => {
            let value = world.load(src, op.marks);
            world.store(dst, &value);
            value
        }
        (Action::Reduce { src, dst }, _) => {
            let value = world.load(dst, Marks::default());
            world.reduce(value, src, Some(dst), op.marks)
        }
        (Action::Recv { dst, .. } | Action::RecvCopySend { dst, .. }, Some(value)) => {
            world.store(dst, &value);
            value
        }
        (Action::RecvReduceSend { src, .. }, Some(value)) => {
            world.reduce(value, src, None, op.marks)
        }
        (
            Action::RecvReduce { src, dst, .. } | Action::RecvReduceCopySend { src, dst, .. },
            Some(value),
        ) => world.reduce(value, src, Some(dst), op.marks),
        (action, None) => unreachable!("{action} receives, so it has a value by now"),
    };
    world.note(index, Moment::Applied, Some(&value));
    Ok(op.action.to().is_some().then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::algorithm::{Request, find};
    use crate::engine::collective::Verb;

    /// A world of one rank whose values are nothing: a message is there or it is not.
    struct OneRank {
        arrived: usize,
        free_slots: usize,
        notes: Vec<(usize, Moment)>,
    }

    impl World for OneRank {
        type Value = ();

        fn receive(&mut self, _: Peer) -> Option<()> {
            self.arrived = self.arrived.checked_sub(1)?;
            Some(())
        }

        fn can_send(&mut self, _: Peer) -> bool {
            self.free_slots > 0
        }

        fn send(&mut self, _: Peer, (): ()) {
            self.free_slots -= 1;
        }

        fn load(&mut self, _: Span, _: Marks) {}

        fn store(&mut self, _: Span, (): &()) {}

        fn reduce(&mut self, (): (), _: Span, _: Option<Span>, _: Marks) {}

        fn note(&mut self, op: usize, what: Moment, _: Option<&()>) {
            self.notes.push((op, what));
        }
    }

    #[test]
    fn a_full_connection_holds_back_the_second_half_only() {
        let ring = find("ring").expect("it is in the registry");
        let schedule = ring.build(&Request::new(Verb::AllGather, 3)).expect("it is not refused");
        let mut machine = Machine::new(&schedule.programs[0]);
        let mut world = OneRank { arrived: 0, free_slots: 1, notes: Vec::new() };
        let peer = |rank| Peer { rank, channel: 0 };
        let blocked = |op, on| Status::Blocked(vec![Blocked { lane: 0, op, on }]);
        // Op 0 copies the own block, op 1 sends it, op 2 receives, stores and sends on.
        assert_eq!(machine.advance(&mut world), Status::Progressed);
        assert_eq!(machine.advance(&mut world), Status::Progressed);
        assert_eq!(machine.advance(&mut world), blocked(2, Waiting::Message(peer(2))));
        world.arrived = 1;
        // Taking the message is progress, though the op cannot end: its sender has a slot again.
        assert_eq!(machine.advance(&mut world), Status::Progressed);
        assert_eq!(machine.advance(&mut world), blocked(2, Waiting::Slot(peer(1))));
        world.free_slots = 1;
        assert_eq!(machine.advance(&mut world), Status::Progressed);
        world.arrived = 1;
        assert_eq!(machine.advance(&mut world), Status::Progressed);
        assert_eq!(machine.advance(&mut world), Status::Done);
        let of_op_2 = world.notes.iter().filter(|(op, _)| *op == 2).map(|(_, what)| *what);
        let moments = [Moment::Reached, Moment::Received, Moment::Applied, Moment::Sent];
        assert_eq!(of_op_2.collect::<Vec<_>>(), moments);
    }
}
