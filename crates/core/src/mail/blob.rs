//! Values that never come again: signatures, identifiers, hashes. A mail of today has some 2,000 bytes of them in its
//! header, where one of 2002 had none.

use std::borrow::Cow;

use super::runs;

/// Least length of such a value.
const LEAST: usize = 24;
/// Least digits in it: words have none, and what programs call themselves has few.
const DIGITS: usize = 2;

/// Is it a character of base64 or of an identifier? Without branches, for `runs`.
#[inline]
fn inside(b: u8) -> bool {
    let mark = (b == b'+') | (b == b'/') | (b == b'-') | (b == b'_');
    ((b | 0x20).wrapping_sub(b'a') < 26) | (b.wrapping_sub(b'0') < 10) | mark
}

/// Calls `found` for what stands between such values, and with a `*` for each of them, until it says no;
/// says whether it never did.
pub(super) fn each_piece(text: &[u8], mut found: impl FnMut(&[u8]) -> bool) -> bool {
    if text.len() < LEAST {
        return found(text);
    }
    let mut done = 0;
    let go = runs::each(text, inside, |start, end| {
        let digits = || text[start..end].iter().filter(|b| b.is_ascii_digit()).count();
        if end - start < LEAST || digits() < DIGITS {
            return true;
        }
        found(&text[std::mem::replace(&mut done, end)..start]) && found(b"*")
    });
    go && found(&text[done..])
}

/// The text with a `*` for each such value.
pub(super) fn without(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut out = Vec::new();
    each_piece(text.as_bytes(), |piece| {
        if piece.len() < text.len() {
            out.extend_from_slice(piece);
        }
        true
    });
    if out.is_empty() { text } else { String::from_utf8(out).unwrap_or_default().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_and_identifiers_are_a_star() {
        let all = [
            ("multipart/mixed; boundary=\"0000000000000d71939b53182e4e\"", "multipart/mixed; boundary=\"*\""),
            ("<57804c55-66a8-3d1a-2bd3-935641d96fdd@example.org>", "<*@example.org>"),
            ("b=AOJu0YxQ+dkU/4sJr2mLhVtZ8cBnQw7e;\n\tbh=x4Fg=", "b=*;\n\tbh=x4Fg="),
            ("application/pkcs7-signature; grüße", "application/pkcs7-signature; grüße"),
            (
                "mail-am6eur05on2097.outbound.protection.example.com",
                "mail-am6eur05on2097.outbound.protection.example.com",
            ),
            ("", ""),
        ];
        for (text, expected) in all {
            assert_eq!(without(text.into()), expected);
        }
    }
}
