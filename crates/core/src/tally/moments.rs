//! Moments: for each class and column, how many values were seen, and the sums of z and z² with z = x − pivot.
//!
//! Both sums carry what rounding takes off them, and off z and z² (Dekker, "A floating-point technique for extending the
//! available precision", 1971): 106 digits instead of 53. A value that goes again leaves 1e-32 of its square behind, not
//! 1e-16, whatever pivot it came and goes with.

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
    /// What rounding took off `sum`.
    pub sum_low: Vec<f64>,
    /// Weighted sum of z².
    pub square: Vec<f64>,
    /// What rounding took off `square`.
    pub square_low: Vec<f64>,
}

impl Moments {
    fn zero(k: usize, width: usize) -> Self {
        let table = || vec![0.0; k * width];
        let (sum, sum_low, square, square_low) = (table(), table(), table(), table());
        Moments { weight: vec![0.0; k], n: table(), sum, sum_low, square, square_low }
    }

    fn add(&mut self, other: &Moments) {
        add(&mut self.weight, &other.weight, 1.0);
        add(&mut self.n, &other.n, 1.0);
        for (cell, low) in other.sum_low.iter().enumerate() {
            put(&mut self.sum[cell], &mut self.sum_low[cell], other.sum[cell], *low);
            put(&mut self.square[cell], &mut self.square_low[cell], other.square[cell], other.square_low[cell]);
        }
    }

    /// Sums rounded to the nearest number, low parts within half of its last digit.
    fn rounded(mut self) -> Self {
        let sums = self.sum.iter_mut().zip(&mut self.sum_low);
        for (high, low) in sums.chain(self.square.iter_mut().zip(&mut self.square_low)) {
            let part = std::mem::take(low);
            put(high, low, part, 0.0);
        }
        self
    }

    fn finite(&self) -> bool {
        self.square.iter().chain(&self.sum).all(|value| value.is_finite())
    }
}

/// The moments of a batch. `pivot` has one number per class and column.
pub fn of<R: Rows>(rows: &R, labels: Labels<'_>, k: usize, pivot: &[f64], threads: usize) -> Result<Moments, Fault> {
    rows.sound()?;
    labels.fit(rows.len(), k)?;
    let cells = k.saturating_mul(rows.width());
    if k == 0 {
        return Err(Fault::Length(0, 1));
    }
    if pivot.len() != cells {
        return Err(Fault::Length(pivot.len(), cells));
    }
    rows.inside()?;
    let least = rows.len() * (8 * cells).max(1 << 16) / rows.entries().max(1);
    let chunks = parallel::chunks(rows.len(), least, MOST_CHUNKS);
    let arch = Arch::new();
    let mut total: Result<Moments, Fault> = Ok(Moments::zero(k, rows.width()));
    parallel::in_order(
        &chunks,
        threads,
        |range| {
            let quick = arch.dispatch(Complete { rows, range: range.clone(), labels, k, pivot });
            if quick.finite() { Ok(quick) } else { arch.dispatch(Gapped { rows, range, labels, k, pivot }) }
        },
        |part| match (&mut total, part) {
            (Ok(total), Ok(part)) => total.add(&part),
            (Ok(_), Err(fault)) => total = Err(fault),
            (Err(_), _) => {}
        },
    );
    match total {
        // each chunk fits into float64, their sum does not
        Ok(total) if !total.finite() => arch.dispatch(Gapped { rows, range: 0..rows.len(), labels, k, pivot }),
        total => total.map(Moments::rounded),
    }
}

/// Adds a number and its low part to a sum and its low part; the numbers of a sum may be of any size.
#[inline(always)]
fn put(high: &mut f64, low: &mut f64, value: f64, part: f64) {
    let total = *high + value;
    let added = total - *high;
    *low += ((*high - (total - added)) + (value - added)) + part;
    *high = total;
}

