//! Leave-one-out: the evidence for documents that were learned, each from what is left without it.

use std::ops::Range;

use crate::text::{Encoded, Encoder, NO_PART, Workspace};
use crate::threads::{by_pieces, from_queue, pieces};

use super::counts::KeyedCounts;
use super::evidence::Evidence;
use super::layout::{Layout, held};
use super::lift::log_count;
use super::records::Records;
use super::seen::SeenCounts;
use super::unlearned::Unlearned;

/// Sums of evidence by kind for each learned document, [class][kind] in `out`, and the tokens of each.
///
/// Counts, sums and numbers of documents are those without the document, or, with `groups` (rows of the same group stand
/// together), without all documents of its group; every document of a group must be there. The number of distinct keys and
/// the class sizes are not touched: whatever is fitted on these sums could read the label off a prior that misses it.
pub fn loo(
    evidence: &Evidence,
    encoder: Encoder,
    records: &Records,
    classes: &[u16],
    groups: Option<&[u64]>,
    threads: usize,
    out: &mut [f32],
) -> Result<Vec<u32>, Unlearned> {
    let stride = Layout { orders: evidence.counts.orders.len() }.kinds() * evidence.counts.k;
    // Features of one document may share a bucket, so there a document is left out as a group of its own.
    let alone: Vec<u64> = (0..records.len() as u64).collect();
    let groups = groups.or(evidence.counts.buckets.map(|_| &alone[..]));
    let pieces = whole_groups(records.shares(0..records.len(), pieces(threads)), groups);
    let mut tokens = vec![0; records.len()];
    let lengths = by_pieces(&mut tokens, 1, pieces.clone());
    let done = from_queue(by_pieces(out, stride, pieces).zip(lengths), threads, |queue| {
        let mut leaver = Leaver::new(evidence, encoder);
        let (mut fields, mut group) = (Vec::new(), None);
        for ((rows, part), (_, lengths)) in queue {
            for ((row, sums), length) in rows.zip(part.chunks_mut(stride)).zip(lengths) {
                let begins = |groups: &&[u64]| row == 0 || groups[row] != groups[row - 1];
                if let Some(groups) = groups.filter(begins) {
                    group = Some(evidence.group(encoder, records, classes, groups, row)?);
                }
                records.fields(row, &mut fields);
                leaver.work.trim();
                encoder.encode(&fields, &mut leaver.work, &mut leaver.encoded);
                leaver.sum_up(classes[row] as usize, group.as_ref())?;
                leaver.write(sums);
                *length = leaver.encoded.tokens;
            }
        }
        Ok(())
    });
    done.into_iter().collect::<Result<(), _>>()?;
    Ok(tokens)
}

/// Moves the borders of shares to borders of groups.
fn whole_groups(shares: Vec<Range<usize>>, groups: Option<&[u64]>) -> Vec<Range<usize>> {
    let Some(groups) = groups else { return shares };
    let mut start = 0;
    let mut out = Vec::new();
    for share in shares {
        let mut end = share.end.max(start);
        while end > 0 && end < groups.len() && groups[end] == groups[end - 1] {
            end += 1;
        }
        out.push(start..end);
        start = end;
    }
    out
}

impl Evidence<'_> {
    /// The counts of the group that begins at this row.
    fn group(
        &self,
        encoder: Encoder,
        records: &Records,
        classes: &[u16],
        groups: &[u64],
        first: usize,
    ) -> Result<KeyedCounts, Unlearned> {
        let len = groups[first..].iter().take_while(|group| **group == groups[first]).count();
        let columns = records.columns.iter().map(|column| column[first..first + len].to_vec()).collect();
        let part = Records { tags: records.tags, columns };
        let counts = self.counts;
        let mut group = KeyedCounts::new(&counts.orders, counts.k, counts.lift, counts.buckets, false);
        group.learn(encoder, &part, &classes[first..first + len], 1, 1)?;
        Ok(group)
    }
}

struct Leaver<'a> {
    evidence: &'a Evidence<'a>,
    encoder: Encoder<'a>,
    layout: Layout,
    work: Workspace,
    encoded: Encoded,
    norms: Vec<f64>,
    lifted: Vec<u32>,
    shares: Vec<f64>,
    cells: Vec<i64>,
    /// A row of evidence for each feature of the document; zeros where nothing is left of it.
    rows: Vec<f64>,
    strengths: Vec<f64>,
    left: Vec<i64>,
    sums: Vec<f64>,
}

