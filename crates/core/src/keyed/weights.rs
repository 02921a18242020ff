//! Weights by key: documents scored by families that are linear in the counts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pulp::{Arch, NullaryFnOnce};

use crate::text::Encoder;
use crate::threads::{by_pieces, from_queue, pieces};

use super::columns::Columns;
use super::counts::KeyedCounts;
use super::reader::Reader;
use super::records::Records;

/// Frozen weights, one row of classes for each column of many keys; the rows themselves stay with the caller.
pub struct KeyWeights {
    pub(super) columns: Arc<Columns>,
    /// The least that a key weighs, by class.
    pub(super) base: Vec<f64>,
    /// For each shared column a class, and what its keys weigh more than the base for that alone, if that is how they
    /// weigh: their sums need no rows then.
    pub(super) ones: Vec<(u16, f64)>,
    /// What was used last, one for each thread.
    readers: Mutex<Vec<Reader>>,
}

impl KeyWeights {
    /// Of columns and their rows of `k` weights.
    pub fn new(columns: Arc<Columns>, weights: &[f64], k: usize) -> Self {
        let rows = || weights.chunks_exact(k.max(1));
        let mut base = rows().next().map_or_else(|| vec![0.0; k], <[f64]>::to_vec);
        rows().for_each(|row| base.iter_mut().zip(row).for_each(|(least, weight)| *least = least.min(*weight)));
        let ones = rows().take(columns.shared).map(|row| one(row, &base)).collect::<Option<_>>().unwrap_or_default();
        Self { columns, base, ones, readers: Mutex::default() }
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.base.len()
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

/// The class for which alone a row weighs more than the base, and how much; where there is none, nothing more.
fn one(row: &[f64], base: &[f64]) -> Option<(u16, f64)> {
    let mut more = row.iter().zip(base).enumerate().filter(|(_, (weight, base))| weight != base);
    match (more.next(), more.next()) {
        (None, _) => Some((0, 0.0)),
        (Some((class, (weight, base))), None) => Some((u16::try_from(class).ok()?, weight - base)),
        _ => None,
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
        let weights = KeyWeights::new(Arc::new(Columns::new(&[])), &[], 2);
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
