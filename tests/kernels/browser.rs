//! The vector kernels against the scalar ones, in a browser.

use super::*;
use ringscope::engine::reduce::{scalar, simd128};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Longest operand: two unrolled blocks of 32 elements, and an odd tail.
const MAX_LEN: usize = 67;

/// Sebastiano Vigna's SplitMix64: every run tests the same values.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Every second word is special, the others are any bits.
    fn words(&mut self, len: usize) -> Vec<u32> {
        let word = |bits: u64| match bits & 1 {
            0 => SPECIALS[(bits >> 1) as usize % SPECIALS.len()],
            _ => (bits >> 32) as u32,
        };
        (0..len).map(|_| word(self.next())).collect()
    }
}

/// The first element in which two kernels that write their first operand differ.
fn difference(
    dtype: Dtype,
    words: &[u32],
    offset: usize,
    one: impl Fn(&mut [u8]),
    two: impl Fn(&mut [u8]),
) -> Option<String> {
    let run = |kernel: &dyn Fn(&mut [u8])| {
        let mut data = Operand::new(words, offset);
        kernel(data.bytes_mut());
        data.into_words()
    };
    let (one, two) = (run(&one), run(&two));
    let i = (0..words.len()).find(|&i| !same(dtype, one[i], two[i]))?;
    let word = words[i];
    Some(format!(
        "[{i}] of {}, offset {offset}: {word:#x} -> {:#x}, {:#x}",
        words.len(),
        one[i],
        two[i]
    ))
}

fn combine_difference(
    (vector, reference): (ReduceOp, ReduceOp),
    dtype: Dtype,
    (a, b): (&[u32], &[u32]),
    offsets: [usize; 2],
) -> Option<String> {
    let mut other = Operand::new(b, offsets[1]);
    let other: &[u8] = other.bytes_mut();
    difference(
        dtype,
        a,
        offsets[0],
        |acc| simd128::combine(vector, dtype, acc, other),
        |acc| scalar::combine(reference, dtype, acc, other),
    )
}

#[wasm_bindgen_test]
fn combine_is_the_reference() {
    let mut random = SplitMix64(1);
    for (op, dtype) in ReduceOp::ALL.into_iter().flat_map(|op| Dtype::ALL.map(|d| (op, d))) {
        for (len, offset) in (0..=MAX_LEN).flat_map(|len| (0..16).map(move |at| (len, at))) {
            let (a, b) = (random.words(len), random.words(len));
            let offsets = [offset, (random.next() % 16) as usize];
            let found = combine_difference((op, op), dtype, (&a, &b), offsets);
            assert_eq!(found, None, "{op:?} {dtype:?}");
        }
    }
}

#[wasm_bindgen_test]
fn every_pair_of_specials() {
    let pairs = SPECIALS.iter().flat_map(|&a| SPECIALS.iter().map(move |&b| (a, b)));
    let (a, b): (Vec<u32>, Vec<u32>) = pairs.unzip();
    for (op, dtype) in ReduceOp::ALL.into_iter().flat_map(|op| Dtype::ALL.map(|d| (op, d))) {
        assert_eq!(combine_difference((op, op), dtype, (&a, &b), [0, 0]), None, "{op:?}");
    }
}

#[wasm_bindgen_test]
fn a_wrong_operator_is_detected() {
    let mut random = SplitMix64(2);
    let (a, b) = (random.words(MAX_LEN), random.words(MAX_LEN));
    let ops = [ReduceOp::Sum, ReduceOp::Product, ReduceOp::Max, ReduceOp::Min];
    for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))).filter(|(i, j)| i != j) {
        for dtype in Dtype::ALL {
            let found = combine_difference((ops[i], ops[j]), dtype, (&a, &b), [0, 0]);
            assert!(found.is_some(), "{:?} passes for {:?}", ops[i], ops[j]);
        }
    }
}

#[wasm_bindgen_test]
fn scaling_is_the_reference() {
    let mut random = SplitMix64(3);
    for (len, offset) in (0..=MAX_LEN).flat_map(|len| (0..16).map(move |at| (len, at))) {
        let words = random.words(len);
        for n in [1, 2, 3, 7, 64, 1000, scalar::MAX_DIVISOR] {
            for dtype in Dtype::ALL {
                let vector = |data: &mut [u8]| simd128::divide(dtype, data, n);
                let reference = |data: &mut [u8]| scalar::divide(dtype, data, n);
                assert_eq!(difference(dtype, &words, offset, vector, reference), None, "/ {n}");
            }
            let factor = 1.0 / n as f32;
            let vector = |data: &mut [u8]| simd128::multiply(data, factor);
            let reference = |data: &mut [u8]| scalar::multiply(data, factor);
            assert_eq!(difference(Dtype::F32, &words, offset, vector, reference), None, "* {n}");
        }
    }
}
