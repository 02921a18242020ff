//! A table of distinct byte strings.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::seeds::Seeds;

/// No entry, no column, no term.
pub(super) const NONE: u32 = u32::MAX;

/// A byte string as two words: up to fifteen bytes are their own exact key, with the length in the last byte;
/// longer ones are a hash and their length, and are compared byte by byte.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Key {
    low: u64,
    high: u64,
}

const SHORT: usize = 15;
/// The first so many bytes of sixteen.
const MASKS: [u128; SHORT + 1] = {
    let mut masks = [0; SHORT + 1];
    let mut len = 0;
    while len <= SHORT {
        masks[len] = (1 << (8 * len)) - 1;
        len += 1;
    }
    masks
};
const LONG: u64 = 0xff << 56;

impl Key {
    /// Of `text[start..end]`; at least sixteen bytes of `text` must follow `start`.
    #[inline(always)]
    pub(super) fn new(text: &[u8], start: usize, end: usize, seeds: &Seeds) -> Self {
        let len = end - start;
        match text.get(start..).and_then(|rest| rest.first_chunk::<16>()) {
            Some(chunk) if len <= SHORT => {
                let bytes = u128::from_le_bytes(*chunk) & MASKS[len];
                Self { low: bytes as u64, high: (bytes >> 64) as u64 | (len as u64) << 56 }
            }
            _ => Self::long(text.get(start..end).unwrap_or_default(), seeds),
        }
    }

    #[inline(never)]
    fn long(bytes: &[u8], seeds: &Seeds) -> Self {
        Self { low: xxh3_64_with_seed(bytes, seeds.0), high: LONG | bytes.len() as u64 }
    }

    #[inline]
    fn is_long(self) -> bool {
        self.high >= LONG
    }
}

/// A key and where to look for it.
#[derive(Clone, Copy, Default)]
pub(super) struct Probe {
    key: Key,
    hash: usize,
}

/// The words met last, in a table that stays in the cache: 84 % of the look-ups in news and mail end here.
pub(super) struct Recent {
    slots: Vec<(Key, u32)>,
}

const RECENT: usize = 1 << 13;
const NOBODY: (Key, u32) = (Key { low: 0, high: u64::MAX }, NONE);
/// Making the table costs as much as reading so many bytes.
const WORTHWHILE: usize = 1 << 15;

impl Recent {
    /// For so many bytes of text; a short one has no use for more than one place.
    pub(super) fn new(size: usize) -> Self {
        let mut recent = Self { slots: vec![NOBODY] };
        recent.widen(size);
        recent
    }

    /// Takes as many places as are worth it for so many bytes of text.
    pub(super) fn widen(&mut self, size: usize) {
        if size >= WORTHWHILE {
            self.slots = vec![NOBODY; RECENT];
        }
    }

    pub(super) fn is_small(&self) -> bool {
        self.slots.len() < RECENT
    }

    #[inline(always)]
    fn place(&self, probe: &Probe) -> usize {
        (probe.hash >> 32) & (self.slots.len() - 1)
    }

    /// The value that stands where a short string's would, and whether it is that string's.
    #[inline(always)]
    pub(super) fn find(&self, probe: &Probe) -> (u32, bool) {
        let (key, value) = self.slots[self.place(probe)];
        (value, key == probe.key)
    }

    /// Remembers a string, unless it is so long that its key is no proof.
    #[inline(always)]
    pub(super) fn keep(&mut self, probe: &Probe, value: u32) {
        let place = self.place(probe);
        if !probe.key.is_long() {
            self.slots[place] = (probe.key, value);
        }
    }
}

#[derive(Clone, Copy)]
struct Slot {
    key: Key,
    number: u32,
    value: u32,
}

const EMPTY: Slot = Slot { key: Key { low: 0, high: 0 }, number: NONE, value: NONE };

/// Distinct byte strings, each with a number (in order of arrival) and a value.
///
/// Open addressing at two thirds load at most; a slot is 24 bytes and short strings are compared without touching the arena.
#[derive(Clone)]
pub(super) struct Lexicon {
    slots: Vec<Slot>,
    arena: Vec<u8>,
    ends: Vec<usize>,
    pub(super) seeds: Seeds,
}

impl Lexicon {
    pub(super) fn new(seeds: Seeds) -> Self {
        Self { slots: vec![EMPTY; 64], arena: Vec::new(), ends: Vec::new(), seeds }
    }

    /// How many strings.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The string with this number.
    pub(super) fn text(&self, number: usize) -> &[u8] {
        let start = if number == 0 { 0 } else { self.ends.get(number - 1).copied().unwrap_or(0) };
        self.ends.get(number).and_then(|&end| self.arena.get(start..end)).unwrap_or_default()
    }

