//! Weights by key.

use bayleaf_core::keyed as core;
use numpy::{PyArray2, PyArrayMethods, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::key_columns::KeyColumns;
use crate::keyed::KeyedCounts;
use crate::text_batch::{Batch, Fields};
use crate::text_keys::TextKeys;

/// Weights by key.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct KeyWeights {
    places: core::KeyWeights,
    weights: Py<PyArray2<f64>>,
}

#[pymethods]
impl KeyWeights {
    #[new]
    fn new(py: Python<'_>, columns: &KeyColumns, weights: Bound<'_, PyArray2<f64>>) -> PyResult<Self> {
        let rows = weights.try_readonly()?;
        let (known, k) = (columns.0.width(), rows.as_array().ncols());
        if rows.as_array().nrows() != known {
            return Err(PyValueError::new_err(format!(
                "found {known} columns and {} rows of weights, expected as many",
                rows.as_array().nrows()
            )));
        }
        let (columns, numbers) = (columns.0.clone(), rows.as_slice()?);
        let places = py.detach(|| core::KeyWeights::new(columns, numbers, k));
        Ok(Self { places, weights: weights.unbind() })
    }

    /// Adds the scores of documents to `joint`, a row of classes for each.
    fn add_to<'py>(
        &self,
        py: Python<'py>,
        counts: PyRef<'py, KeyedCounts>,
        keys: &TextKeys,
        fields: Fields<'py>,
        threads: usize,
        mut joint: PyReadwriteArray2<'py, f64>,
    ) -> PyResult<()> {
        let batch = Batch::new(fields)?;
        let records = batch.records()?;
        let weights = self.weights.bind(py).try_readonly()?;
        let (encoder, counts, weights) = (keys.encoder(), &counts.0, weights.as_slice()?);
        let (rows, k) = joint.as_array().dim();
        if rows != records.len() || k != self.places.classes() {
            return Err(PyValueError::new_err(format!(
                "found scores for {rows} documents and {k} classes, expected {} and {}",
                records.len(),
                self.places.classes()
            )));
        }
        let out = joint.as_slice_mut()?;
        py.detach(|| self.places.add_to(weights, counts, encoder, &records, threads, out));
        Ok(())
    }
}
