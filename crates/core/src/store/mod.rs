//! Runs: sorted tables of 64-bit keys with counts per label, and what is read from them.
//!
//! A run is a safetensors byte string, in memory or mapped from a file. Runs are never changed: learning writes a small
//! new one, unlearning writes one with negative counts, and `Merge` adds any number of them into one.

mod count;
mod error;
mod layer;
mod layout;
mod merge;
mod run;
mod tally;
mod weigh;
mod weighed;
mod writer;

pub use error::RunError;
pub use layer::{Layer, Pair};
pub use layout::{Layout, Width};
pub use merge::{Cut, Merge, Merged};
pub use run::{Entry, Run};
pub use tally::{Document, Tally, fingerprint};
pub use weigh::{Source, Weigh, standing};
pub use weighed::Weighed;
pub use writer::Writer;
