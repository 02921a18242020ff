//! Keys as columns of sparse rows.

use bayleaf_core::keyed::Columns;
use bayleaf_core::text::Rows;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::keyed::{KeyedCounts, lifted};
use crate::text_batch::{Batch, Fields};
use crate::text_keys::TextKeys;

/// Keys as columns.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct KeyColumns(Columns);

#[pymethods]
impl KeyColumns {
    #[new]
    fn new(py: Python<'_>, keys: PyReadonlyArray1<'_, u64>) -> PyResult<Self> {
        let keys = keys.as_slice()?;
        Ok(Self(py.detach(|| Columns::new(keys))))
    }

    /// Sparse rows of the known features: starts, columns, what `lift` makes of them.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        counts: PyRef<'py, KeyedCounts>,
        keys: &TextKeys,
        fields: Fields<'py>,
        lift: &str,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let batch = Batch::new(fields)?;
        let records = batch.records()?;
        let (encoder, counts, lift) = (keys.encoder(), &counts.0, lifted(lift)?);
        let rows: Rows<f64> = py.detach(|| self.0.rows(counts, lift, encoder, &records, threads));
        Ok((
            rows.starts.into_pyarray(py).into_any(),
            rows.columns.into_pyarray(py).into_any(),
            rows.counts.into_pyarray(py).into_any(),
        ))
    }
}
