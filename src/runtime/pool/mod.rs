//! The page's ranks: started on first use, wired when a schedule needs it, reused, released when
//! idle.
//!
//! Whatever goes wrong, the answer is the same: all workers are ended, every run in flight lands
//! with the fault, and the next run starts fresh workers. Nothing of the page can be harmed by a
//! rank.

mod converse;
mod supervise;

use super::boot::RankWorker;
use super::clock::{Clock, time_origin_ms};
use super::flight::{Flight, Listener};
use super::outcome::{Progress, RunFault, RunResult};
use super::plan::{MEMORY_BUDGET_BYTES, Plan};
use super::protocol::{Call, RankState};
use gloo::timers::callback::{Interval, Timeout};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
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

#[derive(Default)]
struct State {
    seats: BTreeMap<usize, Seat>,
    wired: BTreeSet<(usize, usize)>,
    flights: BTreeMap<Call, Flight>,
    watchdog: Option<Interval>,
    watched_ms: f64,
    idle: Option<(Timeout, Timeout)>,
}

struct Seat {
    worker: RankWorker,
    ready: bool,
    started_ms: f64,
    heard_ms: f64,
    memory_bytes: u64,
}

/// Cancels a run whose future is dropped before it has ended.
struct Ticket<'a>(&'a Pool, Call);

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let flight = self.0.0.state.borrow_mut().flights.remove(&self.1);
        if flight.is_some_and(|flight| flight.outcome.is_none()) {
            self.0.fail(RunFault::Cancelled);
        }
        self.0.rest();
    }
}

impl Pool {
    /// A pool without workers; `on_change` is called whenever [`Pool::status`] has changed.
    pub fn new(on_change: impl Fn() + 'static) -> Pool {
        Pool(Rc::new(Shared {
            state: RefCell::default(),
            on_change: Box::new(on_change),
            next_call: Cell::new(1),
            clock: Clock::since(time_origin_ms()),
            waiting: RefCell::default(),
        }))
    }

    /// Runs `plan`, on workers that are started if there are none yet. Several runs may be in
    /// flight at once, on the same ranks as well. Dropping the future cancels.
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
        self.admit(&plan, call, Rc::new(on_progress))?;
        let ticket = Ticket(self, call);
        self.start_workers(&plan);
        self.until(|state| {
            let flight = state.flights.get(&call)?;
            let ready = |rank| state.seats.get(rank).is_some_and(|seat| seat.ready);
            (flight.outcome.is_some() || flight.members.iter().all(ready)).then_some(())
        })
        .await;
        self.prepare(&plan, call);
        drop(plan);
        let outcome = self.until(|state| match state.flights.get_mut(&call) {
            Some(flight) => flight.outcome.take(),
            None => Some(Err(RunFault::Cancelled)),
        });
        let outcome = outcome.await;
        self.0.state.borrow_mut().flights.remove(&call);
        drop(ticket);
        self.changed();
        outcome
    }

    /// Ends every run that repeats until stopped: they land with their results.
    pub fn stop(&self) {
        let calls: Vec<Call> = self.0.state.borrow().flights.keys().copied().collect();
        for call in calls {
            let orders =
                self.0.state.borrow_mut().flights.get_mut(&call).map_or(Vec::new(), Flight::stop);
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
            State { seats, .. } if seats.values().any(|seat| !seat.ready) => Phase::Starting,
            State { flights, .. } if flights.values().all(|f| f.outcome.is_some()) => Phase::Idle,
            _ => Phase::Running,
        };
        let rank = |(&rank, seat): (&usize, &Seat)| {
            let told = state.flights.values().find_map(|flight| flight.state(rank)).cloned();
            RankStatus {
                rank,
                ready: seat.ready,
                age_ms: now_us / 1000.0 - seat.heard_ms,
                standing_ms: told.as_ref().map_or(0.0, |s| (now_us - s.since_us) / 1000.0),
                state: told,
            }
        };
        PoolStatus { phase, ranks: state.seats.iter().map(rank).collect() }
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
        let others = state.flights.values().filter(|flight| flight.outcome.is_none());
        let others = others.map(|flight| flight.memory_bytes);
        let needed = others.fold(plan.memory_bytes(), u64::saturating_add);
        if needed > MEMORY_BUDGET_BYTES {
            return Err(RunFault::OverBudget { needed, limit: MEMORY_BUDGET_BYTES });
        }
        state.idle = None;
        state.flights.insert(call, Flight::new(call, plan, on_progress));
        state.watched_ms = self.now_ms();
        state.watchdog.get_or_insert_with(|| self.watchdog());
        Ok(())
    }
}
