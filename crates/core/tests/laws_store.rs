//! Runs are a group under merging, and any bytes are refused politely.
#![allow(clippy::unwrap_used)] // a test may fail

use std::collections::BTreeMap;

use bayleaf_core::store::{
    Cut, Document, Layer, Layout, Merge, Pair, Run, Source, Tally, Weigh, fingerprint, standing,
};
use proptest::prelude::*;

type Table = BTreeMap<u64, Vec<i64>>;
const LABELS: usize = 3;

/// Few distinct keys, so that they meet; some at the ends of the range.
fn mails() -> impl Strategy<Value = Vec<(Vec<u64>, usize)>> {
    let key = prop_oneof![0..40_u64, any::<u64>(), Just(u64::MAX), (0..16_u64).prop_map(|k| k << 60)];
    let keys = prop::collection::btree_set(key, 0..60).prop_map(|set| set.into_iter().collect::<Vec<_>>());
    prop::collection::vec((keys, 0..LABELS), 0..12)
}

fn run(mails: &[(Vec<u64>, usize)], sign: i64, day: u16, age: u16) -> Vec<u8> {
    let documents: Vec<Document<'_>> =
        mails.iter().map(|(keys, label)| Document { keys, label: *label, sign }).collect();
    Tally { labels: LABELS, day, age }.count(&documents).unwrap().bytes().unwrap()
}

fn oracle(mails: &[(Vec<u64>, usize)]) -> Table {
    let mut table = Table::new();
    for (keys, label) in mails {
        for key in keys {
            table.entry(*key).or_insert_with(|| vec![0; LABELS])[*label] += 1;
        }
    }
    table
}

fn table(run: Run<'_>) -> Table {
    (0..run.entries())
        .map(|at| {
            let mut counts = vec![0; run.labels()];
            run.counts(at, |label, n| counts[label] = n);
            (run.entry(at).unwrap().key, counts)
        })
        .collect()
}

fn merge(runs: &[&[u8]], cut: Cut) -> (Vec<u8>, Vec<u64>) {
    let views = runs.iter().map(|bytes| Layout::read(bytes).unwrap().view(bytes)).collect();
    let merged = Merge::new(views, LABELS).unwrap().write(cut).unwrap();
    (merged.writer.bytes().unwrap(), merged.cut)
}

