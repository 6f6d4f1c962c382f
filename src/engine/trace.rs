//! Traces: what happened when. Time is data.
//!
//! A run yields [`Event`]s: per rank in order (`seq`), each stamped with that rank's clock. Clocks
//! are coarse and not the same on all ranks, so a receive may carry an earlier time than its send.
//! [`Trace::new`] therefore takes the order from happens-before and moves times forward until they
//! agree with it; how coarse the clock was stays with the trace.

use super::Rank;
use super::rank::Moment;
use super::schedule::Schedule;
use serde::{Deserialize, Serialize};

use std::collections::VecDeque;

/// One moment of one op.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Whose event.
    pub rank: Rank,
    /// Position among the rank's events.
    pub seq: u32,
    /// The op in the rank's program.
    pub op: usize,
    /// What happened to it.
    pub what: Moment,
    /// When, in microseconds since the run began (for the rounds clock: in rounds).
    pub time: f64,
    /// The first elements of each chunk of what was applied or sent, little-endian, in the run's
    /// wire type.
    pub values: Vec<Vec<u8>>,
}

/// An order of events. Orders are function pointers, so that all of them share one sort.
type Order = fn(&Event, &Event) -> std::cmp::Ordering;

const BY_TIME: Order = |a, b| a.time.total_cmp(&b.time);
const BY_SEQ: Order = |a, b| a.seq.cmp(&b.seq);
const BY_TIME_AND_SEQ: Order = |a, b| BY_TIME(a, b).then(BY_SEQ(a, b));

/// Which clock stamped a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Clock {
    /// Equal steps; the unit is a round.
    Rounds,
    /// The run's own events, in microseconds.
    Measured,
    /// A cost model on a topology, in microseconds.
    Modelled,
}

/// When each moment of each op happened; `None` for moments an op does not have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpTimes {
    /// The lane came to the op.
    pub reached: f64,
    /// The message was taken.
    pub received: Option<f64>,
    /// The local work was done.
    pub applied: Option<f64>,
    /// The message was sent.
    pub sent: Option<f64>,
}

impl OpTimes {
    /// The time of one moment.
    pub fn get(&self, what: Moment) -> Option<f64> {
        match what {
            Moment::Reached => Some(self.reached),
            Moment::Received => self.received,
            Moment::Applied => self.applied,
            Moment::Sent => self.sent,
        }
    }

    /// When the op ended.
    pub fn ended(&self) -> f64 {
        self.sent.or(self.applied).or(self.received).unwrap_or(self.reached)
    }
}

/// Times of all ops, by rank and op.
pub type Timing = Vec<Vec<OpTimes>>;

/// A finished run on one clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Which clock the times are of.
    pub clock: Clock,
    /// The clock's tick, in its own unit; 0 for a clock that has none.
    pub resolution: f64,
    /// All events, in an order that respects happens-before and time.
    pub events: Vec<Event>,
    /// How many receives were stamped earlier than their sends, before adjusting.
    pub reordered: usize,
}

impl Trace {
    /// Orders `events` of one run of `schedule` by happens-before and moves times forward to fit.
    ///
    /// Receives whose sends the trace does not hold (a run that was cut off) keep their time.
    pub fn new(schedule: &Schedule, clock: Clock, resolution: f64, events: Vec<Event>) -> Self {
        let mut order = Ordering::new(schedule, events);
        while order.pass() {}
        let Ordering { mut ordered, reordered, .. } = order;
        // A stable sort keeps the order of events with equal times, which respects happens-before.
        ordered.sort_by(BY_TIME);
        Trace { clock, resolution, events: ordered, reordered }
    }

    /// The same events on another clock.
    pub fn retimed(&self, schedule: &Schedule, clock: Clock, timing: &Timing) -> Trace {
        let mut moved: Vec<Event> = self
            .events
            .iter()
            .filter_map(|event| {
                let time = timing.get(event.rank)?.get(event.op)?.get(event.what)?;
                Some(Event { time, ..event.clone() })
            })
            .collect();
        // On another clock the lanes of a rank may interleave in another way.
        moved.sort_by(BY_TIME_AND_SEQ);
        let mut next_seq = vec![0; schedule.programs.len()];
        for event in &mut moved {
            if let Some(next) = next_seq.get_mut(event.rank) {
                event.seq = *next;
                *next += 1;
            }
        }
        Trace::new(schedule, clock, 0.0, moved)
    }

