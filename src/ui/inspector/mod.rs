//! The right-hand side of the player: the sentence, the cost, the log and the program.
//!
//! Each panel works out from the time what it would show, and redraws only when that changes.

mod code;
mod contest;
mod cost;
mod log;
mod sentence;

pub use code::Code;
pub use contest::contest;
pub use cost::CostStrip;
pub use log::Log;
pub use sentence::Sentence;
