//! The parts of a message, found in one pass over its lines and without recursion.

use super::content::{Content, Kind};
use super::note::{Note, Notes};
use super::open_parts::OpenParts;
use super::transfer::Transfer;
use super::{fields, limits, lines};

/// A line that begins or ends a part.
struct Delimiter {
    /// Where the body before it ends.
    end: usize,
    /// Behind the line.
    next: usize,
    /// Which of the open multiparts it belongs to.
    level: usize,
    closes: bool,
}

/// Calls `found(content, body)` for every part that is no container, in order.
pub(super) fn each<'a>(
    text: &'a [u8],
    top: Content<'a>,
    body: usize,
    notes: &mut Notes,
    mut found: impl FnMut(&Content<'a>, &'a [u8], &mut Notes),
) {
    let mut open = OpenParts::default();
    let (mut content, mut at, mut depth, mut count) = (top, body, 0, 0);
    loop {
        let container = enter(text, &mut content, &mut at, &mut depth, &mut open, notes);
        let delimiter = next_delimiter(text, at, &open);
        let end = delimiter.as_ref().map_or(text.len(), |line| line.end);
        let empty = container && delimiter.as_ref().is_none_or(|line| line.level + 1 < open.len());
        if empty {
            notes.add(Note::NoParts);
        }
        if empty || (!container && depth <= limits::DEPTH) {
            found(&content, &text[at.min(end)..end], notes);
        }
        let Some(next) = next_part(text, delimiter, &mut open, notes) else { return };
        count += 1;
        if count == limits::PARTS {
            notes.add(Note::Parts(1 + count_rest(text, next, &open)));
            return;
        }
        depth = open.depth();
        let (part, rest) = fields::read(text, next, notes);
        content = Content::of(&part, notes);
        at = (rest + usize::from(text.get(rest) == Some(&b'\n'))).min(text.len());
    }
}

/// Goes into attached messages, and opens the multipart if there is one: then the body at `at` is its preamble.
fn enter<'a>(
    text: &'a [u8],
    content: &mut Content<'a>,
    at: &mut usize,
    depth: &mut usize,
    open: &mut OpenParts,
    notes: &mut Notes,
) -> bool {
    while content.kind == Kind::Message && content.transfer == Transfer::Plain && *depth < limits::DEPTH {
        *depth += 1;
        let (part, rest) = fields::read(text, *at, notes);
        *content = Content::of(&part, notes);
        *at = (rest + usize::from(text.get(rest) == Some(&b'\n'))).min(text.len());
    }
    match content.kind {
        Kind::Multipart if content.boundary.is_empty() => {
            notes.add(Note::NoBoundary);
            content.kind = Kind::Text;
            false
        }
        Kind::Multipart if *depth < limits::DEPTH => {
            open.push(std::mem::take(&mut content.boundary), *depth + 1);
            content.kind = Kind::Text; // what its preamble is, should no part follow
            true
        }
        Kind::Message if *depth < limits::DEPTH => {
            content.kind = Kind::Text; // encoded as a whole, which RFC 2046 forbids and some mail programs show
            false
        }
        Kind::Multipart | Kind::Message => {
            notes.add(Note::Depth);
            content.kind = Kind::Other;
            false
        }
        _ => false,
    }
}

/// From the delimiter behind a part to the beginning of the next one: what follows a closing line belongs to nobody.
fn next_part(text: &[u8], mut delimiter: Option<Delimiter>, open: &mut OpenParts, notes: &mut Notes) -> Option<usize> {
    while let Some(line) = delimiter {
        if line.level + 1 < open.len() {
            notes.add(Note::Unclosed);
        }
        open.truncate(line.level + usize::from(!line.closes));
        if !line.closes {
            return Some(line.next);
        }
        delimiter = next_delimiter(text, line.next, open);
    }
    if !open.is_empty() {
        notes.add(Note::Unclosed);
    }
    None
}

fn next_delimiter(text: &[u8], from: usize, open: &OpenParts) -> Option<Delimiter> {
    if open.is_empty() {
        return None;
    }
    // The line end before the delimiter belongs to it, so the first line of the body counts as well.
    let before = from.saturating_sub(1);
    for found in memchr::memchr_iter(b'\n', text.get(before..).unwrap_or_default()) {
        let end = before + found;
        if text.get(end + 1..end + 3) != Some(b"--") {
            continue;
        }
        let next = lines::next(text, end + 3);
        let line = text[end + 3..next].trim_ascii_end();
        if let Some((level, closes)) = open.belongs(line) {
            return Some(Delimiter { end: end.max(from), next, level, closes });
        }
    }
    None
}

/// How many more parts the open multiparts have, looking at no part.
fn count_rest(text: &[u8], mut at: usize, open: &OpenParts) -> usize {
    let mut count = 0;
    while let Some(line) = next_delimiter(text, at, open) {
        count += usize::from(!line.closes);
        at = line.next;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(text: &str) -> (Vec<String>, Vec<&'static str>) {
        let mut notes = Notes::default();
        let (top, rest) = fields::read(text.as_bytes(), 0, &mut notes);
        let top = Content::of(&top, &mut notes);
        let mut all = Vec::new();
        each(text.as_bytes(), top, rest + 1, &mut notes, |content, body, _| {
            all.push(format!("{:?}:{}", content.kind, String::from_utf8_lossy(body)));
        });
        (all, notes.iter().map(|note| note.tag()).collect())
    }

    #[test]
    fn nested_parts_and_attached_messages() {
        let text = "Content-Type: multipart/mixed; boundary=b\n\npreamble\n--b\n\none\n--b\nContent-Type: multipart/alternative; \
                    boundary=bb\n\n--bb\nContent-Type: text/html\n\n<p>\n--bb--\nepilogue\n--b\nContent-Type: message/rfc822\n\n\
                    Subject: x\nContent-Type: image/png\n\npng\n\n--b--\nend";
        assert_eq!(bodies(text), (vec!["Text:one".into(), "Html:<p>".into(), "Other:png\n".into()], vec![]));
    }

    #[test]
    fn an_attached_message_that_is_encoded_is_text() {
        let text = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDog";
        assert_eq!(bodies(text), (vec!["Text:U3ViamVjdDog".into()], vec![]));
    }

    #[test]
    fn broken_multiparts_are_text() {
        let (all, notes) = bodies("Content-Type: multipart/mixed; boundary=b\n\nhello\n--c\n");
        assert_eq!((all, notes), (vec!["Text:hello\n--c\n".to_owned()], vec!["no-parts", "unclosed"]));
        assert_eq!(bodies("Content-Type: multipart/mixed\n\nhello").0, ["Text:hello"]);
    }

    #[test]
    fn an_unclosed_inner_part_ends_with_the_outer_one() {
        let text = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n--b\n\ny";
        assert_eq!(bodies(text), (vec!["Text:x".into(), "Text:y".into()], vec!["unclosed"]));
    }
}
