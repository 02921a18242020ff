//! Hash seeds, drawn once per table, so that nobody can prepare a text whose words collide.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// Two random numbers and the mixing that uses them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seeds(pub(super) u64, u64);

impl Seeds {
    pub(crate) fn random() -> Self {
        let state = RandomState::new();
        Self(state.hash_one(1u8), state.hash_one(2u8) | 1)
    }

    /// A 64-bit product folded on itself.
    #[inline]
    pub(crate) fn mix(&self, low: u64, high: u64) -> u64 {
        let product = (low ^ self.0) as u128 * (high ^ self.1) as u128;
        product as u64 ^ (product >> 64) as u64
    }
}
