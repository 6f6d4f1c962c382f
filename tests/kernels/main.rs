//! The reduction kernels: the scalar ones against the plain arithmetic, conversions against all
//! numbers a type holds (natively), the vector kernels against the scalar ones (in a browser).
//!
//! `scripts/kernels` runs what takes too long for every day: narrowing of all 2^32 floats, and the
//! throughput of every kernel.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(not(target_arch = "wasm32"))]
mod rounding;
mod throughput;

use ringscope::engine::reduce::{Arithmetic, Dtype, ReduceOp};

/// Sebastiano Vigna's SplitMix64: every run tests the same values.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Bit patterns of `dtype`: every second one is special, the others are any bits.
    fn patterns(&mut self, dtype: Dtype, len: usize) -> Vec<u64> {
        let specials = specials(dtype);
        let pattern = |bits: u64| match bits & 1 {
            0 => specials[(bits >> 1) as usize % specials.len()],
            _ => (bits >> 1) & mask(dtype),
        };
        (0..len).map(|_| pattern(self.next())).collect()
    }
}

/// The bits that an element has.
fn mask(dtype: Dtype) -> u64 {
    u64::MAX >> (64 - 8 * dtype.size_bytes())
}

/// Bit patterns where kernels go wrong. Read as floats: zeros, subnormals, the smallest normal
/// number, numbers round 1, the largest ones, infinities and NaNs, quiet and signalling. Read as
/// integers: zero, the limits and their neighbours. All of either sign.
fn specials(dtype: Dtype) -> Vec<u64> {
    let sign = 1 << (8 * dtype.size_bytes() - 1);
    let fraction = dtype.format().map_or(3, |format| format.fraction as u32);
    let (normal, last) = (1 << fraction, sign - 1);
    let one = (last >> (fraction + 1)) << fraction;
    let infinity = (last >> fraction) << fraction;
    let positive = [
        0,
        1,
        normal - 1,
        normal,
        normal + 1,
        one,
        one + 1,
        one + normal - 1,
        infinity - normal,
        infinity - 1,
        infinity,
        infinity + 1,
        infinity | normal >> 1,
        last - 1,
        last,
    ];
    positive.into_iter().flat_map(|magnitude| [magnitude, magnitude | sign]).collect()
}

/// Every pair of two sets of patterns, as two operands.
fn every_pair(patterns: &[u64]) -> (Vec<u64>, Vec<u64>) {
    patterns.iter().flat_map(|&a| patterns.iter().map(move |&b| (a, b))).unzip()
}

/// Whether two elements are equal: the same bits, or both NaN.
fn same(dtype: Dtype, a: u64, b: u64) -> bool {
    a == b || (is_nan(dtype, a) && is_nan(dtype, b))
}

/// By what the formats' definitions say of NaN.
fn is_nan(dtype: Dtype, pattern: u64) -> bool {
    let magnitude = pattern & (mask(dtype) >> 1);
    match dtype {
        Dtype::F32 => magnitude > 0x7f80_0000,
        Dtype::F64 => magnitude > 0x7ff0_0000_0000_0000,
        Dtype::F16 => magnitude > 0x7c00,
        Dtype::Bf16 => magnitude > 0x7f80,
        Dtype::E4m3 => magnitude == 0x7f,
        Dtype::E5m2 => magnitude > 0x7c,
        Dtype::I8 | Dtype::U8 | Dtype::I32 | Dtype::I64 => false,
    }
}

/// Every operator on every type.
fn operations() -> impl Iterator<Item = (ReduceOp, Dtype)> {
    Dtype::ALL.into_iter().flat_map(|dtype| ReduceOp::ALL.map(|op| (op, dtype)))
}

/// Elements as little-endian bytes, starting `offset` bytes after an aligned address and followed
/// by a guard that no kernel may touch.
struct Operand {
    dtype: Dtype,
    storage: Vec<u64>,
    offset: usize,
    len: usize,
}

impl Operand {
    const GUARD: u8 = 0xa5;

    fn new(dtype: Dtype, patterns: &[u64], offset: usize) -> Operand {
        let (size, guard) = (dtype.size_bytes(), u64::from_ne_bytes([Operand::GUARD; 8]));
        let len = patterns.len() * size;
        let storage = vec![guard; (offset + len) / 8 + 3];
        let mut operand = Operand { dtype, storage, offset, len };
        for (bytes, pattern) in operand.bytes_mut().chunks_exact_mut(size).zip(patterns) {
            bytes.copy_from_slice(&pattern.to_le_bytes()[..size]);
        }
        operand
    }

