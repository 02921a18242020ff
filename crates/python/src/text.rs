//! Plans, character tables, stems and hashes.

use std::collections::HashMap;
use std::sync::Arc;

use bayleaf_core::text::{self as core, Accents, Buckets, Chars, Fold, Pattern, Plan, Settings, Stem};
use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::text_documents::{Held, decode, documents, hold};

/// Settings that cannot be used, as a ValueError.
pub(crate) fn refuse(error: core::TextError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Which code points are words and spaces, and their lower case and accent-free form, in the running Python.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct TextChars(Arc<Chars>);

#[pymethods]
impl TextChars {
    #[new]
    fn new(
        word: Vec<(u32, u32)>,
        space: Vec<(u32, u32)>,
        lower: Vec<(u32, Vec<u32>)>,
        bare: Option<HashMap<u32, String>>,
    ) -> Self {
        let bare = bare.map(|table| table.into_iter().map(|(code, text)| (code, text.into_bytes())).collect());
        Self(Arc::new(Chars::new(&word, &space, &lower, bare)))
    }

    /// The table that is compiled in, for the classifiers, whose keys must not depend on the Python.
    #[staticmethod]
    fn shared() -> Self {
        Self(Chars::shared())
    }

    /// Whether a code point is a word character, whether it is a space, and its lower case where that is one code point.
    fn about(&self, code: u32) -> (bool, bool, u32) {
        (self.0.is_word(code), self.0.is_space(code), self.0.lower(code))
    }
}

/// Settings made ready for use.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct TextPlan {
    pub(crate) plan: Plan,
    pub(crate) lowers: bool,
}

#[pymethods]
impl TextPlan {
    #[new]
    #[pyo3(signature = (*, analyzer, pattern, lowercase, strip_accents, ngrams, skip, stop_words, stemmer, unspaced, chars=None))]
    #[expect(clippy::too_many_arguments, reason = "one per setting, all by name")]
    fn new(
        analyzer: &str,
        pattern: &str,
        lowercase: bool,
        strip_accents: Option<&str>,
        ngrams: (usize, usize),
        skip: usize,
        stop_words: Vec<Bound<'_, PyAny>>,
        stemmer: Option<String>,
        unspaced: bool,
        chars: Option<&TextChars>,
    ) -> PyResult<Self> {
        let settings = Settings {
            fold: Fold { lowercase, accents: Accents::Keep },
            pattern: Pattern::parse(pattern).map_err(refuse)?,
            ngrams,
            skip,
            stop_words: stop_words
                .iter()
                .map(|word| Ok(word.cast::<PyBytes>()?.as_bytes().to_vec()))
                .collect::<PyResult<_>>()?,
            stemmer,
            unspaced,
            ..Settings::default()
        };
        let settings = settings.named(analyzer, strip_accents).map_err(refuse)?;
        let compiled = if unspaced { Chars::marked } else { Chars::shared };
        let chars = chars.map_or_else(compiled, |chars| chars.0.clone());
        Ok(Self { plan: Plan::new(settings, chars).map_err(refuse)?, lowers: lowercase })
    }

    /// The tokens of a text after stop words and stemming, each with its first character and one behind its last.
    fn spans<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyString>,
    ) -> PyResult<Vec<(Bound<'py, PyString>, usize, usize)>> {
        let held = Held::text(text, false)?;
        let bytes = held.bytes()?;
        let spans = py.detach(|| self.plan.spans(bytes));
        spans.into_iter().map(|(token, start, end)| Ok((decode(py, &token)?, start, end))).collect()
    }
}

/// Rows of hashed terms: starts, columns, values.
#[pyfunction]
pub(crate) fn text_hashed_rows<'py>(
    py: Python<'py>,
    plan: &TextPlan,
    list: &Bound<'py, PyList>,
    count: u32,
    signed: bool,
    threads: usize,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    if count == 0 {
        return Err(PyValueError::new_err("found 0 columns, expected at least 1"));
    }
    let held = hold(list, plan.lowers)?;
    let documents = documents(&held)?;
    let rows = py.detach(|| core::hashed_rows(&plan.plan, &documents, Buckets { count, signed }, threads));
    Ok((
        rows.starts.into_pyarray(py).into_any(),
        rows.columns.into_pyarray(py).into_any(),
        rows.counts.into_pyarray(py).into_any(),
    ))
}

/// Is the pattern one that needs no regular expression?
#[pyfunction]
pub(crate) fn text_is_simple(pattern: &str) -> bool {
    Pattern::simple(pattern).is_some()
}

/// MurmurHash3, 32 bits, signed.
#[pyfunction]
pub(crate) fn text_murmur3(bytes: &[u8], seed: u32) -> i32 {
    core::murmur3(bytes, seed)
}

/// The Snowball stem of a lower-case word.
#[pyfunction]
pub(crate) fn text_stem(language: &str, word: &str) -> PyResult<String> {
    let stem = Stem::new(language).map_err(refuse)?.of(word.as_bytes());
    Ok(String::from_utf8_lossy(&stem).into_owned())
}

/// The names of the stemming algorithms.
#[pyfunction]
pub(crate) fn text_stemmers() -> Vec<&'static str> {
    Stem::names()
}
