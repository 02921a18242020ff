//! Words of any script: runs of letters, digits and ' - $ ! _ %, pairs of characters where words have no spaces
//! between them, and single symbols.

use unicode_normalization::char::canonical_combining_class;

use super::runs::{self, Marked};
use crate::text::{Chars, is_invisible};

/// What a character does to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Word,
    Unspaced,
    Symbol,
    Invisible,
    Break,
}

/// Is it an ASCII character that words are made of? Without branches, for `runs`.
#[inline]
fn in_word(b: u8) -> bool {
    let mark = (b == b'\'') | (b == b'-') | (b == b'$') | (b == b'!') | (b == b'_') | (b == b'%');
    ((b | 0x20).wrapping_sub(b'a') < 26) | (b.wrapping_sub(b'0') < 10) | mark
}

fn part(chars: &Chars, c: char) -> Part {
    let code = c as u32;
    match c {
        _ if c.is_ascii() => {
            if in_word(code as u8) {
                Part::Word
            } else {
                Part::Break
            }
        }
        _ if is_invisible(code) || c.is_control() => Part::Invisible,
        _ if chars.is_unspaced(code) => Part::Unspaced,
        '’' | '£' | '¥' | '¢' | '\u{20a0}'..='\u{20cf}' => Part::Word,
        _ if chars.is_word(code) || c.is_alphanumeric() || canonical_combining_class(c) != 0 => Part::Word,
        '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' => Part::Symbol,
        _ => Part::Break,
    }
}

/// A word as it was found.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) low: &'a [u8],
    /// Is the text in lower case already?
    pub(super) is_low: bool,
}

/// Calls `found` for each word until it says no; returns whether it said no, and whether a word had an invisible character
/// inside, or was turned around. Honest newsletters pad their first line with such characters, between blanks.
///
/// Words are trimmed of ' - _. Invisible characters are taken out before: "v\u{200b}iagra" is one word.
pub(super) fn each(chars: &Chars, text: &str, mut found: impl FnMut(Word<'_>) -> bool) -> (bool, bool) {
    let bytes = text.as_bytes();
    let low = bytes.to_ascii_lowercase();
    let capitals = Marked::new(bytes, |b| b.is_ascii_uppercase());
    let mut buffer = Vec::new();
    let mut beyond = |word: &str, found: &mut dyn FnMut(Word<'_>) -> bool| {
        lower(chars, word, &mut buffer);
        found(Word { text: word, low: &buffer, is_low: word.as_bytes() == buffer })
    };
    let mut scan = Scan { chars, word: String::new(), last: None, pairs: false, skipped: false, invisible: false };
    let mut at = 0;
    while at < bytes.len() {
        let end = if scan.is_empty() { plain_end(bytes, at) } else { at };
        let (go, next) = if end > at {
            let plain = |first: usize, last: usize| {
                let (first, last) = trimmed(bytes, at + first, at + last);
                let is_low = !capitals.any(first, last);
                first == last || found(Word { text: &text[first..last], low: &low[first..last], is_low })
            };
            (runs::each(&bytes[at..end], in_word, plain), end)
        } else {
            let c = text[at..].chars().next().unwrap_or('\0');
            (scan.step(c, &mut |word| beyond(word, &mut found)), at + c.len_utf8())
        };
        if !go {
            return (true, scan.invisible);
        }
        at = next;
    }
    (!scan.end(&mut |word| beyond(word, &mut found)), scan.invisible)
}

/// The end of the ASCII from `at` on, without a run of word characters that touches something else: up to there every run
/// is a word as it stands.
fn plain_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let blocks = rest.chunks(PLAIN).take_while(|block| block.is_ascii()).count();
    let from = (blocks * PLAIN).min(rest.len());
    let Some(other) = rest[from..].iter().position(|b| !b.is_ascii()) else { return bytes.len() };
    let ascii = &rest[..from + other];
    at + ascii.iter().rposition(|&b| !in_word(b)).map_or(0, |last| last + 1)
}

/// Bytes that are checked together for being ASCII.
const PLAIN: usize = 256;

/// A run of ASCII without ' - _ at its ends.
#[inline]
fn trimmed(bytes: &[u8], mut first: usize, mut last: usize) -> (usize, usize) {
    let edge = |b: u8| matches!(b, b'\'' | b'-' | b'_');
    while first < last && edge(bytes[first]) {
        first += 1;
    }
    while first < last && edge(bytes[last - 1]) {
        last -= 1;
    }
    (first, last)
}

fn trim(word: &str) -> &str {
    word.trim_matches(['\'', '-', '_', '’'])
}

/// A text beyond ASCII, character by character.
struct Scan<'a> {
    chars: &'a Chars,
    word: String,
    /// The last character of a run without spaces, and whether it has formed a pair.
    last: Option<char>,
    pairs: bool,
    /// Has an invisible character been left out behind the word so far?
    skipped: bool,
    invisible: bool,
}

