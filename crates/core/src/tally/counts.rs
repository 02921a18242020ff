//! Counts: for each class and column, the weighted sum of the values.

use std::ops::Range;

use pulp::{Arch, NullaryFnOnce};

use super::{Labels, add};
use crate::rows::{Seen, UNKNOWN, first_fault, look};
use crate::{Fault, Rows, parallel};

/// At most this many partial tables per batch. Eight keep eight threads busy and cost, on one thread with a table of
/// 2e6 cells and 5e7 entries, about a tenth of the time of counting.
const MOST_CHUNKS: usize = 8;

/// A class × column table of counts and the total weight of each class.
pub struct Table<'a> {
    /// Weight of the rows seen per class.
    pub weight: &'a mut [f64],
    /// Row-major, one row per class.
    pub cells: &'a mut [f64],
}

/// Adds `sign` times the rows to the table. Returns what was seen; a fault leaves the table as it was.
pub fn learn<R: Rows>(
    rows: &R,
    labels: Labels<'_>,
    sign: f64,
    table: Table<'_>,
    threads: usize,
) -> Result<Seen, Fault> {
    rows.sound()?;
    let expected = table.weight.len() * rows.width();
    if table.cells.len() != expected {
        return Err(Fault::Length(table.cells.len(), expected));
    }
    if rows.entries() <= table.cells.len() {
        let seen = look(rows);
        refuse(rows, seen)?;
        count(rows, 0..rows.len(), labels, sign, table);
        return Ok(seen);
    }
    let (weight, cells, seen) = total(rows, labels, table.weight.len(), threads);
    refuse(rows, seen)?;
    add(table.weight, &weight, sign);
    add(table.cells, &cells, sign);
    Ok(seen)
}

/// Adds `sign` times the weight of the rows in which a column is missing (NaN), per class and column.
pub fn absent<R: Rows>(rows: &R, labels: Labels<'_>, sign: f64, cells: &mut [f64]) {
    let width = rows.width();
    for row in 0..rows.len() {
        let start = labels.class(row) * width;
        rows.each(row, |column, value| {
            if value.is_nan()
                && let Some(cell) = cells.get_mut(start + column)
            {
                *cell += sign * labels.weight(row);
            }
        });
    }
}

fn refuse<R: Rows>(rows: &R, seen: Seen) -> Result<(), Fault> {
    match seen.bad.then(|| first_fault(rows, false)).flatten() {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// The tally of a batch that is larger than its table: partial tables of fixed chunks, added in order.
fn total<R: Rows>(rows: &R, labels: Labels<'_>, k: usize, threads: usize) -> (Vec<f64>, Vec<f64>, Seen) {
    let cells = k * rows.width();
    let least = rows.len() * (2 * cells).max(1 << 18) / rows.entries().max(1);
    let part = |range: Range<usize>| {
        let (mut weight, mut table) = (vec![0.0; k], vec![0.0; cells]);
        let seen = count(rows, range, labels, 1.0, Table { weight: &mut weight, cells: &mut table });
        (weight, table, seen)
    };
    let mut sum: Option<(Vec<f64>, Vec<f64>, Seen)> = None;
    let chunks = parallel::chunks(rows.len(), least, MOST_CHUNKS);
    parallel::in_order(&chunks, threads, part, |part| match &mut sum {
        None => sum = Some(part),
        Some(sum) => {
            add(&mut sum.0, &part.0, 1.0);
            add(&mut sum.1, &part.1, 1.0);
            sum.2 = sum.2.join(part.2);
        }
    });
    sum.unwrap_or_default()
}

fn count<R: Rows>(rows: &R, range: Range<usize>, labels: Labels<'_>, sign: f64, table: Table<'_>) -> Seen {
    Arch::new().dispatch(Count { rows, range, labels, sign, table })
}

struct Count<'a, R> {
    rows: &'a R,
    range: Range<usize>,
    labels: Labels<'a>,
    sign: f64,
    table: Table<'a>,
}

impl<R: Rows> NullaryFnOnce for Count<'_, R> {
    type Output = Seen;

    #[inline(always)]
    fn call(self) -> Seen {
        let Count { rows, range, labels, sign, table } = self;
        let width = rows.width();
        let mut seen = Seen::default();
        for row in range {
            let (class, weight) = (labels.class(row), sign * labels.weight(row));
            table.weight[class] += weight;
            let cells = &mut table.cells[class * width..][..width];
            let mut add = |seen: &mut Seen, column: usize, value: f64| match cells.get_mut(column) {
                Some(cell) => *cell += weight * value,
                None => seen.bad = true,
            };
            if rows.all_counts(row) {
                rows.each(row, |column, value| add(&mut seen, column, value));
            } else {
                rows.each(row, |column, value| {
                    if column == UNKNOWN {
                        seen.bad = true;
                    } else if seen.count(value) {
                        add(&mut seen, column, value);
                    }
                });
            }
        }
        seen
    }
}
