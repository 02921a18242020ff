//! What a table answers about a key.

/// What was seen of a key.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) order: u8,
    pub(super) documents: i64,
    pub(super) counts: SeenCounts<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum SeenCounts<'a> {
    /// One class and its count; all others have none.
    One(usize, i64),
    /// A count for each class, and the number of the row that they are.
    Many(&'a [i64], usize),
}

impl SeenCounts<'_> {
    /// What is left without some of them, with `cells` to write it to; none where that is less than nothing.
    #[inline(always)]
    pub(super) fn without<'c>(self, some: Self, cells: &'c mut [i64]) -> Option<SeenCounts<'c>> {
        if let (Self::One(class, sum), Self::One(other, gone)) = (self, some)
            && class == other
        {
            return (sum >= gone).then_some(SeenCounts::One(class, sum - gone)); // most keys have one class
        }
        cells.fill(0);
        self.add_to(1, cells);
        some.add_to(-1, cells);
        cells.iter().all(|cell| *cell >= 0).then_some(SeenCounts::Many(cells, 0))
    }

    /// What was counted for a class.
    pub(super) fn of(self, class: usize) -> i64 {
        match self {
            Self::One(own, sum) => {
                if own == class {
                    sum
                } else {
                    0
                }
            }
            Self::Many(cells, _) => cells.get(class).copied().unwrap_or(0),
        }
    }

    /// What was counted for all classes.
    pub(super) fn total(self) -> i64 {
        match self {
            Self::One(_, sum) => sum,
            Self::Many(cells, _) => cells.iter().sum(),
        }
    }

    /// Adds `sign` times the counts to a row.
    pub(super) fn add_to(self, sign: i64, row: &mut [i64]) {
        match self {
            Self::One(class, sum) => row[class] += sign * sum,
            Self::Many(cells, _) => row.iter_mut().zip(cells).for_each(|(to, from)| *to += sign * from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shard::Shard;
    use super::*;
    use crate::text::seeds::Seeds;
    use proptest::prelude::*;

    proptest! {
        /// Counts of 32 bits and of more are learned and unlearned alike, in one class and in several.
        #[test]
        fn a_shard_answers_what_was_added(
            steps in prop::collection::vec((0usize..3, 1i64..40, 0i64..1 << 40, 0u32..33), 1..12),
        ) {
            let mut shard = Shard::new(Seeds::random(), 1);
            let (mut row, mut documents) = (vec![0; 3], 0);
            let seen = |class, sum: i64, documents: i64, shift: u32| {
                Seen { order: 0, documents: documents << shift, counts: SeenCounts::One(class, sum >> shift) }
            };
            for &(class, held, sum, shift) in &steps {
                prop_assert!(shard.merge(7, &seen(class, sum, held, shift), &[0, 1, 2], 1, 3).is_ok());
                (row[class], documents) = (row[class] + (sum >> shift), documents + (held << shift));
                let found = shard.find(7, 3).map(|seen| {
                    let mut row = vec![0; 3];
                    seen.counts.add_to(1, &mut row);
                    (row, seen.documents)
                });
                prop_assert_eq!(found, Some((row.clone(), documents)));
            }
            for &(class, held, sum, shift) in &steps {
                prop_assert!(shard.merge(7, &seen(class, sum, held, shift), &[0, 1, 2], -1, 3).is_ok());
            }
            prop_assert!(shard.find(7, 3).is_none() && shard.distinct == [0] && shard.held == 0);
            prop_assert!(shard.merge(7, &seen(0, 1, 1, 0), &[0, 1, 2], -1, 3).is_err());
        }
    }
}
