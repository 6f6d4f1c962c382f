//! One rank: a Web Worker that runs its part of every collective call.
fn main() {
    #[cfg(target_arch = "wasm32")]
    ringscope::runtime::worker::start();
}
