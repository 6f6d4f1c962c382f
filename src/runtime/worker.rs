//! A rank's event loop.
//!
//! The rank works in slices of a few milliseconds and yields between them through a message to
//! itself (a timer would be held back by the browser), so the page's word always gets through. When
//! all its calls are blocked, it is the transport that knows what to wait for: over ports it simply
//! returns, and the next message on any port goes on; in shared memory it sleeps for the rest of
//! its slice.
//!
//! The same program is built twice. With atomics it shares the memory of its group's other ranks.

use super::call::{CallInFlight, Turn};
use super::clock::{Clock, time_origin_ms};
#[cfg(not(target_feature = "atomics"))]
use super::ports::Ports as Wires;
use super::protocol::{Call, PROTOCOL, READY, Task, ToPage, ToRank, VERSION};
#[cfg(target_feature = "atomics")]
use super::shared::Shared as Wires;
use super::world::Links;
use gloo::timers::callback::Interval;
use js_sys::{Array, Uint8Array};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

/// How long a rank works before it looks for messages.
const SLICE_US: f64 = 8_000.0;

/// Steps between two looks at the clock, which would cost more than a small step.
const STEPS: u32 = 16;

/// How often a rank looks whether to tell its state.
const TICK_MS: u32 = 50;

/// A changed state is told at most this often...
const CHANGED_US: f64 = 95_000.0;

/// ... and an unchanged one so often, as a sign of life.
const ALIVE_US: f64 = 1_000_000.0;

/// How a rank exchanges messages with others.
pub(super) trait Transport: Clone + Default {
    /// Its ends of a call's connections.
    type Links: Links;

    /// Uses `port` for everything to and from world rank `peer`, instead of an older one; `wake` is
    /// called after every message.
    fn wire(&self, peer: usize, port: MessagePort, wake: Rc<dyn Fn()>);

    /// This rank's links in a call.
    fn links(&self, task: &Task) -> Self::Links;

    /// Forgets a call that has ended.
    fn end(&self, call: Call);

    /// Messages ignored so far, because they had no known shape.
    fn ignored(&self) -> u64;

    /// How often a neighbour has done something.
    fn rings(&self) -> u32;

    /// Waits until a neighbour does something, if there were no more than `rings` so far, or for
    /// `left_us` at most. False if nobody waits here, for a message will wake the rank.
    fn wait(&self, rings: u32, left_us: f64) -> bool;
}

/// A call, and what the page was last told of it.
struct Running {
    call: CallInFlight<<Wires as Transport>::Links>,
    told_steps: u64,
    told_us: f64,
}

struct Rank {
    scope: DedicatedWorkerGlobalScope,
    calls: RefCell<Vec<Running>>,
    wires: Wires,
    /// Where a message to itself is posted.
    yielding: MessagePort,
    /// Whether one is under way.
    yielded: Cell<bool>,
    clock: Cell<Clock>,
    resolution_us: Cell<Option<f64>>,
    /// Messages of the page that were not understood.
    ignored: Cell<u64>,
    ticking: RefCell<Option<Interval>>,
}

/// Makes this worker a rank: it tells the page that it is ready, and answers from then on.
///
/// # Panics
/// Outside a dedicated worker.
pub fn start() {
    // There is one hook for all ranks of a shared memory: it speaks through the worker it runs in.
    std::panic::set_hook(Box::new(|info| post(&scope(), &ToPage::Panicked(info.to_string()))));
    let scope = scope();
    let Ok(channel) = MessageChannel::new() else { panic!("this browser has no MessageChannel") };
    let rank = Rc::new(Rank {
        scope: scope.clone(),
        calls: RefCell::default(),
        wires: Wires::default(),
        yielding: channel.port2(),
        yielded: Cell::new(false),
        clock: Cell::new(Clock::since(time_origin_ms())),
        resolution_us: Cell::new(None),
        ignored: Cell::new(0),
        ticking: RefCell::default(),
    });
    // A rank lives as long as its worker, and so do its listeners.
    let continuing = Rc::clone(&rank);
    let again = Closure::<dyn FnMut()>::new(move || {
        continuing.yielded.set(false);
        continuing.work();
    });
    channel.port1().set_onmessage(Some(again.as_ref().unchecked_ref()));
    again.forget();
    let listening = Rc::clone(&rank);
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        if listening.hear(&event.data()).is_none() {
            listening.ignored.set(listening.ignored.get() + 1);
        }
    });
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
    let ready = Array::of2(&READY.into(), &VERSION.into());
    let posted = scope.post_message(&ready);
    assert!(posted.is_ok(), "a worker that cannot post: {posted:?}");
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Sends `message` to the page.
fn post(scope: &DedicatedWorkerGlobalScope, message: &ToPage) {
    let Ok(bytes) = postcard::to_allocvec(message) else { return };
    let bytes = Uint8Array::from(bytes.as_slice());
    let envelope = Array::of2(&PROTOCOL.into(), &bytes);
    // It fails only when the worker is being ended, and then nobody listens.
    let _ = scope.post_message_with_transfer(&envelope, &Array::of1(&bytes.buffer()));
}

