//! Character references of mark-up: `&amp;`, `&#65;`, `&#x41;`.

use std::borrow::Cow;

use html_escape::NAMED_ENTITIES;

/// Longest name.
const LONGEST: usize = 31;
/// Names that may stand without a semicolon, as in the first pages, whatever follows them; sorted.
#[rustfmt::skip]
const OLD: [&str; 106] = [
    "AElig", "AMP", "Aacute", "Acirc", "Agrave", "Aring", "Atilde", "Auml", "COPY", "Ccedil", "ETH", "Eacute", "Ecirc",
    "Egrave", "Euml", "GT", "Iacute", "Icirc", "Igrave", "Iuml", "LT", "Ntilde", "Oacute", "Ocirc", "Ograve", "Oslash",
    "Otilde", "Ouml", "QUOT", "REG", "THORN", "Uacute", "Ucirc", "Ugrave", "Uuml", "Yacute", "aacute", "acirc",
    "acute", "aelig", "agrave", "amp", "aring", "atilde", "auml", "brvbar", "ccedil", "cedil", "cent", "copy",
    "curren", "deg", "divide", "eacute", "ecirc", "egrave", "eth", "euml", "frac12", "frac14", "frac34", "gt",
    "iacute", "icirc", "iexcl", "igrave", "iquest", "iuml", "laquo", "lt", "macr", "micro", "middot", "nbsp", "not",
    "ntilde", "oacute", "ocirc", "ograve", "ordf", "ordm", "oslash", "otilde", "ouml", "para", "plusmn", "pound",
    "quot", "raquo", "reg", "sect", "shy", "sup1", "sup2", "sup3", "szlig", "thorn", "times", "uacute", "ucirc",
    "ugrave", "uml", "uuml", "yacute", "yen", "yuml",
];
/// Longest of them.
const LONGEST_OLD: usize = 6;

/// What the reference at the start of `text` stands for, which begins with "&", and its length. In an attribute a name that
/// runs on is the next word of a query: "?a=1&copy=2&region=3".
pub(super) fn reference(text: &str, in_attribute: bool) -> Option<(Cow<'static, str>, usize)> {
    let inside = text.get(1..)?;
    if let Some(number) = inside.strip_prefix('#') {
        let (digits, radix, skip) = match number.strip_prefix(['x', 'X']) {
            Some(hex) => (hex, 16, 3),
            None => (number, 10, 2),
        };
        let length = digits.bytes().take_while(|b| (*b as char).is_digit(radix)).count();
        let digit = |b: u8| (b as char).to_digit(radix).unwrap_or(0);
        let code =
            digits.bytes().take(length).fold(0, |code: u32, b| code.saturating_mul(radix).saturating_add(digit(b)));
        let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
        return (length > 0).then(|| (from_code(code).to_string().into(), skip + length + semicolon));
    }
    let length = inside.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    if inside.as_bytes().get(length) == Some(&b';')
        && let Some(named) = named(&inside[..length])
    {
        return Some((named.into(), 2 + length));
    }
    let old = (2..=length.min(LONGEST_OLD)).rev().find(|&end| OLD.binary_search(&&inside[..end]).is_ok())?;
    let runs_on = old < length || inside.as_bytes().get(length) == Some(&b'=');
    let named = named(&inside[..old]).filter(|_| !(in_attribute && runs_on))?;
    Some((named.into(), 1 + old))
}

fn named(name: &str) -> Option<&'static str> {
    let place = NAMED_ENTITIES.binary_search_by(|entity| entity.0.cmp(name.as_bytes())).ok()?;
    NAMED_ENTITIES.get(place).map(|entity| if entity.1 == "\u{a0}" { " " } else { entity.1 })
}

/// Numbers from 128 to 159 mean windows-1252, as in browsers.
fn from_code(code: u32) -> char {
    if let 0x80..=0x9f = code {
        let byte = [code as u8];
        return encoding_rs::WINDOWS_1252.decode_without_bom_handling(&byte).0.chars().next().unwrap_or('\u{fffd}');
    }
    match code {
        0xa0 => return ' ', // so that most pages stay plain ASCII
        0x01..0x20 | 0x7f if !(code as u8).is_ascii_whitespace() => return '\u{200b}', // nothing is shown there
        _ => (),
    }
    char::from_u32(code).filter(|c| *c != '\0').unwrap_or('\u{fffd}')
}

/// The value of an attribute with its references resolved.
pub(super) fn resolve(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let (found, length) = reference(&rest[at..], true).unwrap_or(("&".into(), 1));
        out.push_str(&found);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_numbered_and_broken() {
        let text = "a&amp;b &#65;&#x42;C&#150;&eacute &nothing; & &# &#x; &#xffffffff;";
        assert_eq!(resolve(text), "a&b ABC–é &nothing; & &# &#x; \u{fffd}");
    }

    #[test]
    fn every_name_of_a_browser() {
        let text = "&Agrave;&ensp;&rarr;&lrm;&frac12;&ZeroWidthSpace;&Alpha;&nbsp;&NonBreakingSpace;&NotEqualTilde;";
        assert_eq!(resolve(text), "À\u{2002}→\u{200e}½\u{200b}Α  ≂̸");
        assert_eq!(
            resolve("?a=1&copy=2&lang=en&num=3&AMP x &middot &rarr y"),
            "?a=1&copy=2&lang=en&num=3& x · &rarr y"
        );
    }
}
