//! One tag of mark-up.

use std::borrow::Cow;

use super::blocks;
use super::character;
use super::element::Name;
use super::style::{Property, Style};

/// A tag: its name in lower case and those of its attributes that matter, as written.
pub(super) struct Tag<'a> {
    pub(super) name: String,
    pub(super) number: Name,
    /// Its place among the blocks, if it is one.
    pub(super) block: Option<usize>,
    pub(super) closes: bool,
    void: bool,
    attributes: [Option<&'a str>; KNOWN.len()],
}

/// Elements that have no content. A "/" at the end of any other means nothing: `<p/>` is open.
#[rustfmt::skip]
const VOID: [Name; 19] = Name::all([
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input", "keygen", "link",
    "meta", "param", "source", "track", "wbr",
]);
/// An attribute that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    Action,
    Background,
    BgColour,
    Class,
    Colour,
    Hidden,
    Href,
    Id,
    Media,
    Src,
    Style,
    Text,
}

const KNOWN: [(&str, Attribute); 12] = [
    ("action", Attribute::Action),
    ("background", Attribute::Background),
    ("bgcolor", Attribute::BgColour),
    ("class", Attribute::Class),
    ("color", Attribute::Colour),
    ("hidden", Attribute::Hidden),
    ("href", Attribute::Href),
    ("id", Attribute::Id),
    ("media", Attribute::Media),
    ("src", Attribute::Src),
    ("style", Attribute::Style),
    ("text", Attribute::Text),
];
/// Attributes that are looked at.
const ATTRIBUTES: usize = 128;
/// Longest element name.
const NAME: usize = 20;

impl<'a> Tag<'a> {
    /// Reads `<name ...>`; comments and declarations are no tags.
    pub(super) fn read(source: &'a str) -> Option<Self> {
        let inside = source.strip_prefix('<')?;
        let inside = inside.strip_suffix('>').unwrap_or(inside);
        let (closes, inside) = inside.strip_prefix('/').map_or((false, inside), |rest| (true, rest));
        let end = inside.bytes().position(|b| b.is_ascii_whitespace() || b == b'/').unwrap_or(inside.len());
        let name = inside.get(..end.min(NAME))?;
        let good = name.starts_with(|c: char| c.is_ascii_alphabetic());
        let rest = &inside[end..];
        let name = good.then(|| name.to_ascii_lowercase())?;
        let number = Name::of(&name);
        Some(Self {
            void: VOID.contains(&number),
            name,
            number,
            block: blocks::place(number),
            closes,
            attributes: if closes { [None; KNOWN.len()] } else { attributes(rest) },
        })
    }

    pub(super) fn is_void(&self) -> bool {
        self.void
    }

    /// The value of an attribute, its character references resolved.
    pub(super) fn attribute(&self, attribute: Attribute) -> Option<Cow<'a, str>> {
        self.attributes[attribute as usize].map(character::resolve)
    }

    /// Is it laid out within the line, or not at all, whatever elements of its name do?
    pub(super) fn is_within_line(&self, style: &Style) -> bool {
        let within = |display: &str| ["none", "inline", "contents"].iter().any(|way| display.starts_with(way));
        style.value(Property::Display).map_or(self.is_hidden(), within)
    }

    /// Has it none of the attributes that are read?
    pub(super) fn is_bare(&self) -> bool {
        self.attributes.iter().all(Option::is_none)
    }

    /// Does it say that it is not to be seen?
    pub(super) fn is_hidden(&self) -> bool {
        self.attributes[Attribute::Hidden as usize].is_some()
    }

    /// Is what it begins meant for screens, as far as it says?
    pub(super) fn is_for_screens(&self) -> bool {
        let media = self.attribute(Attribute::Media).unwrap_or_default().to_ascii_lowercase();
        matches!(media.trim(), "" | "all" | "screen" | "only screen")
    }

    /// Its own style.
    pub(super) fn style(&self) -> Style {
        self.attribute(Attribute::Style).map_or_else(Style::default, |style| Style::read(&style))
    }
}

/// The first value of each attribute that matters.
fn attributes(source: &str) -> [Option<&str>; KNOWN.len()] {
    let mut found = [None; KNOWN.len()];
    for (name, value) in Attributes(source).take(ATTRIBUTES) {
        if let Some((_, attribute)) = KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            found[*attribute as usize].get_or_insert(value);
        }
    }
    found
}

/// Names and values, in order.
struct Attributes<'a>(&'a str);

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.0[position(self.0, |b| !(b.is_ascii_whitespace() || b == b'/'))..];
        let first = rest.chars().next()?.len_utf8(); // belongs to the name, even if it is "="
        let end = first + position(&rest[first..], |b| b.is_ascii_whitespace() || b == b'=' || b == b'/');
        let (name, rest) = rest.split_at(end);
        let Some(value) = rest.trim_ascii_start().strip_prefix('=') else {
            self.0 = rest;
            return Some((name, ""));
        };
        let value = value.trim_ascii_start();
        let quote = value.chars().next().filter(|mark| matches!(mark, '"' | '\''));
        let (value, rest) = match quote {
            Some(mark) => value[1..].split_once(mark).unwrap_or((&value[1..], "")),
            None => value.split_at(position(value, |b| b.is_ascii_whitespace())),
        };
        self.0 = rest;
        Some((name, value))
    }
}

/// Where the first byte of a kind stands, or the end. The kind tells ASCII characters from all others.
fn position(text: &str, is: impl Fn(u8) -> bool) -> usize {
    text.bytes().position(is).unwrap_or(text.len())
}
