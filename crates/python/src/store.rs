//! Runs of counts, their merging and their weighing.

use std::fs::File;
use std::path::PathBuf;

use bayleaf_core::store::{self, Cut, Document, Layer, Layout, Merge, Pair, RunError, Source, Tally, Writer};
use memmap2::Mmap;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::mail_keys::{MailKeys, dump};

fn raise(error: RunError) -> PyErr {
    match error {
        RunError::Disk(_) => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

enum Held {
    Bytes(PyBackedBytes),
    Mapped(Mmap),
}

/// A sorted table of keys with counts per label; never changed.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct Run {
    held: Held,
    layout: Layout,
}

impl Run {
    fn bytes(&self) -> &[u8] {
        match &self.held {
            Held::Bytes(bytes) => bytes,
            Held::Mapped(map) => map,
        }
    }

    fn view(&self) -> store::Run<'_> {
        self.layout.view(self.bytes())
    }
}

#[pymethods]
impl Run {
    /// The run in these bytes.
    #[staticmethod]
    fn load(bytes: PyBackedBytes) -> PyResult<Self> {
        let layout = Layout::read(&bytes).map_err(raise)?;
        Ok(Self { held: Held::Bytes(bytes), layout })
    }

    /// The run in this file, mapped and not read.
    #[staticmethod]
    fn open(path: PathBuf) -> PyResult<Self> {
        let file = File::open(path)?;
        // SAFETY: a map is undefined behaviour only if its file is changed. The store writes a run under another name,
        // renames it and never touches it again; a deleted file stays mapped.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file)? };
        let layout = Layout::read(&map).map_err(raise)?;
        Ok(Self { held: Held::Mapped(map), layout })
    }

    #[getter]
    fn entries(&self) -> usize {
        self.layout.entries()
    }

    #[getter]
    fn labels(&self) -> usize {
        self.layout.labels()
    }

    #[getter]
    fn size(&self) -> usize {
        self.bytes().len()
    }

    /// The whole run as bytes.
    fn dump<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.bytes())
    }

    /// Reads everything once and raises what is wrong.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.view().verify()).map_err(raise)
    }

    /// Σ count × key per label, modulo 2^64.
    fn fingerprints(&self, py: Python<'_>) -> Vec<u64> {
        py.detach(|| self.view().fingerprints())
    }

    /// The day a key was last learned, if it is here; 0 when this run only took it back.
    fn seen(&self, key: u64) -> Option<u16> {
        let run = self.view();
        Some(run.entry(run.find(key)?)?.seen)
    }

    /// Keys with their counts, in order, from `start`.
    fn page(&self, start: usize, most: usize) -> Vec<(u64, Vec<i64>)> {
        let run = self.view();
        (start..start.saturating_add(most))
            .map_while(|at| {
                let mut counts = vec![0; run.labels()];
                run.counts(at, |label, n| {
                    if let Some(count) = counts.get_mut(label) {
                        *count = n;
                    }
                });
                Some((run.entry(at)?.key, counts))
            })
            .collect()
    }
}

/// Documents (keys, label, +1 or −1) counted into a run. With a path the run becomes a file and no bytes come back.
#[pyfunction]
#[pyo3(signature = (documents, labels, day, age, path=None))]
pub(crate) fn run_tally<'py>(
    py: Python<'py>,
    documents: Vec<(MailKeys<'py>, usize, i64)>,
    labels: usize,
    day: u16,
    age: u16,
    path: Option<PathBuf>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let keys = documents.iter().map(|(keys, _, _)| keys.read()).collect::<PyResult<Vec<_>>>()?;
    let documents: Vec<Document<'_>> = keys
        .iter()
        .zip(&documents)
        .map(|(keys, (_, label, sign))| Document { keys, label: *label, sign: *sign })
        .collect();
    let bytes = py.detach(|| put(&Tally { labels, day, age }.count(&documents)?, path)).map_err(raise)?;
    Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
}

/// A finished run, as a file or as bytes.
fn put(writer: &Writer, path: Option<PathBuf>) -> Result<Option<Vec<u8>>, RunError> {
    match path {
        Some(path) => writer.file(&path).map(|()| None),
        None => writer.bytes().map(Some),
    }
}

/// Runs added into one, without what `cut` = (day, count) drops; also per label the fingerprint of that. With a path the
/// sum becomes a file and no bytes come back.
#[pyfunction]
#[pyo3(signature = (runs, labels, cut, path=None))]
pub(crate) fn run_merge<'py>(
    py: Python<'py>,
    runs: Vec<PyRef<'py, Run>>,
    labels: usize,
    cut: (u16, u64),
    path: Option<PathBuf>,
) -> PyResult<(Option<Bound<'py, PyBytes>>, Vec<u64>)> {
    let runs: Vec<&Run> = runs.iter().map(|run| &**run).collect();
    let (bytes, gone) = py
        .detach(|| {
            let merge = Merge::new(runs.iter().map(|run| run.view()).collect(), labels)?;
            let merged = merge.write(Cut { day: cut.0, count: cut.1 })?;
            Ok((put(&merged.writer, path)?, merged.cut))
        })
        .map_err(raise)?;
    Ok((bytes.map(|bytes| PyBytes::new(py, &bytes)), gone))
}

