//! Measuring collectives over sizes: a page, and the same for scripts. It is a part of the app,
//! `src/bin/bench.rs`, with workers of its own.

pub mod choice;
pub mod fit;
pub mod ladder;
pub mod plot;
pub mod record;
pub mod sketch;
pub mod tables;

#[cfg(target_arch = "wasm32")]
mod elsewhere;
#[cfg(target_arch = "wasm32")]
mod figure;
#[cfg(target_arch = "wasm32")]
mod files;
#[cfg(target_arch = "wasm32")]
mod form;
#[cfg(target_arch = "wasm32")]
mod kernels;
#[cfg(target_arch = "wasm32")]
mod measure;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod results;
#[cfg(target_arch = "wasm32")]
mod state;

#[cfg(target_arch = "wasm32")]
pub use measure::measure_for_scripts;
#[cfg(target_arch = "wasm32")]
pub use page::{Props, close, show};
