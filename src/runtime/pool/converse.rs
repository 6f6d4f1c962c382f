//! What the page and its ranks say to each other in the course of a run.

use super::{Pool, Seat};
use crate::runtime::boot::{RankWorker, Said, SharedMemory};
use crate::runtime::clock::time_origin_ms;
use crate::runtime::flight::Order;
use crate::runtime::outcome::RunFault;
use crate::runtime::plan::Plan;
use crate::runtime::protocol::{Call, ToPage, ToRank, VERSION};
use crate::runtime::transport::{Unshared, Via};
use web_sys::MessageChannel;

impl Pool {
    /// Decides how workers exchange messages, unless some are at work: a shared memory is made, or
    /// not.
    pub(super) fn wire_up(&self, wanted: Via) {
        let seats = {
            let state = &mut *self.0.state.borrow_mut();
            if !state.flying().is_empty() {
                return;
            }
            state.wanted = wanted;
            let settled = state.via() == wanted || state.unshared.is_some();
            if !state.seats.is_empty() && settled {
                return;
            }
            let seats = state.take_seats();
            // What has not started may have been a broken connection.
            state.unshared.take_if(|why| matches!(why, Unshared::NotStarted(_)));
            if wanted == Via::Shared && state.unshared.is_none() {
                match SharedMemory::new() {
                    Ok(memory) => state.memory = Some(memory),
                    Err(why) => state.unshared = Some(why),
                }
                state.proven = false;
            }
            seats
        };
        drop(seats);
    }

    /// Starts the workers of these world ranks that are not there, all at once.
    pub(super) fn start_workers(&self, ranks: &[usize]) {
        for &rank in ranks {
            if self.0.state.borrow().seat(rank).is_some() {
                continue;
            }
            let pool = self.weak();
            let hear = move |said| {
                if let Some(shared) = pool.upgrade() {
                    Pool(shared).hear(rank, said);
                }
            };
            let now = self.now_ms();
            let started = RankWorker::start(self.0.state.borrow().memory.as_ref(), hear);
            match started {
                Ok(worker) => {
                    let seat = Seat { rank, worker, ready: false, heard_ms: now, memory_bytes: 0 };
                    let state = &mut *self.0.state.borrow_mut();
                    state.booting_ms = 0.0;
                    state.seats.push(seat);
                }
                Err(message) => return self.not_started(rank, message, Unshared::Refused),
            }
        }
        self.changed();
    }

    /// A rank has not started. In a memory in which none ever has, that is tried once more without.
    /// Where others have, their runs are lost, and the next one begins with a memory of its own.
    fn not_started(&self, rank: usize, message: String, why: fn(String) -> Unshared) {
        let (again, shared) = {
            let state = &mut *self.0.state.borrow_mut();
            let shared = state.memory.is_some();
            let again = (shared && !state.proven).then(|| state.flying());
            let again = again.map(|ranks| {
                state.unshared = Some(why(message.clone()));
                (state.take_seats(), ranks)
            });
            (again, shared)
        };
        match again {
            Some((seats, ranks)) => {
                drop(seats);
                self.start_workers(&ranks);
            }
            None => self.fail(match why(message.clone()) {
                Unshared::Refused(message) if shared => RunFault::Withheld { rank, message },
                _ => RunFault::Boot { rank, message },
            }),
        }
    }

    /// Wires the pairs that are not wired yet, and hands out the tasks.
    pub(super) fn prepare(&self, plan: &Plan, call: Call) {
        let state = &mut *self.0.state.borrow_mut();
        if state.flight(call).is_none_or(|flight| flight.outcome.is_some()) {
            return;
        }
        let (via, wiring) = (state.via(), state.wiring());
        if let Some(flight) = state.flight_mut(call) {
            flight.wiring = wiring;
        }
        let pairs = if via == Via::Ports { plan.pairs() } else { Vec::new() };
        for (a, b) in pairs {
            if !state.wired.contains(&(a, b))
                && let (Some(seat_a), Some(seat_b)) = (state.seat(a), state.seat(b))
                && let Ok(channel) = MessageChannel::new()
            {
                seat_a.worker.post(&ToRank::Wire { peer: b }, Some(&channel.port1()));
                seat_b.worker.post(&ToRank::Wire { peer: a }, Some(&channel.port2()));
                state.wired.push((a, b));
            }
        }
        for task in plan.tasks() {
            if let Some(seat) = state.seat(task.members[task.rank]) {
                let task = Box::new(task.clone());
                seat.worker.post(&ToRank::Prepare { task, epoch_ms: time_origin_ms() }, None);
            }
        }
    }

    /// Takes what a worker says.
    fn hear(&self, rank: usize, said: Said) {
        let now = self.now_ms();
        let mut ready = false;
        if let Some(seat) = self.0.state.borrow_mut().seat_mut(rank) {
            seat.heard_ms = now;
            ready = seat.ready;
        }
        match said {
            Said::Ready(theirs) if theirs == VERSION => {
                {
                    let state = &mut *self.0.state.borrow_mut();
                    state.proven = true;
                    state.booting_ms = 0.0;
                    if let Some(seat) = state.seat_mut(rank) {
                        seat.ready = true;
                        seat.worker.revoke();
                    }
                }
                self.changed();
            }
            Said::Ready(theirs) => {
                self.fail(RunFault::Version { ours: VERSION.to_owned(), theirs })
            }
            Said::Failed(message) => self.not_started(rank, message, Unshared::NotStarted),
            Said::Error(message) if !ready => {
                self.not_started(rank, message, Unshared::NotStarted);
            }
            Said::Error(message) | Said::Message(ToPage::Panicked(message)) => {
                self.fail(RunFault::Panicked { rank, message });
            }
            Said::Message(message) => self.hear_message(rank, message),
            Said::Unknown => {}
        }
    }

    fn hear_message(&self, rank: usize, message: ToPage) {
        let call = match &message {
            ToPage::Prepared(call) => *call,
            ToPage::OutOfMemory { call, .. }
            | ToPage::State { call, .. }
            | ToPage::Pledge { call, .. }
            | ToPage::Report { call, .. } => *call,
            ToPage::Panicked(_) => return,
        };
        let (orders, progress) = {
            let state = &mut *self.0.state.borrow_mut();
            if let (ToPage::Report { report, .. }, Some(seat)) = (&message, state.seat_mut(rank)) {
                seat.memory_bytes = report.memory_bytes;
            }
            let Some(flight) = state.flight_mut(call) else { return };
            let orders = flight.hear(rank, message).unwrap_or_default();
            (orders, flight.progress(self.now_ms()))
        };
        if let Some((on_progress, progress)) = progress {
            on_progress(progress);
            (self.0.on_change)();
        }
        self.execute(call, orders);
    }

    pub(super) fn execute(&self, call: Call, orders: Vec<Order>) {
        for order in orders {
            match order {
                Order::Say(message) => {
                    let state = self.0.state.borrow();
                    let members = state.flight(call).map_or(&[][..], |flight| &flight.members);
                    for seat in members.iter().filter_map(|&rank| state.seat(rank)) {
                        seat.worker.post(&message, None);
                    }
                }
                Order::Land(Err(fault)) => self.fail(fault),
                Order::Land(outcome) => {
                    if let Some(flight) = self.0.state.borrow_mut().flight_mut(call) {
                        flight.outcome = Some(outcome);
                    }
                    self.changed();
                }
            }
        }
    }
}
