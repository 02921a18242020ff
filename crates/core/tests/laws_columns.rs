//! Keys as columns: they have the counts of their keys, and score alike whether keys share them or not.

use std::sync::Arc;

use bayleaf_core::keyed::{Columns, KeyWeights};
use proptest::prelude::*;

use learned::{K, counted, encoder, lifts, plan, records, texts};

mod learned;

proptest! {
    #[test]
    fn weights_by_key_score_like_weights_by_column(
        texts in texts(), lift in lifts(), skip in 0usize..3, threads in 1usize..3, known in 0usize..9,
        buckets in prop::option::of(1u64..9), least in -3.0..0.0,
        rise in prop::sample::select(vec![0.0, 1.0]),
    ) {
        let plan = plan(skip);
        let counts = counted(&plan, &texts, lift, buckets, 1);
        let shared = counts.grouped(false);
        // What a family makes of counts: with `rise` 0 keys of one class weigh more for that alone, otherwise for no class.
        let weigh = |row: &[f64]| row.iter().map(|n| n.ln_1p() - rise * row.iter().sum::<f64>()).collect::<Vec<_>>();
        let by_counts: Vec<f64> = shared.table.chunks(K).flat_map(weigh).collect();
        let keys: Vec<u64> = counts.listing().keys.into_iter().step_by(known + 1).collect();
        let weights: Vec<f64> = keys.iter().flat_map(|key| (0..K).map(move |c| (key >> (8 * c) & 3) as f64)).collect();
        let weights: Vec<f64> = weights.into_iter().map(|weight| (weight - 2.0).max(least)).collect();
        let tags = ["t:".to_owned()];
        let (records, _) = records(&tags, &texts);
        let mut scores = vec![0.5; texts.len() * K];
        for (columns, weights) in [(Arc::new(Columns::new(&keys)), weights), (Arc::new(shared.columns), by_counts)] {
            scores.fill(0.5);
            let by_key = KeyWeights::new(columns.clone(), &weights, K);
            for _ in 0..2 {
                by_key.add_to(&weights, &counts, encoder(&plan), &records, threads, &mut scores);
            }
            let rows = columns.rows(&counts, lift, encoder(&plan), &records, threads);
            for (i, scores) in scores.chunks(K).enumerate() {
                for (c, score) in scores.iter().enumerate() {
                    let own = rows.starts[i] as usize..rows.starts[i + 1] as usize;
                    let sum: f64 = own.map(|j| rows.counts[j] * weights[rows.columns[j] as usize * K + c]).sum();
                    prop_assert!((score - 0.5 - 2.0 * sum).abs() < 1e-9 * (1.0 + sum.abs()));
                }
            }
        }
    }

    #[test]
    fn columns_have_the_counts_of_their_keys(texts in texts(), lift in lifts(), skip in 0usize..3) {
        let plan = plan(skip);
        let counts = counted(&plan, &texts, lift, None, 1);
        let list = counts.listing();
        for (table, most) in [(counts.grouped(false), usize::MAX), (counts.grouped(true), 1)] {
            let columns: Vec<u32> = (0..table.columns.width() as u32).collect();
            let mut members = table.columns.members(&counts, &columns);
            members.sort_unstable();
            prop_assert_eq!(members.iter().map(|member| member.0).collect::<Vec<_>>(), list.keys.clone());
            for (i, (_, documents, column)) in members.iter().enumerate() {
                let mut row = [0.0; K];
                (list.starts[i] as usize..list.starts[i + 1] as usize)
                    .for_each(|j| row[list.classes[j] as usize] = list.counts[j] as f64);
                prop_assert_eq!(&table.table[*column as usize * K..][..K], &row[..]);
                prop_assert_eq!(*documents, list.documents[i]);
            }
            for (column, times) in columns.iter().zip(&table.times) {
                let held = members.iter().filter(|member| member.2 == *column).count();
                prop_assert!(held == *times as usize && held <= most);
            }
        }
    }
}
