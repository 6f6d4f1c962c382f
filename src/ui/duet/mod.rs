//! Two stages over one clock: the equation AllReduce = ReduceScatter, then AllGather, and any two
//! scenarios side by side. They are a part of the app, `src/bin/duet.rs`, with workers of its own.

pub mod bill;
pub mod compared;
pub mod link;
pub mod ratio;
pub mod side;

#[cfg(target_arch = "wasm32")]
mod blocks;
#[cfg(target_arch = "wasm32")]
mod head;
#[cfg(target_arch = "wasm32")]
mod measure;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod pane;
#[cfg(target_arch = "wasm32")]
mod panels;
#[cfg(target_arch = "wasm32")]
mod record;
#[cfg(target_arch = "wasm32")]
mod state;
#[cfg(target_arch = "wasm32")]
mod zero;

#[cfg(target_arch = "wasm32")]
pub use page::{Props, close, show};
