//! Elements that end at their closing tag, whatever stands before it.

use super::tag::Tag;

/// What stands between a tag and its closing tag, where no comment and no quote goes on behind that.
#[derive(Clone, Copy)]
pub(super) enum Verbatim {
    /// Never text.
    Silent,
    /// Text with character references.
    Text,
    /// Text as it stands.
    Letters,
    /// Mark-up, for programs that do not know the element.
    MarkUp,
}

const ALL: [(&str, Verbatim); 9] = [
    ("iframe", Verbatim::MarkUp),
    ("noembed", Verbatim::MarkUp),
    ("noframes", Verbatim::MarkUp),
    ("plaintext", Verbatim::Letters),
    ("script", Verbatim::Silent),
    ("style", Verbatim::Silent),
    ("textarea", Verbatim::Text),
    ("title", Verbatim::Text),
    ("xmp", Verbatim::Letters),
];

impl Verbatim {
    pub(super) fn of(tag: &Tag) -> Option<Self> {
        let known = ALL.iter().find(|(name, _)| !tag.closes && *name == tag.name);
        known.map(|(_, verbatim)| *verbatim)
    }
}

/// Which of these elements begins, if its name stands there.
pub(super) fn name(source: &str, at: usize) -> Option<&'static str> {
    ALL.iter().map(|(name, _)| *name).find(|name| is_named(source, at, name))
}

/// Does that name of an element stand there, and end?
pub(super) fn is_named(source: &str, at: usize, name: &str) -> bool {
    let rest = &source.as_bytes()[at..];
    let named = rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
    named && rest.get(name.len()).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>'))
}

/// Where the closing tag of that name begins, from `at` on.
pub(super) fn end(source: &str, at: usize, name: &str) -> usize {
    let mut from = at;
    while let Some(found) = memchr::memmem::find(&source.as_bytes()[from..], b"</") {
        from += found + 2;
        if is_named(source, from, name) {
            return from - 2;
        }
    }
    source.len()
}
