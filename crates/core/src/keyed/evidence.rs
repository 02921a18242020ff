//! Weighing keyed counts: rows of log-ratios, computed when they are asked for.

use std::sync::Arc;

use crate::threads::each_thread;

use super::counts::KeyedCounts;
use super::logs::Logs;
use super::seen::{Seen, SeenCounts};
use super::shard::Shard;

/// Bytes of text from which on rows may be computed beforehand.
const WORTH_PREPARING: usize = 1 << 22;

/// What a key says about each class: the multinomial view (the class against all that it says) and the complement view
/// (against what the other classes say) in one,
///
/// z[c] = ln (F[w,c] + a) − ln (N[c] + a V) − ln (F[w] − F[w,c] + a (K − 1)) + ln (N − N[c] + a V (K − 1)),
///
/// less its mean over the classes; N and V belong to the key's order. After Rennie et al., ICML 2003, whose weights the
/// two halves are.
pub struct Evidence<'a> {
    pub(super) counts: &'a KeyedCounts,
    pub(super) shares: Vec<f64>,
    alpha: f64,
    own: Arc<Logs>,
    rest: Arc<Logs>,
    /// By shard: for each row of cells the strength and the row of evidence, if all were computed beforehand. The strength
    /// stands in front, where the row is touched: it is asked for first.
    ready: Vec<Vec<f64>>,
}

impl<'a> Evidence<'a> {
    /// The counts under a pseudo-count `alpha` for every key and class.
    pub fn new(counts: &'a KeyedCounts, alpha: f64) -> Self {
        let rivals = counts.k as f64 - 1.0;
        let (own, rest) = (Logs::shared(alpha), Logs::shared(alpha * rivals.max(1.0)));
        let mut evidence = Self { counts, shares: Vec::new(), alpha, own, rest, ready: Vec::new() };
        for order in 0..counts.orders.len() {
            let sums = &counts.sums()[order * counts.k..][..counts.k];
            let mut shares = vec![0.0; counts.k];
            evidence.shares_of(order, sums, &mut shares);
            evidence.shares.extend(shares);
        }
        evidence
    }

    /// Computes the rows of all keys that several classes have. Worth it for many documents: 20 Newsgroups takes 0.1 s.
    pub fn prepare(&mut self, threads: usize) {
        let (k, shards) = (self.counts.k, self.counts.shards());
        let parts = shards.chunks(shards.len().div_ceil(threads.max(1)).max(1));
        let ready = each_thread(parts, |shards| {
            let rows = |shard: &Shard| {
                let mut out = vec![0.0; shard.rows(k) * (k + 1)];
                for (_, seen, _) in shard.each(k) {
                    if let SeenCounts::Many(_, row) = seen.counts {
                        let (strength, z) = out[row * (k + 1)..][..k + 1].split_at_mut(1);
                        strength[0] = self.row(seen.counts, self.shares_at(seen.order), z);
                    }
                }
                out
            };
            shards.iter().map(rows).collect::<Vec<_>>()
        });
        self.ready = ready.into_iter().flatten().collect();
    }

    /// Would preparing take less than it saves for texts of so many bytes? A row is computed in the time of its look-ups,
    /// and there is a look-up every few bytes.
    pub(super) fn is_worth_preparing(&self, bytes: usize) -> bool {
        let rows = || self.counts.shards().iter().map(|shard| shard.rows(self.counts.k)).sum::<usize>();
        bytes > WORTH_PREPARING && rows() < bytes / 8
    }

