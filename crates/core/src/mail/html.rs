//! Mark-up to text: one pass, no tree, no recursion.

use super::body::Body;
use super::note::{Note, Notes};
use super::tag::{Sight, Tag};
use super::tag_ends::TagEnds;
use super::{character, limits};

/// Is its content never text?
fn is_silent(name: &str) -> bool {
    matches!(name, "script" | "style")
}

/// Elements that do not break a line; any other does.
#[rustfmt::skip]
fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr" | "acronym" | "b" | "big" | "blink" | "cite" | "code" | "del" | "dfn" | "em" | "font" | "i" | "ins"
            | "kbd" | "label" | "mark" | "nobr" | "o:p" | "q" | "s" | "samp" | "small" | "span" | "strike" | "strong"
            | "sub" | "sup" | "tt" | "u" | "var" | "wbr"
    )
}

/// Elements that hide what they contain or show it again, the innermost last.
#[derive(Default)]
struct Hiding(Vec<Change>);

struct Change {
    element: String,
    /// Open elements of that name, this one included.
    open: usize,
    sight: Sight,
}

/// Reads mark-up into the body: visible text, hidden text, and links.
pub(super) fn read(source: &str, body: &mut Body, notes: &mut Notes) {
    let mut hiding = Hiding::default();
    let mut background = String::new();
    let mut ends = TagEnds::default();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &source.as_bytes()[at..]) {
        text(&source[at..at + found], hiding.hides(), body);
        let start = at + found;
        at = behind(source, start, &mut ends);
        let Some(tag) = Tag::read(&source[start..at]) else {
            if at == start + 1 {
                text("<", hiding.hides(), body);
            }
            continue;
        };
        if !is_inline(&tag.name) {
            if hiding.hides() { body.hide("\n") } else { body.show("\n") }
        }
        if !tag.closes && is_silent(&tag.name) {
            at = end_of_silence(source, at, &tag.name);
            continue;
        }
        links(&tag, body, notes);
        if hiding.step(&tag, &mut background) {
            body.hide("\n");
        }
    }
    text(&source[at..], hiding.hides(), body);
}

fn text(piece: &str, hidden: bool, body: &mut Body) {
    let mut show = |part: &str| if hidden { body.hide(part) } else { body.show(part) };
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'&', &piece.as_bytes()[at..]) {
        let start = at + found;
        show(&piece[at..start]);
        match character::reference(&piece[start..]) {
            Some((meant, length)) => {
                show(&meant);
                at = start + length;
            }
            None => {
                show("&");
                at = start + 1;
            }
        }
    }
    show(&piece[at..]);
}

/// Behind the tag, comment or declaration that begins at `start`; one byte further if it is only a "<".
fn behind(source: &str, start: usize, ends: &mut TagEnds) -> usize {
    let rest = &source.as_bytes()[start..];
    if rest.starts_with(b"<!--") {
        return memchr::memmem::find(&rest[4..], b"-->").map_or(source.len(), |end| start + 4 + end + 3);
    }
    match rest.get(1) {
        Some(b'/' | b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z') => (),
        _ => return start + 1,
    }
    ends.find(source.as_bytes(), start)
}

fn end_of_silence(source: &str, at: usize, name: &str) -> usize {
    let rest = source.as_bytes();
    let mut from = at;
    while let Some(found) = memchr::memmem::find(&rest[from..], b"</") {
        let start = from + found;
        let end = start + 2 + name.len();
        if rest.get(start + 2..end).is_some_and(|close| close.eq_ignore_ascii_case(name.as_bytes())) {
            return start;
        }
        from = start + 2;
    }
    source.len()
}

fn links(tag: &Tag, body: &mut Body, notes: &mut Notes) {
    let wanted = matches!(tag.name.as_str(), "a" | "area" | "img" | "form" | "iframe");
    if !wanted || tag.closes {
        return;
    }
    for link in ["href", "src", "action"].iter().filter_map(|name| tag.attribute(name)) {
        if body.links.len() == limits::LINKS {
            notes.add(Note::Links);
            return;
        }
        body.links.push(link.into_owned());
    }
}

impl Hiding {
    fn sight(&self) -> Sight {
        self.0.last().map_or(Sight::Same, |change| change.sight)
    }

    fn hides(&self) -> bool {
        matches!(self.sight(), Sight::Hidden | Sight::Sizeless)
    }

    /// Says whether hiding begins with this tag.
    fn step(&mut self, tag: &Tag, background: &mut String) -> bool {
        let before = self.sight();
        let sight = if tag.closes || tag.is_void() || before == Sight::Hidden || self.0.len() == limits::DEPTH {
            Sight::Same
        } else {
            let style = tag.style();
            see_background(tag, &style, background);
            tag.sight(&style, background)
        };
        let changes = match before {
            Sight::Sizeless => matches!(sight, Sight::Sized | Sight::Hidden),
            _ => matches!(sight, Sight::Sizeless | Sight::Hidden),
        };
        if changes {
            self.0.push(Change { element: tag.name.clone(), open: 1, sight });
        } else if let Some(last) = self.0.last_mut().filter(|last| last.element == tag.name) {
            last.open = if tag.closes { last.open - 1 } else { last.open + 1 };
            self.0.pop_if(|last| last.open == 0);
        }
        changes && self.hides()
    }
}

fn see_background(tag: &Tag, style: &str, background: &mut String) {
    let told = tag.background(style);
    if tag.name == "body" {
        *background = told.unwrap_or_else(|| "#ffffff".to_owned());
    } else if told.is_some() {
        background.clear(); // from here on nobody knows what lies behind the text
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
        assert_eq!(body.visible.replace('\n', "|"), "|Viagra|now! A&bogus; 1 < 2|||||z");
    }

    #[test]
    fn hidden_text_is_kept_apart() {
        let body = body(
            "<div>see<span style='Display : NONE'>no<span>no</span>no</span>me</div><font color=#FFFFFF>q</font>\
             <body><font color=#FFFFFF>w</font><p hidden>h</p>x",
        );
        assert_eq!(body.visible.split_whitespace().collect::<Vec<_>>(), ["seeme", "q", "x"]);
        assert_eq!(body.hidden.split_whitespace().collect::<Vec<_>>(), ["nonono", "w", "h"]);
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
    fn white_letters_are_seen_on_what_is_not_white() {
        let white = "<a style='color:#fff'>a</a>";
        for around in [
            "<body style='background-color:#000'>",
            "<body><td style='background:#0a0'>",
            "<body><td background=x.png>",
        ] {
            assert_eq!(body(&format!("{around}{white}")).visible.trim(), "a", "{around}");
        }
        for around in ["<body>", "<body style='background:#ffffff'>", "<body bgcolor=white>"] {
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
        let body = body(&"<a=\">\"".repeat(300_000));
        assert!(body.visible.starts_with("\n\"\n\"\n\""), "{:?}", &body.visible[..20]);
    }
}
