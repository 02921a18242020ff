//! Rows of category codes: each column of the batch picks one column of the tally.

use ndarray::ArrayView2;

use super::{Rows, Value};
use crate::Fault;

/// Codes 0, 1, 2, … per column. Column `j` of the batch owns the tally columns `starts[j]..starts[j + 1]`.
pub struct Codes<'a, T> {
    view: ArrayView2<'a, T>,
    starts: &'a [i64],
}

impl<'a, T: Value> Codes<'a, T> {
    /// `starts` has one entry more than the batch has columns. Codes past a column's share count as missing.
    pub fn new(view: ArrayView2<'a, T>, starts: &'a [i64]) -> Self {
        Codes { view, starts }
    }

    /// The largest code per column (-1 where all are missing) and the first cell that is not a whole number; refuses
    /// what is no code at all.
    pub fn largest(view: &ArrayView2<'a, T>) -> Result<(Vec<i64>, Option<Fault>), Fault> {
        let mut largest = vec![-1_i64; view.ncols()];
        let mut fraction = None;
        for (row, cells) in view.rows().into_iter().enumerate() {
            for (column, (cell, largest)) in cells.iter().zip(largest.iter_mut()).enumerate() {
                match cell.code() {
                    Some(code) => {
                        *largest = code.max(*largest);
                        if T::FRACTIONS && fraction.is_none() && cell.float() != code as f64 {
                            fraction = Some(Fault::Fraction(row, column, cell.float()));
                        }
                    }
                    None => refuse(row, column, cell.float())?,
                }
            }
        }
        Ok((largest, fraction))
    }
}

fn refuse(row: usize, column: usize, value: f64) -> Result<(), Fault> {
    if value.is_nan() {
        Ok(())
    } else if value < 0.0 {
        Err(Fault::Negative(row, column, value))
    } else {
        Err(Fault::Infinite(row, column, value))
    }
}

impl<T: Value> Rows for Codes<'_, T> {
    fn len(&self) -> usize {
        self.view.nrows()
    }

    fn width(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize)
    }

    fn entries(&self) -> usize {
        self.view.len()
    }

    #[inline(always)]
    fn each(&self, row: usize, mut see: impl FnMut(usize, f64)) {
        for (cell, ends) in self.view.row(row).iter().zip(self.starts.windows(2)) {
            if let Some(code) = cell.code()
                && code < ends[1] - ends[0]
            {
                see((ends[0] + code) as usize, 1.0);
            }
        }
    }

    fn dense<'a>(&'a self, row: usize, scratch: &'a mut [f64]) -> &'a [f64] {
        scratch.fill(0.0);
        self.each(row, |column, value| scratch[column] = value);
        scratch
    }

    fn sound(&self) -> Result<(), Fault> {
        if self.starts.len() != self.view.ncols() + 1 {
            return Err(Fault::Length(self.starts.len(), self.view.ncols() + 1));
        }
        if self.starts.first() != Some(&0) || self.starts.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(Fault::Outside(0, 0));
        }
        Ok(())
    }
}
