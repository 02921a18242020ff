//! Counts by 64-bit key.

use bayleaf_core::keyed::{self as core, Evidence, Layout, Lift, Listing};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::evidence_table::{Numbers, table};
use crate::text_batch::{Batch, Fields};
use crate::text_documents::decode;
use crate::text_keys::TextKeys;

fn refuse(_: core::Unlearned) -> PyErr {
    PyValueError::new_err("unlearned")
}

/// Keys, names, counts and summands.
type Explained<'py> = (Vec<u64>, Vec<Bound<'py, PyString>>, Vec<u32>, Bound<'py, PyArray2<f64>>);
/// Sums and tokens.
type Left<'py> = (Bound<'py, PyArray3<f32>>, Bound<'py, PyArray1<u32>>);
/// Class numbers, one for each document.
fn numbered<'a>(classes: &'a PyReadonlyArray1<'_, u16>, documents: usize, k: usize) -> PyResult<&'a [u16]> {
    let classes = classes.as_slice()?;
    if classes.len() != documents || classes.iter().any(|class| *class as usize >= k) {
        return Err(PyValueError::new_err(format!(
            "found {} class numbers, expected one below {k} for each of {documents} documents",
            classes.len()
        )));
    }
    Ok(classes)
}

/// Classes are numbered in 16 bits, of which one number is taken.
const CLASSES: usize = u16::MAX as usize;

fn check_classes(k: usize) -> PyResult<()> {
    if k > CLASSES {
        return Err(PyValueError::new_err(format!("found {k} classes, expected at most {CLASSES}")));
    }
    Ok(())
}

/// What is counted of a document, by name.
pub(crate) fn lifted(name: &str) -> PyResult<Lift> {
    match name {
        "unit" => Ok(Lift::Unit),
        "count" => Ok(Lift::Count),
        "presence" => Ok(Lift::Presence),
        other => Err(PyValueError::new_err(format!("unknown lift {other:?}"))),
    }
}

/// Refuses `places` of `from` classes among `k` that do not fit.
fn check_places(places: &[usize], from: usize, k: usize) -> PyResult<()> {
    if places.len() != from || places.iter().any(|place| *place >= k) {
        return Err(PyValueError::new_err(format!(
            "found {} places among {k} classes, expected one below that for each of {from}",
            places.len()
        )));
    }
    Ok(())
}

/// What was seen, by class and key.
#[pyclass(module = "bayleaf._core")]
pub(crate) struct KeyedCounts(pub(crate) core::KeyedCounts);

#[pymethods]
impl KeyedCounts {
    #[new]
    fn new(keys: &TextKeys, k: usize, lift: &str, buckets: Option<u64>, named: bool) -> PyResult<Self> {
        let lift = lifted(lift)?;
        check_classes(k)?;
        let orders = keys.orders();
        if orders.is_empty() {
            return Err(PyValueError::new_err("found n-grams of more than 127 parts only, expected shorter ones too"));
        }
        Ok(Self(core::KeyedCounts::new(&orders, k, lift, buckets, named)))
    }

