//! Counting: sums over rows, class by class.

pub mod counts;
pub mod moments;

use crate::Fault;

/// Class numbers of the rows of a batch, with an optional weight each.
#[derive(Clone, Copy)]
pub struct Labels<'a> {
    classes: &'a [i64],
    weights: Option<&'a [f64]>,
    k: usize,
}

impl<'a> Labels<'a> {
    /// Refuses labels that do not fit a batch of `rows` rows and a table of `k` classes.
    pub fn new(classes: &'a [i64], weights: Option<&'a [f64]>, rows: usize, k: usize) -> Result<Self, Fault> {
        for found in [classes.len(), weights.map_or(rows, <[f64]>::len)] {
            if found != rows {
                return Err(Fault::Length(found, rows));
            }
        }
        match classes.iter().position(|&class| class < 0 || class as usize >= k) {
            Some(row) => Err(Fault::Class(row, classes[row])),
            None => Ok(Labels { classes, weights, k }),
        }
    }

    /// Does every row weigh one?
    fn weigh_one(&self) -> bool {
        self.weights.is_none()
    }

    /// Refuses a batch or a table of another size than these labels were made for.
    fn fit(&self, rows: usize, k: usize) -> Result<(), Fault> {
        for (found, expected) in [(self.classes.len(), rows), (self.k, k)] {
            if found != expected {
                return Err(Fault::Length(found, expected));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn class(&self, row: usize) -> usize {
        self.classes[row] as usize
    }

    #[inline(always)]
    fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }
}

/// Adds `scale` times one table to another of the same shape.
fn add(into: &mut [f64], table: &[f64], scale: f64) {
    for (cell, value) in into.iter_mut().zip(table) {
        *cell += scale * value;
    }
}
