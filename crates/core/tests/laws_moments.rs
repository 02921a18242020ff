//! Moments about a pivot: parts add up, gaps are left out, pivots are medians of first values.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use bayleaf_core::Fault;
use bayleaf_core::tally::moments::{Moments, of, pivots};
use common::{Batch, batches, csr, near};
use proptest::prelude::*;

fn flat(found: Moments) -> Vec<f64> {
    [found.weight, found.n, found.sum, found.square].concat()
}

fn moments(batch: &Batch, pivot: &[f64]) -> Vec<f64> {
    flat(of(&batch.dense(), batch.labels(), batch.k, pivot, 2).unwrap())
}

fn naive(batch: &Batch, pivot: &[f64]) -> Vec<f64> {
    let (k, cells) = (batch.k, batch.k * batch.width);
    let mut total = vec![0.0; k + 3 * cells];
    for row in 0..batch.len() {
        let (class, weight) = (batch.classes[row] as usize, batch.weights[row]);
        total[class] += weight;
        for (column, value) in batch.row(row).iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let cell = class * batch.width + column;
            let z = value - pivot[cell];
            for (power, part) in [1.0, z, z * z].iter().enumerate() {
                total[k + power * cells + cell] += weight * part;
            }
        }
    }
    total
}

fn full() -> impl Strategy<Value = Batch> {
    batches(prop_oneof![Just(0.0), -50.0..50.0_f64], 0.0..4.0_f64)
}

fn gapped() -> impl Strategy<Value = Batch> {
    batches(prop_oneof![4 => -50.0..50.0_f64, 1 => Just(f64::NAN)], 0.0..4.0_f64)
}

proptest! {
    #[test]
    fn any_partition_adds_up_to_the_whole(batch in gapped(), parts in prop::collection::vec(0_usize..3, 25)) {
        let pivot = pivots(&batch.dense(), batch.labels(), batch.k).unwrap();
        let mut total = vec![0.0; batch.k * (1 + 3 * batch.width)];
        for part in 0..3 {
            let part = batch.take(&(0..batch.len()).filter(|&row| parts[row] == part).collect::<Vec<_>>());
            total.iter_mut().zip(moments(&part, &pivot)).for_each(|(sum, part)| *sum += part);
        }
        prop_assert!(near(&total, &moments(&batch, &pivot), 1e-12));
    }

    #[test]
    fn gaps_are_left_out(batch in gapped(), pivot in prop::collection::vec(-9.0..9.0_f64, 99)) {
        let pivot = &pivot[..batch.k * batch.width];
        prop_assert!(near(&moments(&batch, pivot), &naive(&batch, pivot), 1e-12));
    }

    #[test]
    fn a_value_that_goes_again_leaves_nothing_behind(batch in gapped(), outlier in -1e9..1e9_f64, from in -9.0..9.0_f64) {
        let pivot = vec![from; batch.k * batch.width];
        let (before, mut both) = (moments(&batch, &pivot), batch.clone());
        for weight in [0.7, -0.7] {
            both.values.extend(vec![outlier; batch.width]);
            both.classes.push(0);
            both.weights.push(weight);
        }
        let both = moments(&both, &pivot);
        prop_assert!(near(&before[batch.k + pivot.len()..], &both[batch.k + pivot.len()..], 1e-12));
    }

    #[test]
    fn sparse_rows_are_dense_ones(batch in full(), pivot in prop::collection::vec(-9.0..9.0_f64, 99)) {
        let (pivot, sparse) = (&pivot[..batch.k * batch.width], batch.sparse());
        let rows = csr(&sparse, batch.width);
        prop_assert_eq!(flat(of(&rows, batch.labels(), batch.k, pivot, 1).unwrap()), moments(&batch, pivot));
        let ours = pivots(&batch.dense(), batch.labels(), batch.k).unwrap();
        prop_assert_eq!(pivots(&rows, batch.labels(), batch.k).unwrap(), ours);
    }

    #[test]
    fn pivots_are_medians_of_the_first_nine(batch in gapped()) {
        let found = pivots(&batch.dense(), batch.labels(), batch.k).unwrap();
        for (cell, pivot) in found.iter().enumerate() {
            let (class, column) = ((cell / batch.width) as i64, cell % batch.width);
            let own = (0..batch.len()).filter(|&row| batch.classes[row] == class).map(|row| batch.row(row)[column]);
            let mut first: Vec<f64> = own.filter(|value| !value.is_nan()).take(9).collect();
            first.sort_by(f64::total_cmp);
            prop_assert_eq!(*pivot, first.get(first.len() / 2).copied().unwrap_or(0.0));
        }
    }

    #[test]
    fn infinities_and_overflows_are_refused(mut batch in full(), place: prop::sample::Index) {
        prop_assume!(!batch.values.is_empty());
        let (cell, pivot) = (place.index(batch.values.len()), vec![0.0; batch.k * batch.width]);
        let (row, column) = (cell / batch.width, cell % batch.width);
        batch.weights[row] = 1.0;
        for (bad, expected) in [
            (f64::INFINITY, Fault::Infinite(row, column, f64::INFINITY)),
            (f64::NEG_INFINITY, Fault::Infinite(row, column, f64::NEG_INFINITY)),
            (-1e200, Fault::Overflow(row, column, -1e200)),
        ] {
            batch.values[cell] = bad;
            prop_assert_eq!(of(&batch.dense(), batch.labels(), batch.k, &pivot, 1).err(), Some(expected));
        }
    }
}

/// Each chunk fits into float64, their sum does not.
#[test]
fn an_overflow_of_the_chunks_together_is_refused() {
    let rows = 4 << 16;
    let large = (f64::MAX / rows as f64 * 2.0).sqrt();
    let batch = Batch { k: 1, width: 1, values: vec![large; rows], classes: vec![0; rows], weights: vec![1.0; rows] };
    let found = of(&batch.dense(), batch.labels(), 1, &[0.0], 2);
    assert!(matches!(found.err(), Some(Fault::Overflow(_, 0, _))));
}
