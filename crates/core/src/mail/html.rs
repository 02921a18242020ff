//! Mark-up to text: one pass, no tree, no recursion.

use super::blocks::Blocks;
use super::body::Body;
use super::hiding::Hiding;
use super::limits;
use super::note::{Note, Notes};
use super::sheet::Sheet;
use super::tag::{Attribute, Tag};
use super::tag_ends::TagEnds;
use super::verbatim::{self, Verbatim};

/// Reads mark-up into the body: visible text, hidden text, and links.
pub(super) fn read(source: &str, body: &mut Body, notes: &mut Notes) {
    let mut page = Page { source, within: source, sheet: sheets(source), ..Page::default() };
    while page.at < source.len() {
        let rest = &page.within[page.at..];
        let found = memchr::memchr(b'<', rest.as_bytes());
        let piece = &rest[..found.unwrap_or(rest.len())];
        body.text(piece, page.hiding.hides());
        page.at += piece.len();
        match found {
            Some(_) => page.step(body, notes),
            None => (page.within, page.enclosed) = (source, false),
        }
    }
}

/// What every `<style>` says. It holds for elements before it, too.
fn sheets(source: &str) -> Sheet {
    let (mut sheet, mut ends, mut at) = (Sheet::default(), TagEnds::default(), 0);
    let mut starts = memchr::memrchr_iter(b'<', source.as_bytes());
    let Some(last) = starts.find(|start| verbatim::is_named(source, start + 1, "style")) else { return sheet };
    while let Some(found) = source.as_bytes().get(at..=last).and_then(|rest| memchr::memchr(b'<', rest)) {
        let start = at + found;
        at = behind(source, start, &mut ends);
        let Some(name) = verbatim::name(source, start + 1) else { continue };
        let end = verbatim::end(source, at, name);
        if name == "style" && Tag::read(&source[start..at]).is_some_and(|tag| tag.is_for_screens()) {
            sheet.add(&source[at..end]);
        }
        at = end;
    }
    sheet
}

/// Mark-up that is being read.
#[derive(Default)]
struct Page<'a> {
    source: &'a str,
    /// The source up to the end of an element that nothing inside goes beyond.
    within: &'a str,
    /// Is such an element open?
    enclosed: bool,
    at: usize,
    hiding: Hiding,
    blocks: Blocks,
    ends: TagEnds,
    /// Is a picture or formula open, which has rules of its own?
    foreign: bool,
    sheet: Sheet,
}

impl Page<'_> {
    /// Goes behind the "<" that comes next, and what belongs to it.
    fn step(&mut self, body: &mut Body, notes: &mut Notes) {
        let start = self.at;
        let rest = &self.within[start..];
        if self.foreign && rest.starts_with(CDATA) {
            let length = memchr::memmem::find(rest.as_bytes(), b"]]>").unwrap_or(rest.len());
            self.at += length;
            return body.letters(&rest[CDATA.len()..length], self.hiding.hides());
        }
        self.at = behind(self.within, start, &mut self.ends);
        let Some(tag) = Tag::read(&self.within[start..self.at]) else {
            if self.at == start + 1 {
                body.text("<", self.hiding.hides());
            }
            return;
        };
        let style = self.sheet.style(&tag);
        if self.blocks.breaks(&tag, &style) {
            body.letters("\n", self.hiding.hides());
        }
        if matches!(tag.name.as_str(), "svg" | "math") {
            self.foreign = !tag.closes;
        }
        links(&tag, body, notes);
        // What pictures and formulas have of these names is mark-up.
        let verbatim = Verbatim::of(&tag).filter(|_| !self.foreign);
        if !matches!(verbatim, Some(Verbatim::Silent)) && self.hiding.step(&tag, &style) {
            body.hide("\n");
        }
        if let Some(verbatim) = verbatim {
            self.verbatim(verbatim, &tag.name, body);
        }
    }

    fn verbatim(&mut self, verbatim: Verbatim, name: &str, body: &mut Body) {
        // An end is looked for once: whatever is open inside ends there too.
        if matches!(verbatim, Verbatim::MarkUp) && self.enclosed {
            return;
        }
        let end = verbatim::end(self.within, self.at, name);
        let piece = &self.within[self.at..end];
        match verbatim {
            Verbatim::Silent => (),
            Verbatim::Text => body.text(piece, self.hiding.hides()),
            Verbatim::Letters => body.letters(piece, self.hiding.hides()),
            Verbatim::MarkUp => {
                (self.within, self.enclosed) = (&self.source[..end], true);
                return;
            }
        }
        self.at = end;
    }
}

