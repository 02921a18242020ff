//! Gaussian scores: the formula, gaps left out, and an order that survives any distance.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use bayleaf_core::score::quadratic::Quadratic;
use bayleaf_core::{Csr, Fault};
use common::{Batch, batches, bits, csr, near};
use proptest::prelude::*;

fn cases() -> impl Strategy<Value = (Batch, [Vec<f64>; 4])> {
    let cell = prop_oneof![1 => Just(0.0), 6 => -50.0..50.0_f64, 1 => Just(f64::NAN)];
    batches(cell, Just(1.0)).prop_flat_map(|batch| {
        let cells = batch.k * batch.width;
        let table = |low, high| prop::collection::vec(low..high, cells);
        (Just(batch), [table(-50.0, 50.0), table(-1e-3, 1e-3), table(0.01, 3.0), table(-4.0, 1.0)])
    })
}

fn scorer(k: usize, [centre, rest, scale, base]: &[Vec<f64>; 4], exact: bool) -> Quadratic<'_> {
    Quadratic { k, centre, rest: exact.then_some(rest), scale, base }
}

/// One value against classes of one column each.
fn scores(value: f64, centre: &[f64], scale: &[f64], base: &[f64]) -> Vec<f64> {
    let batch = Batch { k: centre.len(), width: 1, values: vec![value], classes: vec![0], weights: vec![1.0] };
    let mut out = vec![0.0; batch.k];
    Quadratic { k: batch.k, centre, rest: None, scale, base }.add_to(&batch.dense(), &mut out, 1).unwrap();
    out
}

proptest! {
    #[test]
    fn scores_agree_with_the_formula_and_gaps_are_left_out((batch, tables) in cases()) {
        let [centre, rest, scale, base] = &tables;
        for exact in [false, true] {
            let mut naive = vec![0.5; batch.k * batch.len()];
            for (place, out) in naive.iter_mut().enumerate() {
                let (row, class) = (place / batch.k, place % batch.k);
                for (column, value) in batch.row(row).iter().enumerate().filter(|(_, value)| !value.is_nan()) {
                    let cell = class * batch.width + column;
                    let gap = value - centre[cell] - if exact { rest[cell] } else { 0.0 };
                    *out += base[cell] - (gap * scale[cell]).powi(2);
                }
            }
            let mut ours = vec![0.5; naive.len()];
            scorer(batch.k, &tables, exact).add_to(&batch.dense(), &mut ours, 2).unwrap();
            prop_assert!(near(&ours, &naive, 1e-12), "{:?} {:?}", ours, naive);
            let (sparse, mut theirs) = (batch.sparse(), vec![0.5; naive.len()]);
            scorer(batch.k, &tables, exact).add_to(&csr(&sparse, batch.width), &mut theirs, 1).unwrap();
            prop_assert_eq!(bits(&ours), bits(&theirs));
        }
    }

    #[test]
    fn scores_fall_with_the_distance(
        mut values in prop::collection::vec((-3.0..308.0_f64).prop_map(|digits| 10_f64.powf(digits)), 2..9),
        scale in 1e-3..1e3_f64,
        sign in prop::sample::select(vec![-1.0, 1.0]),
    ) {
        values.sort_by(f64::total_cmp);
        let found: Vec<f64> = values.iter().map(|value| scores(sign * value, &[0.0], &[scale], &[0.0])[0]).collect();
        prop_assert!(found.iter().all(|score| score.is_finite()));
        for (place, score) in found.windows(2).enumerate() {
            let apart = values[place + 1] > values[place] * (1.0 + 1e-9);
            prop_assert!(if apart { score[0] > score[1] } else { score[0] >= score[1] * (1.0 + 1e-9) }, "{:?}", found);
        }
    }

    #[test]
    fn far_points_are_finite_and_ordered(
        value in prop::sample::select(vec![1e160, 1e200, 1e300, -1e200, -1e300, f64::MAX, f64::MIN]),
        centre in prop::collection::vec(-0.9..0.9_f64, 2..8),
    ) {
        // in units of the value, so that all classes are far apart
        let means: Vec<f64> = centre.iter().map(|part| part * value).collect();
        let found = scores(value, &means, &vec![1.0; means.len()], &vec![0.0; means.len()]);
        prop_assert!(found.iter().all(|score| score.is_finite()), "{:?}", found);
        for (a, b) in (0..means.len()).flat_map(|a| (0..means.len()).map(move |b| (a, b))) {
            if centre[a] > centre[b] + 1e-9 {
                prop_assert!(found[a] > found[b], "{:?} {:?}", centre, found);
            }
        }
    }

    #[test]
    fn a_far_class_does_not_disturb_the_near_ones(
        near in prop::collection::vec((-2.0..2.0_f64, -9.0..0.0_f64), 1..5), value in -5.0..5.0_f64,
    ) {
        let (mut centre, mut base): (Vec<f64>, Vec<f64>) = near.into_iter().unzip();
        let alone = scores(value, &centre, &vec![1.0; centre.len()], &base);
        centre.extend([1e200, -1e300]);
        base.extend([0.0, 0.0]);
        let found = scores(value, &centre, &vec![1.0; centre.len()], &base);
        let (far, near) = (&found[alone.len()..], &found[..alone.len()]);
        prop_assert!(common::near(near, &alone, 1e-12), "{:?} {:?}", found, alone);
        prop_assert!(far[1].is_finite() && far[1] < far[0] && far[0] < -1e300);
    }

    #[test]
    fn infinities_are_refused((mut batch, tables) in cases(), place: prop::sample::Index) {
        prop_assume!(!batch.values.is_empty());
        let cell = place.index(batch.values.len());
        batch.values[cell] = f64::INFINITY;
        let fault = Fault::Infinite(cell / batch.width, cell % batch.width, f64::INFINITY);
        let mut out = vec![0.0; batch.k * batch.len()];
        prop_assert_eq!(scorer(batch.k, &tables, true).add_to(&batch.dense(), &mut out, 1), Err(fault));
    }
}

#[test]
fn a_column_that_says_nothing_says_nothing_at_any_distance() {
    assert_eq!(scores(f64::MAX, &[f64::MIN, 0.0], &[0.0, 0.0], &[0.0, 0.0]), [0.0, 0.0]);
}

/// 1e308 twice in one cell is infinite together.
#[test]
fn an_overflow_inside_a_sparse_cell_is_refused() {
    let rows = Csr::new(&[0_i64, 2], &[0, 0], &[1e308, 1e308], 1, None);
    let found =
        Quadratic { k: 1, centre: &[0.0], rest: None, scale: &[1.0], base: &[0.0] }.add_to(&rows, &mut [0.0], 1);
    assert_eq!(found, Err(Fault::Infinite(0, 0, f64::INFINITY)));
}
