//! What page and ranks say to each other: the one module both sides speak.
//!
//! Control messages are [`ToRank`] and [`ToPage`], encoded by postcard inside a small JS array that
//! starts with [`PROTOCOL`]. The bytes of a collective travel beside them, as transferred buffers,
//! and never pass through serde; only a small result is copied into a [`Report`] to be shown.

use crate::engine::Rank;
use crate::engine::collective::Collective;
use crate::engine::memory::Layout;
use crate::engine::oracle::{Expected, Inputs, Verdict};
use crate::engine::rank::Blocked;
use crate::engine::reduce::Reduction;
use crate::engine::schedule::Program;
use crate::engine::tensor::Tensor;
use crate::engine::trace::Event;
use serde::{Deserialize, Serialize};

/// The number of this protocol; it changes whenever a message does.
pub const PROTOCOL: u32 = 8;

/// What both sides must agree on: version of the package, number of the protocol, id of the build.
pub const VERSION: &str = match std::str::from_utf8(&VERSION_BYTES) {
    Ok(version) => version,
    Err(_) => panic!("the version is text"),
};

const BUILD: &str = match option_env!("RINGSCOPE_BUILD") {
    Some(build) => build,
    None => "dev",
};
const VERSION_PARTS: [&[u8]; 5] = [
    env!("CARGO_PKG_VERSION").as_bytes(),
    b" protocol ",
    // A digit: a tenth protocol does not compile before this is changed.
    &[b"0123456789"[PROTOCOL as usize]],
    b" build ",
    BUILD.as_bytes(),
];
const VERSION_LEN: usize = VERSION_PARTS[0].len()
    + VERSION_PARTS[1].len()
    + VERSION_PARTS[2].len()
    + VERSION_PARTS[3].len()
    + VERSION_PARTS[4].len();
const VERSION_BYTES: [u8; VERSION_LEN] = {
    let mut bytes = [0; VERSION_LEN];
    let (mut at, mut part) = (0, 0);
    while part < VERSION_PARTS.len() {
        let mut i = 0;
        while i < VERSION_PARTS[part].len() {
            bytes[at] = VERSION_PARTS[part][i];
            (at, i) = (at + 1, i + 1);
        }
        part += 1;
    }
    bytes
};

/// The first word of a rank that has started: the JS array `[READY, VERSION]`, which even a page of
/// another version understands.
pub const READY: &str = "ringscope-ready";

/// The first word of a worker that could not become a rank: `[FAILED, what the browser said]`.
pub const FAILED: &str = "ringscope-failed";

/// Outputs up to this size come back with the report; larger ones stay in the ranks.
pub const OUTPUT_BYTES_MAX: usize = 64 * 1024;

/// One collective call in flight. Several may be, also of overlapping groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Call {
    /// The group whose call it is.
    pub group: u32,
    /// Numbers the calls of a page.
    pub call: u32,
}

/// How often a task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Repeat {
    /// Once.
    Once,
    /// Once, then once more to warm up, then in batches under the clock.
    Batches {
        /// How many batches.
        batches: u32,
        /// Repetitions of each.
        of: u32,
    },
    /// Once, then over and over until the page says stop.
    UntilStopped,
}

/// One rank's part of a run: everything it needs, nothing it does not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Which call this is.
    pub call: Call,
    /// The world rank of each rank of the group.
    pub members: Vec<usize>,
    /// This rank, in the group.
    pub rank: Rank,
    /// What it does.
    pub program: Program,
    /// Whether the message that each op sends may be lent where memory is shared: no op but those
    /// that [`lending`](crate::engine::check::lending) finds.
    pub lends: Vec<bool>,
    /// Where its chunks lie.
    pub layout: Layout,
    /// What `⊕` means.
    pub reduction: Reduction,
    /// The contract: which labels the input holds.
    pub collective: Collective,
    /// The whole vector.
    pub tensor: Tensor,
    /// What all ranks start with: each makes its own input from it, and verifies with the others'.
    pub inputs: Inputs,
    /// What each chunk of the output must hold.
    pub expected: Vec<Expected>,
    /// Slots per connection.
    pub slots: usize,
    /// Whether the first run is traced. Repetitions never are.
    pub traced: bool,
    /// In how many passes a run goes over its buffers that is not traced: the events of a trace are
    /// those of whole chunks.
    pub passes: usize,
    /// How often to run.
    pub repeat: Repeat,
}

