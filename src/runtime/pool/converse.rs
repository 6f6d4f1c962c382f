//! What the page and its ranks say to each other in the course of a run.

use super::{Pool, Seat};
use crate::runtime::boot::{RankWorker, Said};
use crate::runtime::clock::time_origin_ms;
use crate::runtime::flight::Order;
use crate::runtime::outcome::RunFault;
use crate::runtime::plan::Plan;
use crate::runtime::protocol::{Call, ToPage, ToRank, VERSION};
use web_sys::MessageChannel;

impl Pool {
    /// Starts the workers that the plan needs and that are not there, all at once.
    pub(super) fn start_workers(&self, plan: &Plan) {
        let mut fault = None;
        for rank in plan.tasks().iter().map(|task| task.members[task.rank]) {
            if self.0.state.borrow().seats.contains_key(&rank) {
                continue;
            }
            let pool = self.weak();
            let hear = move |said| {
                if let Some(shared) = pool.upgrade() {
                    Pool(shared).hear(rank, said);
                }
            };
            let now = self.now_ms();
            match RankWorker::start(hear) {
                Ok(worker) => {
                    let seat = Seat {
                        worker,
                        ready: false,
                        started_ms: now,
                        heard_ms: now,
                        memory_bytes: 0,
                    };
                    self.0.state.borrow_mut().seats.insert(rank, seat);
                }
                Err(message) => fault = Some(RunFault::Boot { rank, message }),
            }
        }
        match fault {
            Some(fault) => self.fail(fault),
            None => self.changed(),
        }
    }

    /// Wires the pairs that are not wired yet, and hands out the tasks.
    pub(super) fn prepare(&self, plan: &Plan, call: Call) {
        let state = &mut *self.0.state.borrow_mut();
        if state.flights.get(&call).is_none_or(|flight| flight.outcome.is_some()) {
            return;
        }
        for (a, b) in plan.pairs() {
            let (Some(seat_a), Some(seat_b)) = (state.seats.get(&a), state.seats.get(&b)) else {
                continue;
            };
            if state.wired.insert((a, b))
                && let Ok(channel) = MessageChannel::new()
            {
                seat_a.worker.post(&ToRank::Wire { peer: b }, Some(&channel.port1()));
                seat_b.worker.post(&ToRank::Wire { peer: a }, Some(&channel.port2()));
            }
        }
        for task in plan.tasks() {
            if let Some(seat) = state.seats.get(&task.members[task.rank]) {
                let task = Box::new(task.clone());
                seat.worker.post(&ToRank::Prepare { task, epoch_ms: time_origin_ms() }, None);
            }
        }
    }

    /// Takes what a worker says.
    fn hear(&self, rank: usize, said: Said) {
        let now = self.now_ms();
        let mut ready = false;
        if let Some(seat) = self.0.state.borrow_mut().seats.get_mut(&rank) {
            seat.heard_ms = now;
            ready = seat.ready;
        }
        match said {
            Said::Ready(theirs) if theirs == VERSION => {
                if let Some(seat) = self.0.state.borrow_mut().seats.get_mut(&rank) {
                    seat.ready = true;
                    seat.worker.revoke();
                }
                self.changed();
            }
            Said::Ready(theirs) => {
                self.fail(RunFault::Version { ours: VERSION.to_owned(), theirs })
            }
            Said::Failed(message) => self.fail(RunFault::Boot { rank, message }),
            Said::Error(message) if !ready => self.fail(RunFault::Boot { rank, message }),
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
            if let (ToPage::Report { report, .. }, Some(seat)) =
                (&message, state.seats.get_mut(&rank))
            {
                seat.memory_bytes = report.memory_bytes;
            }
            let Some(flight) = state.flights.get_mut(&call) else { return };
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
                    let members = state.flights.get(&call).map_or(&[][..], |f| &f.members);
                    for seat in members.iter().filter_map(|rank| state.seats.get(rank)) {
                        seat.worker.post(&message, None);
                    }
                }
                Order::Land(Err(fault)) => self.fail(fault),
                Order::Land(outcome) => {
                    if let Some(flight) = self.0.state.borrow_mut().flights.get_mut(&call) {
                        flight.outcome = Some(outcome);
                    }
                    self.changed();
                }
            }
        }
    }
}
