//! Texts and the counts of them.

use bayleaf_core::keyed::{KeyedCounts, Lift, Records};
use bayleaf_core::text::{Chars, Document, Encoder, Plan, Settings};
use proptest::prelude::*;

/// Classes.
pub(crate) const K: usize = 3;

pub(crate) fn plan(skip: usize) -> Plan {
    Plan::new(Settings { skip, ..Settings::default() }, Chars::shared()).unwrap_or_else(|error| unreachable!("{error}"))
}

pub(crate) fn encoder(plan: &Plan) -> Encoder<'_> {
    Encoder { plan, seed: 7, presence: false }
}

pub(crate) fn records<'a>(tags: &'a [String], texts: &'a [(String, u16)]) -> (Records<'a>, Vec<u16>) {
    let column = texts.iter().map(|(text, _)| Document::Text(text.as_bytes())).collect();
    (Records { tags, columns: vec![column] }, texts.iter().map(|(_, class)| *class).collect())
}

pub(crate) fn counted(
    plan: &Plan,
    texts: &[(String, u16)],
    lift: Lift,
    buckets: Option<u64>,
    threads: usize,
) -> KeyedCounts {
    let mut counts = KeyedCounts::new(&plan.orders(), K, lift, buckets, true);
    learn(&mut counts, plan, texts, 1, threads);
    counts
}

pub(crate) fn learn(counts: &mut KeyedCounts, plan: &Plan, texts: &[(String, u16)], sign: i64, threads: usize) -> bool {
    let tags = ["t:".to_owned()];
    let (records, classes) = records(&tags, texts);
    counts.learn(encoder(plan), &records, &classes, sign, threads).is_ok()
}

pub(crate) fn texts() -> impl Strategy<Value = Vec<(String, u16)>> {
    prop::collection::vec(("([abc]{1,2} |ß\u{4e2d}\u{6587} |\\. ){0,12}", 0..K as u16), 0..14)
}

pub(crate) fn lifts() -> impl Strategy<Value = Lift> {
    prop::sample::select(vec![Lift::Unit, Lift::Count, Lift::Presence])
}
