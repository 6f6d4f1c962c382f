//! The scalar kernels against the plain arithmetic, and that against the hardware.

use super::*;
use proptest::prelude::*;
use ringscope::engine::reduce::{plain, scalar};

const BOTH: (&Arithmetic, &Arithmetic) = (&scalar::ARITHMETIC, &plain::ARITHMETIC);

/// What one element of `combine` must be on types that the processor knows.
fn expected(op: ReduceOp, dtype: Dtype, a: u64, b: u64) -> Option<u64> {
    let add = matches!(op, ReduceOp::Sum | ReduceOp::Mean(_));
    if op.selects() {
        return None;
    }
    Some(match dtype {
        Dtype::F32 => {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            u64::from(if add { a + b } else { a * b }.to_bits())
        }
        Dtype::F64 => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            if add { a + b } else { a * b }.to_bits()
        }
        Dtype::I8 | Dtype::U8 | Dtype::I32 | Dtype::I64 => {
            let exact = if add { a.wrapping_add(b) } else { a.wrapping_mul(b) };
            exact & mask(dtype)
        }
        Dtype::F16 | Dtype::Bf16 | Dtype::E4m3 | Dtype::E5m2 => return None,
    })
}

fn combined(with: &Arithmetic, op: ReduceOp, dtype: Dtype, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut acc = Operand::new(dtype, a, 0);
    (with.combine)(op, dtype, acc.bytes_mut(), Operand::new(dtype, b, 0).bytes_mut());
    acc.into_patterns()
}

#[test]
fn every_pair_of_specials() {
    for (op, dtype) in operations() {
        let (a, b) = every_pair(&specials(dtype));
        assert_eq!(combine_difference(BOTH, (op, op), dtype, (&a, &b), [0, 0]), None);
        for (i, got) in combined(&plain::ARITHMETIC, op, dtype, &a, &b).into_iter().enumerate() {
            let want = expected(op, dtype, a[i], b[i]).unwrap_or(got);
            assert!(same(dtype, got, want), "{op:?} {dtype:?} {:#x} {:#x}", a[i], b[i]);
        }
    }
}

#[test]
fn every_pair_of_bytes() {
    let bytes: Vec<u64> = (0..256).collect();
    let (a, b) = every_pair(&bytes);
    for (op, dtype) in operations().filter(|(_, dtype)| dtype.size_bytes() == 1) {
        assert_eq!(combine_difference(BOTH, (op, op), dtype, (&a, &b), [0, 0]), None);
    }
}

#[test]
fn maxima_and_minima_follow_the_order_of_numbers() {
    for dtype in Dtype::ALL {
        let sign = 1u64 << (8 * dtype.size_bytes() - 1);
        let unsigned = dtype == Dtype::U8;
        // From the least to the largest: negative patterns of floats run backwards.
        let key = |pattern: u64| match pattern & sign {
            0 => i128::from(pattern),
            _ if unsigned => i128::from(pattern),
            _ if dtype.format().is_some() => -i128::from(pattern - sign) - 1,
            _ => i128::from(pattern) - 2 * i128::from(sign),
        };
        let (a, b) = every_pair(&specials(dtype));
        for op in [ReduceOp::Max, ReduceOp::Min] {
            for (i, got) in combined(&plain::ARITHMETIC, op, dtype, &a, &b).into_iter().enumerate()
            {
                if is_nan(dtype, a[i]) || is_nan(dtype, b[i]) {
                    assert!(is_nan(dtype, got), "{op:?} {dtype:?} drops NaN");
                    continue;
                }
                let (low, high) = if key(a[i]) < key(b[i]) { (a[i], b[i]) } else { (b[i], a[i]) };
                let want = if op == ReduceOp::Max { high } else { low };
                assert_eq!(got, want, "{op:?} {dtype:?} of {:#x} and {:#x}", a[i], b[i]);
            }
        }
    }
}

