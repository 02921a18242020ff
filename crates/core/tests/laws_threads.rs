//! The number of threads does not change a bit, also for fractions.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use bayleaf_core::score::linear::Linear;
use bayleaf_core::score::normalise::{Posterior, normalise};
use bayleaf_core::score::quadratic::Quadratic;
use bayleaf_core::tally::moments;
use common::{Batch, bits, csr, few, large, learn};
use proptest::prelude::*;

const THREADS: [usize; 4] = [1, 2, 3, 7];

/// The bits of `run` for every number of threads, which must agree.
fn agree(run: impl Fn(usize) -> Vec<f64>) -> Result<(), TestCaseError> {
    let one = bits(&run(THREADS[0]));
    for threads in &THREADS[1..] {
        prop_assert!(bits(&run(*threads)) == one, "{} threads differ from one", threads);
    }
    Ok(())
}

fn weights(batch: &Batch) -> Vec<f64> {
    (0..batch.k * batch.width).map(|cell| 0.1 + 1.0 / (3.0 + cell as f64)).collect()
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn counting(batch in large()) {
        let sparse = batch.sparse();
        let count = |threads, sparsely: bool| {
            let mut table = vec![0.0; batch.k * (batch.width + 1)];
            match sparsely {
                true => learn(&csr(&sparse, batch.width), batch.labels(), 1.0, batch.k, &mut table, threads),
                false => learn(&batch.dense(), batch.labels(), 1.0, batch.k, &mut table, threads),
            }
            .unwrap();
            table
        };
        agree(|threads| count(threads, false))?;
        agree(|threads| count(threads, true))?;
    }

    #[test]
    fn moments_of_full_and_gapped_rows(mut batch in large()) {
        let pivot = weights(&batch);
        let run = |batch: &Batch, threads| {
            let found = moments::of(&batch.dense(), batch.labels(), batch.k, &pivot, threads).unwrap();
            [found.weight, found.n, found.sum, found.square].concat()
        };
        agree(|threads| run(&batch, threads))?;
        let last = batch.values.len() - 1;
        batch.values[last / 3] = f64::NAN;
        agree(|threads| run(&batch, threads))?;
    }

    #[test]
    fn scores_and_posteriors(mut batch in large()) {
        let last = batch.values.len() - 1;
        batch.values[last / 2] = f64::NAN;
        let table = weights(&batch);
        let linear = Linear::new(batch.k, &table, Some(&table)).unwrap();
        let quadratic = Quadratic { k: batch.k, centre: &table, rest: Some(&table), scale: &table, base: &table };
        agree(|threads| {
            let mut out = vec![0.25; batch.k * batch.len()];
            linear.add_to(&batch.dense(), &mut out, threads).unwrap();
            out
        })?;
        batch.values[last] = 1e200; // no count, but a number
        agree(|threads| {
            let mut out = vec![0.25; batch.k * batch.len()];
            quadratic.add_to(&batch.dense(), &mut out, threads).unwrap();
            normalise(&mut out, batch.k, &vec![-1.0; batch.k], Posterior::Plain, threads).unwrap();
            out
        })?;
    }
}
