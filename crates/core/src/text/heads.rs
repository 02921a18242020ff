//! Where characters of several bytes begin in a block.

use super::mask::{BLOCK, mask};

/// One bit per byte: does a character of at least two, three, four bytes begin there?
#[derive(Clone, Copy, Default)]
pub(super) struct Heads {
    pub(super) two: u64,
    three: u64,
    four: u64,
    /// The bytes that no character begins with.
    pub(super) inner: u64,
}

impl Heads {
    #[inline(always)]
    pub(super) fn of(block: &[u8; BLOCK]) -> Self {
        if block.is_ascii() { Self::default() } else { Self::told(block) }
    }

    fn told(block: &[u8; BLOCK]) -> Self {
        let [high, two, three, four] = [0x80, 0xc0, 0xe0, 0xf0].map(|least| mask(block, |byte| byte >= least));
        Self { two, three, four, inner: high & !two }
    }

    /// The other bytes of the characters that begin at `heads`: in this block and, behind it, in the next.
    #[inline]
    pub(super) fn tails(&self, heads: u64) -> u128 {
        let longer = |of: u64| (heads & of) as u128;
        longer(self.two) << 1 | longer(self.three) << 2 | longer(self.four) << 3
    }

    /// Calls `each` with the place of every head.
    #[inline(always)]
    pub(super) fn each(&self, mut each: impl FnMut(usize)) {
        let mut left = self.two;
        while left != 0 {
            each(left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}
