//! Links between ranks that share memory: what is sent is a pointer.
//!
//! A message is lent, or given: its receiver reads it where it lies. All that passes is counted, a
//! connection's messages as they are sent and as they are consumed, and a receiver that finds
//! nothing new looks at no more than that. Each world rank has one doorbell, so that it can wait
//! for whatever comes first. A short message is copied even where it could be lent: its sender need
//! not wait for it to be read before the run ends, and where ranks share cores a wait costs more.
//!
//! Everything here is made of the standard library, whose locks and sleeping threads are the
//! system's natively and atomic waits in WebAssembly: it is the same code in both.

use super::protocol::{Call, Task};
use super::world::{Links, Message};
use crate::engine::region::Loan;
use crate::engine::schedule::Peer;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

/// Messages of so many bytes are copied sooner than ranks that share a core take turns.
const SHORT_BYTES: usize = 16 * 1024;

/// How often a rank looks before it sleeps, where every rank has a core: about as long as it takes
/// to be woken. A browser has no instruction that waits a little, so a look is shorter there.
const SPINS: u32 = if cfg!(target_arch = "wasm32") { 40_000 } else { 1_000 };

/// How often it looks where ranks share cores: whoever it waits for may need this one.
const SPINS_SHARING: u32 = SPINS / 20;

/// How often one of so many ranks looks before it sleeps.
pub fn spins(ranks: usize, cores: usize) -> u32 {
    if ranks <= cores { SPINS } else { SPINS_SHARING }
}

/// Locks; whoever panicked while it held the lock has failed the run anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Wakes one sleeping rank. Rings are counted, so none is lost between looking and sleeping.
#[derive(Debug, Default)]
pub struct Doorbell {
    rings: AtomicU32,
    /// Whether the rank sleeps, or is about to: waking is dear, and mostly nobody does.
    asleep: AtomicBool,
    rank: OnceLock<Thread>,
}

impl Doorbell {
    /// From here on the calling thread is the one to wake. It says so before anybody rings.
    pub fn attend(&self) {
        self.rank.get_or_init(thread::current);
    }

    /// Rings so far.
    pub fn rings(&self) -> u32 {
        self.rings.load(Ordering::Acquire)
    }

    fn ring(&self) {
        self.rings.fetch_add(1, Ordering::SeqCst);
        // Either this sees that the rank is about to sleep, or the rank sees the ring before.
        if self.asleep.load(Ordering::SeqCst)
            && let Some(rank) = self.rank.get()
        {
            rank.unpark();
        }
    }

    /// Waits for a ring after the first `seen`: looks `spins` times, then sleeps, at most for
    /// `time`. It may come back earlier, and without a ring, as sleeping threads do.
    pub fn wait(&self, seen: u32, spins: u32, time: Duration) {
        for _ in 0..spins {
            if self.rings() != seen {
                return;
            }
            std::hint::spin_loop();
        }
        self.asleep.store(true, Ordering::SeqCst);
        if self.rings.load(Ordering::SeqCst) == seen {
            thread::park_timeout(time);
        }
        self.asleep.store(false, Ordering::Relaxed);
    }
}

/// What travels.
#[derive(Debug)]
enum Parcel {
    Own(Vec<u8>),
    Lent(Loan),
}

/// First in, first out from one rank to another.
#[derive(Debug)]
struct Connection {
    slots: usize,
    sent: AtomicUsize,
    consumed: AtomicUsize,
    /// Messages that are lent and not consumed.
    lent: AtomicUsize,
    queue: Mutex<VecDeque<Parcel>>,
    /// Bytes that were given and are consumed, on their way back to the sender.
    back: Mutex<Vec<Vec<u8>>>,
    sender: Arc<Doorbell>,
    receiver: Arc<Doorbell>,
}

impl Connection {
    fn send(&self, parcel: Parcel) {
        lock(&self.queue).push_back(parcel);
        self.sent.fetch_add(1, Ordering::Release);
        self.receiver.ring();
    }

    /// Messages that are sent and not consumed, as the sender sees it.
    fn occupied(&self) -> usize {
        let sent = self.sent.load(Ordering::Relaxed);
        sent.wrapping_sub(self.consumed.load(Ordering::Acquire))
    }

    fn back(&self) -> Vec<u8> {
        lock(&self.back).pop().unwrap_or_default()
    }
}

/// A connection of a call: world ranks of sender and receiver, and the channel.
type Key = (Call, usize, usize, usize);

/// Where ranks find each other.
#[derive(Debug, Default)]
pub struct Switchboard {
    bells: Mutex<BTreeMap<usize, Arc<Doorbell>>>,
    /// Connections that one end has asked for, and the other not yet.
    half: Mutex<BTreeMap<Key, Arc<Connection>>>,
}

impl Switchboard {
    /// One without ranks.
    pub const fn new() -> Self {
        Switchboard { bells: Mutex::new(BTreeMap::new()), half: Mutex::new(BTreeMap::new()) }
    }

