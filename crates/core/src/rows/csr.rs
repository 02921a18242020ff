//! Sparse rows: only the cells that are not zero are stored.

use super::dense::presence;
use super::{Index, Rows, Value, is_count};
use crate::Fault;

/// Compressed sparse rows. Columns may stand in any order and more than once (their values add up).
pub struct Csr<'a, T, I> {
    starts: &'a [I],
    columns: &'a [I],
    values: &'a [T],
    width: usize,
    above: Option<f64>,
}

impl<'a, T: Value, I: Index> Csr<'a, T, I> {
    /// Row pointers, column numbers and values as SciPy keeps them. With `above`, a stored cell counts as 1 when it is
    /// larger than that; cells that are not stored count as 0, so `above` must not be negative.
    pub fn new(starts: &'a [I], columns: &'a [I], values: &'a [T], width: usize, above: Option<f64>) -> Self {
        Csr { starts, columns, values, width, above }
    }
}

impl<T: Value, I: Index> Rows for Csr<'_, T, I> {
    fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn width(&self) -> usize {
        self.width
    }

    fn entries(&self) -> usize {
        self.values.len()
    }

    #[inline(always)]
    fn each(&self, row: usize, mut see: impl FnMut(usize, f64)) {
        let stored = self.starts[row].place()..self.starts[row + 1].place();
        let (Some(columns), Some(values)) = (self.columns.get(stored.clone()), self.values.get(stored)) else {
            return; // `sound` has refused such rows at the door
        };
        let stored = columns.iter().zip(values);
        match self.above {
            None => stored.for_each(|(column, value)| see(column.place(), value.float())),
            above => stored.for_each(|(column, value)| see(column.place(), presence(value.float(), above))),
        }
    }

    #[inline(always)]
    fn all_counts(&self, row: usize) -> bool {
        let stored = self.starts[row].place()..self.starts[row + 1].place();
        let values = self.values.get(stored).unwrap_or_default();
        values.iter().fold(true, |fine, value| fine & is_count(presence(value.float(), self.above)))
    }

    #[inline(always)]
    fn dense<'a>(&'a self, row: usize, scratch: &'a mut [f64]) -> &'a [f64] {
        scratch.fill(0.0);
        self.each(row, |column, value| {
            if let Some(cell) = scratch.get_mut(column) {
                *cell += value;
            }
        });
        scratch
    }

    fn sound(&self) -> Result<(), Fault> {
        if self.columns.len() != self.values.len() {
            return Err(Fault::Length(self.columns.len(), self.values.len()));
        }
        let mut before = 0;
        for (row, start) in self.starts.iter().enumerate() {
            let start = start.place();
            if start < before || start > self.values.len() {
                return Err(Fault::Outside(row, start));
            }
            before = start;
        }
        Ok(())
    }
}
