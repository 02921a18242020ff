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

    /// The row with its zeros written out; `scratch` is used when the values are not already there as float64.
    fn dense<'a>(&'a self, row: usize, scratch: &'a mut [f64]) -> &'a [f64];

    /// Refuses rows whose parts do not fit together.
    fn sound(&self) -> Result<(), Fault>;

    /// Whether the batch has no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
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
        let fine = (0.0..f64::INFINITY).contains(&value);
        if !fine {
            self.missing |= value.is_nan();
            self.bad |= !value.is_nan();
        }
        fine
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
    let mut fault = None;
    for row in 0..rows.len() {
        rows.each(row, |column, value| {
            if fault.is_some() {
            } else if column >= rows.width() {
                fault = Some(Fault::Outside(row, column));
            } else if value.is_infinite() {
                fault = Some(Fault::Infinite(row, column, value));
            } else if value < 0.0 && !signed {
                fault = Some(Fault::Negative(row, column, value));
            }
        });
        if fault.is_some() {
            break;
        }
    }
    fault
}
