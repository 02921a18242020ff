//! Scores that are linear in the counts: out[c] += Σ_j x[j] · weight[j][c].

use crate::rows::first_fault;
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
        let bad = parallel::by_rows(out, self.k, rows.entries() * self.k, threads, |start, out| match self.k {
            1 => self.part::<R, 1>(rows, start, out),
            2 => self.part::<R, 2>(rows, start, out),
            3 => self.part::<R, 3>(rows, start, out),
            4 => self.part::<R, 4>(rows, start, out),
            _ => self.part_of_many(rows, start, out),
        });
        match bad.contains(&true).then(|| first_fault(rows, false)).flatten() {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// A part of the rows with the number of classes known to the compiler; true when some entry is no count.
    fn part<R: Rows, const K: usize>(&self, rows: &R, start: usize, out: &mut [f64]) -> bool {
        let mut bad = false;
        for (row, out) in (start..).zip(out.chunks_exact_mut(K)) {
            let mut scores = [0.0; K];
            rows.each(row, |column, value| bad |= self.entry(column, value, &mut scores));
            add(out, &scores);
        }
        bad
    }

    fn part_of_many<R: Rows>(&self, rows: &R, start: usize, out: &mut [f64]) -> bool {
        let mut bad = false;
        let mut scores = vec![0.0; self.k];
        for (row, out) in (start..).zip(out.chunks_exact_mut(self.k)) {
            scores.fill(0.0);
            rows.each(row, |column, value| bad |= self.entry(column, value, &mut scores));
            add(out, &scores);
        }
        bad
    }

    #[inline(always)]
    fn entry(&self, column: usize, value: f64, scores: &mut [f64]) -> bool {
        let place = column.wrapping_mul(scores.len());
        let Some(weights) = self.weights.get(place..place.wrapping_add(scores.len())) else {
            return true;
        };
        if (0.0..f64::INFINITY).contains(&value) {
            for (score, weight) in scores.iter_mut().zip(weights) {
                *score += value * weight;
            }
            return false;
        }
        if let (true, Some(base)) = (value.is_nan(), self.base) {
            for (score, base) in scores.iter_mut().zip(&base[place..]) {
                *score -= base;
            }
        }
        !value.is_nan()
    }
}

fn add(out: &mut [f64], scores: &[f64]) {
    for (out, score) in out.iter_mut().zip(scores) {
        *out += score;
    }
}
