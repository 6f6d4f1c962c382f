//! A rank's bytes, parts of which may be lent to other ranks.
//!
//! Where ranks share memory, a receiver works straight out of its sender's bytes. This file is all
//! the unsafe code that takes.
//!
//! **Why it is sound.** Only the owner of a [`Region`] writes, through `&mut`, and everybody else
//! reads, through a [`Loan`]. They could only meet if the owner wrote what is out on loan, and
//! whoever calls [`Region::lend`] promises that it does not. In a run the promise is kept by
//! [`lending`](super::check::lending), which proves for each message that every later write to its
//! span comes after the op that consumes it; and a run ends, and the next begins, only when all
//! that was lent has been consumed. A slice is made of just the bytes that are asked for, so
//! writing one part never touches a reference to another. The allocation is counted, and lives as
//! long as its last loan, whatever becomes of the owner. Builds with debug assertions keep a list
//! of all loans and panic at the first write that breaks the promise.

use std::cell::UnsafeCell;
use std::ops::{Index, IndexMut, Range};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes with one owner.
#[derive(Debug)]
pub struct Region(Arc<Cells>);

#[derive(Debug)]
struct Cells {
    bytes: Box<[UnsafeCell<u8>]>,
    /// What is out on loan; kept with debug assertions only.
    lent: Mutex<Vec<Range<usize>>>,
}

// SAFETY: the bytes are written only through the one `Region`, and what others read meanwhile is
// not written: that is what `Region::lend` asks for.
unsafe impl Sync for Cells {}

/// Bytes of a region that somebody else may read until this is dropped.
#[derive(Debug)]
pub struct Loan {
    cells: Arc<Cells>,
    range: Range<usize>,
}

impl Cells {
    /// The address of a range that lies inside.
    fn start(&self, range: &Range<usize>) -> *mut u8 {
        UnsafeCell::raw_get(self.bytes[range.clone()].as_ptr())
    }

    /// Lets `work` see the list of loans.
    fn with_loans(&self, work: impl FnOnce(&mut Vec<Range<usize>>)) {
        if cfg!(debug_assertions) {
            work(&mut self.lent.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Region {
    /// `len` zeros.
    pub fn zeroed(len: usize) -> Self {
        let bytes: *mut [u8] = Box::into_raw(vec![0; len].into_boxed_slice());
        // SAFETY: the box was just given up, and an `UnsafeCell<u8>` is laid out like a `u8`.
        let bytes = unsafe { Box::from_raw(bytes as *mut [UnsafeCell<u8>]) };
        Region(Arc::new(Cells { bytes, lent: Mutex::default() }))
    }

    /// Lets another rank read a range.
    ///
    /// # Safety
    /// Until the loan is dropped, nothing writes the range.
    pub unsafe fn lend(&self, range: Range<usize>) -> Loan {
        self.0.with_loans(|lent| lent.push(range.clone()));
        Loan { cells: Arc::clone(&self.0), range }
    }

    /// One range to write, another to read.
    ///
    /// # Panics
    /// If they overlap.
    pub fn pair(&mut self, write: Range<usize>, read: Range<usize>) -> (&mut [u8], &[u8]) {
        assert!(disjoint(&write, &read), "{write:?} is written while {read:?} is read");
        let (start, len) = (self.0.start(&read), read.len());
        // SAFETY: the bytes are inside, initialised, and not part of what is written.
        let read = unsafe { std::slice::from_raw_parts(start, len) };
        (&mut self[write], read)
    }

    /// Copies a range to another place, which it may overlap.
    pub fn copy_within(&mut self, from: Range<usize>, to: usize) {
        let target = self.writable(&(to..to + from.len()));
        // SAFETY: both ranges are inside, and `self` is borrowed mutably.
        unsafe { std::ptr::copy(self.0.start(&from), target, from.len()) };
    }

    /// The address of a range that is about to be written.
    fn writable(&mut self, range: &Range<usize>) -> *mut u8 {
        self.0.with_loans(|lent| {
            let hit = lent.iter().find(|lent| !disjoint(lent, range));
            assert!(hit.is_none(), "{range:?} is written while {hit:?} is lent");
        });
        self.0.start(range)
    }
}

/// Whether two ranges have nothing in common.
pub fn disjoint(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.is_empty() || b.is_empty() || a.end <= b.start || b.end <= a.start
}

impl Clone for Region {
    fn clone(&self) -> Self {
        let mut copy = Region::zeroed(self.0.bytes.len());
        let all = 0..self.0.bytes.len();
        copy[all.clone()].copy_from_slice(&self[all]);
        copy
    }
}

impl Index<Range<usize>> for Region {
    type Output = [u8];

    fn index(&self, range: Range<usize>) -> &[u8] {
        // SAFETY: the bytes are inside and initialised, and only `&mut self` could write them.
        unsafe { std::slice::from_raw_parts(self.0.start(&range), range.len()) }
    }
}

impl IndexMut<Range<usize>> for Region {
    fn index_mut(&mut self, range: Range<usize>) -> &mut [u8] {
        // SAFETY: the bytes are inside and initialised; nobody else has them, for `self` is
        // borrowed mutably, and they are not lent.
        unsafe { std::slice::from_raw_parts_mut(self.writable(&range), range.len()) }
    }
}

impl Loan {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the bytes are inside and initialised, and not written before this is dropped.
        unsafe { std::slice::from_raw_parts(self.cells.start(&self.range), self.range.len()) }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.cells.with_loans(|lent| {
            if let Some(index) = lent.iter().position(|range| *range == self.range) {
                lent.swap_remove(index);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loan_is_read_while_the_rest_is_written() {
        let mut region = Region::zeroed(64);
        region[0..32].fill(1);
        // SAFETY: below only 32..64 is written before the loan is dropped.
        let loan = unsafe { region.lend(0..32) };
        let lent = loan.bytes();
        region[32..64].fill(2);
        let (target, source) = region.pair(40..48, 0..8);
        target.copy_from_slice(source);
        region.copy_within(4..8, 60);
        assert_eq!(lent, [1; 32]);
        assert_eq!(region[40..49], [1, 1, 1, 1, 1, 1, 1, 1, 2]);
        drop(loan);
        region[0..64].fill(3);
    }

    #[test]
    fn a_loan_outlives_its_owner() {
        let region = Region::zeroed(8);
        // SAFETY: nothing is written at all.
        let loan = unsafe { region.lend(2..5) };
        drop(region);
        assert_eq!(loan.bytes(), [0; 3]);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "is written while Some(0..32) is lent")]
    fn writing_what_is_lent_is_found() {
        let mut region = Region::zeroed(64);
        // SAFETY: the write below panics before it happens.
        let _loan = unsafe { region.lend(0..32) };
        region[31..33].fill(1);
    }

    #[test]
    fn copies_may_overlap() {
        let mut region = Region::zeroed(6);
        region[0..6].copy_from_slice(&[1, 2, 3, 4, 5, 6]);
        region.copy_within(0..4, 2);
        assert_eq!(region[0..6], [1, 2, 1, 2, 3, 4]);
        region.copy_within(2..6, 1);
        region.copy_within(0..1, 5);
        region.copy_within(3..5, 3);
        assert_eq!(region.clone()[0..6], [1, 1, 2, 3, 4, 1]);
    }
}
