//! Widening and narrowing against the numbers that a type holds, all of them in order.

use super::*;
use ringscope::engine::reduce::plain::Values;
use ringscope::engine::reduce::small::{Bf16, E4m3, E5m2, F16, Small, narrow, widen};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// A type under test: its patterns' values, and both ways of the kernels.
struct Type {
    dtype: Dtype,
    widen: fn(u32) -> f32,
    narrow: fn(f32) -> u32,
    /// What a value beyond the range becomes.
    beyond: u32,
}

fn of<S: Small>(dtype: Dtype) -> Type {
    Type { dtype, widen: widen::<S>, narrow: narrow::<S>, beyond: S::BEYOND }
}

fn types() -> [Type; 4] {
    [
        of::<F16>(Dtype::F16),
        of::<Bf16>(Dtype::Bf16),
        of::<E4m3>(Dtype::E4m3),
        of::<E5m2>(Dtype::E5m2),
    ]
}

fn sign(dtype: Dtype) -> u32 {
    1 << (8 * dtype.size_bytes() - 1)
}

/// What the plain arithmetic makes of floats.
fn plainly(dtype: Dtype, floats: Vec<f64>) -> Vec<u32> {
    let mut values = Values::Floats(floats);
    values.round(dtype);
    let bytes = values.bytes(dtype);
    let pattern =
        |element: &[u8]| element.iter().rev().fold(0, |p, &byte| p << 8 | u32::from(byte));
    bytes.chunks_exact(dtype.size_bytes()).map(pattern).collect()
}

/// The values that the plain arithmetic sees in patterns.
fn values(dtype: Dtype, patterns: impl IntoIterator<Item = u32>) -> Vec<f32> {
    let size = dtype.size_bytes();
    let bytes = patterns.into_iter().flat_map(|p| p.to_le_bytes().into_iter().take(size));
    let values = Values::read(dtype, &bytes.collect::<Vec<_>>());
    values.floats().iter().map(|&value| value as f32).collect()
}

#[test]
fn widening_all_patterns() {
    for Type { dtype, widen, narrow, .. } in types() {
        for (pattern, value) in (0..).zip(values(dtype, 0..2 * sign(dtype))) {
            if is_nan(dtype, pattern.into()) {
                assert!(widen(pattern).is_nan() && value.is_nan(), "{dtype:?} {pattern:#x}");
                assert!(is_nan(dtype, narrow(widen(pattern)).into()));
                continue;
            }
            assert_eq!(widen(pattern).to_bits(), value.to_bits(), "{dtype:?} {pattern:#x}");
            // fp8 arithmetic has no infinities.
            let back = narrow(value);
            let same = back == pattern || (value.is_infinite() && dtype == Dtype::E5m2);
            assert!(same, "{dtype:?} {pattern:#x} comes back as {back:#x}");
        }
    }
}

#[test]
fn patterns_mean_what_the_formats_say() {
    for (dtype, pattern, value) in [
        (Dtype::F16, 0x3c00, 1.0),
        (Dtype::F16, 0x0001, 2f32.powi(-24)),
        (Dtype::F16, 0x0400, 2f32.powi(-14)),
        (Dtype::F16, 0xfbff, -65504.0),
        (Dtype::F16, 0x3555, 0.333_251_95),
        (Dtype::F16, 0xfc00, f32::NEG_INFINITY),
        (Dtype::E4m3, 0x38, 1.0),
        (Dtype::E4m3, 0x01, 2f32.powi(-9)),
        (Dtype::E4m3, 0x08, 2f32.powi(-6)),
        (Dtype::E4m3, 0xfe, -448.0),
        (Dtype::E5m2, 0x3c, 1.0),
        (Dtype::E5m2, 0x01, 2f32.powi(-16)),
        (Dtype::E5m2, 0x04, 2f32.powi(-14)),
        (Dtype::E5m2, 0x7b, 57344.0),
        (Dtype::E5m2, 0xfc, f32::NEG_INFINITY),
    ] {
        assert_eq!(values(dtype, [pattern]), [value], "{dtype:?} {pattern:#x}");
    }
    for (pattern, got) in (0..).zip(values(Dtype::Bf16, 0..=0xffff)) {
        let want = f32::from_bits(pattern << 16);
        assert!(got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()));
    }
}

#[test]
fn between_two_numbers_the_nearer_or_the_even_one() {
    for Type { dtype, widen, narrow, beyond } in types() {
        let largest = (0..sign(dtype)).rev().find(|&p| widen(p).is_finite()).expect("numbers");
        for low in 0..largest {
            let middle = ((f64::from(widen(low)) + f64::from(widen(low + 1))) / 2.0) as f32;
            let even = low + (low & 1);
            let (below, above) = (middle.next_down(), middle.next_up());
            for (value, want) in [(below, low), (middle, even), (above, low + 1)] {
                // Half of the smallest bf16 is a whole f32, but not everything near it is.
                assert_eq!(narrow(value), want, "{dtype:?}: {value:e}");
                assert_eq!(narrow(-value), want | sign(dtype), "{dtype:?}: -{value:e}");
            }
        }
        // As if the next binade went on: its first number is where the range ends.
        let step = f64::from(widen(largest)) - f64::from(widen(largest - 1));
        let middle = (f64::from(widen(largest)) + step / 2.0) as f32;
        assert_eq!(narrow(middle.next_down()), largest, "{dtype:?}");
        for value in [middle, middle.next_up(), f32::MAX, f32::INFINITY] {
            assert_eq!(narrow(value), beyond, "{dtype:?}: {value:e}");
        }
    }
}

/// Floats that are looked at together.
const RANGE: u64 = 1 << 22;

/// Narrows every `step`-th `f32` of a range; returns how many. NaN stays NaN, all others become
/// what the plain arithmetic says.
fn narrow_range(of: &Type, range: u64, step: u64) -> usize {
    let first = (range * RANGE).next_multiple_of(step);
    let floats = (first..(range + 1) * RANGE).step_by(step as usize);
    let floats: Vec<f32> = floats.map(|bits| f32::from_bits(bits as u32)).collect();
    let plain = plainly(of.dtype, floats.iter().copied().map(f64::from).collect());
    for (&value, want) in floats.iter().zip(plain) {
        let got = (of.narrow)(value);
        let fine = if value.is_nan() { is_nan(of.dtype, got.into()) } else { got == want };
        assert!(fine, "{:?} {:#x}: {got:#x}", of.dtype, value.to_bits());
    }
    floats.len()
}

/// Narrows every `step`-th `f32` to every type, on all cores.
fn narrow_every(step: u64) {
    let (types, next) = (types(), AtomicU64::new(0));
    let work = || {
        let mut narrowed = 0;
        loop {
            let range = next.fetch_add(1, Ordering::Relaxed);
            if range >= (1 << 32) / RANGE {
                return narrowed;
            }
            narrowed += types.iter().map(|of| narrow_range(of, range, step)).sum::<usize>();
        }
    };
    let narrowed: usize = thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("it narrows")).sum()
    });
    let all = (1u64 << 32).div_ceil(step) as usize * types.len();
    println!("{narrowed} floats narrowed, to {} types together", types.len());
    assert_eq!(narrowed, all);
}

#[test]
fn narrowing_a_sample() {
    // A prime, so that all low bits are met with all high ones.
    narrow_every(10_007);
}

#[test]
#[ignore = "takes a minute or two, optimised: all 2^32 floats, to every small type"]
fn narrowing_all() {
    narrow_every(1);
}
