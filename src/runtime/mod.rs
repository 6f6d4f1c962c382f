//! Drives the engine's rank machines for real.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`plan`] | a checked schedule becomes one task per rank, within the memory budget |
//! | [`protocol`] | everything that page and ranks say to each other |
//! | [`call`] | one collective call at one rank: run, verify, repeat, stop, report |
//! | [`world`] | the machine's world on real bytes, over any [`world::Links`] |
//! | [`stopwatch`] | how fast its kernel is |
//! | [`outcome`] | what a run yields, or why it did not |
//! | [`measure`] | repetitions in batches that are long enough for the clock |
//! | [`cases`] | the grid of small runs that tests and the page's self-check share |
//! | [`clock`] | time |
//! | [`transport`] | the ways for messages: shared memory, message ports |
//! | `switchboard` | links between ranks that share memory |
//! | `threads` | driver: native threads |
//! | `pool`, `boot`, `flight` | driver, page side: starts workers, wires them, follows runs |
//! | `worker` | driver, rank side: the event loop |
//! | `ports`, `shared` | its transports: message ports, or one memory for all ranks |
//! | `sweep` | the self-check on real workers |
//! | `endurance` | runs of mixed sizes in great number, to see whether anything grows |
//! | `aside` | a worker that is no rank: a part of the page, beside the page |
//!
//! `call` and `world` are the same code on threads and in workers; a driver brings links, a clock
//! and a loop around [`call::CallInFlight::step`].

pub mod call;
pub mod cases;
pub mod clock;
pub mod measure;
pub mod outcome;
pub mod plan;
pub mod protocol;
pub mod stopwatch;
#[cfg(any(not(target_arch = "wasm32"), target_feature = "atomics"))]
pub mod switchboard;
#[cfg(not(target_arch = "wasm32"))]
pub mod threads;
pub mod transport;
pub mod world;

#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
mod ports;
#[cfg(all(target_arch = "wasm32", target_feature = "atomics"))]
mod shared;
#[cfg(target_arch = "wasm32")]
pub mod worker;

#[cfg(all(target_arch = "wasm32", feature = "page"))]
pub mod aside;
#[cfg(target_arch = "wasm32")]
mod boot;
#[cfg(target_arch = "wasm32")]
pub mod endurance;
#[cfg(target_arch = "wasm32")]
mod flight;
#[cfg(target_arch = "wasm32")]
pub mod pool;
#[cfg(target_arch = "wasm32")]
pub mod sweep;