impl Rank {
    /// Takes a message of the page; `None` if it is none of this protocol.
    fn hear(self: &Rc<Self>, data: &JsValue) -> Option<()> {
        let fields: &Array = data.dyn_ref()?;
        if fields.get(0).as_f64() != Some(f64::from(PROTOCOL)) {
            return None;
        }
        let bytes: Uint8Array = fields.get(1).dyn_into().ok()?;
        match postcard::from_bytes(&bytes.to_vec()).ok()? {
            ToRank::Wire { peer } => {
                let port: MessagePort = fields.get(2).dyn_into().ok()?;
                let rank = Rc::downgrade(self);
                let wake = move || {
                    if let Some(rank) = rank.upgrade() {
                        rank.work();
                    }
                };
                self.wires.wire(peer, port, Rc::new(wake));
            }
            ToRank::Prepare { task, epoch_ms } => self.prepare(*task, epoch_ms),
            ToRank::Start(call) => {
                self.with_call(call, CallInFlight::start)?;
                self.tick();
                self.work();
            }
            ToRank::Hold(call) => {
                let repetition = self.with_call(call, CallInFlight::hold)?;
                post(&self.scope, &ToPage::Pledge { call, repetition });
            }
            ToRank::StopAfter { call, repetition } => {
                self.with_call(call, |running| running.stop_after(repetition))?;
                self.work();
            }
        }
        Some(())
    }

    fn with_call<R>(
        &self,
        call: Call,
        f: impl FnOnce(&mut CallInFlight<<Wires as Transport>::Links>) -> R,
    ) -> Option<R> {
        let mut calls = self.calls.borrow_mut();
        calls.iter_mut().find(|running| running.call.task().call == call).map(|r| f(&mut r.call))
    }

    fn prepare(&self, task: Task, epoch_ms: f64) {
        let (call, bytes) = (task.call, task.layout.bytes);
        // Ask for the memory first: a refusal is an answer, an abort is not.
        let mut probe = Vec::<u8>::new();
        if std::hint::black_box(&mut probe).try_reserve_exact(bytes).is_err() {
            return post(&self.scope, &ToPage::OutOfMemory { call, bytes: bytes as u64 });
        }
        drop(probe);
        self.clock.set(Clock::since(epoch_ms));
        let clock = self.clock.get();
        let resolution_us = self.resolution_us.get().unwrap_or_else(|| clock.resolution_us());
        self.resolution_us.set(Some(resolution_us));
        let links = self.wires.links(&task);
        let call_in_flight = CallInFlight::new(task, links, clock, resolution_us);
        let running = Running { call: call_in_flight, told_steps: 0, told_us: clock.now_us() };
        self.calls.borrow_mut().push(running);
        post(&self.scope, &ToPage::Prepared(call));
    }

    /// Works on all calls in turn until they are blocked, or the slice is over.
    fn work(&self) {
        let clock = self.clock.get();
        let end = clock.now_us() + SLICE_US;
        let mut steps = 0u32;
        loop {
            let (rings, mut progressed) = (self.wires.rings(), false);
            let mut ended = Vec::new();
            for running in self.calls.borrow_mut().iter_mut() {
                match running.call.step() {
                    Turn::Progressed => progressed = true,
                    Turn::Blocked => {}
                    Turn::Finished => ended.push(running.call.task().call),
                }
            }
            for call in ended {
                self.report(call);
            }
            if !progressed && self.is_idle() {
                return;
            }
            steps = steps.wrapping_add(1);
            if progressed && !steps.is_multiple_of(STEPS) {
                continue;
            }
            let left_us = end - clock.now_us();
            if left_us <= 0.0 {
                return self.yield_turn();
            }
            if !progressed && !self.wires.wait(rings, left_us) {
                return;
            }
        }
    }

    /// Whether no call has been started that has not ended.
    fn is_idle(&self) -> bool {
        self.calls.borrow().iter().all(|running| !running.call.has_started())
    }

    /// Goes on after whatever is waiting to be heard.
    fn yield_turn(&self) {
        if !self.yielded.replace(true) {
            let posted = self.yielding.post_message(&JsValue::UNDEFINED);
            assert!(posted.is_ok(), "a port took no message: {posted:?}");
        }
    }

    /// Ends a call and tells what came of it.
    fn report(&self, call: Call) {
        let mut calls = self.calls.borrow_mut();
        let Some(index) = calls.iter().position(|r| r.call.task().call == call) else { return };
        let running = calls.swap_remove(index);
        if calls.is_empty() {
            *self.ticking.borrow_mut() = None;
        }
        self.wires.end(call);
        let ignored = self.ignored.get() + self.wires.ignored();
        let report = Box::new(running.call.report(memory_bytes(), ignored));
        post(&self.scope, &ToPage::Report { call, report });
    }

    /// Tells the states of all calls from time to time, as long as there are any.
    fn tick(self: &Rc<Self>) {
        let rank = Rc::downgrade(self);
        self.ticking.borrow_mut().get_or_insert_with(|| {
            Interval::new(TICK_MS, move || {
                if let Some(rank) = rank.upgrade() {
                    rank.tell();
                }
            })
        });
    }

    fn tell(&self) {
        let now = self.clock.get().now_us();
        for running in self.calls.borrow_mut().iter_mut() {
            let state = running.call.state();
            let (since_told, changed) = (now - running.told_us, state.steps != running.told_steps);
            if since_told >= ALIVE_US || (changed && since_told >= CHANGED_US) {
                (running.told_us, running.told_steps) = (now, state.steps);
                let (call, counters) = (running.call.task().call, running.call.counters());
                post(&self.scope, &ToPage::State { call, state, counters });
            }
        }
    }
}

/// Size of this worker's whole memory.
fn memory_bytes() -> u64 {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
    f64::from(buffer.byte_length()) as u64
}
