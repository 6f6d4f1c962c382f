//! The track: time as a picture, and the scrubber at the same time.
//!
//! [`geometry`] computes where everything goes and compiles everywhere; the rest is Yew. The
//! picture is as many pixels wide as its place on the page, so text is never stretched. What stands
//! still is one component and what moves with time another: a frame draws the playhead only.

pub mod geometry;
mod rows;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "wasm32")]
mod layer;
#[cfg(target_arch = "wasm32")]
mod table;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(target_arch = "wasm32")]
pub use layer::legend;
#[cfg(target_arch = "wasm32")]
pub use table::Table as MessageTable;
#[cfg(target_arch = "wasm32")]
pub use view::Timeline;
