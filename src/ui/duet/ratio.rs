//! How much longer an AllReduce takes than an AllGather, size by size.

use crate::engine::collective::Verb;
use crate::runtime::measure::median;

/// The sizes that are measured, in bytes, ascending.
pub const SIZES: [u64; 4] = [4 << 10, 64 << 10, 512 << 10, 4 << 20];
/// Batches of which the median is taken.
pub const BATCHES: usize = 5;
/// The calls of a batch: taken in turns, so that a slow moment of the machine hits all of them.
pub const CALLS: [Verb; 3] = [Verb::AllReduce, Verb::ReduceScatter, Verb::AllGather];

/// What was measured at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The whole vector, in bytes.
    pub bytes: u64,
    /// Times of [`CALLS`], in microseconds.
    pub us: [f64; 3],
}

impl Sample {
    /// The medians of what the batches measured.
    pub fn new(bytes: u64, batches: &[[f64; 3]]) -> Sample {
        let of = |call: usize| median(batches.iter().map(|batch| batch[call]).collect());
        Sample { bytes, us: [of(0), of(1), of(2)] }
    }

    /// AllReduce's time over AllGather's.
    pub fn ratio(&self) -> f64 {
        self.us[0] / self.us[2].max(f64::MIN_POSITIVE)
    }
}

/// Whether latency decides at this sample: an AllGather takes less than twice as long as that of
/// the smallest size.
pub fn latency_decides(samples: &[Sample], sample: &Sample) -> bool {
    samples.first().is_some_and(|smallest| sample.us[2] < 2.0 * smallest.us[2])
}

/// Whether latency hides a part of the ratio: it is clearly smaller at the smallest size than at
/// the largest.
pub fn hides(samples: &[Sample]) -> bool {
    const CLEARLY: f64 = 0.9;
    match samples {
        [first, .., last] => first.ratio() < CLEARLY * last.ratio(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_what_they_say() {
        let small =
            Sample::new(1, &[[120.0, 100.0, 100.0], [130.0, 90.0, 90.0], [110.0, 1.0, 110.0]]);
        assert_eq!((small.us, small.ratio()), ([120.0, 90.0, 100.0], 1.2));
        let large = Sample { bytes: 9, us: [2000.0, 1000.0, 1000.0] };
        assert!(hides(&[small, large]) && !hides(&[large, large]) && !hides(&[small]));
        assert!(latency_decides(&[small, large], &small));
        assert!(!latency_decides(&[small, large], &large));
    }
}
