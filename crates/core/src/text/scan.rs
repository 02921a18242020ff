//! Finding words: runs of word characters and, where wanted, single marks, 64 bytes at a time.

use super::Chars;
use super::fold::PAD;
use super::heads::Heads;
use super::mask::{BLOCK, mask};
use super::utf8;

/// One bit per byte of a block: is it part of a token, and does one begin there?
#[derive(Clone, Copy, Default)]
struct Masks {
    token: u64,
    start: u64,
}

/// What the block before leaves to the next: the bytes there of its last character, if that is part of a word, if it is
/// a mark, and what its last byte was part of.
#[derive(Clone, Copy, Default)]
struct Carry {
    word_rest: u64,
    mark_rest: u64,
    word: bool,
    token: bool,
}

/// ASCII is told by comparing all bytes at once; other characters are looked up one by one.
#[inline]
fn masks(chars: &Chars, text: &[u8], base: usize, block: &[u8; BLOCK], marks: bool, carry: &mut Carry) -> Masks {
    let heads = Heads::of(block);
    let mut words = mask(block, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut spaces = if marks { mask(block, |byte| matches!(byte, 0x09..=0x0d | 0x1c..=0x20)) } else { 0 };
    heads.each(|at| {
        let (word, space) = chars.class(text, base + at);
        words |= (word as u64) << at;
        spaces |= (space as u64) << at;
    });
    let single = if marks { !(words | spaces | heads.inner) } else { 0 };
    let (word_tails, mark_tails) = (heads.tails(words), heads.tails(single));
    let word = words | word_tails as u64 | carry.word_rest;
    let token = word | single | mark_tails as u64 | carry.mark_rest;
    let start = word & !(word << 1 | carry.word as u64) | single;
    *carry = Carry {
        word_rest: (word_tails >> BLOCK) as u64,
        mark_rest: (mark_tails >> BLOCK) as u64,
        word: word >> 63 == 1,
        token: token >> 63 == 1,
    };
    Masks { token, start }
}

/// Calls `found(start, end)` for every run of word characters and, with `marks`, every other character that is no space.
///
/// `text` is well-formed and carries [`PAD`] spaces beyond `len`.
#[inline]
pub(super) fn words(chars: &Chars, text: &[u8], len: usize, marks: bool, mut found: impl FnMut(usize, usize)) {
    debug_assert!(text.len() >= len + PAD);
    let (mut carry, mut start) = (Carry::default(), 0);
    // The padding ends every run, and the last block begins at or before the end of the text.
    for base in (0..=len).step_by(BLOCK) {
        let Some(block) = text.get(base..).and_then(|rest| rest.first_chunk()) else { break };
        let inside = carry.token;
        let Masks { token, start: mut starts } = masks(chars, text, base, block, marks, &mut carry);
        let mut ends = (token << 1 | inside as u64) & (!token | starts);
        // Starts and ends take turns, so each end is that of the start before; what begins here may end in another block.
        let mut next = || {
            let at = base + starts.trailing_zeros() as usize;
            starts &= starts.wrapping_sub(1);
            at
        };
        if !inside {
            start = next();
        }
        while ends != 0 {
            found(start, base + ends.trailing_zeros() as usize);
            start = next();
            ends &= ends - 1;
        }
    }
}

/// Does a character of a script without spaces occur?
pub(super) fn has_unspaced(chars: &Chars, text: &[u8]) -> bool {
    // All such characters take three bytes or more, and those that begin with 0xe2 are signs.
    let may = |byte: u8| byte >= 0xe0 && byte != 0xe2;
    text.chunks(BLOCK).enumerate().any(|(i, block)| {
        block.iter().fold(false, |any, byte| any | may(*byte))
            && (0..block.len()).any(|at| may(block[at]) && chars.is_unspaced(utf8::decode(text, i * BLOCK + at).0))
    })
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
    fn scripts_without_spaces_are_noticed_wherever_they_begin() {
        let chars = Chars::shared();
        for first in (0..0x11_0000).filter(|code| chars.is_unspaced(*code)) {
            let mut text = b" ".repeat(first as usize % 70);
            utf8::push(&mut text, first);
            assert!(has_unspaced(&chars, &text), "{first:x}");
        }
        assert!(!has_unspaced(&chars, "“quotes” – é Ж हिन्दी 😀 \u{feff}".repeat(9).as_bytes()));
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
