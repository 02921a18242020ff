//! The hot loops of bayleaf: counting rows into tallies and scoring rows by weights.
//!
//! Nothing here knows about Python. Counting is a sum over rows, scoring is a sum over the entries of one row, and both
//! give the same bits for any number of threads. Counting never smooths; evidence and mail are weighed where they are read.
#![forbid(unsafe_code)]

pub mod fault;
pub mod keyed;
pub mod mail;
pub mod parallel;
pub mod rows;
pub mod score;
pub mod store;
pub mod tally;
pub mod text;
mod threads;

pub use fault::Fault;
pub use rows::{Codes, Csr, Dense, Rows, Value};
