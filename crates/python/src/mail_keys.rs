//! The keys of a mail as Python has them: a mail that was read, or bytes that the ledger kept.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::mail::MailFeatures;

/// Keys in ascending order, wherever they are.
#[derive(FromPyObject)]
pub(crate) enum MailKeys<'py> {
    Mail(PyRef<'py, MailFeatures>),
    Kept(PyBackedBytes),
}

impl MailKeys<'_> {
    /// The keys as numbers.
    pub(crate) fn read(&self) -> PyResult<Cow<'_, [u64]>> {
        match self {
            MailKeys::Mail(mail) => Ok(Cow::Borrowed(mail.keys())),
            MailKeys::Kept(bytes) => {
                let (numbers, rest) = bytes.as_chunks();
                if !rest.is_empty() {
                    let found = bytes.len();
                    return Err(PyValueError::new_err(format!("{found} bytes of keys, expected a multiple of 8")));
                }
                Ok(Cow::Owned(numbers.iter().map(|&key| u64::from_le_bytes(key)).collect()))
            }
        }
    }
}

/// Keys as little-endian bytes.
pub(crate) fn dump<'py>(py: Python<'py>, keys: &[u64]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, keys.len() * 8, |out| {
        out.chunks_exact_mut(8).zip(keys).for_each(|(bytes, key)| bytes.copy_from_slice(&key.to_le_bytes()));
        Ok(())
    })
}
