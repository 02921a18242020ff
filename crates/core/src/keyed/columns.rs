//! Keys as columns of a matrix, for families that weigh whole tables.

use crate::text::seeds::Seeds;
use crate::text::{Encoded, Encoder, NO_PART, Rows, Workspace};
use crate::threads::each_thread;

use super::counts::KeyedCounts;
use super::deal::Rules;
use super::lift::Lift;
use super::records::Records;

/// Distinct keys, each with its place in the list that they came in.
pub struct Columns {
    slots: Vec<(u64, u32)>,
    seeds: Seeds,
}

/// What is remembered from document to document.
#[derive(Default)]
struct Reader {
    work: Workspace,
    encoded: Encoded,
    norms: Vec<f64>,
    lifted: Vec<u32>,
    /// The column of each word of the workspace: [`Columns::NONE`], or [`UNSEEN`] before it was looked up.
    words: Vec<u32>,
}

const UNSEEN: u32 = Columns::NONE - 1;

impl Columns {
    /// The column of keys that have none.
    pub(super) const NONE: u32 = u32::MAX;

    /// Of keys in the order of the columns.
    pub fn new(keys: &[u64]) -> Self {
        let size = (keys.len() * 3 / 2 + 1).next_power_of_two();
        let mut columns = Self { slots: vec![(0, Self::NONE); size], seeds: Seeds::random() };
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
        while self.slots[at].1 != Self::NONE && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// The column of a key, or [`Self::NONE`].
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> u32 {
        self.slots[self.place(key)].1
    }

    /// The known features of each document, with what `lift` makes of them.
    pub fn rows(
        &self,
        counts: &KeyedCounts,
        lift: Lift,
        encoder: Encoder,
        records: &Records,
        threads: usize,
    ) -> Rows<f64> {
        let shares = records.shares(0..records.len(), threads).into_iter();
        Rows::joined(each_thread(shares, |rows| {
            let (mut reader, mut out, mut fields) = (Reader::default(), Rows::default(), Vec::new());
            for row in rows {
                records.fields(row, &mut fields);
                if reader.work.trim() {
                    reader.words.clear();
                }
                encoder.encode(&fields, &mut reader.work, &mut reader.encoded);
                lift.apply(&reader.encoded, &counts.place, &mut reader.norms, &mut reader.lifted);
                reader.push(self, counts.rules(encoder), &mut out);
            }
            out
        }))
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
                    *column = columns.find(key(i));
                    *column
                }
                None => columns.find(key(i)),
            };
            if column != Columns::NONE {
                out.columns.push(column as i32);
                out.counts.push(count as f64);
            }
        }
        out.starts.push(out.columns.len() as i64);
    }
}
