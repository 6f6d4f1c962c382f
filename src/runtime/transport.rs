//! How ranks exchange messages, and why not in shared memory.

use serde::{Deserialize, Serialize};

/// A way for messages between ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Via {
    /// All ranks share one memory, and what is sent is a pointer.
    Shared,
    /// Each rank has a memory of its own; messages are copied, and sent over message ports.
    Ports,
}

impl Via {
    /// Both ways, the faster first.
    pub const ALL: [Via; 2] = [Via::Shared, Via::Ports];

    /// The name used in URLs and exports.
    pub fn name(self) -> &'static str {
        match self {
            Via::Shared => "shared",
            Via::Ports => "ports",
        }
    }
}

/// Why ranks cannot share memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unshared {
    /// The site was built without the program that does.
    NotBuilt,
    /// The browser does not make such a memory, or gives none to workers: what it said.
    Refused(String),
    /// The program that does so has not started: what went wrong.
    NotStarted(String),
}

/// What ranks use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wiring {
    /// How they exchange messages.
    pub via: Via,
    /// Why it is not shared memory, if that was tried.
    pub unshared: Option<Unshared>,
    /// The largest size of the shared memory, where the browser refused a larger one.
    pub bytes_max: Option<u64>,
}

impl Default for Wiring {
    fn default() -> Self {
        Wiring::of(Via::Ports)
    }
}

impl Wiring {
    /// One way, with nothing to say about it.
    pub fn of(via: Via) -> Self {
        Wiring { via, unshared: None, bytes_max: None }
    }
}
