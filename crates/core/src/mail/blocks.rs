//! Which tags break a line.

use super::element::Name;
use super::style::Style;
use super::tag::Tag;

/// Elements that stand on lines of their own, or whose drawing or content parts words, sorted. All others do not, be they made up
/// ("v<x>iagra") or never drawn ("v<style></style>iagra"): people see one word.
#[rustfmt::skip]
const BLOCKS: [Name; 79] = Name::all([
    "address", "applet", "article", "aside", "audio", "blockquote", "br", "button", "canvas", "caption", "center",
    "datalist", "dd", "details", "dialog", "dir", "div", "dl", "dt", "embed", "fieldset", "figcaption", "figure",
    "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "iframe",
    "image", "img", "input", "isindex", "legend", "li", "listing", "main", "marquee", "math", "menu", "meter", "nav",
    "noframes", "object", "ol", "optgroup", "option", "p", "plaintext", "pre", "progress", "rp", "rt", "search",
    "section", "select", "summary", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead",
    "title", "tr", "ul", "video", "xmp",
]);

/// Its place among them.
pub(super) fn place(name: Name) -> Option<usize> {
    BLOCKS.binary_search(&name).ok()
}

/// Elements with which a paragraph ends, sorted.
#[rustfmt::skip]
const PARAGRAPH_ENDS: [Name; 41] = Name::all([
    "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
    "li", "listing", "main", "menu", "nav", "ol", "p", "plaintext", "pre", "search", "section", "summary", "table",
    "ul", "xmp",
]);

/// Does a paragraph end where it begins?
pub(super) fn ends_paragraph(name: Name) -> bool {
    PARAGRAPH_ENDS.binary_search(&name).is_ok()
}

/// The open blocks.
pub(super) struct Blocks([Open; BLOCKS.len()]);

/// The open elements of one name.
#[derive(Clone, Copy, Default)]
struct Open {
    count: usize,
    /// Which of the last 64 are laid out within the line, the innermost in the lowest bit.
    within: u64,
}

impl Default for Blocks {
    fn default() -> Self {
        Self([Open::default(); BLOCKS.len()])
    }
}

impl Blocks {
    /// Does a line end at this tag? `style` is that of the element. What closes nothing does nothing.
    pub(super) fn breaks(&mut self, tag: &Tag, style: &Style) -> bool {
        let Some(place) = tag.block else { return false };
        let open = &mut self.0[place];
        if tag.is_void() {
            return true;
        }
        if !tag.closes {
            let within = tag.is_within_line(style);
            *open = Open { count: open.count + 1, within: open.within << 1 | u64::from(within) };
            return !within;
        }
        let breaks = open.count > 0 && open.within & 1 == 0;
        // A paragraph that nobody opened is empty, but there.
        let stray = open.count == 0 && tag.name == "p";
        *open = Open { count: open.count.saturating_sub(1), within: open.within >> 1 };
        breaks || stray
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_sorted() {
        assert!(BLOCKS.is_sorted_by(|a, b| a < b) && PARAGRAPH_ENDS.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn what_people_see_in_one_line_does_not_break() {
        let breaks = |source: &str| {
            let mut blocks = Blocks::default();
            let tags = source.split_inclusive('>').filter_map(Tag::read);
            tags.map(|tag| u8::from(blocks.breaks(&tag, &tag.style()))).collect::<Vec<_>>()
        };
        assert_eq!(breaks("<x></x><o:p></style><link><meta></div></td></br></p>"), [0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(breaks("<div><div style='display: inline'><div></div></div></div></div>"), [1, 0, 1, 1, 0, 1, 0]);
        assert_eq!(breaks("<p hidden></p><td style=display:none></td><br><img>"), [0, 0, 0, 0, 1, 1]);
    }
}
