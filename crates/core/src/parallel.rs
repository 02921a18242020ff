//! Fixed chunks of rows, spread over threads.
//!
//! Chunk borders depend on the data alone and chunk results are joined in order, so sums of floats come out with the
//! same bits on one thread and on many.

use std::ops::Range;

use crate::threads::each_thread;

/// Batches with fewer entries than this stay on the calling thread.
const WORTH_A_THREAD: usize = 1 << 17;

/// Row ranges that cut `rows` into at most `most` chunks of nearly equal length, each of at least `least` rows.
pub fn chunks(rows: usize, least: usize, most: usize) -> Vec<Range<usize>> {
    let count = (rows / least.max(1)).clamp(1, most.max(1));
    (0..count).map(|i| rows * i / count..rows * (i + 1) / count).collect()
}

/// Runs `work` on every chunk and hands the results to `join` in the order of the chunks.
pub fn in_order<T: Send>(
    chunks: &[Range<usize>],
    threads: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
    mut join: impl FnMut(T),
) {
    for wave in chunks.chunks(threads.max(1)) {
        each_thread(wave.iter().cloned(), &work).into_iter().for_each(&mut join);
    }
}

/// Splits `out`, which holds `stride` numbers per row, over the threads; `work` sees the first row and its part.
pub fn by_rows<T: Send>(
    out: &mut [f64],
    stride: usize,
    entries: usize,
    threads: usize,
    work: impl Fn(usize, &mut [f64]) -> T + Sync,
) -> Vec<T> {
    let rows = out.len() / stride.max(1);
    if threads < 2 || entries < WORTH_A_THREAD || rows < 2 {
        return vec![work(0, out)];
    }
    let share = rows.div_ceil(threads);
    each_thread(out.chunks_mut(share * stride).enumerate(), |(i, part)| work(i * share, part))
}
