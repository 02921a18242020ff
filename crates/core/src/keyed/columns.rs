//! Keys as columns of a matrix, for families that weigh whole tables.

use crate::text::seeds::Seeds;
use crate::text::{Encoded, Encoder, NO_PART, Rows, Workspace};
use crate::threads::each_thread;

use super::counts::KeyedCounts;
use super::deal::Rules;
use super::lift::Lift;
use super::records::Records;

/// So many keys are put in their places at once.
const BATCH: usize = 128;

/// Keys, each with its column.
pub struct Columns {
    slots: Vec<Slot>,
    seeds: Seeds,
    width: usize,
    /// So many columns, the first ones, each stand for all keys that one class alone has, and equally often.
    pub(super) shared: usize,
}

/// Twelve bytes: most look-ups of pairs wait for their slot to come from memory.
#[derive(Clone, Copy)]
struct Slot {
    key: [u32; 2],
    column: u32,
}

const EMPTY: Slot = Slot { key: [0; 2], column: Columns::NONE };

#[inline(always)]
fn halves(key: u64) -> [u32; 2] {
    [key as u32, (key >> 32) as u32]
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

    /// Of distinct keys, in the order of their columns.
    pub fn new(keys: &[u64]) -> Self {
        let keys: Vec<_> = keys.iter().copied().zip(0..).collect();
        Self::of(&keys, keys.len(), 0)
    }

    /// Of distinct keys with their columns, `width` in all, the first of which are `shared`.
    pub(super) fn of(keys: &[(u64, u32)], width: usize, shared: usize) -> Self {
        let slots = vec![EMPTY; (keys.len() * 3 / 2 + 1).next_power_of_two()];
        let mut columns = Self { slots, seeds: Seeds::random(), width, shared };
        for keys in keys.chunks(BATCH) {
            let touched = keys.iter().map(|(key, _)| columns.touch(*key));
            std::hint::black_box(touched.fold(0, u32::wrapping_add));
            for &(key, column) in keys {
                let at = columns.place(key);
                columns.slots[at] = Slot { key: halves(key), column };
            }
        }
        columns
    }

    /// How many columns.
    pub fn width(&self) -> usize {
        self.width
    }

    #[inline(always)]
    fn start(&self, key: u64) -> usize {
        self.seeds.mix(key, 0) as usize & (self.slots.len() - 1)
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let mut at = self.start(key);
        while self.slots[at].column != Self::NONE && self.slots[at].key != halves(key) {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    /// Reads the slot where the search will begin, so that the misses of many keys overlap.
    #[inline(always)]
    pub(super) fn touch(&self, key: u64) -> u32 {
        self.slots[self.start(key)].column
    }

    /// The column of a key, or [`Self::NONE`].
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> u32 {
        self.slots[self.place(key)].column
    }

    /// All keys with their columns, in no order.
    pub(super) fn each(&self) -> impl Iterator<Item = (u64, u32)> {
        let used = self.slots.iter().filter(|slot| slot.column != Self::NONE);
        used.map(|slot| (slot.key[0] as u64 | (slot.key[1] as u64) << 32, slot.column))
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
        let grams = (0..encoded.len()).filter(|i| encoded.nodes[*i] == NO_PART);
        let touched = grams.map(|i| columns.touch(key(i)));
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
