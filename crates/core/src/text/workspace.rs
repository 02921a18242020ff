//! What an encoder remembers from document to document, and the features of the present one.

use super::book::Growing;
use super::encoded::{NO_PART, Places};
use super::encoder::SKIP;
use super::letters::Letters;
use super::lexicon::NONE;
use super::memory::Memory;
use super::reader::{BATCH, find_words, stemmed};
use super::terms::DROP;
use super::{Document, Encoded, Encoder};

/// Terms are forgotten beyond so many, so that an endless stream needs bounded memory: 4 million take about 300 MB.
const MOST: usize = 1 << 22;

/// A workspace of more words, or that has read longer texts, takes more memory than short texts are worth.
const FEW: usize = 1 << 10;
const SHORT: usize = 1 << 13;

/// Scratch space, one per thread and encoder, reused from document to document.
///
/// Every word met gets a number, so that its key is hashed once, and which words occur in a document is told by numbers
/// alone. Terms of several words are too many for that (their table would not fit the cache) and are told by their keys.
#[derive(Default)]
pub struct Workspace {
    names: bool,
    text: Vec<u8>,
    letters: Letters,
    spans: Vec<(usize, usize)>,
    memory: Option<Memory>,
    words: Vec<u32>,
    /// Key and place of each word of the field, then of the n-grams that begin there.
    tokens: Vec<(u64, u32)>,
    heads: Vec<(u64, u32)>,
    places: Places,
}

impl Workspace {
    /// A workspace that keeps the text of the features.
    pub fn with_names() -> Self {
        Self { names: true, ..Self::default() }
    }

    /// Forgets all terms if there are too many, and says so: their numbers begin anew.
    pub fn trim(&mut self) -> bool {
        let full = self.words() > MOST;
        if full {
            self.memory = None;
        }
        full
    }

    /// Is it worth keeping for a short text?
    pub(super) fn is_light(&self) -> bool {
        self.words() <= FEW && self.text.capacity() <= SHORT
    }

    /// Forgets the document before.
    pub(crate) fn restart(&mut self, encoder: &Encoder, size: usize) {
        self.places.restart();
        let memory = self.memory.get_or_insert_with(|| Memory::new(encoder));
        if memory.recent.is_small() {
            memory.read += size;
            memory.recent.widen(memory.read);
        }
    }

    /// Reads the words of a field, for encoders of words.
    pub(crate) fn read(&mut self, encoder: &Encoder, tag: &[u8], document: &Document) {
        let Self { text, spans, memory, words, .. } = self;
        let memory = memory.get_or_insert_with(|| Memory::new(encoder));
        let plan = encoder.plan;
        spans.clear();
        words.clear();
        plan.tokens(document, text, |_, start, end| spans.push((start, end)));
        let mut book = Growing(&mut memory.terms);
        if plan.stem.is_some() {
            words.extend(spans.iter().map(|&(a, b)| stemmed(plan, &mut book, &mut memory.raw, text, a, b)));
        } else {
            for batch in spans.chunks(BATCH) {
                find_words(&mut book, &mut memory.recent, text, batch, true, words);
            }
        }
        if !plan.stops.is_empty() {
            words.retain(|node| *node != DROP);
        }
        if !tag.is_empty() {
            let tag = memory.tag(tag);
            words.iter_mut().for_each(|word| *word = memory.terms.gram(tag, *word, true));
        }
        memory.number(encoder);
    }

    /// Appends the keys of the words of a field, for encoders of words, as often as they occur.
    ///
    /// Words get numbers only where these save stemming or a search among stop words.
    pub(crate) fn read_keys(&mut self, encoder: &Encoder, tag: &[u8], document: &Document, keys: &mut Vec<u64>) {
        let plan = encoder.plan;
        if plan.stem.is_some() || !plan.stops.is_empty() {
            self.read(encoder, tag, document);
            return keys.extend(self.words.iter().map(|word| self.key(*word)));
        }
        let mut name = tag.to_vec();
        plan.tokens(document, &mut self.text, |text, start, end| {
            let word = &text[start..end];
            if tag.is_empty() {
                return keys.push(encoder.key(word));
            }
            name.truncate(tag.len());
            name.extend_from_slice(word);
            keys.push(encoder.key(&name));
        });
    }

    /// The words of the field read last by number, as often as they occur.
    pub(crate) fn tokens(&self) -> &[u32] {
        &self.words
    }

    /// Adds the words of a field with their n-grams and skip pairs.
    pub(super) fn read_words(&mut self, encoder: &Encoder, tag: &[u8], document: &Document, out: &mut Encoded) {
        self.read(encoder, tag, document);
        out.tokens += self.words.len() as u32;
        let plan = encoder.plan;
        self.settle(plan.settings.ngrams.0 == 1, plan.has_long_terms(), out);
        self.add_grams(encoder, out);
        self.add_skips(encoder, out);
    }

    /// Adds the character n-grams of a field.
    pub(super) fn read_letters(&mut self, encoder: &Encoder, tag: &[u8], document: &Document, out: &mut Encoded) {
        let Self { text, letters, memory: Some(memory), words, .. } = self else { return };
        let tag = if tag.is_empty() { NONE } else { memory.tag(tag) };
        words.clear();
        let mut lengths = Vec::new();
        letters.each(encoder.plan, document, text, |text, start, end, n| {
            let word = memory.terms.word(text, start, end, true);
            words.push(if tag == NONE { word } else { memory.terms.gram(tag, word, true) });
            lengths.push(n.min(127) as u8);
        });
        memory.number(encoder);
        out.tokens += self.words.len() as u32;
        let start = out.len();
        self.settle(true, false, out);
        for place in start..out.len() {
            out.orders[place] = lengths[out.first[place] as usize];
        }
    }

