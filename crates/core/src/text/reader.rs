//! From documents to the numbers of their terms.

use super::lexicon::{Lexicon, NONE};
use super::joined::Joined;
use super::letters::Letters;
use super::seeds::Seeds;
use super::terms::DROP;
use super::{Analyzer, Document, Plan, Terms};

/// Where terms are looked up: a vocabulary that grows, or one that is frozen.
pub(super) trait Book {
    /// The node of `text[start..end]`; [`NONE`] if unknown, [`DROP`] for a stop word.
    fn word(&mut self, text: &[u8], start: usize, end: usize, feature: bool) -> u32;
    /// The node of a term and one more word; [`NONE`] if unknown.
    fn gram(&mut self, parent: u32, tail: u32, feature: bool) -> u32;
    /// What stands for a node in the result; [`NONE`] for nothing.
    fn number(&self, node: u32) -> u32;
    /// The node of the gap between two words at this distance.
    fn gap(&self, distance: usize) -> u32;
}

/// A vocabulary that takes in every term it meets.
pub(super) struct Growing<'a>(pub(super) &'a mut Terms);

impl Book for Growing<'_> {
    #[inline]
    fn word(&mut self, text: &[u8], start: usize, end: usize, feature: bool) -> u32 {
        self.0.word(text, start, end, feature)
    }

    #[inline]
    fn gram(&mut self, parent: u32, tail: u32, feature: bool) -> u32 {
        self.0.gram(parent, tail, feature)
    }

    #[inline]
    fn number(&self, node: u32) -> u32 {
        node
    }

    fn gap(&self, distance: usize) -> u32 {
        self.0.gaps.get(distance).copied().unwrap_or(NONE)
    }
}

/// A vocabulary that only answers.
pub(super) struct Frozen<'a>(pub(super) &'a Terms);

impl Book for Frozen<'_> {
    #[inline]
    fn word(&mut self, text: &[u8], start: usize, end: usize, _: bool) -> u32 {
        self.0.lexicon.find(text, start, end).unwrap_or(NONE)
    }

    #[inline]
    fn gram(&mut self, parent: u32, tail: u32, _: bool) -> u32 {
        if parent == NONE || tail == NONE { NONE } else { self.0.grams.find(parent, tail) }
    }

    #[inline]
    fn number(&self, node: u32) -> u32 {
        self.0.columns.get(node as usize).copied().unwrap_or(NONE)
    }

    fn gap(&self, distance: usize) -> u32 {
        self.0.gaps.get(distance).copied().unwrap_or(NONE)
    }
}

/// Reads documents with one plan and one book; holds the scratch space.
pub(super) struct Reader<'a, B> {
    plan: &'a Plan,
    book: B,
    text: Vec<u8>,
    words: Vec<u32>,
    nodes: Vec<u32>,
    letters: Letters,
    joined: Joined,
    /// The node of each raw token, so that a word is stemmed once.
    stems: Option<Lexicon>,
}

impl<'a, B: Book> Reader<'a, B> {
    pub(super) fn new(plan: &'a Plan, book: B) -> Self {
        let stems = plan.stem.as_ref().map(|_| Lexicon::new(Seeds::random()));
        let (text, words, nodes) = (Vec::new(), Vec::new(), Vec::new());
        Self { plan, book, text, words, nodes, letters: Letters::default(), joined: Joined::default(), stems }
    }

    /// Appends the numbers of the document's terms, in scikit-learn's order.
    pub(super) fn read(&mut self, document: &Document, out: &mut Vec<u32>) {
        if self.plan.settings.analyzer != Analyzer::Word {
            self.read_letters(document, out);
        } else if self.plan.joins() {
            self.read_joined(document, out);
        } else {
            self.read_words(document);
            self.push_grams(out);
            self.push_skips(out);
        }
    }

    fn read_letters(&mut self, document: &Document, out: &mut Vec<u32>) {
        let Self { plan, book, text, letters, .. } = self;
        letters.each(plan, document, text, |text, start, end, _| {
            let node = book.word(text, start, end, true);
            push(out, book.number(node));
        });
    }

    /// The nodes of the words, unknown ones included: they keep their neighbours apart.
    fn read_words(&mut self, document: &Document) {
        let Self { plan, book, text, words, stems, .. } = self;
        let feature = plan.settings.ngrams.0 == 1;
        words.clear();
        plan.tokens(document, text, |text, start, end| {
            let node = match stems {
                None => book.word(text, start, end, feature),
                Some(stems) => stems.find(text, start, end).unwrap_or_else(|| {
                    let node = match plan.settle(&text[start..end]) {
                        None => DROP,
                        Some(mut stem) => {
                            let len = stem.len();
                            stem.resize(len + 16, 0);
                            book.word(&stem, 0, len, feature)
                        }
                    };
                    stems.find_or_add(text, start, end, node).0
                }),
            };
            if node != DROP {
                words.push(node);
            }
        });
    }

    fn push_grams(&mut self, out: &mut Vec<u32>) {
        let Self { plan, book, words, nodes, .. } = self;
        let (low, high) = plan.settings.ngrams;
        if low == 1 {
            words.iter().for_each(|&word| push(out, book.number(word)));
        }
        if high > 1 {
            nodes.clone_from(words);
        }
        for n in 2..=high.min(words.len()) {
            for (node, &tail) in nodes.iter_mut().zip(&words[n - 1..]) {
                *node = book.gram(*node, tail, n >= low);
                if n >= low {
                    push(out, book.number(*node));
                }
            }
        }
    }

    /// Each word with each of the next few; neighbours are plain two-grams, and there may be those already.
    fn push_skips(&mut self, out: &mut Vec<u32>) {
        let Self { plan, book, words, .. } = self;
        let (low, high) = plan.settings.ngrams;
        for distance in 1..=plan.settings.skip {
            if distance == 1 && low <= 2 && high >= 2 {
                continue;
            }
            let gap = book.gap(distance);
            for (&word, &tail) in words.iter().zip(words.iter().skip(distance)) {
                let start = if distance == 1 { word } else { book.gram(word, gap, false) };
                let node = book.gram(start, tail, true);
                push(out, book.number(node));
            }
        }
    }

    /// Tokens that may hold spaces: terms are the same if their joined texts are.
    fn read_joined(&mut self, document: &Document, out: &mut Vec<u32>) {
        let Self { plan, book, text, joined, .. } = self;
        joined.each(plan, document, text, |text, start, end| {
            let node = book.word(text, start, end, true);
            push(out, book.number(node));
        });
    }
}

#[inline]
fn push(out: &mut Vec<u32>, number: u32) {
    if number != NONE {
        out.push(number);
    }
}
