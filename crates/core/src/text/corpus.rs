//! Many documents at once, read by several threads with the result of one.

use std::thread;

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
            let mut reader = Reader::new(plan, Frozen(self));
            share.iter().for_each(|document| reader.read(document, &mut rows));
            reader.flush(&mut rows);
            rows
        };
        let mut parts = shares(documents, threads, Document::size);
        let rest = parts.split_off(1);
        thread::scope(|scope| {
            let read = &read;
            let workers: Vec<_> = rest.into_iter().map(|share| scope.spawn(move || read(share))).collect();
            let mut rows = parts.into_iter().map(read).next().unwrap_or_default();
            workers.into_iter().for_each(|worker| rows.append(&join(worker)));
            rows
        })
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
        let mut parts = shares(documents, threads, Document::size);
        let rest = parts.split_off(1);
        thread::scope(|scope| {
            let read = |share: &[Document]| {
                let (mut terms, mut rows) = (Terms::new(plan), Rows::default());
                terms.read(plan, share, &mut rows);
                (terms, rows)
            };
            let workers: Vec<_> = rest.into_iter().map(|share| scope.spawn(move || read(share))).collect();
            parts.into_iter().for_each(|share| self.read(plan, share, rows));
            for worker in workers {
                let (terms, part) = join(worker);
                let places = self.absorb(&terms, threads);
                rows.append_renumbered(&part, &places, threads);
            }
        });
        if self.full { Err(TextError::Full) } else { Ok(()) }
    }

    fn read<T: From<u32> + Copy>(&mut self, plan: &Plan, documents: &[Document], rows: &mut Rows<T>) {
        if plan.makes_grams() {
            // 57 MB of news and mail had a new pair of words every 26 bytes; more text has fewer. One in 80 is a safe start.
            self.grams.reserve(documents.iter().map(Document::size).sum::<usize>() / 80);
        }
        let mut reader = Reader::new(plan, Growing(self));
        documents.iter().for_each(|document| reader.read(document, rows));
        reader.flush(rows);
    }

    /// Gives columns to new terms and puts them in the place of the numbers.
    pub fn finish<T: Send>(&mut self, rows: &mut Rows<T>, threads: usize) {
        self.assign_columns();
        let columns = &self.columns;
        let size = rows.columns.len().div_ceil(threads.max(1)).max(NUMBERS);
        thread::scope(|scope| {
            for chunk in rows.columns.chunks_mut(size) {
                scope.spawn(move || chunk.iter_mut().for_each(|number| *number = columns[*number as usize] as i32));
            }
        });
    }
}

/// The worker's result; a panic goes on in this thread.
pub(super) fn join<T>(worker: thread::ScopedJoinHandle<'_, T>) -> T {
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
