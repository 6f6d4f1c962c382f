//! The page's ranks: started on first use, wired when a schedule needs it, reused, released when idle.
//!
//! Whatever goes wrong, the answer is the same: all workers are ended, every run in flight lands with
//! the fault, and the next run starts fresh workers. Nothing of the page can be harmed by a rank.

use super::boot::{RankWorker, Said};
use super::clock::{Clock, time_origin_ms};
use super::flight::{Flight, Order};
use super::outcome::{Progress, RunFault, RunResult};
use super::plan::{MEMORY_BUDGET_BYTES, Plan};
use super::protocol::{Call, RankState, ToPage, ToRank, VERSION};
use gloo::timers::callback::{Interval, Timeout};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::{Rc, Weak};
use std::task::{Poll, Waker};
use web_sys::{MessageChannel, VisibilityState};

/// A worker that is not ready after this never will be.
const BOOT_MS: f64 = 10_000.0;

/// How often the watchdog looks.
const WATCH_MS: u32 = 500;

/// Idle workers are released after this.
const IDLE_MS: u32 = 60_000;

/// Idle workers with a large memory are released after this: it can only be freed with the worker.
const LARGE_IDLE_MS: u32 = 5_000;

/// A worker's memory beyond this is large.
const LARGE_BYTES: u64 = 64 << 20;

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

    /// Runs `plan`, on workers that are started if there are none yet. Several runs may be in flight
    /// at once, on the same ranks as well. Dropping the future cancels.
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
            State { flights, .. } if flights.is_empty() => Phase::Idle,
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
    fn admit(
        &self,
        plan: &Plan,
        call: Call,
        on_progress: Rc<dyn Fn(Progress)>,
    ) -> Result<(), RunFault> {
        let state = &mut *self.0.state.borrow_mut();
        let others = state.flights.values().map(|flight| flight.memory_bytes);
        let needed = others.fold(plan.memory_bytes(), u64::saturating_add);
        if needed > MEMORY_BUDGET_BYTES {
            return Err(RunFault::OverBudget { needed, limit: MEMORY_BUDGET_BYTES });
        }
        state.idle = None;
        state.flights.insert(call, Flight::new(call, plan, on_progress));
        state.watched_ms = self.now_ms();
        let pool = self.weak();
        state.watchdog.get_or_insert_with(|| {
            Interval::new(WATCH_MS, move || {
                if let Some(shared) = pool.upgrade() {
                    Pool(shared).watch();
                }
            })
        });
        Ok(())
    }

    /// Starts the workers that the plan needs and that are not there, all at once.
    fn start_workers(&self, plan: &Plan) {
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
                    let seat =
                        Seat { worker, ready: false, started_ms: now, heard_ms: now, memory_bytes: 0 };
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
    fn prepare(&self, plan: &Plan, call: Call) {
        let state = &mut *self.0.state.borrow_mut();
        if state.flights.get(&call).is_none_or(|flight| flight.outcome.is_some()) {
            return;
        }
        for (a, b) in plan.pairs() {
            let (Some(seat_a), Some(seat_b)) = (state.seats.get(&a), state.seats.get(&b)) else {
                continue;
            };
            if let Ok(channel) = MessageChannel::new()
                && state.wired.insert((a, b))
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
            Said::Ready(theirs) => self.fail(RunFault::Version { ours: VERSION.to_owned(), theirs }),
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

    fn execute(&self, call: Call, orders: Vec<Order>) {
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

    /// Ends all workers; every run in flight lands with `fault`.
    fn fail(&self, fault: RunFault) {
        let seats = {
            let state = &mut *self.0.state.borrow_mut();
            state.wired.clear();
            for flight in state.flights.values_mut() {
                flight.outcome.get_or_insert_with(|| Err(fault.clone()));
            }
            std::mem::take(&mut state.seats)
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
            let late = |(&rank, seat): (&usize, &Seat)| {
                let late = !seat.ready && now - seat.started_ms > BOOT_MS;
                late.then(|| RunFault::Boot { rank, message: format!("no answer in {BOOT_MS} ms") })
            };
            let fault = state.seats.iter().find_map(late);
            let ready = state.seats.values().all(|seat| seat.ready);
            let mut flights = state.flights.values_mut().filter(|f| f.outcome.is_none() && ready);
            fault.or_else(|| flights.find_map(|flight| flight.watch(elapsed)))
        };
        match fault {
            Some(fault) => self.fail(fault),
            None => (self.0.on_change)(),
        }
    }

    /// After the last run: no watchdog, and idle workers are released in time.
    fn rest(&self) {
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
    fn retire(&self, larger_than: u64) {
        let retired = {
            let state = &mut *self.0.state.borrow_mut();
            if !state.flights.is_empty() {
                return;
            }
            let seats = std::mem::take(&mut state.seats);
            let large = |seat: &Seat| larger_than == 0 || seat.memory_bytes > larger_than;
            let (retired, kept): (BTreeMap<_, _>, _) =
                seats.into_iter().partition(|(_, seat)| large(seat));
            state.seats = kept;
            state.wired.retain(|(a, b)| !retired.contains_key(a) && !retired.contains_key(b));
            retired
        };
        if !retired.is_empty() {
            drop(retired);
            self.changed();
        }
    }
}
