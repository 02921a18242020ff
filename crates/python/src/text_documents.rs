//! Python strings as bytes that Rust may read without the interpreter.

use bayleaf_core::text::{Document, has_capital_sigma};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

/// Places in a text are counted in 32 bits, and a character takes up to four bytes.
const LONGEST: usize = 1 << 30;

/// A document held for as long as it is read: text, or tokens that Python has cut.
pub(crate) enum Held<'py> {
    /// An ASCII string, read in place.
    Ascii(Bound<'py, PyString>),
    /// Any other string, as generalised UTF-8: lone surrogates are code points like any other.
    Encoded(Bound<'py, PyBytes>),
    /// Tokens.
    Tokens(Vec<Held<'py>>),
}

impl<'py> Held<'py> {
    /// Holds a string or a list of strings. With `lower`, a text with a capital sigma is lowered by Python itself:
    /// whether it ends a word depends on properties that only the running Python's own tables have.
    fn new(item: &Bound<'py, PyAny>, lower: bool) -> PyResult<Self> {
        if let Ok(tokens) = item.cast::<PyList>() {
            let tokens = tokens.iter().map(|token| Self::text(token.cast::<PyString>()?, false));
            return Ok(Self::Tokens(tokens.collect::<PyResult<_>>()?));
        }
        Self::text(item.cast::<PyString>()?, lower)
    }

    /// Holds a string.
    pub(crate) fn text(text: &Bound<'py, PyString>, lower: bool) -> PyResult<Self> {
        let py = text.py();
        if text.len()? > LONGEST {
            let found = text.len()?;
            return Err(PyValueError::new_err(format!(
                "found a text of {found} characters, expected at most {LONGEST}; cut it into several"
            )));
        }
        if text.call_method0(intern!(py, "isascii"))?.is_truthy()? {
            return Ok(Self::Ascii(text.clone()));
        }
        let bytes = encode(text)?;
        if lower && has_capital_sigma(bytes.as_bytes()) {
            let lowered = text.call_method0(intern!(py, "lower"))?;
            return Ok(Self::Encoded(encode(lowered.cast::<PyString>()?)?));
        }
        Ok(Self::Encoded(bytes))
    }

    pub(crate) fn bytes(&self) -> PyResult<&[u8]> {
        match self {
            Self::Ascii(text) => Ok(text.to_str()?.as_bytes()),
            Self::Encoded(bytes) => Ok(bytes.as_bytes()),
            Self::Tokens(_) => Ok(&[]),
        }
    }

    fn document(&self) -> PyResult<Document<'_>> {
        match self {
            Self::Tokens(tokens) => Ok(Document::Tokens(tokens.iter().map(Held::bytes).collect::<PyResult<_>>()?)),
            text => Ok(Document::Text(text.bytes()?)),
        }
    }
}

/// UTF-8 that is not kept inside the string object, as `to_str` would, which doubles the memory of the caller's texts.
fn encode<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    text.encode_utf8().or_else(|_| {
        let py = text.py();
        let bytes = text.call_method1(intern!(py, "encode"), ("utf-8", "surrogatepass"))?;
        Ok(bytes.cast_into::<PyBytes>()?)
    })
}

/// Holds all documents of a list.
pub(crate) fn hold<'py>(list: &Bound<'py, PyList>, lower: bool) -> PyResult<Vec<Held<'py>>> {
    list.iter().map(|item| Held::new(&item, lower)).collect()
}

/// The held documents, ready to be read.
pub(crate) fn documents<'a>(held: &'a [Held<'_>]) -> PyResult<Vec<Document<'a>>> {
    held.iter().map(Held::document).collect()
}

/// A Python string from generalised UTF-8.
pub(crate) fn decode<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(PyString::new(py, text));
    }
    let text = PyBytes::new(py, bytes).call_method1(intern!(py, "decode"), ("utf-8", "surrogatepass"))?;
    Ok(text.cast_into::<PyString>()?)
}
