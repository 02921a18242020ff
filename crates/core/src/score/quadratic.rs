//! Gaussian scores: out[c] += Σ_j base[c][j] − (((x[j] − centre[c][j]) − rest[c][j]) · scale[c][j])².
//!
//! The square is never expanded: with a column that is constant per class the expanded form loses six digits.

use pulp::{Arch, NullaryFnOnce};

use crate::{Fault, Rows, parallel};

const LANES: usize = 8;

/// Distances above this are scored by their logarithm: there is room left to add scores up.
const FAR: f64 = f64::MAX / 32.0;

/// Frozen parameters; all tables row-major, one row per class.
pub struct Quadratic<'a> {
    /// Number of classes.
    pub k: usize,
    /// The mean, rounded to float64.
    pub centre: &'a [f64],
    /// What rounding took off the mean; given only where it matters.
    pub rest: Option<&'a [f64]>,
    /// 1 / √(2 v), and 0 for a column that says nothing.
    pub scale: &'a [f64],
    /// −½ ln(2 π v), and 0 for a column that says nothing.
    pub base: &'a [f64],
}

impl Quadratic<'_> {
    /// Adds the score of each row for each class to `out`.
    pub fn add_to<R: Rows>(&self, rows: &R, out: &mut [f64], threads: usize) -> Result<(), Fault> {
        rows.sound()?;
        let width = rows.width();
        let (cells, scores) = (self.k.saturating_mul(width), self.k.saturating_mul(rows.len()));
        if self.k == 0 {
            return Err(Fault::Length(0, 1));
        }
        let rest = self.rest.map_or(cells, <[f64]>::len);
        for found in [self.centre.len(), rest, self.scale.len(), self.base.len()] {
            if found != cells {
                return Err(Fault::Length(found, cells));
            }
        }
        if out.len() != scores {
            return Err(Fault::Length(out.len(), scores));
        }
        rows.inside()?;
        let constant: Vec<f64> = (0..self.k).map(|class| self.base[class * width..][..width].iter().sum()).collect();
        let arch = Arch::new();
        let faults = parallel::by_rows(out, self.k, cells.saturating_mul(rows.len()), threads, |start, out| {
            arch.dispatch(Part { scorer: self, rows, start, constant: &constant, out })
        });
        match faults.into_iter().flatten().next() {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// A row with missing values, which are left out, or so far away that the squares overflow.
    fn gapped(&self, values: &[f64], scores: &mut [f64], out: &mut [f64]) {
        for (class, score) in scores.iter_mut().enumerate() {
            let term = |(cell, gap): (usize, f64)| match self.scale[cell] {
                0.0 => self.base[cell], // even where the gap overflows
                scale => self.base[cell] - (gap * scale).powi(2),
            };
            *score = self.observed(class, values).map(term).sum();
            if score.is_nan() || *score < -FAR {
                *score = self.far(class, values);
            }
        }
        for (out, score) in out.iter_mut().zip(scores) {
            *out += *score;
        }
    }

    /// The score of a class that is further away than `FAR`: a slow function of the distance, below all nearer ones.
    fn far(&self, class: usize, values: &[f64]) -> f64 {
        let start = class * values.len();
        // ln |z|; halves, because the difference of two huge numbers may overflow too
        let log = |(cell, _): (usize, f64)| {
            let half = values[cell - start] * 0.5 - self.centre[cell] * 0.5;
            half.abs().ln() + self.scale[cell].ln() + std::f64::consts::LN_2
        };
        let logs = || self.observed(class, values).map(log);
        let top = logs().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs().map(|log| (2.0 * (log - top)).exp()).sum();
        -FAR * ((2.0 * top + sum.ln()) / 700.0) // ln FAR is 706, and the logarithm of no distance reaches 3000
    }

    /// Cell number and distance to the mean, for the columns of a row that are not missing.
    fn observed<'a>(&'a self, class: usize, values: &'a [f64]) -> impl Iterator<Item = (usize, f64)> + 'a {
        let start = class * values.len();
        values.iter().enumerate().filter(|(_, value)| !value.is_nan()).map(move |(column, value)| {
            let cell = start + column;
            (cell, (value - self.centre[cell]) - self.rest.map_or(0.0, |rest| rest[cell]))
        })
    }
}

/// The rows of one thread, compiled for the widest vectors the processor has; with the first value that is infinite.
struct Part<'a, 'b, R> {
    scorer: &'b Quadratic<'a>,
    rows: &'b R,
    start: usize,
    constant: &'b [f64],
    out: &'b mut [f64],
}

impl<R: Rows> NullaryFnOnce for Part<'_, '_, R> {
    type Output = Option<Fault>;

    #[inline(always)]
    fn call(self) -> Option<Fault> {
        let Quadratic { k, centre, rest, scale, .. } = *self.scorer;
        let width = self.rows.width();
        let mut scratch = vec![0.0; width];
        let mut distances = vec![0.0; k];
        let mut fault = None;
        for (row, out) in (self.start..).zip(self.out.chunks_exact_mut(k)) {
            let values = self.rows.dense(row, &mut scratch);
            let mut near = true;
            for (class, sum) in distances.iter_mut().enumerate() {
                let cells = class * width..(class + 1) * width;
                let (centre, scale) = (&centre[cells.clone()], &scale[cells.clone()]);
                *sum = match rest {
                    None => distance::<false>(values, centre, centre, scale),
                    Some(rest) => distance::<true>(values, centre, &rest[cells], scale),
                };
                near &= *sum < FAR;
            }
            if near {
                for ((out, constant), distance) in out.iter_mut().zip(self.constant).zip(&distances) {
                    *out += constant - distance;
                }
            } else if let Some(column) = values.iter().position(|value| value.is_infinite()) {
                fault = fault.or(Some(Fault::Infinite(row, self.rows.named(column), values[column])));
            } else {
                self.scorer.gapped(values, &mut distances, out);
            }
        }
        fault
    }
}

/// Σ ((x − centre − rest) · scale)² in eight running sums, so that the loop is vectorised with one result everywhere.
#[inline(always)]
fn distance<const REST: bool>(values: &[f64], centre: &[f64], rest: &[f64], scale: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let split = values.len() / LANES * LANES;
    let square = |column: usize, values: &[f64], centre: &[f64], rest: &[f64], scale: &[f64]| {
        let gap = values[column] - centre[column];
        let z = if REST { gap - rest[column] } else { gap } * scale[column];
        z * z
    };
    let blocks = values.chunks_exact(LANES).zip(centre.chunks_exact(LANES));
    for ((values, centre), (rest, scale)) in blocks.zip(rest.chunks_exact(LANES).zip(scale.chunks_exact(LANES))) {
        for (lane, sum) in lanes.iter_mut().enumerate() {
            *sum += square(lane, values, centre, rest, scale);
        }
    }
    for column in split..values.len() {
        lanes[column - split] += square(column, values, centre, rest, scale);
    }
    lanes.iter().sum()
}