/// w·z and w·z² of one value, each with its low part. Of weights that are all one the same comes out sooner.
#[inline(always)]
fn powers<const ONE: bool>(value: f64, pivot: f64, weight: f64) -> [f64; 4] {
    let z = value - pivot;
    let taken = z - value;
    let z_low = (value - (z - taken)) - (pivot + taken);
    if ONE {
        let square = z * z;
        return [z, z_low, square, z.mul_add(z, -square) + 2.0 * (z * z_low)];
    }
    let first = weight * z;
    let first_low = weight.mul_add(z, -first) + weight * z_low;
    let second = first * z;
    let second_low = first.mul_add(z, -second) + (first * z_low + first_low * z);
    [first, first_low, second, second_low]
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
        let (mut scratch, one) = (vec![0.0; width], self.labels.weigh_one());
        for row in self.range.clone() {
            let (class, weight) = (self.labels.class(row), self.labels.weight(row));
            let values = self.rows.dense(row, &mut scratch);
            total.weight[class] += weight;
            if one {
                self.add::<true>(&mut total, class, weight, values);
            } else {
                self.add::<false>(&mut total, class, weight, values);
            }
        }
        for (class, weight) in total.weight.iter().enumerate() {
            total.n[class * width..][..width].fill(*weight);
        }
        total
    }
}

impl<R: Rows> Complete<'_, R> {
    #[inline(always)]
    fn add<const ONE: bool>(&self, total: &mut Moments, class: usize, weight: f64, values: &[f64]) {
        let width = self.rows.width();
        let cells = class * width..(class + 1) * width;
        let sums = total.sum[cells.clone()].iter_mut().zip(&mut total.sum_low[cells.clone()]);
        let squares = total.square[cells.clone()].iter_mut().zip(&mut total.square_low[cells.clone()]);
        let both = sums.zip(squares).zip(values.iter().zip(&self.pivot[cells]));
        for (((sum, sum_low), (square, square_low)), (value, pivot)) in both {
            let [first, first_low, second, second_low] = powers::<ONE>(*value, *pivot, weight);
            put(sum, sum_low, first, first_low);
            put(square, square_low, second, second_low);
        }
    }
}

/// The same with missing values left out, and anything that is not a number refused.
struct Gapped<'a, R> {
    rows: &'a R,
    range: Range<usize>,
    labels: Labels<'a>,
    k: usize,
    pivot: &'a [f64],
}

impl<R: Rows> NullaryFnOnce for Gapped<'_, R> {
    type Output = Result<Moments, Fault>;

    #[inline(always)]
    fn call(self) -> Result<Moments, Fault> {
        let width = self.rows.width();
        let mut total = Moments::zero(self.k, width);
        let mut scratch = vec![0.0; width];
        for row in self.range {
            let (class, weight) = (self.labels.class(row), self.labels.weight(row));
            total.weight[class] += weight;
            for (column, &value) in self.rows.dense(row, &mut scratch).iter().enumerate() {
                let cell = class * width + column;
                if value.is_infinite() {
                    return Err(Fault::Infinite(row, column, value));
                }
                if !value.is_nan() {
                    let [first, first_low, second, second_low] = powers::<false>(value, self.pivot[cell], weight);
                    total.n[cell] += weight;
                    put(&mut total.sum[cell], &mut total.sum_low[cell], first, first_low);
                    put(&mut total.square[cell], &mut total.square_low[cell], second, second_low);
                    if !total.square[cell].is_finite() {
                        return Err(Fault::Overflow(row, column, value));
                    }
                }
            }
        }
        Ok(total)
    }
}

/// For each class and column the median of its first values; 0 where there are none.
pub fn pivots<R: Rows>(rows: &R, labels: Labels<'_>, k: usize) -> Result<Vec<f64>, Fault> {
    rows.sound()?;
    labels.fit(rows.len(), k)?;
    let width = rows.width();
    let most = isize::MAX as usize / size_of::<Vec<f64>>();
    if k == 0 || k.saturating_mul(width) > most {
        return Err(Fault::Length(k.saturating_mul(width), if k == 0 { 1 } else { most }));
    }
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
