//! Kinds of evidence, and where each stands in the list of them.

/// Buckets of how many documents hold a key: 1, 2, 3–4, 5–8, …, 1025–2048, more.
pub(super) const HELD: usize = 13;
/// Upper edges of the buckets of strength, the largest log-ratio of a key.
pub(super) const STRENGTHS: [f64; 5] = [0.5, 1.0, 1.5, 2.5, 4.0];
/// Buckets of strength.
pub(super) const STRONG: usize = STRENGTHS.len() + 1;
/// Edges of the buckets of first position in tokens.
pub(super) const POSITIONS: [u32; 3] = [8, 32, 128];
/// Buckets of position, and of count in the document (1, 2, 3–4, more).
pub(super) const FOUR: usize = 4;

/// The numbers that a document is summed up in, for each class: evidence by order, number of documents and strength;
/// by order and position; by order and count; and by the number of documents of a pair, what its words have said already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of orders.
    pub orders: usize,
}

impl Layout {
    /// How many kinds.
    pub fn kinds(self) -> usize {
        self.orders * (HELD * STRONG + 2 * FOUR) + HELD
    }

    pub(super) fn kind(self, order: usize, held: usize, strength: f64) -> usize {
        let strong = STRENGTHS.iter().take_while(|edge| strength > **edge).count();
        (order * HELD + held) * STRONG + strong
    }

    pub(super) fn position(self, order: usize, first: u32) -> usize {
        let bucket = POSITIONS.iter().take_while(|edge| first >= **edge).count();
        self.orders * HELD * STRONG + order * FOUR + bucket
    }

    pub(super) fn repeat(self, order: usize, count: u32) -> usize {
        let bucket = match count {
            0..=2 => count.saturating_sub(1) as usize,
            3..=4 => 2,
            _ => 3,
        };
        self.orders * (HELD * STRONG + FOUR) + order * FOUR + bucket
    }

    pub(super) fn overlap(self, held: usize) -> usize {
        self.orders * (HELD * STRONG + 2 * FOUR) + held
    }
}

/// The bucket of a number of documents, at least 1.
#[inline]
pub(super) fn held(documents: i64) -> usize {
    // ceil(log2 n) = bits of n - 1
    ((64 - (documents.max(1) - 1).leading_zeros()) as usize).min(HELD - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_of_documents() {
        let buckets: Vec<_> = [1, 2, 3, 4, 5, 8, 9, 2048, 2049, 1 << 40].map(held).to_vec();
        assert_eq!(buckets, [0, 1, 2, 2, 3, 3, 4, 11, 12, 12]);
    }

    #[test]
    fn every_kind_has_a_place_of_its_own() {
        let layout = Layout { orders: 2 };
        let mut seen = vec![0; layout.kinds()];
        for order in 0..2 {
            for held in 0..HELD {
                for strength in [-1.0, 0.7, 1.2, 2.0, 3.0, 9.0] {
                    seen[layout.kind(order, held, strength)] += 1;
                }
            }
            [0, 8, 32, 128].into_iter().for_each(|first| seen[layout.position(order, first)] += 1);
            [1, 2, 4, 5].into_iter().for_each(|count| seen[layout.repeat(order, count)] += 1);
        }
        (0..HELD).for_each(|held| seen[layout.overlap(held)] += 1);
        assert_eq!(seen, vec![1; 185]);
    }
}
