//! A vocabulary that can grow: words, and n-grams as paths of words.

use super::grams::Grams;
use super::lexicon::{Lexicon, NONE, Probe};
use super::seeds::Seeds;
use super::{Analyzer, Plan, TextError};

/// The value of a stop word in the lexicon.
pub(super) const DROP: u32 = u32::MAX - 1;
/// Renumbering fewer cells than this is not worth a thread.
pub(super) const NUMBERS: usize = 1 << 18;
/// Columns are signed 32-bit numbers in SciPy's matrices.
const MOST: usize = i32::MAX as usize;

/// The terms of a corpus, numbered in the order in which they were first seen, and the column of each.
///
/// A term is a node of a tree: a word, or the term before it and a last word. Words that are only part of terms
/// (with n-grams from 2 on, or beside a gap) are nodes without a column.
pub struct Terms {
    pub(super) lexicon: Lexicon,
    pub(super) grams: Grams,
    /// The term without its last word; [`NONE`] for a word.
    pub(super) parents: Vec<u32>,
    /// The node of the last word; for a word its number in the lexicon.
    pub(super) tails: Vec<u32>,
    pub(super) features: Vec<bool>,
    pub(super) columns: Vec<u32>,
    pub(super) width: usize,
    /// The node of the pseudo-word "+d" between the words of a skip pair, by distance d.
    pub(super) gaps: Vec<u32>,
    pub(super) full: bool,
}

impl Terms {
    /// An empty vocabulary for the terms of a plan.
    pub fn new(plan: &Plan) -> Self {
        let seeds = Seeds::random();
        let mut terms = Self {
            lexicon: Lexicon::new(seeds),
            grams: Grams::new(seeds),
            parents: Vec::new(),
            tails: Vec::new(),
            features: Vec::new(),
            columns: Vec::new(),
            width: 0,
            gaps: Vec::new(),
            full: false,
        };
        if plan.makes_paths() {
            if plan.stem.is_none() {
                for stop in &plan.stops {
                    terms.lexicon.add(stop, DROP);
                }
            }
            // A gap is a word of its own between the two, so that "new +2 york" sorts and is found like any term.
            // No token of a plain pattern looks like that.
            terms.gaps = vec![NONE; 2];
            for distance in 2..=plan.settings.skip {
                let gap = terms.add_word(format!("+{distance}").as_bytes(), false);
                terms.gaps.push(gap);
            }
        }
        terms
    }

    /// A vocabulary with given terms, whose columns are their places in the list.
    pub fn with(plan: &Plan, list: &[&[u8]]) -> Result<Self, TextError> {
        let mut terms = Self::new(plan);
        for (column, term) in list.iter().enumerate() {
            let node = if plan.makes_grams() { terms.add_path(plan, term) } else { terms.add_word(term, true) };
            if let Some(place) = terms.columns.get_mut(node as usize) {
                *place = column as u32;
            }
        }
        terms.width = list.len();
        terms.check()
    }

