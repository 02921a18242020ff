//! Counts as columns, for families that weigh whole tables.

use std::collections::{HashMap, HashSet};

use super::columns::Columns;
use super::counts::KeyedCounts;
use super::seen::SeenCounts;

/// Counts laid out in columns. Nine of ten keys are in one class only, most of them once or twice there: those with the
/// same counts weigh the same, so they share a column (2.3 million keys of news and mail have 0.2 million columns).
pub struct Grouped {
    /// Where each key stands.
    pub columns: Columns,
    /// How many keys each column stands for.
    pub times: Vec<f64>,
    /// The counts, a row of classes for each column.
    pub table: Vec<f64>,
}

impl KeyedCounts {
    /// The counts as columns: first those that keys share (none do if they are to stand `apart`), then a column for each
    /// other key, those of many documents first. Texts ask for common keys again and again; in the order of the keys,
    /// which are hashes, each would be in a page of memory of its own, and predicting by pairs took twice as long.
    pub fn grouped(&self, apart: bool) -> Grouped {
        let (mut shared, mut own, mut sharing) = (HashMap::new(), Vec::new(), Vec::new());
        for (key, seen, _) in self.each() {
            match seen.counts {
                SeenCounts::One(class, sum) if !apart => {
                    let number = shared.len() as u32;
                    let (number, times) = shared.entry((sum, class)).or_insert((number, 0));
                    *times += 1;
                    sharing.push((key, *number));
                }
                _ => own.push((seen.documents.leading_zeros(), key, seen)),
            }
        }
        let mut shared: Vec<_> = shared.into_iter().collect();
        shared.sort_unstable();
        own.sort_unstable_by_key(|(zeros, key, _)| (*zeros, *key));
        let mut out = Grouped { columns: Columns::new(&[]), times: Vec::new(), table: Vec::new() };
        let mut places = vec![0; shared.len()];
        for (((sum, class), (number, times)), column) in shared.iter().zip(0..) {
            places[*number as usize] = column;
            out.push(self.k, *times, SeenCounts::One(*class, *sum));
        }
        own.iter().for_each(|(_, _, seen)| out.push(self.k, 1, seen.counts));
        // Common keys come first here too: each finds its place free.
        let mut keys: Vec<_> =
            own.iter().zip(places.len() as u32..).map(|((_, key, _), column)| (*key, column)).collect();
        keys.extend(sharing.into_iter().map(|(key, number)| (key, places[number as usize])));
        out.columns = Columns::of(&keys, out.times.len(), places.len());
        out
    }
}

impl Grouped {
    fn push(&mut self, k: usize, times: i64, counts: SeenCounts) {
        self.times.push(times as f64);
        let start = self.table.len();
        self.table.resize(start + k, 0.0);
        match counts {
            SeenCounts::One(class, sum) => self.table[start + class] = sum as f64,
            SeenCounts::Many(cells, _) => {
                self.table[start..].iter_mut().zip(cells).for_each(|(to, from)| *to = *from as f64);
            }
        }
    }
}

impl Columns {
    /// The keys of some columns and the documents that hold each, with its column.
    pub fn members(&self, counts: &KeyedCounts, columns: &[u32]) -> Vec<(u64, i64, u32)> {
        let wanted: HashSet<_> = columns.iter().collect();
        let members = self.each().filter(|(_, column)| wanted.contains(column));
        members.map(|(key, column)| (key, counts.find(key).map_or(0, |seen| seen.documents), column)).collect()
    }
}
