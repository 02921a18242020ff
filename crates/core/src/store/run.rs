//! A run as it is read: look a key up, walk all entries, check it.

use super::count::widen;
use super::layout::KEY;
use super::{RunError, Width};

/// A sorted table of keys, borrowed from its bytes.
///
/// The counts of a key stand behind it: one line of the cache holds both, where columns of their own took two.
///
/// Reading damaged bytes gives wrong counts, never a panic; `verify` tells.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    pub(super) rows: &'a [u8],
    pub(super) entries: usize,
    pub(super) labels: usize,
    pub(super) width: Width,
    pub(super) largest: u64,
    pub(super) seen: &'a [[u8; 2]],
    pub(super) born: &'a [[u8; 2]],
    pub(super) starts: &'a [[u8; 4]],
    pub(super) bits: u32,
}

/// One key of a run without its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The hashed token.
    pub key: u64,
    /// The last day it was learned.
    pub seen: u16,
    /// How many expiries there had been when it was first learned.
    pub born: u16,
}

/// The bucket of a key among 2^bits.
#[inline]
pub(super) fn bucket(key: u64, bits: u32) -> usize {
    key.checked_shr(64 - bits).map_or(0, |b| usize::try_from(b).unwrap_or(usize::MAX))
}

impl<'a> Run<'a> {
    /// How many keys there are.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Bytes from one row to the next.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        KEY + self.labels * self.width.bytes()
    }

    /// How many labels the counts have.
    pub fn labels(&self) -> usize {
        self.labels
    }

    /// Where a key stands, if it is there. The index leads to about four neighbours, one line of the cache.
    #[inline]
    pub fn find(&self, key: u64) -> Option<usize> {
        let at = bucket(key, self.bits);
        let start = u32::from_le_bytes(*self.starts.get(at)?) as usize;
        let end = u32::from_le_bytes(*self.starts.get(at + 1)?) as usize;
        (start..end).find(|&at| self.key(at) == Some(key))
    }

    /// Hands each count of one entry to `each` with its label.
    #[inline]
    pub fn counts(&self, at: usize, each: impl FnMut(usize, i64)) {
        let stride = self.stride();
        widen(self.rows.get(at * stride + KEY..(at + 1) * stride).unwrap_or_default(), self.width, each);
    }

    /// The key of one entry.
    #[inline]
    pub fn key(&self, at: usize) -> Option<u64> {
        self.rows.get(at * self.stride()..)?.first_chunk().map(|&key| u64::from_le_bytes(key))
    }

    fn keys(&self) -> impl Iterator<Item = u64> {
        let keys = self.rows.chunks_exact(self.stride()).filter_map(|row| row.first_chunk());
        keys.map(|&key| u64::from_le_bytes(key))
    }

    /// One entry.
    #[inline]
    pub fn entry(&self, at: usize) -> Option<Entry> {
        Some(Entry {
            key: self.key(at)?,
            seen: u16::from_le_bytes(*self.seen.get(at)?),
            born: u16::from_le_bytes(*self.born.get(at)?),
        })
    }

    /// Reads everything once: order, index and counts.
    pub fn verify(&self) -> Result<(), RunError> {
        let mut last = None;
        let mut place = 0;
        for (at, key) in self.keys().enumerate() {
            if last.is_some_and(|last| last >= key) {
                return Err(RunError::Content(at, "keys are not ascending"));
            }
            last = Some(key);
            while place <= bucket(key, self.bits) {
                self.check_start(place, at)?;
                place += 1;
            }
            let mut sound = true;
            self.counts(at, |_, n| sound &= n.unsigned_abs() <= self.largest);
            if !sound {
                return Err(RunError::Content(at, "a count above the largest"));
            }
        }
        (place..self.starts.len()).try_for_each(|place| self.check_start(place, self.entries))
    }

    fn check_start(&self, place: usize, at: usize) -> Result<(), RunError> {
        let start = self.starts.get(place).map(|&s| u32::from_le_bytes(s) as usize);
        if start == Some(at) { Ok(()) } else { Err(RunError::Content(at, "the index does not fit the keys")) }
    }

    /// Σ count × key per label, modulo 2^64: additive, so that it can be compared with that of the mails learned.
    pub fn fingerprints(&self) -> Vec<u64> {
        let mut sums = vec![0_u64; self.labels];
        for (at, key) in self.keys().enumerate() {
            self.counts(at, |label, n| {
                if let Some(sum) = sums.get_mut(label) {
                    *sum = sum.wrapping_add(key.wrapping_mul(n.cast_unsigned()));
                }
            });
        }
        sums
    }
}
