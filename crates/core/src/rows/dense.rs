//! Rows of numbers with every cell stored.

use ndarray::ArrayView2;

use super::{Rows, Value, is_count};
use crate::Fault;

/// A two-dimensional array in any memory order.
pub struct Dense<'a, T> {
    view: ArrayView2<'a, T>,
    above: Option<f64>,
}

impl<'a, T: Value> Dense<'a, T> {
    /// Takes the array as it lies. With `above`, a cell counts as 1 when it is larger than that and as 0 otherwise.
    pub fn new(view: ArrayView2<'a, T>, above: Option<f64>) -> Self {
        Dense { view, above }
    }

    #[inline(always)]
    fn lift(&self, value: f64) -> f64 {
        presence(value, self.above)
    }
}

/// 1 above the threshold, 0 below; missing and infinite values stay what they are.
#[inline(always)]
pub(super) fn presence(value: f64, above: Option<f64>) -> f64 {
    match above {
        Some(threshold) if value.is_finite() => f64::from(u8::from(value > threshold)),
        _ => value,
    }
}

impl<T: Value> Rows for Dense<'_, T> {
    fn len(&self) -> usize {
        self.view.nrows()
    }

    fn width(&self) -> usize {
        self.view.ncols()
    }

    fn entries(&self) -> usize {
        self.view.len()
    }

    #[inline(always)]
    fn each(&self, row: usize, mut see: impl FnMut(usize, f64)) {
        let cells = self.view.row(row);
        match cells.as_slice() {
            Some(cells) => cells.iter().enumerate().for_each(|(column, cell)| see(column, self.lift(cell.float()))),
            None => cells.iter().enumerate().for_each(|(column, cell)| see(column, self.lift(cell.float()))),
        }
    }

    #[inline(always)]
    fn all_counts(&self, row: usize) -> bool {
        let cells = self.view.row(row);
        let fine = |fine: bool, cell: &T| fine & is_count(self.lift(cell.float()));
        cells.as_slice().map_or_else(|| cells.iter().fold(true, fine), |cells| cells.iter().fold(true, fine))
    }

    #[inline(always)]
    fn dense<'a>(&'a self, row: usize, scratch: &'a mut [f64]) -> &'a [f64] {
        if self.above.is_none()
            && let Some(floats) = self.view.row(row).to_slice().and_then(T::floats)
        {
            return floats;
        }
        self.each(row, |column, value| scratch[column] = value);
        scratch
    }

    fn sound(&self) -> Result<(), Fault> {
        Ok(())
    }
}
