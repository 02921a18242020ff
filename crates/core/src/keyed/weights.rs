//! Weights by key: documents scored by families that are linear in the counts.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pulp::{Arch, NullaryFnOnce};

use crate::text::seeds::Seeds;
use crate::text::{Document, Encoded, Encoder, NO_PART, Workspace};

use super::counts::KeyedCounts;
use super::deal::Rules;
use super::records::Records;
use super::threads::{Queue, by_pieces, each_thread, pieces};

/// What a key weighs.
#[derive(Clone, Copy)]
enum Weight {
    /// Nobody has looked yet; in the table: nothing stands here.
    Unseen,
    /// No column has this key.
    Unknown,
    /// As much as the base, and more for one class: so most keys weigh, since one class alone has seen them.
    One { class: u16, more: f64 },
    /// As the row of this column says.
    Row(u32),
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    weight: Weight,
}

/// Frozen weights, one row of classes for each of many keys; the rows themselves stay with the caller.
pub struct KeyWeights {
    slots: Vec<Slot>,
    seeds: Seeds,
    /// The least that a key weighs, by class.
    base: Vec<f64>,
    /// What was used last, one for each thread.
    readers: Mutex<Vec<Reader>>,
}

/// A reader with more words does not stay when the work is done: so many take about 10 MB.
const KEPT: usize = 1 << 17;

impl KeyWeights {
    /// Of distinct keys and their rows of `k` weights.
    pub fn new(keys: &[u64], weights: &[f64], k: usize) -> Self {
        let size = (keys.len() * 3 / 2 + 1).next_power_of_two();
        let slots = vec![Slot { key: 0, weight: Weight::Unseen }; size];
        let rows = || weights.chunks_exact(k.max(1));
        let mut base = rows().next().map_or_else(|| vec![0.0; k], <[f64]>::to_vec);
        rows().for_each(|row| base.iter_mut().zip(row).for_each(|(least, weight)| *least = least.min(*weight)));
        let mut this = Self { slots, seeds: Seeds::random(), base, readers: Mutex::default() };
        for (column, (&key, row)) in keys.iter().zip(rows()).enumerate() {
            let at = this.place(key);
            this.slots[at] = Slot { key, weight: this.weight(column as u32, row) };
        }
        this
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.base.len()
    }

    fn weight(&self, column: u32, row: &[f64]) -> Weight {
        let mut more = row.iter().zip(&self.base).enumerate().filter(|(_, (weight, base))| weight != base);
        match (more.next(), more.next(), u16::try_from(row.len())) {
            (None, ..) => Weight::One { class: 0, more: 0.0 },
            (Some((class, (weight, base))), None, Ok(_)) => Weight::One { class: class as u16, more: weight - base },
            _ => Weight::Row(column),
        }
    }

