//! Keys as columns of sparse rows.

use std::sync::Arc;

use bayleaf_core::keyed::{Columns, Grouped};
use bayleaf_core::text::Rows;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::keyed::{KeyedCounts, lifted};
use crate::text_batch::{Batch, Fields};
use crate::text_keys::TextKeys;

/// Columns, how many keys each stands for, and their counts.
type Laid<'py> = (KeyColumns, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

/// Keys as columns.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct KeyColumns(pub(crate) Arc<Columns>);

#[pymethods]
impl KeyColumns {
    #[new]
    fn new(py: Python<'_>, keys: PyReadonlyArray1<'_, u64>) -> PyResult<Self> {
        let keys = keys.as_slice()?;
        Ok(Self(Arc::new(py.detach(|| Columns::new(keys)))))
    }

    /// The columns that keys have or, unless they stand `apart`, share; how many keys each stands for; their counts.
    #[staticmethod]
    fn of<'py>(py: Python<'py>, counts: PyRef<'py, KeyedCounts>, apart: bool) -> PyResult<Laid<'py>> {
        let counts = &counts.0;
        let Grouped { columns, times, table } = py.detach(|| counts.grouped(apart));
        let table = table.into_pyarray(py).reshape([times.len(), counts.classes()])?;
        Ok((Self(Arc::new(columns)), times.into_pyarray(py), table))
    }

    /// How many columns.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// The keys of some columns, the documents that hold each, and its column.
    fn members<'py>(
        &self,
        py: Python<'py>,
        counts: PyRef<'py, KeyedCounts>,
        columns: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (counts, columns) = (&counts.0, columns.as_slice()?);
        let members = py.detach(|| self.0.members(counts, columns));
        let keys: Vec<u64> = members.iter().map(|member| member.0).collect();
        let documents: Vec<i64> = members.iter().map(|member| member.1).collect();
        let columns: Vec<u32> = members.iter().map(|member| member.2).collect();
        Ok((
            keys.into_pyarray(py).into_any(),
            documents.into_pyarray(py).into_any(),
            columns.into_pyarray(py).into_any(),
        ))
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
