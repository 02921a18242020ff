//! The words that a workspace has met.

use super::lexicon::{Lexicon, NONE, Recent};
use super::seeds::Seeds;
use super::terms::DROP;
use super::{Encoder, Terms};

/// Tags are words that begin with a byte which is in no text.
const OUTSIDE: u8 = 0xff;

/// The key of a word, and its place among the features of the field that was settled in this round.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) key: u64,
    pub(super) round: u32,
    pub(super) place: u32,
}

/// The words met so far.
pub(super) struct Memory {
    pub(super) terms: Terms,
    pub(super) recent: Recent,
    /// Bytes read.
    pub(super) read: usize,
    /// The term of each raw token, where stems are taken.
    pub(super) raw: Lexicon,
    pub(super) marks: Vec<Mark>,
    /// Fields settled; no mark is older than the last time this began anew.
    round: u32,
}

impl Memory {
    pub(super) fn new(encoder: &Encoder) -> Self {
        let plan = encoder.plan;
        let mut terms = Terms::new(plan);
        if plan.stem.is_none() && !plan.makes_paths() {
            plan.stops.iter().for_each(|stop| _ = terms.lexicon.add(stop, DROP));
        }
        let (recent, raw) = (Recent::new(0), Lexicon::new(Seeds::random()));
        Self { terms, recent, read: 0, raw, marks: Vec::new(), round: 0 }
    }

    /// The node of a tag.
    pub(super) fn tag(&mut self, tag: &[u8]) -> u32 {
        self.terms.add_word(&[&[OUTSIDE], tag].concat(), false)
    }

    pub(super) fn word(&self, node: u32) -> &[u8] {
        self.terms.lexicon.text(self.terms.tails[node as usize] as usize)
    }

    /// Gives keys to new words.
    pub(super) fn number(&mut self, encoder: &Encoder) {
        let mut name = Vec::new();
        for node in self.marks.len()..self.terms.parents.len() {
            name.clear();
            self.name(node as u32, &mut name);
            self.marks.push(Mark { key: encoder.key(&name), round: 0, place: 0 });
        }
    }

    pub(super) fn next_round(&mut self) -> u32 {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.marks.iter_mut().for_each(|mark| mark.round = 0);
            self.round = 1;
        }
        self.round
    }

    /// The text of a word without its tag.
    pub(super) fn bare(&self, node: u32) -> &[u8] {
        match self.terms.parents[node as usize] {
            NONE => self.word(node),
            _ => self.word(self.terms.tails[node as usize]),
        }
    }

    /// Appends the text of a word, its tag in front.
    pub(super) fn name(&self, node: u32, out: &mut Vec<u8>) {
        let parent = self.terms.parents[node as usize];
        if parent != NONE {
            out.extend_from_slice(&self.word(parent)[1..]);
        }
        out.extend_from_slice(self.bare(node));
    }
}
