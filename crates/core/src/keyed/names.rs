//! The texts of keys.

use super::counts::KeyedCounts;
use super::entry::Origin;

/// Words of the longest n-gram. A file may say that a key is part of itself: such a name ends here.
const LONGEST: usize = 127;

impl KeyedCounts {
    /// The text of a key, put together from its parts; empty where it was not kept.
    pub fn name(&self, key: u64) -> Vec<u8> {
        let (mut words, mut at) = (Vec::new(), key);
        while words.len() < LONGEST
            && let Some(Origin::Parts([head, last])) = self.shard(at).origin_of(at)
        {
            let order = self.find(at).map_or(0, |seen| self.orders[seen.order as usize]);
            words.push((order, self.own_text(last)));
            at = head;
        }
        let first = self.own_text(at);
        let mut out = first.to_vec();
        for (order, word) in words.into_iter().rev() {
            // The tag of a field, "subject:", stands in front of the whole only.
            let same = first.iter().zip(word).take_while(|(a, b)| a == b).count();
            let tag = first[..same].iter().rposition(|byte| *byte == b':').filter(|colon| *colon > 0);
            match order.checked_sub(128) {
                Some(distance) => out.extend_from_slice(format!(" +{distance} ").as_bytes()),
                None => out.push(b' '),
            }
            out.extend_from_slice(&word[tag.map_or(0, |colon| colon + 1)..]);
        }
        out
    }

    fn own_text(&self, key: u64) -> &[u8] {
        match self.shard(key).origin_of(key) {
            Some(Origin::Text { start, len }) => self.shard(key).text(start, len),
            _ => &[],
        }
    }
}
