//! What common keys say beyond what their kind is worth.

use super::columns::Columns;
use super::counts::KeyedCounts;
use super::lift::log_count;

/// A row of classes for each of some keys; what a document's key x times says is
///
/// L^-1/2 ln(1 + x) δ[key], with L its number of tokens.
pub struct Leanings {
    columns: Columns,
    rows: Vec<f64>,
    k: usize,
}

impl Leanings {
    /// Of distinct keys and their rows of `k` numbers.
    pub fn new(keys: &[u64], rows: Vec<f64>, k: usize) -> Self {
        Self { columns: Columns::new(keys), rows, k }
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.k
    }

    /// The number of a key's row, or [`Columns::NONE`].
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> u32 {
        self.columns.find(key)
    }

    /// The row of this number; nothing for [`Columns::NONE`].
    #[inline(always)]
    pub(super) fn row(&self, number: u32) -> &[f64] {
        let start = number as usize * self.k;
        self.rows.get(start..start + self.k).unwrap_or_default()
    }
}

/// What the row of a key that occurs so often is multiplied by.
#[inline(always)]
pub(super) fn share(count: u32, tokens: u32) -> f64 {
    log_count(count) / f64::from(tokens.max(1)).sqrt()
}

impl KeyedCounts {
    /// The `most` keys that most documents hold, but at least `least` of them; ascending.
    pub fn common(&self, least: i64, most: usize) -> Vec<u64> {
        let held = self.each().filter(|(_, seen, _)| seen.documents >= least);
        let mut found: Vec<(i64, u64)> = held.map(|(key, seen, _)| (-seen.documents, key)).collect();
        if found.len() > most {
            found.select_nth_unstable(most);
            found.truncate(most);
        }
        let mut keys: Vec<u64> = found.into_iter().map(|(_, key)| key).collect();
        keys.sort_unstable();
        keys
    }
}
