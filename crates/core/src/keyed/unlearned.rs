//! What cannot be taken away, and tables that do not become one.

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

/// Why two tables do not become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmerged {
    /// Counts that were to be taken away but were never learned.
    Unlearned,
    /// A key of n-grams of one length in one table and of another in the other.
    Order(u64),
    /// Counts that would leave no room to learn on.
    Large,
}

impl fmt::Display for Unmerged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unmerged::Unlearned => Unlearned.fmt(f),
            Unmerged::Order(key) => write!(
                f,
                "Found the key {key:016x} for n-grams of two lengths, expected keys of one encoder; one of the tables \
                 comes from a damaged file, restore that from a copy"
            ),
            Unmerged::Large => write!(
                f,
                "Found counts that add up to more than 2^61, expected fewer; one of the tables comes from a damaged \
                 file, restore that from a copy"
            ),
        }
    }
}

impl std::error::Error for Unmerged {}
