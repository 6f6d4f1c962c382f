//! How fast a reduction is in wasm, from the first-level cache to memory, beside its scalar twin, a
//! loop in JavaScript, and a copy of the same bytes.

use crate::engine::reduce::plain::Values;
use crate::engine::reduce::{Arithmetic, Dtype, KERNELS, ReduceOp, scalar};
use crate::runtime::measure::median;

/// Operands, in bytes: a first-level cache holds two of the first, and none two of the last.
pub const OPERANDS: [usize; 6] = [8 << 10, 64 << 10, 512 << 10, 4 << 20, 16 << 20, 64 << 20];

/// Operators that there are kernels for.
pub const OPS: [ReduceOp; 4] = [ReduceOp::Sum, ReduceOp::Product, ReduceOp::Max, ReduceOp::Min];

/// Who competes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entrant {
    /// A copy of the same bytes: the roof.
    Copy,
    /// The kernel of 128-bit vectors.
    Simd,
    /// Its scalar twin.
    Scalar,
    /// A plain loop over typed arrays.
    JavaScript,
}

impl Entrant {
    /// All of them, the roof first.
    pub const ALL: [Entrant; 4] =
        [Entrant::Copy, Entrant::Simd, Entrant::Scalar, Entrant::JavaScript];
}

/// Rates on operands of one type and size, round by round, in bytes per microsecond: of each
/// entrant, in their order; of one that cannot take part there are none.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The type.
    pub dtype: Dtype,
    /// Bytes of an operand.
    pub bytes: usize,
    /// The rates.
    pub rates: [Vec<f64>; 4],
}

impl Rung {
    /// The median rate of an entrant.
    pub fn rate(&self, entrant: Entrant) -> Option<f64> {
        let rates = &self.rates[entrant as usize];
        (!rates.is_empty()).then(|| median(rates.clone()))
    }

    /// The median, over the rounds, of one entrant's rate over another's.
    pub fn ratio(&self, of: Entrant, to: Entrant) -> Option<f64> {
        let pairs = self.rates[of as usize].iter().zip(&self.rates[to as usize]);
        let ratios: Vec<f64> = pairs.map(|(of, to)| of / to).collect();
        (!ratios.is_empty()).then(|| median(ratios))
    }
}

/// Two operands of ones, of which products stay ordinary numbers.
pub struct Operands {
    dtype: Dtype,
    acc: Vec<u8>,
    other: Vec<u8>,
}

impl Operands {
    /// Operands of so many bytes at most.
    pub fn new(dtype: Dtype, most: usize) -> Self {
        let one = Values::typed(dtype, std::iter::once(1.0)).bytes(dtype);
        let ones = one.repeat(most / one.len());
        Operands { dtype, acc: ones.clone(), other: ones }
    }

    /// Lets an entrant work on the first `bytes` of both, so often; JavaScript has operands of its
    /// own.
    pub fn work(&mut self, entrant: Entrant, op: ReduceOp, bytes: usize, times: u32) {
        let (acc, other) = (&mut self.acc[..bytes], &self.other[..bytes]);
        let with: &Arithmetic = match entrant {
            Entrant::Copy => {
                for _ in 0..times {
                    // What is not looked at need not be copied.
                    std::hint::black_box(&mut *acc).copy_from_slice(std::hint::black_box(other));
                }
                return;
            }
            Entrant::Simd => &KERNELS,
            Entrant::Scalar => &scalar::ARITHMETIC,
            Entrant::JavaScript => return,
        };
        for _ in 0..times {
            (with.combine)(op, self.dtype, acc, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_medians_and_ratios_are_taken_round_by_round() {
        let rates = [vec![10.0, 20.0, 30.0], vec![5.0, 20.0, 60.0], vec![1.0, 2.0, 9.0], vec![]];
        let rung = Rung { dtype: Dtype::F32, bytes: 8192, rates };
        assert_eq!(rung.rate(Entrant::Simd), Some(20.0));
        assert_eq!(rung.rate(Entrant::JavaScript), None);
        assert_eq!(rung.ratio(Entrant::Simd, Entrant::Copy), Some(1.0));
        assert_eq!(rung.ratio(Entrant::Simd, Entrant::JavaScript), None);
    }

    #[test]
    fn entrants_do_the_work() {
        for entrant in [Entrant::Simd, Entrant::Scalar] {
            let mut operands = Operands::new(Dtype::I32, 64);
            operands.work(entrant, ReduceOp::Sum, 32, 3);
            let [four, one] = [4i32, 1].map(|n| n.to_le_bytes().repeat(8));
            assert_eq!(operands.acc, [four, one.clone()].concat());
            operands.work(Entrant::Copy, ReduceOp::Sum, 32, 1);
            assert_eq!(operands.acc, [one.clone(), one].concat());
        }
    }
}
