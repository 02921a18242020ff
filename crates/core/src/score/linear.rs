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
}

/// Adds one entry to the scores of its row, given its columns' weights and base; true when it is neither a count nor
/// missing.
#[inline(always)]
fn entry(value: f64, weights: &[f64], base: Option<&[f64]>, scores: &mut [f64]) -> bool {
    if is_count(value) {
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += value * weight;
        }
    } else if let Some(base) = base {
        for (score, base) in scores.iter_mut().zip(base) {
            *score -= base;
        }
    }
    !(is_count(value) || value.is_nan())
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
    fn few<const K: usize>(self) -> bool {
        let weights = self.scorer.weights.as_chunks::<K>().0;
        let base = self.scorer.base.map(|base| base.as_chunks::<K>().0);
        let mut bad = false;
        for (row, out) in (self.start..).zip(self.out.chunks_exact_mut(K)) {
            let mut scores = [0.0; K];
            if self.rows.all_counts(row) {
                self.rows.each(row, |column, value| match weights.get(column) {
                    Some(weights) => (0..K).for_each(|class| scores[class] += value * weights[class]),
                    None => bad = true,
                });
            } else {
                self.rows.each(row, |column, value| match weights.get(column) {
                    Some(weights) => {
                        let base = base.and_then(|base| base.get(column)).map(|base| base.as_slice());
                        bad |= entry(value, weights, base, &mut scores);
                    }
                    None => bad |= !value.is_nan(),
                });
            }
            add(out, &scores);
        }
        bad
    }

    #[inline(always)]
    fn many(self) -> bool {
        let Linear { k, weights, base } = *self.scorer;
        let mut bad = false;
        let mut scores = vec![0.0; k];
        for (row, out) in (self.start..).zip(self.out.chunks_exact_mut(k)) {
            scores.fill(0.0);
            let own = |column: usize| column.wrapping_mul(k)..column.wrapping_mul(k).wrapping_add(k);
            if self.rows.all_counts(row) {
                self.rows.each(row, |column, value| match weights.get(own(column)) {
                    Some(weights) => {
                        scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += value * weight)
                    }
                    None => bad = true,
                });
            } else {
                self.rows.each(row, |column, value| match weights.get(own(column)) {
                    Some(weights) => {
                        bad |= entry(value, weights, base.and_then(|base| base.get(own(column))), &mut scores);
                    }
                    None => bad |= !value.is_nan(),
                });
            }
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
