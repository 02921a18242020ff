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

/// Neighbours that are looked at one and all, which is faster than halving; an index written here leads to no more, unless
/// keys are not the hashes they should be.
const NEAR: usize = 32;

/// Keys whose neighbours are fetched together: their lines, 8 kB, stay in the first cache until they are searched.
const AHEAD: usize = 64;

/// How many of these rows, which ascend, have a smaller key.
#[inline(always)]
fn smaller(rows: &[u8], stride: usize, key: u64) -> usize {
    let less = |row: &[u8]| row.first_chunk().is_some_and(|&k| u64::from_le_bytes(k) < key);
    if rows.len() <= NEAR * stride {
        // Not `chunks_exact`: it divides by the stride, which takes as long as the search.
        return rows.chunks(stride).filter(|row| less(row)).count();
    }
    let (mut low, mut high) = (0, rows.len() / stride);
    while low < high {
        let middle = low.midpoint(high);
        (low, high) = if rows.get(middle * stride..).is_some_and(less) { (middle + 1, high) } else { (low, middle) };
    }
    low
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
    fn stride(&self) -> usize {
        KEY + self.labels * self.width.bytes()
    }

    /// How many labels the counts have.
    pub fn labels(&self) -> usize {
        self.labels
    }

    /// Where the neighbours of a key begin and end: about four of them, on one or two lines of the cache.
    #[inline]
    fn span(&self, key: u64) -> (usize, usize) {
        let at = bucket(key, self.bits);
        let of = |at: usize| self.starts.get(at).map_or(0, |&start| u32::from_le_bytes(start) as usize);
        (of(at), of(at + 1).min(self.entries))
    }

    /// Where a key stands, if it is there.
    pub fn find(&self, key: u64) -> Option<usize> {
        let (stride, (start, end)) = (self.stride(), self.span(key));
        let at = start + smaller(self.rows.get(start * stride..end * stride)?, stride, key);
        (at < end && self.key(at) == Some(key)).then_some(at)
    }

    /// Adds the counts of these keys to a table of `labels` counts per key; `columns` says which label each count is.
    pub fn add(&self, keys: &[u64], columns: &[usize], labels: usize, table: &mut [i64]) {
        match (self.stride(), self.width) {
            // Two labels, as most stores have: the compiler lays rows of a known length out without a loop.
            (10, Width::One) => self.add_rows(10, Width::One, keys, columns, labels, table),
            (12, Width::Two) => self.add_rows(12, Width::Two, keys, columns, labels, table),
            (stride, width) => self.add_rows(stride, width, keys, columns, labels, table),
        }
    }

    /// First every neighbourhood of some keys is touched, without a branch that waits for memory, so that the processor
    /// fetches many lines at once; then they are searched.
    #[inline(always)]
    fn add_rows(&self, stride: usize, width: Width, keys: &[u64], columns: &[usize], labels: usize, table: &mut [i64]) {
        let labels = labels.max(1);
        for (keys, table) in keys.chunks(AHEAD).zip(table.chunks_mut(AHEAD * labels)) {
            let (mut spans, mut touched) = ([(0, 0); AHEAD], 0_u8);
            for (&key, span) in keys.iter().zip(&mut spans) {
                let (start, end) = self.span(key);
                *span = (start * stride, end * stride);
                let line = |byte: usize| self.rows.get(byte).copied().unwrap_or(0);
                touched ^= line(span.0) ^ line(span.1.saturating_sub(1));
            }
            std::hint::black_box(touched);
            for ((&key, &(start, end)), sums) in keys.iter().zip(&spans).zip(table.chunks_mut(labels)) {
                let Some(rows) = self.rows.get(start..end) else { continue };
                let Some(row) = rows.get(smaller(rows, stride, key) * stride..) else { continue };
                let Some((found, cells)) = row.get(..stride).and_then(<[u8]>::split_first_chunk) else { continue };
                if u64::from_le_bytes(*found) == key {
                    widen(cells, width, |column, count| {
                        if let Some(sum) = columns.get(column).and_then(|&label| sums.get_mut(label)) {
                            *sum = sum.saturating_add(count);
                        }
                    });
                }
            }
        }
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
