//! The page's ranks: started on first use, wired when a schedule needs it, reused, released when
//! idle.
//!
//! Whatever goes wrong, the answer is the same: all workers are ended, every run in flight lands
//! with the fault, and the next run starts fresh workers. Nothing of the page can be harmed by a
//! rank.

mod converse;
mod supervise;

use super::boot::{RankWorker, SharedMemory};
use super::clock::{Clock, time_origin_ms};
use super::flight::{Flight, Listener};
use super::outcome::{Progress, RunFault, RunResult};
use super::plan::{MEMORY_BUDGET_BYTES, Plan};
use super::protocol::{Call, RankState};
use super::transport::{Unshared, Via, Wiring};
use gloo::timers::callback::{Interval, Timeout};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::task::{Poll, Waker};

/// What the pool is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// There are no workers.
    Empty,
    /// Some workers are not ready yet.
    Starting,
    /// All workers wait for a run.
    Idle,
    /// A run is in flight.
    Running,
}

/// One worker, as the page knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct RankStatus {
    /// Its world rank.
    pub rank: usize,
    /// Whether it has started.
    pub ready: bool,
    /// How old this news is, in milliseconds.
    pub age_ms: f64,
    /// Where it stands in a run, if it is in one and has said so.
    pub state: Option<RankState>,
    /// For how long it had been standing there by now, if nothing has happened since the news.
    pub standing_ms: f64,
}

/// The pool, as the page may show it.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolStatus {
    /// What it is doing.
    pub phase: Phase,
    /// How its workers exchange messages.
    pub wiring: Wiring,
    /// Every live worker.
    pub ranks: Vec<RankStatus>,
}

/// All workers of the page. Clones share them.
#[derive(Clone)]
pub struct Pool(Rc<Shared>);

struct Shared {
    state: RefCell<State>,
    on_change: Box<dyn Fn()>,
    next_call: Cell<u32>,
    /// The page's own clock, in the ranks' time base.
    clock: Clock,
    /// Who waits for something to change.
    waiting: RefCell<Vec<Waker>>,
}

struct State {
    seats: Vec<Seat>,
    wired: Vec<(usize, usize)>,
    /// How the workers shall exchange messages.
    wanted: Via,
    /// What the workers share, if they do.
    memory: Option<SharedMemory>,
    /// Whether one has started in it.
    proven: bool,
    unshared: Option<Unshared>,
    /// Oldest first.
    flights: Vec<Flight>,
    watchdog: Option<Interval>,
    watched_ms: f64,
    /// How long no worker has started or become ready.
    booting_ms: f64,
    idle: Option<(Timeout, Timeout)>,
}

impl State {
    fn new() -> Self {
        State {
            seats: Vec::new(),
            wired: Vec::new(),
            wanted: Via::Shared,
            memory: None,
            proven: false,
            unshared: None,
            flights: Vec::new(),
            watchdog: None,
            watched_ms: 0.0,
            booting_ms: 0.0,
            idle: None,
        }
    }

    fn via(&self) -> Via {
        if self.memory.is_some() { Via::Shared } else { Via::Ports }
    }

    fn wiring(&self) -> Wiring {
        let reduced = self.memory.as_ref().filter(|memory| memory.is_reduced());
        let unshared = self.unshared.clone().filter(|_| self.wanted == Via::Shared);
        Wiring { via: self.via(), unshared, bytes_max: reduced.map(SharedMemory::bytes_max) }
    }

    /// World ranks of all runs that have not ended.
    fn flying(&self) -> Vec<usize> {
        let flights = self.flights.iter().filter(|flight| flight.outcome.is_none());
        flights.flat_map(|flight| flight.members.iter().copied()).collect()
    }

    /// Gives up all workers, and what they share.
    #[must_use]
    fn take_seats(&mut self) -> Vec<Seat> {
        self.wired.clear();
        self.memory = None;
        std::mem::take(&mut self.seats)
    }

    fn seat(&self, rank: usize) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.rank == rank)
    }

    fn seat_mut(&mut self, rank: usize) -> Option<&mut Seat> {
        self.seats.iter_mut().find(|seat| seat.rank == rank)
    }

    fn flight(&self, call: Call) -> Option<&Flight> {
        self.flights.iter().find(|flight| flight.call == call)
    }

    fn flight_mut(&mut self, call: Call) -> Option<&mut Flight> {
        self.flights.iter_mut().find(|flight| flight.call == call)
    }
}

struct Seat {
    rank: usize,
    worker: RankWorker,
    ready: bool,
    heard_ms: f64,
    memory_bytes: u64,
}

/// Cancels a run whose future is dropped before it has ended.
struct Ticket<'a>(&'a Pool, Call);

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let state = self.0.0.state.borrow();
        let unended = state.flight(self.1).is_some_and(|flight| flight.outcome.is_none());
        drop(state);
        self.0.forget(self.1);
        if unended {
            self.0.fail(RunFault::Cancelled);
        }
        self.0.rest();
    }
}

impl Pool {
    /// A pool without workers; `on_change` is called whenever [`Pool::status`] has changed.
    pub fn new(on_change: impl Fn() + 'static) -> Pool {
        Pool(Rc::new(Shared {
            state: RefCell::new(State::new()),
            on_change: Box::new(on_change),
            next_call: Cell::new(1),
            clock: Clock::since(time_origin_ms()),
            waiting: RefCell::default(),
        }))
    }

