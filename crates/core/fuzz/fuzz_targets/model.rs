//! Any bytes as a table of counts: a run of a store, or the lists of a model file. Refused, or a table that can be used.
#![no_main]

use std::sync::{Arc, LazyLock};

use arbitrary::Arbitrary;
use bayleaf_core::keyed::{Evidence, KeyedCounts, Layout as Kinds, Leanings, Lift, Listing, Records, Table, explain};
use bayleaf_core::store::{Cut, Entry, Layout, Merge, Source, Weigh, Writer};
use bayleaf_core::text::{Chars, Document, Encoder, Plan, Settings, Spare};
use libfuzzer_sys::fuzz_target;

/// Compiled once: it takes longer than all the rest.
static PLAN: LazyLock<Option<Plan>> = LazyLock::new(|| Plan::new(Settings::default(), Chars::shared()).ok());

#[derive(Arbitrary, Debug)]
enum Case {
    /// A run as it stands.
    Bytes(Vec<u8>),
    /// A right run with some of its bytes changed, and its end cut off.
    Damaged { entries: Vec<(u64, i64, i64)>, edits: Vec<(u16, u8)>, cut: u16 },
    /// Lists that need not fit each other.
    Lists(Lists),
}

#[derive(Arbitrary, Debug)]
struct Lists {
    keys: Vec<u64>,
    orders: Vec<bool>,
    documents: Vec<i64>,
    starts: Vec<i64>,
    classes: Vec<u16>,
    counts: Vec<i64>,
    parts: Vec<[u8; 2]>,
    text: Vec<u8>,
    ends: Vec<i64>,
    by_class: Vec<i64>,
    mended: bool,
}

fuzz_target!(|case: Case| match case {
    Case::Bytes(bytes) => run(&bytes),
    Case::Damaged { entries, edits, cut } => {
        let mut bytes = written(entries);
        for (at, value) in edits {
            if let Some(byte) = bytes.get_mut(usize::from(at)) {
                *byte = value;
            }
        }
        bytes.truncate(bytes.len().saturating_sub(usize::from(cut)));
        run(&bytes);
    }
    Case::Lists(lists) => filled(lists),
});

fn written(mut entries: Vec<(u64, i64, i64)>) -> Vec<u8> {
    entries.sort_unstable();
    entries.dedup_by_key(|entry| entry.0);
    let mut writer = Writer::new(2, u64::MAX, entries.len());
    for (key, spam, ham) in entries {
        assert!(writer.push(Entry { key, seen: key as u16, born: 0 }, &[spam, ham]).is_ok());
    }
    writer.bytes().unwrap_or_default()
}

fn run(bytes: &[u8]) {
    let Ok(layout) = Layout::read(bytes) else { return };
    let run = layout.view(bytes);
    let sound = run.verify().is_ok();
    let keys: Vec<u64> = (0..run.entries()).filter_map(|at| run.key(at)).collect();
    for at in 0..=run.entries() {
        run.counts(at, |label, _| assert!(label < run.labels()));
        if let Some(key) = run.key(at) {
            assert!(!sound || run.find(key) == Some(at));
        }
    }
    assert_eq!(run.fingerprints().len(), run.labels());
    let columns: Vec<usize> = (0..run.labels().min(3)).collect();
    let weighed = Weigh::new(0.5).weigh(&[Source { run, columns: &columns }], &keys, &[3, 4, 5], Some(1));
    assert!(weighed.ratios.iter().all(|ratio| ratio.is_finite()));
    let fewer = run.labels() - 1;
    assert!(fewer == 0 || Merge::new(vec![run], fewer).is_err());
    if let Ok(sum) = Merge::new(vec![run, run], run.labels()).and_then(|merge| merge.write(Cut::default())) {
        let again = sum.writer.bytes().unwrap_or_default();
        let Ok(layout) = Layout::read(&again) else { panic!("a merge is a run") };
        assert!(layout.view(&again).verify().is_ok());
    }
}