/// Behind the tag, comment or declaration that begins at `start`; one byte further if it is only a "<".
fn behind(source: &str, start: usize, ends: &mut TagEnds) -> usize {
    let rest = &source.as_bytes()[start..];
    if rest.starts_with(b"<!--") {
        return start + end_of_comment(rest);
    }
    match (rest.get(1), rest.get(2)) {
        (Some(b'a'..=b'z' | b'A'..=b'Z'), _) | (Some(b'/'), Some(b'a'..=b'z' | b'A'..=b'Z')) => {
            ends.find(source.as_bytes(), start)
        }
        // Quotes mean nothing in there.
        (Some(b'/' | b'!' | b'?'), _) => memchr::memchr(b'>', rest).map_or(source.len(), |end| start + end + 1),
        _ => start + 1,
    }
}

/// The length of the comment that begins here. "-->" ends it, also where its dashes are those of "<!--", and so does "--!>".
fn end_of_comment(rest: &[u8]) -> usize {
    let ends =
        |&end: &usize| rest[2..end].ends_with(b"--") || rest.get(4..end).is_some_and(|inside| inside.ends_with(b"--!"));
    memchr::memchr_iter(b'>', rest).find(ends).map_or(rest.len(), |end| end + 1)
}

/// What is text as it stands in pictures and formulas begins so.
const CDATA: &str = "<![CDATA[";

/// Attributes that lead elsewhere.
const LINKS: [Attribute; 4] = [Attribute::Href, Attribute::Src, Attribute::Action, Attribute::Background];

