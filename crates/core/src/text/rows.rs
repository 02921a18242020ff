//! Count rows: a sparse matrix in the layout that SciPy takes.

use std::thread;

use super::lexicon::NONE;
use super::share::shares;
use super::{Stream, Terms};

/// Rows of counts: row i is `columns[starts[i]..starts[i + 1]]` with the counts beside.
pub struct Rows<T> {
    /// Where each row starts, and the end.
    pub starts: Vec<i64>,
    /// Columns.
    pub columns: Vec<i32>,
    /// Counts.
    pub counts: Vec<T>,
}

impl Stream {
    /// The counts by column, each row in the order in which the terms were first seen, as scikit-learn leaves it.
    pub fn learned_rows<T: From<u32> + Copy + Default + Send>(self, terms: &Terms, threads: usize) -> Rows<T> {
        self.rows(threads, |number| terms.columns.get(number as usize).copied().unwrap_or(NONE) as i32)
    }

    /// The counts of looked-up terms, each row sorted by column.
    pub fn rows_by_column<T: From<u32> + Copy + Default + Send>(self, threads: usize) -> Rows<T> {
        self.rows(threads, |number| number as i32)
    }

    /// Sorts each document's numbers and counts equal ones: one pass to sort and to learn the size of each row, one to
    /// write into place. Both are shared out between threads.
    fn rows<T: From<u32> + Copy + Default + Send>(
        mut self,
        threads: usize,
        column: impl Fn(u32) -> i32 + Sync,
    ) -> Rows<T> {
        let spans = spans(&self.ends);
        let parts = shares(&spans, threads, |span| span.1 - span.0);
        let sizes = sort_rows(&mut self.numbers, &parts);
        let mut starts = Vec::with_capacity(sizes.len() + 1);
        starts.push(0);
        let mut total = 0;
        starts.extend(sizes.iter().map(|size| {
            total += *size as i64;
            total
        }));
        let mut columns = vec![0; total as usize];
        let mut counts = vec![T::default(); total as usize];
        write_rows(&self.numbers, &parts, &sizes, &column, &mut columns, &mut counts);
        Rows { starts, columns, counts }
    }
}

fn spans(ends: &[usize]) -> Vec<(usize, usize)> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends.iter().copied()).collect()
}

/// Sorts the numbers of each document; returns how many are distinct in each.
fn sort_rows(numbers: &mut [u32], parts: &[&[(usize, usize)]]) -> Vec<u32> {
    let documents = parts.iter().map(|part| part.len()).sum();
    let mut sizes = vec![0; documents];
    let (mut rest, mut rest_sizes): (&mut [u32], &mut [u32]) = (numbers, &mut sizes);
    thread::scope(|scope| {
        for (i, part) in parts.iter().enumerate() {
            let (mine, others) = rest.split_at_mut(length(part));
            let (my_sizes, other_sizes) = rest_sizes.split_at_mut(part.len());
            (rest, rest_sizes) = (others, other_sizes);
            let work = move || {
                let base = part.first().map_or(0, |span| span.0);
                for (span, size) in part.iter().zip(my_sizes) {
                    let row = &mut mine[span.0 - base..span.1 - base];
                    row.sort_unstable();
                    *size = row.chunk_by(|a, b| a == b).count() as u32;
                }
            };
            run(scope, i + 1 == parts.len(), work);
        }
    });
    sizes
}

fn write_rows<T: From<u32> + Send>(
    numbers: &[u32],
    parts: &[&[(usize, usize)]],
    sizes: &[u32],
    column: &(impl Fn(u32) -> i32 + Sync),
    columns: &mut [i32],
    counts: &mut [T],
) {
    let (mut columns, mut counts, mut sizes) = (columns, counts, sizes);
    thread::scope(|scope| {
        for (i, part) in parts.iter().enumerate() {
            let (my_sizes, other_sizes) = sizes.split_at(part.len());
            let total = my_sizes.iter().map(|size| *size as usize).sum();
            let (my_columns, other_columns) = columns.split_at_mut(total);
            let (my_counts, other_counts) = counts.split_at_mut(total);
            (columns, counts, sizes) = (other_columns, other_counts, other_sizes);
            let work = move || {
                let mut cells = my_columns.iter_mut().zip(my_counts);
                for span in part.iter() {
                    let groups = numbers[span.0..span.1].chunk_by(|a, b| a == b);
                    for (group, (to_column, to_count)) in groups.zip(&mut cells) {
                        *to_column = column(group[0]);
                        *to_count = T::from(group.len() as u32);
                    }
                }
            };
            run(scope, i + 1 == parts.len(), work);
        }
    });
}

fn length(part: &[(usize, usize)]) -> usize {
    part.last().map_or(0, |span| span.1) - part.first().map_or(0, |span| span.0)
}

/// In a thread of its own, except the last share, which this thread does.
fn run<'scope>(scope: &'scope thread::Scope<'scope, '_>, here: bool, work: impl FnOnce() + Send + 'scope) {
    if here { work() } else { drop(scope.spawn(work)) }
}
