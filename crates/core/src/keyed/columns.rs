//! Keys as columns of a matrix, for families that weigh whole tables.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::text::seeds::Seeds;
use crate::text::{Encoded, Encoder, NO_PART, Rows, Workspace};

use super::counts::KeyedCounts;
use super::deal::Rules;
use super::records::Records;
use super::threads::each_thread;

const NONE: u32 = u32::MAX;

/// Distinct keys, each with its place in the list that they came in.
pub struct Columns {
    slots: Vec<(u64, u32)>,
    seeds: Seeds,
    /// What was used last, one for each thread.
    readers: Mutex<Vec<Reader>>,
}

/// What is remembered from document to document.
#[derive(Default)]
struct Reader {
    work: Workspace,
    encoded: Encoded,
    norms: Vec<f64>,
    lifted: Vec<u32>,
    /// The column of each word of the workspace: [`NONE`], or [`UNSEEN`] before it was looked up.
    words: Vec<u32>,
}

const UNSEEN: u32 = u32::MAX - 1;
/// A reader with more words does not stay when the work is done: so many take about 10 MB.
const KEPT: usize = 1 << 17;

impl Columns {
    /// Of keys in the order of the columns.
    pub fn new(keys: &[u64]) -> Self {
        let size = (keys.len() * 3 / 2 + 1).next_power_of_two();
        let mut columns = Self { slots: vec![(0, NONE); size], seeds: Seeds::random(), readers: Mutex::default() };
        for (column, &key) in keys.iter().enumerate() {
            let at = columns.place(key);
            columns.slots[at] = (key, column as u32);
        }
        columns
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.seeds.mix(key, 0) as usize & mask;
        while self.slots[at].1 != NONE && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// The known features of each document, with what the counts' lift makes of them. All calls must be with the same
    /// counts and encoder.
    pub fn rows(&self, counts: &KeyedCounts, encoder: Encoder, records: &Records, threads: usize) -> Rows<f64> {
        let shares = records.shares(0..records.len(), threads).into_iter().map(|share| (share, self.reader()));
        let read = |(rows, mut reader): (Range<usize>, Reader)| {
            let (mut out, mut fields) = (Rows::default(), Vec::new());
            for row in rows {
                records.fields(row, &mut fields);
                if reader.work.trim() {
                    reader.words.clear();
                }
                encoder.encode(&fields, &mut reader.work, &mut reader.encoded);
                counts.lift.apply(&reader.encoded, &counts.place, &mut reader.norms, &mut reader.lifted);
                reader.push(self, counts.rules(encoder), &mut out);
            }
            (out, reader)
        };
        let mut done = each_thread(shares, read).into_iter().map(|(rows, reader)| {
            self.keep(reader);
            rows
        });
        let mut out = done.next().unwrap_or_default();
        done.for_each(|rows| out.append(&rows));
        out
    }

    fn reader(&self) -> Reader {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn keep(&self, reader: Reader) {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
    }

    /// Lets go of readers that have met many words; to be called after the last of some [`Columns::rows`].
    pub fn rest(&self) {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.retain(|reader| reader.words.len() <= KEPT);
    }
}

impl Reader {
    /// Appends the row of the document read last.
    fn push(&mut self, columns: &Columns, rules: Rules, out: &mut Rows<f64>) {
        let Self { work, encoded, lifted, words, .. } = self;
        words.resize(work.words(), UNSEEN);
        let key = |i: usize| rules.key(encoded.keys[i], rules.place[encoded.orders[i] as usize]);
        let mask = columns.slots.len() - 1;
        let touched = (0..encoded.len())
            .filter(|i| encoded.nodes[*i] == NO_PART)
            .map(|i| columns.slots[columns.seeds.mix(key(i), 0) as usize & mask].1);
        std::hint::black_box(touched.fold(0, u32::wrapping_add));
        for (i, (&count, &node)) in lifted.iter().zip(&encoded.nodes).enumerate() {
            let column = match words.get_mut(node as usize) {
                Some(column) if *column != UNSEEN => *column,
                Some(column) => {
                    *column = columns.slots[columns.place(key(i))].1;
                    *column
                }
                None => columns.slots[columns.place(key(i))].1,
            };
            if column != NONE {
                out.columns.push(column as i32);
                out.counts.push(count as f64);
            }
        }
        out.starts.push(out.columns.len() as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyed::Lift;
    use crate::text::{Chars, Document, Plan, Settings};

    #[test]
    fn readers_stay_for_the_next_part_and_large_ones_go_at_the_end() {
        let Ok(plan) = Plan::new(Settings::default(), Chars::shared()) else { unreachable!() };
        let encoder = Encoder { plan: &plan, seed: 0, presence: false };
        let counts = KeyedCounts::new(&plan.orders(), 2, Lift::Count, None, false);
        let columns = Columns::new(&[]);
        let (few, many) = ("a b".to_owned(), (0..=KEPT).map(|n| format!("w{n} ")).collect::<String>());
        for (text, left) in [(few, 1), (many, 0)] {
            let records = Records { tags: &[String::new()], columns: vec![vec![Document::Text(text.as_bytes())]] };
            columns.rows(&counts, encoder, &records, 1);
            let kept = || columns.readers.lock().map_or(0, |readers| readers.len());
            assert_eq!(kept(), 1);
            columns.rest();
            assert_eq!(kept(), left);
        }
    }
}
