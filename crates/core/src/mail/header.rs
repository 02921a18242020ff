//! Header fields as tokens that carry the name of their field.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::fields::Field;
use super::note::{Note, Notes};
use super::words::each as each_word;
use super::{Family, address, blob, encoded_word, keys::Keys, limits, received, shape};
use crate::text::Chars;

/// Tokens of one field after the other.
pub(super) struct Tokens<'k> {
    keys: &'k mut Keys,
    /// The name of the field and a colon, behind which each token is written.
    buffer: Vec<u8>,
    start: usize,
    shape: Vec<u8>,
    left: usize,
}

impl<'k> Tokens<'k> {
    pub(super) fn new(keys: &'k mut Keys) -> Self {
        let buffer = || Vec::with_capacity(128);
        Self { keys, buffer: buffer(), start: 0, shape: buffer(), left: limits::HEADER_TOKENS }
    }

    /// The field whose tokens follow.
    pub(super) fn tag(&mut self, name: &[u8]) {
        self.buffer.clear();
        self.buffer.extend(name.iter().map(u8::to_ascii_lowercase));
        self.buffer.push(b':');
        self.start = self.buffer.len();
    }

    /// The name of the field.
    fn name(&self) -> &[u8] {
        &self.buffer[..self.start - 1]
    }

    /// Adds `kind` and `token` under the field's name.
    pub(super) fn add(&mut self, kind: &str, token: &[u8]) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        self.buffer.truncate(self.start);
        self.buffer.extend_from_slice(kind.as_bytes());
        self.buffer.extend_from_slice(token);
        let hash = self.keys.hash(&self.buffer);
        self.keys.add(Family::Header, hash, &self.buffer);
    }

    /// How many tokens were added.
    #[cfg(test)]
    pub(super) fn written(&self) -> usize {
        limits::HEADER_TOKENS - self.left
    }

    /// Adds the shape of `text`.
    pub(super) fn add_shape(&mut self, kind: &str, text: &[u8]) {
        let mut shape = std::mem::take(&mut self.shape);
        shape.clear();
        shape::push(text, &mut shape);
        self.add(kind, &shape);
        self.shape = shape;
    }

    /// Adds a word: as it is without digits, otherwise its shape.
    pub(super) fn add_word(&mut self, kind: &str, word: &[u8]) {
        if word.len() > limits::WORD || word.iter().any(u8::is_ascii_digit) {
            self.add_shape(kind, word);
        } else {
            self.add(kind, word);
        }
    }

    /// Adds a host, which is in lower case, and its parent domains up to eight labels.
    pub(super) fn add_domains(&mut self, kind: &str, host: &[u8]) {
        let mut dots = memchr::memrchr_iter(b'.', host);
        for dot in dots.by_ref().take(DOMAINS) {
            if dot + 1 < host.len() {
                self.add(kind, &host[dot + 1..]);
            }
        }
        if dots.next().is_none() {
            self.add(kind, host);
        }
    }

    /// Adds a number by its magnitude.
    pub(super) fn add_size(&mut self, kind: &str, size: usize) {
        self.add(kind, shape::log2(size).to_string().as_bytes());
    }
}

/// Labels of a host that are looked at, from the right.
const DOMAINS: usize = 8;

/// Adds the tokens of all fields and of the notes.
pub(super) fn add(chars: &Chars, fields: &[Field], keys: &mut Keys, notes: &mut Notes) {
    let mut tokens = Tokens::new(keys);
    let mut hops = 0;
    for field in fields {
        tokens.tag(field.name);
        let hop = tokens.name() == b"received";
        hops += usize::from(hop);
        // What gives no token is not decoded.
        if tokens.left == 0 || hop && hops > limits::RECEIVED {
            continue;
        }
        let mut text = encoded_word::decode(field.value, notes);
        // The identifiers of a thread come again, and what people write is no identifier.
        if !matches!(tokens.name(), b"references" | b"in-reply-to" | b"subject") {
            text = blob::without(text);
        }
        match tokens.name() {
            b"received" | b"x-received" => received::add(&text, &mut tokens),
            b"subject" => subject(chars, &text, &mut tokens),
            b"date" => date(&text, &mut tokens),
            b"from" | b"to" | b"cc" | b"bcc" | b"reply-to" | b"return-path" | b"sender" | b"message-id"
            | b"in-reply-to" | b"references" | b"list-id" | b"delivered-to" | b"x-original-to" | b"envelope-to"
            | b"apparently-to" | b"x-sender" => address::add(&text, &mut tokens),
            // What a list says about itself in half a dozen fields would drown what the sender says.
            name if name.starts_with(b"list-") => tokens.add("", b""),
            _ => other(&text, &mut tokens),
        }
    }
    if hops > limits::RECEIVED {
        notes.add(Note::Received(hops - limits::RECEIVED));
    }
    if tokens.left == 0 {
        notes.add(Note::HeaderTokens);
        tokens.left = usize::MAX;
    }
    tokens.tag(b"note");
    notes.iter().for_each(|note| tokens.add("", note.tag().as_bytes()));
}

