//! Finding words: runs of word characters and, where wanted, single marks, eight bytes at a time.

use super::Chars;
use super::fold::PAD;
use super::utf8;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// The high bit of every byte that lies between `low` and `high`; all bytes must be ASCII.
#[inline]
fn between(x: u64, low: u8, high: u8) -> u64 {
    let above = x + ONES * (0x80 - low as u64);
    let beyond = x + ONES * (0x7f - high as u64);
    above & !beyond & HIGH
}

/// Gathers the high bits of eight bytes: the product moves them side by side into the highest byte.
#[inline]
pub(crate) fn gather(bits: u64) -> u64 {
    ((bits >> 7).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}

/// One bit per byte of a block of 64: part of a word, and first byte of a mark.
#[derive(Clone, Copy, Default)]
struct Masks {
    word: u64,
    mark: u64,
}

#[inline]
fn ascii_masks(block: &[u8; 64], marks: bool) -> Masks {
    let mut masks = Masks::default();
    for (i, bytes) in block.chunks_exact(8).enumerate() {
        let x = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let letters = between(x | (ONES << 5), b'a', b'z');
        let word = letters | between(x, b'0', b'9') | between(x, b'_', b'_');
        masks.word |= gather(word) << (8 * i);
        if marks {
            let space = between(x, 0x09, 0x0d) | between(x, 0x1c, 0x20);
            masks.mark |= gather(HIGH & !(word | space)) << (8 * i);
        }
    }
    masks
}

/// The same for a block with other characters; `skip` bytes at its start belong to a character of the block before,
/// which was part of a word or not. Returns the masks and what spills into the next block.
fn any_masks(chars: &Chars, text: &[u8], base: usize, spill: (usize, bool)) -> (Masks, (usize, bool)) {
    let mut masks = Masks::default();
    let ones = |from: usize, to: usize| (u64::MAX >> (64 - (to.min(64) - from))) << from;
    let (mut at, mut inside) = spill;
    if inside && at > 0 {
        masks.word |= ones(0, at);
    }
    while at < 64 {
        let (code, len) = utf8::decode(text, base + at);
        let (word, space) = chars.word_and_space(code);
        inside = word;
        if word {
            masks.word |= ones(at, at + len);
        } else if !space {
            masks.mark |= 1 << at;
        }
        at += len;
    }
    (masks, (at - 64, inside))
}

/// Calls `found(start, end)` for every run of word characters and, with `marks`, every other character that is no space.
///
/// `text` carries [`PAD`] spaces beyond `len`.
#[inline]
pub(super) fn words(chars: &Chars, text: &[u8], len: usize, marks: bool, mut found: impl FnMut(usize, usize)) {
    debug_assert!(text.len() >= len + PAD);
    let mut spill = (0, false);
    let (mut start, mut inside) = (0, false);
    // The padding ends every run, and the last block begins at or before the end of the text.
    for base in (0..=len).step_by(64) {
        let Some(block) = text.get(base..).and_then(|rest| rest.first_chunk::<64>()) else { break };
        let masks = if spill.0 == 0 && block.is_ascii() {
            ascii_masks(block, marks)
        } else {
            let (masks, next) = any_masks(chars, text, base, spill);
            spill = next;
            masks
        };
        let mark = if marks { masks.mark } else { 0 };
        // A bit for every byte at which a run begins or ends, and for every mark.
        let mut events = (masks.word ^ (masks.word << 1 | inside as u64)) | mark;
        while events != 0 {
            let bit = events.trailing_zeros() as usize;
            let at = base + bit;
            if inside {
                found(start, at);
            }
            inside = masks.word >> bit & 1 == 1;
            start = at;
            if mark >> bit & 1 == 1 {
                found(at, at + utf8::decode(text, at).1);
            }
            events &= events - 1;
        }
    }
}

/// The same, where runs of scripts without spaces become overlapping pairs of characters (a single one stays single).
pub(super) fn unspaced(chars: &Chars, text: &[u8], len: usize, marks: bool, mut found: impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < len {
        let (code, size) = utf8::decode(text, at);
        if chars.is_unspaced(code) {
            at = pairs(chars, text, at, len, &mut found);
        } else if chars.is_word(code) {
            let start = at;
            while at < len {
                let (code, size) = utf8::decode(text, at);
                if !chars.is_word(code) || chars.is_unspaced(code) {
                    break;
                }
                at += size;
            }
            found(start, at);
        } else {
            if marks && !chars.is_space(code) {
                found(at, at + size);
            }
            at += size;
        }
    }
}

/// Overlapping pairs of the run that starts at `at`; returns its end.
fn pairs(chars: &Chars, text: &[u8], at: usize, len: usize, found: &mut impl FnMut(usize, usize)) -> usize {
    let mut last = at;
    let mut end = at + utf8::decode(text, at).1;
    let mut single = true;
    while end < len {
        let (code, size) = utf8::decode(text, end);
        if !chars.is_unspaced(code) {
            break;
        }
        found(last, end + size);
        single = false;
        last = end;
        end += size;
    }
    if single {
        found(at, end);
    }
    end
}

/// Runs of characters that are no space.
pub(super) fn blanks(chars: &Chars, text: &[u8], len: usize, mut found: impl FnMut(usize, usize)) {
    let (mut at, mut start) = (0, None);
    while at < len {
        let (code, size) = utf8::decode(text, at);
        match (chars.is_space(code), start) {
            (true, Some(from)) => {
                found(from, at);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => (),
        }
        at += size;
    }
    if let Some(from) = start {
        found(from, len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn collect(text: &str, marks: bool) -> Vec<String> {
        let mut padded = text.as_bytes().to_vec();
        padded.resize(text.len() + PAD, b' ');
        let mut out = Vec::new();
        words(&Chars::shared(), &padded, text.len(), marks, |a, b| {
            out.push(String::from_utf8_lossy(&padded[a..b]).into_owned());
        });
        out
    }

    /// One character after the other, as a text book would.
    fn plain(text: &str, marks: bool) -> Vec<String> {
        let chars = Chars::shared();
        let mut out: Vec<String> = Vec::new();
        let mut inside = false;
        for c in text.chars() {
            let word = chars.is_word(c as u32);
            match (word, inside) {
                (true, true) => out.last_mut().into_iter().for_each(|w| w.push(c)),
                (true, false) => out.push(c.to_string()),
                _ if marks && !chars.is_space(c as u32) => out.push(c.to_string()),
                _ => (),
            }
            inside = word;
        }
        out
    }

    #[test]
    fn pairs_for_scripts_without_spaces() {
        let text = "abc我喜欢猫 x ที่ 犬1!";
        let mut padded = text.as_bytes().to_vec();
        padded.resize(text.len() + PAD, b' ');
        let mut out = Vec::new();
        unspaced(&Chars::shared(), &padded, text.len(), true, |a, b| {
            out.push(String::from_utf8_lossy(&padded[a..b]).into_owned());
        });
        assert_eq!(out, ["abc", "我喜", "喜欢", "欢猫", "x", "ที", "ี่", "犬", "1", "!"]);
    }

    #[test]
    fn a_run_across_many_blocks_is_one_word() {
        let text = "é".repeat(500) + &"x".repeat(1000);
        assert_eq!(collect(&text, true), [text]);
    }

    proptest! {
        #[test]
        fn blocks_agree_with_the_plain_loop(text in "(?s)[a-zA-Z0-9_ .,\u{1c}\u{0}é\u{301}中😀\n]{0,300}", marks: bool) {
            prop_assert_eq!(collect(&text, marks), plain(&text, marks));
        }

        #[test]
        fn any_text_agrees_with_the_plain_loop(text in any::<String>(), marks: bool) {
            prop_assert_eq!(collect(&text, marks), plain(&text, marks));
        }
    }
}
