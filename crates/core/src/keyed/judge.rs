//! Scoring documents with a table of what each kind of evidence is worth.

use std::sync::Arc;

use crate::text::{Encoded, Encoder, NO_PART, Spare, Workspace};
use crate::threads::{by_pieces, from_queue, pieces};

use super::evidence::Evidence;
use super::layout::{Layout, held};
use super::leanings::{self, Leanings};
use super::lift::log_count;
use super::records::Records;
use super::seen::{Seen, SeenCounts};

/// The derived numbers: what each kind of evidence is worth, and how sure the sum is.
#[derive(Clone)]
pub struct Table {
    /// Worth of each kind, in the order of the [`Layout`].
    pub worth: Vec<f64>,
    /// Factor of the whole evidence.
    pub scale: f64,
    /// Evidence is divided by the number of tokens to this power.
    pub power: f64,
    /// Score of a document without evidence, by class.
    pub bias: Vec<f64>,
    /// What the whole score is divided by.
    pub temperature: f64,
    /// What evidence for one class (row) says about another (column); empty where nothing is known.
    pub mix: Vec<f64>,
    /// What common keys say beyond that.
    pub leanings: Arc<Leanings>,
}

impl Table {
    /// What a feature adds to scores by class: its evidence, what that says about other classes, and so much of its
    /// leaning.
    pub(super) fn said(&self, own: &[f64], (share, leaning): (f64, &[f64]), out: &mut [f64]) {
        out.copy_from_slice(own);
        self.mix(own, out);
        out.iter_mut().zip(leaning).for_each(|(sum, further)| *sum += share * further);
    }

    /// Adds to scores by class what evidence for each class says about the others.
    fn mix(&self, evidence: &[f64], scores: &mut [f64]) {
        for (said, row) in evidence.iter().zip(self.mix.chunks_exact(scores.len().max(1))) {
            scores.iter_mut().zip(row).for_each(|(score, share)| *score += said * share);
        }
    }
}

/// One feature's part in a document's score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weighed<'a> {
    /// Its place in the encoded document.
    pub(super) place: usize,
    /// Its row of evidence and what that was multiplied by.
    pub(super) evidence: (f64, &'a [f64]),
    /// Its leaning, if it has one, and what that was multiplied by.
    pub(super) leaning: (f64, &'a [f64]),
}

/// What a key was found to be: what was seen of it, and the number of its leaning.
#[derive(Clone, Copy)]
struct Found<'a> {
    seen: Option<Seen<'a>>,
    leaning: u32,
}

/// Scores documents, one after the other; holds the scratch space.
pub(super) struct Judge<'a> {
    evidence: &'a Evidence<'a>,
    table: &'a Table,
    encoder: Encoder<'a>,
    layout: Layout,
    work: Workspace,
    /// The document read last.
    pub(super) encoded: Encoded,
    keys: Vec<u64>,
    found: Vec<Found<'a>>,
    /// What was found of each word of the workspace, once it has been looked up.
    words: Vec<Option<Found<'a>>>,
    overlap: Vec<f64>,
    row: Vec<f64>,
    /// What leanings add to the scores.
    leaned: Vec<f64>,
    ones: Ones,
}

impl<'a> Judge<'a> {
    /// A judge for documents of this encoder.
    pub(super) fn new(
        evidence: &'a Evidence<'a>,
        table: &'a Table,
        encoder: Encoder<'a>,
        (work, encoded): (Workspace, Encoded),
    ) -> Self {
        let layout = Layout { orders: evidence.counts.orders.len() };
        let (keys, found, words, overlap) = Default::default();
        let (row, leaned, ones) = (vec![0.0; evidence.counts.k], vec![0.0; evidence.counts.k], Ones::new(evidence));
        Self { evidence, table, encoder, layout, work, encoded, keys, found, words, overlap, row, leaned, ones }
    }

    /// Writes the scores of the document by class; `each` sees every known feature with its rows.
    pub(super) fn score(
        &mut self,
        fields: &[(&str, crate::text::Document)],
        out: &mut [f64],
        mut each: impl FnMut(Weighed),
    ) {
        if self.work.trim() {
            self.words.clear();
        }
        self.encoder.encode(fields, &mut self.work, &mut self.encoded);
        self.look_up();
        let Self { evidence, table, layout, encoded, keys, found, overlap, row, leaned, ones, .. } = self;
        let length = table.scale / table.temperature * (encoded.tokens.max(1) as f64).powf(-table.power);
        out.iter_mut().zip(&table.bias).for_each(|(score, bias)| *score = bias / table.temperature);
        leaned.fill(0.0);
        for (i, Found { seen, leaning }) in found.iter().enumerate() {
            let Some(seen) = seen else { continue };
            let order = seen.order as usize;
            let (row, strength) = match ones.row(evidence, seen) {
                Some(kept) => kept,
                None => evidence.row_of(keys[i], seen, row),
            };
            let worth = table.worth[layout.kind(order, held(seen.documents), strength)]
                + table.worth[layout.position(order, encoded.first[i])]
                + table.worth[layout.repeat(order, encoded.counts[i])];
            let factor = length * (worth * log_count(encoded.counts[i]) - overlap[i]);
            out.iter_mut().zip(row).for_each(|(score, z)| *score += factor * z);
            let leaning = (leanings::share(encoded.counts[i], encoded.tokens), table.leanings.row(*leaning));
            leaned.iter_mut().zip(leaning.1).for_each(|(sum, further)| *sum += leaning.0 * further);
            each(Weighed { place: i, evidence: (factor, row), leaning });
        }
        let evidence = out.iter().zip(&table.bias).map(|(score, bias)| score - bias / table.temperature);
        row.iter_mut().zip(evidence).for_each(|(said, evidence)| *said = evidence);
        table.mix(row, out);
        out.iter_mut().zip(leaned).for_each(|(score, further)| *score += *further);
    }

