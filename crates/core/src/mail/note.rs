//! What was cut or odd about a message. Each note is told to people and is a feature.

use super::limits;

/// One thing worth telling, with how many were left out where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Note {
    Bytes(usize),
    Fields(usize),
    Header,
    Value,
    Received(usize),
    Parameters,
    HeaderTokens,
    Parts(usize),
    Depth,
    Source,
    Text,
    Words,
    Links,
    NoBreak,
    NoBoundary,
    NoParts,
    Unclosed,
    Base64,
    Charset,
    Nul,
    Invisible,
    Hidden,
}

impl Note {
    /// The feature: the same whatever the count.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Self::Bytes(_) => "bytes",
            Self::Fields(_) => "fields",
            Self::Header => "header",
            Self::Value => "value",
            Self::Received(_) => "received",
            Self::Parameters => "parameters",
            Self::HeaderTokens => "header-tokens",
            Self::Parts(_) => "parts",
            Self::Depth => "depth",
            Self::Source => "source",
            Self::Text => "text",
            Self::Words => "words",
            Self::Links => "links",
            Self::NoBreak => "no-break",
            Self::NoBoundary => "no-boundary",
            Self::NoParts => "no-parts",
            Self::Unclosed => "unclosed",
            Self::Base64 => "base64",
            Self::Charset => "charset",
            Self::Nul => "nul",
            Self::Invisible => "invisible",
            Self::Hidden => "hidden",
        }
    }

    /// The sentence for people.
    pub(super) fn sentence(self) -> String {
        let beyond = |count: usize, what: &str, limit: usize| {
            let noun = if count == 1 { what.to_owned() } else { format!("{what}s") };
            format!("{count} {noun} beyond the limit of {limit} left out")
        };
        match self {
            Self::Bytes(n) => beyond(n, "byte", limits::MESSAGE),
            Self::Fields(n) => beyond(n, "header field", limits::FIELDS),
            Self::Header => format!("header fields beyond the limit of {} bytes left out", limits::HEADER),
            Self::Value => format!("a header field was cut at {} bytes", limits::VALUE),
            Self::Received(n) => beyond(n, "Received field", limits::RECEIVED),
            Self::Parameters => format!("Content-Type parameters beyond the limit of {} left out", limits::PARAMETERS),
            Self::HeaderTokens => format!("header tokens beyond the limit of {} left out", limits::HEADER_TOKENS),
            Self::Parts(n) => beyond(n, "part", limits::PARTS),
            Self::Depth => format!("parts nested deeper than {} left out", limits::DEPTH),
            Self::Source => format!("text parts were cut at {} decoded bytes", limits::SOURCE),
            Self::Text => format!("the text was cut at {} bytes", limits::TEXT),
            Self::Words => format!("words beyond the limit of {} left out", limits::WORDS),
            Self::Links => format!("links beyond the limit of {} left out", limits::LINKS),
            Self::NoBreak => "no empty line ends the header".to_owned(),
            Self::NoBoundary => "a multipart without a usable boundary was read as text".to_owned(),
            Self::NoParts => "a multipart whose boundary never comes was read as text".to_owned(),
            Self::Unclosed => "a multipart is not closed".to_owned(),
            Self::Base64 => "base64 with other characters inside".to_owned(),
            Self::Charset => "bytes that do not fit the declared character set".to_owned(),
            Self::Nul => "zero bytes".to_owned(),
            Self::Invisible => "invisible characters inside the text".to_owned(),
            Self::Hidden => "text that the mark-up hides".to_owned(),
        }
    }
}

/// The notes of one message, each kind once.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Note>);

impl Notes {
    pub(super) fn add(&mut self, note: Note) {
        if self.0.iter().all(|known| known.tag() != note.tag()) {
            self.0.push(note);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Note> + '_ {
        self.0.iter().copied()
    }
}
