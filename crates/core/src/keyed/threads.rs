//! Several threads on several items.

use std::thread;

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