    fn learn<'py>(
        &mut self,
        py: Python<'py>,
        keys: &TextKeys,
        fields: Fields<'_>,
        classes: PyReadonlyArray1<'_, u16>,
        sign: i64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let batch = Batch::new(fields)?;
        let records = batch.records()?;
        let (encoder, classes) = (keys.encoder(), numbered(&classes, records.len(), self.0.classes())?);
        let prints = py.detach(|| self.0.learn(encoder, &records, classes, sign, threads)).map_err(refuse)?;
        Ok(prints.into_pyarray(py))
    }

    fn merge(&mut self, py: Python<'_>, other: PyRef<'_, Self>, places: Vec<usize>, sign: i64) -> PyResult<()> {
        let other = &other.0;
        check_places(&places, other.classes(), self.0.classes())?;
        if other.orders() != self.0.orders() {
            return Err(PyValueError::new_err("found counts of other orders, expected the same"));
        }
        py.detach(|| self.0.merge(other, &places, sign)).map_err(|fault| match fault {
            core::Unmerged::Unlearned => refuse(core::Unlearned),
            other => PyValueError::new_err(other.to_string()),
        })
    }

    fn relabelled(&self, py: Python<'_>, places: Vec<usize>, k: usize) -> PyResult<Self> {
        check_classes(k)?;
        check_places(&places, self.0.classes(), k)?;
        Ok(Self(py.detach(|| self.0.relabelled(&places, k))))
    }

    fn drop_rare(&mut self, py: Python<'_>, least: i64) -> usize {
        py.detach(|| self.0.drop_rare(least))
    }

    /// Lets the keys be read as part of a table with these sums (by order and class) and numbers of distinct keys.
    fn stand_for(&mut self, sums: PyReadonlyArray2<'_, i64>, distinct: PyReadonlyArray1<'_, i64>) -> PyResult<bool> {
        Ok(self.0.stand_for(sums.as_slice()?, distinct.as_slice()?))
    }

    fn copy(&self, py: Python<'_>) -> Self {
        Self(py.detach(|| self.0.clone()))
    }

    #[getter]
    fn documents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.0.documents().to_vec().into_pyarray(py)
    }

    #[getter]
    fn sums<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let shape = [self.0.orders().len(), self.0.classes()];
        self.0.sums().to_vec().into_pyarray(py).reshape(shape)
    }

    #[getter]
    fn distinct<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.0.distinct().to_vec().into_pyarray(py)
    }

    #[getter]
    fn orders(&self) -> Vec<u16> {
        self.0.orders().iter().map(|order| *order as u16).collect()
    }

    fn name<'py>(&self, py: Python<'py>, key: u64) -> PyResult<Bound<'py, PyString>> {
        decode(py, &self.0.name(key))
    }

    /// The counts as sorted lists by name.
    fn listing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let list = py.detach(|| self.0.listing());
        let dict = PyDict::new(py);
        dict.set_item("keys", list.keys.into_pyarray(py))?;
        dict.set_item("orders", list.orders.into_pyarray(py))?;
        dict.set_item("documents", list.documents.into_pyarray(py))?;
        dict.set_item("starts", list.starts.into_pyarray(py))?;
        dict.set_item("classes", list.classes.into_pyarray(py))?;
        dict.set_item("counts", list.counts.into_pyarray(py))?;
        let rows = list.parts.len();
        dict.set_item("parts", list.parts.into_flattened().into_pyarray(py).reshape([rows, 2])?)?;
        dict.set_item("text", list.text.into_pyarray(py))?;
        dict.set_item("text_ends", list.text_ends.into_pyarray(py))?;
        Ok(dict)
    }

    /// Adds sorted lists, class `i` of which is our class `places[i]`; False where they do not fit.
    #[expect(clippy::too_many_arguments, reason = "one per list")]
    fn fill(
        &mut self,
        py: Python<'_>,
        places: Vec<usize>,
        keys: PyReadonlyArray1<'_, u64>,
        orders: PyReadonlyArray1<'_, u8>,
        documents: PyReadonlyArray1<'_, i64>,
        starts: PyReadonlyArray1<'_, i64>,
        classes: PyReadonlyArray1<'_, u16>,
        counts: PyReadonlyArray1<'_, i64>,
        parts: PyReadonlyArray2<'_, u64>,
        text: PyReadonlyArray1<'_, u8>,
        text_ends: PyReadonlyArray1<'_, i64>,
        by_class: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<bool> {
        let (keys, orders, documents) = (keys.as_slice()?, orders.as_slice()?, documents.as_slice()?);
        let (starts, classes, counts) = (starts.as_slice()?, classes.as_slice()?, counts.as_slice()?);
        let (parts, text, text_ends) = (parts.as_slice()?, text.as_slice()?, text_ends.as_slice()?);
        let by_class = by_class.as_slice()?;
        Ok(py.detach(|| {
            let listing = Listing {
                keys: keys.to_vec(),
                orders: orders.to_vec(),
                documents: documents.to_vec(),
                starts: starts.to_vec(),
                classes: classes.to_vec(),
                counts: counts.to_vec(),
                parts: parts.as_chunks().0.to_vec(),
                text: text.to_vec(),
                text_ends: text_ends.to_vec(),
            };
            self.0.fill(&listing, by_class, &places)
        }))
    }

    /// The `most` keys that most documents hold, but at least `least` of them; ascending.
    fn common<'py>(&self, py: Python<'py>, least: i64, most: usize) -> Bound<'py, PyArray1<u64>> {
        py.detach(|| self.0.common(least, most)).into_pyarray(py)
    }

    /// Scores by class.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        keys: &TextKeys,
        fields: Fields<'py>,
        alpha: f64,
        numbers: Numbers<'py>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let batch = Batch::new(fields)?;
        let records = batch.records()?;
        let (encoder, table, k) = (keys.encoder(), table(&numbers, &self.0)?, self.0.classes());
        let mut out = vec![0.0; records.len() * k];
        py.detach(|| Evidence::new(&self.0, alpha).judge(&table, (encoder, &keys.spare), &records, threads, &mut out));
        out.into_pyarray(py).reshape([records.len(), k])
    }

    /// The first document feature by feature: keys, names, counts and summands by class.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        keys: &TextKeys,
        fields: Fields<'py>,
        alpha: f64,
        numbers: Numbers<'py>,
    ) -> PyResult<Explained<'py>> {
        let batch = Batch::new(fields)?;
        let (table, encoder, records) = (table(&numbers, &self.0)?, keys.encoder(), batch.records()?);
        let parts = py.detach(|| core::explain(&Evidence::new(&self.0, alpha), &table, encoder, &records));
        let names = parts.names.iter().map(|name| decode(py, name)).collect::<PyResult<Vec<_>>>()?;
        let shape = [parts.keys.len(), self.0.classes()];
        Ok((parts.keys, names, parts.counts, parts.summands.into_pyarray(py).reshape(shape)?))
    }

    /// For each class the keys that speak for it most, with their weight and number of documents.
    fn strongest(
        &self,
        py: Python<'_>,
        alpha: f64,
        numbers: Numbers<'_>,
        count: usize,
    ) -> PyResult<Vec<Vec<(u64, f64, i64)>>> {
        let table = table(&numbers, &self.0)?;
        Ok(py.detach(|| Evidence::new(&self.0, alpha).strongest(&table, count)))
    }

    /// Leave-one-out sums by document, class and kind, and the tokens of each document.
    #[expect(clippy::too_many_arguments, reason = "two of them describe the documents")]
    fn loo<'py>(
        &self,
        py: Python<'py>,
        keys: &TextKeys,
        fields: Fields<'py>,
        classes: PyReadonlyArray1<'py, u16>,
        groups: Option<PyReadonlyArray1<'py, u64>>,
        alpha: f64,
        threads: usize,
    ) -> PyResult<Left<'py>> {
        let batch = Batch::new(fields)?;
        let records = batch.records()?;
        let (encoder, classes) = (keys.encoder(), numbered(&classes, records.len(), self.0.classes())?);
        let groups = groups.as_ref().map(|groups| groups.as_slice()).transpose()?;
        if let Some(groups) = groups.filter(|groups| groups.len() != records.len()) {
            let (found, expected) = (groups.len(), records.len());
            return Err(PyValueError::new_err(format!("found {found} groups, expected {expected}, one per document")));
        }
        let (k, len) = (self.0.classes(), Layout { orders: self.0.orders().len() }.kinds());
        let mut out = vec![0f32; records.len() * k * len];
        let evidence = Evidence::new(&self.0, alpha);
        let tokens = py.detach(|| core::loo(&evidence, encoder, &records, classes, groups, threads, &mut out));
        let tokens = tokens.map_err(refuse)?;
        Ok((out.into_pyarray(py).reshape([records.len(), k, len])?, tokens.into_pyarray(py)))
    }
}
