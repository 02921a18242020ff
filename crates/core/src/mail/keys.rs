//! The keys of one message: gathered as they come, then sorted and told apart.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Family, limits};

/// Hash seeds from the secret of a store: one for texts, two for raw bytes, one for pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seeds([u64; 4]);

impl Seeds {
    /// Seeds from 16 secret bytes: keys of two stores cannot be compared, and nobody can prepare words that collide.
    pub(super) fn new(secret: [u8; 16]) -> Self {
        Self([0, 1, 2, 3].map(|number| xxh3_64_with_seed(&secret, number)))
    }
}

/// Keys as they are gathered.
pub(super) struct Keys {
    seeds: [u64; 4],
    sieve: u64,
    list: Vec<u64>,
    names: Option<Vec<(u64, String)>>,
}

/// How far apart the words of a pair may stand.
pub(super) const REACH: usize = 4;

/// A hash as the key of a family, whose number takes the place of the lowest two bits.
#[inline]
fn key(hash: u64, family: Family) -> u64 {
    hash & !3 | family as u64
}

/// Bits of a raw or pair key that are 0 in the quarter that is kept. The hash decides, so it is the same quarter in every
/// mail and nobody outside knows which. On the SpamAssassin corpus a quarter ranks as well as all (TRIED.md), in a store
/// of a third of the size.
pub(super) const QUARTER: u64 = 0b1100;

/// Short texts have no keys to spare.
pub(super) const ALL: u64 = 0;

/// A 128-bit product folded on itself: the hash of what is already a number.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

impl Keys {
    pub(super) fn new(seeds: Seeds, names: bool, sieve: u64) -> Self {
        Self { seeds: seeds.0, sieve, list: Vec::with_capacity(8 << 10), names: names.then(Vec::new) }
    }

    /// The xxh3-64 of a text under the seed of the store.
    #[inline]
    pub(super) fn hash(&self, text: &[u8]) -> u64 {
        xxh3_64_with_seed(text, self.seeds[0])
    }

    /// Adds a word or a header token by its hash.
    #[inline]
    pub(super) fn add(&mut self, family: Family, hash: u64, text: &[u8]) {
        let key = key(hash, family);
        self.list.push(key);
        if let Some(names) = &mut self.names {
            let text = String::from_utf8_lossy(&text[..text.len().min(limits::TOKEN)]);
            let name = if family == Family::Header { text.into_owned() } else { format!("{}:{text}", family.name()) };
            names.push((key, name));
        }
    }

    /// Adds every five bytes in a row.
    pub(super) fn add_raw(&mut self, bytes: &[u8]) {
        let (turn, factor, sieve) = (self.seeds[1], self.seeds[2] | 1, self.sieve);
        let mut window = bytes.iter().take(4).fold(0, |window, &byte| window >> 8 | (byte as u64) << 32);
        let keys = bytes.iter().skip(4).map(move |&byte| {
            window = window >> 8 | (byte as u64) << 32;
            key(fold(window ^ turn, factor), Family::Raw)
        });
        if let Some(names) = &mut self.names {
            let kept = keys.clone().zip(bytes.windows(5)).filter(|&(key, _)| key & sieve == 0);
            names.extend(kept.map(|(key, five)| (key, format!("raw:{}", five.escape_ascii()))));
        }
        // Each key is written, and the end steps on only if it is kept: no branch to predict.
        let mut kept = [0; FRESH];
        let mut end = 0;
        for key in keys {
            kept[end % FRESH] = key;
            end += usize::from(key & sieve == 0);
        }
        // Most windows that come again do so soon: a small memory of the last ones keeps many of them out of the sort.
        let mut recent = [0; RECENT];
        let mut fresh = 0;
        for at in 0..end.min(FRESH) {
            let key = kept[at];
            let slot = &mut recent[(key >> 40) as usize % RECENT];
            kept[fresh % FRESH] = key;
            fresh += usize::from(*slot != key);
            *slot = key;
        }
        self.list.extend_from_slice(&kept[..fresh.min(FRESH)]);
    }

    /// The key of two words by their hashes.
    #[inline]
    fn pair(&self, first: u64, distance: usize, second: u64) -> u64 {
        key(fold(first.rotate_left(8 * distance as u32) ^ self.seeds[3], second | 1), Family::Pair)
    }

