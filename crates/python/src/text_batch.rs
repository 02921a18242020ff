//! Columns of texts that come from Python together.

use bayleaf_core::keyed::Records;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::text_documents::{Held, documents, hold};

/// Tags and columns of texts.
pub(crate) type Fields<'py> = (Vec<String>, Vec<Bound<'py, PyList>>);

/// The columns of a batch of documents, held for as long as they are read.
pub(crate) struct Batch<'py> {
    tags: Vec<String>,
    columns: Vec<Vec<Held<'py>>>,
}

impl<'py> Batch<'py> {
    /// Refuses columns that do not fit each other.
    pub(crate) fn new((tags, fields): Fields<'py>) -> PyResult<Self> {
        let lengths: Vec<usize> = fields.iter().map(|list| list.len()).collect();
        if tags.len() != fields.len() || lengths.windows(2).any(|two| two[0] != two[1]) {
            return Err(PyValueError::new_err(format!(
                "found {} tags and columns of {lengths:?} texts, expected a column for each tag, all as long",
                tags.len()
            )));
        }
        let columns = fields.iter().map(|list| hold(list, false)).collect::<PyResult<Vec<_>>>()?;
        Ok(Self { tags, columns })
    }

    pub(crate) fn records(&self) -> PyResult<Records<'_>> {
        let columns = self.columns.iter().map(|column| documents(column)).collect::<PyResult<Vec<_>>>()?;
        Ok(Records { tags: &self.tags, columns })
    }
}
