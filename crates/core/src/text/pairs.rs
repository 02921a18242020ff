//! Characters of two bytes, by table: Latin with accents, Greek, Cyrillic, Hebrew, Arabic.

use super::utf8;

/// What they are, one bit for each second byte, and their lower case.
pub(super) struct Pairs {
    word: [u64; 32],
    space: [u64; 32],
    low: Vec<[u8; 2]>,
}

impl Pairs {
    /// From what is known of each code point: is it a word character, is it a space, and its lower case if that is one
    /// code point and depends on nothing else.
    pub(super) fn new(class: impl Fn(u32) -> (bool, bool), lower: impl Fn(u32) -> Option<u32>) -> Self {
        let (mut word, mut space, mut low) = ([0; 32], [0; 32], Vec::new());
        for code in 0..0x800 {
            let (row, bit) = (code as usize >> 6, code & 0x3f);
            let (is_word, is_space) = class(code);
            word[row] |= (is_word as u64) << bit;
            space[row] |= (is_space as u64) << bit;
            let mut bytes = Vec::new();
            lower(code).into_iter().for_each(|lower| utf8::push(&mut bytes, lower));
            low.push(bytes.try_into().unwrap_or_default());
        }
        Self { word, space, low }
    }

    /// Is the character of these bytes part of a word, and is it a space?
    #[inline(always)]
    pub(super) fn class(&self, [first, second]: [u8; 2]) -> (bool, bool) {
        let (row, bit) = (first as usize & 0x1f, second & 0x3f);
        (self.word[row] >> bit & 1 == 1, self.space[row] >> bit & 1 == 1)
    }

    /// The lower case of the character of these bytes, if that has two bytes too.
    #[inline(always)]
    pub(super) fn lower(&self, [first, second]: [u8; 2]) -> Option<[u8; 2]> {
        let low = *self.low.get((first as usize & 0x1f) << 6 | second as usize & 0x3f)?;
        (low[0] != 0).then_some(low)
    }
}
