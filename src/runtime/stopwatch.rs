//! How fast a rank's kernel is: timed as it works where the clock can tell, else found out later.

use super::clock::Clock;
use super::protocol::{Counters, ReduceTiming};
use crate::engine::reduce::{KERNELS, Reduction};

/// Reductions of fewer bytes are never timed one by one: they are shorter than any clock's ten
/// ticks.
const TIMED_BYTES_MIN: usize = 64 * 1024;

/// Ticks of the clock that make a duration worth keeping.
const TICKS: f64 = 10.0;

/// A calibration doubles its batch at most this often, whatever the clock says.
const DOUBLINGS_MAX: u32 = 24;

/// Times the kernel of one rank in one call.
pub struct Stopwatch {
    clock: Clock,
    resolution_us: f64,
    /// Bytes, of those that the counters have, whose time they have as well.
    timed_bytes: u64,
    /// The kernel's time per byte, if it had to be found out.
    us_per_byte: Option<f64>,
}

impl Stopwatch {
    /// One that has timed nothing, with the clock's tick.
    pub fn new(clock: Clock, resolution_us: f64) -> Self {
        Stopwatch { clock, resolution_us, timed_bytes: 0, us_per_byte: None }
    }

    /// To be told when the counters count from zero again.
    pub fn reset(&mut self) {
        self.timed_bytes = 0;
    }

    /// Lets the kernel work on so many bytes, and counts that.
    pub fn time<R>(
        &mut self,
        counters: &mut Counters,
        bytes: usize,
        work: impl FnOnce() -> R,
    ) -> R {
        counters.reduced_bytes += bytes as u64;
        if bytes < TIMED_BYTES_MIN {
            return work();
        }
        let begun = self.clock.now_us();
        let result = work();
        let elapsed = self.clock.now_us() - begun;
        if elapsed >= TICKS * self.resolution_us {
            counters.reduce_us += elapsed;
            self.timed_bytes += bytes as u64;
        }
        result
    }

    /// Finds out, once, how fast the kernel is on `operand`, unless all that `counters` have was
    /// long enough to be timed. It may take ten ticks of the clock.
    pub fn calibrate(&mut self, counters: &Counters, reduction: Reduction, operand: &[u8]) {
        if self.timed_bytes != counters.reduced_bytes && self.us_per_byte.is_none() {
            self.us_per_byte = Some(self.us_per_byte(reduction, operand));
        }
    }

    /// Fills in the kernel's time in `told`, which `counters` have been, as far as it is known.
    pub fn tell(&self, counters: &Counters, told: &mut Counters) {
        if told.reduced_bytes == 0 {
            return;
        }
        if self.timed_bytes == counters.reduced_bytes {
            told.reduce_timing = Some(ReduceTiming::InRun);
        } else if let Some(us_per_byte) = self.us_per_byte {
            told.reduce_timing = Some(ReduceTiming::Calibrated);
            told.reduce_us = told.reduced_bytes as f64 * us_per_byte;
        }
    }

    /// Microseconds per byte of the kernel on `operand`.
    fn us_per_byte(&self, reduction: Reduction, operand: &[u8]) -> f64 {
        let mut sum = reduction.sum_of(&KERNELS, operand.to_vec());
        let mut batch = 1u32;
        loop {
            let begun = self.clock.now_us();
            for _ in 0..batch {
                reduction.combine(&KERNELS, &mut sum, operand);
            }
            let elapsed = self.clock.now_us() - begun;
            if elapsed >= TICKS * self.resolution_us || batch >> DOUBLINGS_MAX != 0 {
                return elapsed / (f64::from(batch) * operand.len() as f64);
            }
            batch *= 2;
        }
    }
}
