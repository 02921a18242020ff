//! A run as it is read: look a key up, walk all entries, check it.

use super::count::{little, widen};
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

    /// Where a key stands, if it is there. The index leads to about four neighbours, one line of the cache.
    #[inline]
    pub fn find(&self, key: u64) -> Option<usize> {
        let at = bucket(key, self.bits);
        let start = u32::from_le_bytes(*self.starts.get(at)?) as usize;
        let end = u32::from_le_bytes(*self.starts.get(at + 1)?) as usize;
        let at = self.place(start, end, key);
        (at < end && self.key(at) == Some(key)).then_some(at)
    }

    /// Where a key stands, or would stand, from `start` to before `end`.
    #[inline]
    fn place(&self, start: usize, end: usize, key: u64) -> usize {
        if end.saturating_sub(start) <= NEAR {
            let stride = self.stride();
            let among = self.rows.get(start * stride..end * stride).unwrap_or_default().chunks_exact(stride);
            let smaller = |k: &[u8; KEY]| u64::from_le_bytes(*k) < key;
            return start + among.filter(|row| row.first_chunk().is_some_and(smaller)).count();
        }
        let (mut low, mut high) = (start, end.min(self.entries));
        while low < high {
            let middle = low.midpoint(high);
            (low, high) = if self.key(middle).is_some_and(|k| k < key) { (middle + 1, high) } else { (low, middle) };
        }
        low
    }

    /// Which of the keys are there: position among the keys, position in the run.
    ///
    /// First every neighbourhood is touched, without a branch that waits for memory, so that the processor fetches many
    /// lines at once; then they are searched. On a run of 4 million keys this is three times as fast as one at a time.
    pub fn find_all(&self, keys: &[u64], places: &mut Vec<(usize, usize)>) {
        let (mut touched, stride) = (0_u8, self.stride());
        places.clear();
        places.extend(keys.iter().map(|&key| {
            let at = bucket(key, self.bits);
            let of = |at: usize| self.starts.get(at).map_or(0, |&start| u32::from_le_bytes(start) as usize);
            let (start, end) = (of(at), of(at + 1));
            let line = |byte: usize| self.rows.get(byte).copied().unwrap_or(0);
            touched ^= line(start * stride) ^ line((end * stride).saturating_sub(1));
            (start, end)
        }));
        std::hint::black_box(touched);
        let mut found = 0;
        for (row, &key) in keys.iter().enumerate() {
            let Some(&(start, end)) = places.get(row) else { break };
            let at = self.place(start, end, key);
            if at < end
                && self.key(at) == Some(key)
                && let Some(place) = places.get_mut(found)
            {
                *place = (row, at);
                found += 1;
            }
        }
        places.truncate(found);
    }

    /// Adds the counts of the places that `find_all` found to a table of `labels` counts per key; `columns` says which
    /// label each count is.
    pub fn add(&self, places: &[(usize, usize)], columns: &[usize], labels: usize, table: &mut [i64]) {
        match self.width {
            Width::One => self.add_as(places, columns, labels, table, i8::from_le_bytes),
            Width::Two => self.add_as(places, columns, labels, table, i16::from_le_bytes),
            Width::Four => self.add_as(places, columns, labels, table, i32::from_le_bytes),
            Width::Eight => self.add_as(places, columns, labels, table, i64::from_le_bytes),
        }
    }

    #[inline]
    fn add_as<const N: usize, T: Into<i64>>(
        &self,
        places: &[(usize, usize)],
        columns: &[usize],
        labels: usize,
        table: &mut [i64],
        read: impl Fn([u8; N]) -> T,
    ) {
        let stride = KEY + self.labels * N;
        for &(row, at) in places {
            let Some(cells) = self.rows.get(at * stride + KEY..(at + 1) * stride) else { continue };
            let Some(sums) = table.get_mut(row * labels..(row + 1) * labels) else { continue };
            for (&cell, &label) in little(cells).iter().zip(columns) {
                if let Some(sum) = sums.get_mut(label) {
                    *sum = sum.saturating_add(read(cell).into());
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
