//! Moments: for each class and column, how many values were seen, and the sums of z and z² with z = x − pivot.

use std::ops::Range;

use pulp::{Arch, NullaryFnOnce};

use super::{Labels, add};
use crate::{Fault, Rows, parallel};

/// A pivot is the median of this many first values of its class: one wild first value must not become the pivot.
const FIRST: usize = 9;
const MOST_CHUNKS: usize = 64;

/// The moments of a batch about given pivots; all tables row-major, one row per class.
#[derive(Default)]
pub struct Moments {
    /// Weight of the rows seen per class.
    pub weight: Vec<f64>,
    /// Weight of the values that are not missing.
    pub n: Vec<f64>,
    /// Weighted sum of z.
    pub sum: Vec<f64>,
    /// Weighted sum of z².
    pub square: Vec<f64>,
}

impl Moments {
    fn zero(k: usize, width: usize) -> Self {
        let table = || vec![0.0; k * width];
        Moments { weight: vec![0.0; k], n: table(), sum: table(), square: table() }
    }

    fn add(&mut self, other: &Moments) {
        add(&mut self.weight, &other.weight, 1.0);
        add(&mut self.n, &other.n, 1.0);
        add(&mut self.sum, &other.sum, 1.0);
        add(&mut self.square, &other.square, 1.0);
    }

    fn finite(&self) -> bool {
        self.square.iter().chain(&self.sum).all(|value| value.is_finite())
    }
}

/// The moments of a batch. `pivot` has one number per class and column.
pub fn of<R: Rows>(rows: &R, labels: Labels<'_>, k: usize, pivot: &[f64], threads: usize) -> Result<Moments, Fault> {
    rows.sound()?;
    let cells = k * rows.width();
    if pivot.len() != cells {
        return Err(Fault::Length(pivot.len(), cells));
    }
    let least = rows.len() * (8 * cells).max(1 << 16) / rows.entries().max(1);
    let chunks = parallel::chunks(rows.len(), least, MOST_CHUNKS);
    let arch = Arch::new();
    let mut total: Result<Moments, Fault> = Ok(Moments::zero(k, rows.width()));
    parallel::in_order(
        &chunks,
        threads,
        |range| {
            let quick = arch.dispatch(Complete { rows, range: range.clone(), labels, k, pivot });
            if quick.finite() { Ok(quick) } else { gapped(rows, range, labels, k, pivot) }
        },
        |part| match (&mut total, part) {
            (Ok(total), Ok(part)) => total.add(&part),
            (Ok(_), Err(fault)) => total = Err(fault),
            (Err(_), _) => {}
        },
    );
    total
}

/// Values without gaps: n is the weight of the class. A NaN or infinity anywhere shows up in the sums.
struct Complete<'a, R> {
    rows: &'a R,
    range: Range<usize>,
    labels: Labels<'a>,
    k: usize,
    pivot: &'a [f64],
}

impl<R: Rows> NullaryFnOnce for Complete<'_, R> {
    type Output = Moments;

    #[inline(always)]
    fn call(self) -> Moments {
        let width = self.rows.width();
        let mut total = Moments::zero(self.k, width);
        let mut scratch = vec![0.0; width];
        for row in self.range {
            let (class, weight) = (self.labels.class(row), self.labels.weight(row));
            let values = self.rows.dense(row, &mut scratch);
            let cells = class * width..(class + 1) * width;
            let sums = total.sum[cells.clone()].iter_mut().zip(&mut total.square[cells.clone()]);
            total.weight[class] += weight;
            for ((sum, square), (value, pivot)) in sums.zip(values.iter().zip(&self.pivot[cells])) {
                let z = value - pivot;
                *sum += weight * z;
                *square += weight * z * z;
            }
        }
        for (class, weight) in total.weight.iter().enumerate() {
            total.n[class * width..][..width].fill(*weight);
        }
        total
    }
}

/// The same with missing values left out, and anything that is not a number refused.
fn gapped<R: Rows>(
    rows: &R,
    range: Range<usize>,
    labels: Labels<'_>,
    k: usize,
    pivot: &[f64],
) -> Result<Moments, Fault> {
    let width = rows.width();
    let mut total = Moments::zero(k, width);
    let mut scratch = vec![0.0; width];
    for row in range {
        let (class, weight) = (labels.class(row), labels.weight(row));
        total.weight[class] += weight;
        for (column, &value) in rows.dense(row, &mut scratch).iter().enumerate() {
            let cell = class * width + column;
            let z = value - pivot[cell];
            if value.is_infinite() {
                return Err(Fault::Infinite(row, column, value));
            }
            if !value.is_nan() {
                total.n[cell] += weight;
                total.sum[cell] += weight * z;
                total.square[cell] += weight * z * z;
                if !total.square[cell].is_finite() {
                    return Err(Fault::Overflow(row, column, value));
                }
            }
        }
    }
    Ok(total)
}

/// For each class and column the median of its first values; 0 where there are none.
pub fn pivots<R: Rows>(rows: &R, labels: Labels<'_>, k: usize) -> Result<Vec<f64>, Fault> {
    rows.sound()?;
    let width = rows.width();
    let mut first: Vec<Vec<f64>> = vec![Vec::new(); k * width];
    let mut wanting = vec![width; k]; // columns of a class that want more values
    let mut wanted = k * width;
    let mut scratch = vec![0.0; width];
    for row in 0..rows.len() {
        if wanted == 0 {
            break;
        }
        let class = labels.class(row);
        if wanting[class] == 0 {
            continue;
        }
        let cells = &mut first[class * width..][..width];
        for (values, &value) in cells.iter_mut().zip(rows.dense(row, &mut scratch)) {
            if value.is_finite() && values.len() < FIRST {
                values.push(value);
                if values.len() == FIRST {
                    wanting[class] -= 1;
                    wanted -= 1;
                }
            }
        }
    }
    Ok(first.iter_mut().map(|values| median(values)).collect())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
