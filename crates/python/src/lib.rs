//! `bayleaf._core`: the Python face of bayleaf-core.

use pyo3::prelude::*;

mod text;
mod text_documents;
mod text_keys;
mod text_terms;

#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    text::register(module)
}
