//! Posteriors: rows sum to one, impossible rows become the prior, and nothing is NaN.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use bayleaf_core::Fault;
use bayleaf_core::score::normalise::{Posterior, normalise};
use proptest::num::f64::{INFINITE, NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
use proptest::prelude::*;

/// Any number but NaN; ties, impossible and certain classes are frequent.
fn score() -> impl Strategy<Value = f64> + Clone {
    let any = POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO | INFINITE;
    let special = prop::sample::select(vec![f64::MAX, f64::MIN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1e17]);
    prop_oneof![4 => any, 4 => -800.0..5.0_f64, 2 => special]
}

fn tables(score: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = (usize, Vec<f64>)> {
    (1_usize..9, 0_usize..9).prop_flat_map(move |(k, rows)| (Just(k), prop::collection::vec(score.clone(), rows * k)))
}

fn posterior(joint: &[f64], k: usize, form: Posterior) -> (Vec<f64>, usize) {
    let mut out = joint.to_vec();
    let impossible = normalise(&mut out, k, &vec![-(k as f64).ln(); k], form, 2).unwrap();
    (out, impossible)
}

proptest! {
    #[test]
    fn rows_sum_to_one_and_nothing_is_nan((k, joint) in tables(score())) {
        let (plain, log) = (posterior(&joint, k, Posterior::Plain), posterior(&joint, k, Posterior::Log));
        let impossible = joint.chunks(k).filter(|row| row.iter().all(|score| *score == f64::NEG_INFINITY)).count();
        prop_assert_eq!((plain.1, log.1), (impossible, impossible));
        for ((joint, plain), log) in joint.chunks(k).zip(plain.0.chunks(k)).zip(log.0.chunks(k)) {
            prop_assert!(plain.iter().all(|share| (0.0..=1.0 + 1e-15).contains(share)), "{:?} -> {:?}", joint, plain);
            prop_assert!(log.iter().all(|share| *share <= 1e-15), "{:?} -> {:?}", joint, log);
            prop_assert!((plain.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{:?} -> {:?}", joint, plain);
            let total: f64 = log.iter().map(|share| share.exp()).sum();
            prop_assert!((total - 1.0).abs() < 1e-13, "{:?} -> {:?}", joint, log);
            for (plain, log) in plain.iter().zip(log) {
                prop_assert!((plain - log.exp()).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn better_scores_have_better_posteriors((k, joint) in tables(score())) {
        let (log, _) = posterior(&joint, k, Posterior::Log);
        for (joint, log) in joint.chunks(k).zip(log.chunks(k)) {
            for (a, b) in (0..k).flat_map(|a| (0..k).map(move |b| (a, b))).filter(|(a, b)| joint[*a] >= joint[*b]) {
                prop_assert!(log[a] >= log[b]);
            }
        }
    }

    #[test]
    fn a_shift_of_the_scores_does_not_matter((k, joint) in tables(-500.0..0.0_f64), shift in -1e3..1e3_f64) {
        let shifted: Vec<f64> = joint.iter().map(|score| score + shift).collect();
        let (ours, theirs) = (posterior(&joint, k, Posterior::Plain).0, posterior(&shifted, k, Posterior::Plain).0);
        prop_assert!(common::near(&ours, &theirs, 1e-12));
    }

    #[test]
    fn impossible_rows_become_the_prior(log_prior in prop::collection::vec(-9.0..0.0_f64, 1..9)) {
        let k = log_prior.len();
        let mut joint = vec![f64::NEG_INFINITY; 3 * k];
        prop_assert_eq!(normalise(&mut joint, k, &log_prior, Posterior::Log, 1), Ok(3));
        prop_assert_eq!(joint, log_prior.repeat(3));
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused(cells in 0_usize..9, k in 0_usize..9) {
        let mut joint = vec![1.0; cells];
        let found = normalise(&mut joint, k, &vec![0.0; k], Posterior::Log, 1);
        if k == 0 || cells % k != 0 {
            prop_assert!(matches!(found, Err(Fault::Length(..))));
            prop_assert_eq!(joint, vec![1.0; cells]);
        } else {
            prop_assert_eq!(found, Ok(0));
        }
        prop_assert!(normalise(&mut [], k, &vec![0.0; k + 1], Posterior::Log, 1).is_err());
    }
}
