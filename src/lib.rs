//! Ringscope: collective communication made visible.
//!
//! *engine* thinks, *runtime* runs, *ui* shows. One package, three rooms:
//!
//! - [`engine`]: what every verb means, every algorithm as one [`engine::schedule::Schedule`], the
//!   proof that it is right, its cost, and the rank machine that interprets it. Pure: no clock, no
//!   threads, no browser.
//! - [`runtime`]: drives rank machines for real, on native threads and on Web Workers.
//! - [`ui`]: the Yew page, which draws what a [`engine::trace::Trace`] says. Its words and its
//!   scenario (what the URL holds) are pure and compile everywhere; its components know the
//!   browser.

pub mod engine;
pub mod runtime;
#[cfg(feature = "page")]
pub mod ui;

/// The README's example is a test.
#[cfg(all(doctest, feature = "page"))]
#[doc = include_str!("../README.md")]
struct Readme;
