//! Many documents at once: their terms in a row, read by several threads with the result of one.

use std::thread;

use super::reader::{Book, Frozen, Growing, Reader};
use super::share::shares;
use super::{Document, Plan, Terms, TextError};

/// The numbers of the terms of documents, one document after the other.
#[derive(Default)]
pub struct Stream {
    pub(super) numbers: Vec<u32>,
    pub(super) ends: Vec<usize>,
}

impl Stream {
    /// How many documents.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is it without documents?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn read<B: Book>(&mut self, plan: &Plan, book: B, documents: &[Document]) {
        let mut reader = Reader::new(plan, book);
        for document in documents {
            reader.read(document, &mut self.numbers);
            self.ends.push(self.numbers.len());
        }
    }

    fn append(&mut self, other: &Self) {
        let start = self.numbers.len();
        self.numbers.extend_from_slice(&other.numbers);
        self.ends.extend(other.ends.iter().map(|end| start + end));
    }

    /// Looks the documents' terms up; unknown terms are left out. The numbers are columns.
    pub fn look_up(plan: &Plan, terms: &Terms, documents: &[Document], threads: usize) -> Self {
        let mut stream = Self::default();
        thread::scope(|scope| {
            let work = |share: &[Document]| {
                let mut part = Self::default();
                part.read(plan, Frozen(terms), share);
                part
            };
            let mut parts = shares(documents, threads, Document::size);
            let rest = parts.split_off(1);
            let workers: Vec<_> = rest.into_iter().map(|share| scope.spawn(move || work(share))).collect();
            parts.into_iter().for_each(|share| stream.read(plan, Frozen(terms), share));
            workers.into_iter().for_each(|worker| stream.append(&join(worker)));
        });
        stream
    }

    /// Reads documents and takes all their terms in. The numbers are those of first sight, whatever the threads:
    /// each thread counts its own share from nothing, and the shares' vocabularies join in order.
    pub fn learn(
        &mut self,
        plan: &Plan,
        terms: &mut Terms,
        documents: &[Document],
        threads: usize,
    ) -> Result<(), TextError> {
        thread::scope(|scope| {
            let mut parts = shares(documents, threads, Document::size);
            let rest = parts.split_off(1);
            let work = |share: &[Document]| {
                let (mut terms, mut part) = (Terms::new(plan), Self::default());
                part.read(plan, Growing(&mut terms), share);
                (terms, part)
            };
            let workers: Vec<_> = rest.into_iter().map(|share| scope.spawn(move || work(share))).collect();
            parts.into_iter().for_each(|share| self.read(plan, Growing(terms), share));
            for worker in workers {
                let (part_terms, part) = join(worker);
                let places = terms.absorb(&part_terms);
                let start = self.numbers.len();
                self.append(&part);
                renumber(&mut self.numbers[start..], &places, threads);
            }
        });
        if terms.full { Err(TextError::Full) } else { Ok(()) }
    }
}

fn renumber(numbers: &mut [u32], places: &[u32], threads: usize) {
    let size = numbers.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        for chunk in numbers.chunks_mut(size) {
            scope.spawn(move || chunk.iter_mut().for_each(|number| *number = places[*number as usize]));
        }
    });
}

/// The worker's result; a panic goes on in this thread.
fn join<T>(worker: thread::ScopedJoinHandle<'_, T>) -> T {
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
