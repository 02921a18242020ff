//! The keys of one message: gathered as they come, then sorted and told apart.

use xxhash_rust::xxh3::xxh3_64_with_seed;

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

    /// Adds a pair of words by their hashes: the key is their product, turned by the distance and folded on itself.
    #[inline]
    pub(super) fn add_pair(&mut self, first: u64, distance: u32, second: u64, name: impl FnOnce() -> String) {
        let product = first.rotate_left(8 * distance) as u128 * (second | 1) as u128;
        let key = (product as u64 ^ (product >> 64) as u64) & !3 | Family::Pair as u64;
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
    pub(super) fn word(&self, text: &[u8]) -> u64 {
        xxh3_64_with_seed(text, self.seeds[Family::Pair as usize])
    }

    /// Distinct keys in ascending order, and their names if wanted.
    pub(super) fn finish(self) -> (Vec<u64>, Option<Vec<String>>) {
        let mut list = sorted(self.list);
        list.dedup();
        let names = self.names.map(|mut names| {
            names.sort_by_key(|(key, _)| *key);
            names.dedup_by_key(|(key, _)| *key);
            names.into_iter().map(|(_, name)| name).collect()
        });
        (list, names)
    }
}

/// Bits of one pass.
const BITS: u32 = 11;

/// Sorted keys. They are hashes, evenly spread, so two passes over their highest 22 bits leave hardly any two in the
/// wrong order; one look at neighbours repairs those.
fn sorted(mut list: Vec<u64>) -> Vec<u64> {
    let digit = |key: u64, pass: u32| (key >> (u64::BITS - BITS * (2 - pass))) as usize & ((1 << BITS) - 1);
    let mut starts = [[0u32; 1 << BITS]; 2];
    for &key in &list {
        starts[0][digit(key, 0)] += 1;
        starts[1][digit(key, 1)] += 1;
    }
    let mut out = vec![0; list.len()];
    for (pass, starts) in starts.iter_mut().enumerate() {
        let mut total = 0;
        for start in starts.iter_mut() {
            total += std::mem::replace(start, total);
        }
        for &key in &list {
            let start = &mut starts[digit(key, pass as u32)];
            out[*start as usize] = key;
            *start += 1;
        }
        std::mem::swap(&mut list, &mut out);
    }
    for i in 1..list.len() {
        let mut at = i;
        while at > 0 && list[at - 1] > list[at] {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts(mut list: Vec<u64>, low in proptest::collection::vec(0u64..9, 0..50)) {
            list.extend(low);
            let mut expected = list.clone();
            expected.sort_unstable();
            prop_assert_eq!(sorted(list), expected);
        }
    }

    /// Published vectors: a change of any of them makes every store unreadable.
    #[test]
    fn keys_never_change() {
        let mut keys = Keys::new(Seeds::new(*b"0123456789abcdef"), false);
        keys.add(Family::Word, b"viagra");
        keys.add(Family::Header, b"subject:free");
        keys.add_raw(b"hello");
        keys.add_pair(keys.word(b"free"), 2, keys.word(b"offer"), String::new);
        assert_eq!(keys.list.iter().map(|key| key & 3).collect::<Vec<_>>(), [1, 3, 0, 2]);
        assert_eq!(keys.list, VECTORS);
    }

    const VECTORS: [u64; 4] = [847590294131186281, 6260204194373912027, 9984764997961279112, 1661315907749967382];
}
