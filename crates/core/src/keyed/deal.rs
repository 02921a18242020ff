//! From documents to entries, dealt to the shards.

use std::ops::Range;

use crate::text::{Document, Encoded, Encoder, NO_PART, Workspace};

use super::entry::{Entry, Kind, Origin};
use super::lift::Lift;
use super::pairs::Pairs;
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
    entries: Vec<Vec<Entry>>,
    pairs: Pairs,
    /// Where the names of features come from that are neither words nor pairs of words, and the texts of those whose
    /// halves are no features.
    origins: Vec<Origin>,
    text: Vec<u8>,
    /// Row and fingerprint of each document.
    pub(super) prints: Vec<(usize, u64)>,
    /// Documents by class.
    pub(super) documents: Vec<i64>,
    /// Sum of the counts by order and class.
    pub(super) sums: Vec<i64>,
}

/// What the documents of one class said of a word, since it was dealt last.
#[derive(Clone, Copy)]
struct Run {
    key: u64,
    count: u32,
    documents: u32,
    /// The number of the document that held it last, where occurrences are counted.
    last: u32,
    class: u16,
    order: u8,
}

impl Run {
    /// Nothing said yet; words are of the first order.
    fn new(key: u64) -> Self {
        Self { key, count: 0, documents: 0, last: u32::MAX, class: 0, order: 0 }
    }
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
    /// Is what a document adds to a key the number of its occurrences, so that each can be added as it comes? Anything
    /// else depends on which features the document has.
    pub(super) fn adds_occurrences(&self) -> bool {
        self.lift == Lift::Count && !self.encoder.presence && self.encoder.plan.is_short()
    }

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
            pairs: Pairs::new(),
            prints: Vec::new(),
            documents: vec![0; k],
            sums: vec![0; k * orders.len()],
        }
    }

    pub(super) fn clear(&mut self) {
        if self.work.trim() {
            self.runs.clear();
        }
        self.pairs.clear();
        self.origins.clear();
        self.text.clear();
        self.prints.clear();
        self.entries.iter_mut().for_each(Vec::clear);
        self.documents.fill(0);
        self.sums.fill(0);
    }

    /// Encodes documents, which stand by class, and deals their features out.
    pub(super) fn deal(&mut self, rules: Rules, records: &Records, rows: &[usize], classes: &[u16]) {
        let mut fields = Vec::new();
        for &row in rows {
            self.prints.push((row, records.fingerprint(row)));
            records.fields(row, &mut fields);
            if rules.adds_occurrences() {
                self.add_occurrences(rules, &fields, classes[row]);
            } else {
                rules.encoder.encode(&fields, &mut self.work, &mut self.encoded);
                self.add(rules, classes[row]);
            }
        }
    }

    /// Deals out what was added up.
    pub(super) fn end(&mut self, rules: Rules) {
        for node in 0..self.runs.len() {
            let empty = Run::new(self.runs[node].key);
            let run = std::mem::replace(&mut self.runs[node], empty);
            deal_word(&mut self.entries, rules, node as u32, run);
        }
    }

    fn add(&mut self, rules: Rules, class: u16) {
        rules.lift.apply(&self.encoded, rules.place, &mut self.norms, &mut self.lifted);
        self.widen();
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

    /// Makes room for the words met since the last time.
    fn widen(&mut self) {
        let new = self.runs.len()..self.work.words();
        self.runs.extend(new.map(|node| Run::new(self.work.key(node as u32))));
    }

    /// Counts the words of a document one by one, and deals its pairs out one by one.
    fn add_occurrences(&mut self, rules: Rules, fields: &[(&str, Document)], class: u16) {
        let Rules { encoder, place, k, .. } = rules;
        self.work.restart(&encoder, fields.iter().map(|(_, field)| field.size()).sum());
        self.documents[class as usize] += 1;
        let document = self.pairs.begin(class);
        for (tag, field) in fields {
            self.work.read(&encoder, tag.as_bytes(), field);
            self.widen();
            self.add_tokens(rules, class, document);
            let Self { work, runs, pairs, sums, .. } = self;
            let words = work.tokens();
            sums[place[1] as usize * k + class as usize] += words.len() as i64;
            if encoder.plan.has_long_terms() {
                sums[place[2] as usize * k + class as usize] += words.len().saturating_sub(1) as i64;
                let key = |word: u32| runs[word as usize].key;
                pairs.deal(words, |head, last| rules.key(encoder.pair_key(key(head), key(last), 2), place[2]));
            }
        }
    }

    /// Counts the words of a field.
    fn add_tokens(&mut self, rules: Rules, class: u16, document: u32) {
        let Self { work, runs, entries, .. } = self;
        for &node in work.tokens() {
            let run = &mut runs[node as usize];
            if run.class != class {
                let now = Run { class, order: rules.place[1], ..Run::new(run.key) };
                deal_word(entries, rules, node, std::mem::replace(run, now));
            }
            run.count += 1;
            run.documents += (run.last != document) as u32;
            run.last = document;
        }
    }

    /// How many entries wait to be counted.
    pub(super) fn len(&self) -> usize {
        self.pairs.len() + self.entries.iter().map(Vec::len).sum::<usize>()
    }

    /// Calls `each` with the entries of a shard, some at a time; `pairs` is the order of pairs.
    pub(super) fn entries(&self, shard: usize, pairs: u8, mut each: impl FnMut(&[Entry])) {
        each(&self.entries[shard]);
        self.pairs.entries(shard, pairs, each);
    }

    fn add_words(&mut self, rules: Rules, range: Range<usize>, class: u16, order: u8) {
        for i in range {
            let (node, count) = (self.encoded.nodes[i], self.lifted[i]);
            let run = &mut self.runs[node as usize];
            if run.class != class || run.count > u32::MAX / 2 {
                let now = Run { count, documents: 1, class, order, ..Run::new(run.key) };
                deal_word(&mut self.entries, rules, node, std::mem::replace(run, now));
            } else {
                run.count += count;
                run.documents += 1;
                run.order = order;
            }
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
            Kind::Placed => Origin::Parts(self.pairs.words(first).map(|word| self.work.key(word))),
            Kind::Listed => self.origins[first as usize],
        };
        if let Origin::Text { start, len } = origin {
            text.extend_from_slice(&self.text[start..start + len]);
        }
        origin
    }
}

fn deal_word(entries: &mut [Vec<Entry>], rules: Rules, node: u32, run: Run) {
    if run.documents > 0 {
        let Run { count, class, order, .. } = run;
        let key = rules.key(run.key, order);
        let (from, kind) = ([node, run.documents], Kind::Word);
        entries[(key >> 56) as usize].push(Entry { key, count, from, class, order, kind });
    }
}