    pub(super) fn is_prepared(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The part of the row that all keys of an order have in common.
    #[inline(always)]
    pub(super) fn shares_at(&self, order: u8) -> &[f64] {
        &self.shares[order as usize * self.counts.k..][..self.counts.k]
    }

    /// Reads the beginning of a row that was computed beforehand, so that the misses of many rows overlap.
    #[inline(always)]
    pub(super) fn touch(&self, key: u64, seen: &Seen) -> f64 {
        match (seen.counts, self.ready.get((key >> 56) as usize)) {
            (SeenCounts::Many(_, row), Some(ready)) => ready[row * (self.counts.k + 1)],
            _ => 0.0,
        }
    }

    /// The row of a key, from those computed beforehand or else written to `out`, and its strength.
    #[inline(always)]
    pub(super) fn row_of<'r>(&'r self, key: u64, seen: &Seen, out: &'r mut [f64]) -> (&'r [f64], f64) {
        let k = self.counts.k;
        if let (SeenCounts::Many(_, row), Some(ready)) = (seen.counts, self.ready.get((key >> 56) as usize)) {
            let (strength, z) = ready[row * (k + 1)..][..k + 1].split_at(1);
            return (z, strength[0]);
        }
        let strength = self.row(seen.counts, self.shares_at(seen.order), out);
        (out, strength)
    }

    /// The part of the row that all keys of an order have in common, from the sums of that order.
    pub(super) fn shares_of(&self, order: usize, sums: &[i64], out: &mut [f64]) {
        let total: i64 = sums.iter().sum();
        let mass = self.alpha * self.counts.distinct()[order].max(1) as f64;
        let rivals = (self.counts.k as f64 - 1.0).max(1.0);
        for (share, &sum) in out.iter_mut().zip(sums) {
            *share = ((total - sum) as f64 + mass * rivals).ln() - (sum as f64 + mass).ln();
        }
    }

    /// Writes the row of a key and returns its strength, the largest entry.
    #[inline(always)]
    pub(super) fn row(&self, counts: SeenCounts, shares: &[f64], out: &mut [f64]) -> f64 {
        match counts {
            SeenCounts::One(class, sum) => {
                let common = self.own.of(0) - self.rest.of(sum);
                out.iter_mut().zip(shares).for_each(|(z, share)| *z = share + common);
                if let (Some(z), Some(share)) = (out.get_mut(class), shares.get(class)) {
                    *z = share + (self.own.of(sum) - self.rest.of(0));
                }
            }
            SeenCounts::Many(cells, _) => {
                let total: i64 = cells.iter().sum();
                for ((z, share), &cell) in out.iter_mut().zip(shares).zip(cells) {
                    *z = share + (self.own.of(cell) - self.rest.of(total - cell));
                }
            }
        }
        let mean = out.iter().sum::<f64>() / out.len().max(1) as f64;
        let mut strongest = [f64::NEG_INFINITY; 8]; // side by side: one chain of comparisons waits for itself
        for some in out.chunks_mut(8) {
            for (z, most) in some.iter_mut().zip(&mut strongest) {
                *z -= mean;
                *most = if *z > *most { *z } else { *most };
            }
        }
        strongest.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyed::{Lift, Records};
    use crate::text::{Chars, Document, Encoder, Plan, Settings};

    #[test]
    fn a_few_texts_do_not_prepare_all_of_a_large_model() {
        let Ok(plan) = Plan::new(Settings::default(), Chars::shared()) else { unreachable!() };
        let encoder = Encoder { plan: &plan, seed: 0, presence: false };
        let text: String = (0..600_000).map(|n| format!("w{n} ")).collect();
        let column = vec![Document::Text(text.as_bytes()); 2];
        let records = Records { tags: &[String::new()], columns: vec![column] };
        let mut counts = KeyedCounts::new(&plan.orders(), 2, Lift::Count, None, false);
        assert!(counts.learn(encoder, &records, &[0, 1], 1, 1).is_ok());
        let evidence = Evidence::new(&counts, 1.0);
        let rows = counts.distinct().iter().sum::<i64>() as usize;
        assert!(rows * 8 > WORTH_PREPARING, "{rows} keys of both classes are too few to tell");
        assert!(evidence.is_worth_preparing(rows * 8 + 8));
        assert!(!evidence.is_worth_preparing(rows * 8));
        let nothing = KeyedCounts::new(&plan.orders(), 2, Lift::Count, None, false);
        assert!(!Evidence::new(&nothing, 1.0).is_worth_preparing(WORTH_PREPARING));
    }
}
