//! What another table has seen of a key, added.

use super::{MANY, Seen, SeenCounts, Shard};
use crate::keyed::unlearned::Unmerged;

impl Shard {
    /// Adds `sign` times what another table has seen of a key, its classes renumbered by `classes`; a key of another order
    /// is left as it is, or what was added could not be taken back.
    pub(in crate::keyed) fn merge(
        &mut self,
        key: u64,
        seen: &Seen,
        classes: &[usize],
        sign: i64,
        k: usize,
    ) -> Result<(), Unmerged> {
        let at = self.slot(key, seen.order, k);
        if self.slots[at].order != seen.order {
            if self.documents(&self.slots[at], k) != 0 {
                return Err(Unmerged::Order(key));
            }
            self.slots[at].order = seen.order;
        }
        let left = self.merge_counts(at, seen.counts, classes, sign, k);
        if self.count(at, sign * seen.documents, k) && left { Ok(()) } else { Err(Unmerged::Unlearned) }
    }

    /// Adds to the counts of a slot; false where less than nothing is left.
    fn merge_counts(&mut self, at: usize, counts: SeenCounts, classes: &[usize], sign: i64, k: usize) -> bool {
        let row = match counts {
            SeenCounts::One(class, sum) if self.takes(at, classes[class]) => {
                self.slots[at].class = classes[class] as u16;
                return self.change(at, classes[class] as u16, sign * sum, k) >= 0;
            }
            _ => self.row(at, k),
        };
        let cells = &mut self.cells[row];
        match counts {
            SeenCounts::One(class, sum) => cells[classes[class]] += sign * sum,
            SeenCounts::Many(from, _) => from.iter().zip(classes).for_each(|(n, &class)| cells[class] += sign * n),
        }
        cells.iter().all(|cell| *cell >= 0)
    }

    /// Can a slot hold the count of this class without a row of cells?
    fn takes(&self, at: usize, class: usize) -> bool {
        let slot = &self.slots[at];
        slot.class != MANY && (slot.documents == 0 && slot.sum == 0 || slot.class as usize == class)
    }
}