    fn all(&mut self) -> &mut [u8] {
        let len = self.storage.len() * 8;
        // SAFETY: the bytes of `u64`s are initialised and may be read and written as `u8`s.
        unsafe { std::slice::from_raw_parts_mut(self.storage.as_mut_ptr().cast(), len) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let (from, to) = (self.offset, self.offset + self.len);
        &mut self.all()[from..to]
    }

    /// The elements, after checking that nothing around them was written.
    fn into_patterns(mut self) -> Vec<u64> {
        let (from, to, size) = (self.offset, self.offset + self.len, self.dtype.size_bytes());
        let all = self.all();
        let mut outside = all[..from].iter().chain(&all[to..]);
        assert!(outside.all(|&byte| byte == Operand::GUARD), "a byte outside the operand changed");
        let pattern = |element: &[u8]| {
            let mut bytes = [0; 8];
            bytes[..size].copy_from_slice(element);
            u64::from_le_bytes(bytes)
        };
        all[from..to].chunks_exact(size).map(pattern).collect()
    }
}

/// The first element in which two kernels that write their first operand differ.
fn difference(
    dtype: Dtype,
    patterns: &[u64],
    offset: usize,
    one: impl Fn(&mut [u8]),
    two: impl Fn(&mut [u8]),
) -> Option<String> {
    let run = |kernel: &dyn Fn(&mut [u8])| {
        let mut data = Operand::new(dtype, patterns, offset);
        kernel(data.bytes_mut());
        data.into_patterns()
    };
    let (one, two) = (run(&one), run(&two));
    let i = (0..patterns.len()).find(|&i| !same(dtype, one[i], two[i]))?;
    Some(format!(
        "{dtype:?} [{i}] of {}, offset {offset}: {:#x} -> {:#x}, {:#x}",
        patterns.len(),
        patterns[i],
        one[i],
        two[i]
    ))
}

/// The first element in which two arithmetics differ on small floats and `f32`s side by side:
/// widening `narrow`, adding it to `wide` and multiplying, and narrowing `wide`.
fn wide_difference(
    (one, two): (&Arithmetic, &Arithmetic),
    dtype: Dtype,
    (wide, narrow): (&[u64], &[u64]),
    offsets: [usize; 2],
) -> Option<String> {
    let mut small = Operand::new(dtype, narrow, offsets[1]);
    let mut words = Operand::new(Dtype::F32, wide, offsets[0]);
    let (small, words): (&[u8], &[u8]) = (small.bytes_mut(), words.bytes_mut());
    let accumulate = |with: &Arithmetic, op| {
        let accumulate = with.accumulate;
        move |acc: &mut [u8]| accumulate(op, dtype, acc, small)
    };
    let on_wide = |name: &str, one: &dyn Fn(&mut [u8]), two: &dyn Fn(&mut [u8])| {
        let found = difference(Dtype::F32, wide, offsets[0], one, two);
        found.map(|text| format!("{name} {dtype:?} {text}"))
    };
    let add = [one, two].map(|with| accumulate(with, ReduceOp::Sum));
    let multiply = [one, two].map(|with| accumulate(with, ReduceOp::Product));
    let widen = [one, two].map(|with| move |wide: &mut [u8]| (with.widen)(dtype, wide, small));
    let to = [one, two].map(|with| move |narrow: &mut [u8]| (with.narrow)(dtype, narrow, words));
    on_wide("widened", &widen[0], &widen[1])
        .or_else(|| on_wide("added", &add[0], &add[1]))
        .or_else(|| on_wide("multiplied", &multiply[0], &multiply[1]))
        .or_else(|| difference(dtype, narrow, offsets[1], to[0], to[1]))
}

/// The first element in which two arithmetics combine differently, each with an operator of its
/// own.
fn combine_difference(
    (one, two): (&Arithmetic, &Arithmetic),
    (op, other_op): (ReduceOp, ReduceOp),
    dtype: Dtype,
    (a, b): (&[u64], &[u64]),
    offsets: [usize; 2],
) -> Option<String> {
    let mut other = Operand::new(dtype, b, offsets[1]);
    let other: &[u8] = other.bytes_mut();
    let found = difference(
        dtype,
        a,
        offsets[0],
        |acc| (one.combine)(op, dtype, acc, other),
        |acc| (two.combine)(other_op, dtype, acc, other),
    );
    let into = |with: &Arithmetic, op, acc: &mut [u8]| {
        let left = acc.to_vec();
        acc.fill(0xa5);
        (with.combine_into)(op, dtype, acc, &left, other);
    };
    let found = found.or_else(|| {
        let (one, two) =
            (|acc: &mut [u8]| into(one, op, acc), |acc: &mut [u8]| into(two, other_op, acc));
        difference(dtype, a, offsets[0], one, two)
    });
    found.map(|text| format!("{op:?} {text}"))
}
