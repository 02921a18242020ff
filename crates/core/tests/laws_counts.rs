//! Counting is a sum over rows: order, parts, signs, weights and storage do not matter. Whole numbers, so `==`.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use bayleaf_core::tally::Labels;
use bayleaf_core::tally::counts::absent;
use bayleaf_core::{Dense, Rows};
use common::{Batch, batches, bits, counts, csr, gapped_counts, learn};
use ndarray::{Array2, ArrayView2, Axis};
use proptest::prelude::*;

fn naive(batch: &Batch) -> (Vec<f64>, Vec<f64>) {
    let (k, width) = (batch.k, batch.width);
    let (mut table, mut gaps) = (vec![0.0; k * (width + 1)], vec![0.0; k * width]);
    for row in 0..batch.len() {
        let (class, weight) = (batch.classes[row] as usize, batch.weights[row]);
        table[class] += weight;
        for (column, value) in batch.row(row).iter().enumerate() {
            let cell = class * width + column;
            if value.is_nan() {
                gaps[cell] += weight;
            } else {
                table[k + cell] += weight * value;
            }
        }
    }
    (table, gaps)
}

proptest! {
    #[test]
    fn the_table_is_the_plain_sum_and_gaps_are_skipped(batch in gapped_counts()) {
        let mut table = vec![0.0; batch.k * (batch.width + 1)];
        let missing = learn(&batch.dense(), batch.labels(), 1.0, batch.k, &mut table, 1).unwrap();
        let (sums, gaps) = naive(&batch);
        prop_assert_eq!(table, sums);
        prop_assert_eq!(missing, batch.values.iter().any(|value| value.is_nan()));
        let mut found = vec![0.0; batch.k * batch.width];
        prop_assert_eq!(absent(&batch.dense(), batch.labels(), 1.0, &mut found), Ok(()));
        prop_assert_eq!(&found, &gaps);
        let sparse = batch.sparse();
        prop_assert_eq!(absent(&csr(&sparse, batch.width), batch.labels(), -1.0, &mut found), Ok(()));
        prop_assert_eq!(found, vec![0.0; gaps.len()]);
    }

    #[test]
    fn the_order_of_rows_does_not_matter(
        (batch, order) in counts().prop_flat_map(|batch| {
            let order = Just((0..batch.len()).collect::<Vec<_>>()).prop_shuffle();
            (Just(batch), order)
        }),
    ) {
        prop_assert_eq!(batch.take(&order).table(), batch.table());
    }

    #[test]
    fn any_partition_adds_up_to_the_whole(batch in counts(), parts in prop::collection::vec(0_usize..3, 25)) {
        let mut table = vec![0.0; batch.k * (batch.width + 1)];
        for part in 0..3 {
            let part = batch.take(&(0..batch.len()).filter(|&row| parts[row] == part).collect::<Vec<_>>());
            learn(&part.dense(), part.labels(), 1.0, batch.k, &mut table, 2).unwrap();
        }
        prop_assert_eq!(table, batch.table());
    }

    #[test]
    fn unlearning_gives_the_table_back(batch in gapped_counts(), start in 0_u32..1000) {
        let before: Vec<f64> = (0..batch.k * (batch.width + 1)).map(|cell| f64::from(start) + cell as f64).collect();
        let mut table = before.clone();
        for sign in [1.0, -1.0] {
            learn(&batch.dense(), batch.labels(), sign, batch.k, &mut table, 1).unwrap();
        }
        prop_assert_eq!(bits(&table), bits(&before));
    }

    #[test]
    fn a_weight_is_a_number_of_copies(batch in counts()) {
        let copies: Vec<usize> = (0..batch.len()).flat_map(|row| vec![row; batch.weights[row] as usize]).collect();
        let copied = batch.take(&copies);
        let labels = Labels::new(&copied.classes, None, copied.len(), batch.k).unwrap();
        let mut table = vec![0.0; batch.k * (batch.width + 1)];
        learn(&copied.dense(), labels, 1.0, batch.k, &mut table, 1).unwrap();
        prop_assert_eq!(table, batch.table());
    }

    #[test]
    fn sparse_rows_count_like_dense_ones(batch in batches(prop_oneof![Just(0.0), 0.0..1e6_f64], 0.0..9.0_f64)) {
        let (sparse, mut table) = (batch.sparse(), vec![0.0; batch.k * (batch.width + 1)]);
        learn(&csr(&sparse, batch.width), batch.labels(), 1.0, batch.k, &mut table, 1).unwrap();
        prop_assert_eq!(table, batch.table());
    }

    #[test]
    fn memory_order_and_number_type_do_not_matter(batch in counts()) {
        let view = ArrayView2::from_shape((batch.len(), batch.width), &batch.values).unwrap();
        let turned = view.t().as_standard_layout().into_owned();
        let (small, wide): (Array2<u8>, Array2<i64>) = (view.mapv(|value| value as u8), view.mapv(|value| value as i64));
        let mut upside_down = turned.t().to_owned();
        upside_down.invert_axis(Axis(0));
        prop_assert_eq!(counted(&batch, &Dense::new(turned.t(), None)), batch.table());
        prop_assert_eq!(counted(&batch, &Dense::new(small.view(), None)), batch.table());
        prop_assert_eq!(counted(&batch, &Dense::new(wide.view(), None)), batch.table());
        let order: Vec<usize> = (0..batch.len()).rev().collect();
        prop_assert_eq!(counted(&batch, &Dense::new(upside_down.view(), None)), {
            Batch { classes: batch.classes.clone(), weights: batch.weights.clone(), ..batch.take(&order) }.table()
        });
    }
}

fn counted<R: Rows>(batch: &Batch, rows: &R) -> Vec<f64> {
    let mut table = vec![0.0; batch.k * (batch.width + 1)];
    learn(rows, batch.labels(), 1.0, batch.k, &mut table, 1).unwrap();
    table
}
