//! Count rows: a sparse matrix in the layout that SciPy takes.

/// Rows of counts: row i is `columns[starts[i]..starts[i + 1]]` with the counts beside.
///
/// While a vocabulary is being learned, a column is the number of the term; [`Terms::finish`](super::Terms::finish)
/// replaces it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows<T> {
    /// Where each row starts, and the end.
    pub starts: Vec<i64>,
    /// Columns.
    pub columns: Vec<i32>,
    /// Counts.
    pub counts: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { starts: vec![0], columns: Vec::new(), counts: Vec::new() }
    }
}

impl<T: From<u32> + Copy> Rows<T> {
    /// Adds a row of sorted cells, each a number and its count.
    pub(super) fn push(&mut self, cells: &[u64]) {
        self.columns.extend(cells.iter().map(|cell| (cell >> 32) as i32));
        self.counts.extend(cells.iter().map(|cell| T::from(*cell as u32)));
        self.starts.push(self.columns.len() as i64);
    }

    /// Adds the rows of another.
    pub fn append(&mut self, other: &Self) {
        let base = self.columns.len() as i64;
        self.starts.extend(other.starts.iter().skip(1).map(|start| base + start));
        self.columns.extend_from_slice(&other.columns);
        self.counts.extend_from_slice(&other.counts);
    }

    /// Gives every number its new one and sorts the rows again.
    pub(super) fn renumber(&mut self, places: &[u32]) {
        let mut cells: Vec<(u32, T)> = Vec::new();
        for bounds in self.starts.windows(2) {
            let row = bounds[0] as usize..bounds[1] as usize;
            let (columns, counts) = (&mut self.columns[row.clone()], &mut self.counts[row]);
            cells.clear();
            cells.extend(columns.iter().map(|number| places[*number as usize]).zip(counts.iter().copied()));
            cells.sort_unstable_by_key(|cell| cell.0);
            for ((column, count), cell) in columns.iter_mut().zip(counts).zip(&cells) {
                (*column, *count) = (cell.0 as i32, cell.1);
            }
        }
    }
}

/// Counts the numbers of one document after the other.
#[derive(Default)]
pub(super) struct Counter {
    /// Where each number may stand in `cells`; right only if it does stand there, so it never needs clearing.
    marks: Vec<u32>,
    /// Number and count, packed so that they sort by number.
    cells: Vec<u64>,
}

impl Counter {
    /// Appends the row of a document: each of its numbers once, sorted, with the count.
    pub(super) fn count<T: From<u32> + Copy>(&mut self, numbers: &[u32], rows: &mut Rows<T>) {
        let most = numbers.iter().max().map_or(0, |most| *most as usize);
        if most >= self.marks.len() {
            self.marks.resize((most + 1) * 2, 0);
        }
        self.cells.clear();
        for &number in numbers {
            let mark = &mut self.marks[number as usize];
            match self.cells.get_mut(*mark as usize) {
                Some(cell) if (*cell >> 32) as u32 == number => *cell += 1,
                _ => {
                    *mark = self.cells.len() as u32;
                    self.cells.push((number as u64) << 32 | 1);
                }
            }
        }
        self.cells.sort_unstable();
        rows.push(&self.cells);
    }
}
