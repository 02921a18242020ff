//! UTF-7, which browsers no longer read and mail programs do: "+AFY-" is "V".

use encoding_rs::UTF_16BE;

use super::transfer::base64;

/// Is it a name of that character set?
pub(super) fn is_named(label: &[u8]) -> bool {
    let all = [&b"utf-7"[..], b"utf7", b"unicode-1-1-utf-7", b"csunicode11utf7", b"x-unicode-2-0-utf-7"];
    all.iter().any(|name| label.trim_ascii().eq_ignore_ascii_case(name))
}

/// The text; what is no UTF-7 stays as it is.
pub(super) fn decode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(plus) = memchr::memchr(b'+', rest) {
        out.push_str(&String::from_utf8_lossy(&rest[..plus]));
        rest = &rest[plus + 1..];
        let is_digit = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
        let length = rest.iter().position(|b| !is_digit(b)).unwrap_or(rest.len());
        let (units, _, _) = base64(&rest[..length], usize::MAX);
        if length == 0 {
            out.push('+');
        }
        // The bits that fill up the last digit are no character.
        out.push_str(&UTF_16BE.decode_without_bom_handling(&units[..units.len() / 2 * 2]).0);
        rest = &rest[length..];
        rest = rest.strip_prefix(b"-").unwrap_or(rest);
    }
    out.push_str(&String::from_utf8_lossy(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_is_shifted() {
        assert_eq!(decode(b"a+AFYASQBBAEcAUgBB- now +- +AOk- +ZeVnLIqe."), "aVIAGRA now + é 日本語.");
        assert_eq!(decode(b"caf\xe9 +"), "caf\u{fffd} +");
        assert!(is_named(b" UTF-7") && !is_named(b"utf-8"));
    }
}