    /// Adds the pairs of a word with those before it, the nearest first, by their hashes.
    #[inline]
    pub(super) fn add_pairs(&mut self, before: &[u64], second: u64) {
        // As with raw keys: each is written, nobody can predict which are kept.
        let (mut kept, mut end) = ([0; REACH], 0);
        for (nearer, &first) in before.iter().enumerate() {
            let key = self.pair(first, nearer + 1, second);
            kept[end % REACH] = key;
            end += usize::from(key & self.sieve == 0);
        }
        let length = self.list.len() + end;
        self.list.extend_from_slice(&kept);
        self.list.truncate(length);
    }

    /// Keeps the names of those pairs, given the distance of their words.
    pub(super) fn name_pairs(&mut self, before: &[u64], second: u64, name: impl Fn(usize) -> String) {
        let keys = (1..).zip(before).map(|(distance, &first)| (self.pair(first, distance, second), distance));
        let kept: Vec<_> = keys.filter(|(key, _)| key & self.sieve == 0).map(|(key, at)| (key, name(at))).collect();
        self.names.get_or_insert_default().extend(kept);
    }

    /// Are names wanted?
    pub(super) fn named(&self) -> bool {
        self.names.is_some()
    }

    /// Distinct keys in ascending order, and their names if wanted.
    pub(super) fn finish(self) -> (Vec<u64>, Option<Vec<String>>) {
        let list = sorted(&self.list);
        let names = self.names.map(|mut names| {
            names.sort_by_key(|(key, _)| *key);
            names.dedup_by_key(|(key, _)| *key);
            names.into_iter().map(|(_, name)| name).collect()
        });
        (list, names)
    }
}

/// Room for the raw keys of one message: a power of two, so that no index needs a check.
const FRESH: usize = limits::RAW.next_power_of_two();

/// Recent raw keys that are remembered: 4 KB.
const RECENT: usize = 512;

/// Distinct keys in ascending order. They are hashes, evenly spread: one pass into one to two times as many buckets as
/// there are keys leaves most of them alone, and a look at neighbours puts the others in order.
fn sorted(list: &[u64]) -> Vec<u64> {
    let shift = u64::BITS - 1 - list.len().max(2).ilog2();
    let mut starts = vec![0u32; 1 << (u64::BITS - shift)];
    for &key in list {
        starts[(key >> shift) as usize] += 1;
    }
    let mut total = 0;
    for start in &mut starts {
        total += std::mem::replace(start, total);
    }
    let mut out = vec![0; list.len()];
    for &key in list {
        let start = &mut starts[(key >> shift) as usize];
        out[*start as usize] = key;
        *start += 1;
    }
    // Neighbours that a bucket has in the wrong order, without a branch; few are left for the loop behind.
    for i in 1..out.len() {
        let (a, b) = (out[i - 1], out[i]);
        (out[i - 1], out[i]) = (a.min(b), a.max(b));
    }
    for i in 1..out.len() {
        let mut at = i;
        while at > 0 && out[at - 1] > out[at] {
            out.swap(at - 1, at);
            at -= 1;
        }
    }
    // Written always, kept if new: a third of the keys come twice, and nobody can predict which.
    let (mut end, mut last) = (0, None);
    for i in 0..out.len() {
        let key = out[i];
        out[end] = key;
        end += usize::from(last != Some(key));
        last = Some(key);
    }
    out.truncate(end);
    out
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
            expected.dedup();
            prop_assert_eq!(sorted(&list), expected);
        }
    }

    #[test]
    fn the_name_of_a_long_token_is_cut_and_its_key_is_not() {
        let mut keys = Keys::new(Seeds::new([0; 16]), true, ALL);
        let tokens = ["x", "y"].map(|end| "é".repeat(1_000) + end);
        tokens.iter().for_each(|token| keys.add(Family::Header, keys.hash(token.as_bytes()), token.as_bytes()));
        let (list, names) = keys.finish();
        assert_eq!((list.len(), names), (2, Some(vec!["é".repeat(500); 2])));
    }

    /// Published vectors: a change of any of them makes every store unreadable.
    #[test]
    fn keys_never_change() {
        let mut keys = Keys::new(Seeds::new(*b"0123456789abcdef"), false, ALL);
        keys.add(Family::Word, keys.hash(b"viagra"), b"");
        keys.add(Family::Header, keys.hash(b"subject:free"), b"");
        keys.add_raw(b"hello");
        let pair = keys.pair(keys.hash(b"free"), 2, keys.hash(b"offer"));
        keys.list.push(pair);
        assert_eq!(keys.list.iter().map(|key| key & 3).collect::<Vec<_>>(), [1, 3, 0, 2]);
        assert_eq!(keys.list, VECTORS);
    }

    const VECTORS: [u64; 4] = [9902463025031457449, 14357140374061159615, 17825625436031005464, 9230389008035120986];
}
