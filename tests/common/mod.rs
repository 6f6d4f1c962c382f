//! What several test crates share: the grid of all schedules, and reproducible randomness.
// Every test crate compiles this file and uses a part of it.
#![allow(dead_code)]

use ringscope::engine::algorithm::{ALL, Algorithm};
use ringscope::engine::collective::Verb;
use ringscope::engine::schedule::Schedule;

/// One cell of the grid.
#[derive(Clone, Copy)]
pub struct Case {
    pub algorithm: &'static Algorithm,
    pub verb: Verb,
    pub ranks: usize,
    pub root: usize,
    pub pieces: usize,
    pub in_place: bool,
}

impl Case {
    pub fn build(&self) -> Schedule {
        let Case { algorithm, verb, ranks, root, pieces, in_place } = *self;
        algorithm.build(verb, ranks, root, pieces, in_place).expect("the grid refuses nothing")
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Case { algorithm, verb, ranks, root, pieces, in_place } = self;
        let place = if *in_place { "in place" } else { "out of place" };
        write!(f, "{} {} n={ranks} root={root} x{pieces} {place}", algorithm.name, verb.name())
    }
}

/// Every algorithm, verb, group size, root and number of pieces that exist, in and out of place.
pub fn grid(sizes: impl IntoIterator<Item = usize>, pieces: &[usize]) -> Vec<Case> {
    let mut cases = Vec::new();
    for ranks in sizes {
        for algorithm in &ALL {
            for &verb in algorithm.verbs {
                for root in 0..if verb.has_root() { ranks } else { 1 } {
                    for &pieces in pieces {
                        for in_place in [false, true] {
                            if algorithm.refusal(verb, ranks, root, in_place).is_none() {
                                cases.push(Case { algorithm, verb, ranks, root, pieces, in_place });
                            }
                        }
                    }
                }
            }
        }
    }
    cases
}

/// SplitMix64: the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `end`, which is at least 1.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
