//! Split and Concat: what looks like communication in framework source and is not.
//!
//! Both are local. Split cuts a tensor along a dimension into blocks that each lie together in
//! memory; Concat puts blocks back. They are also what makes a collective work along any dimension:
//! AllGather along dim 1 is an AllGather of the blocks, then a Concat along dim 1; ReduceScatter
//! along dim 1 is a Split along dim 1, then a ReduceScatter of the blocks.
//!
//! Example: a 2 x 4 tensor `0 1 2 3 / 4 5 6 7`, split along dim 1 for 2 ranks, gives the blocks
//! `0 1 4 5` and `2 3 6 7`; split along dim 0 it gives `0 1 2 3` and `4 5 6 7`, and nothing moves.

use super::collective::balanced;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The shape of a row-major tensor and the dimension along which ranks share it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tensor {
    /// Extents, outermost first; at least one.
    pub shape: Vec<usize>,
    /// The dimension that is cut, below `shape.len()`.
    pub dim: usize,
}

impl Tensor {
    /// A vector of `len` elements.
    pub fn flat(len: usize) -> Self {
        Tensor { shape: vec![len], dim: 0 }
    }

    /// Number of elements; `None` if it does not fit a `usize`.
    pub fn elements(&self) -> Option<usize> {
        self.shape.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))
    }

    /// Elements in one step along the cut dimension.
    fn inner(&self) -> usize {
        self.shape[self.dim + 1..].iter().product()
    }

    /// Number of consecutive stretches each block consists of.
    fn outer(&self) -> usize {
        self.shape[..self.dim].iter().product()
    }

    /// Elements in block `block` of `blocks`.
    pub fn block_len(&self, blocks: usize, block: usize) -> usize {
        self.outer() * balanced(self.shape[self.dim], blocks, block).len() * self.inner()
    }

    /// Whether the blocks lie together in memory already, so that Split and Concat move nothing.
    pub fn contiguous(&self) -> bool {
        self.outer() == 1
    }

    /// Where the elements of `block` lie in the whole tensor, stretch by stretch.
    pub fn stretches(&self, blocks: usize, block: usize) -> impl Iterator<Item = Range<usize>> {
        let (extent, inner) = (self.shape[self.dim], self.inner());
        let part = balanced(extent, blocks, block);
        (0..self.outer()).map(move |row| {
            let start = row * extent * inner;
            start + part.start * inner..start + part.end * inner
        })
    }
}

/// Reorders a whole tensor so that each of `blocks` blocks lies together, one after the other.
///
/// `data` holds `tensor.elements()` elements of `size_bytes` bytes each.
pub fn split(tensor: &Tensor, blocks: usize, size_bytes: usize, data: &[u8]) -> Vec<u8> {
    let mut parts = Vec::with_capacity(data.len());
    for block in 0..blocks {
        for stretch in tensor.stretches(blocks, block) {
            parts.extend_from_slice(&data[stretch.start * size_bytes..stretch.end * size_bytes]);
        }
    }
    parts
}

/// Puts blocks that lie one after the other back into a whole tensor: the inverse of [`split`].
pub fn concat(tensor: &Tensor, blocks: usize, size_bytes: usize, parts: &[u8]) -> Vec<u8> {
    let mut data = vec![0; parts.len()];
    let mut at = 0;
    for block in 0..blocks {
        for stretch in tensor.stretches(blocks, block) {
            let target = stretch.start * size_bytes..stretch.end * size_bytes;
            let len = target.len();
            data[target].copy_from_slice(&parts[at..at + len]);
            at += len;
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_then_concat_is_the_identity_for_every_dimension_and_uneven_parts() {
        let shape = vec![3, 5, 2];
        let data: Vec<u8> = (0..30).collect();
        for dim in 0..3 {
            for blocks in 1..=6 {
                let tensor = Tensor { shape: shape.clone(), dim };
                let parts = split(&tensor, blocks, 1, &data);
                assert_eq!(concat(&tensor, blocks, 1, &parts), data);
                let lens: usize = (0..blocks).map(|b| tensor.block_len(blocks, b)).sum();
                assert_eq!(lens, 30);
            }
        }
    }

    #[test]
    fn columns_come_together() {
        let tensor = Tensor { shape: vec![2, 4], dim: 1 };
        assert_eq!(split(&tensor, 2, 1, &[0, 1, 2, 3, 4, 5, 6, 7]), [0, 1, 4, 5, 2, 3, 6, 7]);
    }
}
