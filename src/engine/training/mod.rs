//! What training asks of the collectives.

pub mod zero;
