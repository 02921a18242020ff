//! Weighing keyed counts: rows of log-ratios, computed when they are asked for.

use std::sync::Arc;

use super::counts::KeyedCounts;
use super::logs::Logs;
use super::shard::SeenCounts;

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
    distinct: Vec<i64>,
}

impl<'a> Evidence<'a> {
    /// The counts under a pseudo-count `alpha` for every key and class.
    pub fn new(counts: &'a KeyedCounts, alpha: f64) -> Self {
        let rivals = counts.k as f64 - 1.0;
        let distinct = counts.distinct();
        let (own, rest) = (Logs::shared(alpha), Logs::shared(alpha * rivals.max(1.0)));
        let mut evidence = Self { counts, shares: Vec::new(), alpha, own, rest, distinct };
        for order in 0..counts.orders.len() {
            let sums = &counts.sums()[order * counts.k..][..counts.k];
            let row: Vec<i64> = sums.to_vec();
            let mut shares = vec![0.0; counts.k];
            evidence.shares_of(order, &row, &mut shares);
            evidence.shares.extend(shares);
        }
        evidence
    }

    /// The part of the row that all keys of an order have in common, from the sums of that order.
    pub(super) fn shares_of(&self, order: usize, sums: &[i64], out: &mut [f64]) {
        let total: i64 = sums.iter().sum();
        let mass = self.alpha * self.distinct[order].max(1) as f64;
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
                    *z = share + self.own.of(sum) - self.rest.of(0);
                }
            }
            SeenCounts::Many(cells) => {
                let total: i64 = cells.iter().sum();
                for ((z, share), &cell) in out.iter_mut().zip(shares).zip(cells) {
                    *z = share + self.own.of(cell) - self.rest.of(total - cell);
                }
            }
        }
        let mean = out.iter().sum::<f64>() / out.len().max(1) as f64;
        let mut strength = f64::NEG_INFINITY;
        for z in out {
            *z -= mean;
            strength = strength.max(*z);
        }
        strength
    }
}
