//! The counting loops of bayleaf, without Python.
#![forbid(unsafe_code)]

pub mod text;
