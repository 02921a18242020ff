//! From documents to entries, dealt to the shards.

use std::ops::Range;

use crate::text::{Encoded, Encoder, NO_PART, Workspace};

use super::entry::{Entry, Kind, Origin};
use super::lift::Lift;
use super::records::Records;

/// Keys go to shards by their first byte.
pub(super) const SHARDS: usize = 256;

/// The entries of a share of documents, by shard, and what the shards have no place for. Keys are dealt first and
/// counted afterwards, a shard at a time, because a shard fits the cache and the whole table does not.
///
/// Documents are read class by class, and what one class says of a word is added up before it is dealt: of 8 million
/// words in the documents of 114 MB of news and mail, 0.7 million entries are left. Pairs repeat too little for that.
pub(super) struct Dealer {
    work: Workspace,
    encoded: Encoded,
    norms: Vec<f64>,
    lifted: Vec<u32>,
    named: bool,
    /// By the number of a word.
    runs: Vec<Run>,
    pub(super) entries: Vec<Vec<Entry>>,
    /// Where the names of features come from that are neither words nor pairs of words, and the texts of those whose
    /// halves are no features.
    origins: Vec<Origin>,
    text: Vec<u8>,
    /// Documents by class.
    pub(super) documents: Vec<i64>,
    /// Sum of the counts by order and class.
    pub(super) sums: Vec<i64>,
}

/// What the documents of one class said of a word, since it was dealt last.
#[derive(Clone, Copy, Default)]
struct Run {
    count: u32,
    documents: u32,
    class: u16,
    order: u8,
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
            runs: Vec::new(),
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
        let mut rows: Vec<usize> = rows.collect();
        rows.sort_by_key(|row| classes[*row]);
        for row in rows {
            records.fields(row, &mut fields);
            rules.encoder.encode(&fields, &mut self.work, &mut self.encoded);
            self.add(rules, classes[row]);
        }
    }

    /// Deals out what was added up.
    pub(super) fn end(&mut self, rules: Rules) {
        for node in 0..self.runs.len() {
            let run = std::mem::take(&mut self.runs[node]);
            self.deal_word(rules, node as u32, run);
        }
    }

    fn add(&mut self, rules: Rules, class: u16) {
        rules.lift.apply(&self.encoded, rules.place, &mut self.norms, &mut self.lifted);
        self.runs.resize(self.work.words(), Run::default());
        self.documents[class as usize] += 1;
        let mut start = 0;
        while let Some(&order) = self.encoded.orders.get(start) {
            let same = self.encoded.orders[start..].iter().take_while(|other| **other == order).count();
            let (range, place) = (start..start + same, rules.place[order as usize]);
            let sum: i64 = self.lifted[range.clone()].iter().map(|count| *count as i64).sum();
            self.sums[place as usize * rules.k + class as usize] += sum;
            if self.encoded.nodes[start] == NO_PART {
                self.add_grams(rules, range, class, place);
            } else {
                self.add_words(rules, range, class, place);
            }
            start += same;
        }
    }

    fn add_words(&mut self, rules: Rules, range: Range<usize>, class: u16, order: u8) {
        for i in range {
            let (node, count) = (self.encoded.nodes[i], self.lifted[i]);
            let run = &mut self.runs[node as usize];
            if run.class != class || run.count > u32::MAX / 2 {
                let before = std::mem::replace(run, Run { count, documents: 1, class, order });
                self.deal_word(rules, node, before);
            } else {
                run.count += count;
                run.documents += 1;
                run.order = order;
            }
        }
    }

    fn deal_word(&mut self, rules: Rules, node: u32, run: Run) {
        if run.documents > 0 {
            let key = rules.key(self.work.key(node), run.order);
            let (from, kind) = ([node, run.documents], Kind::Word);
            let Run { count, class, order, .. } = run;
            self.entries[(key >> 56) as usize].push(Entry { key, count, from, class, order, kind });
        }
    }

    fn add_grams(&mut self, rules: Rules, range: Range<usize>, class: u16, order: u8) {
        for i in range {
            let key = rules.key(self.encoded.keys[i], order);
            let (from, kind) = if self.named { self.source(i) } else { ([0; 2], Kind::Pair) };
            let count = self.lifted[i];
            self.entries[(key >> 56) as usize].push(Entry { key, count, from, class, order, kind });
        }
    }

    /// What tells the name of a feature of several words later: the numbers of its words, or that of its origin.
    #[inline(always)]
    fn source(&mut self, i: usize) -> ([u32; 2], Kind) {
        let Encoded { keys, nodes, parts, .. } = &self.encoded;
        let (head, last) = (parts[i][0] as usize, parts[i][1] as usize);
        if parts[i].contains(&NO_PART) {
            let name = self.encoded.name(i);
            self.text.extend_from_slice(name);
            self.origins.push(Origin::Text { start: self.text.len() - name.len(), len: name.len() });
        } else if nodes[head] != NO_PART && nodes[last] != NO_PART {
            return ([nodes[head], nodes[last]], Kind::Pair);
        } else {
            self.origins.push(Origin::Parts([keys[head], keys[last]]));
        }
        ([(self.origins.len() - 1) as u32, 0], Kind::Listed)
    }

    /// Where the name of an entry comes from; if from a text, that is put into `text`.
    pub(super) fn origin(&self, entry: &Entry, text: &mut Vec<u8>) -> Origin {
        text.clear();
        let [first, second] = entry.from;
        let origin = match entry.kind {
            Kind::Word => {
                self.work.name(first, text);
                return Origin::Text { start: 0, len: text.len() };
            }
            Kind::Pair => Origin::Parts([self.work.key(first), self.work.key(second)]),
            Kind::Listed => self.origins[first as usize],
        };
        if let Origin::Text { start, len } = origin {
            text.extend_from_slice(&self.text[start..start + len]);
        }
        origin
    }
}
