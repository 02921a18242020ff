//! The derived numbers of an evidence table, as they come from Python.

use bayleaf_core::keyed::{KeyedCounts, Layout, Table};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::key_leanings::KeyLeanings;

/// Worth of each kind, scale, power, bias by class, temperature, how the classes mix, and what common keys say beyond.
pub(crate) type Numbers<'py> = (
    PyReadonlyArray1<'py, f64>,
    f64,
    f64,
    PyReadonlyArray1<'py, f64>,
    f64,
    PyReadonlyArray2<'py, f64>,
    PyRef<'py, KeyLeanings>,
);

/// The table of these numbers, for these counts.
pub(crate) fn table(numbers: &Numbers, counts: &KeyedCounts) -> PyResult<Table> {
    let (worth, scale, power, bias, temperature, mix, leanings) = numbers;
    let (worth, bias, mix) = (worth.as_slice()?.to_vec(), bias.as_slice()?.to_vec(), mix.as_slice()?.to_vec());
    let layout = Layout { orders: counts.orders().len() };
    let k = counts.classes();
    let leanings = leanings.of(k)?;
    if worth.len() != layout.kinds() || bias.len() != k || !(mix.is_empty() || mix.len() == k * k) {
        return Err(PyValueError::new_err(format!(
            "found a table of {} kinds, {} classes and {} of their pairs, expected {}, {k} and {} or none",
            worth.len(),
            bias.len(),
            mix.len(),
            layout.kinds(),
            k * k
        )));
    }
    Ok(Table { worth, scale: *scale, power: *power, bias, temperature: *temperature, mix, leanings })
}
