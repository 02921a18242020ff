//! The kernels as Python calls them.

use bayleaf_core::rows::Seen;
use bayleaf_core::score::linear::Linear;
use bayleaf_core::score::normalise::{self as posterior, Posterior};
use bayleaf_core::score::quadratic::Quadratic;
use bayleaf_core::tally::counts::{self, Table};
use bayleaf_core::tally::{Labels, moments};
use bayleaf_core::{Codes, Fault, Rows, Value};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::batch::{Batch, Kernel, refusal};
use crate::threads::threads;

type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type Sum<'py> = (Numbers<'py>, Numbers<'py>);

struct Count<'a> {
    classes: &'a [i64],
    weights: Option<&'a [f64]>,
    sign: f64,
    table: Table<'a>,
    threads: usize,
}

impl Kernel for Count<'_> {
    type Out = Seen;
    fn run<R: Rows>(self, rows: &R) -> Result<Seen, Fault> {
        let labels = Labels::new(self.classes, self.weights, rows.len(), self.table.weight.len())?;
        counts::learn(rows, labels, self.sign, self.table, self.threads)
    }
}

struct Absent<'a> {
    classes: &'a [i64],
    weights: Option<&'a [f64]>,
    sign: f64,
    k: usize,
    cells: &'a mut [f64],
}

impl Kernel for Absent<'_> {
    type Out = ();
    fn run<R: Rows>(self, rows: &R) -> Result<(), Fault> {
        let labels = Labels::new(self.classes, self.weights, rows.len(), self.k)?;
        counts::absent(rows, labels, self.sign, self.cells)
    }
}

struct Pivots<'a> {
    classes: &'a [i64],
    k: usize,
}

impl Kernel for Pivots<'_> {
    type Out = Vec<f64>;
    fn run<R: Rows>(self, rows: &R) -> Result<Vec<f64>, Fault> {
        moments::pivots(rows, Labels::new(self.classes, None, rows.len(), self.k)?, self.k)
    }
}

struct MomentsOf<'a> {
    classes: &'a [i64],
    weights: Option<&'a [f64]>,
    k: usize,
    pivot: &'a [f64],
    threads: usize,
}

impl Kernel for MomentsOf<'_> {
    type Out = moments::Moments;
    fn run<R: Rows>(self, rows: &R) -> Result<moments::Moments, Fault> {
        let labels = Labels::new(self.classes, self.weights, rows.len(), self.k)?;
        moments::of(rows, labels, self.k, self.pivot, self.threads)
    }
}

struct AddLinear<'a> {
    scorer: Linear<'a>,
    out: &'a mut [f64],
    threads: usize,
}

impl Kernel for AddLinear<'_> {
    type Out = ();
    fn run<R: Rows>(self, rows: &R) -> Result<(), Fault> {
        self.scorer.add_to(rows, self.out, self.threads)
    }
}

struct AddQuadratic<'a> {
    scorer: Quadratic<'a>,
    out: &'a mut [f64],
    threads: usize,
}

impl Kernel for AddQuadratic<'_> {
    type Out = ();
    fn run<R: Rows>(self, rows: &R) -> Result<(), Fault> {
        self.scorer.add_to(rows, self.out, self.threads)
    }
}

#[pymethods]
impl Batch {
    /// Adds sign x the rows to weight (k) and table (k x width); true when some value was missing.
    #[pyo3(signature = (classes, weights, sign, weight, table))]
    fn count(
        &self,
        py: Python<'_>,
        classes: PyReadonlyArray1<'_, i64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        sign: f64,
        weight: &Bound<'_, PyArray1<f64>>,
        table: &Bound<'_, PyArray2<f64>>,
    ) -> PyResult<bool> {
        let (mut weight, mut table) = (weight.try_readwrite()?, table.try_readwrite()?);
        let kernel = Count {
            classes: classes.as_slice()?,
            weights: slice(&weights)?,
            sign,
            table: Table { weight: weight.as_slice_mut()?, cells: table.as_slice_mut()? },
            threads: threads(),
        };
        Ok(self.apply(py, kernel)?.missing)
    }

    /// Adds sign x the weight of the rows whose value is missing to absent (k x width).
    #[pyo3(signature = (classes, weights, sign, absent))]
    fn count_absent(
        &self,
        py: Python<'_>,
        classes: PyReadonlyArray1<'_, i64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        sign: f64,
        absent: &Bound<'_, PyArray2<f64>>,
    ) -> PyResult<()> {
        let mut absent = absent.try_readwrite()?;
        let k = absent.as_array().nrows();
        let kernel =
            Absent { classes: classes.as_slice()?, weights: slice(&weights)?, sign, k, cells: absent.as_slice_mut()? };
        self.apply(py, kernel)
    }

