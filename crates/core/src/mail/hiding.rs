//! Whether the text at hand is hidden, by the elements that are open around it.

use super::blocks;
use super::element::Name;
use super::look::Look;
use super::style::Style;
use super::tag::Tag;

/// The open elements, the innermost last.
#[derive(Default)]
pub(super) struct Hiding {
    open: Vec<Element>,
}

struct Element {
    name: Name,
    is_block: bool,
    /// Is it one of [`WALLS`]?
    is_wall: bool,
    /// Is it itself a reason why text is not seen, or is seen again?
    changes: bool,
    look: Look,
}

/// Open elements that are looked at; browsers go as deep.
const MOST: usize = 512;

/// What a closing tag inside does not end from within, unless it belongs to a table.
const WALLS: [Name; 8] = Name::all(["table", "td", "th", "caption", "object", "marquee", "template", "applet"]);

const OF_TABLE: [Name; 8] = Name::all(["table", "caption", "tbody", "thead", "tfoot", "tr", "td", "th"]);

/// Elements that go on behind the end of a block that they began in.
const FORMATTING: [Name; 14] =
    Name::all(["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"]);

impl Hiding {
    pub(super) fn hides(&self) -> bool {
        self.open.last().is_some_and(|element| element.look.hides())
    }

    /// Takes the next tag, with its style; says whether hiding begins with it.
    pub(super) fn step(&mut self, tag: &Tag, style: &Style) -> bool {
        let hid = self.hides();
        if tag.closes {
            self.close(tag);
        } else {
            self.make_room(tag);
            if !tag.is_void() && !matches!(tag.name.as_str(), "html" | "head") {
                self.open(tag, style);
            }
        }
        !hid && self.hides()
    }

    fn open(&mut self, tag: &Tag, style: &Style) {
        let before = self.open.last().map_or_else(Look::default, |element| element.look);
        let look = before.inside(tag, style);
        if self.open.len() < MOST {
            self.open.push(Element {
                name: tag.number,
                is_block: tag.block.is_some(),
                is_wall: WALLS.contains(&tag.number),
                changes: look != before,
                look,
            });
        }
    }

    /// Ends what cannot go on where an element of that name begins: of `<p hidden>a<p>b` people see b.
    fn make_room(&mut self, new: &Tag) {
        match new.name.as_str() {
            "li" => self.end_last(["li"], ["ul", "ol", "menu", "dir"]),
            "dd" | "dt" => self.end_last(["dd", "dt"], ["dl"]),
            "td" | "th" => self.end_last(["td", "th"], ["table"]),
            "tr" => self.end_last(["tr"], ["table"]),
            "tbody" | "thead" | "tfoot" => self.end_last(["tbody", "thead", "tfoot", "caption"], ["table"]),
            "option" | "optgroup" => self.end_last(["option"], ["select"]),
            name @ ("a" | "nobr" | "button") => self.end_last([name], []),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.end_last(["h1", "h2", "h3", "h4", "h5", "h6"], ["div"]),
            _ => (),
        }
        if blocks::ends_paragraph(new.number) {
            self.end_last(["p"], ["button"]);
        }
    }

    /// Ends the innermost element of these names, unless one of the others or a wall lies between.
    fn end_last<const N: usize, const M: usize>(&mut self, names: [&str; N], others: [&str; M]) {
        let (names, others) = (Name::all(names), Name::all(others));
        let of_table = names.iter().any(|name| OF_TABLE.contains(name));
        let stops = |element: &Element| element.is_wall && !of_table || others.contains(&element.name);
        let last = self.open.iter().rposition(|element| names.contains(&element.name) || stops(element));
        if let Some(place) = last.filter(|&place| names.contains(&self.open[place].name)) {
            self.end(place);
        }
    }

