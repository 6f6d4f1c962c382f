//! The vector kernels against the scalar ones, in a browser.

use super::*;
use ringscope::engine::reduce::{scalar, simd128};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const BOTH: (&Arithmetic, &Arithmetic) = (&simd128::ARITHMETIC, &scalar::ARITHMETIC);

/// Longest operand in bytes: two unrolled blocks of 128 bytes, and an odd tail.
const MAX_BYTES: usize = 2 * 128 + 24;

/// Lengths of operands in elements, up to [`MAX_BYTES`].
fn lengths(dtype: Dtype) -> impl Iterator<Item = usize> {
    let most = MAX_BYTES / dtype.size_bytes();
    // Of bytes there are too many to try them all.
    (0..=most).filter(move |&len| len < 40 || len > most - 20 || len % 7 == 0)
}

#[wasm_bindgen_test]
fn combine_is_the_reference() {
    let mut random = SplitMix64(1);
    for (op, dtype) in operations() {
        for (len, offset) in lengths(dtype).flat_map(|len| (0..16).map(move |at| (len, at))) {
            let (a, b) = (random.patterns(dtype, len), random.patterns(dtype, len));
            let offsets = [offset, (random.next() % 16) as usize];
            assert_eq!(combine_difference(BOTH, (op, op), dtype, (&a, &b), offsets), None);
        }
    }
}

#[wasm_bindgen_test]
fn finite_numbers_combine_as_in_the_reference() {
    // Without infinities and NaNs: whole blocks take the short way, if a kernel has one.
    let mut random = SplitMix64(4);
    let finite = |dtype: Dtype, pattern: &u64| {
        let infinity = specials(dtype)[20];
        pattern & (mask(dtype) >> 1) < infinity
    };
    for (op, dtype) in operations().filter(|(_, dtype)| dtype.is_small_float()) {
        for _ in 0..200 {
            let mut operand = || -> Vec<u64> {
                let patterns = random.patterns(dtype, 1200);
                patterns.into_iter().filter(|p| finite(dtype, p)).take(500).collect()
            };
            let (a, b) = (operand(), operand());
            assert_eq!(a.len(), 500);
            assert_eq!(combine_difference(BOTH, (op, op), dtype, (&a, &b), [0, 0]), None);
        }
    }
}

#[wasm_bindgen_test]
fn every_pair_of_specials() {
    for (op, dtype) in operations() {
        let (a, b) = every_pair(&specials(dtype));
        assert_eq!(combine_difference(BOTH, (op, op), dtype, (&a, &b), [0, 0]), None);
    }
}

#[wasm_bindgen_test]
fn every_pair_of_bytes() {
    let bytes: Vec<u64> = (0..256).collect();
    let (a, b) = every_pair(&bytes);
    for (op, dtype) in operations().filter(|(_, dtype)| dtype.size_bytes() == 1) {
        assert_eq!(combine_difference(BOTH, (op, op), dtype, (&a, &b), [0, 0]), None);
    }
}

#[wasm_bindgen_test]
fn every_half_meets_others() {
    let mut random = SplitMix64(5);
    let all: Vec<u64> = (0..1 << 16).collect();
    for (op, dtype) in operations().filter(|(_, dtype)| dtype.size_bytes() == 2) {
        for _ in 0..8 {
            let others = random.patterns(dtype, all.len());
            assert_eq!(combine_difference(BOTH, (op, op), dtype, (&all, &others), [0, 0]), None);
        }
    }
}

#[wasm_bindgen_test]
fn a_wrong_operator_is_detected() {
    let mut random = SplitMix64(2);
    let ops = [ReduceOp::Sum, ReduceOp::Product, ReduceOp::Max, ReduceOp::Min];
    for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))).filter(|(i, j)| i != j) {
        for dtype in Dtype::ALL {
            let (a, b) = (random.patterns(dtype, 67), random.patterns(dtype, 67));
            let found = combine_difference(BOTH, (ops[i], ops[j]), dtype, (&a, &b), [0, 0]);
            assert!(found.is_some(), "{:?} passes for {:?} on {dtype:?}", ops[i], ops[j]);
        }
    }
}

#[wasm_bindgen_test]
fn scaling_is_the_reference() {
    let mut random = SplitMix64(3);
    let (vector, reference) = BOTH;
    for dtype in Dtype::ALL {
        for (len, offset) in lengths(dtype).flat_map(|len| [0, 1, 7, 15].map(|at| (len, at))) {
            let data = random.patterns(dtype, len);
            for n in [1, 2, 3, 7, 64, 1000, scalar::MAX_DIVISOR] {
                let divide = |with: &'static Arithmetic| {
                    move |data: &mut [u8]| (with.divide)(dtype, data, n)
                };
                let found = difference(dtype, &data, offset, divide(vector), divide(reference));
                assert_eq!(found, None, "/ {n}");
                if dtype.format().is_some() {
                    let scale = |with: &'static Arithmetic| {
                        move |data: &mut [u8]| (with.scale)(dtype, data, n)
                    };
                    let found = difference(dtype, &data, offset, scale(vector), scale(reference));
                    assert_eq!(found, None, "* 1/{n}");
                }
            }
        }
    }
}

#[wasm_bindgen_test]
fn small_floats_beside_f32s_are_the_reference() {
    let mut random = SplitMix64(6);
    for dtype in Dtype::ALL.into_iter().filter(|dtype| dtype.is_small_float()) {
        for (len, offset) in lengths(dtype).flat_map(|len| [0, 1, 7, 15].map(|at| (len, at))) {
            let (wide, narrow) = (random.patterns(Dtype::F32, len), random.patterns(dtype, len));
            let offsets = [offset, (random.next() % 16) as usize];
            assert_eq!(wide_difference(BOTH, dtype, (&wide, &narrow), offsets), None);
        }
        // All that the type has, on numbers that are ordinary to it.
        let all: Vec<u64> = (0..=mask(dtype)).collect();
        let bits = |value: f32| u64::from(value.to_bits());
        let ordinary: Vec<u64> = (0..all.len()).map(|i| bits(1.0 + i as f32 / 7.0)).collect();
        assert_eq!(wide_difference(BOTH, dtype, (&ordinary, &all), [0, 0]), None);
    }
}

#[wasm_bindgen_test]
fn narrowing_a_sample() {
    let (vector, reference) = BOTH;
    // A prime, so that all low bits are met with all high ones.
    let words: Vec<u64> = (0..=u64::from(u32::MAX)).step_by(100_003).collect();
    for dtype in Dtype::ALL.into_iter().filter(|dtype| dtype.is_small_float()) {
        let round = |with: &'static Arithmetic| move |data: &mut [u8]| (with.round)(dtype, data);
        for data in [&words[..], &specials(Dtype::F32), &words[..3]] {
            let found = difference(Dtype::F32, data, 3, round(vector), round(reference));
            assert_eq!(found, None, "{dtype:?}");
            let zeros = vec![0; data.len()];
            assert_eq!(wide_difference(BOTH, dtype, (data, &zeros), [3, 1]), None);
        }
    }
}
