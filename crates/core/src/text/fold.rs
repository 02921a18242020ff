//! Folding: lower case and accents, before any word is looked for.

use super::chars::CAPITAL_SIGMA;
use super::compose;
use super::lower::lower_in_place;
use super::{Chars, utf8};

/// Room behind the folded text, so that sixteen-byte loads and sixty-four-byte blocks never reach past the end.
pub(super) const PAD: usize = 80;

/// Which accents to take off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accents {
    /// Leave them.
    Keep,
    /// Normal form KD without combining marks.
    Unicode,
    /// The same, and everything beyond ASCII is dropped.
    Ascii,
}

/// How a text is folded: `str.lower` first, then accents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Full lower-case mapping with the final-sigma rule.
    pub lowercase: bool,
    /// Accents to take off.
    pub accents: Accents,
}

impl Fold {
    /// Replaces `out` by the folded text, padded with spaces, and returns its length without the padding.
    pub(super) fn apply(self, chars: &Chars, text: &[u8], out: &mut Vec<u8>) -> usize {
        out.clear();
        out.reserve(text.len() + PAD);
        self.push_ascii(text, out);
        out.resize(text.len() + PAD, b' ');
        let done = text.is_ascii()
            || self.accents == Accents::Keep
                && if self.lowercase {
                    lower_in_place(chars, out)
                } else {
                    std::str::from_utf8(text).is_ok() && !compose::any_joins(chars, text)
                };
        if done {
            return text.len();
        }
        out.clear();
        if compose::any_joins(chars, text) {
            let mut joined = Vec::with_capacity(text.len());
            compose::each(chars, text, |letter, _, _| joined.extend_from_slice(letter));
            self.push_any(chars, &joined, out, |_, _| ());
        } else {
            self.push_any(chars, text, out, |_, _| ());
        }
        let len = out.len();
        out.resize(len + PAD, b' ');
        len
    }

    /// The folded text, and for each of its bytes the numbers of the first and the last source character it came from.
    pub(super) fn apply_mapped(self, chars: &Chars, text: &[u8], out: &mut Vec<u8>) -> Vec<(usize, usize)> {
        out.clear();
        let (mut joined, mut letters) = (Vec::new(), Vec::new());
        compose::each(chars, text, |letter, first, last| {
            joined.extend_from_slice(letter);
            letters.push((first, last));
        });
        let mut letters = letters.into_iter();
        let mut sources = Vec::new();
        self.push_any(chars, &joined, out, |out, characters| {
            // An ASCII stretch maps byte by byte; any other character has one source for all its folded bytes.
            match characters {
                1 => sources.resize(out.len(), letters.next().unwrap_or_default()),
                n => sources.extend(letters.by_ref().take(n)),
            }
        });
        out.resize(out.len() + PAD, b' ');
        sources
    }

    fn push_ascii(self, text: &[u8], out: &mut Vec<u8>) {
        if self.lowercase {
            out.extend(text.iter().map(u8::to_ascii_lowercase));
        } else {
            out.extend_from_slice(text);
        }
    }

    /// Stretches of ASCII are copied, other characters folded one by one; `note` hears how many characters each step took.
    #[inline(always)]
    fn push_any(self, chars: &Chars, text: &[u8], out: &mut Vec<u8>, mut note: impl FnMut(&Vec<u8>, usize)) {
        let mut finals = if self.lowercase { final_sigmas(text) } else { Vec::new() }.into_iter();
        let simple = self.lowercase && self.accents == Accents::Keep;
        let mut low = Vec::new();
        let mut at = 0;
        while at < text.len() {
            if text[at].is_ascii() {
                let ascii = text[at..].iter().take_while(|b| b.is_ascii()).count();
                self.push_ascii(&text[at..at + ascii], out);
                note(out, ascii);
                at += ascii;
                continue;
            }
            let (code, len) = utf8::decode(text, at);
            at += len;
            if simple && code != CAPITAL_SIGMA {
                chars.push_lower(code, out);
            } else {
                let code = match code {
                    CAPITAL_SIGMA if self.lowercase => {
                        if finals.next().unwrap_or(false) {
                            0x3c2
                        } else {
                            0x3c3
                        }
                    }
                    other => other,
                };
                self.push_code(chars, code, &mut low, out);
            }
            note(out, 1);
        }
    }

    fn push_code(self, chars: &Chars, code: u32, low: &mut Vec<u8>, out: &mut Vec<u8>) {
        if self.accents == Accents::Keep {
            return if self.lowercase { chars.push_lower(code, out) } else { utf8::push(out, code) };
        }
        low.clear();
        if self.lowercase {
            chars.push_lower(code, low)
        } else {
            utf8::push(low, code)
        }
        let start = out.len();
        let mut at = 0;
        while at < low.len() {
            let (code, len) = utf8::decode(low, at);
            chars.push_bare(code, out);
            at += len;
        }
        if self.accents == Accents::Ascii {
            let kept: Vec<u8> = out.drain(start..).filter(u8::is_ascii).collect();
            out.extend_from_slice(&kept);
        }
    }
}

/// Is there a capital sigma? Looking for its first byte alone is many times faster and nearly always enough.
pub fn has_capital_sigma(text: &[u8]) -> bool {
    text.contains(&0xce) && text.windows(2).any(|pair| pair == "Σ".as_bytes())
}

