//! Making room in a shard, and giving back what nobody uses any more.

use super::{MANY, Shard, Slot};
use crate::keyed::entry::Origin;

impl Shard {
    /// Makes room; keys that no document has any more are left behind, so that a window that moves on stays in its memory.
    #[cold]
    pub(super) fn grow(&mut self, more: usize, k: usize) {
        let old = std::mem::take(&mut self.slots);
        let live: Vec<Slot> = old.into_iter().filter(|slot| self.is_live(slot, k)).collect();
        self.slots = vec![Slot::default(); (2 * (live.len() + more)).next_power_of_two().max(16)];
        let mut kept = Kept::default();
        let tidy = 2 * live.len() < self.len;
        self.len = live.len();
        for mut slot in live {
            if tidy {
                self.keep(&mut slot, &mut kept, k);
            }
            let at = self.place(slot.key);
            self.slots[at] = slot;
        }
        if tidy {
            (self.cells, self.origins, self.text) = (kept.cells, kept.origins, kept.text);
        }
    }

    fn is_live(&self, slot: &Slot, k: usize) -> bool {
        let counted = || match slot.class {
            MANY => self.cells[self.row_of(slot, k)].iter().any(|cell| *cell != 0),
            _ => slot.sum != 0,
        };
        slot.used && (self.documents(slot, k) != 0 || counted())
    }

    /// Copies what belongs to a slot, which from now on refers to the copies.
    fn keep(&self, slot: &mut Slot, kept: &mut Kept, k: usize) {
        if slot.class == MANY {
            let row = self.row_of(slot, k);
            slot.sum = (kept.cells.len() / (k + 1)) as i32;
            kept.cells.extend_from_slice(&self.cells[row.start..=row.end]);
        }
        if let Some(mut origin) = self.origin(slot) {
            if let Origin::Text { start, len } = &mut origin {
                kept.text.extend_from_slice(self.text(*start, *len));
                *start = kept.text.len() - *len;
            }
            kept.origins.push(origin);
            slot.origin = kept.origins.len() as u32;
        }
    }
}

/// What the slots refer to.
#[derive(Default)]
struct Kept {
    cells: Vec<i64>,
    origins: Vec<Origin>,
    text: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::super::SeenCounts;
    use super::*;
    use crate::keyed::entry::{Entry, Kind};
    use crate::text::seeds::Seeds;

    const K: usize = 3;

    fn change(shard: &mut Shard, keys: Range<u64>, sign: i64) {
        let entries: Vec<Entry> = keys
            .flat_map(|key| {
                let of = move |class| Entry { key, count: 2, from: [0, 1], class, order: 0, kind: Kind::Word };
                (0..1 + (key % 2) as u16).map(of)
            })
            .collect();
        let named = |entry: &Entry, text: &mut Vec<u8>| {
            text.clear();
            text.extend_from_slice(format!("word {}", entry.key).as_bytes());
            Some(Origin::Text { start: 0, len: text.len() })
        };
        assert!(shard.add_all(&entries, sign, K, named));
    }

    /// Room for what is there, whatever has been and gone.
    #[test]
    fn a_window_that_moves_on_stays_in_its_memory() {
        let mut shard = Shard::new(Seeds::random(), 1);
        for start in (0..200_000).step_by(1_000) {
            change(&mut shard, start..start + 1_000, 1);
            if start >= 2_000 {
                change(&mut shard, start - 2_000..start - 1_000, -1);
            }
        }
        assert_eq!(shard.distinct, [2_000]);
        assert!(shard.slots.len() <= 16_384, "{} slots", shard.slots.len());
        assert!(shard.rows(K) <= 8_192, "{} rows", shard.rows(K));
        assert!(shard.text.len() <= 200_000, "{} bytes of names", shard.text.len());
        for key in 198_000..200_000 {
            let seen = shard.find(key, K).map(|seen| (seen.documents, seen.counts));
            match seen {
                Some((1, SeenCounts::One(0, 2))) => assert_eq!(key % 2, 0),
                Some((2, SeenCounts::Many(cells, _))) => assert_eq!((key % 2, cells), (1, &[2, 2, 0][..])),
                _ => unreachable!("{key}"),
            }
            let Some(Origin::Text { start, len }) = shard.origin_of(key) else { unreachable!() };
            assert_eq!(shard.text(start, len), format!("word {key}").as_bytes());
        }
    }
}
