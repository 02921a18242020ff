//! Batches of rows as they arrive: dense, sparse, or category codes. One row is a batch of one.

mod codes;
mod csr;
mod dense;
mod value;

pub use codes::Codes;
pub use csr::Csr;
pub use dense::Dense;
pub use value::{Index, Value};

use crate::Fault;

/// A batch that can be counted and scored. NaN stands for a missing value.
pub trait Rows: Sync {
    /// Number of rows.
    fn len(&self) -> usize;

    /// Number of columns of the tally that these rows fill.
    fn width(&self) -> usize;

    /// Number of stored entries in the whole batch: the work of one pass.
    fn entries(&self) -> usize;

    /// Calls `see(column, value)` for the stored entries of a row, in order.
    fn each(&self, row: usize, see: impl FnMut(usize, f64));

    /// Whether every stored value of a row is a count. Looked at in one go, so that adding them needs no look at each.
    fn all_counts(&self, row: usize) -> bool;

    /// The row with its zeros written out; `scratch` is used when the values are not already there as float64.
    fn dense<'a>(&'a self, row: usize, scratch: &'a mut [f64]) -> &'a [f64];

    /// The column as the caller knows it.
    fn named(&self, column: usize) -> usize {
        column
    }

    /// Refuses rows whose parts do not fit together.
    fn sound(&self) -> Result<(), Fault>;

    /// Whether the batch has no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The column of a category that has no column.
pub const UNKNOWN: usize = usize::MAX;

/// Whether a value is zero or more and finite. One comparison: the bits of such numbers, and of no others but -0.0,
/// are below those of infinity.
#[inline(always)]
pub fn is_count(value: f64) -> bool {
    value.to_bits() < f64::INFINITY.to_bits() || value == 0.0
}

/// What one pass over the entries found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Some value is missing (NaN).
    pub missing: bool,
    /// Some value is negative, infinite or outside the table.
    pub bad: bool,
}

impl Seen {
    /// Looks at one entry of a row of counts; true when it can be added.
    #[inline(always)]
    pub fn count(&mut self, value: f64) -> bool {
        if is_count(value) {
            return true;
        }
        self.missing |= value.is_nan();
        self.bad |= !value.is_nan();
        false
    }

    /// Both findings together.
    pub fn join(self, other: Seen) -> Seen {
        Seen { missing: self.missing | other.missing, bad: self.bad | other.bad }
    }
}

/// One pass over the entries of a batch of counts, changing nothing.
pub fn look<R: Rows>(rows: &R) -> Seen {
    let mut seen = Seen::default();
    let width = rows.width();
    for row in 0..rows.len() {
        rows.each(row, |column, value| {
            seen.bad |= column >= width;
            seen.count(value);
        });
    }
    seen
}

/// The first entry that is negative (unless `signed`), infinite or outside the table.
pub fn first_fault<R: Rows>(rows: &R, signed: bool) -> Option<Fault> {
    (0..rows.len()).find_map(|row| {
        let mut fault = None;
        rows.each(row, |column, value| {
            let found = if column == UNKNOWN {
                Some(Fault::Unknown(row))
            } else if column >= rows.width() {
                Some(Fault::Outside(row, column))
            } else if value.is_infinite() {
                Some(Fault::Infinite(row, rows.named(column), value))
            } else if value < 0.0 && !signed {
                Some(Fault::Negative(row, rows.named(column), value))
            } else {
                None
            };
            fault = fault.or(found);
        });
        fault
    })
}