/// For each capital sigma: does it end a word (ς) or not (σ)? The standard library knows the rule but not our tables,
/// so only its decision is taken over.
fn final_sigmas(text: &[u8]) -> Vec<bool> {
    if !has_capital_sigma(text) {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(text);
    let lowered = text.to_lowercase();
    let mut low = lowered.chars();
    let mut finals = Vec::new();
    for c in text.chars() {
        if c == 'Σ' {
            finals.push(low.next() == Some('ς'));
        } else {
            let _ = low.nth(c.to_lowercase().count() - 1);
        }
    }
    finals
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fold(text: &str, lowercase: bool, accents: Accents) -> String {
        let mut out = Vec::new();
        let len = Fold { lowercase, accents }.apply(&Chars::shared(), text.as_bytes(), &mut out);
        String::from_utf8_lossy(&out[..len]).into_owned()
    }

    #[test]
    fn lower_case_is_the_full_mapping() {
        for text in ["Ünïcödé ß", "İSTANBUL ıI", "ΌΔΟΣ ΟΔΟΣ. Σ ΣΑΣ'Σ", "ǅ ẞ Ω K", "𐐀𝐀 ԱԲ"]
        {
            assert_eq!(fold(text, true, Accents::Keep), text.to_lowercase());
        }
    }

    #[test]
    fn every_character_is_lowered_as_python_would_alone() {
        let chars = Chars::shared();
        for code in (0x80..0x11_0000).filter(|code| *code != CAPITAL_SIGMA) {
            let (mut text, mut low, mut out) = (Vec::new(), Vec::new(), Vec::new());
            utf8::push(&mut text, code);
            chars.push_lower(code, &mut low);
            let len = Fold { lowercase: true, accents: Accents::Keep }.apply(&chars, &text, &mut out);
            assert_eq!(&out[..len], low, "{code:x}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_lowered_in_place_as_one_by_one(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            same_in_place(&bytes)?;
        }

        #[test]
        fn any_text_is_lowered_in_place_as_one_by_one(text in "[aB éЖŁ\u{130}\u{23a}Σ中ＡẠ😀𐐀]{0,200}", cut in 0usize..4) {
            same_in_place(&text.as_bytes()[..text.len().saturating_sub(cut)])?;
        }
    }

    fn same_in_place(text: &[u8]) -> Result<(), TestCaseError> {
        let (fold, chars) = (Fold { lowercase: true, accents: Accents::Keep }, Chars::shared());
        let (mut out, mut plain) = (Vec::new(), Vec::new());
        let len = fold.apply(&chars, text, &mut out);
        fold.push_any(&chars, text, &mut plain, |_, _| ());
        prop_assert_eq!(&out[..len], plain);
        prop_assert_eq!(out.len(), len + PAD);
        Ok(())
    }

    #[test]
    fn accents_go_after_the_case() {
        assert_eq!(fold("J'ai Mangé", true, Accents::Ascii), "j'ai mange");
        assert_eq!(fold("Éß", false, Accents::Ascii), "E");
        assert_eq!(fold("İo\u{308}\u{304}", true, Accents::Unicode), "io");
    }

    #[test]
    fn malformed_bytes_are_replaced_even_if_nothing_is_folded() {
        let (mut out, mut mapped) = (Vec::new(), Vec::new());
        let nothing = Fold { lowercase: false, accents: Accents::Keep };
        let len = nothing.apply(&Chars::shared(), b"\xff\x01", &mut out);
        assert_eq!(&out[..len], "\u{fffd}\u{1}".as_bytes());
        let sources = nothing.apply_mapped(&Chars::shared(), b"\xff\x01", &mut mapped);
        assert_eq!((out, sources), (mapped, vec![(0, 0), (0, 0), (0, 0), (1, 1)]));
    }

    #[test]
    fn every_byte_knows_its_source() {
        let fold = Fold { lowercase: true, accents: Accents::Unicode };
        let mut out = Vec::new();
        let sources = fold.apply_mapped(&Chars::shared(), "ab\u{130}é①c".as_bytes(), &mut out);
        assert_eq!(&out[..sources.len()], b"abie1c");
        assert_eq!(sources, [0, 1, 2, 3, 4, 5].map(|number| (number, number)));
    }

    #[test]
    fn letters_typed_in_parts_are_folded_as_one() {
        let typed = "CAFE\u{301} Do\u{ad}nau".as_bytes();
        for (fold, told) in [
            (Fold { lowercase: true, accents: Accents::Keep }, "café donau"),
            (Fold { lowercase: false, accents: Accents::Keep }, "CAFÉ Donau"),
            (Fold { lowercase: true, accents: Accents::Unicode }, "cafe donau"),
        ] {
            let (mut out, mut mapped) = (Vec::new(), Vec::new());
            let len = fold.apply(&Chars::marked(), typed, &mut out);
            assert_eq!(String::from_utf8_lossy(&out[..len]), told);
            let sources = fold.apply_mapped(&Chars::marked(), typed, &mut mapped);
            assert_eq!((&out, sources[3], sources.last()), (&mapped, (3, 4), Some(&(11, 11))));
        }
    }
}
