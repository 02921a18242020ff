//! Bytes in any character set to UTF-8.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memchr_iter;

use super::note::{Note, Notes};
use super::utf7;

/// Bytes that the detector looks at, from just before the first that is not ASCII.
const SEEN: usize = 1 << 10;

/// The text by its declared character set. Undeclared, unknown or plainly wrong ("us-ascii" with high bytes, UTF-8 that is
/// more broken than not): UTF-8 if it is valid, otherwise what the bytes look like.
pub(super) fn decode<'a>(bytes: &'a [u8], label: &[u8], notes: &mut Notes) -> Cow<'a, str> {
    Guess::default().decode(bytes, label, bytes, notes)
}

/// What the scraps of one text look like: guessed once, for a guess takes far longer than reading a scrap.
#[derive(Default)]
pub(super) struct Guess(Option<&'static Encoding>);

impl Guess {
    /// As the function of that name; the first scrap that needs a guess is judged by `sample`, all others with it.
    pub(super) fn decode<'a>(
        &mut self,
        bytes: &'a [u8],
        label: &[u8],
        sample: &[u8],
        notes: &mut Notes,
    ) -> Cow<'a, str> {
        if utf7::is_named(label) {
            return Cow::Owned(utf7::decode(bytes));
        }
        let declared = declared(label).map(|set| byte_order(set, label, bytes)).or_else(|| betrayed(bytes));
        let one_to_one = declared.is_none_or(Encoding::is_ascii_compatible);
        if one_to_one && let Ok(text) = std::str::from_utf8(bytes) {
            // Valid UTF-8 with high bytes is hardly ever anything else, but a declared two-byte set is believed.
            if declared.is_none_or(|set| set == UTF_8 || set.is_single_byte() || bytes.is_ascii()) {
                return Cow::Borrowed(text);
            }
        }
        let set = declared.unwrap_or_else(|| self.looks_like(sample));
        let (text, broken) = set.decode_without_bom_handling(bytes);
        if broken && declared.is_some() {
            notes.add(Note::Charset);
            if set == UTF_8 && mostly_lost(&text) {
                return self.looks_like(sample).decode_without_bom_handling(bytes).0;
            }
        }
        text
    }

    fn looks_like(&mut self, sample: &[u8]) -> &'static Encoding {
        self.0.get_or_insert_with(|| looks_like(sample))
    }
}

/// Whether more letters beyond ASCII could not be read than could.
fn mostly_lost(text: &str) -> bool {
    let beyond = || text.chars().filter(|letter| !letter.is_ascii());
    2 * beyond().filter(|&letter| letter == char::REPLACEMENT_CHARACTER).count() > beyond().count()
}

fn declared(label: &[u8]) -> Option<&'static Encoding> {
    let ascii = label.eq_ignore_ascii_case(b"us-ascii") || label.eq_ignore_ascii_case(b"ascii");
    Encoding::for_label(label).filter(|&set| set != REPLACEMENT && !ascii)
}

/// Of UTF-16 that does not name the order of its bytes, the one that its mark tells, or else the zeros of Latin letters.
fn byte_order(set: &'static Encoding, label: &[u8], bytes: &[u8]) -> &'static Encoding {
    if set != UTF_16LE || label.trim_ascii().to_ascii_lowercase().ends_with(b"le") {
        return set;
    }
    let zeros = |from: usize| bytes[from.min(bytes.len())..].iter().take(SEEN).step_by(2).filter(|b| **b == 0).count();
    let marked = Encoding::for_bom(bytes).map(|(set, _)| set).filter(|&set| set != UTF_8);
    marked.unwrap_or(if zeros(0) > zeros(1) { UTF_16BE } else { UTF_16LE })
}

/// The character set that tells itself: by a byte order mark, or by the escapes of Japanese mail.
fn betrayed(bytes: &[u8]) -> Option<&'static Encoding> {
    let japanese = memchr_iter(0x1b, bytes).any(|at| matches!(bytes.get(at + 1..at + 3), Some(b"$B" | b"$@")));
    let marked = Encoding::for_bom(bytes).map(|(set, _)| set);
    if japanese { Some(ISO_2022_JP) } else { marked }
}

fn looks_like(bytes: &[u8]) -> &'static Encoding {
    let first = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0).saturating_sub(16);
    let seen = &bytes[first..];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&seen[..seen.len().min(SEEN)], seen.len() <= SEEN);
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], label: &str) -> String {
        decode(bytes, label.as_bytes(), &mut Notes::default()).into_owned()
    }

    #[test]
    fn declared_undeclared_and_wrong() {
        assert_eq!(read(b"caf\xe9 \x80", "iso-8859-1"), "café €");
        assert_eq!(read("café".as_bytes(), ""), "café");
        assert_eq!(read("café".as_bytes(), "us-ascii"), "café");
        assert_eq!(read(b"\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0", "windows-1251"), "Привет мир");
        assert_eq!(
            read(b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0, \xea\xe0\xea \xe4\xe5\xeb\xe0", "x-none"),
            "Привет, мир, как дела"
        );
        assert_eq!(read(b"\x1b$B$3$s\x1b(B", "iso-2022-jp"), "こん");
        assert_eq!(read("Привет".as_bytes(), "iso-8859-1"), "Привет");
        assert_eq!(read("Привет".as_bytes(), "windows-1252"), "Привет");
        assert_eq!(read(b"\xc3\xa9\xc3\xa9 \xe9", "utf-8"), "éé \u{fffd}");
        let greeting = b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0, \xea\xe0\xea \xe4\xe5\xeb\xe0";
        assert_eq!(read(greeting, "utf-8"), "Привет, мир, как дела");
        assert_eq!(read(b"ab \x1b$B$3$s\x1b(B \x1b[1m", ""), "ab こん \u{fffd}[1m");
        assert_eq!(read(b"\x1b$B$3$s\x1b(B", "us-ascii"), "こん");
        assert_eq!(read(b"\xff\xfeh\0i\0", ""), "\u{feff}hi");
        for label in ["utf-16", "UTF-16", "unicode"] {
            assert_eq!(read(b"\xfe\xff\0h\0i", label), "\u{feff}hi");
            assert_eq!(read(b"\xff\xfeh\0i\0", label), "\u{feff}hi");
            assert_eq!(read(b"\0h\0i", label), "hi");
            assert_eq!(read(b"h\0i\0", label), "hi");
        }
        assert_eq!(read(b"\0h", "utf-16le"), "\u{6800}");
        assert_eq!(read(b"\x1b[1mbold", ""), "\u{1b}[1mbold");
    }
}
