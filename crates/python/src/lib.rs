//! `bayleaf._core`: hands NumPy arrays to `bayleaf-core` and faults back as exceptions. No arithmetic here.

mod batch;
mod kernels;
mod threads;

use pyo3::prelude::*;

/// The native half of bayleaf.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::kernels::{largest_codes, normalise};
    #[pymodule_export]
    use crate::threads::threads;
}