    /// The key of `text[start..end]` and its hash.
    #[inline(always)]
    pub(super) fn probe(&self, text: &[u8], start: usize, end: usize) -> Probe {
        let key = Key::new(text, start, end, &self.seeds);
        Probe { key, hash: self.seeds.mix(key.low, key.high) as usize }
    }

    /// Reads something of the slot where the search will begin.
    ///
    /// Loads that depend on nothing overlap, so a batch of cold slots costs little more than one: without this the
    /// look-ups are a chain of cache misses and mispredicted branches.
    #[inline(always)]
    pub(super) fn touch(&self, probe: &Probe) -> u32 {
        self.slots[probe.hash & (self.slots.len() - 1)].number
    }

    /// The place of the string, or the empty place where it belongs.
    #[inline]
    fn place(&self, Probe { key, hash }: Probe, text: &[u8], start: usize, end: usize) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash & mask;
        loop {
            let slot = &self.slots[at];
            let same = slot.key == key && (!key.is_long() || self.text(slot.number as usize) == &text[start..end]);
            if slot.number == NONE || same {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The value of `text[start..end]`, if it is there.
    #[inline]
    pub(super) fn find(&self, text: &[u8], start: usize, end: usize) -> Option<u32> {
        self.find_at(self.probe(text, start, end), text, start, end)
    }

    /// The same, where the key is known.
    #[inline]
    pub(super) fn find_at(&self, probe: Probe, text: &[u8], start: usize, end: usize) -> Option<u32> {
        let slot = &self.slots[self.place(probe, text, start, end)];
        (slot.number != NONE).then_some(slot.value)
    }

    /// The value of `text[start..end]`, and whether the string is new and has been given `value`.
    #[inline]
    pub(super) fn find_or_add(&mut self, text: &[u8], start: usize, end: usize, value: u32) -> (u32, bool) {
        self.find_or_add_at(self.probe(text, start, end), text, start, end, value)
    }

    /// The same, where the key is known.
    #[inline]
    pub(super) fn find_or_add_at(
        &mut self,
        probe: Probe,
        text: &[u8],
        start: usize,
        end: usize,
        value: u32,
    ) -> (u32, bool) {
        let at = self.place(probe, text, start, end);
        let slot = &self.slots[at];
        if slot.number != NONE {
            return (slot.value, false);
        }
        self.slots[at] = Slot { key: probe.key, number: self.ends.len() as u32, value };
        self.arena.extend_from_slice(&text[start..end]);
        self.ends.push(self.arena.len());
        if self.ends.len() * 3 > self.slots.len() * 2 {
            self.grow();
        }
        (value, true)
    }

    /// The value of a string of its own, without padding.
    pub(super) fn get(&self, string: &[u8]) -> Option<u32> {
        let mut short = [0; 32];
        match short.get_mut(..string.len()) {
            Some(room) if string.len() <= SHORT => {
                room.copy_from_slice(string);
                self.find(&short, 0, string.len())
            }
            _ => self.find(string, 0, string.len()),
        }
    }

    /// Adds a string of its own, without padding.
    pub(super) fn add(&mut self, string: &[u8], value: u32) -> (u32, bool) {
        let mut padded = string.to_vec();
        padded.resize(string.len() + 16, 0);
        self.find_or_add(&padded, 0, string.len(), value)
    }

    #[cold]
    fn grow(&mut self) {
        let wider = vec![EMPTY; self.slots.len() * 2];
        let mask = wider.len() - 1;
        let old = std::mem::replace(&mut self.slots, wider);
        for slot in old.into_iter().filter(|slot| slot.number != NONE) {
            let mut at = self.seeds.mix(slot.key.low, slot.key.high) as usize & mask;
            while self.slots[at].number != NONE {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn behaves_like_a_map(strings in prop::collection::vec(prop::collection::vec(0u8..4, 0..40), 0..300)) {
            let mut lexicon = Lexicon::new(Seeds::random());
            let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
            for (i, string) in strings.iter().enumerate() {
                let expected = *known.entry(string.clone()).or_insert(i as u32);
                prop_assert_eq!(lexicon.add(string, i as u32), (expected, expected == i as u32));
            }
            prop_assert_eq!(lexicon.len(), known.len());
            for (string, value) in known {
                let mut padded = string.clone();
                padded.resize(string.len() + 16, 7);
                prop_assert_eq!(lexicon.find(&padded, 0, string.len()), Some(value));
            }
        }
    }
}
