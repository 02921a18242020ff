//! Character references of mark-up: `&amp;`, `&#65;`, `&#x41;`.

use std::borrow::Cow;

use html_escape::NAMED_ENTITIES;

/// Longest name.
const LONGEST: usize = 31;

/// What the reference at the start of `text` stands for, which begins with "&", and its length.
pub(super) fn reference(text: &str) -> Option<(Cow<'static, str>, usize)> {
    let inside = text.get(1..)?;
    if let Some(number) = inside.strip_prefix('#') {
        let (digits, radix, skip) = match number.strip_prefix(['x', 'X']) {
            Some(hex) => (hex, 16, 3),
            None => (number, 10, 2),
        };
        let length = digits.bytes().take(8).take_while(|b| (*b as char).is_digit(radix)).count();
        let code = u32::from_str_radix(&digits[..length], radix).ok()?;
        let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
        return Some((from_code(code).to_string().into(), skip + length + semicolon));
    }
    let length = inside.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    let named = named(&inside.as_bytes()[..length])?;
    match inside.as_bytes().get(length) {
        Some(b';') => Some((named.into(), 2 + length)),
        // The next word of a query: "?a=1&copy=2".
        Some(b'=') => None,
        _ => is_old(named).then(|| (named.into(), 1 + length)),
    }
}

fn named(name: &[u8]) -> Option<&'static str> {
    let place = NAMED_ENTITIES.binary_search_by(|entity| entity.0.cmp(name)).ok()?;
    NAMED_ENTITIES.get(place).map(|entity| if entity.1 == "\u{a0}" { " " } else { entity.1 })
}

/// May its name stand without a semicolon, as those of the first pages may? These are Latin-1 and four signs.
fn is_old(text: &str) -> bool {
    matches!(text, "&" | "<" | ">" | "\"" | " ") || text.chars().all(|c| ('\u{a0}'..='\u{ff}').contains(&c))
}

/// Numbers from 128 to 159 mean windows-1252, as in browsers.
fn from_code(code: u32) -> char {
    if let 0x80..=0x9f = code {
        let byte = [code as u8];
        return encoding_rs::WINDOWS_1252.decode_without_bom_handling(&byte).0.chars().next().unwrap_or('\u{fffd}');
    }
    if code == 0xa0 {
        return ' '; // so that most pages stay plain ASCII
    }
    char::from_u32(code).filter(|c| *c != '\0').unwrap_or('\u{fffd}')
}

/// The text with its references resolved.
pub(super) fn resolve(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let (found, length) = reference(&rest[at..]).unwrap_or(("&".into(), 1));
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
