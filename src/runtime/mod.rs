//! Drives the engine's rank machines for real.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`plan`] | a checked schedule becomes one task per rank, within the memory budget |
//! | [`protocol`] | everything that page and ranks say to each other |
//! | [`call`] | one collective call at one rank: run, verify, repeat, stop, report |
//! | [`world`] | the machine's world on real bytes, over any [`world::Links`] |
//! | [`outcome`] | what a run yields, or why it did not |
//! | [`cases`] | the grid of small runs that tests and the page's self-check share |
//! | [`clock`] | time |
//! | `threads` | driver: native threads and bounded queues |
//! | `pool`, `boot`, `flight` | driver, page side: starts workers, wires them, follows runs |
//! | `worker`, `ports` | driver, rank side: the event loop, and links over message ports |
//! | `sweep` | the self-check on real workers |
//!
//! `call` and `world` are the same code on threads and in workers; a driver brings links, a clock
//! and a loop around [`call::CallInFlight::step`].

pub mod call;
pub mod cases;
pub mod clock;
pub mod outcome;
pub mod plan;
pub mod protocol;
#[cfg(not(target_arch = "wasm32"))]
pub mod threads;
pub mod world;

#[cfg(target_arch = "wasm32")]
mod ports;
#[cfg(target_arch = "wasm32")]
pub mod worker;

#[cfg(target_arch = "wasm32")]
mod boot;
#[cfg(target_arch = "wasm32")]
mod flight;
#[cfg(target_arch = "wasm32")]
pub mod pool;
#[cfg(target_arch = "wasm32")]
pub mod sweep;
