//! What ends workers: faults, waiting too long, having nothing to do.

use super::{Pool, Seat};
use crate::runtime::outcome::RunFault;
use gloo::timers::callback::{Interval, Timeout};
use web_sys::VisibilityState;

/// When no worker has become ready for so long in visible time, those that are not never will be.
/// Over a slow network they load one after the other.
const BOOT_MS: f64 = 20_000.0;

/// How often the watchdog looks.
const WATCH_MS: u32 = 500;

/// Idle workers are released after this.
const IDLE_MS: u32 = 60_000;

/// Idle workers with a large memory are released after this: it can only be freed with the worker.
const LARGE_IDLE_MS: u32 = 5_000;

/// A worker's memory beyond this is large.
const LARGE_BYTES: u64 = 64 << 20;

impl Pool {
    /// Watches over the runs in flight as long as it is kept.
    pub(super) fn watchdog(&self) -> Interval {
        let pool = self.weak();
        Interval::new(WATCH_MS, move || {
            if let Some(shared) = pool.upgrade() {
                Pool(shared).watch();
            }
        })
    }

    /// Ends all workers; every run in flight lands with `fault`.
    pub(super) fn fail(&self, fault: RunFault) {
        let seats = {
            let state = &mut *self.0.state.borrow_mut();
            for flight in &mut state.flights {
                flight.outcome.get_or_insert_with(|| Err(fault.clone()));
            }
            state.take_seats()
        };
        drop(seats);
        self.changed();
    }

    /// Looks whether anything takes too long.
    fn watch(&self) {
        let now = self.now_ms();
        let document = web_sys::window().and_then(|window| window.document());
        let visible = document.is_none_or(|d| d.visibility_state() == VisibilityState::Visible);
        let fault = {
            let state = &mut *self.0.state.borrow_mut();
            // A page that slept has not watched: such a gap counts as one look.
            let elapsed = (now - state.watched_ms).min(2.0 * f64::from(WATCH_MS));
            state.watched_ms = now;
            let elapsed = if visible { elapsed } else { 0.0 };
            state.booting_ms += elapsed;
            let late = |seat: &&Seat| !seat.ready && state.booting_ms > BOOT_MS;
            let fault = state.seats.iter().find(late).map(|seat| {
                let message = format!("no answer in {BOOT_MS} ms");
                RunFault::Boot { rank: seat.rank, message }
            });
            let ready = state.seats.iter().all(|seat| seat.ready);
            let mut flights = state.flights.iter_mut().filter(|f| f.outcome.is_none() && ready);
            fault.or_else(|| flights.find_map(|flight| flight.watch(elapsed)))
        };
        match fault {
            Some(fault) => self.fail(fault),
            None => (self.0.on_change)(),
        }
    }

    /// After the last run: no watchdog, and idle workers are released in time.
    pub(super) fn rest(&self) {
        let state = &mut *self.0.state.borrow_mut();
        if !state.flights.is_empty() {
            return;
        }
        state.watchdog = None;
        let retire = |after_ms, larger_than| {
            let pool = self.weak();
            Timeout::new(after_ms, move || {
                if let Some(shared) = pool.upgrade() {
                    Pool(shared).retire(larger_than);
                }
            })
        };
        state.idle = Some((retire(LARGE_IDLE_MS, LARGE_BYTES), retire(IDLE_MS, 0)));
    }

    /// Ends idle workers whose memory is larger than this; 0 ends all.
    pub(super) fn retire(&self, larger_than: u64) {
        let retired = {
            let state = &mut *self.0.state.borrow_mut();
            if !state.flights.is_empty() {
                return;
            }
            // What all share is freed with the last of them.
            let shared = state.memory.as_ref().map(|memory| memory.bytes());
            let large =
                |seat: &Seat| larger_than == 0 || shared.unwrap_or(seat.memory_bytes) > larger_than;
            let (retired, kept): (Vec<_>, _) =
                std::mem::take(&mut state.seats).into_iter().partition(large);
            let gone = |rank: usize| retired.iter().any(|seat: &Seat| seat.rank == rank);
            state.wired.retain(|&(a, b)| !gone(a) && !gone(b));
            state.seats = kept;
            if state.seats.is_empty() {
                state.memory = None;
            }
            retired
        };
        if !retired.is_empty() {
            drop(retired);
            self.changed();
        }
    }
}
