//! Word n-grams and skip pairs as text.

use super::fold::PAD;
use super::settler::Settler;
use super::{Document, Plan};

/// The tokens of a document with one blank between them: an n-gram is a slice of that text.
#[derive(Default)]
pub(super) struct Joined {
    text: Vec<u8>,
    spans: Vec<(usize, usize)>,
    pair: Vec<u8>,
    settler: Settler,
}

impl Joined {
    /// Calls `found(text, start, end)` for every word n-gram and skip pair.
    pub(super) fn each(
        &mut self,
        plan: &Plan,
        document: &Document,
        raw: &mut Vec<u8>,
        mut found: impl FnMut(&[u8], usize, usize),
    ) {
        self.fill(plan, document, raw);
        let (low, high) = plan.settings.ngrams;
        for n in low..=high.min(self.spans.len()) {
            for window in self.spans.windows(n) {
                found(&self.text, window[0].0, window[n - 1].1);
            }
        }
        for distance in 1..=plan.settings.skip {
            if distance > 1 || low > 2 || high < 2 {
                self.skips(distance, &mut found);
            }
        }
    }

    fn fill(&mut self, plan: &Plan, document: &Document, raw: &mut Vec<u8>) {
        let Self { text, spans, settler, .. } = self;
        text.clear();
        spans.clear();
        plan.tokens(document, raw, |raw, start, end| {
            if let Some(token) = settler.settle(plan, raw, start, end) {
                let start = text.len();
                text.extend_from_slice(token);
                spans.push((start, text.len()));
                text.push(b' ');
            }
        });
        text.resize(text.len() + PAD, b' ');
    }

    fn skips(&mut self, distance: usize, found: &mut impl FnMut(&[u8], usize, usize)) {
        let gap = if distance == 1 { " ".to_owned() } else { format!(" +{distance} ") };
        for (first, last) in self.spans.iter().zip(self.spans.iter().skip(distance)) {
            self.pair.clear();
            self.pair.extend_from_slice(&self.text[first.0..first.1]);
            self.pair.extend_from_slice(gap.as_bytes());
            self.pair.extend_from_slice(&self.text[last.0..last.1]);
            let len = self.pair.len();
            self.pair.resize(len + PAD, b' ');
            found(&self.pair, 0, len);
        }
    }
}
