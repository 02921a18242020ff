//! Several threads on several items.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Work is cut into so many pieces for each thread, if there are several: who is done early takes another.
const PIECES: usize = 16;

/// Into how many pieces work for so many threads is cut.
pub(super) fn pieces(threads: usize) -> usize {
    if threads > 1 { threads * PIECES } else { 1 }
}

/// Items for whoever comes next: a thread whose core is busy with something else takes fewer.
pub(super) struct Queue<I>(Mutex<I>);

impl<I: Iterator> Queue<I> {
    pub(super) fn new(items: I) -> Self {
        Self(Mutex::new(items))
    }
}

impl<I: Iterator> Iterator for &Queue<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

/// Runs the work in so many threads, if there are as many items; each takes items until there are no more.
pub(super) fn from_queue<I: ExactSizeIterator + Send, T: Send>(
    items: I,
    threads: usize,
    work: impl Fn(&Queue<I>) -> T + Sync,
) -> Vec<T> {
    let (threads, queue) = (threads.max(1).min(items.len()), Queue::new(items));
    each_thread(0..threads, |_| work(&queue))
}

/// The rows of `out`, `stride` numbers each, piece by piece.
pub(super) fn by_pieces<T>(
    mut out: &mut [T],
    stride: usize,
    pieces: Vec<Range<usize>>,
) -> impl ExactSizeIterator<Item = (Range<usize>, &mut [T])> {
    pieces.into_iter().map(move |rows| {
        let (part, rest) = std::mem::take(&mut out).split_at_mut(rows.len() * stride);
        out = rest;
        (rows, part)
    })
}

/// Runs the work on each item, all but the last in threads of their own; results in order.
pub(super) fn each_thread<I: Send, T: Send>(items: impl Iterator<Item = I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let mut items: Vec<I> = items.collect();
    let Some(last) = items.pop() else { return Vec::new() };
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = items.into_iter().map(|item| scope.spawn(move || work(item))).collect();
        let own = work(last);
        let done = workers.into_iter().map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let mut out: Vec<T> = done.collect();
        out.push(own);
        out
    })
}
