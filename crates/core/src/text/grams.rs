//! A table of pairs of numbers: an n-gram is the (n−1)-gram before it and its last word.

use super::lexicon::NONE;
use super::seeds::Seeds;

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    value: u32,
}

const EMPTY: Slot = Slot { key: 0, value: NONE };

/// Pairs of numbers, each with a value other than [`NONE`]. No text is built: eight bytes tell two n-grams apart.
#[derive(Clone)]
pub(super) struct Grams {
    slots: Vec<Slot>,
    len: usize,
    seeds: Seeds,
}

impl Grams {
    pub(super) fn new(seeds: Seeds) -> Self {
        Self { slots: vec![EMPTY; 64], len: 0, seeds }
    }

    /// Makes room for so many more pairs, which saves putting all of them in their places again at each doubling.
    pub(super) fn reserve(&mut self, more: usize) {
        while (self.len + more) * 3 > self.slots.len() * 2 {
            self.grow();
        }
    }

    /// Reads the slots where the search for these pairs will begin; see [`Lexicon::touch`](super::lexicon::Lexicon::touch).
    #[inline]
    pub(super) fn touch(&self, parents: &[u32], tails: &[u32]) {
        let mask = self.slots.len() - 1;
        let first = |(parent, tail): (&u32, &u32)| {
            let key = (*parent as u64) << 32 | *tail as u64;
            self.slots[self.seeds.mix(key, 0) as usize & mask].value
        };
        std::hint::black_box(parents.iter().zip(tails).map(first).fold(0, u32::wrapping_add));
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.seeds.mix(key, 0) as usize & mask;
        loop {
            let slot = &self.slots[at];
            if slot.value == NONE || slot.key == key {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The value of a pair, or [`NONE`].
    #[inline]
    pub(super) fn find(&self, parent: u32, tail: u32) -> u32 {
        self.slots[self.place((parent as u64) << 32 | tail as u64)].value
    }

    /// The value of a pair, and whether it is new and has been given `value`.
    #[inline]
    pub(super) fn find_or_add(&mut self, parent: u32, tail: u32, value: u32) -> (u32, bool) {
        let key = (parent as u64) << 32 | tail as u64;
        let at = self.place(key);
        let slot = self.slots[at];
        if slot.value != NONE {
            return (slot.value, false);
        }
        self.slots[at] = Slot { key, value };
        self.len += 1;
        if self.len * 3 > self.slots.len() * 2 {
            self.grow();
        }
        (value, true)
    }

    #[cold]
    fn grow(&mut self) {
        let wider = vec![EMPTY; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, wider);
        for slot in old.into_iter().filter(|slot| slot.value != NONE) {
            let at = self.place(slot.key);
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaves_like_a_map() {
        let mut grams = Grams::new(Seeds::random());
        let mut known = std::collections::HashMap::new();
        for i in 0u32..10_000 {
            let pair = (i % 97, i % 61);
            let expected = *known.entry(pair).or_insert(i);
            assert_eq!(grams.find_or_add(pair.0, pair.1, i), (expected, expected == i));
        }
        assert_eq!(grams.find(96, 96), NONE);
        assert!(known.iter().all(|(pair, value)| grams.find(pair.0, pair.1) == *value));
    }
}
