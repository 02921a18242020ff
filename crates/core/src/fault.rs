//! What is wrong with a batch, and where.

use std::fmt;

/// The first entry of a batch that cannot be counted or scored. No tally has been changed when one is returned; scores
/// may be half added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// A count below zero.
    Negative(usize, usize, f64),
    /// Plus or minus infinity.
    Infinite(usize, usize, f64),
    /// A category code beyond the whole numbers that float64 tells apart.
    Large(usize, usize, f64),
    /// A category code that is not a whole number.
    Fraction(usize, usize, f64),
    /// A category code beyond those of its column.
    Unknown(usize),
    /// A value so far from its class that the sum of squares leaves the range of float64.
    Overflow(usize, usize, f64),
    /// A sparse row that names a column outside the table, or whose row pointers do not fit its arrays.
    Outside(usize, usize),
    /// A class number outside the table.
    Class(usize, i64),
    /// Lengths of two arguments that should agree: found, expected.
    Length(usize, usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::Negative(row, column, value) => {
                write!(f, "negative value {value} in row {row}, column {column}")
            }
            Fault::Infinite(row, column, value) => {
                write!(f, "infinite value {value} in row {row}, column {column}")
            }
            Fault::Large(row, column, value) => {
                write!(f, "category code {value} in row {row}, column {column} is too large")
            }
            Fault::Fraction(row, column, value) => {
                write!(f, "fraction {value} in row {row}, column {column}")
            }
            Fault::Unknown(row) => write!(f, "unknown category in row {row}"),
            Fault::Overflow(row, column, value) => {
                write!(f, "value {value} in row {row}, column {column} is too far from its class to be squared")
            }
            Fault::Outside(row, column) => write!(f, "row {row} of the sparse matrix names column {column}, outside"),
            Fault::Class(row, class) => {
                write!(f, "row {row} has class number {class}, outside the table")
            }
            Fault::Length(found, expected) => {
                write!(f, "found {found} entries, expected {expected}")
            }
        }
    }
}

impl std::error::Error for Fault {}
