//! Keys as columns of a matrix, for families that weigh whole tables.

use std::thread;

use crate::text::seeds::Seeds;
use crate::text::{Encoded, Encoder, Rows, Workspace};

use super::counts::KeyedCounts;
use super::records::Records;

const NONE: u32 = u32::MAX;

/// Distinct keys, each with its place in the list that they came in.
pub struct Columns {
    slots: Vec<(u64, u32)>,
    seeds: Seeds,
}

impl Columns {
    /// Of keys in the order of the columns.
    pub fn new(keys: &[u64]) -> Self {
        let size = (keys.len() * 3 / 2 + 1).next_power_of_two();
        let mut columns = Self { slots: vec![(0, NONE); size], seeds: Seeds::random() };
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

    /// The known features of each document, with what the counts' lift makes of them.
    pub fn rows(&self, counts: &KeyedCounts, encoder: Encoder, records: &Records, threads: usize) -> Rows<f64> {
        let shares = records.shares(0..records.len(), threads);
        let read = |rows: std::ops::Range<usize>| {
            let mut out = Rows::default();
            let (mut work, mut encoded) = (Workspace::default(), Encoded::default());
            let (mut norms, mut lifted, mut fields) = (Vec::new(), Vec::new(), Vec::new());
            for row in rows {
                records.fields(row, &mut fields);
                work.trim();
                encoder.encode(&fields, &mut work, &mut encoded);
                counts.lift.apply(&encoded, &counts.place, &mut norms, &mut lifted);
                self.push(counts, encoder, &encoded, &lifted, &mut out);
            }
            out
        };
        thread::scope(|scope| {
            let read = &read;
            let workers: Vec<_> = shares.into_iter().map(|share| scope.spawn(move || read(share))).collect();
            let mut out = Rows::default();
            for worker in workers {
                out.append(&worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            out
        })
    }

    fn push(&self, counts: &KeyedCounts, encoder: Encoder, encoded: &Encoded, lifted: &[u32], out: &mut Rows<f64>) {
        let rules = counts.rules(encoder);
        let key = |i: usize| rules.key(encoded.keys[i], rules.place[encoded.orders[i] as usize]);
        let mask = self.slots.len() - 1;
        let touched = (0..encoded.len()).map(|i| self.slots[self.seeds.mix(key(i), 0) as usize & mask].1);
        std::hint::black_box(touched.fold(0, u32::wrapping_add));
        for (i, &count) in lifted.iter().enumerate() {
            let (_, column) = self.slots[self.place(key(i))];
            if column != NONE {
                out.columns.push(column as i32);
                out.counts.push(count as f64);
            }
        }
        out.starts.push(out.columns.len() as i64);
    }
}
