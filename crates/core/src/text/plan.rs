//! Compiled settings: from a document to its tokens.

use std::collections::HashSet;
use std::sync::Arc;

use regex::bytes::Regex;

use super::encoder::SKIP;
use super::fold::PAD;
use super::{Analyzer, Chars, Pattern, Settings, Stem, TextError, scan, utf8};

/// A document: text still to be cut, or tokens that someone else has cut.
///
/// Text is UTF-8, or its generalised form with lone surrogates; malformed bytes count as U+FFFD.
#[derive(Clone, Debug)]
pub enum Document<'a> {
    /// Text.
    Text(&'a [u8]),
    /// Tokens, taken as they are.
    Tokens(Vec<&'a [u8]>),
}

impl Document<'_> {
    /// Its size in bytes, to share out work.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Tokens(tokens) => tokens.iter().map(|token| token.len() + 1).sum(),
        }
    }
}

/// Settings made ready for use; the same plan may serve many threads.
///
/// ```
/// use bayleaf_core::text::{Chars, Plan, Settings};
/// let plan = Plan::new(Settings::default(), Chars::shared()).unwrap();
/// let tokens: Vec<_> = plan.spans("It's 中文!".as_bytes()).into_iter().map(|(token, ..)| token).collect();
/// assert_eq!(tokens, ["it", "'", "s", "中文", "!"].map(str::as_bytes));
/// ```
pub struct Plan {
    pub(super) settings: Settings,
    pub(super) chars: Arc<Chars>,
    pub(super) stem: Option<Stem>,
    pub(super) stops: HashSet<Vec<u8>>,
}

impl Plan {
    /// Checks the settings and compiles them.
    pub fn new(settings: Settings, chars: Arc<Chars>) -> Result<Self, TextError> {
        let (low, high) = settings.ngrams;
        if low == 0 || high < low {
            return Err(TextError::Ngrams(low, high));
        }
        let stem = settings.stemmer.as_deref().map(Stem::new).transpose()?;
        let stops = settings.stop_words.iter().cloned().collect();
        Ok(Self { settings, chars, stem, stops })
    }

    /// The orders that features of this plan can have, as in [`Encoded::orders`](super::Encoded::orders), sorted.
    pub fn orders(&self) -> Vec<u8> {
        let (low, high) = self.settings.ngrams;
        let mut orders: Vec<u8> = (low..=high.min(127)).map(|n| n as u8).collect();
        if self.settings.analyzer == Analyzer::Word {
            let skips = 1..=self.settings.skip.min(127);
            orders.extend(skips.map(|distance| if distance == 1 { 2 } else { SKIP + distance as u8 }));
        }
        orders.sort_unstable();
        orders.dedup();
        orders
    }

    /// Replaces `text` by the folded, padded text of the document and returns its length without the padding.
    pub(super) fn fold(&self, document: &Document, text: &mut Vec<u8>) -> usize {
        match document {
            Document::Text(source) => self.settings.fold.apply(&self.chars, source, text),
            Document::Tokens(tokens) => {
                text.clear();
                tokens.iter().for_each(|token| text.extend_from_slice(token));
                let len = text.len();
                text.resize(len + PAD, b' ');
                len
            }
        }
    }

    /// Calls `found(text, start, end)` for each token, in order; `text` is scratch space.
    #[inline]
    pub(super) fn tokens(&self, document: &Document, text: &mut Vec<u8>, mut found: impl FnMut(&[u8], usize, usize)) {
        let len = self.fold(document, text);
        let text: &[u8] = text;
        match document {
            Document::Text(_) => self.cut(text, len, |start, end| found(text, start, end)),
            Document::Tokens(tokens) => {
                let mut at = 0;
                for token in tokens {
                    found(text, at, at + token.len());
                    at += token.len();
                }
            }
        }
    }

    /// Cuts folded text by the pattern.
    #[inline]
    pub(super) fn cut(&self, text: &[u8], len: usize, mut found: impl FnMut(usize, usize)) {
        let chars = &self.chars;
        let ascii = text.is_ascii();
        let pairs = self.settings.unspaced && !ascii && scan::has_unspaced(chars, text);
        match &self.settings.pattern {
            Pattern::Words { least } => {
                // Counting characters takes a quarter of the whole time, so it is done only where bytes do not tell.
                let long = |start: usize, end: usize| {
                    end - start >= *least
                        && (ascii || end - start >= least * 4 || utf8::count(&text[start..end]) >= *least)
                };
                let found = |start, end| {
                    if long(start, end) {
                        found(start, end)
                    }
                };
                if pairs {
                    scan::unspaced(chars, text, len, false, found);
                } else {
                    scan::words(chars, text, len, false, found);
                }
            }
            Pattern::Marks if pairs => scan::unspaced(chars, text, len, true, found),
            Pattern::Marks => scan::words(chars, text, len, true, found),
            Pattern::Blanks => scan::blanks(chars, text, len, found),
            Pattern::Regex(regex) => each_match(regex, &text[..len], found),
        }
    }

    /// A token after stop words (which are dropped) and stemming.
    pub(super) fn settle(&self, token: &[u8]) -> Option<Vec<u8>> {
        if self.stops.contains(token) {
            return None;
        }
        Some(self.stem.as_ref().map_or_else(|| token.to_vec(), |stem| stem.of(token)))
    }
}

/// Every match, or its first group; a group that took no part gives an empty token, as in Python.
fn each_match(regex: &Regex, text: &[u8], mut found: impl FnMut(usize, usize)) {
    if regex.captures_len() == 1 {
        return regex.find_iter(text).for_each(|m| found(m.start(), m.end()));
    }
    for captures in regex.captures_iter(text) {
        let (start, end) = captures.get(1).map_or((0, 0), |m| (m.start(), m.end()));
        found(start, end);
    }
}
