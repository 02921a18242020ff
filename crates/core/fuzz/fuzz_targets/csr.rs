//! Sparse rows whose parts need not fit together: every kernel answers or refuses, none panics, and a refused batch
//! leaves the tally as it was.
#![no_main]

use arbitrary::Arbitrary;
use bayleaf_core::Csr;
use bayleaf_core::score::linear::Linear;
use bayleaf_core::score::quadratic::Quadratic;
use bayleaf_core::tally::counts::{self, Table};
use bayleaf_core::tally::{Labels, moments};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Batch {
    starts: Vec<i32>,
    columns: Vec<i32>,
    values: Vec<f64>,
    width: u8,
    above: Option<f64>,
    classes: Vec<i64>,
    weights: Option<Vec<f64>>,
    k: u8,
    threads: u8,
}

fuzz_target!(|batch: Batch| {
    let (k, width, threads) = (usize::from(batch.k % 7) + 1, usize::from(batch.width), usize::from(batch.threads % 4));
    let rows = Csr::new(&batch.starts, &batch.columns, &batch.values, width, batch.above);
    let count = batch.starts.len().saturating_sub(1);
    let table = vec![0.5; k * width];

    let mut out = vec![0.0; k * count];
    if let Ok(scorer) = Linear::new(k, &table, Some(&table)) {
        let _ = scorer.add_to(&rows, &mut out, threads);
    }
    let scorer = Quadratic { k, centre: &table, rest: None, scale: &table, base: &table };
    let _ = scorer.add_to(&rows, &mut out, threads);

    // Labels that fit half of the time, so that counting is reached.
    let fitting: Vec<i64> = (0..count as i64).map(|row| row % k as i64).collect();
    for (classes, weights) in [(&batch.classes, batch.weights.as_deref()), (&fitting, None)] {
        let Ok(labels) = Labels::new(classes, weights, count, k) else { continue };
        let (mut weight, mut cells) = (vec![0.0; k], vec![0.0; k * width]);
        let table = Table { weight: &mut weight, cells: &mut cells };
        if counts::learn(&rows, labels, 1.0, table, threads).is_err() {
            assert!(weight.iter().chain(&cells).all(|&sum| sum == 0.0), "a refused batch was counted in part");
        }
        if let Ok(pivot) = moments::pivots(&rows, labels, k) {
            let _ = moments::of(&rows, labels, k, &pivot, threads);
        }
    }
});