    /// The doorbell of a world rank.
    pub fn bell(&self, world_rank: usize) -> Arc<Doorbell> {
        Arc::clone(lock(&self.bells).entry(world_rank).or_default())
    }

    /// The ends that a task's rank has of all connections of its call.
    pub fn links(&self, task: &Task) -> SharedLinks {
        let me = task.members[task.rank];
        let mut links = SharedLinks::default();
        for op in &task.program.ops {
            if let Some(to) = op.action.to() {
                let key = (task.call, me, task.members[to.rank], to.channel);
                links.outgoing.entry(to).or_insert_with(|| self.end(key, task.slots));
            }
            if let Some(from) = op.action.from() {
                let key = (task.call, task.members[from.rank], me, from.channel);
                links.incoming.entry(from).or_insert_with(|| self.end(key, task.slots).into());
            }
        }
        links
    }

    /// Makes a connection for its first end, and keeps it for its second.
    fn end(&self, key: Key, slots: usize) -> Arc<Connection> {
        let (_, from, to, _) = key;
        let (sender, receiver) = (self.bell(from), self.bell(to));
        let mut half = lock(&self.half);
        if let Some(connection) = half.remove(&key) {
            return connection;
        }
        let connection = Arc::new(Connection {
            slots,
            sent: AtomicUsize::new(0),
            consumed: AtomicUsize::new(0),
            lent: AtomicUsize::new(0),
            queue: Mutex::default(),
            back: Mutex::default(),
            sender,
            receiver,
        });
        half.insert(key, Arc::clone(&connection));
        connection
    }
}

/// A receiver's end.
#[derive(Debug)]
struct Incoming {
    connection: Arc<Connection>,
    taken: usize,
}

impl From<Arc<Connection>> for Incoming {
    fn from(connection: Arc<Connection>) -> Self {
        Incoming { connection, taken: 0 }
    }
}

/// One rank's ends of all connections of one call.
#[derive(Debug, Default)]
pub struct SharedLinks {
    incoming: BTreeMap<Peer, Incoming>,
    outgoing: BTreeMap<Peer, Arc<Connection>>,
}

/// A message that its receiver reads where it lies.
#[derive(Debug)]
pub struct SharedMessage {
    parcel: Parcel,
    connection: Arc<Connection>,
}

impl Message for SharedMessage {
    fn size(&self) -> usize {
        self.as_bytes().len()
    }

    fn bytes(&self) -> Option<&[u8]> {
        Some(self.as_bytes())
    }

    fn copy_to(&self, target: &mut [u8]) {
        target.copy_from_slice(self.as_bytes());
    }
}

impl SharedMessage {
    fn as_bytes(&self) -> &[u8] {
        match &self.parcel {
            Parcel::Own(bytes) => bytes,
            Parcel::Lent(loan) => loan.bytes(),
        }
    }
}

impl Drop for SharedMessage {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.parcel, Parcel::Own(Vec::new())) {
            Parcel::Own(bytes) => lock(&self.connection.back).push(bytes),
            Parcel::Lent(loan) => {
                drop(loan);
                self.connection.lent.fetch_sub(1, Ordering::Release);
            }
        }
        self.connection.consumed.fetch_add(1, Ordering::Release);
        self.connection.sender.ring();
    }
}

impl Links for SharedLinks {
    type Message = SharedMessage;

    fn receive(&mut self, from: Peer) -> Option<SharedMessage> {
        let Incoming { connection, taken } = self.incoming.get_mut(&from)?;
        if connection.sent.load(Ordering::Acquire) == *taken {
            return None;
        }
        let parcel = lock(&connection.queue).pop_front()?;
        *taken = taken.wrapping_add(1);
        Some(SharedMessage { parcel, connection: Arc::clone(connection) })
    }

    fn can_send(&mut self, to: Peer) -> bool {
        self.outgoing.get(&to).is_some_and(|c| c.occupied() < c.slots)
    }

    fn send(&mut self, to: Peer, bytes: &[u8]) {
        let mut room = self.outgoing[&to].back();
        room.clear();
        room.extend_from_slice(bytes);
        self.outgoing[&to].send(Parcel::Own(room));
    }

    fn give(&mut self, to: Peer, bytes: Vec<u8>) -> Vec<u8> {
        let back = self.outgoing[&to].back();
        self.outgoing[&to].send(Parcel::Own(bytes));
        back
    }

    fn lend(&mut self, to: Peer, loan: Loan) {
        if loan.bytes().len() <= SHORT_BYTES {
            return self.send(to, loan.bytes());
        }
        let connection = &self.outgoing[&to];
        connection.lent.fetch_add(1, Ordering::Relaxed);
        connection.send(Parcel::Lent(loan));
    }

    fn reader(&mut self) -> Option<Peer> {
        let lends = |c: &Connection| c.lent.load(Ordering::Acquire) > 0;
        self.outgoing.iter().find(|(_, c)| lends(c)).map(|(&to, _)| to)
    }
}
