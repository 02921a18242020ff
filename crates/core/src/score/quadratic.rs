//! Gaussian scores: out[c] += Σ_j base[c][j] − (((x[j] − centre[c][j]) − rest[c][j]) · scale[c][j])².
//!
//! The square is never expanded: with a column that is constant per class the expanded form loses six digits.

use pulp::{Arch, NullaryFnOnce};

use crate::rows::first_fault;
use crate::{Fault, Rows, parallel};

const LANES: usize = 8;

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
        let (cells, scores) = (self.k * width, self.k * rows.len());
        let rest = self.rest.map_or(cells, <[f64]>::len);
        for found in [self.centre.len(), rest, self.scale.len(), self.base.len()] {
            if found != cells {
                return Err(Fault::Length(found, cells));
            }
        }
        if out.len() != scores {
            return Err(Fault::Length(out.len(), scores));
        }
        let constant: Vec<f64> = (0..self.k).map(|class| self.base[class * width..][..width].iter().sum()).collect();
        let arch = Arch::new();
        let bad = parallel::by_rows(out, self.k, cells * rows.len(), threads, |start, out| {
            arch.dispatch(Part { scorer: self, rows, start, constant: &constant, out })
        });
        match bad.contains(&true).then(|| first_fault(rows, true)).flatten() {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// A row with missing values, which are left out, or so far away that the squares overflow.
    fn gapped(&self, values: &[f64], scores: &mut [f64], out: &mut [f64]) {
        for (class, score) in scores.iter_mut().enumerate() {
            let observed = self.observed(class, values);
            *score = observed.map(|(cell, gap)| self.base[cell] - (gap * self.scale[cell]).powi(2)).sum();
        }
        if !scores.iter().all(|score| score.is_finite()) {
            self.far(values, scores);
        }
        for (out, score) in out.iter_mut().zip(scores) {
            *out += *score;
        }
    }

    /// Scores whose true values are below −1e308: scaled into range, order and proportion kept.
    fn far(&self, values: &[f64], scores: &mut [f64]) {
        // ln |z|; halves, because the difference of two huge numbers may overflow too
        let log = |(cell, _): (usize, f64), value: f64| {
            (value * 0.5 - self.centre[cell] * 0.5).abs().ln() + self.scale[cell].ln()
        };
        let width = values.len();
        let logs = |class| self.observed(class, values).map(move |seen| log(seen, values[seen.0 - class * width]));
        let top = (0..self.k).flat_map(logs).fold(f64::NEG_INFINITY, f64::max);
        for (class, score) in scores.iter_mut().enumerate() {
            *score = logs(class).map(|log| (2.0 * (log - top)).exp()).sum();
        }
        let largest = scores.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        scores.iter_mut().for_each(|score| *score *= -f64::MAX / 4.0 / largest);
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

/// The rows of one thread, compiled for the widest vectors the processor has; true when some value is infinite.
struct Part<'a, 'b, R> {
    scorer: &'b Quadratic<'a>,
    rows: &'b R,
    start: usize,
    constant: &'b [f64],
    out: &'b mut [f64],
}

impl<R: Rows> NullaryFnOnce for Part<'_, '_, R> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Quadratic { k, centre, rest, scale, .. } = *self.scorer;
        let width = self.rows.width();
        let mut scratch = vec![0.0; width];
        let mut distances = vec![0.0; k];
        let mut bad = false;
        for (row, out) in (self.start..).zip(self.out.chunks_exact_mut(k)) {
            let values = self.rows.dense(row, &mut scratch);
            let mut finite = true;
            for (class, sum) in distances.iter_mut().enumerate() {
                let cells = class * width..(class + 1) * width;
                let (centre, scale) = (&centre[cells.clone()], &scale[cells.clone()]);
                *sum = match rest {
                    None => distance::<false>(values, centre, centre, scale),
                    Some(rest) => distance::<true>(values, centre, &rest[cells], scale),
                };
                finite &= sum.is_finite();
            }
            if finite {
                for ((out, constant), distance) in out.iter_mut().zip(self.constant).zip(&distances) {
                    *out += constant - distance;
                }
            } else if values.iter().any(|value| value.is_infinite()) {
                bad = true;
            } else {
                self.scorer.gapped(values, &mut distances, out);
            }
        }
        bad
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
