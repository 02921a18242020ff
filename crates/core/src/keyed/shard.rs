//! One of the 256 tables that keys are spread over by their first byte.

mod grow;
mod merging;

use std::ops::Range;

use crate::text::seeds::Seeds;

use super::entry::{Entry, Origin};
use super::seen::{Seen, SeenCounts};

/// In [`Slot::class`]: more than one class has the key, its counts are a row of cells.
pub(super) const MANY: u16 = u16::MAX;

/// So many look-ups begin at once.
const BATCH: usize = 128;

/// Most keys are seen in one class only (95 % of the pairs of words in 20 Newsgroups), so such a count lives in the slot itself
/// and the table needs two thirds less memory than one with a row for every key. Numbers that outgrow their 32 bits move
/// to a row of cells: 24 bytes instead of 40.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// The count, or the number of the row of cells.
    sum: i32,
    documents: i32,
    /// Number of its origin, counted from 1; 0 for none.
    origin: u32,
    class: u16,
    order: u8,
    used: bool,
}

/// In [`Slot::documents`]: their number stands behind the counts in the row of cells.
const ELSEWHERE: i32 = i32::MIN;

#[derive(Clone)]
pub(super) struct Shard {
    seeds: Seeds,
    slots: Vec<Slot>,
    len: usize,
    cells: Vec<i64>,
    origins: Vec<Origin>,
    text: Vec<u8>,
    /// Keys with documents, by order.
    pub(super) distinct: Vec<i64>,
    /// Documents of all keys.
    pub(super) held: i64,
}

impl Shard {
    pub(super) fn new(seeds: Seeds, orders: usize) -> Self {
        let (slots, cells, origins, text) = Default::default();
        Self { seeds, slots, len: 0, cells, origins, text, distinct: vec![0; orders], held: 0 }
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.seeds.mix(key, 0) as usize & mask;
        while self.slots[at].used && self.slots[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// Reads the slot where the search will begin, so that the misses of many keys overlap.
    #[inline(always)]
    pub(super) fn touch(&self, key: u64) -> i32 {
        if self.slots.is_empty() {
            return 0;
        }
        self.slots[self.seeds.mix(key, 0) as usize & (self.slots.len() - 1)].documents
    }

    /// What was seen of a key that some document still has.
    #[inline(always)]
    pub(super) fn find(&self, key: u64, k: usize) -> Option<Seen<'_>> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = &self.slots[self.place(key)];
        (slot.used && self.documents(slot, k) != 0).then(|| self.seen(slot, k))
    }

    #[inline(always)]
    fn documents(&self, slot: &Slot, k: usize) -> i64 {
        if slot.documents == ELSEWHERE { self.cells[self.row_of(slot, k).end] } else { slot.documents as i64 }
    }

    /// Where the counts of a slot with a row of cells are; the number of documents has a cell of its own behind them.
    #[inline(always)]
    fn row_of(&self, slot: &Slot, k: usize) -> Range<usize> {
        let start = slot.sum as usize * (k + 1);
        start..start + k
    }

    #[inline(always)]
    fn seen(&self, slot: &Slot, k: usize) -> Seen<'_> {
        let counts = match slot.class {
            MANY => SeenCounts::Many(&self.cells[self.row_of(slot, k)], slot.sum as usize),
            class => SeenCounts::One(class as usize, slot.sum as i64),
        };
        Seen { order: slot.order, documents: self.documents(slot, k), counts }
    }

    /// How many rows of cells.
    pub(super) fn rows(&self, k: usize) -> usize {
        self.cells.len() / (k + 1)
    }

    /// All keys that some document has, in no order.
    pub(super) fn each(&self, k: usize) -> impl Iterator<Item = (u64, Seen<'_>, Option<Origin>)> {
        let live = self.slots.iter().filter(move |slot| slot.used && self.documents(slot, k) != 0);
        live.map(move |slot| (slot.key, self.seen(slot, k), self.origin(slot)))
    }

    fn origin(&self, slot: &Slot) -> Option<Origin> {
        self.origins.get((slot.origin as usize).checked_sub(1)?).copied()
    }

    pub(super) fn origin_of(&self, key: u64) -> Option<Origin> {
        if self.slots.is_empty() {
            return None;
        }
        self.origin(&self.slots[self.place(key)])
    }

    pub(super) fn text(&self, start: usize, len: usize) -> &[u8] {
        self.text.get(start..start + len).unwrap_or_default()
    }

