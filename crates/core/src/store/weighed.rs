//! What was weighed: counts and ratios of one mail, and what its families say.

use crate::mail::Family;

/// Counts and ratios of one mail, family by family.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// How many labels there are.
    pub labels: usize,
    /// Count per key and label.
    pub counts: Vec<i64>,
    /// r per key and label.
    pub ratios: Vec<f64>,
    /// Keys per family.
    pub sizes: Vec<usize>,
    /// Per label, not clipped: the mean of every family, then the mean of its tails.
    pub means: Vec<f64>,
}

/// How many keys each tail of a family has.
fn tail(size: usize) -> usize {
    size.isqrt().max(1)
}

impl Weighed {
    /// Counts per label of one key.
    pub fn row(&self, at: usize) -> &[i64] {
        self.counts.get(at * self.labels..(at + 1) * self.labels).unwrap_or_default()
    }

    /// In how many learned mails one key is.
    pub fn seen(&self, at: usize) -> i64 {
        self.row(at).iter().fold(0, |sum, &n| sum.saturating_add(n))
    }

    /// r per label of one key.
    pub fn said(&self, at: usize) -> &[f64] {
        self.ratios.get(at * self.labels..(at + 1) * self.labels).unwrap_or_default()
    }

    /// The mean of both tails, per family and label.
    pub(super) fn tails(&self, keys: &[u64]) -> Vec<f64> {
        let mut tails = vec![0.0; self.sizes.len() * self.labels];
        // What speaks for one of two labels speaks against the other.
        let first = if self.labels == 2 { 1 } else { 0 };
        for label in first..self.labels {
            for (family, column) in self.columns(keys, label).iter_mut().enumerate() {
                let q = tail(column.len());
                let mean = both_ends(column, q) / (2 * q) as f64;
                let at = family * self.labels + label;
                if let Some(cell) = tails.get_mut(at) {
                    *cell = mean;
                }
                if let (2, Some(other)) = (self.labels, tails.get_mut(at - first)) {
                    *other = -mean;
                }
            }
        }
        tails
    }

    /// The ratios of each family for one label.
    fn columns(&self, keys: &[u64], label: usize) -> Vec<Vec<f64>> {
        let mut columns: Vec<Vec<f64>> = self.sizes.iter().map(|&size| Vec::with_capacity(size)).collect();
        for (row, &key) in self.ratios.chunks_exact(self.labels.max(1)).zip(keys) {
            if let (Some(column), Some(&ratio)) = (columns.get_mut(Family::of(key) as usize), row.get(label)) {
                column.push(ratio);
            }
        }
        columns
    }

    /// What each key adds to the score of each label, given the worth of each mean and of each tail. With the base and
    /// what clipping took they add up to the score. `keys` are those that were weighed.
    pub fn summands(&self, keys: &[u64], worth: &[f64]) -> Vec<f64> {
        let families = self.sizes.len();
        let mut out = vec![0.0; self.ratios.len()];
        for (family, &size) in self.sizes.iter().enumerate() {
            let of = |at: usize| worth.get(at).copied().unwrap_or(0.0) / 2.0;
            let (mean, tails) = (of(family) / size.max(1) as f64, of(families + family) / (2 * tail(size)) as f64);
            for label in 0..self.labels {
                let mut here: Vec<(f64, usize)> = (keys.iter().enumerate())
                    .filter(|&(_, &key)| Family::of(key) as usize == family)
                    .filter_map(|(place, _)| {
                        let at = place * self.labels + label;
                        self.ratios.get(at).map(|&r| (r, at))
                    })
                    .collect();
                here.sort_by(|a, b| a.0.total_cmp(&b.0));
                let ends = tail(size);
                for (place, &(r, at)) in here.iter().enumerate() {
                    let twice = usize::from(place < ends) + usize::from(place + ends >= here.len());
                    if let Some(cell) = out.get_mut(at) {
                        *cell = r * (mean + tails * twice as f64);
                    }
                }
            }
        }
        out
    }
}

/// Sum of the q smallest and the q largest.
fn both_ends(column: &mut [f64], q: usize) -> f64 {
    let n = column.len();
    let q = q.min(n);
    if q == 0 {
        return 0.0;
    }
    column.select_nth_unstable_by(q - 1, f64::total_cmp);
    let low: f64 = column.iter().take(q).sum();
    column.select_nth_unstable_by(n - q, f64::total_cmp);
    low + column.iter().skip(n - q).sum::<f64>()
}
