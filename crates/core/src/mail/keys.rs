//! The keys of one message: gathered as they come, then sorted and told apart.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::Family;

/// Hash seeds of the four families, from the secret of a store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seeds([u64; 4]);

impl Seeds {
    /// Seeds from 16 secret bytes: keys of two stores cannot be compared, and nobody can prepare words that collide.
    pub(super) fn new(secret: [u8; 16]) -> Self {
        Self([0, 1, 2, 3].map(|family| xxh3_64_with_seed(&secret, family)))
    }
}

/// Keys as they are gathered.
pub(super) struct Keys {
    seeds: [u64; 4],
    list: Vec<u64>,
    names: Option<Vec<(u64, String)>>,
}

impl Keys {
    pub(super) fn new(seeds: Seeds, names: bool) -> Self {
        Self { seeds: seeds.0, list: Vec::with_capacity(8 << 10), names: names.then(Vec::new) }
    }

    /// The xxh3-64 of the text under the seed of its family, whose number takes the place of the lowest two bits.
    #[inline]
    fn key(&self, family: Family, text: &[u8]) -> u64 {
        xxh3_64_with_seed(text, self.seeds[family as usize]) & !3 | family as u64
    }

    /// Adds a word or a header token.
    #[inline]
    pub(super) fn add(&mut self, family: Family, text: &[u8]) {
        let key = self.key(family, text);
        self.list.push(key);
        if let Some(names) = &mut self.names {
            let text = String::from_utf8_lossy(text);
            let name = if family == Family::Header { text.into_owned() } else { format!("{}:{text}", family.name()) };
            names.push((key, name));
        }
    }

    /// Adds every five bytes in a row.
    pub(super) fn add_raw(&mut self, bytes: &[u8]) {
        let seed = self.seeds[Family::Raw as usize];
        self.list.reserve(bytes.len());
        for window in bytes.windows(5) {
            let key = xxh3_64_with_seed(window, seed) & !3;
            self.list.push(key);
            if let Some(names) = &mut self.names {
                names.push((key, format!("raw:{}", window.escape_ascii())));
            }
        }
    }

    /// Adds a pair of words by their hashes: the key is that of both hashes and the distance.
    #[inline]
    pub(super) fn add_pair(&mut self, first: u64, distance: u8, second: u64, name: impl FnOnce() -> String) {
        let mut text = [0; 17];
        text[..8].copy_from_slice(&first.to_le_bytes());
        text[8..16].copy_from_slice(&second.to_le_bytes());
        text[16] = distance;
        let key = self.key(Family::Pair, &text);
        self.list.push(key);
        if let Some(names) = &mut self.names {
            names.push((key, name()));
        }
    }

    /// Are names wanted?
    pub(super) fn named(&self) -> bool {
        self.names.is_some()
    }

    /// The hash of one word, for pairs.
    #[inline]
    pub(super) fn word(text: &[u8]) -> u64 {
        xxh3_64(text)
    }

    /// Distinct keys in ascending order, and their names if wanted.
    pub(super) fn finish(self) -> (Vec<u64>, Option<Vec<String>>) {
        let mut list = sorted(&self.list);
        list.dedup();
        let names = self.names.map(|mut names| {
            names.sort_by_key(|(key, _)| *key);
            names.dedup_by_key(|(key, _)| *key);
            names.into_iter().map(|(_, name)| name).collect()
        });
        (list, names)
    }
}

/// Sorted keys. They are hashes, evenly spread: one pass into buckets by their highest bits leaves a few to each, 3 times
/// faster than `sort_unstable` on 3,000 keys.
fn sorted(list: &[u64]) -> Vec<u64> {
    let bits = list.len().max(4).ilog2() - 1;
    let bucket = |key: u64| (key >> (u64::BITS - bits)) as usize;
    let mut ends = vec![0u32; 1 << bits];
    for &key in list {
        ends[bucket(key)] += 1;
    }
    let mut total = 0;
    for end in &mut ends {
        let count = *end;
        *end = total;
        total += count;
    }
    let mut out = vec![0; list.len()];
    for &key in list {
        let end = &mut ends[bucket(key)];
        out[*end as usize] = key;
        *end += 1;
    }
    let mut start = 0;
    for end in ends {
        out[start..end as usize].sort_unstable();
        start = end as usize;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts(list: Vec<u64>) {
            let mut expected = list.clone();
            expected.sort_unstable();
            prop_assert_eq!(sorted(&list), expected);
        }
    }

    /// Published vectors: a change of any of them makes every store unreadable.
    #[test]
    fn keys_never_change() {
        let mut keys = Keys::new(Seeds::new(*b"0123456789abcdef"), false);
        keys.add(Family::Word, b"viagra");
        keys.add(Family::Header, b"subject:free");
        keys.add_raw(b"hello");
        keys.add_pair(Keys::word(b"free"), 2, Keys::word(b"offer"), String::new);
        assert_eq!(keys.list.iter().map(|key| key & 3).collect::<Vec<_>>(), [1, 3, 0, 2]);
        assert_eq!(keys.list, VECTORS);
    }

    const VECTORS: [u64; 4] = [847590294131186281, 6260204194373912027, 9984764997961279112, 1661315907749967382];
}
