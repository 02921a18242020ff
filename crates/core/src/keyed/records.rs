//! Documents with fields.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::text::Document;

/// Documents in columns: the same number of texts for every tag ("subject:", or "" for none).
pub struct Records<'a> {
    /// One tag per column.
    pub tags: &'a [String],
    /// One column per tag.
    pub columns: Vec<Vec<Document<'a>>>,
}

impl<'a> Records<'a> {
    /// How many documents.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The fields of a document, put in the place of what `fields` held.
    pub fn fields(&self, row: usize, fields: &mut Vec<(&'a str, Document<'a>)>) {
        fields.clear();
        let columns = self.tags.iter().zip(&self.columns);
        fields.extend(columns.filter_map(|(tag, column)| Some((tag.as_str(), column.get(row)?.clone()))));
    }

    /// A number that depends on the document's texts alone, by which samples are drawn.
    pub fn fingerprint(&self, row: usize) -> u64 {
        let mut seed = 0;
        for (tag, column) in self.tags.iter().zip(&self.columns) {
            seed = xxh3_64_with_seed(tag.as_bytes(), seed);
            seed = match column.get(row) {
                Some(Document::Text(text)) => xxh3_64_with_seed(text, seed),
                Some(Document::Tokens(tokens)) => {
                    tokens.iter().fold(seed, |seed, token| xxh3_64_with_seed(token, seed))
                }
                None => seed,
            };
        }
        seed
    }

    /// Size of all texts.
    pub(super) fn bytes(&self) -> usize {
        (0..self.len()).map(|row| self.size(row)).sum()
    }

    /// Size of the texts of a document.
    pub(super) fn size(&self, row: usize) -> usize {
        self.columns.iter().filter_map(|column| Some(column.get(row)?.size() + 1)).sum()
    }

    /// Consecutive blocks of documents, each a little over `most` bytes.
    pub(super) fn blocks(&self, most: usize) -> Vec<Range<usize>> {
        let (mut out, mut start, mut seen) = (Vec::new(), 0, 0);
        for row in 0..self.len() {
            seen += self.size(row);
            if seen >= most || row + 1 == self.len() {
                out.push(start..row + 1);
                (start, seen) = (row + 1, 0);
            }
        }
        out
    }

    /// The rows of a block in at most `count` consecutive shares of about equal size.
    pub(super) fn shares(&self, block: Range<usize>, count: usize) -> Vec<Range<usize>> {
        let rows: Vec<usize> = block.collect();
        let parts = crate::text::share::shares(&rows, count, |row| self.size(*row));
        parts.into_iter().filter_map(|part| Some(*part.first()?..part.last()? + 1)).collect()
    }
}
