//! Vocabularies and count rows.

use bayleaf_core::text::{Rows, Terms};
use numpy::{Element, IntoPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::text::{TextPlan, refuse};
use crate::text_documents::{decode, documents, hold};

/// Starts, columns, counts.
type Arrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

fn arrays<T: Element>(py: Python<'_>, rows: Rows<T>) -> Arrays<'_> {
    (
        rows.starts.into_pyarray(py).into_any(),
        rows.columns.into_pyarray(py).into_any(),
        rows.counts.into_pyarray(py).into_any(),
    )
}

/// Counts as the caller wants them.
enum Gathered {
    Ints(Rows<i64>),
    Floats(Rows<f64>),
}

/// A vocabulary, and the rows of the documents learned since the last time they were taken.
#[pyclass(module = "bayleaf._core")]
pub(crate) struct TextTerms {
    plan: Py<TextPlan>,
    terms: Terms,
    rows: Gathered,
}

#[pymethods]
impl TextTerms {
    /// An empty vocabulary, or one with the given terms (as generalised UTF-8), whose columns are their places.
    #[new]
    #[pyo3(signature = (plan, terms=None))]
    fn new(plan: Py<TextPlan>, terms: Option<Vec<Bound<'_, PyBytes>>>) -> PyResult<Self> {
        let inner = &plan.get().plan;
        let terms = match terms {
            None => Terms::new(inner),
            Some(list) => {
                let list: Vec<&[u8]> = list.iter().map(|term| term.as_bytes()).collect();
                Terms::with(inner, &list).map_err(refuse)?
            }
        };
        Ok(Self { plan, terms, rows: Gathered::Ints(Rows::default()) })
    }

    /// The number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.terms.width()
    }

    /// Forgets the rows and sets the type of those to come.
    fn start(&mut self, floats: bool) {
        self.rows = if floats { Gathered::Floats(Rows::default()) } else { Gathered::Ints(Rows::default()) };
    }

    /// Reads documents and takes all their terms in.
    fn learn(&mut self, py: Python<'_>, list: &Bound<'_, PyList>, threads: usize) -> PyResult<()> {
        let Self { plan, terms, rows } = self;
        let plan = plan.get();
        let held = hold(list, plan.lowers)?;
        let documents = documents(&held)?;
        let read = || match rows {
            Gathered::Ints(rows) => terms.learn(&plan.plan, &documents, threads, rows),
            Gathered::Floats(rows) => terms.learn(&plan.plan, &documents, threads, rows),
        };
        py.detach(read).map_err(refuse)
    }

    /// Gives columns to new terms, sorted by text behind the present ones, and returns the rows since the start.
    fn finish<'py>(&mut self, py: Python<'py>, threads: usize) -> Arrays<'py> {
        let terms = &mut self.terms;
        match &mut self.rows {
            Gathered::Ints(rows) => {
                let mut rows = std::mem::take(rows);
                py.detach(|| terms.finish(&mut rows, threads));
                arrays(py, rows)
            }
            Gathered::Floats(rows) => {
                let mut rows = std::mem::take(rows);
                py.detach(|| terms.finish(&mut rows, threads));
                arrays(py, rows)
            }
        }
    }

    /// The counts of known terms in other documents.
    fn look_up<'py>(
        &self,
        py: Python<'py>,
        list: &Bound<'py, PyList>,
        floats: bool,
        threads: usize,
    ) -> PyResult<Arrays<'py>> {
        let plan = self.plan.get();
        let held = hold(list, plan.lowers)?;
        let documents = documents(&held)?;
        Ok(if floats {
            let rows = py.detach(|| self.terms.look_up::<f64>(&plan.plan, &documents, threads));
            arrays(py, rows)
        } else {
            let rows = py.detach(|| self.terms.look_up::<i64>(&plan.plan, &documents, threads));
            arrays(py, rows)
        })
    }

    /// Terms and columns in the order in which the terms were first seen.
    fn vocabulary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.terms.each(|text, column| dict.set_item(decode(py, text)?, column))?;
        Ok(dict)
    }

    /// The terms by column.
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut names: Vec<Option<Bound<'py, PyAny>>> = vec![None; self.terms.width()];
        self.terms.each(|text, column| {
            if let Some(place) = names.get_mut(column as usize) {
                *place = Some(decode(py, text)?.into_any());
            }
            Ok::<_, PyErr>(())
        })?;
        PyList::new(py, names)
    }

    /// Keeps the columns whose byte in `kept` is not zero.
    fn keep(&mut self, kept: &[u8]) -> PyResult<()> {
        if kept.len() != self.terms.width() {
            let message = format!("a mask of {} for {} columns", kept.len(), self.terms.width());
            return Err(PyValueError::new_err(message));
        }
        self.terms.keep(&kept.iter().map(|byte| *byte != 0).collect::<Vec<_>>());
        Ok(())
    }
}
