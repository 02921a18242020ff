//! Character n-grams, over the whole text or inside words.

use super::fold::PAD;
use super::{Analyzer, Document, Plan, scan, utf8};

/// Scratch space that is reused from document to document.
#[derive(Default)]
pub(super) struct Letters {
    text: Vec<u8>,
    bounds: Vec<usize>,
}

impl Letters {
    /// Calls `found(text, start, end, n)` for each n-gram of characters.
    pub(super) fn each(
        &mut self,
        plan: &Plan,
        document: &Document,
        raw: &mut Vec<u8>,
        mut found: impl FnMut(&[u8], usize, usize, usize),
    ) {
        let len = plan.fold(document, raw);
        let (low, high) = plan.settings.ngrams;
        if plan.settings.analyzer == Analyzer::CharWb {
            self.space_words(plan, raw, len);
            self.inside_words(low, high, &mut found);
        } else {
            self.join_spaces(plan, raw, len);
            self.across(low, high, &mut found);
        }
    }

    /// Runs of two or more spaces become one blank; a single space stays what it is.
    fn join_spaces(&mut self, plan: &Plan, raw: &[u8], len: usize) {
        self.text.clear();
        let (mut at, mut spaces, mut last) = (0, 0, 0);
        while at < len {
            let (code, size) = utf8::decode(raw, at);
            if plan.chars.is_space(code) {
                spaces += 1;
                if spaces == 2 {
                    self.text.truncate(last);
                    self.text.push(b' ');
                }
            } else {
                spaces = 0;
            }
            if spaces < 2 {
                last = self.text.len();
                self.text.extend_from_slice(&raw[at..at + size]);
            }
            at += size;
        }
        self.text.resize(self.text.len() + PAD, b' ');
    }

    /// The words with one blank before and after each; neighbours share it.
    fn space_words(&mut self, plan: &Plan, raw: &[u8], len: usize) {
        let text = &mut self.text;
        text.clear();
        text.push(b' ');
        scan::blanks(&plan.chars, raw, len, |start, end| {
            text.extend_from_slice(&raw[start..end]);
            text.push(b' ');
        });
        text.resize(text.len() + PAD, b' ');
    }

    fn across(&mut self, low: usize, high: usize, found: &mut impl FnMut(&[u8], usize, usize, usize)) {
        let len = self.text.len() - PAD;
        let ascii = self.text.is_ascii();
        let count = if ascii { len } else { mark_bounds(&self.text, 0, len, &mut self.bounds) };
        let bounds = &self.bounds;
        let bound = |i: usize| if ascii { i } else { bounds[i] };
        for n in low..=high.min(count) {
            for i in 0..=count - n {
                found(&self.text, bound(i), bound(i + n), n);
            }
        }
    }

    fn inside_words(&mut self, low: usize, high: usize, found: &mut impl FnMut(&[u8], usize, usize, usize)) {
        let len = self.text.len() - PAD;
        let mut start = 0;
        while start + 1 < len {
            let next = self.text[start + 1..len].iter().position(|b| *b == b' ');
            let end = next.map_or(len, |offset| start + 2 + offset);
            let count = mark_bounds(&self.text, start, end, &mut self.bounds);
            for n in low..=high {
                for i in 0..=count.saturating_sub(n) {
                    found(&self.text, self.bounds[i], self.bounds[(i + n).min(count)], n.min(count));
                }
                if n >= count {
                    break; // a word shorter than n counts once
                }
            }
            start = end - 1;
        }
    }
}

/// The byte at which each character starts, and the end; returns the number of characters.
fn mark_bounds(text: &[u8], start: usize, end: usize, bounds: &mut Vec<usize>) -> usize {
    bounds.clear();
    bounds.extend((start..end).filter(|&i| text[i] & 0xc0 != 0x80));
    bounds.push(end);
    bounds.len() - 1
}
