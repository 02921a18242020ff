//! From a document to what its features weigh.

use crate::text::{Document, Encoded, Workspace};

use super::columns::Columns;
use super::deal::Rules;
use super::weights::KeyWeights;

/// So many look-ups begin at once.
const BATCH: usize = 128;

/// A reader with more numbered words, or that has read a longer document, takes more than about 10 MB.
const WORDS: usize = 1 << 17;
const LONGEST: usize = 1 << 18;

/// The features of the present document, told by what they weigh.
#[derive(Default)]
pub(super) struct Reader {
    work: Workspace,
    /// Bytes of the longest document read.
    longest: usize,
    encoded: Encoded,
    norms: Vec<f64>,
    /// The keys of the words of a field.
    word_keys: Vec<u64>,
    keys: Vec<u64>,
    counts: Vec<u32>,
    /// Counts of features that weigh as much as the base, and what some of them weigh more.
    based: f64,
    ones: Vec<(u16, f64)>,
    /// Columns of the others, with counts.
    pub(super) rows: Vec<(u32, f64)>,
}

impl Reader {
    /// Is it worth keeping when the work is done? Scratch space grows with the longest document and the numbered words.
    pub(super) fn is_light(&self) -> bool {
        self.longest <= LONGEST && self.work.words() <= WORDS
    }

    pub(super) fn read(&mut self, all: &KeyWeights, rules: Rules, fields: &[(&str, Document)]) {
        self.work.trim();
        self.keys.clear();
        self.longest = self.longest.max(fields.iter().map(|(_, field)| field.size()).sum());
        if rules.adds_occurrences() {
            fields.iter().for_each(|(tag, field)| self.read_field(rules, tag.as_bytes(), field));
            self.counts.resize(self.keys.len(), 1);
        } else {
            self.read_features(rules, fields);
        }
        self.look_up(all);
    }

    /// Every word and pair of a field, as often as it occurs.
    fn read_field(&mut self, rules: Rules, tag: &[u8], field: &Document) {
        let Rules { encoder, place, .. } = rules;
        self.word_keys.clear();
        self.work.read_keys(&encoder, tag, field, &mut self.word_keys);
        self.keys.extend(self.word_keys.iter().map(|key| rules.key(*key, place[1])));
        if encoder.plan.has_long_terms() {
            let pairs = self.word_keys.windows(2).map(|pair| encoder.pair_key(pair[0], pair[1], 2));
            self.keys.extend(pairs.map(|key| rules.key(key, place[2])));
        }
    }

    /// Every feature of the document once.
    fn read_features(&mut self, rules: Rules, fields: &[(&str, Document)]) {
        let Self { work, encoded, norms, keys, counts, .. } = self;
        rules.encoder.encode(fields, work, encoded);
        rules.lift.apply(encoded, rules.place, norms, counts);
        let orders = encoded.orders.iter().map(|order| rules.place[*order as usize]);
        keys.extend(encoded.keys.iter().zip(orders).map(|(key, order)| rules.key(*key, order)));
    }

    /// Tells the features by their weights; the misses of many keys overlap.
    fn look_up(&mut self, all: &KeyWeights) {
        let Self { keys, counts, based, ones, rows, .. } = self;
        *based = 0.0;
        ones.clear();
        rows.clear();
        for (keys, counts) in keys.chunks(BATCH).zip(counts.chunks(BATCH)) {
            let touched = keys.iter().map(|key| all.columns.touch(*key));
            std::hint::black_box(touched.fold(0, u32::wrapping_add));
            for (key, count) in keys.iter().zip(counts) {
                let (column, count) = (all.columns.find(*key), *count as f64);
                if let Some((class, more)) = all.ones.get(column as usize) {
                    *based += count;
                    ones.push((*class, count * more));
                } else if column != Columns::NONE {
                    rows.push((column, count));
                }
            }
        }
    }

    /// Adds what the features weigh that have no row.
    pub(super) fn add_more(&self, all: &KeyWeights, scores: &mut [f64]) {
        scores.iter_mut().zip(&all.base).for_each(|(score, base)| *score += self.based * base);
        self.ones.iter().for_each(|(class, more)| scores[*class as usize] += more);
    }
}
