//! What is counted of a document.

use std::sync::LazyLock;

use crate::text::Encoded;

/// Documents of the evidence recipe are lifted to this length.
const UNIT: f64 = 128.0;

/// How a feature's count in a document becomes what is added to the tally: whole numbers that depend on the document
/// alone, so that they can be taken away again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lift {
    /// 128 ln(1 + x) over the Euclidean norm of that among the document's features of the same order, rounded, at
    /// least 1: long documents weigh no more than short ones.
    Unit,
    /// The count itself.
    Count,
    /// 1.
    Presence,
}

impl Lift {
    /// What each feature of the document adds; `place` numbers the orders, `norms` is scratch space.
    pub(super) fn apply(self, encoded: &Encoded, place: &[u8; 256], norms: &mut Vec<f64>, out: &mut Vec<u32>) {
        out.clear();
        match self {
            Self::Count => out.extend_from_slice(&encoded.counts),
            Self::Presence => out.resize(encoded.len(), 1),
            Self::Unit => {
                norms.clear();
                norms.resize(256, 0.0);
                for (&count, &order) in encoded.counts.iter().zip(&encoded.orders) {
                    norms[place[order as usize] as usize] += log_count(count).powi(2);
                }
                norms.iter_mut().for_each(|norm| *norm = UNIT / norm.sqrt());
                out.extend(encoded.counts.iter().zip(&encoded.orders).map(|(&count, &order)| {
                    let unit = log_count(count) * norms[place[order as usize] as usize];
                    unit.round().max(1.0) as u32
                }));
            }
        }
    }
}

/// ln(1 + x), the same bits on every machine: the platform's own logarithms differ in the last one.
#[inline]
pub(super) fn log_count(count: u32) -> f64 {
    static SMALL: LazyLock<Vec<f64>> = LazyLock::new(|| (0..256).map(|n| libm::log1p(n as f64)).collect());
    SMALL.get(count as usize).copied().unwrap_or_else(|| libm::log1p(count as f64))
}
