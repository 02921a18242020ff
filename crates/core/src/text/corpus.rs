//! Many documents at once, read by several threads with the result of one.

use crate::threads::each_thread;

use super::book::{Frozen, Growing};
use super::reader::Reader;
use super::share::shares;
use super::terms::NUMBERS;
use super::{Document, Plan, Rows, Terms, TextError};

impl Terms {
    /// Counts the known terms of documents; each row is sorted by column.
    pub fn look_up<T: From<u32> + Copy + Send>(&self, plan: &Plan, documents: &[Document], threads: usize) -> Rows<T> {
        let read = |share: &[Document]| {
            let mut rows = Rows::default();
            let mut reader = Reader::new(plan, Frozen(self), share.iter().map(Document::size).sum());
            share.iter().for_each(|document| reader.read(document, &mut rows));
            reader.flush(&mut rows);
            rows
        };
        Rows::joined(each_thread(shares(documents, threads, Document::size).into_iter(), read))
    }

    /// Reads documents, takes all their terms in and appends their rows.
    ///
    /// The numbers are those of first sight, whatever the threads: each thread counts its share from nothing, and the
    /// shares' vocabularies join in order.
    pub fn learn<T: From<u32> + Copy + Send>(
        &mut self,
        plan: &Plan,
        documents: &[Document],
        threads: usize,
        rows: &mut Rows<T>,
    ) -> Result<(), TextError> {
        let mut own = Some((std::mem::replace(self, Terms::new(plan)), std::mem::take(rows)));
        let parts = shares(documents, threads, Document::size).into_iter();
        let work = parts.map(|share| (share, own.take().unwrap_or_else(|| (Terms::new(plan), Rows::default()))));
        let mut done = each_thread(work, |(share, (mut terms, mut rows))| {
            terms.read(plan, share, &mut rows);
            (terms, rows)
        })
        .into_iter();
        if let Some(first) = done.next() {
            (*self, *rows) = first;
        }
        for (terms, part) in done {
            let places = self.absorb(&terms, threads);
            rows.append_renumbered(&part, &places, threads);
        }
        if self.full { Err(TextError::Full) } else { Ok(()) }
    }

    fn read<T: From<u32> + Copy>(&mut self, plan: &Plan, documents: &[Document], rows: &mut Rows<T>) {
        let size = documents.iter().map(Document::size).sum();
        if plan.makes_grams() {
            // 57 MB of news and mail had a new pair of words every 26 bytes; more text has fewer. One in 80 is a safe start.
            self.grams.reserve(size / 80);
        }
        let mut reader = Reader::new(plan, Growing(self), size);
        documents.iter().for_each(|document| reader.read(document, rows));
        reader.flush(rows);
    }

    /// Gives columns to new terms and puts them in the place of the numbers.
    pub fn finish<T: Send>(&mut self, rows: &mut Rows<T>, threads: usize) {
        self.assign_columns();
        let columns = &self.columns;
        let size = rows.columns.len().div_ceil(threads.max(1)).max(NUMBERS);
        let put = |chunk: &mut [i32]| chunk.iter_mut().for_each(|number| *number = columns[*number as usize] as i32);
        each_thread(rows.columns.chunks_mut(size), put);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Chars, Encoded, Encoder, Pattern, Settings, Workspace};
    use proptest::prelude::*;

    const PATTERNS: [&str; 5] = [r"\w+|[^\w\s]", r"\b\w\w+\b", r"\S+", r"\w+ ?", r"(?:x|.)(\w)?"];

    fn plan(pattern: usize, analyzer: &str, low: usize, skip: usize) -> Plan {
        let pattern = Pattern::parse(PATTERNS[pattern]).unwrap_or(Pattern::Marks);
        let settings = Settings { pattern, ngrams: (low, low + 1), skip, ..Settings::default() };
        let settings = settings.named(analyzer, Some("unicode")).unwrap_or_default();
        Plan::new(settings, Chars::shared()).unwrap_or_else(|error| unreachable!("{error}"))
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_the_same_twice(
            texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..8),
            pattern in 0usize..5, analyzer in prop::sample::select(vec!["word", "char", "char_wb"]),
            low in 1usize..4, skip in 0usize..5,
        ) {
            let plan = plan(pattern, analyzer, low, skip);
            let documents: Vec<_> = texts.iter().map(|text| Document::Text(text)).collect();
            let (mut terms, mut rows) = (Terms::new(&plan), Rows::<i64>::default());
            prop_assert!(terms.learn(&plan, &documents, 1, &mut rows).is_ok());
            terms.finish(&mut rows, 1);
            let again: Rows<i64> = terms.look_up(&plan, &documents, 1);
            prop_assert_eq!(&rows.starts, &again.starts);
            prop_assert_eq!(rows.counts.iter().sum::<i64>(), again.counts.iter().sum::<i64>());
            let encoder = Encoder { plan: &plan, seed: 0, presence: false };
            let (mut work, mut out) = (Workspace::with_names(), Encoded::default());
            for text in &texts {
                encoder.encode(&[("", Document::Text(text))], &mut work, &mut out);
                prop_assert_eq!(out.name_ends.len(), out.len());
                if analyzer == "word" {
                    prop_assert_eq!(encoder.trace("", text).len(), out.counts.iter().sum::<u32>() as usize);
                }
            }
        }

    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn threads_change_nothing(seed in any::<u64>(), high in 1usize..4) {
            let word = |i: u64| format!("w{} ", (i.wrapping_mul(seed | 1) >> 40) % 500);
            let texts: Vec<String> = (0..60).map(|d| (0..900).map(|i| word(d * 900 + i)).collect()).collect();
            let documents: Vec<_> = texts.iter().map(|text| Document::Text(text.as_bytes())).collect();
            let plan = Plan::new(Settings { ngrams: (1, high), skip: 2, ..Settings::default() }, Chars::shared());
            let plan = plan.unwrap_or_else(|error| unreachable!("{error}"));
            let results: Vec<_> = [1, 2, 5].into_iter().map(|threads| {
                let (mut terms, mut rows) = (Terms::new(&plan), Rows::<i64>::default());
                let learned = terms.learn(&plan, &documents, threads, &mut rows);
                terms.finish(&mut rows, threads);
                (learned, rows)
            }).collect();
            prop_assert_eq!(&results[0], &results[1]);
            prop_assert_eq!(&results[0], &results[2]);
        }
    }
}
