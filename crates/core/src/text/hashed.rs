//! Rows of hashed terms, without a vocabulary.

use crate::threads::each_thread;

use super::joined::Joined;
use super::letters::Letters;
use super::share::shares;
use super::{Analyzer, Document, Plan, Rows, murmur3};

/// How terms become columns.
#[derive(Clone, Copy, Debug)]
pub struct Buckets {
    /// Number of columns.
    pub count: u32,
    /// Let half of the terms count negative, so that collisions cancel on average.
    pub signed: bool,
}

impl Buckets {
    /// The column of a term and its sign, as scikit-learn's feature hasher has it.
    fn place(self, term: &[u8]) -> (u32, f64) {
        let hash = murmur3(term, 0);
        let column = match hash {
            // |−2³¹| does not fit; scikit-learn gives this one hash a column of its own making.
            i32::MIN => (i32::MAX as u32 - (self.count - 1)) % self.count,
            _ => hash.unsigned_abs() % self.count,
        };
        (column, if self.signed && hash < 0 { -1.0 } else { 1.0 })
    }
}

/// The sums by column for each document, sorted by column; sums that cancel stay as explicit zeros.
pub fn hashed_rows(plan: &Plan, documents: &[Document], buckets: Buckets, threads: usize) -> Rows<f64> {
    let parts = shares(documents, threads, Document::size);
    Rows::joined(each_thread(parts.into_iter(), |share| share_rows(plan, share, buckets)))
}

fn share_rows(plan: &Plan, documents: &[Document], buckets: Buckets) -> Rows<f64> {
    let mut rows = Rows::default();
    let (mut joined, mut letters, mut text) = (Joined::default(), Letters::default(), Vec::new());
    let mut cells: Vec<(u32, f64)> = Vec::new();
    for document in documents {
        cells.clear();
        if plan.settings.analyzer == Analyzer::Word {
            joined.each(plan, document, &mut text, |text, a, b| cells.push(buckets.place(&text[a..b])));
        } else {
            letters.each(plan, document, &mut text, |text, a, b, _| cells.push(buckets.place(&text[a..b])));
        }
        cells.sort_unstable_by_key(|cell| cell.0);
        for group in cells.chunk_by(|a, b| a.0 == b.0) {
            rows.columns.push(group[0].0 as i32);
            rows.counts.push(group.iter().map(|cell| cell.1).sum());
        }
        rows.starts.push(rows.columns.len() as i64);
    }
    rows
}
