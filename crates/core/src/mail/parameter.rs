//! A parameter of `Content-Type`, whole or in pieces (RFC 2231): `boundary="b"`, `boundary*=us-ascii''b`,
//! `boundary*0=a; boundary*1*=%62`.

use std::borrow::Cow;

use super::transfer::coded;

/// What was found of one parameter so far.
#[derive(Default)]
pub(super) struct Parameter<'a> {
    whole: Option<Cow<'a, [u8]>>,
    pieces: Vec<(usize, Vec<u8>)>,
}

impl<'a> Parameter<'a> {
    /// Takes a value as written; `mark` is what follows the name. The first whole value counts.
    pub(super) fn add(&mut self, mark: &[u8], value: &'a [u8]) {
        let value = unquoted(value);
        let (number, coded) = mark.strip_suffix(b"*").map_or((mark, false), |number| (number, true));
        match number {
            b"" if self.whole.is_some() => (),
            b"" if coded => self.whole = Some(Cow::Owned(resolved(&value, true))),
            b"" => self.whole = Some(value),
            _ => {
                let digits = number.strip_prefix(b"*").filter(|digits| digits.iter().all(u8::is_ascii_digit));
                let number = digits.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
                self.pieces
                    .extend(number.map(|number| {
                        (number, if coded { resolved(&value, number == 0) } else { value.into_owned() })
                    }));
            }
        }
    }

    /// The value, pieces put in order up to the first that is missing.
    pub(super) fn value(mut self) -> Cow<'a, [u8]> {
        self.whole.take().unwrap_or_else(|| {
            self.pieces.sort_by_key(|piece| piece.0);
            self.pieces.dedup_by_key(|piece| piece.0);
            let known = self.pieces.iter().enumerate().take_while(|(place, piece)| *place == piece.0);
            Cow::Owned(known.flat_map(|(_, piece)| piece.1.iter().copied()).collect())
        })
    }
}

/// Without "charset'language'" if it stands before, and with "%41" as "A".
fn resolved(value: &[u8], marked: bool) -> Vec<u8> {
    let text = if marked { value.splitn(3, |b| *b == b'\'').nth(2).unwrap_or(value) } else { value };
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let code = if text[at] == b'%' { coded(&text[at + 1..]) } else { None };
        out.push(code.unwrap_or(text[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    out
}

/// The text inside quotes, "\x" as "x"; otherwise up to the first blank.
fn unquoted(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(inside) = text.strip_prefix(b"\"") else {
        return Cow::Borrowed(text.split(u8::is_ascii_whitespace).next().unwrap_or_default());
    };
    let plain = inside.split(|b| matches!(b, b'"' | b'\\')).next().unwrap_or_default();
    if inside.get(plain.len()) != Some(&b'\\') {
        return Cow::Borrowed(plain);
    }
    let mut out = Vec::with_capacity(inside.len());
    let mut bytes = inside.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => out.extend(bytes.next()),
            _ => out.push(byte),
        }
    }
    Cow::Owned(out)
}

/// The field without comments in brackets: "text/html (mark-up); charset=utf-8". What has no blank before it is no comment,
/// for some senders write such boundaries without quotes.
pub(super) fn without_comments(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'(', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut out = Vec::with_capacity(value.len());
    let (mut quoted, mut depth, mut at) = (false, 0_usize, 0);
    while at < value.len() {
        let byte = value[at];
        let begins = !quoted && byte == b'(' && out.last().is_none_or(|b: &u8| b.is_ascii_whitespace() || *b == b';');
        let escape = byte == b'\\' && (quoted || depth > 0);
        if depth > 0 || begins {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => (),
            }
        } else {
            quoted ^= byte == b'"';
            out.extend_from_slice(&value[at..value.len().min(at + 1 + usize::from(escape))]);
        }
        at += 1 + usize::from(escape);
    }
    // What is never closed is none.
    if depth > 0 { Cow::Borrowed(value) } else { Cow::Owned(out) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(all: &[(&str, &'static str)]) -> String {
        let mut parameter = Parameter::default();
        all.iter().for_each(|(mark, value)| parameter.add(mark.as_bytes(), value.as_bytes()));
        String::from_utf8_lossy(&parameter.value()).into_owned()
    }

    #[test]
    fn whole_and_in_pieces() {
        assert_eq!(read(&[("", "a b"), ("", "c")]), "a");
        assert_eq!(read(&[("", "\"a\\\"b\\\\c\" d")]), "a\"b\\c");
        assert_eq!(read(&[("*", "us-ascii'en'%62c%zz%4")]), "bc%zz%4");
        assert_eq!(read(&[("*1", "\"c d\""), ("*0*", "''%62"), ("*3", "no"), ("*x", "no")]), "bc d");
        assert_eq!(read(&[("*0", "no"), ("", "yes")]), "yes");
        assert_eq!(read(&[("*", "''%+f%-f%_f%f")]), "%+f%-f%_f%f");
        assert_eq!(read(&[("*+0", "no"), ("*", "yes")]), "yes");
        assert_eq!(read(&[("*+0", "no")]), "");
        assert_eq!(read(&[]), "");
    }

    #[test]
    fn comments_are_taken_out() {
        let read = |text: &str| String::from_utf8_lossy(&without_comments(text.as_bytes())).into_owned();
        assert_eq!(read("text/html (a (b) \\) \" c); x=\"(d)\"; (e)y=z(f)"), "text/html ; x=\"(d)\"; y=z(f)");
        assert_eq!(read("text/html (a; x=y"), "text/html (a; x=y");
    }
}
