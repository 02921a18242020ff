//! Words of any script: runs of letters, digits and ' - $ ! _ %, pairs of characters where words have no spaces
//! between them, and single symbols.

use unicode_normalization::char::canonical_combining_class;

use crate::text::Chars;

/// What a character does to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Word,
    Unspaced,
    Symbol,
    Invisible,
    Break,
}

/// The ASCII characters that words are made of.
const ASCII: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 128 {
        let b = i as u8;
        table[i] = b.is_ascii_alphanumeric() || matches!(b, b'\'' | b'-' | b'$' | b'!' | b'_' | b'%');
        i += 1;
    }
    table
};

fn part(chars: &Chars, c: char) -> Part {
    let code = c as u32;
    match c {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => {
            Part::Invisible
        }
        _ if c.is_ascii() => {
            if ASCII[code as usize] {
                Part::Word
            } else {
                Part::Break
            }
        }
        _ if chars.is_unspaced(code) => Part::Unspaced,
        '’' | '£' | '¥' | '¢' | '\u{20a0}'..='\u{20cf}' => Part::Word,
        _ if chars.is_word(code) || c.is_alphanumeric() || canonical_combining_class(c) != 0 => Part::Word,
        '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' => Part::Symbol,
        _ => Part::Break,
    }
}

/// Calls `found` for each word, as written and in lower case, until it says no; returns whether it said no, and whether
/// an invisible character was seen.
///
/// Words are trimmed of ' - _. Invisible characters are taken out before: "v\u{200b}iagra" is one word.
pub(super) fn each(chars: &Chars, text: &str, mut found: impl FnMut(&str, &[u8]) -> bool) -> (bool, bool) {
    let bytes = text.as_bytes();
    let low = bytes.to_ascii_lowercase();
    let mut buffer = Vec::new();
    let mut beyond = |word: &str, found: &mut dyn FnMut(&str, &[u8]) -> bool| {
        lower(chars, word, &mut buffer);
        found(word, &buffer)
    };
    let mut scan = Scan { chars, word: String::new(), last: None, pairs: false, invisible: false };
    let mut at = 0;
    while at < bytes.len() {
        // A run of ASCII that nothing else touches is a word as it stands.
        let plain = scan.is_empty().then(|| run_end(bytes, at)).filter(|&end| bytes.get(end).is_none_or(u8::is_ascii));
        let (go, next) = if let Some(end) = plain {
            let (first, last) = trimmed(bytes, at, end);
            (first == last || found(&text[first..last], &low[first..last]), end + 1)
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

/// Where the run of ASCII word characters from `at` on ends.
#[inline]
fn run_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&b| !ASCII[b as usize]).map_or(bytes.len(), |length| at + length)
}

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
    invisible: bool,
}

impl Scan<'_> {
    fn is_empty(&self) -> bool {
        self.word.is_empty() && self.last.is_none()
    }

    fn step(&mut self, c: char, found: &mut impl FnMut(&str) -> bool) -> bool {
        match part(self.chars, c) {
            Part::Word if self.last.is_none() => {
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
                self.invisible = true;
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
        let word = std::mem::take(&mut self.word);
        let alone = self.last.take().filter(|_| !std::mem::take(&mut self.pairs));
        let word = trim(&word);
        (word.is_empty() || found(word)) && alone.is_none_or(|c| found(c.encode_utf8(&mut [0; 4])))
    }
}

/// Replaces `out` by the word in lower case.
fn lower(chars: &Chars, word: &str, out: &mut Vec<u8>) {
    out.clear();
    for c in word.chars() {
        let low = char::from_u32(chars.lower(c as u32)).unwrap_or(c);
        out.extend_from_slice(low.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each(&Chars::shared(), text, |word, _| {
            all.push(word.to_owned());
            true
        });
        all
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