/// The lists of a table; with `mended` they nearly fit, so that more than the first check is reached.
fn listing(lists: &mut Lists, k: usize) -> Listing {
    let n = lists.keys.len();
    if lists.mended {
        lists.keys.sort_unstable();
        lists.orders.resize(n, false);
        lists.documents.resize(n, 1);
        lists.starts = (0..=n as i64).collect();
        lists.classes.resize(n, 0);
        lists.classes.iter_mut().for_each(|class| *class %= k as u16);
        lists.counts.resize(n, 1);
        lists.parts.resize(n, [0, 0]);
        lists.ends = (1..=n).map(|i| (i * lists.text.len() / n) as i64).collect();
        lists.by_class.resize(k, 7);
    }
    // Parts are places in the list of keys, so that keys are made of keys that are there, or of each other.
    let key = |place: u8| lists.keys.get(usize::from(place)).copied().unwrap_or(0);
    Listing {
        orders: lists.orders.iter().map(|pair| 1 + u8::from(*pair)).collect(),
        parts: lists.parts.iter().map(|[head, last]| [key(*head), key(*last)]).collect(),
        keys: lists.keys.clone(),
        documents: lists.documents.clone(),
        starts: lists.starts.clone(),
        classes: lists.classes.clone(),
        counts: lists.counts.clone(),
        text: lists.text.clone(),
        text_ends: lists.ends.clone(),
    }
}

fn filled(mut lists: Lists) {
    let k = lists.by_class.len().clamp(1, 5);
    let list = listing(&mut lists, k);
    let Some(plan) = PLAN.as_ref() else { return };
    let encoder = Encoder { plan, seed: 0, presence: false };
    let mut counts = KeyedCounts::new(&plan.orders(), k, Lift::Unit, None, true);
    let places: Vec<usize> = (0..counts.classes()).collect();
    if !counts.fill(&list, &lists.by_class, &places) {
        assert_eq!(counts.listing().keys.len(), 0, "refused lists change nothing");
        return;
    }
    let again = counts.listing();
    assert_eq!((&again.keys, &again.counts, &again.classes), (&list.keys, &list.counts, &list.classes));
    assert_eq!((&again.documents, &again.starts, &again.orders), (&list.documents, &list.starts, &list.orders));
    list.keys.iter().for_each(|key| assert!(counts.name(*key).len() <= 128 * (list.text.len() + 8)));
    let tags = [String::new()];
    let text = String::from_utf8_lossy(&list.text).into_owned();
    let records = Records { tags: &tags, columns: vec![vec![Document::Text(text.as_bytes())]] };
    let kinds = Kinds { orders: 2 }.kinds();
    let (worth, bias, mix) = (vec![1.0; kinds], vec![0.0; k], vec![0.1; k * k]);
    let common = counts.common(1, 9);
    let leanings = Arc::new(Leanings::new(&common, vec![0.1; common.len() * k], k));
    let table = Table { worth, scale: 1.0, power: 0.5, bias, temperature: 1.0, mix, leanings };
    let mut scores = vec![0.0; k];
    Evidence::new(&counts, 1.6).judge(&table, (encoder, &Spare::default()), &records, 1, &mut scores);
    assert!(scores.iter().all(|score| score.is_finite()));
    explain(&Evidence::new(&counts, 1.6), &table, encoder, &records);
    Evidence::new(&counts, 1.6).strongest(&table, 3);
    assert!(counts.learn(encoder, &records, &[0], 1, 1).is_ok());
    assert!(counts.learn(encoder, &records, &[0], -1, 1).is_ok());
    assert_eq!(counts.listing().counts, list.counts);
    let mut twice = counts.clone();
    if twice.merge(&counts, &places, 1).is_ok() {
        assert!(twice.merge(&counts, &places, -1).is_ok());
    }
    assert_eq!(twice.listing(), counts.listing());
    let places: Vec<usize> = (1..=k).collect();
    assert_eq!(counts.relabelled(&places, k + 1).listing().counts, list.counts);
}
