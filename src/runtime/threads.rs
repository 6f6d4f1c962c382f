//! The native driver: one thread per world rank, bounded queues between them.
//!
//! All calls are in flight at once, whatever groups they are of: a thread takes its calls in turn
//! and sleeps when all of them are blocked, until a neighbour rings.

use super::call::{CallInFlight, Turn};
use super::clock::Clock;
use super::outcome::{RunFault, RunResult};
use super::plan::Plan;
use super::protocol::{Call, RankState, Repeat, Report, Task};
use super::world::{Links, Message};
use crate::engine::Rank;
use crate::engine::schedule::Peer;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Barrier, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// A thread that nobody rings for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(10);

/// Locks; a thread that panicked while it held the lock fails the run anyway, when it is joined.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Wakes one sleeping thread. Rings are counted, so none is lost between looking and sleeping.
#[derive(Default)]
struct Doorbell {
    rings: Mutex<u64>,
    rung: Condvar,
}

impl Doorbell {
    fn ring(&self) {
        *lock(&self.rings) += 1;
        self.rung.notify_one();
    }

    fn rings(&self) -> u64 {
        *lock(&self.rings)
    }

    /// Sleeps until there are more rings than `seen`; false if patience runs out.
    fn wait(&self, seen: u64) -> bool {
        let guard = lock(&self.rings);
        let waited = self.rung.wait_timeout_while(guard, PATIENCE, |rings| *rings == seen);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

/// A bounded queue from one rank to another.
struct Connection {
    slots: usize,
    queue: Mutex<VecDeque<Vec<u8>>>,
    /// Emptied buffers on their way back to the sender.
    emptied: Mutex<Vec<Vec<u8>>>,
    sender: Arc<Doorbell>,
    receiver: Arc<Doorbell>,
}

/// The connections of one call at one rank.
#[derive(Default)]
struct ThreadLinks {
    incoming: BTreeMap<Peer, Arc<Connection>>,
    outgoing: BTreeMap<Peer, Arc<Connection>>,
}

/// A buffer that still occupies its slot.
struct ThreadMessage {
    bytes: Vec<u8>,
    connection: Arc<Connection>,
}

impl Message for ThreadMessage {
    fn size(&self) -> usize {
        self.bytes.len()
    }

    fn unload(self, target: &mut [u8]) {
        target.copy_from_slice(&self.bytes);
        lock(&self.connection.emptied).push(self.bytes);
        lock(&self.connection.queue).pop_front();
        self.connection.sender.ring();
    }
}

impl Links for ThreadLinks {
    type Message = ThreadMessage;

    fn receive(&mut self, from: Peer) -> Option<ThreadMessage> {
        let connection = self.incoming.get(&from)?;
        // The emptied place stays in the queue until the message is unloaded: it is the slot.
        let bytes = std::mem::take(lock(&connection.queue).front_mut()?);
        Some(ThreadMessage { bytes, connection: Arc::clone(connection) })
    }

    fn can_send(&mut self, to: Peer) -> bool {
        self.outgoing.get(&to).is_some_and(|c| lock(&c.queue).len() < c.slots)
    }

    fn send(&mut self, to: Peer, bytes: &[u8]) {
        let Some(connection) = self.outgoing.get(&to) else { return };
        let mut message = lock(&connection.emptied).pop().unwrap_or_default();
        message.clear();
        message.extend_from_slice(bytes);
        lock(&connection.queue).push_back(message);
        connection.receiver.ring();
    }
}

/// Runs all plans at once and returns their results in the same order.
///
/// # Errors
/// [`RunFault::Stalled`] or [`RunFault::Panicked`] for all of them.
///
/// # Panics
/// If a plan is to be repeated until stopped: there is nobody to stop it.
pub fn run(plans: &[Plan]) -> Result<Vec<RunResult>, RunFault> {
    let mut ranks: BTreeMap<usize, Vec<(Task, ThreadLinks)>> = BTreeMap::new();
    let mut bells: BTreeMap<usize, Arc<Doorbell>> = BTreeMap::new();
    for (number, plan) in plans.iter().enumerate() {
        let plan = plan.clone().numbered(number as u32);
        for (task, links) in plan.tasks().iter().zip(connect(&plan, &mut bells)) {
            assert_ne!(task.repeat, Repeat::UntilStopped, "nobody would stop it");
            ranks.entry(task.members[task.rank]).or_default().push((task.clone(), links));
        }
    }
    let clock = Clock::starting_now();
    let tick = clock.resolution_us();
    let prepare = |(task, links)| CallInFlight::new(task, links, clock, tick);
    let ranks = on_threads(ranks, |_, calls| calls.into_iter().map(prepare).collect::<Vec<_>>())?;
    let barrier = Barrier::new(ranks.len());
    let ended = on_threads(ranks, |world_rank, calls| {
        barrier.wait();
        drive(calls, bells.get(&world_rank).map_or(&Doorbell::default(), Arc::as_ref))
    })?;
    let mut reports: Vec<Vec<Report>> = plans.iter().map(|_| Vec::new()).collect();
    let mut waiting = Vec::new();
    for rank in ended.into_values() {
        match rank {
            Ok(rank) => {
                rank.into_iter().for_each(|(c, report)| reports[c.call as usize].push(report))
            }
            Err(stuck) => waiting.extend(stuck),
        }
    }
    if !waiting.is_empty() {
        return Err(RunFault::Stalled { after_ms: PATIENCE.as_secs_f64() * 1000.0, waiting });
    }
    let results = plans.iter().zip(reports);
    Ok(results.map(|(p, reports)| RunResult::new(p.schedule(), p.traced(), reports)).collect())
}

/// Applies `work` to every rank's part, each on a thread of its own.
fn on_threads<T: Send, R: Send>(
    parts: BTreeMap<usize, T>,
    work: impl Fn(usize, T) -> R + Sync,
) -> Result<BTreeMap<usize, R>, RunFault> {
    thread::scope(|scope| {
        let spawn = |(rank, part)| {
            let work = &work;
            (rank, scope.spawn(move || work(rank, part)))
        };
        let threads: Vec<_> = parts.into_iter().map(spawn).collect();
        let join = |(rank, thread): (usize, thread::ScopedJoinHandle<'_, R>)| match thread.join() {
            Ok(result) => Ok((rank, result)),
            Err(panic) => {
                let said = panic.downcast_ref::<String>().cloned();
                let said = said.or(panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
                Err(RunFault::Panicked { rank, message: said.unwrap_or_default() })
            }
        };
        threads.into_iter().map(join).collect()
    })
}

/// All connections of a plan, by group rank.
fn connect(plan: &Plan, bells: &mut BTreeMap<usize, Arc<Doorbell>>) -> Vec<ThreadLinks> {
    let mut links: Vec<ThreadLinks> = plan.tasks().iter().map(|_| Default::default()).collect();
    for task in plan.tasks() {
        for to in task.program.ops.iter().filter_map(|op| op.action.to()) {
            if links[task.rank].outgoing.contains_key(&to) {
                continue;
            }
            let mut bell = |rank: Rank| Arc::clone(bells.entry(task.members[rank]).or_default());
            let connection = Arc::new(Connection {
                slots: task.slots,
                queue: Mutex::default(),
                emptied: Mutex::default(),
                sender: bell(task.rank),
                receiver: bell(to.rank),
            });
            let from = Peer { rank: task.rank, channel: to.channel };
            links[task.rank].outgoing.insert(to, Arc::clone(&connection));
            links[to.rank].incoming.insert(from, connection);
        }
    }
    links
}

/// The calls that a rank has ended.
type Ended = Vec<(Call, Report)>;

/// Where a rank stands, call by call, that nobody rings any more.
type Stuck = Vec<(Rank, RankState)>;

/// What one rank's thread does: all its calls in turn.
fn drive(mut calls: Vec<CallInFlight<ThreadLinks>>, bell: &Doorbell) -> Result<Ended, Stuck> {
    calls.iter_mut().for_each(CallInFlight::start);
    let mut ended = Vec::new();
    loop {
        let (rings, mut moved) = (bell.rings(), false);
        let mut index = 0;
        while index < calls.len() {
            match calls[index].step() {
                Turn::Progressed => moved = true,
                Turn::Blocked => {}
                Turn::Finished => {
                    let call = calls.remove(index);
                    ended.push((call.task().call, call.report(0, 0)));
                    moved = true;
                    continue;
                }
            }
            index += 1;
        }
        if calls.is_empty() {
            return Ok(ended);
        }
        if !moved && !bell.wait(rings) {
            return Err(calls.iter().map(|call| (call.task().rank, call.state())).collect());
        }
    }
}
