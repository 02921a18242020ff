//! Batches for the laws: small ones drawn cell by cell, large ones from a seed.
#![allow(dead_code)]

use bayleaf_core::tally::Labels;
use bayleaf_core::tally::counts::{self, Table};
use bayleaf_core::{Csr, Dense, Fault, Rows};
use ndarray::ArrayView2;
use proptest::prelude::*;

/// Rows with their labels and weights; `k` classes.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub(crate) k: usize,
    pub(crate) width: usize,
    pub(crate) values: Vec<f64>,
    pub(crate) classes: Vec<i64>,
    pub(crate) weights: Vec<f64>,
}

/// Row pointers, columns and values.
pub(crate) type Sparse = (Vec<i64>, Vec<i64>, Vec<f64>);

impl Batch {
    pub(crate) fn len(&self) -> usize {
        self.classes.len()
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.width..][..self.width]
    }

    pub(crate) fn dense(&self) -> Dense<'_, f64> {
        Dense::new(ArrayView2::from_shape((self.len(), self.width), &self.values).expect("shape"), None)
    }

    pub(crate) fn labels(&self) -> Labels<'_> {
        Labels::new(&self.classes, Some(&self.weights), self.len(), self.k).expect("labels")
    }

    /// The chosen rows, in that order.
    pub(crate) fn take(&self, rows: &[usize]) -> Batch {
        Batch {
            values: rows.iter().flat_map(|&row| self.row(row).to_vec()).collect(),
            classes: rows.iter().map(|&row| self.classes[row]).collect(),
            weights: rows.iter().map(|&row| self.weights[row]).collect(),
            ..*self
        }
    }

    /// The cells that are not zero.
    pub(crate) fn sparse(&self) -> Sparse {
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        for row in 0..self.len() {
            for (column, &value) in self.row(row).iter().enumerate().filter(|(_, value)| **value != 0.0) {
                columns.push(column as i64);
                values.push(value);
            }
            starts.push(values.len() as i64);
        }
        (starts, columns, values)
    }

    /// The empty table after learning the rows.
    pub(crate) fn table(&self) -> Vec<f64> {
        let mut table = vec![0.0; self.k * (self.width + 1)];
        learn(&self.dense(), self.labels(), 1.0, self.k, &mut table, 1).expect("a sound batch");
        table
    }
}

pub(crate) fn csr<'a>(sparse: &'a Sparse, width: usize) -> Csr<'a, f64, i64> {
    Csr::new(&sparse.0, &sparse.1, &sparse.2, width, None)
}

/// Learns into a table that starts with the weights of its `k` classes; true when some value was missing.
pub(crate) fn learn<R: Rows>(
    rows: &R,
    labels: Labels<'_>,
    sign: f64,
    k: usize,
    table: &mut [f64],
    threads: usize,
) -> Result<bool, Fault> {
    let (weight, cells) = table.split_at_mut(k);
    counts::learn(rows, labels, sign, Table { weight, cells }, threads).map(|seen| seen.missing)
}

pub(crate) fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Whether two tables agree to `bound`, relative to the larger of each pair and 1.
pub(crate) fn near(ours: &[f64], theirs: &[f64], bound: f64) -> bool {
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= bound * a.abs().max(b.abs()).max(1.0);
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(close)
}

/// A small batch of the given cells and weights: fewer or more entries than its table.
pub(crate) fn batches(
    cell: impl Strategy<Value = f64> + Clone,
    weight: impl Strategy<Value = f64> + Clone,
) -> impl Strategy<Value = Batch> {
    (1_usize..10, 1_usize..12, 0_usize..25).prop_flat_map(move |(k, width, rows)| {
        let values = prop::collection::vec(cell.clone(), rows * width);
        let classes = prop::collection::vec(0..k as i64, rows);
        let weights = prop::collection::vec(weight.clone(), rows);
        (values, classes, weights).prop_map(move |(values, classes, weights)| Batch {
            k,
            width,
            values,
            classes,
            weights,
        })
    })
}

pub(crate) fn whole(most: u32) -> impl Strategy<Value = f64> + Clone {
    (0..=most).prop_map(f64::from)
}

/// Small whole counts, many of them zero, whole weights.
pub(crate) fn counts() -> impl Strategy<Value = Batch> {
    batches(prop_oneof![2 => Just(0.0), 3 => whole(9)], whole(5))
}

/// The same with missing cells.
pub(crate) fn gapped_counts() -> impl Strategy<Value = Batch> {
    batches(prop_oneof![2 => Just(0.0), 3 => whole(9), 1 => Just(f64::NAN)], whole(5))
}

/// A batch of 0.5 to 1.2 million fractions between 0 and 1 with fractional weights: several chunks for every kernel.
pub(crate) fn large() -> impl Strategy<Value = Batch> {
    (any::<u64>(), 1_usize..9, 70_000_usize..150_000).prop_map(|(seed, k, rows)| {
        let width = 8;
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let mut fraction = || next() as f64 / (1_u64 << 31) as f64;
        let values = (0..rows * width).map(|_| fraction()).collect();
        let weights = (0..rows).map(|_| fraction()).collect();
        let classes = (0..rows).map(|_| (fraction() * k as f64) as i64).collect();
        Batch { k, width, values, classes, weights }
    })
}

/// Few cases, for large batches.
pub(crate) fn few() -> ProptestConfig {
    ProptestConfig { max_shrink_iters: 20, ..ProptestConfig::with_cases(2) }
}
