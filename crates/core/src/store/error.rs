//! Why bytes are not a run.

use std::fmt;

/// What was found where a run, or something that fits the runs, was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The bytes are not safetensors, or a tensor is missing or has the wrong shape.
    Format(String),
    /// A position of the run breaks its order, its index or its counts.
    Content(usize, &'static str),
    /// A count outside what a run can hold.
    Overflow(u64),
    /// A label number beyond the labels given.
    Label(usize, usize),
    /// The file could not be written.
    Disk(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Format(why) => write!(f, "not a run of counts: {why}; restore the store from a backup"),
            RunError::Content(at, why) => {
                write!(f, "damaged run at entry {at}: {why}; restore the store from a backup")
            }
            RunError::Overflow(key) => write!(f, "the count of key {key:016x} leaves the range of 64-bit integers"),
            RunError::Label(found, labels) => write!(f, "label number {found}, expected one below {labels}"),
            RunError::Disk(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for RunError {}
