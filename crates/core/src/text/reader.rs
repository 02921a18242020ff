//! From documents to the numbers of their terms.

use super::book::Book;
use super::joined::Joined;
use super::letters::Letters;
use super::lexicon::{Lexicon, NONE, Probe, Recent};
use super::rows::Counter;
use super::seeds::Seeds;
use super::terms::DROP;
use super::{Analyzer, Document, Plan, Rows};

/// So many look-ups begin at once.
pub(super) const BATCH: usize = 128;

/// Counting waits for so many terms: tables and counts take turns in the cache instead of pushing each other out.
const BLOCK: usize = 1 << 16;

/// Reads documents with one plan and one book; holds the scratch space.
pub(super) struct Reader<'a, B> {
    plan: &'a Plan,
    book: B,
    text: Vec<u8>,
    spans: Vec<(usize, usize)>,
    words: Vec<u32>,
    nodes: Vec<u32>,
    letters: Letters,
    joined: Joined,
    numbers: Vec<u32>,
    ends: Vec<usize>,
    counter: Counter,
    recent: Recent,
    /// The node of each raw token, so that a word is stemmed once.
    stems: Option<Lexicon>,
}

impl<'a, B: Book> Reader<'a, B> {
    /// For so many bytes of text.
    pub(super) fn new(plan: &'a Plan, book: B, size: usize) -> Self {
        let stems = plan.stem.as_ref().map(|_| Lexicon::new(Seeds::random()));
        let (text, spans, words, nodes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (letters, joined, counter) = (Letters::default(), Joined::default(), Counter::default());
        let (numbers, ends) = (Vec::new(), Vec::new());
        Self {
            plan,
            book,
            text,
            spans,
            words,
            nodes,
            letters,
            joined,
            numbers,
            ends,
            counter,
            recent: Recent::new(size),
            stems,
        }
    }

    /// Reads a document; its row comes with the next [`Reader::flush`], which happens every so often by itself.
    pub(super) fn read<T: From<u32> + Copy>(&mut self, document: &Document, rows: &mut Rows<T>) {
        if self.plan.settings.analyzer != Analyzer::Word {
            self.read_letters(document);
        } else if self.plan.joins() {
            self.read_joined(document);
        } else {
            self.read_words(document);
            self.push_grams();
            self.push_skips();
        }
        self.ends.push(self.numbers.len());
        if self.numbers.len() > BLOCK {
            self.flush(rows);
        }
    }

    /// Appends the rows of the documents read since the last time: their terms by number, with their counts.
    pub(super) fn flush<T: From<u32> + Copy>(&mut self, rows: &mut Rows<T>) {
        let mut start = 0;
        for end in self.ends.drain(..) {
            self.counter.count(&self.numbers[start..end], rows);
            start = end;
        }
        self.numbers.clear();
    }

    fn read_letters(&mut self, document: &Document) {
        let Self { plan, book, text, letters, numbers, .. } = self;
        letters.each(plan, document, text, |text, start, end, _| {
            let node = book.word(text, start, end, true);
            push(numbers, book.number(node));
        });
    }

    /// The nodes of the words, unknown ones included: they keep their neighbours apart.
    fn read_words(&mut self, document: &Document) {
        self.spans.clear();
        let spans = &mut self.spans;
        self.plan.tokens(document, &mut self.text, |_, start, end| spans.push((start, end)));
        self.words.clear();
        let feature = self.plan.settings.ngrams.0 == 1;
        if let Some(stems) = &mut self.stems {
            for &(start, end) in &self.spans {
                self.words.push(stemmed(self.plan, &mut self.book, stems, &self.text, start, end));
            }
        } else {
            for batch in self.spans.chunks(BATCH) {
                find_words(&mut self.book, &mut self.recent, &self.text, batch, feature, &mut self.words);
            }
        }
        self.words.retain(|node| *node != DROP);
    }

    fn push_grams(&mut self) {
        let Self { plan, book, words, nodes, numbers, .. } = self;
        let (low, high) = plan.settings.ngrams;
        if low == 1 {
            words.iter().for_each(|&word| push(numbers, book.number(word)));
        }
        if high > 1 {
            nodes.clone_from(words);
        }
        for n in 2..=high.min(words.len()) {
            nodes.truncate(words.len() + 1 - n);
            for (nodes, tails) in nodes.chunks_mut(BATCH).zip(words[n - 1..].chunks(BATCH)) {
                book.touch_grams(nodes, tails);
                for (node, &tail) in nodes.iter_mut().zip(tails) {
                    *node = book.gram(*node, tail, plan.is_term(n));
                    if n >= low {
                        push(numbers, book.number(*node));
                    }
                }
            }
        }
    }

    /// Each word with each of the next few; neighbours are plain two-grams, and there may be those already.
    fn push_skips(&mut self) {
        let Self { plan, book, words, numbers, .. } = self;
        let (low, high) = plan.settings.ngrams;
        for distance in 1..=plan.settings.skip {
            if distance == 1 && low <= 2 && high >= 2 {
                continue;
            }
            let gap = book.gap(distance);
            for (&word, &tail) in words.iter().zip(words.iter().skip(distance)) {
                let start = if distance == 1 { word } else { book.gram(word, gap, false) };
                let node = book.gram(start, tail, true);
                push(numbers, book.number(node));
            }
        }
    }

    /// Tokens that may hold spaces: terms are the same if their joined texts are.
    fn read_joined(&mut self, document: &Document) {
        let Self { plan, book, text, joined, numbers, .. } = self;
        joined.each(plan, document, text, |text, start, end| {
            let node = book.word(text, start, end, true);
            push(numbers, book.number(node));
        });
    }
}

/// Appends the nodes of a batch of words: first those met lately, then the others, all of which are looked for at once.
#[inline(always)]
pub(super) fn find_words(
    book: &mut impl Book,
    recent: &mut Recent,
    text: &[u8],
    spans: &[(usize, usize)],
    feature: bool,
    words: &mut Vec<u32>,
) {
    let mut probes = [Probe::default(); BATCH];
    let mut missing = [0; BATCH + 1];
    let mut count = 0;
    let base = words.len();
    words.resize(base + spans.len(), NONE);
    let found = &mut words[base..];
    for ((i, &(start, end)), word) in spans.iter().enumerate().zip(found.iter_mut()) {
        // Written always, kept only if the word is missing: a branch would be guessed wrong one time in six.
        let probe = book.lexicon().probe(text, start, end);
        let (node, known) = recent.find(&probe);
        (probes[i & (BATCH - 1)], *word, missing[count]) = (probe, node, i);
        count += !known as usize;
    }
    let missing = &missing[..count];
    let touched = missing.iter().map(|i| book.lexicon().touch(&probes[*i]));
    std::hint::black_box(touched.fold(0, u32::wrapping_add));
    for &i in missing {
        let node = book.word_at(probes[i], text, spans[i], feature);
        recent.keep(&probes[i], node);
        found[i] = node;
    }
}

/// The node of a token's stem, by way of a memory of raw tokens.
pub(super) fn stemmed(
    plan: &Plan,
    book: &mut impl Book,
    stems: &mut Lexicon,
    text: &[u8],
    start: usize,
    end: usize,
) -> u32 {
    if let Some(node) = stems.find(text, start, end) {
        return node;
    }
    let node = match plan.settle(&text[start..end]) {
        None => DROP,
        Some(mut stem) => {
            let len = stem.len();
            stem.resize(len + 16, 0);
            book.word(&stem, 0, len, plan.settings.ngrams.0 == 1)
        }
    };
    stems.find_or_add(text, start, end, node).0
}

#[inline]
fn push(numbers: &mut Vec<u32>, number: u32) {
    if number != NONE {
        numbers.push(number);
    }
}
