//! What a schedule costs.
//!
//! - [`rounds`]: the textbook model. Everybody moves in step; T = rounds α + bytes β + reduced γ.
//! - [`event`]: every rank at its own pace, over a [`Topology`] whose ports and NICs can be busy.
//! - [`nccl`]: what NCCL expects of its own algorithms when it chooses between them.
//!
//! [`contest`] asks all three which algorithm is fastest.
//!
//! The first two compute from the dependencies of the schedule, never from its labels.

pub mod contest;
pub mod event;
mod late;
pub mod nccl;
mod presets;
pub mod rounds;
mod summary;
pub mod topology;

pub use presets::TOPOLOGIES;
pub use summary::{OfS, Summary, summary};
pub use topology::Topology;
