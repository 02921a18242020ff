//! Weights by key: documents scored by families that are linear in the counts.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pulp::{Arch, NullaryFnOnce};

use crate::text::Encoder;
use crate::text::seeds::Seeds;
use crate::threads::{by_pieces, from_queue, pieces};

use super::counts::KeyedCounts;
use super::reader::Reader;
use super::records::Records;

/// A key and what it weighs. Twelve bytes: most look-ups of pairs wait for their slot to come from memory.
#[derive(Clone, Copy)]
struct Slot {
    key: [u32; 2],
    /// A place among the `ones`, or behind them the number of a row.
    weight: u32,
}

pub(super) const NONE: u32 = u32::MAX;
const EMPTY: Slot = Slot { key: [0; 2], weight: NONE };

/// Frozen weights, one row of classes for each of many keys; the rows themselves stay with the caller.
pub struct KeyWeights {
    slots: Vec<Slot>,
    seeds: Seeds,
    /// The least that a key weighs, by class.
    pub(super) base: Vec<f64>,
    /// A class, and what keys weigh more than the base for it alone. So most keys weigh, since one class alone has seen
    /// them, and many of them the same.
    pub(super) ones: Vec<(u16, f64)>,
    /// What was used last, one for each thread.
    readers: Mutex<Vec<Reader>>,
}

impl KeyWeights {
    /// Of distinct keys and their rows of `k` weights.
    pub fn new(keys: &[u64], weights: &[f64], k: usize) -> Self {
        let slots = vec![EMPTY; (keys.len() * 3 / 2 + 1).next_power_of_two()];
        let rows = || weights.chunks_exact(k.max(1));
        let mut base = rows().next().map_or_else(|| vec![0.0; k], <[f64]>::to_vec);
        rows().for_each(|row| base.iter_mut().zip(row).for_each(|(least, weight)| *least = least.min(*weight)));
        let mut this = Self { slots, seeds: Seeds::random(), base, ones: Vec::new(), readers: Mutex::default() };
        let places = this.take_ones(rows());
        for (column, (&key, place)) in keys.iter().zip(places).enumerate() {
            let weight = place.unwrap_or((this.ones.len() + column) as u32);
            let at = this.place(key);
            this.slots[at] = Slot { key: halves(key), weight };
        }
        this
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.base.len()
    }

    /// Fills the list of ones; the place there of each row that has one.
    fn take_ones<'a>(&mut self, rows: impl Iterator<Item = &'a [f64]>) -> Vec<Option<u32>> {
        let mut known = HashMap::new();
        let mut place = |row| {
            let (class, more) = self.one(row)?;
            Some(*known.entry((class, more.to_bits())).or_insert_with(|| {
                self.ones.push((class, more));
                (self.ones.len() - 1) as u32
            }))
        };
        rows.map(&mut place).collect()
    }

    /// The class for which alone a row weighs more than the base, and how much; where there is none, nothing more.
    fn one(&self, row: &[f64]) -> Option<(u16, f64)> {
        let mut more = row.iter().zip(&self.base).enumerate().filter(|(_, (weight, base))| weight != base);
        match (more.next(), more.next()) {
            (None, _) => Some((0, 0.0)),
            (Some((class, (weight, base))), None) => Some((u16::try_from(class).ok()?, weight - base)),
            _ => None,
        }
    }

    #[inline(always)]
    fn start(&self, key: u64) -> usize {
        self.seeds.mix(key, 0) as usize & (self.slots.len() - 1)
    }

    /// Reads the slot where the search will begin, so that the misses of many keys overlap.
    #[inline(always)]
    pub(super) fn touch(&self, key: u64) -> u32 {
        self.slots[self.start(key)].weight
    }

    /// What a key weighs: a place among the ones, or behind them the number of a row; [`NONE`] if it is not known.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> u32 {
        self.slots[self.place(key)].weight
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let mut at = self.start(key);
        while self.slots[at].weight != NONE && self.slots[at].key != halves(key) {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
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
        from_queue(by_pieces(out, k, pieces), threads, |queue| {
            let mut reader = self.readers().pop().unwrap_or_default();
            let mut fields = Vec::new();
            for (rows, part) in queue {
                for (row, scores) in rows.zip(part.chunks_exact_mut(k.max(1))) {
                    records.fields(row, &mut fields);
                    reader.read(self, rules, &fields);
                    reader.add_more(self, scores);
                    arch.dispatch(AddRows { weights, rows: &reader.rows, scores });
                }
            }
            if reader.is_light() {
                self.readers().push(reader);
            }
        });
    }

    fn readers(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[inline(always)]
fn halves(key: u64) -> [u32; 2] {
    [key as u32, (key >> 32) as u32]
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
    fn call(mut self) {
        let mut class = 0;
        while class < self.scores.len() {
            class += match self.scores.len() - class {
                16.. => self.add::<16>(class),
                8.. => self.add::<8>(class),
                4.. => self.add::<4>(class),
                2.. => self.add::<2>(class),
                _ => self.add::<1>(class),
            };
        }
    }
}

impl AddRows<'_> {
    /// Adds N classes from `first`, whose scores stay in registers meanwhile; how many these were.
    #[inline(always)]
    fn add<const N: usize>(&mut self, first: usize) -> usize {
        let k = self.scores.len();
        if let Some(scores) = self.scores[first..].first_chunk_mut::<N>() {
            let mut sums = *scores;
            for (column, count) in self.rows {
                let row: &[f64; N] = self.weights[*column as usize * k + first..].first_chunk().unwrap_or(&[0.0; N]);
                (0..N).for_each(|class| sums[class] += count * row[class]);
            }
            *scores = sums;
        }
        N
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyed::Lift;
    use crate::text::{Chars, Document, Plan, Settings};

    #[test]
    fn readers_stay_for_the_next_call_unless_they_are_heavy() {
        let Ok(plan) = Plan::new(Settings::default(), Chars::shared()) else { unreachable!() };
        let encoder = Encoder { plan: &plan, seed: 0, presence: false };
        let counts = KeyedCounts::new(&plan.orders(), 2, Lift::Unit, None, false);
        let weights = KeyWeights::new(&[], &[], 2);
        let many: Vec<String> = (0..1 << 18).map(|n| format!("w{n}")).collect();
        for (texts, left) in [(vec!["a b".to_owned()], 1), (vec!["a ".repeat(1 << 18)], 0), (many, 0)] {
            let column: Vec<_> = texts.iter().map(|text| Document::Text(text.as_bytes())).collect();
            let mut out = vec![0.0; 2 * column.len()];
            let records = Records { tags: &[String::new()], columns: vec![column] };
            weights.add_to(&[], &counts, encoder, &records, 1, &mut out);
            assert_eq!(weights.readers().len(), left);
        }
    }
}
