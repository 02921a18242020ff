//! Linear scores are sums over the entries of one row.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use bayleaf_core::score::linear::Linear;
use bayleaf_core::{Fault, Rows};
use common::{Batch, batches, bits, counts, csr, near};
use proptest::prelude::*;

/// A batch, its weights, its base and what `out` holds before.
type Case = (Batch, Vec<f64>, Vec<f64>, Vec<f64>);

fn cases() -> impl Strategy<Value = Case> {
    let cell = prop_oneof![2 => Just(0.0), 4 => 0.0..30.0_f64, 1 => Just(f64::NAN)];
    batches(cell, Just(1.0)).prop_flat_map(|batch| {
        let table = |cells| prop::collection::vec(-20.0..2.0_f64, cells);
        let (cells, scores) = (batch.k * batch.width, batch.k * batch.len());
        (Just(batch), table(cells), table(cells), table(scores))
    })
}

fn score<R: Rows>(rows: &R, k: usize, weights: &[f64], base: Option<&[f64]>, out: &[f64]) -> Vec<f64> {
    let mut out = out.to_vec();
    Linear::new(k, weights, base).unwrap().add_to(rows, &mut out, 2).unwrap();
    out
}

/// Sums in the order of the columns, so that the bits are the same.
fn naive(batch: &Batch, weights: &[f64], base: Option<&[f64]>, out: &[f64]) -> Vec<f64> {
    let k = batch.k;
    let mut out = out.to_vec();
    for (row, class) in (0..batch.len()).flat_map(|row| (0..k).map(move |class| (row, class))) {
        let mut sum = 0.0;
        for (column, value) in batch.row(row).iter().enumerate() {
            match base {
                _ if !value.is_nan() => sum += value * weights[column * k + class],
                Some(base) => sum -= base[column * k + class],
                None => {}
            }
        }
        out[row * k + class] += sum;
    }
    out
}

proptest! {
    #[test]
    fn scores_agree_with_a_plain_loop_for_one_to_nine_classes((batch, weights, base, out) in cases()) {
        for base in [None, Some(base.as_slice())] {
            let ours = score(&batch.dense(), batch.k, &weights, base, &out);
            prop_assert_eq!(bits(&ours), bits(&naive(&batch, &weights, base, &out)));
            let sparse = batch.sparse();
            prop_assert_eq!(score(&csr(&sparse, batch.width), batch.k, &weights, base, &out), ours);
        }
    }

    #[test]
    fn a_row_is_a_batch_of_one((batch, weights, base, out) in cases()) {
        let all = score(&batch.dense(), batch.k, &weights, Some(&base), &out);
        for row in 0..batch.len() {
            let (one, own) = (batch.take(&[row]), row * batch.k..(row + 1) * batch.k);
            let alone = score(&one.dense(), batch.k, &weights, Some(&base), &out[own.clone()]);
            prop_assert_eq!(bits(&alone), bits(&all[own]));
        }
    }

    #[test]
    fn parts_of_the_columns_add_up((batch, weights, base, out) in cases(), cut: prop::sample::Index) {
        let cut = cut.index(batch.width + 1);
        let mut sum = out.clone();
        for columns in [0..cut, cut..batch.width] {
            let values = (0..batch.len()).flat_map(|row| batch.row(row)[columns.clone()].to_vec()).collect();
            let part = Batch { width: columns.len(), values, ..batch.clone() };
            let own = columns.start * batch.k..columns.end * batch.k;
            sum = score(&part.dense(), batch.k, &weights[own.clone()], Some(&base[own]), &sum);
        }
        prop_assert!(near(&sum, &score(&batch.dense(), batch.k, &weights, Some(&base), &out), 1e-12));
    }

    #[test]
    fn entries_outside_the_table_are_refused(batch in counts(), place: prop::sample::Index) {
        let (k, mut sparse) = (batch.k, batch.sparse());
        prop_assume!(!sparse.2.is_empty());
        let entry = place.index(sparse.2.len());
        let row = sparse.0.partition_point(|start| *start as usize <= entry) - 1;
        let weights = vec![1.0; k * batch.width];
        for value in [2.0, f64::NAN] {
            // 2^61 · 8 is 0 when it wraps
            for column in [batch.width as i64, 1 << 61, 1 << 62, i64::MAX, i64::MIN, -1] {
                (sparse.1[entry], sparse.2[entry]) = (column, value);
                let found = Linear::new(k, &weights, None).unwrap().add_to(
                    &csr(&sparse, batch.width),
                    &mut vec![0.0; k * batch.len()],
                    1,
                );
                prop_assert_eq!(found, Err(Fault::Outside(row, column as usize)));
            }
        }
    }
}

#[test]
fn no_classes_and_tables_that_do_not_fit_are_refused() {
    assert!(matches!(Linear::new(0, &[], None).err(), Some(Fault::Length(0, 1))));
    assert!(matches!(Linear::new(1, &[1.0], Some(&[])).err(), Some(Fault::Length(0, 1))));
    let rows = (vec![0, 0], vec![], vec![]);
    for (k, width) in [(2, 3), (2, usize::MAX), (4, 1 << 62)] {
        let found = Linear::new(k, &[], None).unwrap().add_to(&csr(&rows, width), &mut vec![0.0; k], 1);
        assert!(matches!(found, Err(Fault::Length(0, _))));
    }
}
