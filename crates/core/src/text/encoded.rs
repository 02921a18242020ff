//! A document as keys.

use super::seeds::Seeds;

/// In [`Encoded::parts`]: this feature is not made of two others of the document. In [`Encoded::nodes`]: it is no word.
pub const NO_PART: u32 = u32::MAX;

/// The distinct features of one document, in order of first sight; all lists run in parallel.
#[derive(Default)]
pub struct Encoded {
    /// 64-bit keys.
    pub keys: Vec<u64>,
    /// The number of each word in the workspace that read it; [`NO_PART`] for features of several words.
    pub nodes: Vec<u32>,
    /// How often each occurs (1 where only presence counts).
    pub counts: Vec<u32>,
    /// Token number of the first occurrence, from 0 in each field.
    pub first: Vec<u32>,
    /// Number of words (or characters) in it; for a skip pair 128 plus the distance.
    pub orders: Vec<u8>,
    /// For n-grams of words: the places in these lists of all but the last word and of the last word.
    pub parts: Vec<[u32; 2]>,
    /// Number of tokens in the document.
    pub tokens: u32,
    /// The text of all features, if the workspace was told to keep it.
    pub names: Vec<u8>,
    /// Where each feature's text ends in `names`.
    pub name_ends: Vec<usize>,
}

impl Encoded {
    /// How many distinct features.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Has the document no feature?
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The text of a feature; empty if text was not kept.
    pub fn name(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.name_ends.get(place - 1).copied().unwrap_or(0) };
        self.name_ends.get(place).and_then(|&end| self.names.get(start..end)).unwrap_or_default()
    }

    /// Makes room for so many features in all, to be written in place and then [cut](Self::cut).
    pub(super) fn widen(&mut self, len: usize) {
        self.keys.resize(len, 0);
        self.nodes.resize(len, NO_PART);
        self.counts.resize(len, 0);
        self.first.resize(len, 0);
        self.parts.resize(len, [NO_PART; 2]);
    }

    /// Ends the lists at `len`; what is new has this order.
    pub(super) fn cut(&mut self, len: usize, order: u8) {
        self.keys.truncate(len);
        self.counts.truncate(len);
        self.first.truncate(len);
        self.parts.truncate(len);
        self.nodes.truncate(len);
        self.orders.resize(len, order);
    }

    /// Empties the lists and keeps their memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.nodes.clear();
        self.counts.clear();
        self.first.clear();
        self.orders.clear();
        self.parts.clear();
        self.names.clear();
        self.name_ends.clear();
        self.tokens = 0;
    }
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    place: u32,
    round: u32,
}

/// Where each key of the present document stands; emptied by counting rounds, not by writing.
pub(super) struct Places {
    slots: Vec<Slot>,
    /// The document's own part of the slots, a power of two: a short one after a long one stays in the cache.
    room: usize,
    round: u32,
    seeds: Seeds,
}

/// Slots that every document has.
const LEAST: usize = 64;

impl Default for Places {
    fn default() -> Self {
        Self { slots: vec![Slot::default(); LEAST], room: LEAST, round: 0, seeds: Seeds::random() }
    }
}

impl Places {
    /// Forgets the document before.
    pub(super) fn restart(&mut self) {
        self.room = LEAST;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill(Slot::default());
            self.round = 1;
        }
    }

    /// Makes room for so many keys in all.
    pub(super) fn reserve(&mut self, keys: usize) {
        let room = (keys * 2).next_power_of_two();
        if room <= self.room {
            return;
        }
        let held: Vec<Slot> = self.slots[..self.room].iter().filter(|slot| slot.round == self.round).copied().collect();
        self.restart();
        self.room = room;
        self.slots.resize(self.slots.len().max(room), Slot::default());
        for slot in held {
            self.find_or_add(slot.key, slot.place);
        }
    }

    /// The place of a key, which is `place` if it had none.
    #[inline(always)]
    pub(super) fn find_or_add(&mut self, key: u64, place: u32) -> u32 {
        let slots = &mut self.slots[..self.room];
        let mask = slots.len() - 1;
        // Keys may be made with a known seed, so they are mixed once more with one that nobody knows.
        let mut at = self.seeds.mix(key, 0) as usize & mask;
        while slots[at].round == self.round && slots[at].key != key {
            at = (at + 1) & mask;
        }
        let slot = &mut slots[at];
        let place = if slot.round == self.round { slot.place } else { place };
        *slot = Slot { key, place, round: self.round };
        place
    }
}
