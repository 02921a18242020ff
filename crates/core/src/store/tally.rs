//! Documents into a run: each distinct key counted once per document.

use super::count::little;
use super::{Entry, RunError, Writer};

/// The keys of one document, what it counts for and how much: +1 learns, −1 unlearns.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Distinct keys, little-endian.
    pub keys: &'a [u8],
    /// Its label's number.
    pub label: usize,
    /// +1 or −1.
    pub sign: i64,
}

/// What is written beside each count.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// How many labels there are.
    pub labels: usize,
    /// The day it was seen: 0 when nothing was.
    pub day: u16,
    /// Expiries so far.
    pub age: u16,
}

/// The 64-bit numbers in these bytes.
pub(super) fn numbers(bytes: &[u8]) -> Result<impl ExactSizeIterator<Item = u64> + Clone, RunError> {
    if !bytes.len().is_multiple_of(8) {
        return Err(RunError::Keys("its length is no multiple of 8"));
    }
    Ok(little(bytes).iter().map(|&key| u64::from_le_bytes(key)))
}

/// Sum of the keys modulo 2^64. Keys are hashes already, so they need no mixing.
pub fn fingerprint(keys: &[u8]) -> Result<u64, RunError> {
    Ok(numbers(keys)?.fold(0, u64::wrapping_add))
}

/// Below this, sorting by comparison is as fast.
const FEW: usize = 65_536;

/// Sorts keys that are hashes, hence evenly spread: dealt twice into 256 heaps by their leading bytes, which leaves heaps
/// that fit the fastest cache. More heaps at a time would miss the translation buffer at every key.
fn sort(keys: &mut [u64]) {
    if keys.len() < FEW {
        keys.sort_unstable();
        return;
    }
    let mut dealt = vec![0_u64; keys.len()];
    let mut start = 0;
    for end in deal(keys, &mut dealt, 56) {
        let (Some(from), Some(to)) = (dealt.get(start..end), keys.get_mut(start..end)) else { break };
        let mut first = 0;
        for last in deal(from, to, 48) {
            to.get_mut(first..last).unwrap_or_default().sort_unstable();
            first = last;
        }
        start = end;
    }
}

/// Deals keys into heaps by one byte; where each heap ends.
fn deal(from: &[u64], to: &mut [u64], shift: u32) -> [usize; 256] {
    let heap = |key: u64| usize::from((key >> shift) as u8);
    let mut ends = [0_usize; 256];
    from.iter().for_each(|&key| ends[heap(key)] += 1);
    let mut total = 0;
    for end in &mut ends {
        total += std::mem::replace(end, total);
    }
    for &key in from {
        let end = &mut ends[heap(key)];
        if let Some(cell) = to.get_mut(*end) {
            *cell = key;
        }
        *end += 1;
    }
    ends
}

impl Tally {
    /// The counts of these documents.
    pub fn count(&self, documents: &[Document<'_>]) -> Result<Writer, RunError> {
        let mut columns: Vec<(usize, i64, Vec<u64>)> = Vec::new();
        for document in documents {
            if document.label >= self.labels {
                return Err(RunError::Label(document.label, self.labels));
            }
            let keys = numbers(document.keys)?;
            match columns.iter_mut().find(|(label, sign, _)| (*label, *sign) == (document.label, document.sign)) {
                Some((_, _, column)) => column.extend(keys),
                None => columns.push((document.label, document.sign, keys.collect())),
            }
        }
        for (_, _, column) in &mut columns {
            sort(column);
        }
        self.join(&columns, documents.len() as u64)
    }

    /// Sorted columns side by side: equal keys become one entry.
    fn join(&self, columns: &[(usize, i64, Vec<u64>)], bound: u64) -> Result<Writer, RunError> {
        let most = columns.iter().map(|(_, _, column)| column.len()).max().unwrap_or(0);
        let mut writer = Writer::new(self.labels, bound, most);
        let mut heads: Vec<(usize, i64, std::slice::Iter<'_, u64>)> =
            columns.iter().map(|(label, sign, column)| (*label, *sign, column.iter())).collect();
        let mut counts = vec![0_i64; self.labels];
        while let Some(&key) = heads.iter().filter_map(|(_, _, rest)| rest.as_slice().first()).min() {
            counts.fill(0);
            for (label, sign, rest) in &mut heads {
                let here = rest.as_slice().iter().take_while(|&&k| k == key).count();
                if here > 0 {
                    rest.nth(here - 1);
                    if let Some(count) = counts.get_mut(*label) {
                        *count += *sign * here as i64;
                    }
                }
            }
            writer.push(Entry { key, seen: self.day, born: self.age }, &counts)?;
        }
        Ok(writer)
    }
}
