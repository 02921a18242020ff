//! What cannot be taken away.

use std::fmt;

/// Documents or counts that were to be taken away but were never learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlearned;

impl fmt::Display for Unlearned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a count would fall below zero")
    }
}

impl std::error::Error for Unlearned {}
