//! The reduction kernels: the scalar ones against a per-element definition (natively), the vector
//! ones against the scalar ones (in a browser).

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod native;

use ringscope::engine::reduce::{Dtype, ReduceOp};

/// Bit patterns where kernels go wrong. Read as `f32`: zeros, subnormals, ones, limits, infinities
/// and NaNs of either sign, quiet and signalling. Read as `i32`: 0, 1, MIN, MAX and -1.
const SPECIALS: [u32; 20] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f80_0001,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0001,
    0x7f80_0001,
    0xff80_0001,
    0x7fff_ffff,
    0xffff_ffff,
];

/// Whether two elements are equal: the same bits, or both NaN.
fn same(dtype: Dtype, a: u32, b: u32) -> bool {
    let is_nan = |bits| dtype == Dtype::F32 && f32::from_bits(bits).is_nan();
    a == b || (is_nan(a) && is_nan(b))
}

/// The elements of `words` as little-endian bytes, starting `offset` bytes after an aligned address
/// and followed by a guard that no kernel may touch.
struct Operand {
    storage: Vec<u64>,
    offset: usize,
    len: usize,
}

impl Operand {
    const GUARD: u8 = 0xa5;

    fn new(words: &[u32], offset: usize) -> Operand {
        let len = words.len() * 4;
        let guard = u64::from_ne_bytes([Operand::GUARD; 8]);
        let mut operand = Operand { storage: vec![guard; (offset + len) / 8 + 3], offset, len };
        for (bytes, word) in operand.bytes_mut().chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
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
    fn into_words(mut self) -> Vec<u32> {
        let (from, to) = (self.offset, self.offset + self.len);
        let all = self.all();
        let mut outside = all[..from].iter().chain(&all[to..]);
        assert!(outside.all(|&byte| byte == Operand::GUARD), "a byte outside the operand changed");
        all[from..to].as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }
}
