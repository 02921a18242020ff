//! Character references of mark-up: `&amp;`, `&#65;`, `&#x41;`.

use std::borrow::Cow;

/// The names that mail uses; others stay as they are written.
const NAMES: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("copy", '©'),
    ("reg", '®'),
    ("trade", '™'),
    ("hellip", '…'),
    ("mdash", '—'),
    ("ndash", '–'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bull", '•'),
    ("middot", '·'),
    ("euro", '€'),
    ("pound", '£'),
    ("yen", '¥'),
    ("cent", '¢'),
    ("shy", '\u{ad}'),
    ("zwnj", '\u{200c}'),
    ("zwj", '\u{200d}'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("iexcl", '¡'),
    ("iquest", '¿'),
    ("deg", '°'),
    ("sect", '§'),
    ("times", '×'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("aacute", 'á'),
    ("eacute", 'é'),
    ("iacute", 'í'),
    ("oacute", 'ó'),
    ("uacute", 'ú'),
    ("Aacute", 'Á'),
    ("Eacute", 'É'),
    ("Iacute", 'Í'),
    ("Oacute", 'Ó'),
    ("Uacute", 'Ú'),
    ("agrave", 'à'),
    ("egrave", 'è'),
    ("igrave", 'ì'),
    ("ograve", 'ò'),
    ("ugrave", 'ù'),
    ("Agrave", 'À'),
    ("Egrave", 'È'),
    ("acirc", 'â'),
    ("ecirc", 'ê'),
    ("icirc", 'î'),
    ("ocirc", 'ô'),
    ("ucirc", 'û'),
    ("ccedil", 'ç'),
    ("Ccedil", 'Ç'),
    ("ntilde", 'ñ'),
    ("Ntilde", 'Ñ'),
    ("atilde", 'ã'),
    ("otilde", 'õ'),
    ("aring", 'å'),
    ("Aring", 'Å'),
    ("aelig", 'æ'),
    ("AElig", 'Æ'),
    ("oslash", 'ø'),
    ("Oslash", 'Ø'),
    ("euml", 'ë'),
    ("iuml", 'ï'),
    ("ordf", 'ª'),
    ("ordm", 'º'),
];

/// Longest reference.
const LONGEST: usize = 10;

/// The character at the start of `text`, which begins with "&", and the length of its reference.
pub(super) fn reference(text: &str) -> Option<(char, usize)> {
    let inside = text.get(1..)?;
    if let Some(number) = inside.strip_prefix('#') {
        let (digits, radix, skip) = match number.strip_prefix(['x', 'X']) {
            Some(hex) => (hex, 16, 3),
            None => (number, 10, 2),
        };
        let length = digits.bytes().take(8).take_while(|b| (*b as char).is_digit(radix)).count();
        let code = u32::from_str_radix(&digits[..length], radix).ok()?;
        let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
        return Some((from_code(code), skip + length + semicolon));
    }
    let length = inside.bytes().take(LONGEST).take_while(u8::is_ascii_alphabetic).count();
    let found = NAMES.iter().find(|(name, _)| *name == &inside[..length])?;
    let semicolon = usize::from(inside.as_bytes().get(length) == Some(&b';'));
    Some((found.1, 1 + length + semicolon))
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
        let (c, length) = reference(&rest[at..]).unwrap_or(('&', 1));
        out.push(c);
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
}
