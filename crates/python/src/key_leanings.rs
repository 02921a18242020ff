//! What common keys say beyond what their kind is worth.

use std::sync::Arc;

use bayleaf_core::keyed::Leanings;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A row of classes for each of some keys.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct KeyLeanings(Arc<Leanings>);

#[pymethods]
impl KeyLeanings {
    #[new]
    fn new(keys: PyReadonlyArray1<'_, u64>, rows: PyReadonlyArray2<'_, f64>) -> PyResult<Self> {
        let (keys, [count, k]) = (keys.as_slice()?, [rows.shape()[0], rows.shape()[1]]);
        if count != keys.len() {
            return Err(PyValueError::new_err(format!("found {} keys and {count} rows, expected as many", keys.len())));
        }
        Ok(Self(Arc::new(Leanings::new(keys, rows.as_slice()?.to_vec(), k))))
    }
}

impl KeyLeanings {
    /// Those of so many classes.
    pub(crate) fn of(&self, k: usize) -> PyResult<Arc<Leanings>> {
        if self.0.classes() == k {
            return Ok(self.0.clone());
        }
        Err(PyValueError::new_err(format!("found leanings of {} classes, expected {k}", self.0.classes())))
    }
}