    /// Tells the distinct words, in order of first sight, without a branch that depends on the text; with `pairs` also
    /// what the pairs are made of.
    fn settle(&mut self, features: bool, pairs: bool, out: &mut Encoded) {
        let Self { memory: Some(memory), words, tokens, names, .. } = self else { return };
        tokens.clear();
        if !features {
            return tokens.extend(words.iter().map(|word| (memory.marks[*word as usize].key, NO_PART)));
        }
        let round = memory.next_round();
        let start = out.len();
        out.widen(start + words.len() + 1);
        let Encoded { keys, nodes, counts, first, .. } = out;
        let mut len = start;
        for (i, &word) in words.iter().enumerate() {
            let mark = &mut memory.marks[word as usize];
            let new = mark.round != round;
            let place = if new { len as u32 } else { mark.place };
            (mark.round, mark.place) = (round, place);
            (keys[len], nodes[len], first[len]) = (mark.key, word, i as u32);
            counts[place as usize] += 1;
            if pairs {
                tokens.push((mark.key, place));
            }
            len += new as usize;
        }
        out.cut(len, 1);
        if *names {
            for place in start..len {
                memory.name(out.nodes[place], &mut out.names);
                out.name_ends.push(out.names.len());
            }
        }
    }

    fn add_grams(&mut self, encoder: &Encoder, out: &mut Encoded) {
        let (low, high) = encoder.plan.settings.ngrams;
        if high > 1 {
            self.heads.clone_from(&self.tokens);
        }
        for n in 2..=high.min(self.tokens.len()) {
            let order = n.min(SKIP as usize - 1) as u8;
            self.heads.truncate(self.tokens.len() + 1 - n);
            for (head, last) in self.heads.iter_mut().zip(&self.tokens[n - 1..]) {
                head.0 = encoder.pair_key(head.0, last.0, order);
            }
            if n >= low {
                self.add_pairs(order, n - 1, out);
            } else {
                self.heads.iter_mut().for_each(|head| head.1 = NO_PART);
            }
        }
    }

    /// Each word with each of the next few; neighbours are plain two-grams, and there may be those already.
    fn add_skips(&mut self, encoder: &Encoder, out: &mut Encoded) {
        let (low, high) = encoder.plan.settings.ngrams;
        for distance in 1..=encoder.plan.settings.skip.min(127) {
            if distance == 1 && low <= 2 && high >= 2 {
                continue;
            }
            let order = if distance == 1 { 2 } else { SKIP + distance as u8 };
            let pairs = self.tokens.iter().zip(self.tokens.iter().skip(distance));
            self.heads.clear();
            self.heads.extend(pairs.map(|(head, last)| (encoder.pair_key(head.0, last.0, order), head.1)));
            self.add_pairs(order, distance, out);
        }
    }

    /// Counts the pairs whose keys stand in `heads`, each with the place of its head; their last words stand `distance`
    /// further on. Afterwards `heads` has the places of the pairs.
    fn add_pairs(&mut self, order: u8, distance: usize, out: &mut Encoded) {
        let Self { heads, tokens, places, .. } = self;
        let (start, most) = (out.len(), out.len() + heads.len() + 1);
        places.reserve(most);
        out.widen(most);
        let mut len = start;
        for (i, head) in heads.iter_mut().enumerate() {
            // Written always, kept only if the pair is new: a branch would be guessed wrong one time in five.
            let (key, parts) = (head.0, [head.1, tokens[i + distance].1]);
            let place = places.find_or_add(key, len as u32);
            (out.keys[len], out.first[len], out.parts[len]) = (key, i as u32, parts);
            len += (place == len as u32) as usize;
            out.counts[place as usize] += 1;
            head.1 = place;
        }
        out.cut(len, order);
        if self.names {
            self.name_pairs(start, distance, out);
        }
    }

    fn name_pairs(&self, start: usize, distance: usize, out: &mut Encoded) {
        let Some(memory) = &self.memory else { return };
        for place in start..out.len() {
            let (first, order) = (out.first[place] as usize, out.orders[place]);
            memory.name(self.words[first], &mut out.names);
            let step = if order > SKIP { distance } else { 1 };
            for word in self.words[first + step..=first + distance].iter().step_by(step) {
                let gap = if order > SKIP { format!(" +{distance} ") } else { " ".to_owned() };
                out.names.extend_from_slice(gap.as_bytes());
                out.names.extend_from_slice(memory.bare(*word));
            }
            out.name_ends.push(out.names.len());
        }
    }

    /// How many words have numbers.
    pub(crate) fn words(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.marks.len())
    }

    /// The key of a word.
    pub(crate) fn key(&self, node: u32) -> u64 {
        self.memory.as_ref().and_then(|memory| memory.marks.get(node as usize)).map_or(0, |mark| mark.key)
    }

    /// Appends the text of a word, its field's tag in front.
    pub fn name(&self, node: u32, out: &mut Vec<u8>) {
        if let Some(memory) = &self.memory {
            memory.name(node, out);
        }
    }
}
