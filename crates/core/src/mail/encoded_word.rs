//! Header values as text: unfolded, RFC 2047 words decoded, other bytes by what they look like.

use std::borrow::Cow;

use memchr::memmem;

use super::charset::{self, Guess};
use super::limits;
use super::note::Notes;
use super::transfer::{base64, quoted_printable};

/// One `=?charset?encoding?text?=`.
struct EncodedWord<'a> {
    charset: &'a [u8],
    base64: bool,
    text: &'a [u8],
}

/// A header value as people read it.
pub(super) fn decode<'a>(value: &'a [u8], notes: &mut Notes) -> Cow<'a, str> {
    if memchr::memchr(b'=', value).is_none() || memmem::find(value, b"=?").is_none() {
        return unfold(charset::decode(value, b"", notes));
    }
    let mut out = String::with_capacity(value.len());
    let mut pending = Pending::default();
    let mut guess = Guess::default();
    let (mut at, mut plain) = (0, 0);
    while let Some(found) = memmem::find(&value[at..], b"=?") {
        let start = at + found;
        let Some((word, end)) = parse(value, start) else {
            at = start + 2;
            continue;
        };
        let between = &value[plain..start];
        let neighbours = !pending.charset.is_empty() && between.iter().all(u8::is_ascii_whitespace);
        if !neighbours || !pending.charset.eq_ignore_ascii_case(word.charset) {
            pending.flush(&mut out, notes);
        }
        if !neighbours {
            out.push_str(&guess.decode(between, b"", &value[plain..], notes));
        }
        pending.charset = word.charset;
        pending.bytes.extend(word.bytes());
        (at, plain) = (end, end);
    }
    pending.flush(&mut out, notes);
    out.push_str(&guess.decode(&value[plain..], b"", &value[plain..], notes));
    unfold(Cow::Owned(out))
}

/// Bytes of neighbouring words of one charset, decoded together: a character may be cut between them.
#[derive(Default)]
struct Pending<'a> {
    charset: &'a [u8],
    bytes: Vec<u8>,
    guess: Guess,
}

impl Pending<'_> {
    fn flush(&mut self, out: &mut String, notes: &mut Notes) {
        if !self.charset.is_empty() {
            out.push_str(&self.guess.decode(&self.bytes, self.charset, &self.bytes, notes));
            self.charset = b"";
            self.bytes.clear();
        }
    }
}

/// Longest charset, language suffix included. Bounds the look for the next "?", so that time stays linear.
const CHARSET: usize = 60;
/// Longest text; RFC 2047 allows 75 for the whole word, senders do not care. Time is linear all the same: whoever looks for
/// a "?" finds that of the next word.
const TEXT: usize = limits::VALUE;

fn parse(value: &[u8], start: usize) -> Option<(EncodedWord<'_>, usize)> {
    let mark = |from: usize, most: usize| {
        let rest = value.get(from..)?;
        memchr::memchr(b'?', &rest[..rest.len().min(most)]).map(|found| from + found)
    };
    let first = mark(start + 2, CHARSET)?;
    let base64 = match value.get(first + 1)? {
        b'B' | b'b' => true,
        b'Q' | b'q' => false,
        _ => return None,
    };
    if value.get(first + 2) != Some(&b'?') {
        return None;
    }
    let from = first + 3;
    let to = mark(from, TEXT)?;
    let name = &value[start + 2..first];
    let charset = name.split(|b| *b == b'*').next().filter(|name| !name.is_empty())?;
    (value.get(to + 1) == Some(&b'=')).then(|| (EncodedWord { charset, base64, text: &value[from..to] }, to + 2))
}

impl EncodedWord<'_> {
    fn bytes(&self) -> Vec<u8> {
        if self.base64 {
            return base64(self.text, usize::MAX).0;
        }
        let spaced: Vec<u8> = self.text.iter().map(|&b| if b == b'_' { b' ' } else { b }).collect();
        quoted_printable(&spaced, spaced.len()).0
    }
}

/// Line ends vanish; the blanks that follow them stay.
fn unfold(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr(b'\n', text.as_bytes()).is_none() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    text.split('\n').for_each(|line| out.push_str(line));
    Cow::Owned(out)
}

/// The text for people: no control, no direction marks, at most `most` characters.
pub(super) fn for_people(text: &str, most: usize) -> String {
    let strange = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}' | '\u{feff}')
    };
    text.trim().chars().take(most).map(|c| if strange(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> String {
        decode(value.as_bytes(), &mut Notes::default()).into_owned()
    }

    #[test]
    fn words_are_decoded_and_joined() {
        assert_eq!(read("=?utf-8?Q?Caf=C3=A9_x?= y"), "Café x y");
        assert_eq!(read("a =?iso-8859-1?q?b?=\n =?ISO-8859-1*en?Q?_c?= d"), "a b c d");
        assert_eq!(read("=?utf-8?B?4g==?= =?utf-8?B?gqw=?="), "€");
        assert_eq!(read(&format!("=?utf-8?q?{}?=", "=41".repeat(9_000))), "A".repeat(9_000));
        assert_eq!(read("=?utf-8?X?no?= =? =?a?b =?utf-8?q?open"), "=?utf-8?X?no?= =? =?a?b =?utf-8?q?open");
        assert_eq!(for_people(" a\u{202e}b\u{7}c ", 3), "a\u{fffd}b");
    }

    #[test]
    fn what_is_not_declared_is_guessed_once() {
        // "Привет", "мир", "как", "я", "я" in windows-1251; a "я" alone looks like a "ÿ" in windows-1252.
        let scraps =
            ["\u{cf}\u{f0}\u{e8}\u{e2}\u{e5}\u{f2}", "\u{ec}\u{e8}\u{f0}", "\u{ea}\u{e0}\u{ea}", "\u{ff}", "\u{ff}"];
        let read = |before: &str, behind: &str| {
            let text: String = scraps.iter().flat_map(|scrap| [before, scrap, behind]).collect();
            let value: Vec<u8> = text.chars().map(|c| c as u8).collect();
            decode(&value, &mut Notes::default()).into_owned()
        };
        assert_eq!(read(" ", " =?utf-8?Q?a?="), " Привет a мир a как a я a я a");
        assert_eq!(read("=?x-none?Q?", "?=."), "Привет.мир.как.я.я.");
    }
}
