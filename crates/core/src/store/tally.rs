//! Documents into a run: each distinct key counted once per document.

use super::{Entry, RunError, Writer};

/// The keys of one document, what it counts for and how much: +1 learns, −1 unlearns.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Distinct keys.
    pub keys: &'a [u64],
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

/// Sum of the keys modulo 2^64. Keys are hashes already, so they need no mixing.
pub fn fingerprint(keys: &[u64]) -> u64 {
    keys.iter().fold(0, |sum, &key| sum.wrapping_add(key))
}

/// Below this many keys, sorting by comparison is as fast.
const FEW: usize = 65_536;

/// Keys are hashes, evenly spread, so a first byte deals them into 256 heaps of one size, each small enough for the second
/// cache: there it is dealt again, sorted and counted, and no more than one heap is looked at a time.
const HEAPS: usize = 256;

/// Bits by which a heap is dealt again: leaves about five keys to sort of each million counted.
const AGAIN: u32 = 12;

/// The keys of one label and sign, by heap.
struct Column {
    label: usize,
    sign: i64,
    keys: Vec<u64>,
    ends: [usize; HEAPS],
}

impl Column {
    fn new(label: usize, sign: i64, documents: &[&[u64]]) -> Self {
        let mut ends = [0; HEAPS];
        let heap = |key: u64| usize::from((key >> 56) as u8);
        documents.iter().for_each(|keys| keys.iter().for_each(|&key| ends[heap(key)] += 1));
        let mut keys = vec![0; starts(&mut ends)];
        for &key in documents.iter().copied().flatten() {
            let end = &mut ends[heap(key)];
            if let Some(cell) = keys.get_mut(*end) {
                *cell = key;
            }
            *end += 1;
        }
        Self { label, sign, keys, ends }
    }

    /// One heap in ascending order; `spare` is room to deal in.
    fn sort(&mut self, heap: usize, spare: &mut Vec<u64>) -> &[u64] {
        let start = heap.checked_sub(1).map_or(0, |before| self.ends[before]);
        let keys = self.keys.get_mut(start..self.ends[heap]).unwrap_or_default();
        if keys.len() < FEW / HEAPS {
            keys.sort_unstable();
            return keys;
        }
        let mut ends = [0_usize; 1 << AGAIN];
        let place = |key: u64| (key << 8 >> (64 - AGAIN)) as usize;
        keys.iter().for_each(|&key| ends[place(key)] += 1);
        starts(&mut ends);
        spare.clear();
        spare.extend_from_slice(keys);
        for &key in spare.iter() {
            let end = &mut ends[place(key)];
            if let Some(cell) = keys.get_mut(*end) {
                *cell = key;
            }
            *end += 1;
        }
        let mut first = 0;
        for last in ends {
            if last > first + 1 {
                keys.get_mut(first..last).unwrap_or_default().sort_unstable();
            }
            first = last;
        }
        keys
    }
}

/// Sizes become starts; their sum.
fn starts(sizes: &mut [usize]) -> usize {
    sizes.iter_mut().fold(0, |total, size| total + std::mem::replace(size, total))
}

impl Tally {
    /// The counts of these documents.
    pub fn count(&self, documents: &[Document<'_>]) -> Result<Writer, RunError> {
        let mut kinds: Vec<(usize, i64, Vec<&[u64]>)> = Vec::new();
        for document in documents {
            if document.label >= self.labels {
                return Err(RunError::Label(document.label, self.labels));
            }
            match kinds.iter_mut().find(|(label, sign, _)| (*label, *sign) == (document.label, document.sign)) {
                Some((_, _, some)) => some.push(document.keys),
                None => kinds.push((document.label, document.sign, vec![document.keys])),
            }
        }
        let mut columns: Vec<Column> =
            kinds.iter().map(|(label, sign, keys)| Column::new(*label, *sign, keys)).collect();
        let most = columns.iter().map(|column| column.keys.len()).max().unwrap_or(0);
        let mut writer = Writer::new(self.labels, documents.len() as u64, most);
        let mut spare = Vec::new();
        for heap in 0..HEAPS {
            let heads = columns.iter_mut().map(|column| (column.label, column.sign, column.sort(heap, &mut spare)));
            self.join(heads.collect(), &mut writer)?;
        }
        Ok(writer)
    }

    /// Sorted columns side by side: equal keys become one entry.
    fn join(&self, mut heads: Vec<(usize, i64, &[u64])>, writer: &mut Writer) -> Result<(), RunError> {
        let mut counts = vec![0_i64; self.labels];
        while let Some(&key) = heads.iter().filter_map(|(_, _, rest)| rest.first()).min() {
            counts.fill(0);
            for (label, sign, rest) in &mut heads {
                let here = rest.iter().take_while(|&&k| k == key).count();
                *rest = rest.get(here..).unwrap_or_default();
                if let Some(count) = counts.get_mut(*label) {
                    *count += *sign * here as i64;
                }
            }
            writer.push(Entry { key, seen: self.day, born: self.age }, &counts)?;
        }
        Ok(())
    }
}