    fn close(&mut self, tag: &Tag) {
        if matches!(tag.name.as_str(), "body" | "html") {
            return; // whatever follows is still on the page
        }
        let wanted = tag.number;
        let passes = tag.block.is_some() || FORMATTING.contains(&wanted);
        let of_table = OF_TABLE.contains(&wanted);
        let stops = |element: &Element| !passes && element.is_block || !of_table && element.is_wall;
        let last = self.open.iter().rposition(|element| element.name == wanted || stops(element));
        if let Some(place) = last.filter(|&place| self.open[place].name == wanted) {
            self.end(place);
        }
    }

    /// Ends the element at that place and those inside it, but for what browsers let go on.
    fn end(&mut self, place: usize) {
        let Element { name: ended, is_wall: wall, .. } = self.open[place];
        if FORMATTING.contains(&ended) || place + 1 == self.open.len() {
            self.open.remove(place);
            let around = self.open[..place].last().map_or_else(Look::default, |element| element.look);
            let inherits = self.open[place..].iter_mut().take_while(|element| !element.changes);
            inherits.for_each(|element| element.look = around);
            return;
        }
        let goes_on = |element: &Element| !wall && element.changes && FORMATTING.contains(&element.name);
        let mut number = 0;
        self.open.retain(|element| {
            number += 1;
            number <= place || number > place + 1 && goes_on(element)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that is seen.
    fn seen(source: &str) -> String {
        let mut hiding = Hiding::default();
        let mut out = String::new();
        for piece in source.split_inclusive('>') {
            let (text, tag) = piece.split_at(piece.find('<').unwrap_or(piece.len()));
            if !hiding.hides() {
                out.push_str(text);
            }
            if let Some(tag) = Tag::read(tag) {
                hiding.step(&tag, &tag.style());
            }
        }
        out
    }

    #[test]
    fn what_a_browser_ends_hides_no_longer() {
        for source in [
            "<p hidden>no<p>yes",
            "<p hidden>no<div>yes",
            "<div><span hidden>no</div>yes",
            "<table><tr><td hidden>no<td>yes",
            "<table><tr hidden><td>no<tr><td>yes",
            "<ul><li hidden>no<li>yes",
            "<dl><dt hidden>no<dd>yes",
            "<a hidden>no<a>yes",
            "<h1 hidden>no<h2>yes",
            "<div hidden><b>no</div>yes",
            "<table><td><font style=opacity:0>no</td>yes",
            "<font style=opacity:0><div>no</font>yes",
            "<embed hidden>yes",
            "<html hidden>yes",
        ] {
            assert_eq!(seen(source), "yes", "{source}");
        }
    }

    #[test]
    fn what_it_does_not_end_hides_on() {
        for source in [
            "<div hidden/>no</div>yes",
            "<div><font style=display:none>no</div>no</font>yes",
            "<div hidden><table><td>no</div>no</td></table>no</div>yes",
            "<span hidden><div>no</span>no</div>no</span>yes",
            "<ul hidden><li>no<li>no</ul>yes",
            "<div hidden><p>no<p>no</p></x></p></div>yes",
        ] {
            assert_eq!(seen(source), "yes", "{source}");
        }
    }

    #[test]
    fn colours_and_sizes_inside_are_their_own() {
        let white = "<body><font color=#fff>no";
        assert_eq!(seen(&format!("{white}<font color=red>yes</font>no</font>")), "yes");
        assert_eq!(seen(&format!("{white}<table bgcolor=black><td>yes")), "yes");
        assert_eq!(seen(&format!("{white}<a href=x>yes</a>no<p bgcolor=black>yes</p>no")), "yesyes");
        assert_eq!(seen(&format!("{white}<a name=x>no</a><td background=''>no<b style=color:inherit>no")), "");
        assert_eq!(seen("<p style=visibility:hidden>no<b style=visibility:visible>yes</b>no</p>"), "yes");
        assert_eq!(
            seen("<p style=color:transparent>no<b style=color:red>yes</b>no<b style=font-size:9pt>no</b></p>"),
            "yes"
        );
        assert_eq!(seen("<p style=display:none>no<b style=font-size:9pt;color:red;display:block>no</b></p>yes"), "yes");
    }
}
