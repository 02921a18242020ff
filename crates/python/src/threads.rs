//! How many threads a kernel may use.

use std::env;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use pyo3::prelude::*;

/// Asking costs 10 µs (affinity and cgroup files are read), as much as learning a row.
static CORES: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));

/// More threads than this help nobody, and each takes memory.
const MOST: usize = 256;

/// Number of threads: BAYLEAF_NUM_THREADS, else OMP_NUM_THREADS, else one per core; at most 256.
#[pyfunction]
pub(crate) fn threads() -> usize {
    let named = |name| env::var(name).ok()?.trim().parse().ok().filter(|&count: &usize| count > 0);
    named("BAYLEAF_NUM_THREADS").or_else(|| named("OMP_NUM_THREADS")).unwrap_or(*CORES).min(MOST)
}