    /// Medians of the first values per class and column, flat.
    fn pivots<'py>(
        &self,
        py: Python<'py>,
        classes: PyReadonlyArray1<'_, i64>,
        k: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let pivots = self.apply(py, Pivots { classes: classes.as_slice()?, k })?;
        Ok(PyArray1::from_vec(py, pivots))
    }

    /// (weight, n, sum, square) of the rows about the pivots, flat; both sums with what rounding took off them.
    #[pyo3(signature = (classes, weights, pivot))]
    fn moments<'py>(
        &self,
        py: Python<'py>,
        classes: PyReadonlyArray1<'_, i64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        pivot: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<(Numbers<'py>, Numbers<'py>, Sum<'py>, Sum<'py>)> {
        let kernel = MomentsOf {
            classes: classes.as_slice()?,
            weights: slice(&weights)?,
            k: pivot.as_array().nrows(),
            pivot: pivot.as_slice()?,
            threads: threads(),
        };
        let found = self.apply(py, kernel)?;
        let table = |values| PyArray1::from_vec(py, values);
        let (sum, square) = ((found.sum, found.sum_low), (found.square, found.square_low));
        let [sum, square] = [sum, square].map(|(high, low)| (table(high), table(low)));
        Ok((table(found.weight), table(found.n), sum, square))
    }

    /// Adds the linear scores to out (rows x k); weights and base are width x k.
    #[pyo3(signature = (weights, base, out))]
    fn add_linear(
        &self,
        py: Python<'_>,
        weights: PyReadonlyArray2<'_, f64>,
        base: Option<PyReadonlyArray2<'_, f64>>,
        out: &Bound<'_, PyArray2<f64>>,
    ) -> PyResult<()> {
        let mut out = out.try_readwrite()?;
        let base = base.as_ref().map(|base| base.as_slice()).transpose()?;
        let scorer = Linear::new(weights.as_array().ncols(), weights.as_slice()?, base).map_err(refusal)?;
        self.apply(py, AddLinear { scorer, out: out.as_slice_mut()?, threads: threads() })
    }

    /// Adds the Gaussian scores to out (rows x k); the tables are k x width.
    #[pyo3(signature = (centre, rest, scale, base, out))]
    fn add_quadratic(
        &self,
        py: Python<'_>,
        centre: PyReadonlyArray2<'_, f64>,
        rest: Option<PyReadonlyArray2<'_, f64>>,
        scale: PyReadonlyArray2<'_, f64>,
        base: PyReadonlyArray2<'_, f64>,
        out: &Bound<'_, PyArray2<f64>>,
    ) -> PyResult<()> {
        let mut out = out.try_readwrite()?;
        let scorer = Quadratic {
            k: centre.as_array().nrows(),
            centre: centre.as_slice()?,
            rest: rest.as_ref().map(|rest| rest.as_slice()).transpose()?,
            scale: scale.as_slice()?,
            base: base.as_slice()?,
        };
        self.apply(py, AddQuadratic { scorer, out: out.as_slice_mut()?, threads: threads() })
    }
}

fn slice<'a>(weights: &'a Option<PyReadonlyArray1<'_, f64>>) -> PyResult<Option<&'a [f64]>> {
    Ok(weights.as_ref().map(|weights| weights.as_slice()).transpose()?)
}

/// Turns joint scores (rows x k) into posteriors in place; returns how many rows were impossible and got the prior.
#[pyfunction]
pub(crate) fn normalise(
    py: Python<'_>,
    joint: &Bound<'_, PyArray2<f64>>,
    log_prior: PyReadonlyArray1<'_, f64>,
    log: bool,
) -> PyResult<usize> {
    let mut joint = joint.try_readwrite()?;
    let k = joint.as_array().ncols();
    let (joint, prior, threads) = (joint.as_slice_mut()?, log_prior.as_slice()?, threads());
    let form = if log { Posterior::Log } else { Posterior::Plain };
    py.detach(|| posterior::normalise(joint, k, prior, form, threads)).map_err(refusal)
}

/// The largest category code per column, -1 where all are missing, and (row, column, value) of the first fraction;
/// refuses what is no code.
#[pyfunction]
pub(crate) fn largest_codes(py: Python<'_>, cells: &Bound<'_, PyAny>) -> PyResult<Largest> {
    macro_rules! kinds {
        ($($kind:ty),*) => {$(
            if let Ok(cells) = cells.cast::<PyArray2<$kind>>() {
                return largest(py, cells);
            }
        )*};
    }
    kinds!(f64, f32, i64, i32, u8);
    Err(PyTypeError::new_err("category codes are integers or whole floats"))
}

type Largest = (Vec<i64>, Option<(usize, usize, f64)>);

fn largest<T: Value + Element>(py: Python<'_>, cells: &Bound<'_, PyArray2<T>>) -> PyResult<Largest> {
    let cells = cells.try_readonly()?;
    let view = cells.as_array();
    let (largest, fraction) = py.detach(|| Codes::largest(&view)).map_err(refusal)?;
    let place = match fraction {
        Some(Fault::Fraction(row, column, value)) => Some((row, column, value)),
        _ => None,
    };
    Ok((largest, place))
}
