//! A message as features: one call from bytes to sorted keys.

use std::sync::Arc;

use super::body::{Body, without_controls};
use super::content::Content;
use super::encoded_word::{decode, for_people};
use super::fields::{self, Field};
use super::keys::{ALL, Keys, QUARTER, Seeds};
use super::note::{Note, Notes};
use super::text_keys::TextKeys;
use super::{Family, blob, header, identity, limits, lines, parts};
use crate::text::Chars;

/// Longest subject and sender for people.
const SHOWN: usize = 200;

/// What one message is made of.
///
/// ```
/// use bayleaf_core::mail::{Features, Reader};
/// let reader = Reader::new(*b"sixteen secrets!", true);
/// let mail = reader.read(b"Subject: Hello\n\nSee you.\n");
/// assert_eq!(mail.subject, "Hello");
/// assert!((0..mail.keys.len()).any(|i| mail.name(i) == "word:hello"));
/// ```
#[derive(Debug, Default)]
pub struct Features {
    /// Distinct keys in ascending order; the lowest two bits of a key are its family.
    pub keys: Vec<u64>,
    /// What was cut or odd, in words.
    pub notes: Vec<String>,
    /// The same for every copy of the message, whatever servers and mailboxes added.
    pub identity: [u8; 32],
    /// The subject, for people to read.
    pub subject: String,
    /// The sender, for people to read.
    pub sender: String,
    names: Option<Vec<String>>,
}

impl Features {
    /// How many keys each family has.
    pub fn sizes(&self) -> [usize; 4] {
        let mut sizes = [0; 4];
        self.keys.iter().for_each(|&key| sizes[Family::of(key) as usize] += 1);
        sizes
    }

    /// The readable text of key `i`; empty if names were not asked for.
    pub fn name(&self, i: usize) -> &str {
        self.names.as_ref().and_then(|names| names.get(i)).map_or("", String::as_str)
    }
}

/// Reads messages with the secret of one store.
pub struct Reader {
    seeds: Seeds,
    names: bool,
    chars: Arc<Chars>,
}

impl Reader {
    /// A reader for keys under 16 secret bytes, with or without the readable text of each key.
    pub fn new(secret: [u8; 16], names: bool) -> Self {
        Self { seeds: Seeds::new(secret), names, chars: Chars::marked() }
    }

    /// The features of a mail. Any bytes give features; what is malformed is noted.
    pub fn read(&self, raw: &[u8]) -> Features {
        let mut notes = Notes::default();
        let unified = lines::unify(raw);
        let start = lines::behind_mbox_line(&unified);
        let all = &unified[start..];
        let text = &all[..all.len().min(limits::MESSAGE)];
        if all.len() > text.len() {
            notes.add(Note::Bytes(all.len() - text.len()));
        }
        let (fields, rest) = fields::read(text, 0, &mut notes);
        let broken = text.get(rest) != Some(&b'\n');
        if broken && rest < text.len() {
            notes.add(Note::NoBreak);
        }
        let start = rest + usize::from(!broken);
        let first = |name: &str| fields.iter().find(|field| field.is(name)).map_or(&b""[..], |field| field.value);
        let subject = decode(first("Subject"), &mut notes);
        let sender = for_people(&decode(first("From"), &mut notes), SHOWN);

        let mut keys = Keys::new(self.seeds, self.names, QUARTER);
        keys.add_raw(&raw_view(&fields, &text[rest..]));
        let body = gather(text, &fields, start, &subject, &mut notes);
        TextKeys::new(&self.chars, &mut keys).add(&body, &mut notes);
        header::add(&self.chars, &fields, &mut keys, &mut notes);
        let (keys, names) = keys.finish();
        let identity = identity::of(&fields, all.get(start..).unwrap_or_default());
        let notes = notes.iter().map(Note::sentence).collect();
        Features { keys, notes, identity, subject: for_people(&subject, SHOWN), sender, names }
    }

    /// The features of a text without header, such as a text message: the header family stays empty.
    pub fn read_text(&self, text: &str) -> Features {
        let mut notes = Notes::default();
        let unified = lines::unify(text.as_bytes());
        let mut keys = Keys::new(self.seeds, self.names, ALL);
        keys.add_raw(&unified[..unified.len().min(limits::RAW)]);
        let mut body = Body::default();
        body.show(&without_controls(String::from_utf8_lossy(&unified), &mut notes));
        body.finish(&mut notes);
        TextKeys::new(&self.chars, &mut keys).add(&body, &mut notes);
        let (keys, names) = keys.finish();
        let notes = notes.iter().map(Note::sentence).collect();
        Features { keys, notes, identity: identity::of(&[], &unified), names, ..Features::default() }
    }
}

/// The first bytes of the message without the fields that filters write, and without signatures and identifiers: they
/// would leave no room for anything else.
fn raw_view(fields: &[Field], rest: &[u8]) -> Vec<u8> {
    let mut view = Vec::with_capacity(limits::RAW);
    let mut add = |piece: &[u8]| {
        let room = limits::RAW - view.len();
        view.extend_from_slice(&piece[..piece.len().min(room)]);
        piece.len() < room
    };
    let _ = fields.iter().all(|field| blob::each_piece(field.whole, &mut add)) && add(rest);
    view
}

/// The text of subject and parts.
fn gather(text: &[u8], fields: &[Field], start: usize, subject: &str, notes: &mut Notes) -> Body {
    let mut body = Body::default();
    body.show(&without_controls(subject.into(), notes));
    body.show("\n");
    let top = Content::of(fields, notes);
    parts::each(text, top, start.min(text.len()), notes, |content, part, notes| body.add(content, part, notes));
    body.finish(notes);
    body
}
