//! A fault leaves the table as it was, bit for bit, whether the batch is smaller or larger than its table.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use bayleaf_core::tally::{Labels, moments};
use bayleaf_core::{Codes, Fault, Rows};
use common::{Batch, batches, bits, csr, few, gapped_counts, large, learn, whole};
use ndarray::Array2;
use proptest::prelude::*;

/// The fault of learning the rows, after a look that nothing was changed.
fn fault<R: Rows>(rows: &R, batch: &Batch, threads: usize) -> Result<Fault, TestCaseError> {
    let before: Vec<f64> = (0..batch.k * (rows.width() + 1)).map(|cell| cell as f64 / 7.0 - 0.0).collect();
    let mut table = before.clone();
    let found = learn(rows, batch.labels(), 1.0, batch.k, &mut table, threads);
    prop_assert!(bits(&table) == bits(&before), "the table was changed");
    found.err().ok_or_else(|| TestCaseError::fail("no fault"))
}

fn spoil(mut batch: Batch, place: prop::sample::Index, bad: f64) -> Result<(), TestCaseError> {
    prop_assume!(!batch.values.is_empty());
    let cell = place.index(batch.values.len());
    batch.values[cell] = bad;
    let (row, column) = (cell / batch.width, cell % batch.width);
    let expected =
        if bad.is_infinite() { Fault::Infinite(row, column, bad) } else { Fault::Negative(row, column, bad) };
    let mut sparse = batch.sparse();
    for threads in [1, 3] {
        prop_assert_eq!(fault(&batch.dense(), &batch, threads)?, expected);
        prop_assert_eq!(fault(&csr(&sparse, batch.width), &batch, threads)?, expected);
    }
    // the same entry outside the table, with a fine, a missing and a bad value
    let stored = (0..sparse.2.len()).find(|&entry| sparse.2[entry] == bad).unwrap();
    for value in [1.0, f64::NAN, bad] {
        for outside in [batch.width as i64, i64::MAX, i64::MIN, -1] {
            (sparse.1[stored], sparse.2[stored]) = (outside, value);
            prop_assert_eq!(fault(&csr(&sparse, batch.width), &batch, 2)?, Fault::Outside(row, outside as usize));
            let pivot = vec![0.0; batch.k * batch.width];
            let found = moments::of(&csr(&sparse, batch.width), batch.labels(), batch.k, &pivot, 2);
            prop_assert_eq!(found.err(), Some(Fault::Outside(row, outside as usize)));
        }
    }
    Ok(())
}

fn bad_values() -> impl Strategy<Value = f64> {
    prop_oneof![Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(-5e-324), -1e300..-1e-300]
}

proptest! {
    #[test]
    fn small_batches(batch in gapped_counts(), place: prop::sample::Index, bad in bad_values()) {
        spoil(batch, place, bad)?;
    }

    #[test]
    fn class_numbers_and_lengths(batch in gapped_counts(), place: prop::sample::Index, far in 0_i64..3) {
        prop_assume!(batch.len() > 0);
        let (row, rows) = (place.index(batch.len()), batch.len());
        for class in [batch.k as i64 + far, -1 - far, i64::MIN, i64::MAX] {
            let mut classes = batch.classes.clone();
            classes[row] = class;
            prop_assert_eq!(Labels::new(&classes, None, rows, batch.k).err(), Some(Fault::Class(row, class)));
        }
        let short = &batch.classes[1..];
        prop_assert_eq!(Labels::new(short, None, rows, batch.k).err(), Some(Fault::Length(rows - 1, rows)));
        // labels of another batch, or for a table with more classes
        let mut table = vec![0.0; batch.k * (batch.width + 1)];
        let labels = Labels::new(short, None, rows - 1, batch.k).unwrap();
        let found = learn(&batch.dense(), labels, 1.0, batch.k, &mut table, 1);
        prop_assert_eq!(found, Err(Fault::Length(rows - 1, rows)));
        let labels = Labels::new(&batch.classes, None, rows, batch.k + 1).unwrap();
        let found = learn(&batch.dense(), labels, 1.0, batch.k, &mut table, 1);
        prop_assert_eq!(found, Err(Fault::Length(batch.k + 1, batch.k)));
        prop_assert_eq!(table, vec![0.0; batch.k * (batch.width + 1)]);
    }

    #[test]
    fn codes_without_a_column(batch in batches(whole(3), whole(2)), place: prop::sample::Index) {
        prop_assume!(!batch.values.is_empty());
        let starts: Vec<i64> = (0..=batch.width as i64).map(|column| 4 * column).collect();
        let cell = place.index(batch.values.len());
        let (row, column) = (cell / batch.width, cell % batch.width);
        for (bad, expected) in [
            (4.0, Fault::Unknown(row)),
            (8.9e15, Fault::Unknown(row)),
            (9.1e15, Fault::Unknown(row)),
            (1e300, Fault::Unknown(row)),
            (-0.5, Fault::Negative(row, column, -0.5)),
            (-3.0, Fault::Negative(row, column, -3.0)),
            (f64::INFINITY, Fault::Infinite(row, column, f64::INFINITY)),
        ] {
            let mut cells = Array2::from_shape_vec((batch.len(), batch.width), batch.values.clone()).unwrap();
            cells[(row, column)] = bad;
            prop_assert_eq!(fault(&Codes::new(cells.view(), &starts), &batch, 2)?, expected);
        }
    }
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn large_batches(batch in large(), place: prop::sample::Index, bad in bad_values()) {
        spoil(batch, place, bad)?;
    }
}
