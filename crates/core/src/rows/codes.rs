//! Rows of category codes: each column of the batch picks one column of the tally.

use ndarray::ArrayView2;
use pulp::{Arch, NullaryFnOnce};

use super::{Rows, UNKNOWN, Value};
use crate::Fault;

/// Codes 0, 1, 2, … per column. Column `j` of the batch owns the tally columns `starts[j]..starts[j + 1]`.
pub struct Codes<'a, T> {
    view: ArrayView2<'a, T>,
    starts: &'a [i64],
    sizes: Vec<i64>,
}

impl<'a, T: Value> Codes<'a, T> {
    /// `starts` has one entry more than the batch has columns.
    pub fn new(view: ArrayView2<'a, T>, starts: &'a [i64]) -> Self {
        Codes { view, starts, sizes: starts.windows(2).map(|pair| pair[1].wrapping_sub(pair[0])).collect() }
    }

    /// The largest code per column (-1 where all are missing) and the first cell that is not a whole number; refuses
    /// what is no code at all.
    pub fn largest(view: &ArrayView2<'a, T>) -> Result<(Vec<i64>, Option<Fault>), Fault> {
        let (largest, strange) = Arch::new().dispatch(Largest { view });
        if !strange {
            return Ok((largest, None));
        }
        let mut fraction = None;
        for ((row, column), cell) in view.indexed_iter() {
            let value = cell.float();
            match cell.code() {
                Some(code) if value != code as f64 => {
                    fraction = fraction.or(Some(Fault::Fraction(row, column, value)));
                }
                Some(_) => {}
                None => refuse(row, column, value)?,
            }
        }
        Ok((largest, fraction))
    }
}

/// The largest codes, and whether some cell is not simply one.
struct Largest<'a, 'b, T> {
    view: &'b ArrayView2<'a, T>,
}

impl<T: Value> NullaryFnOnce for Largest<'_, '_, T> {
    type Output = (Vec<i64>, bool);

    #[inline(always)]
    fn call(self) -> (Vec<i64>, bool) {
        let mut largest = vec![-1_i64; self.view.ncols()];
        let mut strange = false;
        for cells in self.view.rows() {
            if let Some(cells) = cells.to_slice() {
                for (cell, largest) in cells.iter().zip(largest.iter_mut()) {
                    strange |= !cell.is_code();
                    *largest = cell.whole().max(*largest);
                }
            } else {
                for (cell, largest) in cells.iter().zip(largest.iter_mut()) {
                    strange |= !cell.is_code();
                    *largest = cell.whole().max(*largest);
                }
            }
        }
        (largest, strange)
    }
}

/// How a cell is shown that is no code of its column; missing ones are not.
#[cold]
#[inline(never)]
fn strange<T: Value>(cell: T, start: i64) -> Option<(usize, f64)> {
    match cell.float() {
        value if value.is_nan() => None,
        value if (0.0..f64::INFINITY).contains(&value) => Some((UNKNOWN, f64::NAN)),
        value => Some((start as usize, value)),
    }
}

fn refuse(row: usize, column: usize, value: f64) -> Result<(), Fault> {
    if value.is_nan() {
        Ok(())
    } else if value < 0.0 {
        Err(Fault::Negative(row, column, value))
    } else if value.is_finite() {
        Err(Fault::Large(row, column, value))
    } else {
        Err(Fault::Infinite(row, column, value))
    }
}

impl<T: Value> Rows for Codes<'_, T> {
    const CODES: bool = true;

    fn len(&self) -> usize {
        self.view.nrows()
    }

    fn width(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize)
    }

    fn entries(&self) -> usize {
        self.view.len()
    }

    /// Missing codes are passed over; negative and infinite ones are shown with their value, and those beyond their
    /// column's share as a missing value at `UNKNOWN`: scoring leaves them out, counting refuses them.
    #[inline(always)]
    fn each(&self, row: usize, mut see: impl FnMut(usize, f64)) {
        let mut pick = |cell: &T, start: i64, size: i64| {
            let code = cell.whole();
            if (code as u64) < size as u64 {
                see((start + code) as usize, 1.0);
            } else if let Some((column, value)) = strange(*cell, start) {
                see(column, value);
            }
        };
        let cells = self.view.row(row);
        let places = self.starts.iter().zip(&self.sizes);
        match cells.to_slice() {
            Some(cells) => cells.iter().zip(places).for_each(|(cell, (start, size))| pick(cell, *start, *size)),
            None => cells.iter().zip(places).for_each(|(cell, (start, size))| pick(cell, *start, *size)),
        }
    }

    #[inline(always)]
    fn all_counts(&self, _: usize) -> bool {
        false // `each` tells codes from values that are none
    }

    fn named(&self, column: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= column).saturating_sub(1)
    }

    fn dense<'a>(&'a self, row: usize, scratch: &'a mut [f64]) -> &'a [f64] {
        scratch.fill(0.0);
        self.each(row, |column, value| {
            if let Some(cell) = scratch.get_mut(column) {
                *cell = value;
            }
        });
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
