//! What several test crates share: the grid of all schedules, and reproducible randomness.
// Every test crate compiles this file and uses a part of it.
#![allow(dead_code)]

use ringscope::engine::algorithm::{ALL, Algorithm, Request};
use ringscope::engine::schedule::Schedule;

/// One cell of the grid.
#[derive(Clone, Copy)]
pub struct Case {
    pub algorithm: &'static Algorithm,
    pub request: Request,
}

impl Case {
    pub fn build(&self) -> Schedule {
        self.algorithm.build(&self.request).expect("the grid refuses nothing")
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.algorithm.name, self.request)
    }
}

/// Every algorithm, verb, group size, root, number of chunks and other choice that exists, in and
/// out of place.
pub fn grid(sizes: impl IntoIterator<Item = usize>, chunks: &[usize]) -> Vec<Case> {
    let mut cases = Vec::new();
    for ranks in sizes {
        for algorithm in &ALL {
            for &verb in algorithm.verbs {
                for request in algorithm.variations(verb, ranks) {
                    for root in 0..if verb.has_root() { ranks } else { 1 } {
                        for &chunks in chunks {
                            for in_place in [false, true] {
                                let request = Request { root, chunks, in_place, ..request };
                                if algorithm.refusal(&request).is_none() {
                                    cases.push(Case { algorithm, request });
                                }
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
