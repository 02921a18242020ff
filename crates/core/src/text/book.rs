//! Where terms are looked up: a vocabulary that grows, or one that is frozen.

use super::Terms;
use super::lexicon::{Lexicon, NONE, Probe};

/// A vocabulary as a reader of documents sees it.
pub(super) trait Book {
    /// The node of `text[start..end]`; [`NONE`] if unknown, or the value of a stop word.
    fn word(&mut self, text: &[u8], start: usize, end: usize, feature: bool) -> u32;
    /// The node of a term and one more word; [`NONE`] if unknown.
    fn gram(&mut self, parent: u32, tail: u32, feature: bool) -> u32;
    /// The same, where the key is known.
    fn word_at(&mut self, probe: Probe, text: &[u8], span: (usize, usize), feature: bool) -> u32;
    /// The words.
    fn lexicon(&self) -> &Lexicon;
    /// Brings what the search for these terms will read into the cache.
    fn touch_grams(&self, parents: &[u32], tails: &[u32]);
    /// What stands for a node in the result; [`NONE`] for nothing.
    fn number(&self, node: u32) -> u32;
    /// The node of the gap between two words at this distance.
    fn gap(&self, distance: usize) -> u32;
}

/// A vocabulary that takes in every term it meets.
pub(super) struct Growing<'a>(pub(super) &'a mut Terms);

impl Book for Growing<'_> {
    #[inline]
    fn word_at(&mut self, probe: Probe, text: &[u8], span: (usize, usize), feature: bool) -> u32 {
        self.0.word_at(probe, text, span.0, span.1, feature)
    }

    #[inline]
    fn lexicon(&self) -> &Lexicon {
        &self.0.lexicon
    }

    fn touch_grams(&self, parents: &[u32], tails: &[u32]) {
        self.0.grams.touch(parents, tails);
    }

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
    fn word_at(&mut self, probe: Probe, text: &[u8], span: (usize, usize), _: bool) -> u32 {
        self.0.lexicon.find_at(probe, text, span.0, span.1).unwrap_or(NONE)
    }

    #[inline]
    fn lexicon(&self) -> &Lexicon {
        &self.0.lexicon
    }

    fn touch_grams(&self, parents: &[u32], tails: &[u32]) {
        self.0.grams.touch(parents, tails);
    }

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
