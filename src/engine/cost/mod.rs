//! What a schedule costs.
//!
//! - [`rounds`]: the textbook model. Everybody moves in step; T = rounds α + bytes β + reduced γ.
//! - [`event`]: every rank at its own pace, over a [`Topology`] whose ports can be busy.
//!
//! Both compute from the dependencies of the schedule, never from its labels.

pub mod event;
pub mod rounds;
mod topology;

pub use topology::{TOPOLOGIES, Topology};
