//! Transfer encodings: base64, quoted-printable and uuencode, read leniently and up to a number of bytes.

use std::borrow::Cow;

use super::note::{Note, Notes};
use super::uuencode;

/// How the body of a part is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    Plain,
    Base64,
    QuotedPrintable,
    Uuencode,
}

impl Transfer {
    pub(super) fn named(value: &[u8]) -> Self {
        match value.first() {
            Some(b'b' | b'B') if has(value, b"base64") => Self::Base64,
            Some(b'q' | b'Q') if has(value, b"quoted-printable") => Self::QuotedPrintable,
            _ if uuencode::is_named(value) => Self::Uuencode,
            _ => Self::Plain,
        }
    }

    /// At most `most` decoded bytes, and whether there were more.
    pub(super) fn decode<'a>(self, body: &'a [u8], most: usize, notes: &mut Notes) -> (Cow<'a, [u8]>, bool) {
        match self {
            Self::Plain => (Cow::Borrowed(&body[..body.len().min(most)]), body.len() > most),
            Self::Base64 => {
                let (out, strange, cut) = base64(body, most);
                if strange {
                    notes.add(Note::Base64);
                }
                (Cow::Owned(out), cut)
            }
            Self::QuotedPrintable => {
                let (out, cut) = quoted_printable(body, most);
                (Cow::Owned(out), cut)
            }
            Self::Uuencode => {
                let (out, cut) = uuencode::decode(body, most);
                (Cow::Owned(out), cut)
            }
        }
    }
}

fn has(value: &[u8], word: &[u8]) -> bool {
    value.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

const SKIP: u8 = 64;
const BLANK: u8 = 65;
const PAD: u8 = 66;

const DIGITS: [u8; 256] = {
    let mut table = [SKIP; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut i = 0;
    while i < 64 {
        table[alphabet[i] as usize] = i as u8;
        i += 1;
    }
    table[b'\n' as usize] = BLANK;
    table[b'\r' as usize] = BLANK;
    table[b' ' as usize] = BLANK;
    table[b'\t' as usize] = BLANK;
    table[b'=' as usize] = PAD;
    table
};

/// The bytes, whether characters outside the alphabet were skipped, and whether there was more.
pub(super) fn base64(body: &[u8], most: usize) -> (Vec<u8>, bool, bool) {
    let mut out = Vec::with_capacity((body.len() / 4 * 3 + 3).min(most));
    let (mut bits, mut count, mut strange) = (0u32, 0u32, false);
    for &byte in body {
        match DIGITS[byte as usize] {
            digit @ ..SKIP => {
                bits = bits << 6 | digit as u32;
                count += 6;
                if count >= 8 {
                    count -= 8;
                    if out.len() == most {
                        return (out, strange, true);
                    }
                    out.push((bits >> count) as u8);
                }
            }
            // Padding ends a group; another base64 text may follow.
            PAD => count = 0,
            BLANK => (),
            SKIP.. => strange = true,
        }
    }
    (out, strange, false)
}

/// The bytes and whether there was more, in bodies and in encoded words alike.
pub(super) fn quoted_printable(body: &[u8], most: usize) -> (Vec<u8>, bool) {
    let mut out = Vec::with_capacity(body.len().min(most));
    let mut at = 0;
    while at < body.len() {
        let rest = &body[at..];
        let plain = memchr::memchr(b'=', rest).unwrap_or(rest.len());
        let room = most - out.len();
        out.extend_from_slice(&rest[..plain.min(room)]);
        if plain > room {
            return (out, true);
        }
        at += plain + 1;
        let Some(behind) = body.get(at..) else { break };
        if let Some(length) = soft_break(behind) {
            at += length;
            continue;
        }
        if plain == room {
            return (out, true);
        }
        let byte = coded(behind);
        out.push(byte.unwrap_or(b'='));
        at += if byte.is_some() { 2 } else { 0 };
    }
    (out, false)
}

/// The length of a soft line break behind its "=": blanks before it were added on the way, and the last line end of a part
/// belongs to the boundary.
fn soft_break(behind: &[u8]) -> Option<usize> {
    let blanks = behind.iter().take(80).take_while(|b| matches!(b, b' ' | b'\t')).count();
    match behind.get(blanks) {
        None => Some(blanks),
        Some(b'\n') => Some(blanks + 1),
        Some(_) => None,
    }
}

/// The byte that the first two characters are the hexadecimal digits of.
pub(super) fn coded(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| text.get(at).and_then(|&digit| (digit as char).to_digit(16));
    u8::try_from(digit(0)? << 4 | digit(1)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_is_clean_and_what_is_not() {
        assert_eq!(base64(b"aGVs\nbG8=", 99), (b"hello".to_vec(), false, false));
        assert_eq!(base64(b"aGVs*bG8=aGk=", 99), (b"hellohi".to_vec(), true, false));
        assert_eq!(base64(b"aGVsbG8=", 3), (b"hel".to_vec(), false, true));
        assert_eq!(quoted_printable(b"a=20b=\nc=3d=zz= \nd", 99), (b"a bc==zzd".to_vec(), false));
        assert_eq!(quoted_printable(b"abc", 2), (b"ab".to_vec(), true));
        assert_eq!(quoted_printable(b"a=", 2), (b"a".to_vec(), false));
        assert_eq!(quoted_printable(b"a= \t", 2), (b"a".to_vec(), false));
        assert_eq!(quoted_printable(b"ab=\n=", 2), (b"ab".to_vec(), false));
        assert_eq!(quoted_printable(b"ab=\n=41", 2), (b"ab".to_vec(), true));
        assert_eq!(quoted_printable(b"ab=4", 2), (b"ab".to_vec(), true));
    }
}
