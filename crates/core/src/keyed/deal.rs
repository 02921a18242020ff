//! From documents to entries, dealt to the shards.

use std::ops::Range;

use crate::text::{Encoded, Encoder, NO_PART, Workspace};

use super::lift::Lift;
use super::records::Records;
use super::shard::{Entry, Origin};

/// Keys go to shards by their first byte.
pub(super) const SHARDS: usize = 256;

/// The entries of a share of documents, by shard, and what the shards have no place for. Keys are dealt first and
/// counted afterwards, a shard at a time, because a shard fits the cache and the whole table does not.
pub(super) struct Dealer {
    work: Workspace,
    encoded: Encoded,
    norms: Vec<f64>,
    lifted: Vec<u32>,
    named: bool,
    pub(super) entries: Vec<Vec<Entry>>,
    /// Where the names of features of several words come from, and the texts of those whose halves are no features.
    origins: Vec<Origin>,
    text: Vec<u8>,
    /// Documents by class.
    pub(super) documents: Vec<i64>,
    /// Sum of the counts by order and class.
    pub(super) sums: Vec<i64>,
}

/// How documents become entries.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) encoder: Encoder<'a>,
    pub(super) lift: Lift,
    /// Number of each order.
    pub(super) place: &'a [u8; 256],
    pub(super) buckets: Option<u64>,
    pub(super) k: usize,
}

impl Rules<'_> {
    /// The key under which a feature is counted: its own, or its bucket among those of its order.
    #[inline(always)]
    pub(super) fn key(&self, key: u64, order: u8) -> u64 {
        match self.buckets {
            None => key,
            // The last eight bits tell orders apart, the first spread the buckets over the shards.
            Some(buckets) => (((key as u128 * buckets as u128) >> 64) as u64).wrapping_mul(SPREAD) << 8 | order as u64,
        }
    }
}

/// In [`Entry::node`]: the rest is the number of an origin.
const LISTED: u32 = 1 << 31;

/// An odd number, so that buckets stay apart after multiplying.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Dealer {
    pub(super) fn new(k: usize, orders: &[u8], named: bool) -> Self {
        let whole = !named || orders.first() == Some(&1);
        Self {
            named,
            work: if whole { Workspace::default() } else { Workspace::with_names() },
            encoded: Encoded::default(),
            norms: Vec::new(),
            lifted: Vec::new(),
            origins: Vec::new(),
            text: Vec::new(),
            entries: vec![Vec::new(); SHARDS],
            documents: vec![0; k],
            sums: vec![0; k * orders.len()],
        }
    }

    pub(super) fn clear(&mut self) {
        self.work.trim();
        self.origins.clear();
        self.text.clear();
        self.entries.iter_mut().for_each(Vec::clear);
        self.documents.fill(0);
        self.sums.fill(0);
    }

    /// Encodes documents and deals their features out.
    pub(super) fn deal<'r>(&mut self, rules: Rules, records: &Records<'r>, rows: Range<usize>, classes: &[u16]) {
        let mut fields = Vec::new();
        for row in rows {
            records.fields(row, &mut fields);
            rules.encoder.encode(&fields, &mut self.work, &mut self.encoded);
            self.add(rules, classes[row]);
        }
    }

    fn add(&mut self, rules: Rules, class: u16) {
        rules.lift.apply(&self.encoded, rules.place, &mut self.norms, &mut self.lifted);
        self.documents[class as usize] += 1;
        for i in 0..self.encoded.len() {
            let order = rules.place[self.encoded.orders[i] as usize];
            let count = self.lifted[i];
            self.sums[order as usize * rules.k + class as usize] += count as i64;
            let key = rules.key(self.encoded.keys[i], order);
            let node = if self.named { self.source(i) } else { 0 };
            self.entries[(key >> 56) as usize].push(Entry { key, count, node, class, order });
        }
    }

    /// What tells a feature's name later: its number as a word, or that of its origin.
    #[inline(always)]
    fn source(&mut self, i: usize) -> u32 {
        let [head, last] = self.encoded.parts[i];
        if head != NO_PART && last != NO_PART {
            self.origins.push(Origin::Parts([self.encoded.keys[head as usize], self.encoded.keys[last as usize]]));
        } else if self.encoded.name_ends.is_empty() {
            return self.encoded.nodes[i];
        } else {
            let name = self.encoded.name(i);
            self.text.extend_from_slice(name);
            self.origins.push(Origin::Text { start: self.text.len() - name.len(), len: name.len() });
        }
        LISTED | (self.origins.len() - 1) as u32
    }

    /// Where the name of an entry comes from; if from a text, that is put into `text`.
    pub(super) fn origin(&self, entry: &Entry, text: &mut Vec<u8>) -> Origin {
        text.clear();
        if entry.node & LISTED == 0 {
            self.work.name(entry.node, text);
            return Origin::Text { start: 0, len: text.len() };
        }
        let origin = self.origins[(entry.node & !LISTED) as usize];
        if let Origin::Text { start, len } = origin {
            text.extend_from_slice(&self.text[start..start + len]);
        }
        origin
    }
}
