//! Where the tensors of a run lie in its bytes.

use std::ops::Range;

use safetensors::tensor::TensorInfo;
use safetensors::{Dtype, SafeTensors};

use super::count::little;
use super::{Run, RunError};

/// The integer type of the counts of one run: the smallest that holds its largest count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One byte: what one mail writes.
    One,
    /// Two bytes.
    Two,
    /// Four bytes.
    Four,
    /// Eight bytes.
    Eight,
}

impl Width {
    /// The smallest width that holds `largest` with either sign.
    pub fn holding(largest: u64) -> Self {
        match largest {
            0..=0x7f => Width::One,
            0x80..=0x7fff => Width::Two,
            0x8000..=0x7fff_ffff => Width::Four,
            _ => Width::Eight,
        }
    }

    /// Bytes per count.
    pub fn bytes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Two => 2,
            Width::Four => 4,
            Width::Eight => 8,
        }
    }

    /// How many counts take the room of a key.
    pub(super) fn cells_of_key(self) -> usize {
        KEY / self.bytes()
    }

    pub(super) fn dtype(self) -> Dtype {
        match self {
            Width::One => Dtype::I8,
            Width::Two => Dtype::I16,
            Width::Four => Dtype::I32,
            Width::Eight => Dtype::I64,
        }
    }
}

/// The parsed head of a run, in constant time: the body is neither read nor checked (see `Run::verify`).
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) entries: usize,
    pub(super) labels: usize,
    pub(super) width: Width,
    pub(super) largest: u64,
    /// The index has 2^bits buckets by the leading bits of the key.
    pub(super) bits: u32,
    rows: Range<usize>,
    seen: Range<usize>,
    born: Range<usize>,
    starts: Range<usize>,
}

/// The only layout there is so far.
pub(super) const VERSION: &str = "1";

/// Labels of a run, at most. Without entries a head can claim any number, and whoever reads it makes room for as many.
pub(super) const LABELS: usize = 65_535;

/// Bytes of a key.
pub(super) const KEY: usize = 8;

impl Layout {
    /// The layout of these bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, RunError> {
        let bad = |why: &str| RunError::Format(why.to_owned());
        let (head, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| RunError::Format(e.to_string()))?;
        let notes = metadata.metadata().as_ref().ok_or_else(|| bad("no metadata"))?;
        if notes.get("version").map(String::as_str) != Some(VERSION) {
            return Err(bad("unknown version"));
        }
        let largest = notes.get("largest").and_then(|n| n.parse().ok()).ok_or_else(|| bad("no largest count"))?;
        let info = |name: &str| metadata.info(name).ok_or_else(|| RunError::Format(format!("no tensor {name}")));
        let place = |info: &TensorInfo| {
            let (start, end) = info.data_offsets;
            let base = head.checked_add(8).ok_or_else(|| bad("length"))?;
            match (base.checked_add(start), base.checked_add(end)) {
                (Some(start), Some(end)) if start <= end && end <= bytes.len() => Ok(start..end),
                _ => Err(bad("a tensor lies outside the file")),
            }
        };
        let column = |name: &str, dtype: Dtype, size: usize, entries: usize| {
            let info = info(name)?;
            let range = place(info)?;
            let fits = info.dtype == dtype && info.shape == [entries] && Some(range.len()) == entries.checked_mul(size);
            if fits { Ok(range) } else { Err(RunError::Format(format!("tensor {name} has the wrong shape"))) }
        };
        let &[entries, cells] = info("rows")?.shape.as_slice() else { return Err(bad("rows is not a table")) };
        let width = match info("rows")?.dtype {
            Dtype::I8 => Width::One,
            Dtype::I16 => Width::Two,
            Dtype::I32 => Width::Four,
            Dtype::I64 => Width::Eight,
            _ => return Err(bad("rows are not integers")),
        };
        let rows = place(info("rows")?)?;
        let labels = cells.saturating_sub(width.cells_of_key());
        if labels > LABELS {
            return Err(RunError::Format(format!("{labels} labels, expected at most {LABELS}")));
        }
        let size = entries.checked_mul(cells).and_then(|all| all.checked_mul(width.bytes()));
        if Some(rows.len()) != size || labels == 0 || u32::try_from(entries).is_err() {
            return Err(bad("rows have the wrong shape"));
        }
        let &[ends] = info("starts")?.shape.as_slice() else { return Err(bad("starts is not a list")) };
        let buckets = ends.saturating_sub(1);
        if !buckets.is_power_of_two() || buckets > 1 << 32 {
            return Err(bad("the index is not a power of two"));
        }
        Ok(Self {
            entries,
            labels,
            width,
            largest,
            bits: buckets.trailing_zeros(),
            rows,
            seen: column("seen", Dtype::U16, 2, entries)?,
            born: column("born", Dtype::U16, 2, entries)?,
            starts: column("starts", Dtype::U32, 4, ends)?,
        })
    }

    /// The run in these bytes, which must be those the layout was read from.
    pub fn view<'a>(&self, bytes: &'a [u8]) -> Run<'a> {
        let part = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        Run {
            rows: part(&self.rows),
            entries: self.entries,
            labels: self.labels,
            width: self.width,
            largest: self.largest,
            seen: little(part(&self.seen)),
            born: little(part(&self.born)),
            starts: little(part(&self.starts)),
            bits: self.bits,
        }
    }

    /// How many keys the run holds.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// How many labels its counts have.
    pub fn labels(&self) -> usize {
        self.labels
    }
}
