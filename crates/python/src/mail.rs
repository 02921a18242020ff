//! Mails as features.

use bayleaf_core::mail::{Family, Features, Reader};
use bayleaf_core::parallel;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::mail_keys::dump;
use crate::store::Weighed;

/// A mail as features; made by `read`, `read_many` and `read_text`.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct MailFeatures {
    features: Features,
}

impl MailFeatures {
    pub(crate) fn keys(&self) -> &[u64] {
        &self.features.keys
    }
}

/// Mails that one thread takes at a time.
const WAVE: usize = 64;

fn reader(secret: &[u8], names: bool) -> PyResult<Reader> {
    let secret = secret.try_into().map_err(|_| {
        let found = secret.len();
        PyValueError::new_err(format!("secret has {found} bytes, expected 16: make one with secrets.token_bytes(16)"))
    })?;
    Ok(Reader::new(secret, names))
}

#[pymethods]
impl MailFeatures {
    /// The features of one mail, whatever its bytes.
    #[staticmethod]
    fn read(py: Python<'_>, raw: &[u8], secret: &[u8], names: bool) -> PyResult<Self> {
        let reader = reader(secret, names)?;
        Ok(Self { features: py.detach(|| reader.read(raw)) })
    }

    /// The features of many mails, in their order.
    #[staticmethod]
    fn read_many(
        py: Python<'_>,
        raws: Vec<Bound<'_, PyBytes>>,
        secret: &[u8],
        names: bool,
        threads: usize,
    ) -> PyResult<Vec<Self>> {
        let reader = reader(secret, names)?;
        let mails: Vec<&[u8]> = raws.iter().map(|raw| raw.as_bytes()).collect();
        Ok(py.detach(|| {
            let mut all = Vec::with_capacity(mails.len());
            let chunks = parallel::chunks(mails.len(), WAVE, usize::MAX);
            let work =
                |rows: std::ops::Range<usize>| mails[rows].iter().map(|raw| reader.read(raw)).collect::<Vec<_>>();
            parallel::in_order(&chunks, threads, work, |part| {
                all.extend(part.into_iter().map(|features| Self { features }))
            });
            all
        }))
    }

    /// The features of a text without header: its header family is empty.
    #[staticmethod]
    fn read_text(
        py: Python<'_>,
        text: &Bound<'_, pyo3::types::PyString>,
        secret: &[u8],
        names: bool,
    ) -> PyResult<Self> {
        let reader = reader(secret, names)?;
        let text = text.to_string_lossy();
        Ok(Self { features: py.detach(|| reader.read_text(&text)) })
    }

    /// How many keys there are.
    fn __len__(&self) -> usize {
        self.features.keys.len()
    }

    /// The names of the four families, in the order of their numbers.
    #[getter]
    fn families(&self) -> (&str, &str, &str, &str) {
        let [a, b, c, d] = Family::ALL.map(Family::name);
        (a, b, c, d)
    }

    /// Distinct keys of each family.
    #[getter]
    fn sizes(&self) -> [usize; 4] {
        self.features.sizes()
    }

    /// Distinct keys of all families, ascending, as little-endian 64-bit numbers.
    #[getter(keys)]
    fn keys_as_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        dump(py, &self.features.keys)
    }

    /// The number of the family of each key, one byte each: the lowest two bits of the key.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let groups: Vec<u8> = self.features.keys.iter().map(|&key| Family::of(key) as u8).collect();
        PyBytes::new(py, &groups)
    }

    /// Lines of key and text of the words and header tokens that at least two learned mails have.
    fn readable(&self, weighed: &Weighed) -> Vec<String> {
        let told = |key: u64| matches!(Family::of(key), Family::Word | Family::Header);
        let keys = self.features.keys.iter().enumerate();
        keys.filter(|&(at, &key)| told(key) && weighed.0.seen(at) >= 2)
            .map(|(at, key)| format!("{key:016x} {}", self.features.name(at)))
            .collect()
    }

    /// What was cut or odd, in words.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.features.notes.clone()
    }

    /// 32 bytes that are the same for every copy of the mail.
    #[getter]
    fn identity<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.features.identity)
    }

    /// The subject, safe to print, at most 200 characters.
    #[getter]
    fn subject(&self) -> &str {
        &self.features.subject
    }

    /// The sender, safe to print, at most 200 characters.
    #[getter]
    fn sender(&self) -> &str {
        &self.features.sender
    }

    /// The readable text of a key by its number; empty if the mail was read without names.
    fn name(&self, index: usize) -> PyResult<&str> {
        let count = self.features.keys.len();
        if index >= count {
            return Err(PyIndexError::new_err(format!(
                "key {index} of {count}: expected 0 to {}",
                count.saturating_sub(1)
            )));
        }
        Ok(self.features.name(index))
    }
}