/// What the page says to a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToRank {
    /// A port to world rank `peer` comes with this message; it replaces an older one.
    Wire {
        /// The peer.
        peer: usize,
    },
    /// Get ready for a call: allocate, make the input, say [`ToPage::Prepared`].
    Prepare {
        /// The call.
        task: Box<Task>,
        /// The page's `performance.timeOrigin`, the epoch of all times.
        epoch_ms: f64,
    },
    /// Begin.
    Start(Call),
    /// Begin no further repetition, and say in a [`ToPage::Pledge`] which was the last one begun.
    Hold(Call),
    /// Run up to this repetition, the largest that any rank has begun, and stop.
    StopAfter {
        /// The call.
        call: Call,
        /// The last repetition.
        repetition: u64,
    },
}

/// What a rank says to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToPage {
    /// The answer to [`ToRank::Prepare`].
    Prepared(Call),
    /// The browser would not give the memory for [`ToRank::Prepare`].
    OutOfMemory {
        /// The call.
        call: Call,
        /// Bytes asked for.
        bytes: u64,
    },
    /// How far the rank is with a call.
    State {
        /// The call.
        call: Call,
        /// How far.
        state: RankState,
        /// What it has done.
        counters: Counters,
    },
    /// The last repetition that this rank has begun.
    Pledge {
        /// The call.
        call: Call,
        /// Its number; 0 is the first run.
        repetition: u64,
    },
    /// The call has ended and is verified.
    Report {
        /// The call.
        call: Call,
        /// What came of it.
        report: Box<Report>,
    },
    /// The rank has panicked and is lost.
    Panicked(String),
}

/// Where a rank stands in a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankState {
    /// Steps taken so far: it grows exactly when the rank gets on.
    pub steps: u64,
    /// What its lanes wait for; empty while it is working.
    pub blocked: Vec<Blocked>,
    /// Since when it stands there, on the common time base, in microseconds.
    pub since_us: f64,
}

/// How the time inside the reduction kernel was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReduceTiming {
    /// Every reduction lasted ten ticks of the clock or more, and was timed as it ran.
    InRun,
    /// Some were shorter: the same kernel was timed on the same span after the run, for ten ticks
    /// or more, and the time is the run's bytes at that rate.
    Calibrated,
}

/// What one rank has done: in all timed repetitions, or in the only run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Runs that are counted here.
    pub runs: u64,
    /// The time they took at this rank.
    pub elapsed_us: f64,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// Messages sent.
    pub messages: u64,
    /// Bytes that went through the reduction kernel, counted once per reduction (the span's size).
    pub reduced_bytes: u64,
    /// Time inside the reduction kernel; see `reduce_timing`.
    pub reduce_us: f64,
    /// How `reduce_us` was found; `None` as long as it is not known, or nothing was reduced.
    pub reduce_timing: Option<ReduceTiming>,
}

/// What a rank tells of a call when it has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The rank, in the group.
    pub rank: Rank,
    /// The first run's events, if it was traced.
    pub events: Vec<Event>,
    /// The output in the wire type, blocks one after the other, when it has at most
    /// [`OUTPUT_BYTES_MAX`] bytes.
    pub output: Option<Vec<u8>>,
    /// Both verdicts on the output of the first run; out of place, on that of the last run as well.
    pub verdict: Verdict,
    /// What was done.
    pub counters: Counters,
    /// How long each batch of repetitions took here.
    pub batches_us: Vec<f64>,
    /// When the first run began here, on the common time base.
    pub begun_us: f64,
    /// When it ended.
    pub ended_us: f64,
    /// How coarse this rank's clock is.
    pub resolution_us: f64,
    /// Size of the rank's whole memory; 0 where it shares the process's.
    pub memory_bytes: u64,
    /// Messages so far that had no known shape, version or call, and were ignored.
    pub ignored: u64,
}
