//! Several threads on several items.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Items for whoever comes next: a thread whose core is busy with something else takes fewer.
pub(super) struct Queue<I>(Mutex<I>);

impl<I: Iterator> Queue<I> {
    pub(super) fn new(items: I) -> Self {
        Self(Mutex::new(items))
    }

    pub(super) fn next(&self) -> Option<I::Item> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
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
