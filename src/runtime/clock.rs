//! Time behind one type: the only clock in the package.

/// Reads microseconds since an epoch that all ranks of a run share.
///
/// In the browser the epoch is the page's `performance.timeOrigin` in milliseconds: every worker
/// has a time origin of its own, and the difference puts all ranks on one time base.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    #[cfg(target_arch = "wasm32")]
    offset_ms: f64,
    #[cfg(not(target_arch = "wasm32"))]
    epoch: std::time::Instant,
}

#[cfg(not(target_arch = "wasm32"))]
impl Clock {
    /// A clock whose epoch is now.
    #[allow(clippy::disallowed_methods)] // The engine has no clock; a world does, and this is it.
    pub fn starting_now() -> Self {
        Clock { epoch: std::time::Instant::now() }
    }

    /// Microseconds since the epoch.
    pub fn now_us(&self) -> f64 {
        self.epoch.elapsed().as_nanos() as f64 / 1000.0
    }
}

#[cfg(target_arch = "wasm32")]
impl Clock {
    /// A clock with the given epoch, a `performance.timeOrigin`.
    pub fn since(epoch_ms: f64) -> Self {
        Clock { offset_ms: time_origin_ms() - epoch_ms }
    }

    /// Microseconds since the epoch.
    pub fn now_us(&self) -> f64 {
        (performance_now() + self.offset_ms) * 1000.0
    }
}

#[cfg(target_arch = "wasm32")]
mod browser {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        // The same in a page and in a worker.
        #[wasm_bindgen(js_namespace = performance, js_name = now)]
        pub(super) fn performance_now() -> f64;
    }

    /// When this page's or worker's `performance.now()` was 0, in milliseconds since 1970.
    pub fn time_origin_ms() -> f64 {
        let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into());
        performance.map_or(0.0, |p| p.unchecked_into::<web_sys::Performance>().time_origin())
    }
}

#[cfg(target_arch = "wasm32")]
use browser::performance_now;
#[cfg(target_arch = "wasm32")]
pub use browser::time_origin_ms;

/// Ticks that [`Clock::resolution_us`] looks at.
const TICKS: usize = 4;

/// How often it looks at most: some 200 ms in a browser, whose coarsest timers tick every 100 ms.
const LOOKS: usize = 2_000_000;

impl Clock {
    /// How coarse the clock is, found by looking: its smallest step, in microseconds.
    pub fn resolution_us(&self) -> f64 {
        let (mut last, mut smallest, mut ticks) = (self.now_us(), f64::INFINITY, 0);
        for _ in 0..LOOKS {
            let now = self.now_us();
            if now > last {
                smallest = smallest.min(now - last);
                last = now;
                ticks += 1;
            }
            if ticks == TICKS {
                break;
            }
        }
        // Sums of floats leave dust behind the last digit a browser means.
        let nanoseconds = (smallest * 1000.0).round();
        if nanoseconds.is_finite() { nanoseconds.max(1.0) / 1000.0 } else { 100_000.0 }
    }
}
