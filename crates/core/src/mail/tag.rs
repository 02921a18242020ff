//! One tag of mark-up.

use std::borrow::Cow;

use super::character;

/// A tag: its name in lower case and those of its attributes that matter, as written.
pub(super) struct Tag<'a> {
    pub(super) name: String,
    pub(super) closes: bool,
    void: bool,
    attributes: [Option<&'a str>; KNOWN.len()],
}

/// Elements that have no content.
const VOID: &[&str] = &["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"];
/// Attributes that are read.
const KNOWN: [&str; 8] = ["href", "src", "action", "style", "hidden", "color", "bgcolor", "background"];
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
        Some(Self {
            void: VOID.contains(&name.as_str()) || rest.ends_with('/'),
            name,
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

    /// What it does to the text it contains; `background` is the colour behind it, if known.
    pub(super) fn sight(&self, style: &str, background: &str) -> Sight {
        if self.is_bare() {
            return Sight::Same;
        }
        let zero = |name: &str| sizes(style, name).any(|(number, _)| number == 0.0);
        let same = |colour: Option<&str>| colour.is_some_and(|c| !background.is_empty() && same_colour(c, background));
        let styled = rule(style, "color:");
        let hides = self.attribute("hidden").is_some()
            || ["display:none", "visibility:hidden", "mso-hide:all"].iter().any(|rule| style.contains(rule))
            || zero("opacity:")
            || (zero("max-height:") && style.contains("overflow:hidden"))
            || styled == Some("transparent")
            || (self.name == "font" && same(self.attribute("color").as_deref()))
            || (!style.contains("background") && same(styled));
        if hides {
            Sight::Hidden
        } else if zero("font-size:") {
            Sight::Sizeless
        } else if sizes(style, "font-size:").any(|(number, unit)| number > 0.0 && !matches!(unit, "em" | "ex" | "%")) {
            Sight::Sized
        } else {
            Sight::Same
        }
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

/// What an element does to the text it contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// Nothing.
    Same,
    /// Nobody sees it.
    Hidden,
    /// Letters have no size, unless an element inside gives them one: builders of newsletters write this around all text,
    /// so that blanks between columns take no room.
    Sizeless,
    /// Letters have a size of their own, not one in proportion to that around them.
    Sized,
}

/// Number and unit of each value of a property in a squeezed style.
fn sizes<'s>(style: &'s str, name: &'s str) -> impl Iterator<Item = (f64, &'s str)> {
    style.match_indices(name).filter_map(move |(at, _)| {
        let rest = &style[at + name.len()..];
        // What holds a colon is no number. To look no further than that keeps time linear: each match has one.
        let (value, end) = rest.find([';', ':']).map_or((rest, ""), |end| rest.split_at(end));
        let value = plain(value);
        let number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
        let unit = &value[number.len()..];
        number.parse().ok().filter(|_| !end.starts_with(':')).map(|number| (number, unit))
    })
}

/// The value of the first rule of that name in a squeezed style.
fn rule<'s>(style: &'s str, name: &str) -> Option<&'s str> {
    style.split(';').find_map(|rule| rule.strip_prefix(name)).map(plain)
}

/// A squeezed value without the mark that it goes before others: what it says is the same.
fn plain(value: &str) -> &str {
    value.strip_suffix("!important").unwrap_or(value)
}

/// Lower case without blanks.
fn squeeze(style: &str) -> String {
    style.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
}

fn same_colour(a: &str, b: &str) -> bool {
    let digits = |colour: &str| match colour.trim().trim_start_matches('#').to_ascii_lowercase().as_str() {
        "white" | "fff" => "ffffff".to_owned(),
        "black" | "000" => "000000".to_owned(),
        other => other.to_owned(),
    };
    digits(a) == digits(b)
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
        let rest = &self.0[position(self.0, |b| !(b.is_ascii_whitespace() || b == b'/' || b == b'='))..];
        if rest.is_empty() {
            return None;
        }
        let end = position(rest, |b| b.is_ascii_whitespace() || b == b'=' || b == b'/');
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

    fn hides(style: &str) -> bool {
        Tag::read(&format!("<p style=\"{style}\">"))
            .is_some_and(|tag| matches!(tag.sight(&tag.style(), ""), Sight::Hidden | Sight::Sizeless))
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
        let hides = |style| {
            Tag::read(&format!("<p style='{style}'>"))
                .is_some_and(|tag| tag.sight(&tag.style(), "#ffffff") == Sight::Hidden)
        };
        assert!(hides("color:#FFF") && hides("color:#fff!important") && hides("a:b; Color : White ! Important;"));
        assert!(!hides("color:#000!important") && !hides("color:!important"));
    }

    #[test]
    fn many_sizes_without_a_number_are_read_in_linear_time() {
        // Each of them looked at all that follows: minutes.
        assert!(!hides(&("font-size:opacity:".repeat(40_000) + &"px".repeat(100_000))));
    }
}
