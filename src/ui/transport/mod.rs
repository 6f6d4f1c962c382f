//! The controls below the track: play, step, speed, loop, and the list of keys.

mod action;
mod range;

#[cfg(target_arch = "wasm32")]
mod bar;
#[cfg(target_arch = "wasm32")]
mod help;
#[cfg(target_arch = "wasm32")]
mod repeat;

pub use action::{Action, action_of};
pub use range::{RangeError, read};

#[cfg(target_arch = "wasm32")]
pub use action::key_action;
#[cfg(target_arch = "wasm32")]
pub use bar::{TransportProps, transport};
#[cfg(target_arch = "wasm32")]
pub use help::help;
