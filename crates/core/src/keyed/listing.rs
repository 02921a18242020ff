//! A table of counts as sorted lists: the same lists for the same counts, whatever their history.

use std::ops::Range;

use super::counts::KeyedCounts;
use super::entry::Origin;
use super::seen::{Seen, SeenCounts};
use super::shard::MANY;

/// What all counts of a list may add up to: sums of them never overflow, and there is room to learn on.
const MOST: i64 = 1 << 61;

/// The keys that some document holds, ascending, with what was seen of each; classes without a count are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// 64-bit keys.
    pub keys: Vec<u64>,
    /// Order of each key, as the encoder numbers them.
    pub orders: Vec<u8>,
    /// Documents that hold it.
    pub documents: Vec<i64>,
    /// Key `i` has the counts `starts[i]` to `starts[i + 1]`.
    pub starts: Vec<i64>,
    /// Class of each count.
    pub classes: Vec<u16>,
    /// The counts.
    pub counts: Vec<i64>,
    /// For a key made of two others, those; 0 for a key with a text of its own.
    pub parts: Vec<[u64; 2]>,
    /// The texts, one after the other.
    pub text: Vec<u8>,
    /// Where each key's text ends.
    pub text_ends: Vec<i64>,
}

impl KeyedCounts {
    /// The counts as lists.
    pub fn listing(&self) -> Listing {
        let mut out = Listing { starts: vec![0], ..Listing::default() };
        // Shards have their keys by the first byte, so that each is put in order by itself, in the cache.
        let shards = self.shards().iter().map(|shard| {
            let mut rows: Vec<(u64, Seen, Option<Origin>)> = shard.each(self.k).collect();
            rows.sort_unstable_by_key(|row| row.0);
            rows
        });
        for (key, seen, origin) in shards.flatten() {
            out.keys.push(key);
            out.orders.push(self.orders[seen.order as usize]);
            out.documents.push(seen.documents);
            out.push_counts(seen.counts);
            let (parts, text) = match origin {
                Some(Origin::Text { start, len }) => ([0; 2], self.shard(key).text(start, len)),
                Some(Origin::Parts(parts)) => (parts, &[][..]),
                None => ([0; 2], &[][..]),
            };
            out.parts.push(parts);
            out.text.extend_from_slice(text);
            out.text_ends.push(out.text.len() as i64);
        }
        out
    }

    /// Adds listed counts, whose class `i` is our class `places[i]`, and as many `documents` of each; false, and nothing
    /// added, where the lists do not fit each other or the table.
    pub fn fill(&mut self, listing: &Listing, documents: &[i64], places: &[usize]) -> bool {
        let fits = documents.len() == places.len() && places.iter().all(|&place| place < self.k);
        if !fits || !listing.fits(&self.orders, places.len()) || !adds_up(documents, 0) {
            return false;
        }
        let sums = [&listing.documents, &listing.counts, documents].map(|numbers| numbers.iter().sum());
        if !self.has_room(sums) || !self.agrees(listing) {
            return false;
        }
        let mut cells = vec![0; places.len()];
        for (i, &key) in listing.keys.iter().enumerate() {
            cells.fill(0);
            let range = listing.starts[i] as usize..listing.starts[i + 1] as usize;
            for at in range.clone() {
                cells[listing.classes[at] as usize] = listing.counts[at];
            }
            let counts = match range.len() {
                1 => SeenCounts::One(listing.classes[range.start] as usize, listing.counts[range.start]),
                _ => SeenCounts::Many(&cells, 0),
            };
            let order = self.place[listing.orders[i] as usize];
            self.put(key, &Seen { order, documents: listing.documents[i], counts }, places);
            if listing.text_ends.len() == listing.keys.len() {
                let start = if i == 0 { 0 } else { listing.text_ends[i - 1] as usize };
                let text = &listing.text[start..listing.text_ends[i] as usize];
                match listing.parts[i] {
                    [0, 0] if text.is_empty() => {}
                    [0, 0] => self.put_name(key, Origin::Text { start: 0, len: text.len() }, text),
                    parts => self.put_name(key, Origin::Parts(parts), &[]),
                }
            }
        }
        self.put_documents(documents, places);
        true
    }

    /// Whether tables of these totals can be added, so that the sum can be listed and filled again.
    pub(super) fn has_room(&self, more: [i64; 3]) -> bool {
        self.totals().iter().zip(more).all(|(have, more)| have.saturating_add(more) <= MOST)
    }

    /// Whether the keys that are here have the same orders there.
    fn agrees(&self, listing: &Listing) -> bool {
        let mut all = listing.keys.iter().zip(&listing.orders);
        all.all(|(key, order)| self.find(*key).is_none_or(|seen| self.orders[seen.order as usize] == *order))
    }
}

impl Listing {
    fn push_counts(&mut self, counts: SeenCounts) {
        match counts {
            SeenCounts::One(_, 0) => {}
            SeenCounts::One(class, sum) => {
                self.classes.push(class as u16);
                self.counts.push(sum);
            }
            SeenCounts::Many(cells, _) => {
                for (class, &cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != 0) {
                    self.classes.push(class as u16);
                    self.counts.push(cell);
                }
            }
        }
        self.starts.push(self.counts.len() as i64);
    }

    /// Whether the lists fit each other and a table of these orders and so many classes: a file may hold anything.
    fn fits(&self, orders: &[u8], k: usize) -> bool {
        let n = self.keys.len();
        let rises = |ends: &[i64], last: usize| {
            ends.windows(2).all(|pair| pair[0] <= pair[1]) && ends.last().is_none_or(|end| *end == last as i64)
        };
        let texts = self.text_ends.is_empty() && self.parts.is_empty()
            || self.text_ends.len() == n
                && self.parts.len() == n
                && self.text_ends.first().is_none_or(|first| *first >= 0)
                && rises(&self.text_ends, self.text.len());
        self.orders.len() == n
            && self.documents.len() == n
            && self.starts.len() == n + 1
            && self.starts[0] == 0
            && rises(&self.starts, self.counts.len())
            && self.classes.len() == self.counts.len()
            && texts
            && self.keys.windows(2).all(|pair| pair[0] < pair[1])
            && self.orders.iter().all(|order| orders.contains(order))
            && self.starts.windows(2).all(|pair| self.rising(pair[0] as usize..pair[1] as usize))
            && self.classes.iter().all(|class| (*class as usize) < k && *class != MANY)
            && adds_up(&self.documents, 1)
            && adds_up(&self.counts, 1)
    }

    /// Whether the counts of a key are those of one class after the other. There may be none left, where a text was
    /// unlearned that is not the one learned.
    fn rising(&self, range: Range<usize>) -> bool {
        self.classes[range].windows(2).all(|pair| pair[0] < pair[1])
    }
}

/// Whether all numbers are at least `least`, and together not too many.
fn adds_up(numbers: &[i64], least: i64) -> bool {
    let total = numbers.iter().try_fold(0_i64, |sum, n| if *n < least { None } else { sum.checked_add(*n) });
    total.is_some_and(|total| total <= MOST)
}