    /// Runs `plan`, on workers that are started if there are none yet. Several runs may be in
    /// flight at once, on the same ranks as well; messages then go the way of the first. Dropping
    /// the future cancels.
    ///
    /// `on_progress` is called at most ten times a second.
    ///
    /// # Errors
    /// [`RunFault`]; the pool can run again at once.
    pub async fn run(
        &self,
        plan: Plan,
        on_progress: impl Fn(Progress) + 'static,
    ) -> Result<RunResult, RunFault> {
        let plan = plan.numbered(self.0.next_call.replace(self.0.next_call.get().wrapping_add(1)));
        let Some(call) = plan.tasks().first().map(|task| task.call) else {
            return Err(RunFault::Cancelled);
        };
        self.wire_up(plan.wanted());
        self.admit(&plan, call, Rc::new(on_progress))?;
        let ticket = Ticket(self, call);
        let members: Vec<usize> = plan.tasks().iter().map(|t| t.members[t.rank]).collect();
        self.start_workers(&members);
        self.until(|state| {
            let flight = state.flight(call)?;
            let ready = |&rank: &usize| state.seat(rank).is_some_and(|seat| seat.ready);
            (flight.outcome.is_some() || flight.members.iter().all(ready)).then_some(())
        })
        .await;
        self.prepare(&plan, call);
        drop(plan);
        let outcome = self.until(|state| match state.flight_mut(call) {
            Some(flight) => flight.outcome.take(),
            None => Some(Err(RunFault::Cancelled)),
        });
        let outcome = outcome.await;
        self.forget(call);
        drop(ticket);
        self.changed();
        outcome
    }

    /// Ends every run that repeats until stopped: they land with their results.
    pub fn stop(&self) {
        let flight = |flight: &mut Flight| (flight.call, flight.stop());
        let orders: Vec<_> = self.0.state.borrow_mut().flights.iter_mut().map(flight).collect();
        for (call, orders) in orders {
            self.execute(call, orders);
        }
    }

    /// Ends every run at once, and with them all workers.
    pub fn cancel(&self) {
        self.fail(RunFault::Cancelled);
    }

    /// Ends all workers if no run is in flight: the page is left, or off-screen.
    pub fn release(&self) {
        self.retire(0);
    }

    /// What the pool is doing.
    pub fn status(&self) -> PoolStatus {
        let (state, now_us) = (self.0.state.borrow(), self.0.clock.now_us());
        let phase = match &*state {
            State { seats, .. } if seats.is_empty() => Phase::Empty,
            State { seats, .. } if seats.iter().any(|seat| !seat.ready) => Phase::Starting,
            State { flights, .. } if flights.iter().all(|f| f.outcome.is_some()) => Phase::Idle,
            _ => Phase::Running,
        };
        let rank = |seat: &Seat| {
            let told = state.flights.iter().find_map(|flight| flight.state(seat.rank)).cloned();
            RankStatus {
                rank: seat.rank,
                ready: seat.ready,
                age_ms: now_us / 1000.0 - seat.heard_ms,
                standing_ms: told.as_ref().map_or(0.0, |s| (now_us - s.since_us) / 1000.0),
                state: told,
            }
        };
        PoolStatus { phase, wiring: state.wiring(), ranks: state.seats.iter().map(rank).collect() }
    }

    /// Size of the ranks' memories together, as they last told it.
    pub fn memory_bytes(&self) -> u64 {
        let state = self.0.state.borrow();
        let own = || state.seats.iter().map(|seat| seat.memory_bytes).sum();
        state.memory.as_ref().map_or_else(own, SharedMemory::bytes)
    }

    /// Keeps nothing of a run that is over.
    fn forget(&self, call: Call) {
        self.0.state.borrow_mut().flights.retain(|flight| flight.call != call);
    }

    fn now_ms(&self) -> f64 {
        self.0.clock.now_us() / 1000.0
    }

    fn weak(&self) -> Weak<Shared> {
        Rc::downgrade(&self.0)
    }

    /// Tells everybody that something has changed. No borrow is held here.
    fn changed(&self) {
        let waiting = std::mem::take(&mut *self.0.waiting.borrow_mut());
        waiting.into_iter().for_each(Waker::wake);
        (self.0.on_change)();
    }

    /// Waits until `look` finds something.
    async fn until<T>(&self, mut look: impl FnMut(&mut State) -> Option<T>) -> T {
        std::future::poll_fn(|context| match look(&mut self.0.state.borrow_mut()) {
            Some(found) => Poll::Ready(found),
            None => {
                self.0.waiting.borrow_mut().push(context.waker().clone());
                Poll::Pending
            }
        })
        .await
    }

    /// Takes a run in, if all runs together stay within the budget.
    fn admit(&self, plan: &Plan, call: Call, on_progress: Listener) -> Result<(), RunFault> {
        let state = &mut *self.0.state.borrow_mut();
        let others = state.flights.iter().filter(|flight| flight.outcome.is_none());
        let others = others.map(|flight| flight.memory_bytes);
        let needed = others.fold(plan.memory_bytes(), u64::saturating_add);
        // Stacks, and what lies about after earlier runs, need room as well.
        let shared = state.memory.as_ref().map_or(u64::MAX, |memory| memory.bytes_max() / 4 * 3);
        let limit = MEMORY_BUDGET_BYTES.min(shared);
        if needed > limit {
            return Err(RunFault::OverBudget { needed, limit });
        }
        state.idle = None;
        state.flights.push(Flight::new(call, plan, on_progress));
        state.watched_ms = self.now_ms();
        state.watchdog.get_or_insert_with(|| self.watchdog());
        Ok(())
    }
}
