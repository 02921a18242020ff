//! What a verdict is made of, and what a class is known by.

use crate::text::{Encoded, Encoder, Workspace};

use super::evidence::Evidence;
use super::judge::{Judge, Table};
use super::layout::{Layout, held};
use super::records::Records;

/// The known features of a document; lists in parallel, `summands` with one number per class and feature.
#[derive(Default)]
pub struct Summands {
    /// Keys.
    pub keys: Vec<u64>,
    /// Texts.
    pub names: Vec<Vec<u8>>,
    /// How often each occurs in the document.
    pub counts: Vec<u32>,
    /// What each adds to the score of each class.
    pub summands: Vec<f64>,
}

/// The first document feature by feature; with the bias of the table the summands add up to its score.
pub fn explain(evidence: &Evidence, table: &Table, encoder: Encoder, records: &Records) -> Summands {
    let mut judge = Judge::new(evidence, table, encoder, (Workspace::with_names(), Encoded::default()));
    let (mut fields, mut out, mut places) = (Vec::new(), Summands::default(), Vec::new());
    records.fields(0, &mut fields);
    judge.score(&fields, &mut vec![0.0; evidence.counts.k], |weighed| {
        places.push(weighed.place);
        let (factor, row) = weighed.evidence;
        let (own, start) = (row.iter().map(|z| factor * z).collect::<Vec<_>>(), out.summands.len());
        out.summands.resize(start + own.len(), 0.0);
        table.said(&own, weighed.leaning, &mut out.summands[start..]);
    });
    for place in places {
        out.keys.push(judge.encoded.keys[place]);
        out.names.push(judge.encoded.name(place).to_vec());
        out.counts.push(judge.encoded.counts[place]);
    }
    out
}

impl Evidence<'_> {
    /// For each class the `count` keys that speak for it most: key, weight, documents of the class, by its share of what
    /// was counted. The weight is evidence times the worth of its kind, and the leaning in the same unit, as in a text of
    /// one word.
    pub fn strongest(&self, table: &Table, count: usize) -> Vec<Vec<(u64, f64, i64)>> {
        let (k, layout) = (self.counts.k, Layout { orders: self.counts.orders.len() });
        let mut best: Vec<Vec<(u64, f64, i64)>> = vec![Vec::new(); k];
        let (mut row, mut said) = (vec![0.0; k], vec![0.0; k]);
        let unit = if table.scale > 0.0 { table.scale / table.temperature } else { 1.0 };
        let order =
            |a: &(u64, f64, i64), b: &(u64, f64, i64)| b.1.total_cmp(&a.1).then(b.2.cmp(&a.2)).then(a.0.cmp(&b.0));
        for (key, seen, _) in self.counts.each() {
            let place = seen.order as usize;
            let strength = self.row(seen.counts, self.shares_at(seen.order), &mut row);
            let kind = layout.kind(place, held(seen.documents), strength);
            let worth = table.worth.get(kind).copied().unwrap_or(0.0);
            row.iter_mut().for_each(|z| *z *= worth);
            table.said(&row, (1.0 / unit, table.leanings.row(table.leanings.find(key))), &mut said);
            let each = seen.documents as f64 / seen.counts.total().max(1) as f64;
            for (class, (best, weight)) in best.iter_mut().zip(&said).enumerate() {
                best.push((key, *weight + 0.0, (each * seen.counts.of(class) as f64).round() as i64));
                if best.len() >= count.saturating_mul(2).saturating_add(64) {
                    best.sort_unstable_by(order);
                    best.truncate(count);
                }
            }
        }
        for best in &mut best {
            best.sort_unstable_by(order);
            best.truncate(count);
        }
        best
    }
}