    /// Finds the counts of all features, and how much of each word its pairs have said already.
    fn look_up(&mut self) {
        let counts = self.evidence.counts;
        let rules = counts.rules(self.encoder);
        let Self { table, work, encoded, keys, found, words, overlap, .. } = self;
        let find = |key| Found { seen: counts.find(key), leaning: table.leanings.find(key) };
        words.resize(work.words(), None);
        keys.clear();
        let orders = encoded.orders.iter().map(|order| rules.place[*order as usize]);
        keys.extend(encoded.keys.iter().zip(orders).map(|(key, order)| rules.key(*key, order)));
        let grams = keys.iter().zip(&encoded.nodes).filter(|(_, node)| **node == NO_PART);
        let touched = grams.map(|(key, _)| counts.shard(*key).touch(*key));
        std::hint::black_box(touched.fold(0, i32::wrapping_add));
        found.clear();
        found.extend(keys.iter().zip(&encoded.nodes).map(|(key, node)| match words.get_mut(*node as usize) {
            Some(word) => *word.get_or_insert_with(|| find(*key)),
            None => find(*key),
        }));
        let touched = keys
            .iter()
            .zip(found.iter())
            .map(|(key, found)| found.seen.map_or(0.0, |seen| self.evidence.touch(*key, &seen)));
        std::hint::black_box(touched.sum::<f64>());
        overlap.clear();
        overlap.resize(encoded.len(), 0.0);
        for (i, &[head, last]) in encoded.parts.iter().enumerate() {
            if let (true, true, Some(seen)) = (head != NO_PART, last != NO_PART, found[i].seen) {
                let part = 0.5 * table.worth[self.layout.overlap(held(seen.documents))] * log_count(encoded.counts[i]);
                overlap[head as usize] += part;
                overlap[last as usize] += part;
            }
        }
    }
}

/// Rows of keys that one class alone has, which depend on little: their order, class and count. Those met last are kept,
/// where there are many documents; computing one takes as long as ten look-ups.
struct Ones {
    k: usize,
    made: Vec<(u8, usize, i64)>,
    rows: Vec<f64>,
}

/// Numbers that are kept, 256 KB.
const KEPT: usize = 1 << 15;
const NONE: (u8, usize, i64) = (0, usize::MAX, 0);

impl Ones {
    fn new(evidence: &Evidence) -> Self {
        let k = evidence.counts.k;
        let slots = if evidence.is_prepared() { (KEPT / (k + 1)).next_power_of_two() } else { 0 };
        Self { k, made: vec![NONE; slots], rows: vec![0.0; slots * (k + 1)] }
    }

    /// The row of a key that one class has, and its strength.
    #[inline(always)]
    fn row(&mut self, evidence: &Evidence, seen: &Seen) -> Option<(&[f64], f64)> {
        let SeenCounts::One(class, sum) = seen.counts else { return None };
        let own = (seen.order, class, sum);
        let mixed = (sum as usize * 2 + seen.order as usize).wrapping_mul(self.k).wrapping_add(class);
        let slot = mixed & self.made.len().checked_sub(1)?;
        let (row, strength) = self.rows[slot * (self.k + 1)..][..self.k + 1].split_at_mut(self.k);
        if self.made[slot] != own {
            self.made[slot] = own;
            strength[0] = evidence.row(seen.counts, evidence.shares_at(seen.order), row);
        }
        Some((row, strength[0]))
    }
}

impl Evidence<'_> {
    /// Scores of documents by class, `out` with one row for each; `spare` belongs to the encoder.
    pub fn judge(
        &mut self,
        table: &Table,
        (encoder, spare): (Encoder, &Spare),
        records: &Records,
        threads: usize,
        out: &mut [f64],
    ) {
        let k = self.counts.k;
        if self.is_worth_preparing(records.bytes()) {
            self.prepare(threads);
        }
        let this = &*self;
        let pieces = records.shares(0..records.len(), pieces(threads));
        from_queue(by_pieces(out, k, pieces), threads, |queue| {
            let mut judge = Judge::new(this, table, encoder, spare.take());
            let mut fields = Vec::new();
            for (rows, part) in queue {
                for (row, scores) in rows.zip(part.chunks_mut(k.max(1))) {
                    records.fields(row, &mut fields);
                    judge.score(&fields, scores, |_| {});
                }
            }
            spare.give(judge.work, judge.encoded);
        });
    }
}
