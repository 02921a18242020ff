//! Words and pairs of words as keys.

use super::body::Body;
use super::keys::Keys;
use super::note::{Note, Notes};
use super::{Family, limits, links, shape, words};
use crate::text::Chars;

/// How far apart the words of a pair may stand.
const REACH: usize = 4;

/// The words that were read last, as written.
pub(super) struct TextKeys<'k> {
    chars: &'k Chars,
    keys: &'k mut Keys,
    count: usize,
    token: Vec<u8>,
    hashes: [u64; REACH],
    names: [String; REACH],
}

impl<'k> TextKeys<'k> {
    pub(super) fn new(chars: &'k Chars, keys: &'k mut Keys) -> Self {
        Self { chars, keys, count: 0, token: Vec::with_capacity(64), hashes: [0; REACH], names: Default::default() }
    }

    /// Adds the words of the body, and those that are hidden under a tag of their own.
    pub(super) fn add(mut self, body: &Body, notes: &mut Notes) {
        let chars = self.chars;
        let (cut, invisible) = words::each(chars, &body.visible, |word, low| self.word(word, low));
        if cut {
            notes.add(Note::Words);
        }
        let mut left = limits::WORDS;
        let (_, hidden) = words::each(chars, &body.hidden, |word, low| {
            self.tagged("hidden ", word, low);
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
    fn word(&mut self, word: &str, low: &[u8]) -> bool {
        if self.count == limits::WORDS {
            return false;
        }
        let hash = self.plain(word, low);
        if self.count < limits::PAIRED {
            self.pairs(word, if word.as_bytes() == low { hash } else { self.keys.hash(word.as_bytes()) });
        }
        self.count += 1;
        true
    }

    /// Adds a word, a long one by its length and shape; returns the hash of the word in lower case.
    #[inline]
    fn plain(&mut self, word: &str, low: &[u8]) -> u64 {
        let hash = self.keys.hash(low);
        match self.long(word) {
            false => self.keys.add(Family::Word, hash, low),
            true => self.keys.add(Family::Word, self.keys.hash(&self.token), &self.token),
        }
        hash
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
        for distance in 1..=self.count.min(REACH) {
            let slot = (self.count - distance) % REACH;
            let (first, name) = (self.hashes[slot], &self.names[slot]);
            self.keys.add_pair(first, distance as u32, hash, || format!("pair:{name} +{distance} {word}"));
        }
        self.hashes[self.count % REACH] = hash;
        if self.keys.named() {
            self.names[self.count % REACH] = word.to_owned();
        }
    }
}