    /// The times of all ops.
    pub fn timing(&self, schedule: &Schedule) -> Timing {
        let mut timing: Timing =
            schedule.programs.iter().map(|p| vec![OpTimes::default(); p.ops.len()]).collect();
        for event in &self.events {
            let Some(times) = timing.get_mut(event.rank).and_then(|r| r.get_mut(event.op)) else {
                continue;
            };
            match event.what {
                Moment::Reached => times.reached = event.time,
                Moment::Received => times.received = Some(event.time),
                Moment::Applied => times.applied = Some(event.time),
                Moment::Sent => times.sent = Some(event.time),
            }
        }
        timing
    }

    /// When the last event happened.
    pub fn end(&self) -> f64 {
        self.events.last().map_or(0.0, |e| e.time)
    }
}

/// Events on their way into one order that respects happens-before.
struct Ordering {
    /// Who sent what an op receives, by rank and op.
    senders: Vec<Vec<Option<(Rank, usize)>>>,
    /// What the trace says of each op's departure, by rank and op.
    departures: Vec<Vec<Departure>>,
    /// Events of each rank that are still to be placed, in the order of their `seq`.
    pending: Vec<VecDeque<Event>>,
    /// The adjusted time of each rank's last placed event.
    clocks: Vec<f64>,
    ordered: Vec<Event>,
    reordered: usize,
}

/// What is known about when an op's message left.
#[derive(Clone, Copy)]
enum Departure {
    /// The trace does not say.
    Unknown,
    /// Its event has not been placed yet.
    Pending,
    /// As the sender's clock stamped it, and as adjusted.
    Placed { stamped: f64, adjusted: f64 },
}

impl Ordering {
    fn new(schedule: &Schedule, events: Vec<Event>) -> Self {
        let ranks = schedule.programs.len();
        let senders = schedule.senders();
        let mut departures: Vec<_> =
            schedule.programs.iter().map(|p| vec![Departure::Unknown; p.ops.len()]).collect();
        let mut pending = vec![VecDeque::new(); ranks];
        // An event that names no op of the schedule says nothing.
        for event in events {
            let slot = departures.get_mut(event.rank).and_then(|own| own.get_mut(event.op));
            let Some(departure) = slot else { continue };
            if event.what == Moment::Sent {
                *departure = Departure::Pending;
            }
            pending[event.rank].push_back(event);
        }
        pending.iter_mut().for_each(|own| own.make_contiguous().sort_by(BY_SEQ));
        let (clocks, ordered) = (vec![0.0; ranks], Vec::new());
        Ordering { senders, departures, pending, clocks, ordered, reordered: 0 }
    }

    /// Places what can be placed; `false` when nothing is left.
    fn pass(&mut self) -> bool {
        let before = self.ordered.len();
        for rank in 0..self.pending.len() {
            while let Some(event) = self.pending[rank].front() {
                let departure = self.departure(event);
                if matches!(departure, Some(Departure::Pending)) {
                    break;
                }
                self.place(rank, departure);
            }
        }
        if self.ordered.len() == before {
            // Only events in an impossible order wait for each other: let the first one go.
            let stuck = self.pending.iter().position(|own| !own.is_empty());
            let Some(rank) = stuck else { return false };
            self.place(rank, None);
        }
        true
    }

    /// What is known about the message that `event` receives, if it receives one.
    fn departure(&self, event: &Event) -> Option<Departure> {
        if event.what != Moment::Received {
            return None;
        }
        let (from, op) = self.senders[event.rank][event.op]?;
        Some(self.departures[from][op])
    }

    /// Places the next event of `rank`, not before its message has left.
    fn place(&mut self, rank: Rank, departure: Option<Departure>) {
        let Some(mut event) = self.pending[rank].pop_front() else { return };
        let stamped = event.time;
        event.time = event.time.max(self.clocks[rank]);
        if let Some(Departure::Placed { stamped: sent, adjusted }) = departure {
            self.reordered += usize::from(stamped < sent);
            event.time = event.time.max(adjusted);
        }
        self.clocks[rank] = event.time;
        if event.what == Moment::Sent {
            let adjusted = event.time;
            self.departures[rank][event.op] = Departure::Placed { stamped, adjusted };
        }
        self.ordered.push(event);
    }
}