fn links(tag: &Tag, body: &mut Body, notes: &mut Notes) {
    for link in LINKS.into_iter().filter_map(|attribute| tag.attribute(attribute)) {
        if body.links.len() == limits::LINKS {
            notes.add(Note::Links);
            return;
        }
        body.links.push(link.into_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(source: &str) -> Body {
        let mut body = Body::default();
        read(source, &mut body, &mut Notes::default());
        body
    }

    #[test]
    fn blocks_break_and_inline_tags_vanish() {
        let body = body(
            "<p>V<b>ia</b>gra<br>now<!-- > x -->!&nbsp;&#x41;&bogus; 1 < 2</p><style>p{}</style><SCRIPT>a<b</script >z",
        );
        assert_eq!(body.visible.replace('\n', "|"), "|Viagra|now! A&bogus; 1 < 2|z");
    }

    #[test]
    fn what_is_not_drawn_does_not_part_a_word() {
        for between in
            ["<x>", "</x>", "<style>a</style>", "<script>b</script>", "<link>", "</div>", "</ >", "<!x>", "<?>"]
        {
            assert_eq!(body(&format!("via{between}gra")).visible, "viagra", "{between}");
        }
        let body =
            body("via<div hidden>no</div>gra <div style=display:inline>via</div><div style=display:inline>gra</div>");
        assert_eq!((body.visible.as_str(), body.hidden.trim()), ("viagra viagra", "no"));
    }

    #[test]
    fn all_that_a_browser_shows_is_read() {
        for source in [
            "<!-->yes",
            "<!--->yes",
            "<!-- no --!>yes",
            "<!--!>no-->yes",
            "<!x a=\">yes<b c=\"d\">",
            "<?x a=\">yes<b c=\"d\">",
            "</ a=\">yes<b c=\"d\">",
            "<p a==\">yes<b c=\"d\">",
            "<title><!--</title>yes",
            "<textarea><p hidden></textarea>yes",
            "<xmp><!--yes</xmp>",
            "<xmp><style>yes</xmp><p>",
            "<plaintext><!--yes",
            "<iframe><!--</iframe>yes",
            "<style>no</styleno></style>yes",
            "<svg><style><p>yes",
            "<svg><text><![CDATA[yes]]></text></svg>",
        ] {
            let body = body(source);
            let words: Vec<_> = body.visible.split(|c: char| !c.is_alphanumeric()).collect();
            assert!(words.contains(&"yes") && !words.contains(&"no"), "{source}: {:?}", body.visible);
        }
    }

    #[test]
    fn hidden_text_is_kept_apart() {
        let body = body(
            "<div>see<span style='Display : NONE'>no<span>no</span>no</span>me</div><font color=#FFFFFF>q</font>\
             <body><p><font color=#FFFFFF>w</font><p hidden>h</p>x",
        );
        assert_eq!(body.visible.split_whitespace().collect::<Vec<_>>(), ["seeme", "x"]);
        assert_eq!(body.hidden.split_whitespace().collect::<Vec<_>>(), ["nonono", "q", "w", "h"]);
    }

    #[test]
    fn letters_without_size_get_one_inside() {
        let body = body(
            "<td style='font-size:0px'>no<div style='font-size:13px'>yes<div>yes</div><p style='display:none'>no</p></div>no\
             <div style='font-size:100%'>no</div></td>yes<div style='max-height:0;overflow:hidden'>no</div>\
             <p style='color:transparent'>no<b style='font-size:9pt'>no</b></p>yes",
        );
        assert_eq!(body.visible.split_whitespace().collect::<Vec<_>>(), ["yes"; 4]);
        assert_eq!(body.hidden.split_whitespace().collect::<Vec<_>>(), ["no", "no", "no", "no", "no", "nono"]);
    }

    #[test]
    fn sheets_hide_before_and_behind_them() {
        let sheet = "<style>.x{display:none}</style>";
        let text = "<p class=x>no</p><p class=y>yes</p>";
        for source in [format!("{sheet}{text}"), format!("{text}{sheet}"), format!("{}{text}", sheet.to_uppercase())] {
            let body = body(&source);
            assert_eq!((body.visible.trim(), body.hidden.trim()), ("yes", "no"), "{source}");
        }
        for source in
            [format!("<!--{sheet}-->{text}"), format!("{}{text}", sheet.replace("style>", "style media=print>"))]
        {
            assert_eq!(body(&source).hidden, "", "{source}");
        }
    }

    #[test]
    fn white_letters_are_seen_on_what_is_not_white() {
        let white = "<a style='color:#fff'>a</a>";
        for around in [
            "<body style='background-color:#000'>",
            "<body><td style='background:#0a0'>",
            "<body><td background=x.png>",
        ] {
            assert_eq!(body(&format!("{around}{white}")).visible.trim(), "a", "{around}");
        }
        for around in ["", "<body>", "<body style='background:#ffffff'>", "<body bgcolor=black><td bgcolor=white>"] {
            assert_eq!(body(&format!("{around}{white}")).hidden.trim(), "a", "{around}");
        }
    }

    #[test]
    fn broken_quotes_do_not_swallow_the_rest() {
        assert_eq!(body("<a href=\"http://x.com>go</a> on").visible, "go on");
        assert_eq!(body("<a href='a>b'>c").links, ["a>b"]);
    }

    #[test]
    fn quotes_that_all_run_on_are_read_in_linear_time() {
        // Each tag looked through all that follow: hours.
        let body = body(&"<a b=\">\"".repeat(300_000));
        assert!(body.visible.starts_with("\"\"\""), "{:?}", &body.visible[..20]);
    }
}
