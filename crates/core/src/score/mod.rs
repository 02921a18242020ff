//! Scoring: sums over the entries of one row, class by class. Each kernel adds to what `out` already holds.

pub mod linear;
pub mod normalise;
pub mod quadratic;
