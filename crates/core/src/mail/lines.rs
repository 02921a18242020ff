//! Line ends: every mail is read as if its lines ended with LF alone.

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// The message with every run of CR before an LF taken away, so that CRLF and LF twins are the same bytes.
///
/// A CR elsewhere stays: it is no line end, and Unix tools would not touch it either.
pub(super) fn unify(raw: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(raw, b"\r\n").is_none() {
        return Cow::Borrowed(raw);
    }
    let mut out = Vec::with_capacity(raw.len());
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', raw) {
        let line = &raw[start..end];
        let kept = line.iter().rposition(|b| *b != b'\r').map_or(0, |last| last + 1);
        out.extend_from_slice(&line[..kept]);
        out.push(b'\n');
        start = end + 1;
    }
    out.extend_from_slice(&raw[start..]);
    Cow::Owned(out)
}

/// Where the line that holds `at` ends: behind its LF, or at the end of the text.
#[inline]
pub(super) fn next(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    memchr(b'\n', rest).map_or(text.len(), |end| at + end + 1)
}

/// Where the text begins behind the "From " line that an mbox puts before each message.
pub(super) fn behind_mbox_line(text: &[u8]) -> usize {
    if text.starts_with(b"From ") || text.starts_with(b">From ") { next(text, 0) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_cr_before_lf_goes() {
        assert_eq!(&*unify(b"a\r\nb\r\r\n\rc\r"), b"a\nb\n\rc\r");
        assert!(matches!(unify(b"a\nb\rc"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn twins_are_the_same(raw in proptest::collection::vec(prop_oneof![Just(b'\r'), Just(b'\n'), any::<u8>()], 0..200)) {
            let mut twin = Vec::new();
            for &byte in &raw {
                if byte == b'\n' {
                    twin.push(b'\r');
                }
                twin.push(byte);
            }
            let plain = unify(&raw);
            prop_assert!(memmem::find(&plain, b"\r\n").is_none());
            prop_assert_eq!(&*plain, &*unify(&twin));
            prop_assert_eq!(&*unify(&plain), &*plain);
        }
    }
}
