//! Files that leave the page, read back by readers that share nothing with what wrote them.
#![cfg(not(target_arch = "wasm32"))]

mod run_file;
mod svg;
mod torch;
mod trace_events;
