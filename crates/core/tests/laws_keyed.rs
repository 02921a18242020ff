//! Keyed counts are an additive group: parts, order, threads and detours do not matter.

use std::collections::BTreeMap;
use std::sync::Arc;

use bayleaf_core::keyed::{Evidence, KeyedCounts, Layout, Leanings, Lift, Listing, Table, loo};
use bayleaf_core::text::{Chars, Document, Encoded, Plan, Settings, Spare, Workspace};
use proptest::prelude::*;

use learned::{K, counted, encoder, learn, lifts, plan, records, texts};

mod learned;

fn whole(counts: &KeyedCounts) -> (Listing, Vec<i64>, Vec<i64>, Vec<i64>) {
    (counts.listing(), counts.documents().to_vec(), counts.sums().to_vec(), counts.distinct().to_vec())
}

proptest! {
    #[test]
    fn parts_order_and_threads_do_not_matter(
        texts in texts(), lift in lifts(), cut in 0usize..14, threads in 1usize..4, skip in 0usize..3,
        buckets in prop::option::of(1u64..9),
    ) {
        let plan = plan(skip);
        let all = counted(&plan, &texts, lift, buckets, 1);
        let cut = cut.min(texts.len());
        let mut backwards = texts[cut..].to_vec();
        backwards.reverse();
        let mut parts = counted(&plan, &backwards, lift, buckets, threads);
        let other = counted(&plan, &texts[..cut], lift, buckets, threads);
        prop_assert!(parts.merge(&other, &[0, 1, 2], 1).is_ok());
        prop_assert_eq!(whole(&parts), whole(&all));
    }

    #[test]
    fn fingerprints_come_in_the_order_of_the_documents(texts in texts(), lift in lifts(), threads in 1usize..4) {
        let (plan, tags) = (plan(0), ["t:".to_owned()]);
        let (records, classes) = records(&tags, &texts);
        let mut counts = KeyedCounts::new(&plan.orders(), K, lift, None, true);
        let expected: Vec<u64> = (0..texts.len()).map(|row| records.fingerprint(row)).collect();
        for sign in [1, -1] {
            let prints = counts.learn(encoder(&plan), &records, &classes, sign, threads).ok();
            prop_assert_eq!(prints.as_ref(), Some(&expected));
        }
    }

    #[test]
    fn counts_are_those_of_the_documents_features(texts in texts(), skip in 0usize..3, threads in 1usize..3) {
        let plan = plan(skip);
        let counts = counted(&plan, &texts, Lift::Count, None, threads).listing();
        let mut expected: BTreeMap<u64, (i64, BTreeMap<u16, i64>)> = BTreeMap::new();
        let (mut work, mut features) = (Workspace::default(), Encoded::default());
        for (text, class) in &texts {
            encoder(&plan).encode(&[("t:", Document::Text(text.as_bytes()))], &mut work, &mut features);
            for (key, count) in features.keys.iter().zip(&features.counts) {
                let (documents, classes) = expected.entry(*key).or_default();
                *documents += 1;
                *classes.entry(*class).or_default() += *count as i64;
            }
        }
        let found: BTreeMap<_, _> = (0..counts.keys.len()).map(|i| {
            let own = counts.starts[i] as usize..counts.starts[i + 1] as usize;
            let cells = counts.classes[own.clone()].iter().copied().zip(counts.counts[own].iter().copied());
            (counts.keys[i], (counts.documents[i], cells.collect()))
        }).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn unlearning_inverts_learning(texts in texts(), more in texts(), lift in lifts(), skip in 0usize..3) {
        let plan = plan(skip);
        let before = counted(&plan, &texts, lift, None, 1);
        let mut after = before.clone();
        prop_assert!(learn(&mut after, &plan, &more, 1, 2));
        let mut backwards = more.clone();
        backwards.reverse();
        prop_assert!(learn(&mut after, &plan, &backwards, -1, 1));
        prop_assert_eq!(whole(&after), whole(&before));
    }

    #[test]
    fn a_refused_batch_changes_nothing(texts in texts(), more in texts(), lift in lifts()) {
        let plan = plan(0);
        let mut counts = counted(&plan, &texts, lift, None, 1);
        let before = whole(&counts);
        if !learn(&mut counts, &plan, &more, -1, 1) {
            prop_assert_eq!(whole(&counts), before);
        }
        let other = counted(&plan, &more, lift, None, 1);
        let before = whole(&counts);
        if counts.merge(&other, &[0, 1, 2], -1).is_err() {
            prop_assert_eq!(whole(&counts), before);
        }
    }

    #[test]
    fn lists_hold_everything(texts in texts(), lift in lifts(), skip in 0usize..3) {
        let plan = plan(skip);
        let counts = counted(&plan, &texts, lift, None, 1);
        let mut again = KeyedCounts::new(&plan.orders(), K, lift, None, true);
        prop_assert!(again.fill(&counts.listing(), counts.documents(), &[0, 1, 2]));
        prop_assert_eq!(whole(&again), whole(&counts));
        for key in counts.listing().keys {
            prop_assert!(counts.name(key).starts_with(b"t:"));
            prop_assert_eq!(counts.name(key), again.name(key));
        }
    }

    #[test]
    fn lists_add_up_as_tables_do(texts in texts(), others in texts(), places in Just(vec![0, 1, 2]).prop_shuffle()) {
        let plan = plan(0);
        let mut counts = counted(&plan, &texts, Lift::Count, None, 1);
        let other = counted(&plan, &others, Lift::Count, None, 1);
        let mut again = counted(&plan, &texts, Lift::Count, None, 1);
        prop_assert!(counts.merge(&other, &places, 1).is_ok());
        prop_assert!(again.fill(&other.listing(), other.documents(), &places));
        prop_assert_eq!(whole(&again), whole(&counts));
        prop_assert!(!again.fill(&other.listing(), other.documents(), &[0, 1, 3]));
        prop_assert_eq!(whole(&again), whole(&counts));
    }

    #[test]
    fn lists_that_do_not_fit_are_refused(texts in texts(), edit in 0usize..12, at in any::<prop::sample::Index>()) {
        let plan = plan(0);
        let counts = counted(&plan, &texts, Lift::Count, None, 1);
        let (mut list, mut documents) = (counts.listing(), counts.documents().to_vec());
        prop_assume!(!list.keys.is_empty());
        let (key, count) = (at.index(list.keys.len()), at.index(list.counts.len()));
        match edit {
            0 => list.keys[key] = list.keys[(key + 1) % list.keys.len()],
            1 => list.orders[key] = 9,
            2 => list.documents[key] = 0,
            3 => list.documents[key] = i64::MAX,
            4 => list.starts[key] = -1,
            5 => list.starts[key + 1] += 1 << 40,
            6 => list.classes[count] = K as u16,
            7 => list.counts[count] = 0,
            8 => list.counts[count] = i64::MAX,
            9 => list.text_ends[key] = i64::MAX,
            10 => documents[key % K] = -1,
            _ => documents.push(1),
        }
        let mut again = KeyedCounts::new(&plan.orders(), K, Lift::Count, None, true);
        prop_assert!(edit == 0 && list.keys.len() == 1 || !again.fill(&list, &documents, &[0, 1, 2]));
        prop_assert!(list.keys.len() == 1 || again.listing().keys.is_empty());
    }

    #[test]
    fn leaving_a_document_out_is_leaving_its_group_of_one_out(texts in texts(), threads in 1usize..3) {
        let plan = plan(0);
        let counts = counted(&plan, &texts, Lift::Unit, None, 1);
        let tags = ["t:".to_owned()];
        let (records, classes) = records(&tags, &texts);
        let evidence = Evidence::new(&counts, 1.6);
        let size = texts.len() * K * Layout { orders: 2 }.kinds();
        let (mut own, mut groups) = (vec![0f32; size], vec![0f32; size]);
        let numbers: Vec<u64> = (0..texts.len() as u64).collect();
        let run = |groups, out: &mut [f32]| loo(&evidence, encoder(&plan), &records, &classes, groups, threads, out);
        prop_assert!(run(None, &mut own).is_ok());
        prop_assert!(run(Some(&numbers), &mut groups).is_ok());
        prop_assert!(own.iter().all(|sum| sum.is_finite()));
        prop_assert_eq!(own, groups);
    }

    #[test]
    fn the_strongest_are_the_first_of_all_whatever_a_file_says_of_their_worth(
        texts in texts(), count in 0usize..99,
        worth in prop::collection::vec(prop_oneof![Just(1.0), Just(0.0), Just(f64::NAN), -2.0..2.0], 185),
    ) {
        let counts = counted(&plan(0), &texts, Lift::Unit, None, 1);
        let leanings = Arc::new(Leanings::new(&[], vec![], K));
        let bias = vec![0.0; K];
        let table = Table { worth, scale: 0.5, power: 0.5, bias, temperature: 1.0, mix: vec![], leanings };
        let evidence = Evidence::new(&counts, 1.6);
        let bits = |lists: Vec<Vec<(u64, f64, i64)>>, count| {
            let bits = |list: Vec<(u64, f64, i64)>| list.into_iter().take(count).map(|(key, z, n)| (key, z.to_bits(), n));
            lists.into_iter().map(|list| bits(list).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        let all = evidence.strongest(&table, usize::MAX);
        for list in &all {
            prop_assert_eq!(list.len(), counts.listing().keys.len());
            prop_assert!(list.windows(2).all(|pair| pair[0].1.total_cmp(&pair[1].1).is_ge()));
        }
        prop_assert_eq!(bits(evidence.strongest(&table, count), usize::MAX), bits(all, count));
    }

    #[test]
    fn scores_do_not_depend_on_the_batch(texts in texts(), buckets in prop::option::of(1u64..9)) {
        let plan = plan(0);
        let counts = counted(&plan, &texts, Lift::Unit, buckets, 1);
        let tags = ["t:".to_owned()];
        let (all, _) = records(&tags, &texts);
        let len = Layout { orders: 2 }.kinds();
        let worth = (0..len).map(|i| (i % 7) as f64 / 3.0).collect();
        let mix = (0..K * K).map(|i| (i % 5) as f64 / 9.0 - 0.2).collect();
        let common = counts.common(2, 5);
        let rows = (0..common.len() * K).map(|i| (i % 4) as f64 / 3.0 - 0.5).collect();
        let leanings = Arc::new(Leanings::new(&common, rows, K));
        let bias = vec![-1.0, 0.0, 0.5];
        let table = Table { worth, scale: 0.5, power: 0.5, bias, temperature: 1.2, mix, leanings };
        let mut evidence = Evidence::new(&counts, 1.6);
        let mut batch = vec![0.0; texts.len() * K];
        let spare = Spare::default();
        evidence.judge(&table, (encoder(&plan), &spare), &all, 1, &mut batch);
        evidence.prepare(2);
        for (i, text) in texts.iter().enumerate() {
            let (one, _) = records(&tags, std::slice::from_ref(text));
            let mut alone = vec![0.0; K];
            evidence.judge(&table, (encoder(&plan), &spare), &one, 1, &mut alone);
            prop_assert_eq!(&alone[..], &batch[i * K..][..K]);
        }
    }
}

#[test]
fn a_key_without_counts_is_listed() -> Result<(), Box<dyn std::error::Error>> {
    // A text that was never learned can pass for two that were: then one document is left, and none of its words.
    let plan = Plan::new(Settings { ngrams: (1, 1), ..Settings::default() }, Chars::shared())?;
    let text = |text: &str| (text.to_owned(), 1);
    let mut counts = counted(&plan, &[text("a a"), text("a")], Lift::Count, None, 1);
    assert!(learn(&mut counts, &plan, &[text("a a a")], -1, 1));
    let mut again = KeyedCounts::new(&plan.orders(), K, Lift::Count, None, true);
    assert!(again.fill(&counts.listing(), counts.documents(), &[0, 1, 2]));
    assert_eq!(whole(&again), whole(&counts));
    Ok(())
}

#[test]
fn a_name_that_is_part_of_itself_ends() {
    let plan = plan(0);
    let mut counts = KeyedCounts::new(&plan.orders(), K, Lift::Count, None, true);
    let list = Listing {
        keys: vec![7],
        orders: vec![2],
        documents: vec![1],
        starts: vec![0, 1],
        classes: vec![0],
        counts: vec![1],
        parts: vec![[7, 7]],
        text: vec![],
        text_ends: vec![0],
    };
    assert!(counts.fill(&list, &[1, 0, 0], &[0, 1, 2]));
    assert!(counts.name(7).len() < 1000);
}
