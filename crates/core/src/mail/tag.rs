//! One tag of mark-up.

use std::borrow::Cow;

use super::blocks;
use super::character;
use super::element::Name;
use super::hiding::Unseen;
use super::style::{rule, same_colour, size, squeeze};

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
/// Attributes that are read.
const KNOWN: [&str; 8] = ["href", "src", "action", "style", "hidden", "color", "bgcolor", "background"];
/// The place of "hidden" among them.
const HIDDEN: usize = 4;
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
    pub(super) fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        let place = KNOWN.iter().position(|known| *known == name)?;
        self.attributes[place].map(character::resolve)
    }

    /// Adds what it does to the text it contains; `background` is the colour behind it, if known.
    pub(super) fn look(&self, style: &str, background: &str, unseen: &mut Unseen) {
        if self.is_bare() {
            return;
        }
        let is_zero = |name: &str| size(style, name).is_some_and(|(number, _)| number == 0.0);
        let display = rule(style, "display:");
        unseen.gone |= display == Some("none")
            || (display.is_none() && self.attributes[HIDDEN].is_some())
            || matches!(rule(style, "visibility:"), Some("hidden" | "collapse"))
            || style.contains("mso-hide:all")
            || is_zero("opacity:")
            || (is_zero("max-height:") && style.contains("overflow:hidden"));
        match size(style, "font-size:") {
            Some((0.0, _)) => unseen.sizeless = true,
            Some((_, unit)) if !matches!(unit, "em" | "ex" | "%") => unseen.sizeless = false,
            _ => (),
        }
        let attribute = || self.attribute("color").filter(|_| self.name == "font");
        if let Some(colour) = rule(style, "color:").map(Cow::Borrowed).or_else(attribute) {
            let same = !background.is_empty() && !style.contains("background") && same_colour(&colour, background);
            unseen.faint = colour == "transparent" || same;
        }
    }

    /// Is it laid out within the line, or not at all, whatever elements of its name do?
    pub(super) fn is_within_line(&self, style: &str) -> bool {
        let within = |display: &str| ["none", "inline", "contents"].iter().any(|way| display.starts_with(way));
        rule(style, "display:").map_or(self.attributes[HIDDEN].is_some(), within)
    }

    /// What lies behind its text, as written, if it says so.
    pub(super) fn background(&self, style: &str) -> Option<String> {
        if self.is_bare() {
            return None;
        }
        let styled = || rule(style, "background-color:").or_else(|| rule(style, "background:")).map(str::to_owned);
        let attribute = |name| self.attribute(name).map(|value| value.to_ascii_lowercase());
        styled().or_else(|| attribute("bgcolor")).or_else(|| attribute("background"))
    }

    /// Has it none of the attributes that are read?
    fn is_bare(&self) -> bool {
        self.attributes.iter().all(Option::is_none)
    }

    /// Its style in small letters and without blanks, as the questions below want it.
    pub(super) fn style(&self) -> String {
        self.attribute("style").map_or_else(String::new, |style| squeeze(&style))
    }
}

/// The first value of each attribute that matters.
fn attributes(source: &str) -> [Option<&str>; KNOWN.len()] {
    let mut found = [None; KNOWN.len()];
    for (name, value) in Attributes(source).take(ATTRIBUTES) {
        if let Some(place) = KNOWN.iter().position(|known| known.eq_ignore_ascii_case(name)) {
            found[place].get_or_insert(value);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn hides_on(style: &str, background: &str) -> bool {
        let mut unseen = Unseen::default();
        if let Some(tag) = Tag::read(&format!("<p style=\"{style}\">")) {
            tag.look(&tag.style(), background, &mut unseen);
        }
        unseen.hides()
    }

    fn hides(style: &str) -> bool {
        hides_on(style, "")
    }

    #[test]
    fn sizes_of_zero_hide() {
        for style in ["font-size:0", "a:b; FONT-SIZE : 0.0px;c:d", "opacity:0%;", "font-size:x;font-size:.0em"] {
            assert!(hides(style), "{style}");
        }
        for style in ["font-size:10px", "opacity:0:1", "font-size:font-size:1", "font-size:", "opacity:px"] {
            assert!(!hides(style), "{style}");
        }
    }

    #[test]
    fn what_hides_also_does_so_before_others() {
        for rule in ["font-size:0", "font-size : 0px", "FONT-SIZE:0.0PT", "font-size:0em", "opacity:0", "display:none"]
        {
            for mark in ["!important", " !important;x:y", " ! important ;", "!IMPORTANT", " !\n Important"] {
                assert!(hides(&format!("{rule}{mark}")), "{rule}{mark}");
            }
        }
        assert!(hides("visibility:hidden !important") && hides("MSO-hide:all!important"));
        for style in ["font-size:10px!important", "font-size:!important", "font-size:0!", "opacity:0!important:1"] {
            assert!(!hides(style), "{style}");
        }
    }

    #[test]
    fn a_colour_is_the_same_before_others() {
        let hides = |style| hides_on(style, "#ffffff");
        assert!(hides("color:#FFF") && hides("color:#fff!important") && hides("a:b; Color : White ! Important;"));
        assert!(!hides("color:#000!important") && !hides("color:!important"));
    }

    #[test]
    fn of_one_property_the_last_counts() {
        for style in [
            "display:none;display:block",
            "display:block!important;display:none",
            "x-display:none",
            "display:nonesuch",
            "/*display:none*/",
            "a:'display:none'",
            "fill-opacity:0",
            "font-size:0;font-size:12px",
            "color:transparent;color:red",
        ] {
            assert!(!hides(style), "{style}");
        }
        for style in
            ["display:block;display:none", "display:none!important;display:block", "display:/**/none", "display:none/*"]
        {
            assert!(hides(style), "{style}");
        }
    }

    #[test]
    fn many_sizes_without_a_number_are_read_in_linear_time() {
        // Each of them looked at all that follows: minutes.
        assert!(!hides(&("font-size:opacity:".repeat(40_000) + &"px".repeat(100_000))));
    }
}
