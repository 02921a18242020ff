//! Entries in ascending order, written as a run.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use safetensors::{Dtype, View};

use super::count::narrow;
use super::layout::{KEY, LABELS, VERSION};
use super::run::bucket;
use super::{Entry, RunError, Width};

/// Keys per bucket of the index, at least; at most twice that: with two labels about one line of the cache.
const BUCKET: usize = 3;

/// Collects the columns of a run.
#[derive(Debug)]
pub struct Writer {
    labels: usize,
    width: Width,
    largest: u64,
    entries: usize,
    rows: Vec<u8>,
    seen: Vec<u8>,
    born: Vec<u8>,
}

struct Column<'a> {
    dtype: Dtype,
    shape: Vec<usize>,
    data: Cow<'a, [u8]>,
}

impl View for Column<'_> {
    fn dtype(&self) -> Dtype {
        self.dtype
    }
    fn shape(&self) -> &[usize] {
        &self.shape
    }
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.data)
    }
    fn data_len(&self) -> usize {
        self.data.len()
    }
}

impl Writer {
    /// An empty run; no count will be larger than `bound`.
    pub fn new(labels: usize, bound: u64, capacity: usize) -> Self {
        let width = Width::holding(bound);
        Self {
            labels,
            width,
            largest: 0,
            entries: 0,
            rows: Vec::with_capacity(capacity * (KEY + labels * width.bytes())),
            seen: Vec::with_capacity(capacity * 2),
            born: Vec::with_capacity(capacity * 2),
        }
    }

    /// Appends one entry, unless all its counts are zero.
    #[inline]
    pub fn push(&mut self, entry: Entry, counts: &[i64]) -> Result<(), RunError> {
        if counts.iter().all(|&n| n == 0) {
            return Ok(());
        }
        self.rows.extend(entry.key.to_le_bytes());
        for &count in counts {
            self.largest = self.largest.max(count.unsigned_abs());
            narrow(count, self.width, &mut self.rows).ok_or(RunError::Overflow(entry.key))?;
        }
        self.entries += 1;
        self.seen.extend(entry.seen.to_le_bytes());
        self.born.extend(entry.born.to_le_bytes());
        Ok(())
    }

    /// The whole run as bytes.
    pub fn bytes(&self) -> Result<Vec<u8>, RunError> {
        safetensors::serialize(self.columns()?, Some(self.notes())).map_err(|e| RunError::Disk(e.to_string()))
    }

    /// The whole run as a new file; the caller makes it durable.
    pub fn file(&self, path: &Path) -> Result<(), RunError> {
        safetensors::serialize_to_file(self.columns()?, Some(self.notes()), path)
            .map_err(|e| RunError::Disk(e.to_string()))
    }

    fn notes(&self) -> HashMap<String, String> {
        [("version", VERSION.to_owned()), ("largest", self.largest.to_string())]
            .map(|(name, value)| (name.to_owned(), value))
            .into()
    }

    fn columns(&self) -> Result<Vec<(&'static str, Column<'_>)>, RunError> {
        let n = self.entries;
        if u32::try_from(n).is_err() {
            return Err(RunError::Format(format!("{n} keys, expected at most 2^32; expire some")));
        }
        if self.labels > LABELS {
            return Err(RunError::Format(format!("{} labels, expected at most {LABELS}", self.labels)));
        }
        let cells = self.width.cells_of_key() + self.labels;
        let starts = self.starts();
        let ends = starts.len() / 4;
        let column = |dtype, shape, data| Column { dtype, shape, data };
        Ok(vec![
            ("rows", column(self.width.dtype(), vec![n, cells], Cow::Borrowed(&self.rows))),
            ("seen", column(Dtype::U16, vec![n], Cow::Borrowed(&self.seen))),
            ("born", column(Dtype::U16, vec![n], Cow::Borrowed(&self.born))),
            ("starts", column(Dtype::U32, vec![ends], Cow::Owned(starts))),
        ])
    }

    /// For each bucket of leading bits the position of its first key, and the end.
    fn starts(&self) -> Vec<u8> {
        let bits = (self.entries / BUCKET).max(1).ilog2();
        let buckets = 1_usize << bits;
        let mut starts = Vec::with_capacity(4 * (buckets + 1));
        let mut placed = 0;
        let rows = self.rows.chunks_exact(KEY + self.labels * self.width.bytes());
        for (at, &key) in rows.filter_map(|row| row.first_chunk()).enumerate() {
            while placed <= bucket(u64::from_le_bytes(key), bits) {
                starts.extend((at as u32).to_le_bytes());
                placed += 1;
            }
        }
        for _ in placed..=buckets {
            starts.extend((self.entries as u32).to_le_bytes());
        }
        starts
    }
}
