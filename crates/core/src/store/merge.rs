//! Runs added into one, with or without what is too old.

use super::{Entry, Run, RunError, Writer};

/// What expiry leaves out: everything last seen before `day`, and of that day what was seen in at most `count` mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The first day that stays.
    pub day: u16,
    /// Of that day, the largest count that goes. 0 keeps all of it.
    pub count: u64,
}

impl Cut {
    fn drops(self, seen: u16, counts: &[i64]) -> bool {
        seen < self.day || seen == self.day && total(counts) <= self.count
    }
}

fn total(counts: &[i64]) -> u64 {
    counts.iter().map(|n| n.unsigned_abs()).fold(0, u64::saturating_add)
}

/// Runs to be added.
#[derive(Clone, Debug)]
pub struct Merge<'a> {
    runs: Vec<Run<'a>>,
    labels: usize,
}

/// The sum, and per label the fingerprint of what was cut.
#[derive(Debug)]
pub struct Merged {
    /// The new run.
    pub writer: Writer,
    /// Σ count × key of the entries left out.
    pub cut: Vec<u64>,
}

/// Counts above this share one place when a cut is chosen.
const LEVELS: usize = 256;

impl<'a> Merge<'a> {
    /// The sum of these runs for so many labels. A run with fewer counts 0 for the rest, one with more is damaged: a row
    /// of the sum for each of its keys would take what memory there is.
    pub fn new(runs: Vec<Run<'a>>, labels: usize) -> Result<Self, RunError> {
        let labels = labels.max(1);
        match runs.iter().map(Run::labels).find(|&found| found > labels) {
            Some(found) => Err(RunError::Format(format!("{found} labels, expected at most {labels}"))),
            None => Ok(Self { runs, labels }),
        }
    }

    /// All entries in ascending order, each key once. Memory: nothing but the heads.
    fn walk(&self, mut each: impl FnMut(Entry, &[i64]) -> Result<(), RunError>) -> Result<(), RunError> {
        let mut heads: Vec<(Run<'a>, usize, u64)> =
            self.runs.iter().filter_map(|&run| Some((run, 0, run.key(0)?))).collect();
        let mut counts = vec![0_i64; self.labels];
        while let Some(key) = heads.iter().map(|&(_, _, key)| key).min() {
            let mut sum = Entry { key, seen: 0, born: u16::MAX };
            let (mut sound, mut over) = (true, false);
            counts.fill(0);
            for (run, at, head) in heads.iter_mut().filter(|(_, _, head)| *head == key) {
                if let Some(entry) = run.entry(*at) {
                    sum.seen = sum.seen.max(entry.seen);
                    sum.born = sum.born.min(entry.born);
                }
                run.counts(*at, |label, n| {
                    if let Some(count) = counts.get_mut(label) {
                        sound &= count.checked_add(n).inspect(|&more| *count = more).is_some();
                    }
                });
                *at += 1;
                match run.key(*at) {
                    Some(next) if next > key => *head = next,
                    Some(_) => return Err(RunError::Content(*at, "keys are not ascending")),
                    None => over = true,
                }
            }
            if over {
                heads.retain(|(run, at, _)| *at < run.entries());
            }
            if !sound {
                return Err(RunError::Overflow(key));
            }
            each(sum, &counts)?;
        }
        Ok(())
    }

    /// The sum without what the cut drops and without keys whose counts are all 0.
    pub fn write(&self, cut: Cut) -> Result<Merged, RunError> {
        let bound = self.runs.iter().map(|run| run.largest).fold(0, u64::saturating_add);
        let most = self.runs.iter().map(Run::entries).max().unwrap_or(0);
        let mut writer = Writer::new(self.labels, bound, most);
        let mut gone = vec![0_u64; self.labels];
        self.walk(|entry, counts| {
            if !cut.drops(entry.seen, counts) {
                return writer.push(entry, counts);
            }
            for (sum, &n) in gone.iter_mut().zip(counts) {
                *sum = sum.wrapping_add(entry.key.wrapping_mul(n.cast_unsigned()));
            }
            Ok(())
        })?;
        Ok(Merged { writer, cut: gone })
    }

    /// The mildest cut that leaves at most `limit` keys: the oldest go first, within a day the rarest.
    pub fn cut_to(&self, limit: usize) -> Result<Cut, RunError> {
        let mut places: std::collections::BTreeMap<(u16, usize), usize> = std::collections::BTreeMap::new();
        self.walk(|entry, counts| {
            let total = total(counts);
            if total > 0 {
                let level = usize::try_from(total).unwrap_or(LEVELS).min(LEVELS);
                *places.entry((entry.seen, level)).or_default() += 1;
            }
            Ok(())
        })?;
        let mut kept = places.values().sum::<usize>();
        let mut cut = Cut::default();
        for ((day, level), here) in places {
            if kept <= limit {
                break;
            }
            kept -= here;
            let count = if level < LEVELS { level as u64 } else { u64::MAX };
            cut = Cut { day, count };
        }
        Ok(cut)
    }
}
