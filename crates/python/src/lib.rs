//! `bayleaf._core`: hands NumPy arrays to `bayleaf-core` and faults back as exceptions. No arithmetic here.

mod batch;
mod evidence_table;
mod kernels;
mod key_columns;
mod key_leanings;
mod key_weights;
mod keyed;
mod mail;
mod mail_keys;
mod store;
mod text;
mod text_batch;
mod text_documents;
mod text_keys;
mod text_terms;
mod threads;

use pyo3::pymodule;

/// The native half of bayleaf.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::kernels::{largest_codes, normalise};
    #[pymodule_export]
    use crate::key_columns::KeyColumns;
    #[pymodule_export]
    use crate::key_leanings::KeyLeanings;
    #[pymodule_export]
    use crate::key_weights::KeyWeights;
    #[pymodule_export]
    use crate::keyed::KeyedCounts;
    #[pymodule_export]
    use crate::mail::MailFeatures;
    #[pymodule_export]
    use crate::store::{Run, Weigh, Weighed, fit_layer, run_cut, run_fingerprint, run_merge, run_standing, run_tally};
    #[pymodule_export]
    use crate::text::{TextChars, TextPlan, text_hashed_rows, text_is_simple, text_murmur3, text_stem, text_stemmers};
    #[pymodule_export]
    use crate::text_keys::TextKeys;
    #[pymodule_export]
    use crate::text_terms::TextTerms;
    #[pymodule_export]
    use crate::threads::threads;
    use pyo3::prelude::*;

    /// The version of the Cargo workspace is the version of everything.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
