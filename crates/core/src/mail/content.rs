//! What a part says about itself: type, boundary, charset, transfer encoding.

use std::borrow::Cow;

use super::fields::Field;
use super::limits;
use super::note::{Note, Notes};
use super::parameter::{Parameter, without_comments};
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
    pub(super) charset: Cow<'a, [u8]>,
    pub(super) transfer: Transfer,
}

impl<'a> Content<'a> {
    pub(super) fn of(fields: &[Field<'a>], notes: &mut Notes) -> Self {
        let value = |name: &str| fields.iter().find(|field| field.is(name)).map(|field| field.value);
        let transfer = value("Content-Transfer-Encoding").map_or(Transfer::Plain, Transfer::named);
        // Content-Disposition has parameters too, but mail programs take neither boundary nor charset from there.
        match value("Content-Type").map(without_comments) {
            Some(Cow::Borrowed(line)) => Self::typed(line, transfer, notes),
            Some(Cow::Owned(line)) => {
                let Content { kind, boundary, charset, .. } = Content::typed(&line, transfer, notes);
                Self { kind, boundary, charset: Cow::Owned(charset.into_owned()), transfer }
            }
            None => Self { kind: Kind::Text, boundary: Vec::new(), charset: Cow::Borrowed(b""), transfer },
        }
    }

    fn typed(line: &'a [u8], transfer: Transfer, notes: &mut Notes) -> Self {
        let mut pieces = Pieces { value: line, at: 0 };
        let kind = kind(pieces.next().unwrap_or_default());
        let (mut boundary, mut charset) = (Parameter::default(), Parameter::default());
        for (number, piece) in pieces.enumerate() {
            if number == limits::PARAMETERS {
                notes.add(Note::Parameters);
                break;
            }
            let Some(equals) = memchr::memchr(b'=', piece) else { continue };
            let name = piece[..equals].trim_ascii();
            let star = memchr::memchr(b'*', name).unwrap_or(name.len());
            let wanted = match name[..star].to_ascii_lowercase().as_slice() {
                b"boundary" => &mut boundary,
                b"charset" => &mut charset,
                _ => continue,
            };
            wanted.add(&name[star..], piece[equals + 1..].trim_ascii());
        }
        // Blanks at the end of its line may have come on the way, so they do not count here either.
        let boundary = boundary.value().trim_ascii_end().to_vec();
        let usable = boundary.len() <= limits::BOUNDARY;
        Self { kind, boundary: if usable { boundary } else { Vec::new() }, charset: charset.value(), transfer }
    }
}

/// Blanks around the "/" do not count, nor does what follows the name or quotes that stand around it.
fn kind(media: &[u8]) -> Kind {
    let media = media.trim_ascii_start();
    let media = media.strip_prefix(b"\"").unwrap_or(media);
    let slash = memchr::memchr(b'/', media).unwrap_or(0);
    let (class, name) = (media[..slash].trim_ascii(), media.get(slash + 1..).unwrap_or_default().trim_ascii_start());
    let name = name.split(|b| b.is_ascii_whitespace() || matches!(b, b',' | b'"')).next().unwrap_or_default();
    let lower = if slash > 0 { [class, b"/", name].concat() } else { media.to_vec() }.to_ascii_lowercase();
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
        assert_eq!((content.kind, &*content.charset), (Kind::Multipart, &b"a;b"[..]));
        assert_eq!(content.boundary, b"q;r");
    }

    #[test]
    fn mark_up_by_any_name() {
        for (media, is) in [
            ("text/x-amp-html", Kind::Html),
            ("TEXT/HTML", Kind::Html),
            ("text/calendar", Kind::Text),
            ("text/html charset=x", Kind::Html),
            ("text / html, x", Kind::Html),
            ("\"text/html\"", Kind::Html),
            ("multipart/ mixed", Kind::Multipart),
            ("text", Kind::Text),
            ("/html", Kind::Other),
            ("image/png", Kind::Other),
        ] {
            assert_eq!(kind(media.as_bytes()), is, "{media}");
        }
    }

    #[test]
    fn parameters_in_pieces_and_between_comments() {
        for line in [
            "boundary*0=q; boundary*1*=%3Br",
            "boundary*=us-ascii''q%3br",
            "(x; y) boundary=\"q;r \"",
            "BOUNDARY = q;r",
        ] {
            let line = line.replace("= q;r", "= \"q;r\" (z)");
            let text = format!("Content-Type: multipart/mixed (\"); {line}; charset*=''utf-8\n\n");
            let content = read(text.as_bytes());
            assert_eq!((content.kind, &*content.charset), (Kind::Multipart, &b"utf-8"[..]), "{line}");
            assert_eq!(content.boundary, b"q;r", "{line}");
        }
    }

    #[test]
    fn only_content_type_gives_boundary_and_charset() {
        let content = read(
            b"Content-Disposition: inline; boundary=zz; charset=utf-16\n\
              Content-Type: multipart/mixed; boundary=b; charset=utf-8\n\n",
        );
        assert_eq!((content.boundary.as_slice(), &*content.charset), (&b"b"[..], &b"utf-8"[..]));
        let content = read(b"Content-Type: text/plain\nContent-Disposition: inline; boundary=zz; charset=utf-16\n\n");
        assert_eq!((content.boundary.as_slice(), &*content.charset), (&b""[..], &b""[..]));
    }
}
