//! Documents as 64-bit keys.

use bayleaf_core::text::{Encoded, Encoder, Spare, Workspace};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::text::TextPlan;
use crate::text_batch::Batch;
use crate::text_documents::{Held, decode};

/// Keys, counts and positions of documents, by a plan and a seed.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct TextKeys {
    plan: Py<TextPlan>,
    seed: u64,
    presence: bool,
    pub(crate) spare: Spare,
}

#[pymethods]
impl TextKeys {
    #[new]
    fn new(plan: Py<TextPlan>, seed: u64, presence: bool) -> Self {
        Self { plan, seed, presence, spare: Spare::default() }
    }

    /// The features of each document, one document after the other. A document is a list of texts, one per tag.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        tags: Vec<String>,
        fields: Vec<Bound<'py, PyList>>,
        names: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let batch = Batch::new((tags, fields))?;
        let (records, encoder) = (batch.records()?, self.encoder());
        let all = py.detach(|| {
            let mut work = if names { Workspace::with_names() } else { Workspace::default() };
            let (mut all, mut one, mut fields) = (All::default(), Encoded::default(), Vec::new());
            for row in 0..records.len() {
                records.fields(row, &mut fields);
                work.trim();
                encoder.encode(&fields, &mut work, &mut one);
                all.append(&one);
            }
            all
        });
        all.into_dict(py, names)
    }

    /// A number for each document that depends on its texts alone.
    fn fingerprints<'py>(
        &self,
        py: Python<'py>,
        tags: Vec<String>,
        fields: Vec<Bound<'py, PyList>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let batch = Batch::new((tags, fields))?;
        let records = batch.records()?;
        let prints: Vec<u64> = py.detach(|| (0..records.len()).map(|row| records.fingerprint(row)).collect());
        Ok(prints.into_pyarray(py))
    }

    /// Every occurrence in one text: key, order, first character, one behind the last.
    fn trace(&self, py: Python<'_>, tag: &str, text: &Bound<'_, PyString>) -> PyResult<Vec<(u64, u8, usize, usize)>> {
        let held = Held::text(text, false)?;
        let (encoder, bytes) = (self.encoder(), held.bytes()?);
        let found = py.detach(|| encoder.trace(tag, bytes));
        Ok(found.into_iter().map(|o| (o.key, o.order, o.start, o.end)).collect())
    }
}

impl TextKeys {
    /// The encoder that this is.
    pub(crate) fn encoder(&self) -> Encoder<'_> {
        Encoder { plan: &self.plan.get().plan, seed: self.seed, presence: self.presence }
    }

    /// The orders that its features have.
    pub(crate) fn orders(&self) -> Vec<u8> {
        self.plan.get().plan.orders()
    }
}

/// The features of many documents.
#[derive(Default)]
struct All {
    list: Encoded,
    starts: Vec<i64>,
    tokens: Vec<u32>,
}

impl All {
    fn append(&mut self, one: &Encoded) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.list.keys.extend_from_slice(&one.keys);
        self.list.counts.extend_from_slice(&one.counts);
        self.list.first.extend_from_slice(&one.first);
        self.list.orders.extend_from_slice(&one.orders);
        self.list.parts.extend_from_slice(&one.parts);
        let base = self.list.names.len();
        self.list.names.extend_from_slice(&one.names);
        self.list.name_ends.extend(one.name_ends.iter().map(|end| base + end));
        self.starts.push(self.list.keys.len() as i64);
        self.tokens.push(one.tokens);
    }

    fn into_dict(self, py: Python<'_>, names: bool) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        if names {
            let texts = (0..self.list.len()).map(|i| decode(py, self.list.name(i))).collect::<PyResult<Vec<_>>>()?;
            dict.set_item("names", PyList::new(py, texts)?)?;
        }
        let starts = if self.starts.is_empty() { vec![0] } else { self.starts };
        dict.set_item("starts", starts.into_pyarray(py))?;
        dict.set_item("keys", self.list.keys.into_pyarray(py))?;
        dict.set_item("counts", self.list.counts.into_pyarray(py))?;
        dict.set_item("first", self.list.first.into_pyarray(py))?;
        dict.set_item("orders", self.list.orders.into_pyarray(py))?;
        let rows = self.list.parts.len();
        let parts: Vec<u32> = self.list.parts.into_iter().flatten().collect();
        dict.set_item("parts", parts.into_pyarray(py).reshape([rows, 2])?)?;
        dict.set_item("tokens", self.tokens.into_pyarray(py))?;
        Ok(dict)
    }
}
