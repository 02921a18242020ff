//! Pairs of words that are counted by occurrence.

use super::deal::SHARDS;
use super::entry::{Entry, Kind};

/// So many entries are made before they are counted.
const BATCH: usize = 128;

/// An occurrence of a pair of words.
#[derive(Clone, Copy)]
struct Pair {
    key: u64,
    /// Where its first word stands among the words.
    at: u32,
    /// The number of its document.
    document: u32,
}

/// The pairs of some documents, by shard. They are told apart only when they are counted: a shard has few of one
/// document, and they stand together.
pub(super) struct Pairs {
    shards: Vec<Vec<Pair>>,
    /// The words of the documents.
    words: Vec<u32>,
    /// The class of each document.
    classes: Vec<u16>,
}

impl Pairs {
    pub(super) fn new() -> Self {
        Self { shards: vec![Vec::new(); SHARDS], words: Vec::new(), classes: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.shards.iter_mut().for_each(Vec::clear);
        self.words.clear();
        self.classes.clear();
    }

    /// Begins the next document and returns its number.
    pub(super) fn begin(&mut self, class: u16) -> u32 {
        self.classes.push(class);
        (self.classes.len() - 1) as u32
    }

    /// Deals out the pairs of neighbours of a field of the present document; `key` is that of two words.
    pub(super) fn deal(&mut self, words: &[u32], key: impl Fn(u32, u32) -> u64) {
        let (start, document) = (self.words.len(), (self.classes.len() - 1) as u32);
        self.words.extend_from_slice(words);
        for (i, pair) in words.windows(2).enumerate() {
            let key = key(pair[0], pair[1]);
            self.shards[(key >> 56) as usize].push(Pair { key, at: (start + i) as u32, document });
        }
    }

    /// How many occurrences.
    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(Vec::len).sum()
    }

    /// The words of the pair at this place.
    pub(super) fn words(&self, at: u32) -> [u32; 2] {
        [at, at + 1].map(|at| self.words[at as usize])
    }

    /// Calls `each` with the entries of a shard, some at a time: one for each pair of each document.
    pub(super) fn entries(&self, shard: usize, order: u8, mut each: impl FnMut(&[Entry])) {
        let (mut same, mut entries) = (Vec::new(), Vec::with_capacity(2 * BATCH));
        for document in self.shards[shard].chunk_by(|a, b| a.document == b.document) {
            let class = self.classes[document[0].document as usize];
            let entry = |pair: &Pair, count| {
                let Pair { key, at, .. } = *pair;
                Entry { key, count, from: [at, 0], class, order, kind: Kind::Placed }
            };
            if let [pair] = document {
                entries.push(entry(pair, 1));
            } else {
                same.clear();
                same.extend_from_slice(document);
                same.sort_unstable_by_key(|pair| pair.key);
                let groups = same.chunk_by(|a, b| a.key == b.key);
                entries.extend(groups.map(|pairs| entry(&pairs[0], pairs.len() as u32)));
            }
            if entries.len() >= BATCH {
                each(&entries);
                entries.clear();
            }
        }
        each(&entries);
    }
}
