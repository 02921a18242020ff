//! Category codes: one count per column and row, the same as its one-hot row.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use bayleaf_core::score::linear::Linear;
use bayleaf_core::tally::counts::absent;
use bayleaf_core::{Codes, Fault};
use common::{Batch, batches, learn, whole};
use ndarray::{Array2, ArrayView2};
use proptest::prelude::*;

const SIZE: usize = 4;

/// Codes 0 to 3, some missing.
fn coded() -> impl Strategy<Value = Batch> {
    batches(prop_oneof![5 => whole(SIZE as u32 - 1), 1 => Just(f64::NAN)], whole(4))
}

fn starts(batch: &Batch) -> Vec<i64> {
    (0..=batch.width).map(|column| (SIZE * column) as i64).collect()
}

fn view(batch: &Batch) -> ArrayView2<'_, f64> {
    ArrayView2::from_shape((batch.len(), batch.width), &batch.values).unwrap()
}

/// The same rows with a 1 per code.
fn one_hot(batch: &Batch) -> Batch {
    let cell = |code: &f64| (0..SIZE).map(|category| f64::from(u8::from(*code == category as f64))).collect::<Vec<_>>();
    Batch { width: SIZE * batch.width, values: batch.values.iter().flat_map(cell).collect(), ..batch.clone() }
}

proptest! {
    #[test]
    fn codes_count_like_one_hot_rows(batch in coded()) {
        let (starts, hot) = (starts(&batch), one_hot(&batch));
        let mut table = vec![0.0; batch.k * (hot.width + 1)];
        learn(&Codes::new(view(&batch), &starts), batch.labels(), 1.0, batch.k, &mut table, 1).unwrap();
        prop_assert_eq!(table, hot.table());
        let turned: Array2<f64> = view(&batch).t().as_standard_layout().into_owned();
        let mut table = vec![0.0; batch.k * (hot.width + 1)];
        learn(&Codes::new(turned.t(), &starts), batch.labels(), 1.0, batch.k, &mut table, 1).unwrap();
        prop_assert_eq!(table, hot.table());
    }

    #[test]
    fn missing_and_unknown_codes_are_left_out_of_scores(
        mut batch in coded(),
        unknown in prop::sample::select(vec![4.0, 4.5, 1e9, 8e15, 9.5e15, 1e300, f64::MAX]),
        places in prop::collection::vec(any::<prop::sample::Index>(), 3),
    ) {
        let cells = batch.values.len();
        places.iter().filter(|_| cells > 0).for_each(|place| batch.values[place.index(cells)] = unknown);
        let (starts, hot) = (starts(&batch), one_hot(&batch));
        let weights: Vec<f64> = (0..batch.k * hot.width).map(|cell| (cell as f64).sin()).collect();
        let scorer = Linear::new(batch.k, &weights, Some(&weights)).unwrap();
        let mut ours = vec![0.0; batch.k * batch.len()];
        let mut theirs = ours.clone();
        scorer.add_to(&Codes::new(view(&batch), &starts), &mut ours, 2).unwrap();
        scorer.add_to(&hot.dense(), &mut theirs, 2).unwrap();
        prop_assert_eq!(ours, theirs);
        // nor do they count as gaps of some other column
        let mut gaps = vec![0.0; batch.k * hot.width];
        prop_assert_eq!(absent(&Codes::new(view(&batch), &starts), batch.labels(), 1.0, &mut gaps), Ok(()));
        prop_assert_eq!(gaps, vec![0.0; batch.k * hot.width]);
    }

    #[test]
    fn largest_codes(batch in coded()) {
        let (found, fraction) = Codes::largest(&view(&batch)).unwrap();
        let largest = |column| {
            let codes = view(&batch).column(column).to_vec().into_iter().filter(|code| !code.is_nan());
            codes.fold(-1, |most, code| most.max(code as i64))
        };
        prop_assert_eq!(found, (0..batch.width).map(largest).collect::<Vec<_>>());
        prop_assert_eq!(fraction, None);
    }

    #[test]
    fn what_is_no_code_is_refused_and_fractions_are_told(mut batch in coded(), place: prop::sample::Index) {
        prop_assume!(!batch.values.is_empty());
        let cell = place.index(batch.values.len());
        let (row, column) = (cell / batch.width, cell % batch.width);
        for bad in [-1.0, -0.5, f64::NEG_INFINITY] {
            batch.values[cell] = bad;
            prop_assert_eq!(Codes::largest(&view(&batch)).err(), Some(Fault::Negative(row, column, bad)));
        }
        for bad in [f64::INFINITY, 1e16, 1e300] {
            batch.values[cell] = bad;
            let fault = if bad.is_finite() { Fault::Large } else { Fault::Infinite };
            prop_assert_eq!(Codes::largest(&view(&batch)).err(), Some(fault(row, column, bad)));
        }
        batch.values[cell] = 7.5;
        let (largest, fraction) = Codes::largest(&view(&batch)).unwrap();
        prop_assert_eq!((largest[column], fraction), (7, Some(Fault::Fraction(row, column, 7.5))));
    }
}

#[test]
fn the_largest_codes_of_each_number_type() {
    let all = |codes: [i64; 2]| Codes::largest(&ArrayView2::from_shape((1, 2), &codes).unwrap());
    assert_eq!(all([0, i64::MAX]), Ok((vec![0, i64::MAX], None)));
    assert_eq!(all([-1, 0]), Err(Fault::Negative(0, 0, -1.0)));
    assert_eq!(Codes::largest(&ArrayView2::from_shape((2, 1), &[255_u8, 3]).unwrap()), Ok((vec![255], None)));
    assert_eq!(Codes::largest(&ArrayView2::from_shape((2, 1), &[f32::NAN, 3.0]).unwrap()), Ok((vec![3], None)));
    assert_eq!(Codes::largest(&ArrayView2::from_shape((1, 1), &[f64::NAN]).unwrap()), Ok((vec![-1], None)));
}
