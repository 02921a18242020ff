//! Joining two vocabularies.

use crate::threads::each_thread;

use super::Terms;
use super::lexicon::NONE;

/// So many terms are looked up by one thread at a time.
const CHUNK: usize = 1 << 14;

impl Terms {
    /// Takes over the terms of another vocabulary of the same plan, in their order; returns where each went.
    ///
    /// Most are known already. They are looked up by all threads first, words before pairs; what is new after that is
    /// added in order by one.
    pub(super) fn absorb(&mut self, other: &Self, threads: usize) -> Vec<u32> {
        let mut places = vec![NONE; other.parents.len()];
        self.look_up_words(other, &mut places, threads);
        self.look_up_pairs(other, &mut places, threads);
        for node in 0..other.parents.len() {
            if places[node] == NONE {
                places[node] = self.add(other, node, &places);
            }
        }
        places
    }

    fn add(&mut self, other: &Self, node: usize, places: &[u32]) -> u32 {
        let (parent, tail, feature) = (other.parents[node], other.tails[node], other.features[node]);
        match parent {
            NONE => self.add_word(other.lexicon.text(tail as usize), feature),
            _ => self.gram(places[parent as usize], places[tail as usize], feature),
        }
    }

    fn look_up_words(&self, other: &Self, places: &mut [u32], threads: usize) {
        each_share(places, threads, |node, place| {
            if other.parents[node] == NONE {
                let word = other.lexicon.text(other.tails[node] as usize);
                *place = self.lexicon.get(word).unwrap_or(NONE);
            }
        });
    }

    /// Pairs of known words; longer terms wait for their turn.
    fn look_up_pairs(&self, other: &Self, places: &mut [u32], threads: usize) {
        let words = places.to_vec();
        each_share(places, threads, |node, place| {
            let parent = other.parents[node];
            if parent != NONE && other.parents[parent as usize] == NONE {
                let (head, last) = (words[parent as usize], words[other.tails[node] as usize]);
                if head != NONE && last != NONE {
                    *place = self.grams.find(head, last);
                }
            }
        });
    }
}

/// Calls `work(node, place)` for all places, in shares of consecutive ones.
fn each_share(places: &mut [u32], threads: usize, work: impl Fn(usize, &mut u32) + Sync) {
    let size = places.len().div_ceil(threads.max(1)).max(CHUNK);
    each_thread(places.chunks_mut(size).enumerate(), |(i, share)| {
        share.iter_mut().enumerate().for_each(|(j, place)| work(i * size + j, place));
    });
}