impl<'a> Leaver<'a> {
    fn new(evidence: &'a Evidence<'a>, encoder: Encoder<'a>) -> Self {
        let (k, layout) = (evidence.counts.k, Layout { orders: evidence.counts.orders.len() });
        let (work, encoded, norms, lifted, rows, strengths, left) = Default::default();
        let (shares, cells, sums) = (vec![0.0; layout.orders * k], vec![0; k], vec![0.0; layout.kinds() * k]);
        Self { evidence, encoder, layout, work, encoded, norms, lifted, shares, cells, rows, strengths, left, sums }
    }

    fn sum_up(&mut self, class: usize, group: Option<&KeyedCounts>) -> Result<(), Unlearned> {
        let counts = self.evidence.counts;
        counts.lift.apply(&self.encoded, &counts.place, &mut self.norms, &mut self.lifted);
        self.shrink_shares(class, group);
        self.fill_rows(class, group)?;
        let k = counts.k;
        self.sums.fill(0.0);
        for i in 0..self.encoded.len() {
            if self.left[i] == 0 {
                continue;
            }
            let order = counts.place[self.encoded.orders[i] as usize] as usize;
            let weight = log_count(self.encoded.counts[i]);
            let row = &self.rows[i * k..][..k];
            let kind = self.layout.kind(order, held(self.left[i]), self.strengths[i]);
            let position = self.layout.position(order, self.encoded.first[i]);
            let repeat = self.layout.repeat(order, self.encoded.counts[i]);
            for place in [kind, position, repeat] {
                add(&mut self.sums[place * k..][..k], weight, row);
            }
            let [head, last] = self.encoded.parts[i];
            if head != NO_PART && last != NO_PART {
                let place = self.layout.overlap(held(self.left[i]));
                for part in [head, last] {
                    add(&mut self.sums[place * k..][..k], -0.5 * weight, &self.rows[part as usize * k..][..k]);
                }
            }
        }
        Ok(())
    }

    /// The shares of the orders without the document.
    fn shrink_shares(&mut self, class: usize, group: Option<&KeyedCounts>) {
        let counts = self.evidence.counts;
        let k = counts.k;
        let mut sums = counts.sums().to_vec();
        match group {
            Some(group) => sums.iter_mut().zip(group.sums()).for_each(|(sum, n)| *sum -= n),
            None => {
                for (&count, &order) in self.lifted.iter().zip(&self.encoded.orders) {
                    sums[counts.place[order as usize] as usize * k + class] -= count as i64;
                }
            }
        }
        for (order, (sums, shares)) in sums.chunks(k).zip(self.shares.chunks_mut(k)).enumerate() {
            self.evidence.shares_of(order, sums, shares);
        }
    }

    /// The row of each feature from what is left, and how many documents are left.
    fn fill_rows(&mut self, class: usize, group: Option<&KeyedCounts>) -> Result<(), Unlearned> {
        let (counts, k) = (self.evidence.counts, self.evidence.counts.k);
        let rules = counts.rules(self.encoder);
        let key = |encoded: &Encoded, i: usize| rules.key(encoded.keys[i], rules.place[encoded.orders[i] as usize]);
        let touched = (0..self.encoded.len()).map(|i| key(&self.encoded, i)).map(|key| counts.shard(key).touch(key));
        std::hint::black_box(touched.fold(0, i32::wrapping_add));
        self.rows.clear();
        self.rows.resize(self.encoded.len() * k, 0.0);
        self.strengths.clear();
        self.strengths.resize(self.encoded.len(), 0.0);
        self.left.clear();
        for i in 0..self.encoded.len() {
            let key = key(&self.encoded, i);
            let seen = counts.find(key).ok_or(Unlearned)?;
            let theirs = group.map(|group| group.find(key).ok_or(Unlearned)).transpose()?;
            let gone = match theirs {
                None => SeenCounts::One(class, self.lifted[i] as i64),
                Some(theirs) => theirs.counts,
            };
            let documents = seen.documents - theirs.map_or(1, |theirs| theirs.documents);
            let rest = seen.counts.without(gone, &mut self.cells).filter(|_| documents >= 0).ok_or(Unlearned)?;
            self.left.push(documents);
            if documents > 0 {
                let shares = &self.shares[seen.order as usize * k..][..k];
                self.strengths[i] = self.evidence.row(rest, shares, &mut self.rows[i * k..][..k]);
            }
        }
        Ok(())
    }

    /// Writes the sums class by class, as the fit reads them.
    fn write(&self, out: &mut [f32]) {
        let (k, len) = (self.evidence.counts.k, self.layout.kinds());
        for (class, part) in out.chunks_mut(len).enumerate() {
            for (place, sum) in part.iter_mut().enumerate() {
                *sum = self.sums[place * k + class] as f32;
            }
        }
    }
}

#[inline(always)]
fn add(sums: &mut [f64], weight: f64, row: &[f64]) {
    sums.iter_mut().zip(row).for_each(|(sum, z)| *sum += weight * z);
}
