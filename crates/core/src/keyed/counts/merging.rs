//! Tables added to one another.

use super::{KeyedCounts, Origin, Unmerged};

impl KeyedCounts {
    /// Adds `sign` times another table of the same orders, whose class `i` is our class `places[i]`. What is refused
    /// changes nothing.
    pub fn merge(&mut self, other: &Self, places: &[usize], sign: i64) -> Result<(), Unmerged> {
        if sign > 0 && !self.has_room(other.totals()) {
            return Err(Unmerged::Large);
        }
        let done = self.add(other, places, sign);
        if done.is_err() {
            let _ = self.add(other, places, -sign);
        }
        done
    }

    fn add(&mut self, other: &Self, places: &[usize], sign: i64) -> Result<(), Unmerged> {
        let mut done = Ok(());
        for (mine, theirs) in self.shards.iter_mut().zip(&other.shards) {
            for (key, seen, origin) in theirs.each(other.k) {
                done = done.and(mine.merge(key, &seen, places, sign, self.k));
                match origin {
                    Some(Origin::Text { start, len }) if self.named => {
                        mine.name(key, Origin::Text { start, len }, theirs.text(start, len))
                    }
                    Some(parts) if self.named => mine.name(key, parts, &[]),
                    _ => {}
                }
            }
        }
        self.add_up();
        for (i, &place) in places.iter().enumerate() {
            self.documents[place] += sign * other.documents[i];
            for order in 0..self.orders.len() {
                self.sums[order * self.k + place] += sign * other.sums[order * other.k + i];
            }
        }
        if self.documents.iter().all(|n| *n >= 0) { done } else { done.and(Err(Unmerged::Unlearned)) }
    }

    /// The same counts with `k` classes, our class `i` at `places[i]`.
    pub fn relabelled(&self, places: &[usize], k: usize) -> Self {
        let mut wider = Self::new(&self.orders, k, self.lift, self.buckets, self.named);
        let _ = wider.add(self, places, 1);
        wider
    }

    /// Drops the keys that fewer than `least` documents hold, as if no document had held them; says how many.
    pub fn drop_rare(&mut self, least: i64) -> usize {
        let rare: Vec<u64> = self.each().filter(|(_, seen, _)| seen.documents < least).map(|(key, ..)| key).collect();
        let mut negative = Self::new(&self.orders, self.k, self.lift, self.buckets, false);
        let places: Vec<usize> = (0..self.k).collect();
        for &key in &rare {
            if let Some(seen) = self.find(key) {
                negative.put(key, &seen, &places);
            }
        }
        let _ = self.add(&negative, &places, -1);
        *self = self.relabelled(&places, self.k);
        rare.len()
    }
}
