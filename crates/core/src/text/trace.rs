//! Every occurrence of every feature with its place in the source text, so that a reader can be shown why.

use super::encoder::SKIP;
use super::{Analyzer, Encoder, Plan};

/// One feature at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The key, as [`Encoder::encode`] gives it.
    pub key: u64,
    /// Number of words in it; for a skip pair 128 plus the distance.
    pub order: u8,
    /// First character in the source (characters are Unicode code points).
    pub start: usize,
    /// One behind the last character.
    pub end: usize,
}

impl Encoder<'_> {
    /// All occurrences of word features in one text, in the order of [`Encoder::encode`]; empty for character n-grams.
    pub fn trace(&self, tag: &str, source: &[u8]) -> Vec<Occurrence> {
        if self.plan.settings.analyzer != Analyzer::Word {
            return Vec::new();
        }
        let tokens = self.plan.spans(source);
        let words: Vec<_> = tokens
            .iter()
            .map(|(text, start, end)| Occurrence {
                key: self.key(&[tag.as_bytes(), text].concat()),
                order: 1,
                start: *start,
                end: *end,
            })
            .collect();
        let (low, high) = self.plan.settings.ngrams;
        let mut out = Vec::new();
        let mut heads = words.clone();
        for n in 1..=high.min(words.len()) {
            if n > 1 {
                heads = self.longer(&heads, &words[n - 1..], n.min(127) as u8);
            }
            if n >= low {
                out.extend_from_slice(&heads);
            }
        }
        for distance in 1..=self.plan.settings.skip.min(127).min(words.len().saturating_sub(1)) {
            let order = if distance == 1 { 2 } else { SKIP + distance as u8 };
            if distance > 1 || low > 2 || high < 2 {
                out.extend(self.longer(&words, &words[distance..], order));
            }
        }
        out
    }

    fn longer(&self, heads: &[Occurrence], lasts: &[Occurrence], order: u8) -> Vec<Occurrence> {
        let pair = |(head, last): (&Occurrence, &Occurrence)| Occurrence {
            key: self.pair_key(head.key, last.key, order),
            order,
            start: head.start,
            end: last.end,
        };
        heads.iter().zip(lasts).map(pair).collect()
    }
}

impl Plan {
    /// The tokens after stop words and stemming, each with its first character and one behind its last in the source.
    pub fn spans(&self, source: &[u8]) -> Vec<(Vec<u8>, usize, usize)> {
        let mut text = Vec::new();
        let sources = self.settings.fold.apply_mapped(&self.chars, source, &mut text);
        let mut out = Vec::new();
        self.cut(&text, sources.len(), |start, end| {
            if let Some(token) = self.settle(&text[start..end]) {
                let last = end.checked_sub(1).and_then(|at| sources.get(at)).map_or(0, |source| source.1 + 1);
                out.push((token, sources.get(start).map_or(0, |source| source.0), last));
            }
        });
        out
    }
}
