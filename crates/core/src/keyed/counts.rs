//! KeyedCounts: class × key.

mod merging;

use crate::text::Encoder;
use crate::text::seeds::Seeds;
use crate::text::share::shares;
use crate::threads::{Queue, each_thread, from_queue, pieces};

use super::deal::{Dealer, Rules, SHARDS};
use super::entry::{Entry, Origin};
use super::lift::Lift;
use super::records::Records;
use super::seen::{Seen, SeenCounts};
use super::shard::Shard;
use super::unlearned::{Unlearned, Unmerged};

/// Text that one thread reads before its entries are counted: enough for a shard to be worth bringing into the cache
/// (with 4 MB counting took half as long again), little enough for memory (about 80 MB of entries).
const BLOCK: usize = 1 << 24;

/// What was seen: for each key the number of documents that hold it and a whole number for each class; an additive group.
///
/// ```
/// use bayleaf_core::keyed::{KeyedCounts, Lift, Records};
/// use bayleaf_core::text::{Chars, Document, Encoder, Plan, Settings};
/// let plan = Plan::new(Settings::default(), Chars::shared()).unwrap();
/// let encoder = Encoder { plan: &plan, seed: 0, presence: false };
/// let tags = [String::new()];
/// let records = Records { tags: &tags, columns: vec![vec![Document::Text(b"free offer"), Document::Text(b"free lunch")]] };
/// let mut counts = KeyedCounts::new(&plan.orders(), 2, Lift::Count, None, true);
/// counts.learn(encoder, &records, &[1, 0], 1, 1).unwrap();
/// assert_eq!((counts.documents(), counts.distinct()), (&[1, 1][..], &[3, 2][..]));
/// assert_eq!(counts.sums(), [2, 2, 1, 1]);
/// counts.learn(encoder, &records, &[1, 0], -1, 1).unwrap();
/// assert_eq!(counts.distinct(), [0, 0]);
/// assert!(counts.learn(encoder, &records, &[1, 0], -1, 1).is_err());
/// ```
#[derive(Clone)]
pub struct KeyedCounts {
    pub(super) k: usize,
    pub(super) lift: Lift,
    pub(super) orders: Vec<u8>,
    pub(super) place: Box<[u8; 256]>,
    pub(super) buckets: Option<u64>,
    named: bool,
    shards: Vec<Shard>,
    documents: Vec<i64>,
    sums: Vec<i64>,
    /// The shards' numbers of distinct keys, added up after every change: asking 256 of them takes as long as judging a text.
    distinct: Vec<i64>,
}

impl KeyedCounts {
    /// Nothing seen yet. `orders` are those of the encoder's plan; `buckets` bounds the number of keys of each order;
    /// with `named` the text of the keys is kept.
    pub fn new(orders: &[u8], k: usize, lift: Lift, buckets: Option<u64>, named: bool) -> Self {
        let mut place = Box::new([0; 256]);
        for (i, &order) in orders.iter().enumerate() {
            place[order as usize] = i as u8;
        }
        let seeds = Seeds::random();
        Self {
            k,
            lift,
            orders: orders.to_vec(),
            place,
            buckets,
            named: named && buckets.is_none(),
            shards: vec![Shard::new(seeds, orders.len()); SHARDS],
            documents: vec![0; k],
            sums: vec![0; k * orders.len()],
            distinct: vec![0; orders.len()],
        }
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.k
    }

    /// The orders, as the encoder numbers them.
    pub fn orders(&self) -> &[u8] {
        &self.orders
    }

    /// Documents per class.
    pub fn documents(&self) -> &[i64] {
        &self.documents
    }

    /// Sum of the counts, one row of classes for each order.
    pub fn sums(&self) -> &[i64] {
        &self.sums
    }

    /// Keys that some document has, by order.
    pub fn distinct(&self) -> &[i64] {
        &self.distinct
    }

    /// Documents of all keys, counts, and documents of all classes.
    pub(super) fn totals(&self) -> [i64; 3] {
        let sum = |numbers: &[i64]| numbers.iter().fold(0_i64, |sum, n| sum.saturating_add(*n));
        let held: Vec<i64> = self.shards.iter().map(|shard| shard.held).collect();
        [sum(&held), sum(&self.sums), sum(&self.documents)]
    }

    fn add_up(&mut self) {
        for (order, distinct) in self.distinct.iter_mut().enumerate() {
            *distinct = self.shards.iter().map(|shard| shard.distinct[order]).sum();
        }
    }

    pub(super) fn rules<'a>(&'a self, encoder: Encoder<'a>) -> Rules<'a> {
        Rules { encoder, lift: self.lift, place: &self.place, buckets: self.buckets, k: self.k }
    }

