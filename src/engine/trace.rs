//! Traces: what happened when. Time is data.
//!
//! A run yields [`Event`]s: per rank in order (`seq`), each stamped with that rank's clock. Clocks are
//! coarse and not the same on all ranks, so a receive may carry an earlier time than its send.
//! [`Trace::new`] therefore takes the order from happens-before and moves times forward until they
//! agree with it; how coarse the clock was stays with the trace.

use super::Rank;
use super::rank::Moment;
use super::schedule::Schedule;
use serde::{Deserialize, Serialize};

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
    /// The first elements of each chunk of what was applied or sent.
    pub values: Vec<Vec<f64>>,
}

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
#[derive(Clone, Debug, PartialEq)]
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
    /// Events that wait for something the trace does not hold (a run that was cut off) keep their time.
    pub fn new(schedule: &Schedule, clock: Clock, resolution: f64, events: Vec<Event>) -> Self {
        let ranks = schedule.collective.ranks;
        let mut by_rank: Vec<Vec<Event>> = vec![Vec::new(); ranks];
        for event in events {
            if let Some(own) = by_rank.get_mut(event.rank) {
                own.push(event);
            }
        }
        by_rank.iter_mut().for_each(|own| own.sort_by_key(|e| e.seq));
        let senders = Senders::new(schedule);
        let mut sent: Vec<Vec<Option<f64>>> =
            schedule.programs.iter().map(|p| vec![None; p.ops.len()]).collect();
        let mut pending: Vec<_> = by_rank.into_iter().map(|own| own.into_iter().peekable()).collect();
        let (mut ordered, mut reordered) = (Vec::new(), 0);
        let mut clocks = vec![0.0f64; ranks];
        let mut forced = false;
        loop {
            let mut moved = false;
            for rank in 0..ranks {
                while let Some(event) = pending[rank].peek() {
                    let sender = match event.what {
                        Moment::Received => senders.of(rank, event.op),
                        _ => None,
                    };
                    let departure = sender.map(|(from, op)| sent[from][op]);
                    if departure == Some(None) && !forced {
                        break;
                    }
                    let Some(mut event) = pending[rank].next() else { break };
                    if let Some(Some(departure)) = departure
                        && event.time < departure
                    {
                        reordered += 1;
                        event.time = departure;
                    }
                    event.time = event.time.max(clocks[rank]);
                    clocks[rank] = event.time;
                    if event.what == Moment::Sent
                        && let Some(slot) = sent[rank].get_mut(event.op)
                    {
                        *slot = Some(event.time);
                    }
                    ordered.push(event);
                    (moved, forced) = (true, false);
                }
            }
            if !moved && pending.iter_mut().all(|p| p.peek().is_none()) {
                break;
            }
            forced = !moved;
        }
        // A stable sort keeps the order of events with equal times, which respects happens-before.
        ordered.sort_by(|a, b| a.time.total_cmp(&b.time));
        Trace { clock, resolution, events: ordered, reordered }
    }

    /// The same events on another clock.
    pub fn retimed(&self, schedule: &Schedule, clock: Clock, timing: &Timing) -> Trace {
        let moved = self.events.iter().filter_map(|event| {
            let time = timing.get(event.rank)?.get(event.op)?.get(event.what)?;
            Some(Event { time, ..event.clone() })
        });
        Trace::new(schedule, clock, 0.0, moved.collect())
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

/// Who sent what an op receives.
struct Senders(Vec<Vec<Option<(Rank, usize)>>>);

impl Senders {
    fn new(schedule: &Schedule) -> Self {
        let mut senders: Vec<Vec<Option<(Rank, usize)>>> =
            schedule.programs.iter().map(|p| vec![None; p.ops.len()]).collect();
        for message in schedule.messages() {
            senders[message.to][message.recv_op] = Some((message.from, message.send_op));
        }
        Senders(senders)
    }

    fn of(&self, rank: Rank, op: usize) -> Option<(Rank, usize)> {
        *self.0.get(rank)?.get(op)?
    }
}
