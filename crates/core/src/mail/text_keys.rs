//! Words and pairs of words as keys.

use super::body::Body;
use super::keys::{Keys, REACH};
use super::note::{Note, Notes};
use super::words::{self, Word};
use super::{Family, limits, links, shape};
use crate::text::Chars;

/// The words that were read last, as written.
pub(super) struct TextKeys<'k> {
    chars: &'k Chars,
    keys: &'k mut Keys,
    count: usize,
    token: Vec<u8>,
    /// Hashes of the last words, the latest first.
    before: [u64; REACH],
    names: [String; REACH],
}

impl<'k> TextKeys<'k> {
    pub(super) fn new(chars: &'k Chars, keys: &'k mut Keys) -> Self {
        Self { chars, keys, count: 0, token: Vec::with_capacity(64), before: [0; REACH], names: Default::default() }
    }

    /// Adds the words of the body, and those that are hidden under a tag of their own.
    pub(super) fn add(mut self, body: &Body, notes: &mut Notes) {
        let chars = self.chars;
        let (cut, invisible) = words::each(chars, &body.visible, |word| self.word(word));
        if cut {
            notes.add(Note::Words);
        }
        let mut left = limits::WORDS;
        let (_, hidden) = words::each(chars, &body.hidden, |word| {
            self.tagged("hidden ", word.text, word.low);
            left -= 1;
            left > 0
        });
        for domain in body.links.iter().filter_map(|link| links::domain(link)) {
            self.tagged("link ", &domain, domain.as_bytes());
        }
        if invisible || hidden {
            notes.add(Note::Invisible);
        }
    }

    /// Adds one word; says whether more are wanted.
    #[inline]
    fn word(&mut self, word: Word<'_>) -> bool {
        if self.count == limits::WORDS {
            return false;
        }
        let hash = self.keys.hash(word.low);
        match self.long(word.text) {
            false => self.keys.add(Family::Word, hash, word.low),
            true => self.keys.add(Family::Word, self.keys.hash(&self.token), &self.token),
        }
        if self.count < limits::PAIRED {
            self.pairs(word.text, if word.is_low { hash } else { self.keys.hash(word.text.as_bytes()) });
        }
        self.count += 1;
        true
    }

    /// Adds a word under a tag.
    fn tagged(&mut self, tag: &str, word: &str, low: &[u8]) {
        if !self.long(word) {
            self.token.clear();
            self.token.extend_from_slice(low);
        }
        self.token.splice(..0, tag.bytes());
        self.keys.add(Family::Word, self.keys.hash(&self.token), &self.token);
    }

    /// Is the word long? Then the token is its length and shape.
    #[inline]
    fn long(&mut self, word: &str) -> bool {
        let long = word.len() > limits::WORD && word.chars().count() > limits::WORD;
        if long {
            self.token.clear();
            self.token.extend_from_slice(format!("long {} ", shape::log2(word.len())).as_bytes());
            shape::push(word.as_bytes(), &mut self.token);
        }
        long
    }

    /// Adds the pairs of a word with the words before it, as written; `hash` is that of the word as written.
    #[inline]
    fn pairs(&mut self, word: &str, hash: u64) {
        let before = &self.before[..self.count.min(REACH)];
        if self.keys.named() {
            let names = &self.names;
            self.keys.name_pairs(before, hash, |distance| {
                format!("pair:{} +{distance} {word}", names[(self.count - distance) % REACH])
            });
            self.names[self.count % REACH] = word.to_owned();
        }
        self.keys.add_pairs(before, hash);
        self.before.copy_within(..REACH - 1, 1);
        self.before[0] = hash;
    }
}
