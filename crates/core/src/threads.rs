//! Several threads on several items.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Work is cut into so many pieces for each thread, if there are several: who is done early takes another.
const PIECES: usize = 16;

/// Into how many pieces work for so many threads is cut.
pub(crate) fn pieces(threads: usize) -> usize {
    if threads > 1 { threads * PIECES } else { 1 }
}

/// Items for whoever comes next: a thread whose core is busy with something else takes fewer.
pub(crate) struct Queue<I>(Mutex<I>);

impl<I: Iterator> Queue<I> {
    pub(crate) fn new(items: I) -> Self {
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
pub(crate) fn from_queue<I: ExactSizeIterator + Send, T: Send>(
    items: I,
    threads: usize,
    work: impl Fn(&Queue<I>) -> T + Sync,
) -> Vec<T> {
    let (threads, queue) = (threads.max(1).min(items.len()), Queue::new(items));
    each_thread(0..threads, |_| work(&queue))
}

/// The rows of `out`, `stride` numbers each, piece by piece.
pub(crate) fn by_pieces<T>(
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

/// Runs the work on each item, in as many threads as there are items; results in order.
///
/// Scoped threads instead of a pool: nothing to survive a `fork`, and starting one takes 20 µs.
pub(crate) fn each_thread<I: Send, T: Send>(items: impl Iterator<Item = I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    let items: Vec<I> = items.collect();
    let (count, queue) = (items.len(), Queue::new(items.into_iter().enumerate()));
    let take = || (&queue).map(|(i, item)| (i, work(item))).collect::<Vec<_>>();
    let mut done = thread::scope(|scope| {
        // Where the system has no more threads to give, those that run take the items of the others too.
        let workers = (1..count).map_while(|_| thread::Builder::new().spawn_scoped(scope, take).ok());
        let workers: Vec<_> = workers.collect();
        let mut done = take();
        for worker in workers {
            done.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_once_and_results_in_order() {
        for count in [0, 1, 2, 40] {
            let expected: Vec<usize> = (0..count).map(|i| i * i).collect();
            assert_eq!(each_thread(0..count, |i| i * i), expected);
            let taken = from_queue(0..count, 3, |queue| queue.sum::<usize>());
            assert_eq!(taken.iter().sum::<usize>(), (0..count).sum::<usize>());
        }
    }
}
