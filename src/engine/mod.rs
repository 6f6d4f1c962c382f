//! The engine: pure Rust on every target.
//!
//! Vocabulary, fixed here and never varied:
//!
//! | word | meaning |
//! | --- | --- |
//! | *rank* | one participant, numbered `0..n` inside its group |
//! | *peer* | the rank at the other end of a connection |
//! | *lane* | an ordered list of ops of one rank; lanes of a rank run side by side |
//! | *op* | one instruction: send, recv, reduce, copy or a fused form |
//! | *round*, *phase* | labels for people; costs follow from dependencies, never from labels |
//! | *chunk* | the unit of a schedule: what one slot of a buffer holds |
//! | *segment* | a piece of a chunk in flight |
//! | *span* | consecutive chunks of one buffer |
//! | *connection* | (sender, receiver, channel), first in first out |
//! | *slot* | room for one message on a connection |
//! | *label* | the number of a chunk in the whole vector; the hue on the page |

pub mod algorithm;
pub mod check;
pub mod collective;
pub mod cost;
pub mod memory;
pub mod oracle;
pub mod rank;
pub mod reduce;
pub mod region;
pub mod replay;
pub mod schedule;
pub mod simulate;
pub mod tensor;
pub mod trace;
pub mod training;

/// A participant's number inside its group, `0..n`.
pub type Rank = usize;

/// A chunk's number in the whole vector. The page gives each label its hue.
pub type Label = usize;

/// `items` in ascending order, each once.
pub(crate) fn distinct<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items.dedup();
    items
}