#[test]
fn fp8_saturates_and_halves_overflow() {
    let sum = |dtype, a| combined(&scalar::ARITHMETIC, ReduceOp::Sum, dtype, &[a], &[a])[0];
    assert_eq!(sum(Dtype::F16, 0x7bff), 0x7c00);
    assert_eq!(sum(Dtype::Bf16, 0xff7f), 0xff80);
    assert_eq!(sum(Dtype::E4m3, 0x7e), 0x7e);
    assert_eq!(sum(Dtype::E5m2, 0xfb), 0xfb);
    // An infinity that goes into fp8 arithmetic comes out as the largest number, too.
    assert_eq!(sum(Dtype::E5m2, 0x7c), 0x7b);
}

#[test]
#[should_panic(expected = "differ in length")]
fn unequal_lengths_are_refused() {
    scalar::combine(ReduceOp::Sum, Dtype::F32, &mut [0; 8], &[0; 4]);
}

#[test]
#[should_panic(expected = "inside an element")]
fn part_of_an_element_is_refused() {
    scalar::combine(ReduceOp::Sum, Dtype::I64, &mut [0; 12], &[0; 12]);
}

#[test]
#[should_panic(expected = "by 0 ranks")]
fn a_mean_over_nothing_is_refused() {
    scalar::divide(Dtype::I32, &mut [0; 4], 0);
}

#[test]
#[should_panic(expected = "integers are never scaled")]
fn integers_are_not_scaled() {
    scalar::scale(Dtype::U8, &mut [0; 4], 2);
}

#[test]
#[should_panic(expected = "differ in number")]
fn operands_of_two_types_have_as_many_elements() {
    scalar::accumulate(ReduceOp::Sum, Dtype::F16, &mut [0; 8], &[0; 6]);
}

#[test]
fn every_small_float_beside_f32s() {
    for dtype in Dtype::ALL.into_iter().filter(|dtype| dtype.is_small_float()) {
        let all: Vec<u64> = (0..=mask(dtype)).collect();
        let wide: Vec<u64> = specials(Dtype::F32).into_iter().cycle().take(all.len()).collect();
        assert_eq!(wide_difference(BOTH, dtype, (&wide, &all), [0, 0]), None);
    }
}

proptest! {
    #[test]
    fn combine_is_the_definition(seed: u64, len in 0usize..70, offsets: [u8; 2]) {
        let mut random = SplitMix64(seed);
        let offsets = offsets.map(|offset| usize::from(offset % 16));
        for (op, dtype) in operations() {
            let (a, b) = (random.patterns(dtype, len), random.patterns(dtype, len));
            let found = combine_difference(BOTH, (op, op), dtype, (&a, &b), offsets);
            prop_assert_eq!(found, None);
            let all = combined(&plain::ARITHMETIC, op, dtype, &a, &b);
            for (i, got) in all.into_iter().enumerate() {
                let want = expected(op, dtype, a[i], b[i]).unwrap_or(got);
                prop_assert!(same(dtype, got, want), "{op:?} {dtype:?} {:#x} {:#x}", a[i], b[i]);
            }
        }
    }

    #[test]
    fn scaling_is_the_definition(
        seed: u64,
        len in 0usize..70,
        offset in 0usize..16,
        n in prop_oneof![1usize..70, Just(scalar::MAX_DIVISOR)],
    ) {
        let mut random = SplitMix64(seed);
        for dtype in Dtype::ALL {
            let data = random.patterns(dtype, len);
            let (one, two) = BOTH;
            let divide = |with: &'static Arithmetic| move |x: &mut [u8]| (with.divide)(dtype, x, n);
            prop_assert_eq!(difference(dtype, &data, offset, divide(one), divide(two)), None);
            if dtype.format().is_some() {
                let scale =
                    |with: &'static Arithmetic| move |x: &mut [u8]| (with.scale)(dtype, x, n);
                prop_assert_eq!(difference(dtype, &data, offset, scale(one), scale(two)), None);
            }
            let words = random.patterns(Dtype::F32, len);
            if dtype.is_small_float() {
                let found = wide_difference(BOTH, dtype, (&words, &data), [offset, 3]);
                prop_assert_eq!(found, None);
            }
            let round = |with: &'static Arithmetic| move |x: &mut [u8]| (with.round)(dtype, x);
            if dtype.is_small_float() {
                let found = difference(Dtype::F32, &words, offset, round(one), round(two));
                prop_assert_eq!(found, None);
            }
        }
    }
}
