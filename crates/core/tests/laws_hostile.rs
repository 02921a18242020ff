//! Parts that do not fit together: every kernel answers or refuses, none panics.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use bayleaf_core::rows::Index;
use bayleaf_core::score::linear::Linear;
use bayleaf_core::score::quadratic::Quadratic;
use bayleaf_core::tally::{Labels, counts, moments};
use bayleaf_core::{Codes, Csr, Fault, Rows};
use common::{bits, learn};
use ndarray::ArrayView2;
use proptest::prelude::*;

/// Mostly small numbers, now and then the edges of their type.
fn hostile() -> impl Strategy<Value = i64> + Clone {
    let edges = vec![-1, i64::MIN, i64::MAX, i64::from(i32::MAX), i64::from(i32::MIN), 1 << 61, 1 << 62];
    prop_oneof![9 => 0_i64..6, 1 => prop::sample::select(edges)]
}

/// Any bits at all, small counts and gaps.
fn value() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![1 => any::<u64>().prop_map(f64::from_bits), 3 => common::whole(3), 1 => Just(f64::NAN)]
}

fn sizes() -> impl Strategy<Value = usize> + Clone {
    prop_oneof![9 => 0_usize..6, 1 => prop::sample::select(vec![usize::MAX, 1 << 63, 1 << 62])]
}

/// Sends the rows through every kernel, with tables of `cells` numbers; a refused batch is not counted in part.
fn attack<R: Rows>(rows: &R, k: usize, cells: usize, labelled: usize) -> Result<(), TestCaseError> {
    let (table, mut out) = (vec![0.5; cells], vec![0.0; k * rows.len()]);
    if let Ok(scorer) = Linear::new(k, &table, Some(&table)) {
        let _ = scorer.add_to(rows, &mut out, 2);
    }
    let rest = Some(table.as_slice());
    let _ = Quadratic { k, centre: &table, rest, scale: &table, base: &table }.add_to(rows, &mut out, 2);
    let classes: Vec<i64> = (0..labelled).map(|row| (row % k.max(1)) as i64).collect();
    let Ok(labels) = Labels::new(&classes, None, labelled, k) else { return Ok(()) };
    let mut counted = vec![0.5; k + cells];
    if learn(rows, labels, 1.0, k, &mut counted, 2).is_err() {
        prop_assert_eq!(bits(&counted), bits(&vec![0.5; k + cells]));
    }
    let _ = counts::absent(rows, labels, 1.0, &mut counted[k..]);
    let _ = moments::of(rows, labels, k, &table, 2);
    if rows.width() < 1000 || k.saturating_mul(rows.width()) > 1 << 60 {
        let _ = moments::pivots(rows, labels, k);
    }
    Ok(())
}

/// What row pointers must be: never falling, never beyond the number of values.
fn sound<I: Index>(starts: &[I], stored: usize) -> bool {
    starts.windows(2).all(|pair| pair[0].place() <= pair[1].place())
        && starts.iter().all(|start| start.place() <= stored)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn sparse_rows(
        starts in prop::collection::vec(hostile(), 0..7),
        columns in prop::collection::vec(hostile(), 0..7),
        values in prop::collection::vec(value(), 0..7),
        (width, k, fits) in (sizes(), 0_usize..10, any::<(bool, bool, bool)>()),
        above in prop::option::of(0.0..2.0_f64),
    ) {
        let (mut starts, mut columns) = (starts, columns);
        if fits.0 {
            starts.sort_unstable();
        }
        if fits.1 {
            columns.resize(values.len(), 0);
        }
        let rows = Csr::new(&starts, &columns, &values, width, above);
        let well = columns.len() == values.len() && sound(&starts, values.len());
        prop_assert_eq!(rows.sound().is_ok(), well);
        let cells = k.saturating_mul(width);
        let labelled = if fits.2 { rows.len() } else { 3 };
        attack(&rows, k, if cells < 1000 { cells } else { 0 }, labelled)?;
        attack(&rows, k, 5, labelled)?;
        let narrow = |wide: &[i64]| wide.iter().map(|&place| place as i32).collect::<Vec<_>>();
        let (starts, columns) = (narrow(&starts), narrow(&columns));
        let rows = Csr::new(&starts, &columns, &values, width, above);
        attack(&rows, k, if cells < 1000 { cells } else { 0 }, labelled)?;
    }

    #[test]
    fn codes(
        starts in prop::collection::vec(hostile(), 0..5),
        values in prop::collection::vec(value(), 6),
        (columns, k, fits) in (1_usize..4, 0_usize..10, any::<(bool, bool)>()),
    ) {
        let mut starts = starts;
        if fits.0 {
            starts.resize(columns + 1, 3);
            starts[0] = 0;
            starts.sort_unstable();
        }
        let count = 6 / columns;
        let view = ArrayView2::from_shape((count, columns), &values).unwrap();
        let rows = Codes::new(view, &starts);
        let well = starts.len() == columns + 1 && starts[0] == 0 && starts.is_sorted();
        prop_assert_eq!(rows.sound().is_ok(), well);
        let cells = k.saturating_mul(rows.width());
        attack(&rows, k, if cells < 1000 { cells } else { 0 }, if fits.1 { count } else { 3 })?;
        let _ = Codes::largest(&view);
    }
}

#[test]
fn absent_refuses_what_does_not_fit() {
    let rows = Csr::new(&[0_i64, 1, 2], &[0, 5], &[f64::NAN, f64::NAN], 2, None);
    let labels = |count: usize| Labels::new(&[0, 1, 0][..count], None, count, 2).unwrap();
    let mut gaps = vec![0.0; 4];
    assert_eq!(counts::absent(&rows, labels(3), 1.0, &mut gaps), Err(Fault::Length(3, 2)));
    assert_eq!(counts::absent(&rows, labels(2), 1.0, &mut gaps[..3]), Err(Fault::Length(3, 4)));
    assert_eq!(counts::absent(&rows, labels(2), 1.0, &mut gaps), Ok(()));
    assert_eq!(gaps, [1.0, 0.0, 0.0, 0.0]);
}
