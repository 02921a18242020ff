//! How many threads a kernel may use.

use std::env;
use std::thread::available_parallelism;

use pyo3::prelude::*;

/// Number of threads: BAYLEAF_NUM_THREADS, else OMP_NUM_THREADS, else one per core.
#[pyfunction]
pub(crate) fn threads() -> usize {
    let named = |name| env::var(name).ok()?.trim().parse().ok().filter(|&count: &usize| count > 0);
    named("BAYLEAF_NUM_THREADS")
        .or_else(|| named("OMP_NUM_THREADS"))
        .unwrap_or_else(|| available_parallelism().map_or(1, usize::from))
}
