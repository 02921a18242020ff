//! A batch of rows that Python hands over: the arrays it keeps alive, and the call of a kernel on them.

use bayleaf_core::rows::Index;
use bayleaf_core::{Codes, Csr, Dense, Fault, Rows, Value};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A kernel that runs on any kind of rows.
pub(crate) trait Kernel {
    type Out: Send;
    fn run<R: Rows>(self, rows: &R) -> Result<Self::Out, Fault>;
}

/// Rows for the kernels: `Batch.dense(array)`, `Batch.csr(indptr, indices, data, width)` or `Batch.codes(array, starts)`.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct Batch {
    parts: Parts,
    above: Option<f64>,
}

enum Parts {
    Dense(Py<PyAny>),
    Csr { starts: Py<PyAny>, columns: Py<PyAny>, values: Py<PyAny>, width: usize },
    Codes { cells: Py<PyAny>, starts: Py<PyArray1<i64>> },
}

#[pymethods]
impl Batch {
    #[staticmethod]
    #[pyo3(signature = (values, above=None))]
    fn dense(values: Py<PyAny>, above: Option<f64>) -> Self {
        Batch { parts: Parts::Dense(values), above }
    }

    #[staticmethod]
    #[pyo3(signature = (starts, columns, values, width, above=None))]
    fn csr(starts: Py<PyAny>, columns: Py<PyAny>, values: Py<PyAny>, width: usize, above: Option<f64>) -> Self {
        Batch { parts: Parts::Csr { starts, columns, values, width }, above }
    }

    #[staticmethod]
    fn codes(cells: Py<PyAny>, starts: Py<PyArray1<i64>>) -> Self {
        Batch { parts: Parts::Codes { cells, starts }, above: None }
    }
}

macro_rules! try_kinds {
    ($self:ident, $py:ident, $kernel:ident, $array:expr, $call:ident $(, $extra:expr)*) => {{
        let array = $array.bind($py);
        if array.cast::<PyArray2<f64>>().is_ok() { return $self.$call::<f64, _>($py, array $(, $extra)*, $kernel); }
        if array.cast::<PyArray2<f32>>().is_ok() { return $self.$call::<f32, _>($py, array $(, $extra)*, $kernel); }
        if array.cast::<PyArray2<i64>>().is_ok() { return $self.$call::<i64, _>($py, array $(, $extra)*, $kernel); }
        if array.cast::<PyArray2<i32>>().is_ok() { return $self.$call::<i32, _>($py, array $(, $extra)*, $kernel); }
        if array.cast::<PyArray2<u8>>().is_ok() { return $self.$call::<u8, _>($py, array $(, $extra)*, $kernel); }
        Err(wrong_kind(array))
    }};
}

impl Batch {
    /// Runs a kernel on the rows with the interpreter released.
    pub(crate) fn apply<K: Kernel + Send>(&self, py: Python<'_>, kernel: K) -> PyResult<K::Out> {
        match &self.parts {
            Parts::Dense(values) => try_kinds!(self, py, kernel, values, run_dense),
            Parts::Codes { cells, starts } => {
                try_kinds!(self, py, kernel, cells, run_codes, starts.bind(py))
            }
            Parts::Csr { starts, columns, values, width } => {
                let (starts, columns, values) = (starts.bind(py), columns.bind(py), values.bind(py));
                if starts.cast::<PyArray1<i32>>().is_ok() {
                    self.csr_values::<i32, _>(py, starts, columns, values, *width, kernel)
                } else {
                    self.csr_values::<i64, _>(py, starts, columns, values, *width, kernel)
                }
            }
        }
    }

    fn run_dense<T: Value + Element, K: Kernel + Send>(
        &self,
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        kernel: K,
    ) -> PyResult<K::Out> {
        let array = array.cast::<PyArray2<T>>()?.try_readonly()?;
        let rows = Dense::new(array.as_array(), self.above);
        py.detach(|| kernel.run(&rows)).map_err(refusal)
    }

    fn run_codes<T: Value + Element, K: Kernel + Send>(
        &self,
        py: Python<'_>,
        cells: &Bound<'_, PyAny>,
        starts: &Bound<'_, PyArray1<i64>>,
        kernel: K,
    ) -> PyResult<K::Out> {
        let (cells, starts) = (cells.cast::<PyArray2<T>>()?.try_readonly()?, starts.try_readonly()?);
        let rows = Codes::new(cells.as_array(), starts.as_slice()?);
        py.detach(|| kernel.run(&rows)).map_err(refusal)
    }

    fn csr_values<I: Index + Element, K: Kernel + Send>(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        columns: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        width: usize,
        kernel: K,
    ) -> PyResult<K::Out> {
        macro_rules! kinds {
            ($($kind:ty),*) => {$(
                if let Ok(values) = values.cast::<PyArray1<$kind>>() {
                    let (starts, columns) = (starts.cast::<PyArray1<I>>()?, columns.cast::<PyArray1<I>>()?);
                    let (starts, columns, values) =
                        (starts.try_readonly()?, columns.try_readonly()?, values.try_readonly()?);
                    let rows = Csr::new(starts.as_slice()?, columns.as_slice()?, values.as_slice()?, width, self.above);
                    return py.detach(|| kernel.run(&rows)).map_err(refusal);
                }
            )*};
        }
        kinds!(f64, f32, i64, i32, u8);
        Err(wrong_kind(values))
    }
}

fn wrong_kind(array: &Bound<'_, PyAny>) -> PyErr {
    let found = array.get_type();
    let dtype = array.getattr("dtype").map_or_else(|_| String::new(), |dtype| format!(" of dtype {dtype}"));
    PyTypeError::new_err(format!("found {found}{dtype}, expected an array of float64, float32, int64, int32 or uint8"))
}

/// A fault as (kind, row, column, value), for Python to put into words.
pub(crate) fn refusal(fault: Fault) -> PyErr {
    match fault {
        Fault::Negative(row, column, value) => PyValueError::new_err(("negative", row, column, value)),
        Fault::Infinite(row, column, value) => PyValueError::new_err(("infinite", row, column, value)),
        Fault::Unknown(row) => PyValueError::new_err(("unknown", row, 0, f64::NAN)),
        Fault::Large(row, column, value) => PyValueError::new_err(("large", row, column, value)),
        Fault::Overflow(row, column, value) => PyValueError::new_err(("overflow", row, column, value)),
        other => PyValueError::new_err(other.to_string()),
    }
}
