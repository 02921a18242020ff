//! What a part says about itself: type, boundary, charset, transfer encoding.

use super::fields::Field;
use super::limits;
use super::note::{Note, Notes};
use super::transfer::Transfer;

/// The kind of body that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Html,
    Multipart,
    Message,
    Other,
}

/// The content fields of one part.
#[derive(Debug)]
pub(super) struct Content<'a> {
    pub(super) kind: Kind,
    pub(super) boundary: Vec<u8>,
    pub(super) charset: &'a [u8],
    pub(super) transfer: Transfer,
}

impl<'a> Content<'a> {
    pub(super) fn of(fields: &[Field<'a>], notes: &mut Notes) -> Self {
        let value = |name: &str| fields.iter().find(|field| field.is(name)).map(|field| field.value);
        let mut content = Self {
            kind: Kind::Text,
            boundary: Vec::new(),
            charset: b"",
            transfer: value("Content-Transfer-Encoding").map_or(Transfer::Plain, Transfer::named),
        };
        // Content-Disposition has parameters too, but mail programs take neither boundary nor charset from there.
        if let Some(line) = value("Content-Type") {
            content.kind = kind(content.parameters(line, notes));
        }
        content
    }

    /// Takes the parameters it knows and returns what stands before the first one.
    fn parameters(&mut self, value: &'a [u8], notes: &mut Notes) -> &'a [u8] {
        let mut pieces = Pieces { value, at: 0 };
        let first = pieces.next().unwrap_or_default();
        for (number, piece) in pieces.enumerate() {
            if number == limits::PARAMETERS {
                notes.add(Note::Parameters);
                break;
            }
            let Some(equals) = memchr::memchr(b'=', piece) else { continue };
            let (name, text) = (piece[..equals].trim_ascii(), unquote(piece[equals + 1..].trim_ascii()));
            match name.to_ascii_lowercase().as_slice() {
                b"boundary" if self.boundary.is_empty() && text.len() <= limits::BOUNDARY => {
                    self.boundary = text.iter().copied().filter(|b| *b != b'\\').collect();
                }
                b"charset" if self.charset.is_empty() => self.charset = text,
                _ => (),
            }
        }
        first
    }
}

fn kind(media: &[u8]) -> Kind {
    let lower = media.to_ascii_lowercase();
    match lower.as_slice() {
        b"application/xhtml+xml" => Kind::Html,
        // AMP and watches have mark-up of their own beside text/html.
        other if other.starts_with(b"text/") && other.ends_with(b"html") => Kind::Html,
        b"message/rfc822" | b"message/global" => Kind::Message,
        other if other.starts_with(b"text") => Kind::Text,
        other if other.starts_with(b"multipart/") => Kind::Multipart,
        // Delivery reports and the like are text under another name.
        other if other.starts_with(b"message/") => Kind::Text,
        other if other.contains(&b'/') => Kind::Other,
        _ => Kind::Text,
    }
}

/// The pieces between semicolons that stand outside quotes.
struct Pieces<'a> {
    value: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.value.get(self.at..).filter(|rest| !rest.is_empty())?;
        let (mut quoted, mut end) = (false, 0);
        while end < rest.len() {
            match rest[end] {
                b'\\' if quoted => end += 1,
                b'"' => quoted = !quoted,
                b';' if !quoted => break,
                _ => (),
            }
            end += 1;
        }
        self.at += end + 1;
        Some(rest[..end.min(rest.len())].trim_ascii())
    }
}

fn unquote(text: &[u8]) -> &[u8] {
    match text.strip_prefix(b"\"") {
        Some(rest) => rest.split(|b| *b == b'"').next().unwrap_or_default(),
        None => text.split(|b| b.is_ascii_whitespace()).next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::fields;

    fn read(text: &[u8]) -> Content<'_> {
        let mut notes = Notes::default();
        Content::of(&fields::read(text, 0, &mut notes).0, &mut notes)
    }

    #[test]
    fn reads_parameters() {
        let text = b"Content-Type: Multipart/Mixed; x; charset=\"a;b\" ;\n BOUNDARY=\"q\\;r\"; name=a b\n\n";
        let content = read(text);
        assert_eq!((content.kind, content.charset), (Kind::Multipart, &b"a;b"[..]));
        assert_eq!(content.boundary, b"q;r");
    }

    #[test]
    fn mark_up_by_any_name() {
        for (media, is) in [("text/x-amp-html", Kind::Html), ("TEXT/HTML", Kind::Html), ("text/calendar", Kind::Text)] {
            assert_eq!(kind(media.as_bytes()), is, "{media}");
        }
    }

    #[test]
    fn only_content_type_gives_boundary_and_charset() {
        let content = read(
            b"Content-Disposition: inline; boundary=zz; charset=utf-16\n\
              Content-Type: multipart/mixed; boundary=b; charset=utf-8\n\n",
        );
        assert_eq!((content.boundary.as_slice(), content.charset), (&b"b"[..], &b"utf-8"[..]));
        let content = read(b"Content-Type: text/plain\nContent-Disposition: inline; boundary=zz; charset=utf-16\n\n");
        assert_eq!((content.boundary.as_slice(), content.charset), (&b""[..], &b""[..]));
    }
}
