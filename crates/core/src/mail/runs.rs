//! Runs of bytes of one kind, found 64 bytes at a time: where a run ends is no branch that the processor has to guess.

use crate::text::{BLOCK, mask};

/// The mask of up to 64 bytes from `at` on; what lies behind the end is of no kind.
#[inline]
fn mask_at(bytes: &[u8], at: usize, is: impl Fn(u8) -> bool) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    if let Some(block) = rest.first_chunk() {
        return mask(block, is);
    }
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    mask(&block, is) & ((1 << rest.len()) - 1)
}

/// Calls `found(start, end)` for every run of bytes of a kind, until it says no; says whether it never did.
#[inline]
pub(super) fn each(bytes: &[u8], is: impl Fn(u8) -> bool, mut found: impl FnMut(usize, usize) -> bool) -> bool {
    let (mut start, mut inside) = (0, 0);
    for base in (0..bytes.len()).step_by(BLOCK) {
        let mask = mask_at(bytes, base, &is);
        let mut edges = mask ^ (mask << 1 | inside);
        while edges != 0 {
            let at = base + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            inside ^= 1;
            if inside == 1 {
                start = at;
            } else if !found(start, at) {
                return false;
            }
        }
    }
    inside == 0 || found(start, bytes.len())
}

/// Which bytes of a text are of a kind, to be asked for stretches of it.
pub(super) struct Marked(Vec<u64>);

impl Marked {
    pub(super) fn new(bytes: &[u8], is: impl Fn(u8) -> bool) -> Self {
        Self((0..bytes.len()).step_by(BLOCK).map(|at| mask_at(bytes, at, &is)).collect())
    }

    /// Is one of the bytes from `start` to before `end` of that kind?
    #[inline]
    pub(super) fn any(&self, start: usize, end: usize) -> bool {
        let block = |number: usize| self.0.get(number).copied().unwrap_or(0);
        let shift = start % BLOCK;
        let bits = |number: usize| block(number) >> shift | block(number + 1) << 1 << (BLOCK - 1 - shift);
        let (first, length) = (start / BLOCK, end - start);
        let whole = first + length / BLOCK;
        (first..whole).any(|number| bits(number) != 0) || bits(whole) & ((1 << (length % BLOCK)) - 1) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_run_of_any_length_is_asked_without_recursion() {
        let mut bytes = vec![b'a'; 16 << 20];
        assert!(!Marked::new(&bytes, |byte| byte == b'b').any(3, bytes.len()));
        bytes.push(b'b');
        assert!(Marked::new(&bytes, |byte| byte == b'b').any(3, bytes.len()));
    }

    proptest! {
        #[test]
        fn as_byte_by_byte(bytes in proptest::collection::vec(prop_oneof![Just(b'a'), Just(b'b'), Just(b' ')], 0..300)) {
            let is = |byte: u8| byte != b' ';
            let mut runs = Vec::new();
            let whole = each(&bytes, is, |start, end| {
                runs.push(bytes[start..end].to_vec());
                true
            });
            prop_assert!(whole);
            let expected: Vec<Vec<u8>> =
                bytes.split(|&byte| !is(byte)).filter(|run| !run.is_empty()).map(<[u8]>::to_vec).collect();
            prop_assert_eq!(runs, expected);
            let marked = Marked::new(&bytes, |byte| byte == b'b');
            for start in 0..bytes.len() {
                for end in start..=bytes.len() {
                    prop_assert_eq!(marked.any(start, end), bytes[start..end].contains(&b'b'));
                }
            }
        }
    }
}