    /// Adds `sign` times the entries; `origin` tells the names of keys that have none yet. False where less than nothing
    /// is left.
    pub(super) fn add_all(
        &mut self,
        entries: &[Entry],
        sign: i64,
        k: usize,
        mut origin: impl FnMut(&Entry, &mut Vec<u8>) -> Option<Origin>,
    ) -> bool {
        let (mut fine, mut text) = (true, Vec::new());
        for batch in entries.chunks(BATCH) {
            self.reserve(batch.len(), k);
            let touched = batch.iter().map(|entry| self.touch(entry.key));
            std::hint::black_box(touched.fold(0, i32::wrapping_add));
            let (mut new, mut count) = ([(0, 0); BATCH + 1], 0);
            for (i, entry) in batch.iter().enumerate() {
                let at = self.slot(entry.key, entry.order, k);
                fine &= self.add(at, entry, sign, k);
                new[count] = (i, at);
                count += (self.slots[at].origin == 0) as usize;
            }
            for &(i, at) in &new[..count] {
                if self.slots[at].origin == 0
                    && let Some(origin) = origin(&batch[i], &mut text)
                {
                    self.name_at(at, origin, &text);
                }
            }
        }
        fine
    }

    /// Makes room for so many more keys, so that the places of those that are there stay.
    fn reserve(&mut self, more: usize, k: usize) {
        if (self.len + more) * 3 > self.slots.len() * 2 {
            self.grow(more, k);
        }
    }

    #[inline(always)]
    fn add(&mut self, at: usize, entry: &Entry, sign: i64, k: usize) -> bool {
        let change = sign * entry.count as i64;
        let slot = &mut self.slots[at];
        if slot.documents == 0 && slot.sum == 0 && slot.class != MANY {
            slot.class = entry.class;
        }
        let left = self.change(at, entry.class, change, k);
        self.count(at, sign * entry.documents(), k) && left >= 0
    }

    /// Changes the count of a class, which lives in the slot if no other class has one and it fits; returns it.
    #[inline(always)]
    fn change(&mut self, at: usize, class: u16, change: i64, k: usize) -> i64 {
        let slot = &mut self.slots[at];
        if slot.class == class
            && let Ok(sum) = i32::try_from(slot.sum as i64 + change)
        {
            slot.sum = sum;
            return sum as i64;
        }
        let row = self.row(at, k);
        let cell = &mut self.cells[row.start + class as usize];
        *cell += change;
        *cell
    }

    /// The place of a key, which is given one if it has none.
    #[inline(always)]
    fn slot(&mut self, key: u64, order: u8, k: usize) -> usize {
        self.reserve(1, k);
        let at = self.place(key);
        if !self.slots[at].used {
            self.slots[at] = Slot { key, order, used: true, ..Slot::default() };
            self.len += 1;
        }
        at
    }

    /// Changes the number of documents and keeps the number of distinct keys right; false where it falls below zero, or
    /// to zero with counts left over.
    #[inline(always)]
    fn count(&mut self, at: usize, change: i64, k: usize) -> bool {
        let before = self.documents(&self.slots[at], k);
        let documents = before + change;
        match i32::try_from(documents) {
            Ok(few) if self.slots[at].documents != ELSEWHERE && few != ELSEWHERE => self.slots[at].documents = few,
            _ => {
                let row = self.row(at, k);
                self.cells[row.end] = documents;
                self.slots[at].documents = ELSEWHERE;
            }
        }
        let slot = &self.slots[at];
        self.distinct[slot.order as usize] += (documents != 0) as i64 - (before != 0) as i64;
        self.held += change;
        match documents {
            0 if slot.class == MANY => self.cells[self.row_of(slot, k)].iter().all(|cell| *cell == 0),
            0 => slot.sum == 0,
            documents => documents > 0,
        }
    }

    /// The row of cells of a slot, which gets one if it had a single count.
    fn row(&mut self, at: usize, k: usize) -> Range<usize> {
        let slot = self.slots[at];
        if slot.class != MANY {
            let row = self.rows(k);
            self.cells.resize(self.cells.len() + k + 1, 0);
            self.cells[row * (k + 1) + slot.class as usize] = slot.sum as i64;
            (self.slots[at].class, self.slots[at].sum) = (MANY, row as i32);
        }
        self.row_of(&self.slots[at], k)
    }

    /// Says where a key's name comes from, if that is not known yet.
    pub(super) fn name(&mut self, key: u64, origin: Origin, text: &[u8]) {
        let at = self.place(key);
        if self.slots[at].origin == 0 {
            self.name_at(at, origin, text);
        }
    }

    fn name_at(&mut self, at: usize, origin: Origin, text: &[u8]) {
        let kept = match origin {
            Origin::Text { .. } => Origin::Text { start: self.text.len(), len: text.len() },
            parts => parts,
        };
        self.text.extend_from_slice(text);
        self.origins.push(kept);
        self.slots[at].origin = self.origins.len() as u32;
    }
}
