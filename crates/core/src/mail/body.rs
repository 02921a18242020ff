//! The text of a message, gathered from its parts: what people see, what they do not, and where links lead.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::content::{Content, Kind};
use super::note::{Note, Notes};
use super::{character, charset, html, limits};

/// Text gathered so far.
#[derive(Default)]
pub(super) struct Body {
    pub(super) visible: String,
    pub(super) hidden: String,
    pub(super) links: Vec<String>,
    /// Decoded bytes so far, mark-up included.
    source: usize,
}

impl Body {
    /// Adds the text of one part.
    pub(super) fn add(&mut self, content: &Content, body: &[u8], notes: &mut Notes) {
        if !matches!(content.kind, Kind::Text | Kind::Html) || body.is_empty() {
            return;
        }
        let (bytes, cut) = content.transfer.decode(body, limits::SOURCE - self.source, notes);
        self.source += bytes.len();
        if cut {
            notes.add(Note::Source);
        }
        let text = without_controls(charset::decode(&bytes, &content.charset, notes), notes);
        if content.kind == Kind::Html {
            html::read(&text, self, notes);
            self.show("\n");
        } else {
            self.show(&text);
            self.show("\n");
        }
    }

    /// Appends what people see. Beyond the limit it is dropped here and noted at the end.
    pub(super) fn show(&mut self, text: &str) {
        push(&mut self.visible, text);
    }

    /// Appends what people do not see.
    pub(super) fn hide(&mut self, text: &str) {
        push(&mut self.hidden, text);
    }

    /// Appends letters as they stand.
    pub(super) fn letters(&mut self, piece: &str, hidden: bool) {
        if hidden { self.hide(piece) } else { self.show(piece) }
    }

    /// Appends text with character references.
    pub(super) fn text(&mut self, piece: &str, hidden: bool) {
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'&', &piece.as_bytes()[at..]) {
            let start = at + found;
            self.letters(&piece[at..start], hidden);
            let meant = character::reference(&piece[start..], false);
            self.letters(meant.as_ref().map_or("&", |(meant, _)| meant), hidden);
            at = start + meant.map_or(1, |(_, length)| length);
        }
        self.letters(&piece[at..], hidden);
    }

    /// Ends the text: notes what was cut, and brings characters to their common form (NFKC).
    pub(super) fn finish(&mut self, notes: &mut Notes) {
        for text in [&mut self.visible, &mut self.hidden] {
            if text.len() > limits::TEXT {
                notes.add(Note::Text);
                truncate(text);
            }
            if !text.is_ascii() && is_nfkc_quick(text.chars()) != IsNormalized::Yes {
                *text = common_form(text);
                truncate(text);
            }
        }
        if self.hidden.bytes().any(|b| !b.is_ascii_whitespace()) {
            notes.add(Note::Hidden);
        }
    }
}

/// The text with an invisible sign for each control character: mail programs show nothing there, and "v\0iagra" is one word.
pub(super) fn without_controls<'a>(text: Cow<'a, str>, notes: &mut Notes) -> Cow<'a, str> {
    let is_control = |b: u8| b < b' ' && !b.is_ascii_whitespace() || b == 0x7f;
    // Without a way out, so that many bytes are compared at once.
    if !text.as_bytes().chunks(64).any(|block| block.iter().fold(false, |any, &b| any | is_control(b))) {
        return text;
    }
    if memchr::memchr(0, text.as_bytes()).is_some() {
        notes.add(Note::Nul);
    }
    Cow::Owned(text.replace(|c: char| u8::try_from(c).is_ok_and(is_control), "\u{200b}"))
}

/// NFKC of every stretch between blanks that is not plain ASCII: blanks never join with what stands beside them.
fn common_form(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive([' ', '\n']) {
        if piece.is_ascii() { out.push_str(piece) } else { out.extend(piece.nfkc()) }
    }
    out
}

/// Appends up to a little more than the limit, which is how `finish` knows that there was more.
fn push(to: &mut String, text: &str) {
    let room = (limits::TEXT + 8).saturating_sub(to.len());
    to.push_str(&text[..boundary(text, room)]);
}

fn truncate(text: &mut String) {
    text.truncate(boundary(text, limits::TEXT));
}

/// The last character boundary at or before `most`.
fn boundary(text: &str, most: usize) -> usize {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}