/// The mildest cut (day, count) that leaves at most `limit` keys.
#[pyfunction]
pub(crate) fn run_cut(py: Python<'_>, runs: Vec<PyRef<'_, Run>>, labels: usize, limit: usize) -> PyResult<(u16, u64)> {
    let runs: Vec<&Run> = runs.iter().map(|run| &**run).collect();
    let cut =
        py.detach(|| Merge::new(runs.iter().map(|run| run.view()).collect(), labels)?.cut_to(limit)).map_err(raise)?;
    Ok((cut.day, cut.count))
}

/// Those of the keys that a mail learned after `age` expiries still counts in.
#[pyfunction]
pub(crate) fn run_standing<'py>(
    py: Python<'py>,
    runs: Vec<PyRef<'py, Run>>,
    keys: MailKeys<'py>,
    age: u16,
) -> PyResult<Bound<'py, PyBytes>> {
    let (runs, keys): (Vec<&Run>, _) = (runs.iter().map(|run| &**run).collect(), keys.read()?);
    let standing = py.detach(|| store::standing(&runs.iter().map(|run| run.view()).collect::<Vec<_>>(), &keys, age));
    dump(py, &standing)
}

/// Sum of the keys modulo 2^64.
#[pyfunction]
pub(crate) fn run_fingerprint(keys: MailKeys<'_>) -> PyResult<u64> {
    Ok(store::fingerprint(&keys.read()?))
}

/// What the counts of a mail's keys say about each label.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct Weigh(store::Weigh);

#[pymethods]
impl Weigh {
    #[new]
    fn new(alpha: f64) -> Self {
        Self(store::Weigh::new(alpha))
    }

    /// Weighs one mail; `columns` says for each run which label each of its columns is.
    #[pyo3(signature = (runs, columns, keys, totals, own=None))]
    fn weigh(
        &self,
        py: Python<'_>,
        runs: Vec<PyRef<'_, Run>>,
        columns: Vec<Vec<usize>>,
        keys: MailKeys<'_>,
        totals: Vec<i64>,
        own: Option<usize>,
    ) -> PyResult<Weighed> {
        let keys = keys.read()?;
        let runs: Vec<&Run> = runs.iter().map(|run| &**run).collect();
        if runs.len() != columns.len() {
            let (found, expected) = (columns.len(), runs.len());
            return Err(PyValueError::new_err(format!("found columns for {found} runs, expected {expected}")));
        }
        Ok(py.detach(|| {
            let sources: Vec<Source<'_>> =
                runs.iter().zip(&columns).map(|(run, columns)| Source { run: run.view(), columns }).collect();
            Weighed(self.0.weigh(&sources, &keys, &totals, own))
        }))
    }
}

/// Counts and ratios of one mail.
#[pyclass(frozen, module = "bayleaf._core")]
pub(crate) struct Weighed(pub(crate) store::Weighed);

#[pymethods]
impl Weighed {
    /// Per label: the mean ratio of each family, then that of its tails; not clipped.
    #[getter]
    fn means(&self) -> Vec<f64> {
        self.0.means.clone()
    }

    /// Keys per family.
    #[getter]
    fn sizes(&self) -> Vec<usize> {
        self.0.sizes.clone()
    }

    /// How many keys have been seen before.
    #[getter]
    fn known(&self) -> usize {
        self.0.counts.chunks_exact(self.0.labels.max(1)).filter(|row| row.iter().any(|&n| n > 0)).count()
    }

    /// Counts per label of one key.
    fn counts(&self, at: usize) -> Vec<i64> {
        self.0.row(at).to_vec()
    }

    /// Ratios per label of one key.
    fn ratios(&self, at: usize) -> Vec<f64> {
        self.0.said(at).to_vec()
    }

    /// What each key adds to the score of each label, given the worth of each mean and tail.
    fn summands(&self, keys: MailKeys<'_>, worth: Vec<f64>) -> PyResult<Vec<f64>> {
        Ok(self.0.summands(&keys.read()?, &worth))
    }
}

/// The worth of each input and the base of each label, from pairs of (label, inputs by label).
#[pyfunction]
pub(crate) fn fit_layer(
    py: Python<'_>,
    pairs: Vec<(usize, Vec<f64>)>,
    inputs: usize,
    labels: usize,
    centre: f64,
    precision: f64,
) -> (Vec<f64>, Vec<f64>) {
    py.detach(|| {
        let pairs: Vec<Pair> = pairs.into_iter().map(|(label, means)| Pair { label, means }).collect();
        Layer { inputs, labels, centre, precision }.fit(&pairs)
    })
}
