//! What can go wrong before any text is read.

use std::fmt;

/// Settings that cannot be used, with what was found and what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextError {
    /// A regular expression that does not compile: the pattern and the reason.
    Pattern(String, String),
    /// A regular expression with more than one group.
    Groups(String),
    /// A name that is not known: of what, the name, and the names that are.
    Name(&'static str, String, &'static str),
    /// An n-gram range that is empty or starts at zero.
    Ngrams(usize, usize),
    /// More distinct terms than columns can have.
    Full,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(source, reason) => write!(f, "token pattern {source:?} cannot be used: {reason}"),
            Self::Groups(source) => {
                write!(f, "token pattern {source:?} has more than one capturing group; use at most one")
            }
            Self::Name(what, name, known) => write!(f, "unknown {what} {name:?}; expected {known}"),
            Self::Ngrams(low, high) => {
                write!(f, "n-gram range ({low}, {high}) is empty; expected 1 <= smallest <= largest")
            }
            Self::Full => write!(f, "more than 2,147,483,646 distinct terms; use hashed features or drop rare terms"),
        }
    }
}

impl std::error::Error for TextError {}
