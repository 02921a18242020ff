//! Count rows: a sparse matrix in the layout that SciPy takes.

use crate::threads::each_thread;

use super::share::shares;

/// Rows of counts: row i is `columns[starts[i]..starts[i + 1]]` with the counts beside.
///
/// While a vocabulary is being learned, a column is the number of the term; [`Terms::finish`](super::Terms::finish)
/// replaces it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows<T> {
    /// Where each row starts, and the end.
    pub starts: Vec<i64>,
    /// Columns.
    pub columns: Vec<i32>,
    /// Counts.
    pub counts: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { starts: vec![0], columns: Vec::new(), counts: Vec::new() }
    }
}

impl<T: From<u32> + Copy> Rows<T> {
    /// The rows of all, one after the other.
    pub(crate) fn joined(parts: Vec<Self>) -> Self {
        let mut parts = parts.into_iter();
        let mut rows = parts.next().unwrap_or_default();
        parts.for_each(|part| rows.append(&part));
        rows
    }

    /// Adds the rows of another.
    pub fn append(&mut self, other: &Self) {
        let base = self.columns.len() as i64;
        self.starts.extend(other.starts.iter().skip(1).map(|start| base + start));
        self.columns.extend_from_slice(&other.columns);
        self.counts.extend_from_slice(&other.counts);
    }

    /// Adds the rows of another with new numbers, each row sorted again; shared out between threads.
    pub(super) fn append_renumbered(&mut self, other: &Self, places: &[u32], threads: usize)
    where
        T: Send,
    {
        let base = self.columns.len();
        self.append(other);
        let (mut columns, mut counts) = (&mut self.columns[base..], &mut self.counts[base..]);
        let rows: Vec<usize> = other.starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize).collect();
        let parts = shares(&rows, threads, |cells| *cells).into_iter().map(|share| {
            let total = share.iter().sum();
            let (mine, rest) = std::mem::take(&mut columns).split_at_mut(total);
            let (my_counts, rest_counts) = std::mem::take(&mut counts).split_at_mut(total);
            (columns, counts) = (rest, rest_counts);
            (share, mine, my_counts)
        });
        each_thread(parts, |(share, mine, my_counts)| renumber(share, mine, my_counts, places));
    }
}

/// Gives new numbers to rows of these lengths and sorts each.
fn renumber<T: Copy>(lengths: &[usize], columns: &mut [i32], counts: &mut [T], places: &[u32]) {
    let mut cells: Vec<(u32, T)> = Vec::new();
    let mut start = 0;
    for length in lengths {
        let row = start..start + length;
        start = row.end;
        let (columns, counts) = (&mut columns[row.clone()], &mut counts[row]);
        cells.clear();
        cells.extend(columns.iter().map(|number| places[*number as usize]).zip(counts.iter().copied()));
        cells.sort_unstable_by_key(|cell| cell.0);
        for ((column, count), cell) in columns.iter_mut().zip(counts).zip(&cells) {
            (*column, *count) = (cell.0 as i32, cell.1);
        }
    }
}

/// Counts the numbers of one document after the other: a count for each number, and two floors of bits that say where to
/// look, so that the numbers come out sorted without being sorted. Learning
/// 114 MB of news and mail took 0.63 s this way and 0.80 s with a sort of every row.
#[derive(Default)]
pub(super) struct Counter {
    counts: Vec<u32>,
    /// Bit n: number n occurs.
    bits: Vec<u64>,
    /// Bit n: word n of `bits` is not zero.
    tops: Vec<u64>,
}

/// So few numbers are sorted rather than counted in tables that would have to be made for them.
const FEW: usize = 64;

impl Counter {
    /// Appends the row of a document: each of its numbers once, in order, with the count.
    pub(super) fn count<T: From<u32> + Copy>(&mut self, numbers: &[u32], rows: &mut Rows<T>) {
        let (least, most) = numbers.iter().fold((u32::MAX, 0), |(a, b), &n| (a.min(n), b.max(n)));
        if numbers.len() <= FEW && most as usize >= self.counts.len() {
            return sort_and_count(numbers, rows);
        }
        self.widen(most as usize);
        for &number in numbers {
            let number = number as usize;
            self.counts[number] += 1;
            self.bits[number >> 6] |= 1 << (number & 63);
            self.tops[number >> 12] |= 1 << (number >> 6 & 63);
        }
        for place in least as usize >> 12..=most as usize >> 12 {
            let mut top = std::mem::take(&mut self.tops[place]);
            while top != 0 {
                let word = place << 6 | top.trailing_zeros() as usize;
                let mut bits = std::mem::take(&mut self.bits[word]);
                while bits != 0 {
                    let number = word << 6 | bits.trailing_zeros() as usize;
                    rows.columns.push(number as i32);
                    rows.counts.push(T::from(std::mem::take(&mut self.counts[number])));
                    bits &= bits - 1;
                }
                top &= top - 1;
            }
        }
        rows.starts.push(rows.columns.len() as i64);
    }

    fn widen(&mut self, most: usize) {
        if most >= self.counts.len() {
            let tops = (most >> 12) * 2 + 1;
            self.tops.resize(tops, 0);
            self.bits.resize(tops << 6, 0);
            self.counts.resize(tops << 12, 0);
        }
    }
}

/// The same without tables.
fn sort_and_count<T: From<u32>>(numbers: &[u32], rows: &mut Rows<T>) {
    let mut sorted = [0; FEW];
    let sorted = &mut sorted[..numbers.len()];
    sorted.copy_from_slice(numbers);
    sorted.sort_unstable();
    for run in sorted.chunk_by(|a, b| a == b) {
        rows.columns.push(run[0] as i32);
        rows.counts.push(T::from(run.len() as u32));
    }
    rows.starts.push(rows.columns.len() as i64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn few_and_many_are_counted_alike(documents in prop::collection::vec(prop::collection::vec(0u32..9000, 0..200), 0..9)) {
            let (mut counter, mut rows) = (Counter::default(), Rows::<i64>::default());
            for (i, numbers) in documents.iter().enumerate() {
                counter.count(numbers, &mut rows);
                let mut expected = BTreeMap::new();
                numbers.iter().for_each(|n| *expected.entry(*n as i32).or_insert(0) += 1);
                let row = rows.starts[i] as usize..rows.starts[i + 1] as usize;
                let found: BTreeMap<_, _> = rows.columns[row.clone()].iter().copied().zip(rows.counts[row.clone()].iter().copied()).collect();
                prop_assert!(rows.columns[row].is_sorted());
                prop_assert_eq!(found, expected);
            }
        }
    }
}
