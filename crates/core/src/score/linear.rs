//! Scores that are linear in the counts: out[c] += Σ_j x[j] · weight[j][c].

use pulp::{Arch, NullaryFnOnce};

use crate::rows::{first_fault, is_count};
use crate::{Fault, Rows, parallel};

/// Frozen weights, one row per column of the batch and one number per class.
pub struct Linear<'a> {
    k: usize,
    weights: &'a [f64],
    base: Option<&'a [f64]>,
}

impl<'a> Linear<'a> {
    /// `base`, where given, is what a column adds whatever its value; it is taken off again where the value is missing.
    pub fn new(k: usize, weights: &'a [f64], base: Option<&'a [f64]>) -> Result<Self, Fault> {
        match base {
            Some(base) if base.len() != weights.len() => Err(Fault::Length(base.len(), weights.len())),
            _ => Ok(Linear { k, weights, base }),
        }
    }

    /// Adds the score of each row for each class to `out`.
    pub fn add_to<R: Rows>(&self, rows: &R, out: &mut [f64], threads: usize) -> Result<(), Fault> {
        rows.sound()?;
        let (cells, scores) = (self.k * rows.width(), self.k * rows.len());
        for (found, expected) in [(self.weights.len(), cells), (out.len(), scores)] {
            if found != expected {
                return Err(Fault::Length(found, expected));
            }
        }
        let arch = Arch::new();
        let bad = parallel::by_rows(out, self.k, rows.entries() * self.k, threads, |start, out| {
            arch.dispatch(Part { scorer: self, rows, start, out })
        });
        match bad.contains(&true).then(|| first_fault(rows, false)).flatten() {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// Adds an entry that is known to be a count; true when its column is outside.
    #[inline(always)]
    fn count(&self, column: usize, value: f64, scores: &mut [f64]) -> bool {
        let place = column.wrapping_mul(scores.len());
        let Some(weights) = self.weights.get(place..place.wrapping_add(scores.len())) else {
            return true;
        };
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += value * weight;
        }
        false
    }

    /// Adds any entry; true when it is neither a count nor missing.
    #[inline(always)]
    fn entry(&self, column: usize, value: f64, scores: &mut [f64]) -> bool {
        if is_count(value) {
            return self.count(column, value, scores);
        }
        if let (true, Some(base)) = (value.is_nan(), self.base) {
            let own = base.chunks_exact(scores.len()).nth(column).unwrap_or_default();
            for (score, base) in scores.iter_mut().zip(own) {
                *score -= base;
            }
        }
        !value.is_nan()
    }
}

/// The rows of one thread, compiled for the widest vectors the processor has; true when some entry is no count.
struct Part<'a, 'b, R> {
    scorer: &'b Linear<'a>,
    rows: &'b R,
    start: usize,
    out: &'b mut [f64],
}

impl<R: Rows> NullaryFnOnce for Part<'_, '_, R> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        match self.scorer.k {
            1 => self.few::<1>(),
            2 => self.few::<2>(),
            3 => self.few::<3>(),
            4 => self.few::<4>(),
            5 => self.few::<5>(),
            6 => self.few::<6>(),
            _ => self.many(),
        }
    }
}

impl<R: Rows> Part<'_, '_, R> {
    /// With the number of classes known to the compiler, which keeps their scores in registers.
    #[inline(always)]
    fn few<const K: usize>(mut self) -> bool {
        let mut bad = false;
        let out = std::mem::take(&mut self.out);
        for (row, out) in (self.start..).zip(out.chunks_exact_mut(K)) {
            let mut scores = [0.0; K];
            bad |= self.row(row, &mut scores);
            add(out, &scores);
        }
        bad
    }

    #[inline(always)]
    fn row(&self, row: usize, scores: &mut [f64]) -> bool {
        let mut bad = false;
        if self.rows.all_counts(row) {
            self.rows.each(row, |column, value| bad |= self.scorer.count(column, value, scores));
        } else {
            self.rows.each(row, |column, value| bad |= self.scorer.entry(column, value, scores));
        }
        bad
    }

    #[inline(always)]
    fn many(mut self) -> bool {
        let k = self.scorer.k;
        let mut bad = false;
        let mut scores = vec![0.0; k];
        let out = std::mem::take(&mut self.out);
        for (row, out) in (self.start..).zip(out.chunks_exact_mut(k)) {
            scores.fill(0.0);
            bad |= self.row(row, &mut scores);
            add(out, &scores);
        }
        bad
    }
}

#[inline(always)]
fn add(out: &mut [f64], scores: &[f64]) {
    for (out, score) in out.iter_mut().zip(scores) {
        *out += score;
    }
}