    /// Refuses a vocabulary that has run out of numbers.
    pub(super) fn check(self) -> Result<Self, TextError> {
        if self.full { Err(TextError::Full) } else { Ok(self) }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A new node; notes when there are too many.
    #[inline]
    fn add_node(&mut self, parent: u32, tail: u32, feature: bool) {
        self.parents.push(parent);
        self.tails.push(tail);
        self.features.push(feature);
        self.columns.push(NONE);
        self.full |= self.parents.len() >= MOST;
    }

    /// The node of the word `text[start..end]`, made if need be.
    #[inline]
    pub(super) fn word(&mut self, text: &[u8], start: usize, end: usize, feature: bool) -> u32 {
        self.word_at(self.lexicon.probe(text, start, end), text, start, end, feature)
    }

    /// The same, where the key is known.
    #[inline]
    pub(super) fn word_at(&mut self, probe: Probe, text: &[u8], start: usize, end: usize, feature: bool) -> u32 {
        let number = self.lexicon.len() as u32;
        let (node, new) = self.lexicon.find_or_add_at(probe, text, start, end, self.parents.len() as u32);
        if new {
            self.add_node(NONE, number, feature);
        }
        node
    }

    /// The same for a word without padding.
    pub(super) fn add_word(&mut self, word: &[u8], feature: bool) -> u32 {
        let mut padded = word.to_vec();
        padded.resize(word.len() + 16, 0);
        self.word(&padded, 0, word.len(), feature)
    }

    /// The node of a term and one more word, made if need be.
    #[inline]
    pub(super) fn gram(&mut self, parent: u32, tail: u32, feature: bool) -> u32 {
        let (node, new) = self.grams.find_or_add(parent, tail, self.parents.len() as u32);
        if new {
            self.add_node(parent, tail, feature);
        }
        node
    }

    /// The node of a term given as text; [`NONE`] if no document can hold it.
    fn add_path(&mut self, plan: &Plan, term: &[u8]) -> u32 {
        let mut node = NONE;
        for (i, word) in term.split(|b| *b == b' ').enumerate() {
            let word = self.add_word(word, plan.is_term(1));
            if word == DROP {
                return NONE;
            }
            // A gap stands between the words of a skip pair; up to there the path is no term.
            let feature = plan.is_term(i + 1) && !self.gaps.contains(&word);
            node = if i == 0 { word } else { self.gram(node, word, feature) };
        }
        node
    }

    /// The text of a node.
    pub(super) fn text(&self, node: u32, out: &mut Vec<u8>) {
        let mut path = Vec::new();
        let mut at = node;
        while self.parents[at as usize] != NONE {
            path.push(self.tails[at as usize]);
            at = self.parents[at as usize];
        }
        path.push(at);
        out.clear();
        for (i, word) in path.iter().rev().enumerate() {
            if i > 0 {
                out.push(b' ');
            }
            out.extend_from_slice(self.lexicon.text(self.tails[*word as usize] as usize));
        }
    }

    /// Calls `each(text, column)` for all terms with a column, in the order in which they were first seen.
    pub fn each<E>(&self, mut each: impl FnMut(&[u8], u32) -> Result<(), E>) -> Result<(), E> {
        let mut text = Vec::new();
        for (node, &column) in self.columns.iter().enumerate() {
            if column != NONE {
                self.text(node as u32, &mut text);
                each(&text, column)?;
            }
        }
        Ok(())
    }

    /// Keeps the columns for which `kept` says so and closes the gaps.
    pub fn keep(&mut self, kept: &[bool]) {
        let mut next = 0;
        let renumber = kept.iter().map(|&keep| {
            next += u32::from(keep);
            if keep { next - 1 } else { NONE }
        });
        let renumber: Vec<u32> = renumber.collect();
        for column in self.columns.iter_mut().filter(|column| **column != NONE) {
            *column = renumber.get(*column as usize).copied().unwrap_or(NONE);
        }
        self.width = next as usize;
    }
}

impl Plan {
    /// Are terms of several words told apart by their joined text? So it must be where a token may hold a space.
    pub(super) fn joins(&self) -> bool {
        self.has_long_terms() && !self.settings.pattern.is_plain()
    }

    /// Are there terms of several words, told apart in whatever way?
    pub(crate) fn has_long_terms(&self) -> bool {
        self.settings.analyzer == Analyzer::Word && (self.settings.ngrams.1 > 1 || self.settings.skip > 0)
    }

    /// Is every feature a word or a pair of neighbours?
    pub(crate) fn is_short(&self) -> bool {
        let settings = &self.settings;
        settings.analyzer == Analyzer::Word && settings.ngrams.0 == 1 && settings.ngrams.1 <= 2 && settings.skip <= 1
    }

    /// Are the terms words or paths of words, cut by the pattern?
    pub(super) fn makes_paths(&self) -> bool {
        self.settings.analyzer == Analyzer::Word && !self.joins()
    }

    /// Is a path of so many words a term? Neighbours are, if there are skip pairs, whatever the n-grams.
    pub(super) fn is_term(&self, words: usize) -> bool {
        words >= self.settings.ngrams.0 || (words == 2 && self.settings.skip > 0)
    }

    /// Are there paths of several words?
    pub(super) fn makes_grams(&self) -> bool {
        self.has_long_terms() && !self.joins()
    }
}
