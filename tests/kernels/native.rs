//! The scalar kernels against a definition written for reading, one element at a time.

use super::*;
use proptest::prelude::*;
use ringscope::engine::reduce::scalar;

/// What one element of `combine` must be. Binary64 has room for exact products and for sums
/// whose second rounding is harmless, `i64` for everything that then wraps to `i32`.
fn expected(op: ReduceOp, dtype: Dtype, a: u32, b: u32) -> u32 {
    match dtype {
        Dtype::F32 => {
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            expected_f32(op, x, y).to_bits()
        }
        Dtype::I32 => {
            let (x, y) = (i64::from(a as i32), i64::from(b as i32));
            let wide = match op {
                ReduceOp::Sum | ReduceOp::Mean(_) => x + y,
                ReduceOp::Product => x * y,
                ReduceOp::Max => x.max(y),
                ReduceOp::Min => x.min(y),
            };
            wide as u32
        }
    }
}

fn expected_f32(op: ReduceOp, x: f32, y: f32) -> f32 {
    let zeros = x == 0.0 && y == 0.0;
    let negative = (x.is_sign_negative(), y.is_sign_negative());
    match op {
        ReduceOp::Sum | ReduceOp::Mean(_) => (f64::from(x) + f64::from(y)) as f32,
        ReduceOp::Product => (f64::from(x) * f64::from(y)) as f32,
        ReduceOp::Max | ReduceOp::Min if x.is_nan() || y.is_nan() => f32::NAN,
        ReduceOp::Max if zeros => [0.0, -0.0][usize::from(negative == (true, true))],
        ReduceOp::Min if zeros => [-0.0, 0.0][usize::from(negative == (false, false))],
        ReduceOp::Max => x.max(y),
        ReduceOp::Min => x.min(y),
    }
}

fn expected_quotient(dtype: Dtype, a: u32, n: usize) -> u32 {
    match dtype {
        Dtype::F32 => ((f64::from(f32::from_bits(a)) / n as f64) as f32).to_bits(),
        Dtype::I32 => (i64::from(a as i32) / n as i64) as u32,
    }
}

fn combined(op: ReduceOp, dtype: Dtype, a: &[u32], b: &[u32], offsets: [usize; 2]) -> Vec<u32> {
    let mut acc = Operand::new(a, offsets[0]);
    scalar::combine(op, dtype, acc.bytes_mut(), Operand::new(b, offsets[1]).bytes_mut());
    acc.into_words()
}

fn check_all(a: &[u32], b: &[u32], offsets: [usize; 2]) {
    for (op, dtype) in ReduceOp::ALL.into_iter().flat_map(|op| Dtype::ALL.map(|d| (op, d))) {
        for (i, got) in combined(op, dtype, a, b, offsets).into_iter().enumerate() {
            let want = expected(op, dtype, a[i], b[i]);
            assert!(
                same(dtype, got, want),
                "{op:?} {dtype:?} of {:#x} and {:#x}: {got:#x}, not {want:#x}",
                a[i],
                b[i]
            );
        }
    }
}

fn word() -> impl Strategy<Value = u32> {
    prop_oneof![prop::sample::select(SPECIALS.to_vec()), any::<u32>()]
}

#[test]
fn every_pair_of_specials() {
    let pairs = SPECIALS.iter().flat_map(|&a| SPECIALS.iter().map(move |&b| (a, b)));
    let (a, b): (Vec<u32>, Vec<u32>) = pairs.unzip();
    check_all(&a, &b, [0, 0]);
}

#[test]
fn zeros_and_nan_do_not_depend_on_the_order() {
    const PLUS: u32 = 0x0000_0000;
    const MINUS: u32 = 0x8000_0000;
    let one = |op, a, b| combined(op, Dtype::F32, &[a], &[b], [0, 0])[0];
    for (a, b) in [(PLUS, MINUS), (MINUS, PLUS)] {
        assert_eq!(one(ReduceOp::Max, a, b), PLUS);
        assert_eq!(one(ReduceOp::Min, a, b), MINUS);
    }
    let (nan, big) = (f32::NAN.to_bits(), f32::INFINITY.to_bits());
    for op in ReduceOp::ALL {
        assert!(f32::from_bits(one(op, nan, big)).is_nan(), "{op:?}");
        assert!(f32::from_bits(one(op, big, nan)).is_nan(), "{op:?}");
    }
}

#[test]
#[should_panic(expected = "differ in length")]
fn unequal_lengths_are_refused() {
    scalar::combine(ReduceOp::Sum, Dtype::F32, &mut [0; 8], &[0; 4]);
}

#[test]
#[should_panic(expected = "inside an element")]
fn part_of_an_element_is_refused() {
    scalar::combine(ReduceOp::Sum, Dtype::F32, &mut [0; 6], &[0; 6]);
}

#[test]
#[should_panic(expected = "by 0 ranks")]
fn a_mean_over_nothing_is_refused() {
    scalar::divide(Dtype::I32, &mut [0; 4], 0);
}

proptest! {
    #[test]
    fn combine_is_the_definition(
        pairs in prop::collection::vec((word(), word()), 0..70),
        offsets in prop::array::uniform2(0usize..8),
    ) {
        let (a, b): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
        check_all(&a, &b, offsets);
    }

    #[test]
    fn divide_is_the_definition(
        words in prop::collection::vec(word(), 0..70),
        offset in 0usize..8,
        n in prop_oneof![1usize..70, Just(scalar::MAX_DIVISOR)],
    ) {
        for dtype in Dtype::ALL {
            let mut data = Operand::new(&words, offset);
            scalar::divide(dtype, data.bytes_mut(), n);
            for (&word, got) in words.iter().zip(data.into_words()) {
                let want = expected_quotient(dtype, word, n);
                prop_assert!(same(dtype, got, want), "{dtype:?} {word:#x} / {n}: {got:#x}");
            }
        }
    }

    #[test]
    fn multiply_is_the_definition(
        words in prop::collection::vec(word(), 0..70),
        offset in 0usize..8,
        factor in word(),
    ) {
        let mut data = Operand::new(&words, offset);
        scalar::multiply(data.bytes_mut(), f32::from_bits(factor));
        for (&word, got) in words.iter().zip(data.into_words()) {
            let want = expected(ReduceOp::Product, Dtype::F32, word, factor);
            prop_assert!(same(Dtype::F32, got, want), "{word:#x} * {factor:#x}: {got:#x}");
        }
    }
}