impl Scan<'_> {
    fn is_empty(&self) -> bool {
        self.word.is_empty() && self.last.is_none()
    }

    fn step(&mut self, c: char, found: &mut impl FnMut(&str) -> bool) -> bool {
        match part(self.chars, c) {
            Part::Word if self.last.is_none() => {
                self.invisible |= self.skipped;
                self.word.push(c);
                true
            }
            Part::Word => {
                let go = self.end(found);
                self.word.push(c);
                go
            }
            Part::Unspaced => self.unspaced(c, found),
            Part::Symbol => self.end(found) && found(c.encode_utf8(&mut [0; 4])),
            Part::Invisible => {
                self.invisible |= matches!(c, '\u{202d}' | '\u{202e}'); // turns around what follows, wherever it stands
                self.skipped |= !self.word.is_empty() && !joins(c, &self.word);
                true
            }
            Part::Break => self.end(found),
        }
    }

    fn unspaced(&mut self, c: char, found: &mut impl FnMut(&str) -> bool) -> bool {
        let Some(last) = self.last else {
            let go = self.end(found);
            self.last = Some(c);
            return go;
        };
        let mut pair = String::from(last);
        pair.push(c);
        (self.last, self.pairs) = (Some(c), true);
        found(&pair)
    }

    /// Ends the word or the run that is open.
    fn end(&mut self, found: &mut impl FnMut(&str) -> bool) -> bool {
        self.skipped = false;
        let word = std::mem::take(&mut self.word);
        let alone = self.last.take().filter(|_| !std::mem::take(&mut self.pairs));
        let word = trim(&word);
        (word.is_empty() || found(word)) && alone.is_none_or(|c| found(c.encode_utf8(&mut [0; 4])))
    }
}

/// Is it a joiner or non-joiner behind a letter beyond ASCII? Persian and the scripts of India spell with them.
fn joins(c: char, word: &str) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}') && !word.ends_with(|last: char| last.is_ascii())
}

/// Replaces `out` by the word in lower case.
fn lower(chars: &Chars, word: &str, out: &mut Vec<u8>) {
    out.clear();
    let mut push = |c: char| out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    let (start, ends) = match word.strip_suffix('Σ') {
        Some(start) if !start.is_empty() => (start, true), // of Greek words in capitals, as they end in small letters
        _ => (word, false),
    };
    start.chars().for_each(|c| push(char::from_u32(chars.lower(c as u32)).unwrap_or(c)));
    if ends {
        push('ς');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each(&Chars::shared(), text, |word| {
            all.push(word.text.to_owned());
            true
        });
        all
    }

    #[test]
    fn capitals_are_the_words_of_small_letters() {
        let mut low = Vec::new();
        each(&Chars::marked(), "ΣΑΣ Σ σας İÉß ΌΣ!", |word| {
            low.push(String::from_utf8_lossy(word.low).into_owned());
            true
        });
        assert_eq!(low, ["σας", "σ", "σας", "iéß", "όσ!"]);
    }

    #[test]
    fn a_word_with_something_invisible_inside_is_told_from_padding() {
        let invisible = |text: &str| each(&Chars::marked(), text, |_| true).1;
        for c in
            ['\u{81}', '\u{ad}', '\u{34f}', '\u{200b}', '\u{200d}', '\u{2066}', '\u{3164}', '\u{fe0f}', '\u{e0020}']
        {
            assert_eq!(words(&format!("v{c}iagra {c} a{c} {c}b{c}")), ["viagra", "a", "b"], "{c:?}");
            assert!(invisible(&format!("v{c}iagra")), "{c:?}");
            assert!(!invisible(&format!("a{c} {c} {c}b")), "{c:?}");
        }
        assert!(!invisible("\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}")); // spelled so in Persian
        assert!(invisible("\u{202e}fdp.exe"));
        assert!(!invisible("\u{1f469}\u{200d}\u{1f4bb} \u{2764}\u{fe0f}"));
    }

    #[test]
    fn words_of_many_scripts() {
        assert_eq!(words("It's -FREE- $100% off!!! a_b"), ["It's", "FREE", "$100%", "off!!!", "a_b"]);
        assert_eq!(words("Привет, мир… £5"), ["Привет", "мир", "£5"]);
        assert_eq!(words("abc我喜欢 犬x"), ["abc", "我喜", "喜欢", "犬", "x"]);
        assert_eq!(words("हिन्दी עברית عربي"), ["हिन्दी", "עברית", "عربي"]);
        assert_eq!(words("v\u{200b}ia\u{ad}gra 😀★ ok"), ["viagra", "😀", "★", "ok"]);
    }
}