fn view(bytes: &[u8]) -> Run<'_> {
    Layout::read(bytes).unwrap().view(bytes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_run_holds_what_was_counted(mails in mails(), probes in prop::collection::vec(any::<u64>(), 0..20)) {
        let bytes = run(&mails, 1, 7, 0);
        let expected = oracle(&mails);
        prop_assert_eq!(view(&bytes).verify(), Ok(()));
        prop_assert_eq!(table(view(&bytes)), expected.clone());
        for key in expected.keys().chain(&probes) {
            prop_assert_eq!(view(&bytes).find(*key).is_some(), expected.contains_key(key));
        }
    }

    #[test]
    fn merging_is_counting_together(a in mails(), b in mails(), c in mails()) {
        let [ra, rb, rc] = [&a, &b, &c].map(|mails| run(mails, 1, 7, 0));
        let all: Vec<_> = a.iter().chain(&b).chain(&c).cloned().collect();
        let (left, _) = merge(&[&merge(&[&ra, &rb], Cut::default()).0, &rc], Cut::default());
        let (right, _) = merge(&[&merge(&[&rc, &rb], Cut::default()).0, &ra], Cut::default());
        prop_assert_eq!(table(view(&left)), oracle(&all));
        prop_assert_eq!(view(&left).verify(), Ok(()));
        prop_assert_eq!(table(view(&left)), table(view(&right)));
    }

    #[test]
    fn learned_then_unlearned_is_nothing(mails in mails()) {
        let (rest, _) = merge(&[&run(&mails, 1, 7, 0), &run(&mails, -1, 0, u16::MAX)], Cut::default());
        prop_assert_eq!(view(&rest).entries(), 0);
    }

    #[test]
    fn gathered_counts_are_those_of_all_runs(a in mails(), b in mails(), asked in prop::collection::btree_set(0..40_u64, 0..40)) {
        let (ra, rb) = (run(&a, 1, 7, 0), run(&b, 1, 7, 0));
        let asked: Vec<u64> = asked.into_iter().collect();
        let columns: Vec<usize> = (0..LABELS).collect();
        let sources = [view(&ra), view(&rb)].map(|run| Source { run, columns: &columns });
        let found = Weigh::new(0.5).weigh(&sources, &asked, &[9, 9, 9], None);
        let expected = oracle(&a.into_iter().chain(b).collect::<Vec<_>>());
        for (key, counts) in asked.iter().zip(found.counts.chunks(LABELS)) {
            prop_assert_eq!(counts, expected.get(key).map_or(&[0; LABELS][..], Vec::as_slice));
        }
        prop_assert!(found.means.iter().all(|mean| mean.is_finite()));
    }

    #[test]
    fn fingerprints_add_up_also_over_what_was_cut(a in mails(), b in mails(), count in 0..4_u64) {
        let (ra, rb) = (run(&a, 1, 7, 0), run(&b, 1, 9, 0));
        let (rest, gone) = merge(&[&ra, &rb], Cut { day: 9, count });
        let mut expected = vec![0_u64; LABELS];
        for (keys, label) in a.iter().chain(&b) {
            expected[*label] = expected[*label].wrapping_add(fingerprint(keys));
        }
        let found: Vec<u64> = view(&rest).fingerprints().iter().zip(gone).map(|(a, b)| a.wrapping_add(b)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_cut_keeps_the_limit_and_the_newest(a in mails(), b in mails(), limit in 0..80_usize) {
        let (ra, rb) = (run(&a, 1, 7, 0), run(&b, 1, 9, 0));
        let cut = Merge::new(vec![view(&ra), view(&rb)], LABELS).unwrap().cut_to(limit).unwrap();
        let (rest, _) = merge(&[&ra, &rb], cut);
        prop_assert!(view(&rest).entries() <= limit);
        let fresh = oracle(&b).len();
        if fresh <= limit {
            prop_assert!(view(&rest).entries() >= fresh);
        }
    }

    #[test]
    fn only_keys_born_in_time_stand(mails in mails(), age in 0..4_u16) {
        let bytes_of_run = run(&mails, 1, 7, 2);
        let keys: Vec<u64> = oracle(&mails).into_keys().collect();
        let left = standing(&[view(&bytes_of_run)], &keys, age);
        prop_assert_eq!(left, if age >= 2 { keys } else { vec![] });
    }

    #[test]
    fn any_bytes_are_refused_or_read(mut noise in prop::collection::vec(any::<u8>(), 0..200), mails in mails(), at in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>()) {
        let mut damaged = run(&mails, 1, 7, 0);
        let place = at.index(damaged.len());
        damaged[place] ^= 1 << (place % 8);
        let short = damaged[..cut.index(damaged.len())].to_vec();
        for bytes in [&mut noise, &mut damaged, &mut short.clone()] {
            let Ok(layout) = Layout::read(bytes) else { continue };
            let run = layout.view(bytes);
            let _ = run.verify();
            let _ = run.find(17);
            let _ = run.fingerprints();
            let _ = Merge::new(vec![run, run], LABELS).and_then(|sum| sum.write(Cut::default())).map(|merged| merged.writer.bytes());
        }
    }

    #[test]
    fn the_layer_is_finite_and_never_worse_than_its_prior(rows in prop::collection::vec((0..LABELS, prop::collection::vec(-2.0..2.0_f64, 2 * LABELS)), 0..40)) {
        let pairs: Vec<Pair> = rows.into_iter().map(|(label, means)| Pair { label, means }).collect();
        let layer = Layer { inputs: 2, labels: LABELS, centre: 1.5, precision: 30.0 };
        let (v, b) = layer.fit(&pairs);
        prop_assert!(v.iter().chain(&b).all(|x| x.is_finite()));
        if pairs.is_empty() {
            prop_assert_eq!((v, b), (vec![1.5; 2], vec![0.0; LABELS]));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn summands_add_up_to_means_and_tails(mails in mails(), asked in prop::collection::btree_set(0..40_u64, 1..40), worth in prop::collection::vec(-2.0..2.0_f64, 8)) {
        let bytes_of_run = run(&mails, 1, 7, 0);
        let columns: Vec<usize> = (0..LABELS).collect();
        let asked: Vec<u64> = asked.into_iter().collect();
        let source = [Source { run: view(&bytes_of_run), columns: &columns }];
        let found = Weigh::new(0.5).weigh(&source, &asked, &[3, 4, 5], None);
        let summands = found.summands(&asked, &worth);
        for label in 0..LABELS {
            let sum: f64 = summands.iter().skip(label).step_by(LABELS).sum();
            let score: f64 = worth.iter().enumerate().map(|(at, v)| v * found.means[at * LABELS + label] / 2.0).sum();
            prop_assert!((sum - score).abs() < 1e-9, "{} {}", sum, score);
        }
    }

    #[test]
    fn leaving_one_out_is_never_having_learned_it(mails in mails()) {
        let Some(((keys, label), others)) = mails.split_last() else { return Ok(()) };
        let (all, rest) = (run(&mails, 1, 7, 0), run(others, 1, 7, 0));
        let columns: Vec<usize> = (0..LABELS).collect();
        let totals = |mails: &[(Vec<u64>, usize)]| (0..LABELS).map(|c| mails.iter().filter(|m| m.1 == c).count() as i64).collect::<Vec<_>>();
        let weigh = |bytes_of_run: &[u8], totals: &[i64], own| {
            let source = [Source { run: view(bytes_of_run), columns: &columns }];
            Weigh::new(0.5).weigh(&source, keys, totals, own)
        };
        prop_assert_eq!(weigh(&all, &totals(&mails), Some(*label)), weigh(&rest, &totals(others), None));
    }
}

#[test]
fn many_keys_are_sorted_as_few_are() {
    let mut seed = 1_u64;
    let mut keys: Vec<u64> = (0..70_000)
        .map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed ^ (seed >> 29)
        })
        .collect();
    let document = Document { keys: &keys, label: 0, sign: 1 };
    let written = Tally { labels: 1, day: 1, age: 0 }.count(&[document]).unwrap().bytes().unwrap();
    keys.sort_unstable();
    assert_eq!(view(&written).verify(), Ok(()));
    assert!((0..keys.len()).all(|at| view(&written).key(at) == Some(keys[at])));
}

#[test]
fn two_labels_are_one_logistic_regression() {
    // The same fit by plain gradient descent on z = β + Σ v a, prior precision 30 on v around 1.5 and on β around 0.
    let rows = [(1, [1.0, 0.2]), (1, [0.5, -0.3]), (0, [-1.0, 0.1]), (0, [0.4, -1.2]), (0, [0.1, 0.9])];
    let pairs: Vec<Pair> =
        rows.iter().map(|(label, a)| Pair { label: *label, means: vec![-a[0], a[0], -a[1], a[1]] }).collect();
    let (v, b) = Layer { inputs: 2, labels: 2, centre: 1.5, precision: 30.0 }.fit(&pairs);
    let (mut w, mut beta) = ([1.5_f64, 1.5], 0.0_f64);
    for _ in 0..20_000 {
        let mut slope = [30.0 * (w[0] - 1.5), 30.0 * (w[1] - 1.5), 30.0 * beta];
        for (label, a) in &rows {
            let p = 1.0 / (1.0 + (-(beta + w[0] * a[0] + w[1] * a[1])).exp());
            let error = p - *label as f64;
            slope[0] += error * a[0];
            slope[1] += error * a[1];
            slope[2] += error;
        }
        w[0] -= 0.01 * slope[0];
        w[1] -= 0.01 * slope[1];
        beta -= 0.01 * slope[2];
    }
    for (found, expected) in [(v[0], w[0]), (v[1], w[1]), (b[1] - b[0], beta)] {
        assert!((found - expected).abs() < 1e-7, "{found} {expected}");
    }
}

#[test]
fn a_few_wrong_labels_leave_the_layer_sure() {
    // The farther an input is from 0, the surer it tells two labels apart; one mail of twenty is told wrongly.
    let pair = |at: usize| {
        let (a, hidden) = (((at * 37) % 401) as f64 / 50.0 - 4.0, ((at * 71) % 97) as f64 / 48.5 - 1.0);
        Pair { label: usize::from((a + hidden > 0.0) != ((at * 53) % 211 < 11)), means: vec![-a, a] }
    };
    let layer = Layer { inputs: 1, labels: 2, centre: 0.5, precision: 30.0 };
    let (v, b) = layer.fit(&(0..2_000).map(pair).collect::<Vec<_>>());
    let odds = 4.0 * v[0] + b[1] - b[0];
    assert!(odds > 500_f64.ln(), "{odds}"); // if every label counted, such a mail would be 110 to 1
}
