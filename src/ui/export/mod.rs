//! What leaves the page as a file: pure functions from what is shown to texts and bytes.
//!
//! | file | what it writes |
//! | --- | --- |
//! | [`gif`] | the run as a picture that moves |
//! | [`nccl_tests`] | the command that measures the scenario with nccl-tests |
//! | [`run_file`] | a recorded run, and reads it |
//! | [`svg`] | a frame of the stage as a picture that stands alone |
//! | [`torch`] | a program for `torchrun` that repeats the scenario on a cluster |
//! | [`trace_events`] | a run in the trace-event format, for Perfetto |

pub mod gif;
pub mod nccl_tests;
pub mod run_file;
pub mod svg;
pub mod torch;
pub mod trace_events;
