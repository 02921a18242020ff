//! Any bytes as text: reading never panics, keys and traces agree, and looking up what was learned gives the same counts.
#![no_main]

use arbitrary::Arbitrary;
use bayleaf_core::text::{Chars, Document, Encoded, Encoder, Pattern, Plan, Rows, Settings, Terms, Workspace};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Case {
    texts: Vec<Vec<u8>>,
    analyzer: u8,
    accents: u8,
    pattern: u8,
    lowercase: bool,
    low: u8,
    more: u8,
    skip: u8,
    stem: bool,
    unspaced: bool,
}

fuzz_target!(|case: Case| {
    let low = usize::from(case.low % 4) + 1;
    let patterns = [r"\w+|[^\w\s]", r"\b\w\w+\b", r"\S+", r"\w+ ?", r"(?:x|.)(\w)?"];
    let Ok(pattern) = Pattern::parse(patterns[usize::from(case.pattern) % patterns.len()]) else { return };
    let mut settings = Settings { pattern, ngrams: (low, low + usize::from(case.more % 3)), ..Settings::default() };
    settings.fold.lowercase = case.lowercase;
    settings.skip = usize::from(case.skip % 5);
    settings.unspaced = case.unspaced;
    settings.stemmer = case.stem.then(|| "english".to_owned());
    let analyzer = ["word", "char", "char_wb"][usize::from(case.analyzer) % 3];
    let accents = [None, Some("ascii"), Some("unicode")][usize::from(case.accents) % 3];
    let Ok(settings) = settings.named(analyzer, accents) else { return };
    let Ok(plan) = Plan::new(settings, Chars::shared()) else { return };

    let documents: Vec<_> = case.texts.iter().map(|text| Document::Text(text)).collect();
    let (mut terms, mut rows) = (Terms::new(&plan), Rows::<i64>::default());
    assert!(terms.learn(&plan, &documents, 1, &mut rows).is_ok());
    terms.finish(&mut rows, 1);
    let again: Rows<i64> = terms.look_up(&plan, &documents, 1);
    assert_eq!(rows.starts, again.starts);
    assert_eq!(rows.counts.iter().sum::<i64>(), again.counts.iter().sum::<i64>());

    let encoder = Encoder { plan: &plan, seed: 0, presence: false };
    let (mut work, mut out) = (Workspace::with_names(), Encoded::default());
    for text in &case.texts {
        encoder.encode(&[("", Document::Text(text))], &mut work, &mut out);
        let total: u32 = out.counts.iter().sum();
        if analyzer == "word" {
            assert_eq!(encoder.trace("", text).len(), total as usize);
        }
        assert_eq!(out.name_ends.len(), out.len());
    }
});