/// The text in lower case.
pub(super) fn lower(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() }
}

/// Words of a field: what stands between blanks and most punctuation.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let inside =
        |c: char| c.is_alphanumeric() || !c.is_ascii() || matches!(c, '\'' | '-' | '$' | '!' | '_' | '%' | '.');
    text.split(move |c: char| !inside(c))
        .map(|word| word.trim_matches(['.', '-', '\'', '_']))
        .filter(|word| !word.is_empty())
}

fn subject(chars: &Chars, text: &str, tokens: &mut Tokens) {
    let (mut last, mut left) = (String::new(), 4 * limits::FIELD_WORDS);
    let mut add = |word: &str, low: &str| {
        tokens.add("", low.as_bytes());
        tokens.add("as ", word.as_bytes());
        if !last.is_empty() {
            tokens.add("pair ", format!("{last} {low}").as_bytes());
        }
        last = low.to_owned();
        left -= 1;
        left > 0
    };
    let text: Cow<str> = if text.is_ascii() { text.into() } else { text.nfkc().collect() };
    each_word(chars, &text, |word| add(word.text, &String::from_utf8_lossy(word.low)));
    tokens.add_shape("shape ", text.as_bytes());
    tokens.add_size("length ", text.len());
}

fn date(text: &str, tokens: &mut Tokens) {
    tokens.add_shape("shape ", text.as_bytes());
    if let Some(zone) = text.split_ascii_whitespace().find(|word| word.len() == 5 && word.starts_with(['+', '-'])) {
        tokens.add("zone ", zone.as_bytes());
    }
    if let Some(hour) = text.split_ascii_whitespace().find_map(|word| word.split_once(':').map(|(hour, _)| hour)) {
        tokens.add("hour ", &hour.as_bytes()[..hour.len().min(2)]);
    }
}

/// Any other field: the whole value if it is short, otherwise its words.
fn other(text: &str, tokens: &mut Tokens) {
    tokens.add_shape("shape ", text.as_bytes());
    if text.len() <= WHOLE {
        tokens.add("is ", text.as_bytes());
        return;
    }
    for word in words(&lower(text)).take(limits::FIELD_WORDS) {
        tokens.add_word("", word.as_bytes());
    }
}

/// Longest value that is a token as a whole.
const WHOLE: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::fields;
    use crate::mail::keys::{ALL, Seeds};

    fn notes(header: &str) -> Vec<&'static str> {
        let mut notes = Notes::default();
        let fields = fields::read(header.as_bytes(), 0, &mut notes).0;
        add(&Chars::marked(), &fields, &mut Keys::new(Seeds::new([0; 16]), false, ALL), &mut notes);
        notes.iter().map(Note::tag).collect()
    }

    #[test]
    fn what_gives_no_token_is_not_decoded() {
        let odd = "=?utf-8?Q?=ff?=";
        assert_eq!(notes(&format!("X-A: {odd}\n")), ["charset"]);
        let many = "X-A: two tokens\n".repeat(limits::HEADER_TOKENS / 2);
        assert_eq!(notes(&format!("{many}X-A: {odd}\n")), ["header-tokens"]);
        let hops = "Received: from a\n".repeat(limits::RECEIVED);
        assert_eq!(notes(&format!("{hops}Received: {odd}\n")), ["received"]);
    }
}