    #[inline(always)]
    pub(super) fn shard(&self, key: u64) -> &Shard {
        &self.shards[(key >> 56) as usize]
    }

    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<Seen<'_>> {
        self.shard(key).find(key, self.k)
    }

    pub(super) fn shards(&self) -> &[Shard] {
        &self.shards
    }

    pub(super) fn each(&self) -> impl Iterator<Item = (u64, Seen<'_>, Option<Origin>)> {
        self.shards.iter().flat_map(|shard| shard.each(self.k))
    }

    /// Adds `sign` (1 or −1) times each document to its class; gives their [fingerprints](Records::fingerprint), which
    /// cost hardly anything while the text is in the cache. A refused batch changes nothing.
    ///
    /// Threads encode shares of the documents and then count shares of the keys: sums of whole numbers, so neither the
    /// order nor the number of threads matters.
    pub fn learn(
        &mut self,
        encoder: Encoder,
        records: &Records,
        classes: &[u16],
        sign: i64,
        threads: usize,
    ) -> Result<Vec<u64>, Unlearned> {
        let end = match self.tally(encoder, records, classes, sign, threads, true) {
            Ok(prints) => return Ok(prints),
            Err(end) => end,
        };
        // What was taken is given back: the table is a group, so this is exactly the way it was.
        let taken = records.columns.iter().map(|column| column[..end].to_vec()).collect();
        let taken = Records { tags: records.tags, columns: taken };
        let _ = self.tally(encoder, &taken, classes, -sign, threads, false);
        Err(Unlearned)
    }

    /// Adds the documents and gives their fingerprints; with `checked` stops after the block in which something fell below
    /// zero and returns its end.
    fn tally(
        &mut self,
        encoder: Encoder,
        records: &Records,
        classes: &[u16],
        sign: i64,
        threads: usize,
        checked: bool,
    ) -> Result<Vec<u64>, usize> {
        let threads = threads.max(1);
        let mut prints = vec![0; records.len()];
        let blocks = records.blocks(BLOCK * threads);
        let most = blocks.iter().map(|block| block.len().min(threads)).max();
        let new = || Dealer::new(self.k, &self.orders, self.named && sign > 0);
        let mut dealers: Vec<Dealer> = (0..most.unwrap_or(0)).map(|_| new()).collect();
        for block in blocks {
            let end = block.end;
            let mut rows: Vec<usize> = block.collect();
            rows.sort_by_key(|row| classes[*row]);
            let shares = shares(&rows, pieces(threads), |row| records.size(*row));
            dealers.iter_mut().for_each(Dealer::clear);
            let rules = self.rules(encoder);
            // Documents of a class are one thread's, so that its words are dealt once; who is done takes another's.
            let lanes: Vec<_> =
                shares.chunks(shares.len().div_ceil(threads)).map(|own| Queue::new(own.iter())).collect();
            let working = dealers.iter_mut().take(shares.len()).enumerate();
            each_thread(working, |(i, dealer)| {
                for rows in lanes[i.min(lanes.len())..].iter().chain(&lanes).flatten() {
                    dealer.deal(rules, records, rows, classes);
                }
                dealer.end(rules);
            });
            for &(row, print) in dealers.iter().flat_map(|dealer| &dealer.prints) {
                prints[row] = print;
            }
            if !self.count(&dealers, sign, threads) && checked {
                return Err(end);
            }
        }
        Ok(prints)
    }

    /// Counts what the dealers hold; false where something fell below zero.
    fn count(&mut self, dealers: &[Dealer], sign: i64, threads: usize) -> bool {
        for dealer in dealers {
            self.documents.iter_mut().zip(&dealer.documents).for_each(|(to, n)| *to += sign * n);
            self.sums.iter_mut().zip(&dealer.sums).for_each(|(to, n)| *to += sign * n);
        }
        let (k, named) = (self.k, self.named && sign > 0);
        let entries: usize = dealers.iter().map(Dealer::len).sum();
        // One thread counts 20,000 entries in the time that it takes to start another.
        let threads = if entries < 20_000 { 1 } else { threads };
        let pairs = self.place[2];
        let fine = from_queue(self.shards.iter_mut().enumerate(), threads, |queue| {
            let mut fine = true;
            for (i, shard) in queue {
                for dealer in dealers {
                    let origin = |entry: &Entry, text: &mut Vec<u8>| named.then(|| dealer.origin(entry, text));
                    dealer.entries(i, pairs, |entries| fine &= shard.add_all(entries, sign, k, origin));
                }
            }
            fine
        });
        self.add_up();
        fine.into_iter().all(|fine| fine) && self.documents.iter().all(|n| *n >= 0)
    }

    /// Lets these keys be read as part of a larger table, with its `sums` and its numbers of `distinct` keys, until they
    /// are changed; false where those do not fit.
    pub fn stand_for(&mut self, sums: &[i64], distinct: &[i64]) -> bool {
        let fits = sums.len() == self.sums.len() && distinct.len() == self.distinct.len();
        if fits {
            self.sums.copy_from_slice(sums);
            self.distinct.copy_from_slice(distinct);
        }
        fits
    }

    /// Adds what was seen of one key, documents per class left alone.
    pub(super) fn put(&mut self, key: u64, seen: &Seen, places: &[usize]) {
        let sums = &mut self.sums[seen.order as usize * self.k..][..self.k];
        match seen.counts {
            SeenCounts::One(class, sum) => sums[places[class]] += sum,
            SeenCounts::Many(cells, _) => cells.iter().zip(places).for_each(|(n, &place)| sums[place] += n),
        }
        let _ = self.shards[(key >> 56) as usize].merge(key, seen, places, 1, self.k);
    }

    pub(super) fn put_name(&mut self, key: u64, origin: Origin, text: &[u8]) {
        if self.named {
            self.shards[(key >> 56) as usize].name(key, origin, text);
        }
    }

    pub(super) fn put_documents(&mut self, documents: &[i64], places: &[usize]) {
        self.add_up();
        documents.iter().zip(places).for_each(|(n, &place)| self.documents[place] += n);
    }
}