    #[inline(always)]
    fn start(&self, key: u64) -> usize {
        self.seeds.mix(key, 0) as usize & (self.slots.len() - 1)
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let mut at = self.start(key);
        while !matches!(self.slots[at].weight, Weight::Unseen) && self.slots[at].key != key {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    #[inline(always)]
    fn find(&self, key: u64) -> Weight {
        match self.slots[self.place(key)].weight {
            Weight::Unseen => Weight::Unknown,
            weight => weight,
        }
    }

    /// Adds the scores of documents to `out`, a row of classes for each: what the counts' lift makes of each feature times
    /// its weights, which are those that this was made of. All calls must be with the same counts and encoder.
    pub fn add_to(
        &self,
        weights: &[f64],
        counts: &KeyedCounts,
        encoder: Encoder,
        records: &Records,
        threads: usize,
        out: &mut [f64],
    ) {
        let (k, rules, arch) = (self.base.len(), counts.rules(encoder), Arch::new());
        let pieces = records.shares(0..records.len(), pieces(threads));
        let (count, queue) = (pieces.len(), Queue::new(by_pieces(out, k, pieces)));
        each_thread(0..threads.max(1).min(count), |_| {
            let mut reader = self.readers().pop().unwrap_or_default();
            let mut fields = Vec::new();
            while let Some((rows, part)) = queue.next() {
                for (row, scores) in rows.zip(part.chunks_exact_mut(k.max(1))) {
                    records.fields(row, &mut fields);
                    reader.read(self, rules, &fields);
                    reader.add_more(self, scores);
                    arch.dispatch(AddRows { weights, rows: &reader.rows, scores });
                }
            }
            if reader.words.len() <= KEPT {
                self.readers().push(reader);
            }
        });
    }

    fn readers(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The features of the present document, told by what they weigh, and what is remembered of the words before.
#[derive(Default)]
struct Reader {
    work: Workspace,
    encoded: Encoded,
    norms: Vec<f64>,
    lifted: Vec<u32>,
    /// Key and weight of each word of the workspace.
    words: Vec<(u64, Weight)>,
    /// Features that are still to be looked up, with their counts.
    keys: Vec<(u64, f64)>,
    /// Counts of features that weigh as much as the base, and what some of them weigh more.
    based: f64,
    ones: Vec<(u16, f64)>,
    /// Columns of the others, with counts.
    rows: Vec<(u32, f64)>,
}

impl Reader {
    fn read(&mut self, all: &KeyWeights, rules: Rules, fields: &[(&str, Document)]) {
        if self.work.trim() {
            self.words.clear();
        }
        self.based = 0.0;
        self.ones.clear();
        self.rows.clear();
        if rules.adds_occurrences() {
            self.work.restart(&rules.encoder, fields.iter().map(|(_, field)| field.size()).sum());
            fields.iter().for_each(|(tag, field)| self.read_field(all, rules, tag.as_bytes(), field));
        } else {
            rules.encoder.encode(fields, &mut self.work, &mut self.encoded);
            self.read_features(all, rules);
        }
    }

    /// Every word and pair of a field, as often as it occurs.
    fn read_field(&mut self, all: &KeyWeights, rules: Rules, tag: &[u8], field: &Document) {
        self.work.read(&rules.encoder, tag, field);
        self.widen();
        let touched = self.work.tokens().iter().map(|node| self.words[*node as usize].0);
        std::hint::black_box(touched.fold(0, u64::wrapping_add));
        for i in 0..self.work.tokens().len() {
            self.add_word(all, rules, self.work.tokens()[i], rules.place[1], 1.0);
        }
        if rules.encoder.plan.has_long_terms() {
            let key = |word: u32| self.words[word as usize].0;
            let pairs = self.work.tokens().windows(2);
            let keys = pairs.map(|pair| rules.encoder.pair_key(key(pair[0]), key(pair[1]), 2));
            self.keys.extend(keys.map(|key| (rules.key(key, rules.place[2]), 1.0)));
        }
        self.add_keys(all);
    }

    /// Every feature of the document once.
    fn read_features(&mut self, all: &KeyWeights, rules: Rules) {
        rules.lift.apply(&self.encoded, rules.place, &mut self.norms, &mut self.lifted);
        self.widen();
        for i in 0..self.encoded.len() {
            let (node, order) = (self.encoded.nodes[i], rules.place[self.encoded.orders[i] as usize]);
            let count = self.lifted[i] as f64;
            if node == NO_PART {
                self.keys.push((rules.key(self.encoded.keys[i], order), count));
            } else {
                self.add_word(all, rules, node, order, count);
            }
        }
        self.add_keys(all);
    }

    /// Makes room for the words met since the last time.
    fn widen(&mut self) {
        let new = self.words.len()..self.work.words();
        self.words.extend(new.map(|node| (self.work.key(node as u32), Weight::Unseen)));
    }

    #[inline(always)]
    fn add_word(&mut self, all: &KeyWeights, rules: Rules, node: u32, order: u8, count: f64) {
        let (key, weight) = &mut self.words[node as usize];
        if let Weight::Unseen = weight {
            *weight = all.find(rules.key(*key, order));
        }
        let weight = *weight;
        self.add(weight, count);
    }

    /// Looks up what waits; the misses of many keys overlap.
    fn add_keys(&mut self, all: &KeyWeights) {
        let keys = std::mem::take(&mut self.keys);
        let touched = keys.iter().map(|(key, _)| all.slots[all.start(*key)].key);
        std::hint::black_box(touched.fold(0, u64::wrapping_add));
        keys.iter().for_each(|(key, count)| self.add(all.find(*key), *count));
        self.keys = keys;
        self.keys.clear();
    }

    #[inline(always)]
    fn add(&mut self, weight: Weight, count: f64) {
        match weight {
            Weight::One { class, more } => {
                self.based += count;
                self.ones.push((class, count * more));
            }
            Weight::Row(column) => self.rows.push((column, count)),
            Weight::Unseen | Weight::Unknown => {}
        }
    }

    fn add_more(&self, all: &KeyWeights, scores: &mut [f64]) {
        scores.iter_mut().zip(&all.base).for_each(|(score, base)| *score += self.based * base);
        self.ones.iter().for_each(|(class, more)| scores[*class as usize] += more);
    }
}

/// Adds the rows of columns, compiled for the widest vectors the processor has.
struct AddRows<'a> {
    weights: &'a [f64],
    rows: &'a [(u32, f64)],
    scores: &'a mut [f64],
}

impl NullaryFnOnce for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let k = self.scores.len();
        for (column, count) in self.rows {
            let row = &self.weights[*column as usize * k..][..k];
            self.scores.iter_mut().zip(row).for_each(|(score, weight)| *score += count * weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyed::Lift;
    use crate::text::{Chars, Plan, Settings};

    #[test]
    fn readers_stay_for_the_next_call_unless_they_have_met_many_words() {
        let Ok(plan) = Plan::new(Settings::default(), Chars::shared()) else { unreachable!() };
        let encoder = Encoder { plan: &plan, seed: 0, presence: false };
        let counts = KeyedCounts::new(&plan.orders(), 2, Lift::Count, None, false);
        let weights = KeyWeights::new(&[], &[], 2);
        let (few, many) = ("a b".to_owned(), (0..=KEPT).map(|n| format!("w{n} ")).collect::<String>());
        for (text, left) in [(few, 1), (many, 0)] {
            let records = Records { tags: &[String::new()], columns: vec![vec![Document::Text(text.as_bytes())]] };
            weights.add_to(&[], &counts, encoder, &records, 1, &mut [0.0; 2]);
            assert_eq!(weights.readers().len(), left);
        }
    }
}
